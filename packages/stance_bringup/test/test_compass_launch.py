"""compass.launch.py, as a user starts it: the events on the topic are those of `stance run`, with a slow subscriber too.

The simulation makes the clock and goes as fast as it can. STANCE_WALK_SECONDS: how long to walk, 60 s unless set.
STANCE_WALK_REAL_TIME: at 1 kHz of the wall's clock, however long that takes. STANCE_WALK_DELAY: seconds that the subscriber takes
over each event.
"""

import os
import pathlib
import subprocess
import sys
import unittest

import launch_testing

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import walk  # noqa: E402
from rclpy.qos import qos_profile_sensor_data  # noqa: E402
from rosgraph_msgs.msg import Clock  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402
from stance_msgs.msg import SimulationStatus, SupportState  # noqa: E402

SECONDS = float(os.environ.get("STANCE_WALK_SECONDS", "60"))
DELAY = float(os.environ.get("STANCE_WALK_DELAY", "0.05"))  # slower than the events come
SIM_TIME = "STANCE_WALK_REAL_TIME" not in os.environ
BROADCASTERS = "joint_state_broadcaster pose_broadcaster imu_sensor_broadcaster hip_force_torque_broadcaster"


def generate_test_description():
    return walk.launch("compass.launch.py", spawn=BROADCASTERS, use_sim_time=str(SIM_TIME).lower(),
                       real_time_factor="0")


class TestWalk(unittest.TestCase):
    def setUp(self):
        self.ears = walk.Ears(DELAY)

    def tearDown(self):
        self.ears.close()

    def test_events_are_those_of_stance_run(self):
        rows = walk.stance_run("compass.yaml", SECONDS)
        self.assertTrue(self.ears.wait(lambda: len(self.ears.events) >= len(rows), 60 + 5 * SECONDS),
                        f"{len(self.ears.events)} events of {len(rows)}")
        walk.compare(self, self.ears.events, rows)
        status = self.ears.next(SimulationStatus, "/stance/simulation_status")
        self.assertEqual(status.dropped_events, 0)
        self.assertEqual(status.refused_commands, 0)
        self.assertFalse(status.fallen)
        self.assertEqual(status.message, "")
        support = self.ears.next(SupportState, "/stance/support_state")
        self.assertIn(support.support, ("left_foot", "right_foot"))
        self.assertEqual(support.phase, SupportState.SINGLE)
        joints = self.ears.next(JointState, "/joint_states")
        self.assertEqual(list(joints.name), ["right_hip"])
        self.assertEqual(self.ears.next(Imu, "/imu_sensor_broadcaster/imu").header.frame_id, "hip")
        if SIM_TIME:
            self.assertGreater(self.ears.next(Clock, "/clock", qos=qos_profile_sensor_data).clock.sec, 0)


    def test_late_listeners_get_all_events(self):
        """By the command that stance_msgs/README.md has."""
        command = ["ros2", "topic", "echo", "/stance/contact_events", "--qos-reliability", "reliable", "--qos-durability",
                   "transient_local", "--qos-history", "keep_all"]
        try:
            text = subprocess.run(command + ["--field", "sequence"], capture_output=True, text=True, timeout=30,
                                  check=False).stdout
        except subprocess.TimeoutExpired as expired:  # it listens on
            text = expired.stdout.decode()
        heard = [int(line) for line in text.split() if line.isdecimal()]
        self.assertGreater(len(heard), 100)
        self.assertEqual(heard, list(range(len(heard))))


@launch_testing.post_shutdown_test()
class TestEnd(walk.Ended, unittest.TestCase):
    said = ("step time of", "overruns: ", "times real time")
    manager = "control_node"
