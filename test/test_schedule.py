"""stance schedule: the order it prints is one that stance dynamics takes, its picture shows every joint, and what it refuses.

Standard library only. Run from the root of the repository: python3 -m unittest discover -s test -v
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
STANCE = os.environ.get("STANCE", str(ROOT / "install/stance_cli/bin/stance"))
ROBOTS = ["biped", "humanoid_34", "quadruped", "compass"]


def stance(*arguments, stdin=""):
    return subprocess.run([STANCE, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120)


def moving_joints(robot):
    xml = ElementTree.parse(ROOT / f"urdf/{robot}.urdf").getroot()
    return {joint.get("name") for joint in xml.findall("joint") if joint.get("type") != "fixed"}


class Schedule(unittest.TestCase):
    def schedule(self, robot, *options):
        done = stance("schedule", ROOT / f"urdf/{robot}.urdf", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_every_joint_is_printed_drawn_and_written_once(self):
        for robot in ROBOTS:
            for processors in (1, 2):
                with self.subTest(robot=robot, processors=processors), tempfile.TemporaryDirectory() as folder:
                    text = self.schedule(robot, "--processors", processors, "--out", folder)
                    joints = moving_joints(robot)
                    rows = re.findall(r"^ +(\d+)  (\S+) +(?:inertias|mixed|responses)", text, re.MULTILINE)
                    self.assertEqual({name for _, name in rows}, joints)
                    self.assertEqual([int(number) for number, _ in rows], list(range(1, len(joints) + 1)))
                    file = pathlib.Path(folder, "schedule.yaml").read_text()
                    self.assertEqual(sorted(re.findall(r'- "(.+)"', file)), sorted(joints))
                    svg = ElementTree.parse(pathlib.Path(folder, "schedule.svg")).getroot()
                    words = ["".join(t.itertext()) for t in svg.iter("{http://www.w3.org/2000/svg}text")]
                    for number, name in rows:
                        self.assertEqual(words.count(number), 2, "on the robot and in the tree")
                        self.assertEqual(sum(name in word.split() for word in words), 1)

    def test_what_was_written_is_read_and_the_answer_stays(self):
        joints = sorted(moving_joints("quadruped"))
        states = ",".join(["base.qw"] + [f"{p}.{j}" for p in ("q", "v") for j in joints])
        states = ("base.x,base.y,base.z,base.qx,base.qy,base.qz,base.vx,base.vy,base.vz,base.wx,base.wy,base.wz," + states + "\n"
                  + ",".join(["0"] * 6 + ["0.1"] * 6 + ["1"] + [repr(0.1 * k) for k in range(2 * len(joints))]) + "\n")
        answers = []
        with tempfile.TemporaryDirectory() as folder:
            self.schedule("quadruped", "--processors", 8, "--out", folder)
            for how in (["--algorithm", "aba"], ["--algorithm", "assembly", "--schedule", f"{folder}/schedule.yaml"],
                        ["--algorithm", "assembly", "--schedule", "found"]):
                done = stance("dynamics", ROOT / "urdf/quadruped.urdf", "--states", "-", *how, stdin=states)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = [line.split(",") for line in done.stdout.splitlines()]
                answers.append({name: float(x) for name, x in zip(*lines) if name.startswith(("a.", "base."))})
        largest = max(abs(x) for x in answers[0].values())
        for answer in answers[1:]:
            for name, x in answers[0].items():
                self.assertAlmostEqual(answer[name] / largest, x / largest, delta=1e-10)

    def test_one_processor_has_the_articulated_bodies_work(self):
        text = self.schedule("humanoid_34")
        work, time = map(float, re.search(r"predicted +([\d.]+) steps of work, done after ([\d.]+)", text).groups())
        self.assertEqual(work, time)
        self.assertLess(work, len(moving_joints("humanoid_34")) + 5)
        self.assertRegex(text, r"measured +[\d.]+ us with 1 thread; chain with one [\d.]+ us")

    def test_refusals(self):
        robot = ROOT / "urdf/quadruped.urdf"
        for arguments, code, message in (
                ([robot, "--processors", 0], 2, "--processors takes a number from 1 to 64"),
                ([robot, "--schedule", "no.yaml"], 1, "no.yaml"),
                ([robot, "--processor", 2], 2, "did you mean --processors?"),
                ([ROOT / "urdf/nothing.urdf"], 1, "nothing.urdf")):
            with self.subTest(arguments=arguments):
                done = stance("schedule", *arguments)
                self.assertEqual(done.returncode, code)
                self.assertIn(message, done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "schedule.yaml")
            path.write_text('schedule: ["lf_knee"]\n')
            done = stance("schedule", robot, "--schedule", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("lacks the joint", done.stderr)
            before = path.read_text()
            self.assertEqual(stance("schedule", robot, "--schedule", path, "--out", folder).returncode, 1)
            self.assertEqual(path.read_text(), before)


if __name__ == "__main__":
    unittest.main()
