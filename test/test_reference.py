"""`stance dynamics` agrees with Pinocchio, with itself, and with every choice of root.

The numbers of Pinocchio and the third-party robots are in ../shared beside the repository; where that folder is
absent those tests are skipped and say so. Our own robots in urdf/ are run through the identities alone.
Standard library only. Run from the root of the repository: python3 -m unittest discover -s test -v
"""
import csv
import functools
import io
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("STANCE_SHARED", ROOT.parent / "shared"))
STANCE = pathlib.Path(os.environ.get("STANCE", ROOT / "install/stance_cli/bin/stance"))
REFERENCES = sorted((SHARED / "reference").glob("*_f*.json"))
ROBOTS = sorted((ROOT / "urdf").glob("*.urdf")) + sorted((SHARED / "robots").glob("*.urdf"))

AGREEMENT = 1e-10  # with Pinocchio: what issue 2 promises
IDENTITY = 1e-9  # RNEA undoes ABA; the root does not matter

POSE = ["base." + name for name in "x y z qx qy qz qw".split()]
TWIST = ["base." + name for name in "vx vy vz wx wy wz".split()]
WRENCH = ["base." + name for name in "fx fy fz mx my mz".split()]
ACCELERATION = ["base." + name for name in "ax ay az alphax alphay alphaz".split()]


# ---- the program ------------------------------------------------------------------------------------------
def run(*arguments, stdin=None):
    done = subprocess.run([str(STANCE), *map(str, arguments)], input=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"stance {' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def dynamics(robot, rows, *options):
    """Rows are dictionaries from column to number, and so is what comes back."""
    columns = sorted(rows[0])
    random.Random(1).shuffle(columns)  # any order will do
    table = io.StringIO()
    writer = csv.DictWriter(table, columns)
    writer.writeheader()
    writer.writerows({name: repr(number) for name, number in row.items()} for row in rows)
    answer = run("dynamics", robot, "--states", "-", *options, stdin=table.getvalue())
    return [{name: float(text) for name, text in row.items()} for row in csv.DictReader(io.StringIO(answer))]


@functools.lru_cache(maxsize=None)
def info(robot):
    return json.loads(run("info", robot, "--json"))


def links(robot):
    return [link for body in info(robot)["bodies"] for link in body["links"]]


def floats(robot):
    """Whether its motion in flight is defined: the root has mass, and the robot is more than a point."""
    point = len(info(robot)["bodies"]) == 1 and any(r["kind"] == "point_mass" for r in info(robot)["load_report"])
    return info(robot)["bodies"][0]["mass"] > 0 and not point


def has_joints(robot):
    return info(robot)["degrees_of_freedom"]["joints"] > 0


# ---- numbers ----------------------------------------------------------------------------------------------
def difference(found, expected):
    """Largest difference of two tables: of each number, relative to the largest of its row or to one."""
    worst = 0.0
    assert len(found) == len(expected), f"{len(found)} rows, not {len(expected)}"
    for a, b in zip(found, expected):
        assert a.keys() == b.keys(), f"columns differ: {sorted(a.keys() ^ b.keys())}"
        scale = max(1.0, max(map(abs, b.values())))
        worst = max([worst] + [abs(a[name] - b[name]) / scale for name in b])
    return worst


def named(prefix, joints, values):
    return {f"{prefix}.{joint}": value for joint, value in zip(joints, values)}


def reference_rows(reference):
    """The states of a reference file as columns: (q and v, tau, a, inverse dynamics with a = 0)."""
    joints = reference["joints"]
    nq, nv = (7, 6) if reference["base"] == "floating" else (0, 0)

    def vector(state, key, prefix, base, count):
        return {**dict(zip(base[:count], state[key])), **named(prefix, joints, state[key][count:])}

    for state in reference["states"]:
        motion = {**vector(state, "q", "q", POSE, nq), **vector(state, "v", "v", TWIST, nv)}
        yield (motion, vector(state, "tau", "tau", WRENCH, nv), vector(state, "a", "a", ACCELERATION, nv),
               vector(state, "bias_rnea_zero_acc", "tau", WRENCH, nv))


def random_rows(robot, count=5, seed=7):
    """Seeded random states of a robot whose joints have one degree of freedom each, mimic joints left out."""
    source = random.Random(seed)
    joints = [j["name"] for j in info(robot)["joints"] if j["kind"] != "fixed" and not j["mimic"]]
    rows = []
    for _ in range(count):
        quaternion = [source.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in quaternion))
        row = dict(zip(POSE, [source.uniform(-1, 1) for _ in range(3)] + [x / length for x in quaternion]))
        for names, size in ((TWIST, 2), (WRENCH, 20)):
            row.update({name: source.uniform(-size, size) for name in names})
        for prefix, size in (("q", 1.5), ("v", 3), ("tau", 20)):
            row.update(named(prefix, joints, [source.uniform(-size, size) for _ in joints]))
        rows.append(row)
    return rows


def without(rows, *prefixes):
    return [{name: x for name, x in row.items() if not name.startswith(prefixes)} for row in rows]


def with_answer(rows, answers):
    """States and accelerations, ready for --inverse."""
    return [{**row, **answer} for row, answer in zip(without(rows, "tau.", "base.f", "base.m"), answers)]


# ---- tests ------------------------------------------------------------------------------------------------
class TestCase(unittest.TestCase):
    def setUp(self):
        if not STANCE.is_file():
            self.fail(f"there is no program {STANCE}: run `make build`, or name it in STANCE")

    def assert_close(self, found, expected, tolerance, what):
        worst = difference(found, expected)
        self.assertLessEqual(worst, tolerance, f"{what}: differs by {worst:.2e} relative")


@unittest.skipUnless(REFERENCES, f"no numbers of Pinocchio: there is no folder {SHARED.name}/reference")
class Pinocchio(TestCase):
    def each(self, check):
        for path in REFERENCES:
            reference = json.loads(path.read_text())
            options = ["--no-mimic"] + (["--fixed-base"] if reference["base"] == "fixed" else [])
            with self.subTest(reference=path.stem):
                check(SHARED / "robots" / reference["urdf"], reference, options)

    def test_forward_dynamics(self):
        def check(robot, reference, options):
            rows = list(reference_rows(reference))
            for algorithm in ("aba", "crba"):
                states = [{**motion, **tau} for motion, tau, _, _ in rows]
                found = dynamics(robot, states, "--algorithm", algorithm, *options)
                self.assert_close(found, [a for _, _, a, _ in rows], AGREEMENT, f"{robot.stem} {algorithm}")

        self.each(check)

    def test_inverse_dynamics(self):
        def check(robot, reference, options):
            rows = list(reference_rows(reference))
            found = dynamics(robot, [{**motion, **a} for motion, _, a, _ in rows], "--inverse", *options)
            # Pinocchio's accelerations are rounded, and stiff directions multiply that.
            self.assert_close(found, [tau for _, tau, _, _ in rows], IDENTITY, robot.stem)
            still = [{**motion, **dict.fromkeys(a, 0.0)} for motion, _, a, _ in rows]
            found = dynamics(robot, still, "--inverse", *options)
            self.assert_close(found, [bias for _, _, _, bias in rows], AGREEMENT, robot.stem)

        self.each(check)

    def test_total_mass(self):
        def check(robot, reference, _):
            if reference["base"] == "floating":  # with a fixed base Pinocchio leaves the root link out
                self.assertAlmostEqual(info(robot)["total_mass"] / reference["total_mass"], 1, delta=1e-14)

        self.each(check)

    def test_every_root_gives_the_same_accelerations_and_efforts(self):
        def check(robot, reference, options):
            if reference["base"] == "fixed":
                return
            rows = list(reference_rows(reference))
            forward = [{**motion, **tau} for motion, tau, _, _ in rows]
            inverse = [{**motion, **a} for motion, _, a, _ in rows]
            for link in links(robot):
                for algorithm in ("aba", "crba"):
                    found = dynamics(robot, forward, "--root", link, "--algorithm", algorithm, *options)
                    self.assert_close(found, [a for _, _, a, _ in rows], IDENTITY, f"{algorithm} at {link}")
                found = dynamics(robot, inverse, "--root", link, "--inverse", *options)
                self.assert_close(found, [tau for _, tau, _, _ in rows], IDENTITY, f"rnea at {link}")

        self.each(check)


class Identities(TestCase):
    """Of all robots, in random states, with mimic joints that follow, and with and without the drives' dynamics."""

    def each(self, check):
        self.assertTrue(ROBOTS)
        for robot in ROBOTS:
            for drives in ([], ["--joint-dynamics"]):
                with self.subTest(robot=robot.stem, options=drives):
                    check(robot, random_rows(robot), drives)

    def test_aba_is_crba_and_rnea_undoes_it(self):
        def undo(robot, rows, options):
            a = dynamics(robot, rows, "--algorithm", "aba", *options)
            self.assertGreater(max(map(abs, a[0].values())), 0.1)  # there is something to compare
            self.assert_close(dynamics(robot, rows, "--algorithm", "crba", *options), a, IDENTITY, f"crba {options}")
            tau = dynamics(robot, with_answer(rows, a), "--inverse", *options)
            given = [{name: row.get(name, 0.0) for name in tau[0]} for row in rows]  # a follower's effort is zero
            self.assert_close(tau, given, IDENTITY, f"rnea {options}")

        def check(robot, rows, drives):
            if floats(robot):
                undo(robot, rows, drives)
            if has_joints(robot):
                undo(robot, without(rows, "base.v", "base.w", "base.f", "base.m"), ["--fixed-base"] + drives)

        self.each(check)

    def test_every_root_gives_the_same(self):
        def check(robot, rows, drives):
            if not floats(robot):
                return
            a = dynamics(robot, rows, *drives)
            states = with_answer(rows, a)
            tau = dynamics(robot, states, "--inverse", *drives)
            # A heavy body that moves with a light one is rounded on the scale of its own forces.
            largest = info(robot)["total_mass"] * max(abs(x) for row in a for x in row.values())
            rounding = sys.float_info.epsilon * largest
            for link in links(robot):
                self.assert_close(dynamics(robot, rows, "--root", link, *drives), a, IDENTITY, f"at {link}")
                found = dynamics(robot, states, "--inverse", "--root", link, *drives)
                self.assert_close(found, tau, IDENTITY + rounding, f"inverse at {link}")

        self.each(check)

    def test_a_fixed_base_feels_gravity_in_its_own_pose(self):
        # turned upside down, at rest and without efforts, what fell one way falls the other
        robot = ROOT / "urdf" / "quadruped.urdf"
        rows = without(random_rows(robot), "base.", "tau.", "v.")
        rows = [{**row, **{name.replace("q.", "v.", 1): 0.0 for name in row}} for row in rows]
        upright = dynamics(robot, rows, "--fixed-base")
        over = [{**row, "base.qx": 1.0, "base.qy": 0.0, "base.qz": 0.0, "base.qw": 0.0} for row in rows]
        # half a turn about x: gravity is (0, 0, +9.81) in the root link
        expected = [{name: -x for name, x in row.items()} for row in upright]
        self.assert_close(dynamics(robot, over, "--fixed-base"), expected, IDENTITY, "upside down")


if __name__ == "__main__":
    unittest.main()
