"""The stock ros2_control_node on simulated time, which the hardware makes: it waits for /clock in every cycle, and never hangs.

STANCE_WALK_SECONDS: how long to walk, 60 s unless set.
"""

import os
import pathlib
import sys
import unittest

import launch_testing

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import walk  # noqa: E402

SECONDS = float(os.environ.get("STANCE_WALK_SECONDS", "60"))


def generate_test_description():
    return walk.launch("compass.launch.py", spawn="joint_state_broadcaster", use_sim_time="true", stock="true",
                       real_time_factor="0")


class TestWalk(unittest.TestCase):
    def test_events_are_those_of_stance_run(self):
        ears = walk.Ears()
        try:
            rows = walk.stance_run("compass.yaml", SECONDS)
            self.assertTrue(ears.wait(lambda: len(ears.events) >= len(rows), 60 + 5 * SECONDS),
                            f"{len(ears.events)} events of {len(rows)}")
            walk.compare(self, ears.events, rows)
        finally:
            ears.close()


@launch_testing.post_shutdown_test()
class TestEnd(walk.Ended, unittest.TestCase):
    said = ("step time of", "overruns: ")

    def test_never_stood_still(self, proc_output):
        self.assertNotIn("runs no cycles", "".join(str(line.text) for line in proc_output))
