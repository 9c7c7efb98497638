"""Stock controllers drive the compass in real time: effort, then a trajectory, switched while it moves.

Under them it walks for some steps at the most. Nothing that touches the ground is a fall here, so that time does not stop however
long the test takes.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import launch_testing

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import walk  # noqa: E402
from builtin_interfaces.msg import Duration  # noqa: E402
from controller_manager_msgs.srv import ListControllers, ListHardwareComponents, SwitchController  # noqa: E402
from geometry_msgs.msg import WrenchStamped  # noqa: E402
from sensor_msgs.msg import Imu, JointState  # noqa: E402
from stance_msgs.msg import ContactEvent, SimulationStatus  # noqa: E402
from stance_msgs.srv import Reset, SetPause  # noqa: E402
from std_msgs.msg import Float64MultiArray  # noqa: E402
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint  # noqa: E402

CONTROLLERS = HERE / "stock_controllers.yaml"
FOLDER = tempfile.TemporaryDirectory()
BROADCASTERS = ["joint_state_broadcaster", "imu_sensor_broadcaster", "hip_force_torque_broadcaster",
                "foot_force_broadcaster"]


def generate_test_description():
    text = (walk.SHARE / "config" / "compass.yaml").read_text(encoding="utf-8")
    scenario = pathlib.Path(FOLDER.name) / "scenario.yaml"
    scenario.write_text(text.replace("fall: [hip]\n", "").replace("../urdf", f"{walk.SHARE}/urdf"), encoding="utf-8")
    return walk.launch("compass.launch.py", scenario=str(scenario), controllers=str(CONTROLLERS),
                       spawn=" ".join(BROADCASTERS + ["effort_controller"]))


class TestStockControllers(unittest.TestCase):
    def setUp(self):
        self.ears = walk.Ears()

    def tearDown(self):
        self.ears.close()

    def states(self):
        answer = self.ears.call(ListControllers, "/controller_manager/list_controllers", 60)
        return {controller.name: controller.state for controller in answer.controller}

    def switch(self, start, stop):
        answer = self.ears.call(SwitchController, "/controller_manager/switch_controller", 60,
                                activate_controllers=start, deactivate_controllers=stop,
                                strictness=SwitchController.Request.STRICT, timeout=Duration(sec=5))
        self.assertTrue(answer.ok)

    def effort_is(self, value):
        return self.ears.wait(
            lambda: abs(self.ears.next(JointState, "/joint_states").effort[0] - value) < 1e-9, 30)

    def publish(self, publisher, message):
        self.assertTrue(self.ears.wait(lambda: publisher.get_subscription_count() > 0, 30))
        publisher.publish(message)

    def test_all(self):
        self.assertTrue(self.ears.wait(
            lambda: all(self.states().get(name) == "active" for name in BROADCASTERS + ["effort_controller"]), 120))
        self.assertGreater(abs(self.ears.next(Imu, "/imu_sensor_broadcaster/imu").linear_acceleration.z), 0)
        for name in ("hip_force_torque_broadcaster", "foot_force_broadcaster"):
            self.ears.next(WrenchStamped, f"/{name}/wrench")

        # effort; an infinite one is dropped by this controller already (the hardware's own refusal: stance_hardware's tests)
        efforts = self.ears.node.create_publisher(Float64MultiArray, "/effort_controller/commands", 10)
        self.publish(efforts, Float64MultiArray(data=[0.125]))
        self.assertTrue(self.effort_is(0.125))
        self.publish(efforts, Float64MultiArray(data=[float("inf")]))
        self.assertTrue(self.effort_is(0.125))

        # a reset under an active controller asks first, and nothing is lost
        answer = self.ears.call(Reset, "/stance/reset")
        self.assertFalse(answer.success)
        self.assertIn("joint 'right_hip' is commanded by a controller", answer.message)
        self.assertEqual(self.states()["effort_controller"], "active")
        components = self.ears.call(ListHardwareComponents, "/controller_manager/list_hardware_components").component
        self.assertEqual([(c.name, c.state.label) for c in components], [("stance", "active")])

        # a trajectory takes over, and the hip goes where it says
        subprocess.run(["ros2", "run", "controller_manager", "spawner", "trajectory_controller", "--inactive",
                        "--param-file", str(CONTROLLERS)], check=True, timeout=120)
        self.switch(["trajectory_controller"], ["effort_controller"])
        trajectories = self.ears.node.create_publisher(
            JointTrajectory, "/trajectory_controller/joint_trajectory", 10)
        point = JointTrajectoryPoint(positions=[0.3], time_from_start=Duration(sec=1))
        self.publish(trajectories, JointTrajectory(joint_names=["right_hip"], points=[point]))
        self.assertTrue(self.ears.wait(
            lambda: abs(self.ears.next(JointState, "/joint_states").position[0] - 0.3) < 0.02, 30))

        # without a controller the joint swings freely, and the robot can be set back
        self.switch([], ["trajectory_controller"])
        self.assertTrue(self.ears.call(SetPause, "/stance/set_pause", paused=True).success)
        answer = self.ears.call(Reset, "/stance/reset")
        self.assertTrue(answer.success, answer.message)
        self.assertTrue(self.ears.wait(lambda: self.ears.next(
            SimulationStatus, "/stance/simulation_status").epoch == 1, 30))
        self.assertEqual([event.sequence for event in self.ears.events], list(range(len(self.ears.events))))
        self.assertNotIn(ContactEvent.FALL, [event.kind for event in self.ears.events])


@launch_testing.post_shutdown_test()
class TestEnd(walk.Ended, unittest.TestCase):
    pass
