"""stance inverse: efforts and ground reaction of recorded motions, against statics, forward dynamics and itself."""

import csv
import io
import math
import os
import random
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STANCE = os.environ.get("STANCE", str(ROOT / "install/stance_cli/bin/stance"))
GRAVITY = 9.81
POSE = ["base." + c for c in ("x", "y", "z", "qx", "qy", "qz", "qw")]
TWIST = ["base." + c for c in ("vx", "vy", "vz", "wx", "wy", "wz")]
ACCELERATION = ["base." + c for c in ("ax", "ay", "az", "alphax", "alphay", "alphaz")]


def robot(name):
    path = ROOT / "urdf" / (name + ".urdf")
    xml = ElementTree.parse(path).getroot()
    joints = [j.get("name") for j in xml.findall("joint") if j.get("type") != "fixed"]
    mass = sum(float(m.get("value")) for m in xml.iter("mass"))
    return path, joints, mass


def table(columns, rows):
    return "".join(",".join(row) + "\n" for row in [columns] + [[repr(x) for x in row] for row in rows])


def run(command, path, text, *options):
    """The rows the command prints for a table, as dictionaries of text."""
    option = {"inverse": "--motion", "dynamics": "--states"}[command]
    done = subprocess.run([STANCE, command, str(path), option, "-", *options], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def numbers(row, names):
    return [float(row[name]) for name in names]


class TestInverse(unittest.TestCase):
    def test_standing_still_the_ground_carries_the_weight(self):
        path, joints, mass = robot("biped")
        columns = ["time"] + POSE + ["q." + j for j in joints]
        pose = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
        rows = [[0.01 * k] + pose + [0.1] * len(joints) for k in range(12)]
        for row in run("inverse", path, table(columns, rows), "--support", "left_foot"):
            self.assertEqual(row["support"], "left_foot")
            force = numbers(row, ["grf.fx", "grf.fy", "grf.fz"])
            # the filter's weights sum to zero to rounding over 0.01 s squared: 1e-11 of the weight
            for got, want in zip(force, [0, 0, mass * GRAVITY]):
                self.assertAlmostEqual(got, want, delta=1e-8 * mass * GRAVITY)
            self.assertLess(float(row["residual.f"]) + float(row["residual.m"]), 1e-9 * mass * GRAVITY)

    def test_a_falling_robot_needs_no_ground(self):
        # forward dynamics with random efforts and no wrench; inverse from any link gives the efforts back
        random.seed(3)
        path, joints, mass = robot("humanoid_34")
        columns = POSE + TWIST + [q + j for q in ("q.", "v.", "tau.") for j in joints]
        states = []
        for _ in range(5):
            quaternion = [random.gauss(0, 1) for _ in range(4)]
            length = math.sqrt(sum(x * x for x in quaternion))
            states.append([random.uniform(-1, 1) for _ in range(3)] + [x / length for x in quaternion] +
                          [random.uniform(-1, 1) for _ in range(6 + 3 * len(joints))])
        # armature is left out of stance dynamics unless asked for, and in inverse it is part of the robot
        answers = run("dynamics", path, table(columns, states), "--joint-dynamics")
        damping = {j.get("name"): float(j.find("dynamics").get("damping", 0)) if j.find("dynamics") is not None else 0
                   for j in ElementTree.parse(path).getroot().findall("joint")}
        motion = [["time"] + columns[:13 + 2 * len(joints)] + ACCELERATION + ["a." + j for j in joints]]
        rows = [[0.1 * k] + state[:13 + 2 * len(joints)] + numbers(answer, motion[0][-6 - len(joints):])
                for k, (state, answer) in enumerate(zip(states, answers))]
        for link in ("left_foot", "right_hand", "base"):
            for state, row in zip(states, run("inverse", path, table(motion[0], rows), "--support", link)):
                velocity, tau = state[13 + len(joints):13 + 2 * len(joints)], state[13 + 2 * len(joints):]
                for joint, v, want in zip(joints, velocity, tau):
                    self.assertAlmostEqual(float(row["tau." + joint]) + damping[joint] * v, want, delta=1e-9)
                self.assertLess(max(map(abs, numbers(row, ["grf.fx", "grf.fy", "grf.fz"]))), 1e-8 * mass * GRAVITY)

    def test_derivatives_from_positions_match_those_given(self):
        path, joints, mass = robot("biped")
        swing = [(0.3 + 0.02 * k, 2 + 0.3 * k, 0.5 * k) for k in range(len(joints))]
        with_all, positions = [], []
        for k in range(400):
            t = 0.002 * k
            yaw = 0.2 * math.sin(3 * t)
            rate, second = 0.6 * math.cos(3 * t), -1.8 * math.sin(3 * t)
            pose = [0.5 * t, 0.1 * math.sin(2 * t), 0.8, 0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)]
            world_v, world_a = (0.5, 0.2 * math.cos(2 * t)), (0.0, -0.4 * math.sin(2 * t))
            c, s = math.cos(yaw), math.sin(yaw)
            v = [c * world_v[0] + s * world_v[1], -s * world_v[0] + c * world_v[1], 0.0, 0.0, 0.0, rate]
            a = [c * world_a[0] + s * world_a[1] + rate * v[1], -s * world_a[0] + c * world_a[1] - rate * v[0],
                 0.0, 0.0, 0.0, second]
            q = [A * math.sin(w * t + p) for A, w, p in swing]
            qd = [A * w * math.cos(w * t + p) for A, w, p in swing]
            qdd = [-A * w * w * math.sin(w * t + p) for A, w, p in swing]
            positions.append([t] + pose + q)
            with_all.append([t] + pose + v + a + q + qd + qdd)
        columns = ["time"] + POSE + TWIST + ACCELERATION + [x + j for x in ("q.", "v.", "a.") for j in joints]
        want = run("inverse", path, table(columns, with_all), "--feet", "left_foot", "right_foot")
        got = run("inverse", path, table(["time"] + POSE + ["q." + j for j in joints], positions),
                  "--feet", "left_foot", "right_foot")
        self.assertEqual({row["support"] for row in want}, {"left_foot", "right_foot"})
        names = ["tau." + j for j in joints] + ["grf.fx", "grf.fy", "grf.fz"]
        largest = max(abs(x) for row in want for x in numbers(row, names))
        for g, w in list(zip(got, want))[5:-5]:  # the window is whole
            for a, b in zip(numbers(g, names), numbers(w, names)):
                # degree four over 16 ms of motions of about 5 rad/s: (0.008 * 5)^4 / 10, times the robot's inertia
                self.assertLess(abs(a - b), 1e-5 * largest)

    def test_bad_motions_are_refused_with_the_line(self):
        path, joints, _ = robot("compass")
        good = ["time"] + POSE + ["q." + j for j in joints]
        row = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] + [0.1] * len(joints)
        later = [[0.01 * k] + row[1:] for k in range(5)]
        cases = [
            (table(good[1:], [r[1:] for r in later]), [], "has no column 'time'"),
            (table(good, [later[1], later[0]]), [], ":3: time 0 does not come after 0.01"),
            (table(good, later[:2]), [], "accelerations need at least 3"),
            (table(good + ["base.vx"], [r + [0.0] for r in later]), [], "has some velocities but not 'base.vy'"),
            (table(good[:-1], [r[:-1] for r in later]), [], "q.right_hip"),
            (table(good, later), ["--support", "toe"], "has no link 'toe'"),
            (table(good, later), ["--window", "4"], "--window is 4"),
        ]
        for text, options, message in cases:
            with self.subTest(message=message):
                done = subprocess.run([STANCE, "inverse", str(path), "--motion", "-", *options], input=text,
                                      capture_output=True, text=True)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
