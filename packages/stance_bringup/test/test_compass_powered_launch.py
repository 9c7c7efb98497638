"""compass_powered.launch.py, as a user starts it: the controller takes over a walker that is on its way, and leads it to its gait.
What it does is recorded.

The simulation makes the clock and goes as fast as it can. STANCE_WALK_SECONDS: how long to walk once the controller is active, 30 s
unless set.
"""

import os
import pathlib
import sys
import tempfile
import unittest

import launch_testing
import rosbag2_py

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import walk  # noqa: E402
from controller_manager_msgs.srv import ListControllers  # noqa: E402
from rclpy.serialization import deserialize_message  # noqa: E402
from stance_msgs.msg import ContactEvent, SimulationStatus  # noqa: E402

SECONDS = float(os.environ.get("STANCE_WALK_SECONDS", "30"))
SETTLING = 15  # s, that it may take from wherever the controller found it
FOLDER = tempfile.TemporaryDirectory()
BAG = pathlib.Path(FOLDER.name) / "bag"
HEARD = []  # events, before the shutdown
PERIOD, LENGTH = 0.557, 0.393  # s and m of a step, as stance_gait/compass_law.hpp has them


def generate_test_description():
    return walk.launch("compass_powered.launch.py", use_sim_time="true", real_time_factor="0", record=str(BAG))


class TestWalk(unittest.TestCase):
    def setUp(self):
        self.ears = walk.Ears()

    def tearDown(self):
        self.ears.close()

    def is_active(self):
        answer = self.ears.call(ListControllers, "/controller_manager/list_controllers", 60)
        return {c.name: c.state for c in answer.controller}.get("compass_gait_controller") == "active"

    def test_walks_steadily_on_level_ground(self):
        self.assertTrue(self.ears.wait(self.is_active, 120))
        events = self.ears.events
        self.assertTrue(self.ears.wait(lambda: events, 60))
        taken_over = events[-1].time
        self.assertTrue(self.ears.wait(lambda: events[-1].time > taken_over + SECONDS, 60 + 5 * SECONDS),
                        f"the last event came at {events[-1].time} s")
        self.assertEqual([event.sequence for event in events], list(range(len(events))))
        self.assertNotIn(ContactEvent.FALL, [event.kind for event in events])

        late = [event for event in events if event.time > taken_over + SETTLING]
        steps = [event for event in late if event.kind == ContactEvent.TOUCHDOWN]
        self.assertGreater(len(steps), 0.9 * (SECONDS - SETTLING) / PERIOD)
        for before, step in zip(steps, steps[1:]):
            self.assertNotEqual(step.foot, before.foot)
            self.assertAlmostEqual(step.time - before.time, PERIOD, delta=1e-3)
            self.assertAlmostEqual(step.point.x - before.point.x, LENGTH, delta=1e-3)
            self.assertAlmostEqual(step.point.z, 0, delta=1e-9)
        # each step is pushed off by the foot that leaves, which pays for part of the impact; the hip pays the rest
        pushes = [event for event in late if event.kind == ContactEvent.PUSH_OFF]
        self.assertAlmostEqual(len(pushes), len(steps), delta=1)
        for push in pushes:
            self.assertLess(push.energy_lost, 0)
            self.assertGreater(push.impulse.z, 0)

        status = self.ears.next(SimulationStatus, "/stance/simulation_status")
        self.assertEqual((status.dropped_events, status.refused_commands, status.fallen), (0, 0, False))
        HEARD.extend(events)


@launch_testing.post_shutdown_test()
class TestEnd(walk.Ended, unittest.TestCase):
    said = ("step time of", "overruns: ", "times real time")
    manager = "control_node"

    def test_recorded_every_event(self):
        reader = rosbag2_py.SequentialReader()
        reader.open(rosbag2_py.StorageOptions(uri=str(BAG), storage_id=""), rosbag2_py.ConverterOptions("", ""))
        topics = {topic.name for topic in reader.get_all_topics_and_types()}
        self.assertLessEqual({"/stance/contact_events", "/stance/support_state", "/joint_states", "/robot_description",
                              "/contact_state_broadcaster/contact_states"}, topics)
        reader.set_filter(rosbag2_py.StorageFilter(topics=["/stance/contact_events"]))
        recorded = []
        while reader.has_next():
            recorded.append(deserialize_message(reader.read_next()[1], ContactEvent))
        # a bag is in the order of the instants at which its messages came, which may be the same for several
        recorded.sort(key=lambda event: event.sequence)
        self.assertEqual([event.sequence for event in recorded], list(range(len(recorded))))
        self.assertGreater(len(HEARD), 0)
        self.assertEqual(recorded[:len(HEARD)], HEARD)
