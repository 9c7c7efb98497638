"""What a user gets wrong, under a stock `ros2_control_node`: the sentence in its log, and the component's state."""

import pathlib
import sys
import tempfile
import unittest

import launch_testing

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))

import walk  # noqa: E402
from controller_manager_msgs.srv import ListHardwareComponents  # noqa: E402

HIP = '<xacro:stance_joint name="right_hip"/>'
FOLDER = tempfile.TemporaryDirectory()
UNCONFIGURED, NOT_LOADED = "unconfigured", None

# what is wrong in compass.urdf.xacro: the right words, the wrong ones, what the log says, and where the component ends
CASES = [
    ('scenario="$(arg scenario)"', 'scenario="/nowhere/walk.yaml"',
     "/nowhere/walk.yaml: does not exist; check the path", UNCONFIGURED),
    ('link="hip"', 'link="torso"', "sensor 'imu': link 'torso' is not a link of the robot", UNCONFIGURED),
    (HIP, '<joint name="right_hip"><command_interface name="torque"/></joint>',
     "joint 'right_hip': has no command interface 'torque'; there are position, velocity, effort, kp and kd",
     NOT_LOADED),
    (HIP, '<xacro:stance_joint name="left_knee"/>', "left_knee", NOT_LOADED),
]


@launch_testing.parametrize("right, wrong, words, state", CASES)
def generate_test_description(right, wrong, words, state):
    text = (walk.SHARE / "urdf" / "compass.urdf.xacro").read_text(encoding="utf-8")
    assert right in text, right
    text = text.replace(right, wrong).replace('filename="', f'filename="{walk.SHARE}/urdf/')
    robot = pathlib.Path(FOLDER.name) / "robot.urdf.xacro"
    robot.write_text(text, encoding="utf-8")
    return walk.launch("compass.launch.py", robot=str(robot), controllers=str(HERE / "patient_manager.yaml"), spawn="none")


class TestBadInput(unittest.TestCase):
    def test_says_what_is_wrong(self, proc_output, words, state):
        proc_output.assertWaitFor(words, process="ros2_control_node", strict_proc_matching=False, timeout=60)
        if state is NOT_LOADED:  # the controller manager waits for a better description, or ends
            return
        ears = walk.Ears()
        try:
            components = ears.call(ListHardwareComponents, "/controller_manager/list_hardware_components", 60).component
            self.assertEqual([(c.name, c.state.label) for c in components], [("stance", state)])
        finally:
            ears.close()
