"""`stance dynamics --loops` agrees with independent answers, whatever the schedule, by both algorithms.

The numbers, and the robots they are about, are in ../shared beside the repository (reference/assembly); where that folder
is absent the tests are skipped and say so. Standard library only. Run from the root of the repository:
python3 -m unittest discover -s test -v
"""
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("STANCE_SHARED", ROOT.parent / "shared"))
STANCE = pathlib.Path(os.environ.get("STANCE", ROOT / "install/stance_cli/bin/stance"))
FOLDER = SHARED / "reference" / "assembly"
CASES = sorted(FOLDER.glob("*.json"))

AGREEMENT = 1e-9  # of each vector, relative to its largest number: both sides are rounded to 1e-16 and conditioned well
# Forces of least norm over dependent rows: what tells the rows apart is small against what they share.
DEPENDENT = {"foot_four_corners": 1e-6}

POSE = ["base." + name for name in "x y z qx qy qz qw".split()]
TWIST = ["base." + name for name in "vx vy vz wx wy wz".split()]
WRENCH = ["base." + name for name in "fx fy fz mx my mz".split()]
ACCELERATION = ["base." + name for name in "ax ay az alphax alphay alphaz".split()]
FORCE = "fx fy fz mx my mz".split()
BALL = {"q": "qx qy qz qw", "v": "wx wy wz", "tau": "mx my mz", "a": "alphax alphay alphaz"}


def columns(case, prefix, base):
    """Names in the order of the case's vectors."""
    names = list(base) if case["root"] == "floating" else []
    for joint, kind in zip(case["joints"], case["joint_types"]):
        if kind == "ball":
            names += [f"{prefix}.{joint}.{part}" for part in BALL[prefix].split()]
        else:
            names.append(f"{prefix}.{joint}")
    return names


def damping(case):
    """By joint. The answers are without it, and --joint-dynamics brings it along with the armatures."""
    robot = xml.etree.ElementTree.parse(FOLDER / case["model"]).getroot()
    return {joint.get("name"): float(joint.find("dynamics").get("damping", 0))
            for joint in robot.iter("joint") if joint.find("dynamics") is not None}


def table(case, states):
    lost = damping(case) if case.get("armature", True) else {}
    text = io.StringIO()
    writer = csv.writer(text)
    names = columns(case, "q", POSE) + columns(case, "v", TWIST) + columns(case, "tau", WRENCH)
    writer.writerow(names)
    for state in states:
        row = dict(zip(names, state["q"] + state["v"] + state["tau"]))
        assert len(row) == len(names)
        for joint, coefficient in lost.items():
            row[f"tau.{joint}"] += coefficient * row[f"v.{joint}"]
        writer.writerow([repr(float(row[name])) for name in names])
    return text.getvalue()


def loops_text(closures):
    return "loops:\n" + "".join(f"  - {json.dumps(closure)}\n" for closure in closures)


def run(*arguments, stdin):
    return subprocess.run([str(STANCE), "dynamics", *map(str, arguments)], input=stdin, capture_output=True, text=True)


def worst(found, expected):
    """Largest difference of two vectors, relative to the largest number of the second, or to one."""
    return max((abs(a - b) for a, b in zip(found, expected)), default=0) / max([1.0] + [abs(b) for b in expected])


@unittest.skipUnless(CASES, f"no independent answers: there is no folder {FOLDER.parent.parent.name}/reference/assembly")
class AssemblyReference(unittest.TestCase):
    def setUp(self):
        if not STANCE.is_file():
            self.fail(f"there is no program {STANCE}: run `make build`, or name it in STANCE")

    def options(self, case):
        options = ["--joint-forces"]
        if case["root"] == "fixed":
            options.append("--fixed-base")
        if case.get("armature", True):
            options.append("--joint-dynamics")
        return options

    def each_group(self, case):
        """States that share their closures."""
        groups = {}
        for state in case["states"]:
            closures = state.get("closures", case.get("closures") or [])
            groups.setdefault(json.dumps(closures), []).append(state)
        return [(json.loads(key), states) for key, states in groups.items()]

    def check(self, case, how):
        tolerance = DEPENDENT.get(case["case"], AGREEMENT)
        with tempfile.TemporaryDirectory() as folder:
            for closures, states in self.each_group(case):
                options = self.options(case) + how(folder)
                if closures:
                    path = pathlib.Path(folder) / "loops.yaml"
                    path.write_text(loops_text(closures))
                    options += ["--loops", path]
                done = run(FOLDER / case["model"], "--states", "-", *options, stdin=table(case, states))
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = list(csv.DictReader(io.StringIO(done.stdout)))
                self.assertEqual(len(rows), len(states))
                for row, state in zip(rows, states):
                    self.compare(case, row, state, tolerance)

    def compare(self, case, row, state, tolerance):
        self.assertEqual(row["status"], state["status"])
        self.assertEqual((int(row["rank"]), int(row["rows"])), (state["rank"], state["rows"]))
        if state["status"] == "inconsistent":
            self.assertTrue(all(row[name] == "nan" for name in columns(case, "a", ACCELERATION)))
            return
        found = [float(row[name]) for name in columns(case, "a", ACCELERATION)]
        self.assertLessEqual(worst(found, state["a"]), AGREEMENT, "accelerations")
        for prefix, wrenches in (("loop", state["wrenches"]), ("joint", state["joint_wrenches"])):
            names = sorted(wrenches)
            found = [float(row[f"{prefix}.{name}.{part}"]) for name in names for part in FORCE]
            expected = [x for name in names for x in wrenches[name]]
            self.assertLessEqual(worst(found, expected), tolerance, f"forces of {prefix}s")

    def test_every_schedule_by_assembly(self):
        for path in CASES:
            case = json.loads(path.read_text())

            def shuffled(folder):
                joints = case["joints"] + ["support"]
                random.Random(3).shuffle(joints)
                file = pathlib.Path(folder) / "schedule.yaml"
                file.write_text("schedule: " + json.dumps(joints))
                return ["--schedule", file]

            schedules = {
                "chain": lambda _: ["--schedule", "chain"],
                "balanced": lambda _: ["--schedule", "balanced"],
                "shuffled": shuffled,
            }
            for name, schedule in schedules.items():
                with self.subTest(case=path.stem, schedule=name):
                    self.check(case, lambda folder: ["--algorithm", "assembly"] + schedule(folder))

    def test_rows(self):
        for path in CASES:
            with self.subTest(case=path.stem):
                self.check(json.loads(path.read_text()), lambda _: ["--algorithm", "rows"])

    def test_an_open_loop_is_refused_by_line_with_its_residual(self):
        case = json.loads((FOLDER / "four_bar_pin_fixed.json").read_text())
        states = [dict(state) for state in case["states"][:2]]
        states[1]["q"] = [states[1]["q"][0] + 1e-3] + states[1]["q"][1:]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "loops.yaml"
            path.write_text(loops_text(case["closures"]))
            done = run(FOLDER / case["model"], "--states", "-", "--fixed-base", "--loops", path,
                       stdin=table(case, states))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r":3: loop 'loop' is open by 0\.000\d+ \(m, rad\)")


if __name__ == "__main__":
    unittest.main()
