"""Arguments of the launch files: each is described, and a wrong one is named before anything starts."""

import importlib.util
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext

LAUNCH = pathlib.Path(get_package_share_directory("stance_bringup")) / "launch"


def stance_launch():
    spec = importlib.util.spec_from_file_location("stance_launch", LAUNCH / "stance.launch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def context_of(stance, **arguments):
    context = LaunchContext()
    context.launch_configurations.update({name: default for name, (default, _) in stance.ARGUMENTS.items()} | arguments)
    return context


def ros2_launch(*arguments):
    ran = subprocess.run(["ros2", "launch", "stance_bringup", *arguments], capture_output=True, text=True, timeout=120,
                         check=False)
    return ran.returncode, ran.stdout + ran.stderr


class TestArguments(unittest.TestCase):
    def test_wrong_ones_are_named(self):
        code, text = ros2_launch("compass.launch.py", "scenario:=walk.yaml")
        self.assertEqual(code, 1)
        self.assertIn("scenario:=walk.yaml: there is no such file, and none of that name in", text)
        self.assertIn("compass.yaml, compass_powered.yaml", text)
        self.assertNotIn("process started", text)

        stance = stance_launch()
        for call, words in (
                (lambda: stance.find("robot", "spider.urdf", "urdf"), "robot:=spider.urdf: there is no such file"),
                (lambda: stance.truth("rviz", "maybe"), "rviz:=maybe: say true or false"),
                (lambda: stance.whole("rate", "fast"), "rate:=fast: say a whole number"),
                (lambda: stance.whole("rate", "0", 1), "rate:=0: say a whole number of 1 or more"),
                (lambda: stance.start(context_of(stance, rate="0")), "rate:=0: say a whole number of 1 or more"),
                (lambda: stance.number("real_time_factor", "-1"), "real_time_factor:=-1: say a number, 0 or above"),
                (lambda: stance.start(context_of(stance, real_time_factor="0")),
                 "real_time_factor:=0: has no effect on the wall's clock; add use_sim_time:=true"),
                (lambda: stance.start(context_of(stance, stock="true")), "stock:=true: has no effect")):
            with self.assertRaisesRegex(RuntimeError, words):
                call()
        self.assertEqual([stance.truth("rviz", text) for text in ("true", "True", "1", "false", "False", "")],
                         [True, True, True, False, False, False])

    def test_a_wrong_file_of_controllers_is_named(self):
        stance = stance_launch()
        cases = {"[": "cannot be read: while parsing",
                 "": "has no section 'controller_manager', which names the controllers",
                 "arm: {}": "has no section 'controller_manager', which names the controllers",
                 "controller_manager: {update_rate: 100}": "has no section 'ros__parameters'"}
        for text, words in cases.items():
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text)
                file.flush()
                with self.assertRaisesRegex(RuntimeError, f"controllers: {file.name} {words}"):
                    stance.start(context_of(stance, controllers=file.name))

    def test_a_manager_that_fails_fails_the_launch(self):
        code, text = ros2_launch("compass.launch.py", "keyframe:=nowhere", "spawn:=none")
        self.assertIn("param 'keyframe': is 'nowhere', which the scenario does not have; there are initial", text)
        self.assertEqual(code, 1, text)

    def test_paths_come_before_names_of_ours(self):
        stance = stance_launch()
        self.assertEqual(stance.find("scenario", "compass.yaml", "config"), str(LAUNCH.parent / "config" / "compass.yaml"))
        with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
            self.assertEqual(stance.find("scenario", file.name, "config"), file.name)

    def test_packages_that_are_not_here_are_named(self):
        stance = stance_launch()
        self.assertEqual(stance.record("false"), [])
        with mock.patch.object(stance, "get_package_prefix", side_effect=PackageNotFoundError("not here")):
            with self.assertRaisesRegex(RuntimeError, "record:=true: the package ros2bag is not here; install it, or leave"):
                stance.record("true")
            with self.assertRaisesRegex(RuntimeError, "rviz:=true: the package rviz2 is not here; install it, or leave"):
                stance.start(context_of(stance, rviz="true"))
        with mock.patch.object(stance, "get_package_prefix", return_value="/opt/ros"):
            self.assertEqual(len(stance.record("/tmp/walk")), 1)

    def test_rviz_comes_with_the_markers_that_its_layout_shows(self):
        stance = stance_launch()
        with mock.patch.object(stance, "get_package_prefix", return_value="/opt/ros"):
            actions = stance.start(context_of(stance, rviz="true"))
            slow = stance.start(context_of(stance, use_sim_time="true", stock="true"))
            fast = stance.start(context_of(stance, use_sim_time="true", real_time_factor="0"))
        nodes = {node.node_executable: node.node_package for node in slow}
        self.assertEqual(nodes["ros2_control_node"], "controller_manager")
        nodes = {node.node_executable: node.node_package for node in fast}
        self.assertEqual(nodes["control_node"], "stance_hardware")
        nodes = {node.node_executable: node.node_package for node in actions}
        self.assertEqual((nodes["rviz2"], nodes["contact_markers"]), ("rviz2", "stance_nodes"))
        layout = (LAUNCH.parent / "config" / "layouts" / "walker.rviz").read_text(encoding="utf-8")
        self.assertIn("Value: /contact_markers/markers\n", layout)

    def test_all_are_described(self):
        for file in sorted(LAUNCH.glob("*.launch.py")):
            code, text = ros2_launch(file.name, "--show-args")
            self.assertEqual(code, 0, text)
            for name, (_, description) in stance_launch().ARGUMENTS.items():
                self.assertIn(f"'{name}':", text, file.name)
                self.assertIn(description, text, file.name)
            self.assertNotIn("No description", text)


if __name__ == "__main__":
    unittest.main()
