"""hil.launch.py, as a user starts it: the control loop has its priority and its processor where that is permitted, walks in real
time, and tells its times at the end.
"""

import os
import pathlib
import sys
import unittest

import launch_testing

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import walk  # noqa: E402
from stance_msgs.msg import ContactEvent, SimulationStatus  # noqa: E402

PRIORITY = 42
CPU = max(os.sched_getaffinity(0))


def generate_test_description():
    return walk.launch("hil.launch.py", priority=str(PRIORITY), cpu=str(CPU))


def may_have_priority():
    """Whether this user may have real-time threads."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    os.sched_setscheduler(0, *before)
    return True


class TestHil(unittest.TestCase):
    def test_walks_in_real_time(self, proc_info):
        ears = walk.Ears()
        try:
            events = ears.events
            self.assertTrue(ears.wait(lambda: events and events[-1].time > 5, 120))
            self.assertNotIn(ContactEvent.FALL, [event.kind for event in events])
            status = ears.next(SimulationStatus, "/stance/simulation_status")
            self.assertFalse(status.fallen)
            self.assertEqual(status.dropped_events, 0)
        finally:
            ears.close()
        if not may_have_priority():
            self.skipTest("SCHED_FIFO is not permitted here")
        pid = next(proc_info[name].pid for name in proc_info.process_names() if "ros2_control_node" in name)
        threads = [int(task.name) for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]
        loops = [thread for thread in threads if os.sched_getscheduler(thread) == os.SCHED_FIFO
                 and os.sched_getparam(thread).sched_priority == PRIORITY]
        self.assertEqual(len(loops), 1)
        self.assertEqual(os.sched_getaffinity(loops[0]), {CPU})


@launch_testing.post_shutdown_test()
class TestEnd(walk.Ended, unittest.TestCase):
    pass
