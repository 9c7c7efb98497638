"""Scenarios in, steps and reports out: `stance run` over everything in config/.

The program is $STANCE, or install/stance_cli/bin/stance. Standard library only.
"""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("STANCE") or str(ROOT / "install/stance_cli/bin/stance")
ALL = sorted((ROOT / "config").glob("*.yaml"))
EVENT_COLUMNS = ",".join(["sequence,time,kind,law,body,other,joint"] +
                         [f"{vector}_{axis}" for vector in ("point", "normal", "velocity_before", "velocity_after",
                                                            "impulse") for axis in "xyz"] +
                         ["restitution,energy_lost,root"])
# What a gait settles to: period (s), step length (m), energy lost a step (J), and how well that is known.
# compass: ../shared/reference/README.md, an independent solution, to its printed digits.
# simplest_walker: Garcia's published theta, theta' at 0.009: length 2 sin(theta), and the energy
#   M theta'^2 / 2 (1 / cos^2(2 theta) - 1); the period is ours.
# rimless_wheel: the closed form with w^2 = 1.49915, half angle 22.5 deg: m l^2 w^2 / 2 and 2 sin(half angle).
# kneed_walker: period from the head of urdf/kneed_biped.urdf, an independent simulation, 0.593; the rest is ours.
# round feet: ours, with m g sin(slope) times the length as the energy lost.
# compass_law: ours; the law's clock of 1 ms sees a touchdown up to that much late.
# compass_powered: ours.
GAITS = {
    "compass": ((0.7344, 5e-5), (0.5356, 5e-5), (1.1007, 1e-4)),
    "simplest_walker": ((3.88246375287, 1e-8), (0.397948048842, 1e-10), (35.8148408909, 1e-8)),
    "rimless_wheel": ((0.754792, 1e-5), (0.765366864730, 1e-10), (2.998296580060, 1e-8)),
    "kneed_walker": ((0.592821, 1e-5), (0.484838, 1e-5), (3.83383, 1e-4)),
    "round_compass": ((0.706219, 1e-5), (0.577458, 1e-5), (0.679681, 1e-5)),
    "round_kneed_walker": ((0.591651, 1e-5), (0.579839, 1e-5), (4.58504, 1e-4)),
    "compass_law": ((0.557, 1e-3), (0.3929, 1e-3), (0.2116, 2e-3)),
    "compass_powered": ((0.690611, 1e-5), (0.314385, 1e-5), (0.0323662, 1e-6)),
}
SCENARIOS = [path for path in ALL if path.stem in GAITS]
# Robots that stand and walk under a law: the kinds of events they may have, and what part of the energy that efforts bring in
# and take out may be unexplained. A robot that stands has nothing but its landing; one that trots meets the ground with feet
# that slide, where friction changes its direction within a step.
ROBOTS = {
    "quadruped_stand": ({"touchdown"}, 1e-8),
    "biped_shift": ({"touchdown"}, 1e-8),
    "humanoid_drop": ({"touchdown", "tip"}, 1e-7),
    "bouncing_ball": ({"touchdown", "bounce"}, 1e-10),
    "rocking_block": ({"touchdown", "tip"}, 1e-9),
    "sliding_block": ({"touchdown"}, 1e-10),
    "four_bar": (set(), 1e-10),
    "quadruped_trot": ({"touchdown", "liftoff", "slide", "stick", "bounce", "settle"}, 1e-5),
}


def run(*arguments, **options):
    return subprocess.run([PROGRAM, "run", *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def state_hash(output):
    return re.search(r"state hash ([0-9a-f]{16})\b", output).group(1)


@unittest.skipUnless(shutil.which(PROGRAM), f"{PROGRAM} is not built; run make build, or set STANCE")
class ScenarioCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def spoilt(self, pattern, replacement, name="compass"):
        """A copy of a scenario with its first match of the pattern replaced."""
        text = (ROOT / "config" / f"{name}.yaml").read_text(encoding="utf-8")
        text = text.replace("../urdf", str(ROOT / "urdf"))
        text, count = re.subn(pattern, replacement, text, count=1)
        self.assertEqual(count, 1, pattern)
        path = self.folder / "spoilt.yaml"
        path.write_text(text, encoding="utf-8")
        return path


class TestShipped(ScenarioCase):
    def test_every_scenario_is_listed(self):
        self.assertEqual(sorted([*GAITS, *ROBOTS]), [path.stem for path in ALL])
        table = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
        for path in ALL:
            self.assertIn(f"| `{path.name}` |", table)

    def test_walks_steadily_to_the_end(self):
        for path in SCENARIOS:
            with self.subTest(scenario=path.stem):
                out = self.folder / path.stem
                done = run(path, "--out", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, "")  # no progress bar in a pipe
                self.assertIn("\nsteady: ", done.stdout)
                summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
                self.assertIs(summary["steady"], True)
                self.assertEqual(summary["ended"], "duration")
                self.assertIsNone(summary["seed"])
                self.assertEqual(summary["state_hash"], state_hash(done.stdout))
                for key, (value, tolerance) in zip(("period", "step_length", "energy_lost_per_step"), GAITS[path.stem]):
                    self.assertAlmostEqual(summary[key], value, delta=tolerance, msg=key)
                self.check_events(out / "events.csv", summary["steps"])
                for file in summary["files"]:
                    self.assertGreater((out / file).stat().st_size, 0, file)
                again = run(path, "--quiet")
                self.assertEqual(state_hash(again.stdout), summary["state_hash"])
                self.assertNotIn("period, s", again.stdout)

    def test_robots_stand_and_walk(self):
        for name, (kinds, unexplained) in ROBOTS.items():
            with self.subTest(scenario=name):
                out = self.folder / name
                done = run(ROOT / "config" / f"{name}.yaml", "--quiet", "--out", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, "")
                summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
                self.assertEqual(summary["ended"], "duration")
                self.assertLessEqual(summary["implicit_steps"], 1 if name == "quadruped_trot" else 0)
                for law, left in summary["contact_residual"].items():
                    self.assertLess(left, 1e-8, law)
                self.assertLessEqual({event["kind"] for event in rows(out / "events.csv")}, kinds)
                energy, motion = summary["energy"], rows(out / "trajectory.csv")
                total = [float(row["kinetic"]) + float(row["potential"]) for row in (motion[0], motion[-1])]
                brought = (energy["efforts"] + energy["pushes"] + energy["holding"] - energy["damping"] - energy["friction"] -
                           energy["impacts"])
                moved = sum(abs(value) for value in energy.values()) + max(float(row["kinetic"]) for row in motion)
                self.assertLess(abs(total[1] - total[0] - brought), unexplained * moved)
                # what the feet carry, one by one, is what the ground gives the robot
                feet = [key.split(".")[1] for key in motion[0] if key.endswith(".mode")]
                for row in motion[1::50]:
                    for axis in "xyz":
                        self.assertAlmostEqual(sum(float(row[f"contact.{foot}.f{axis}"]) for foot in feet),
                                               float(row[f"grf.f{axis}"]), delta=1e-6)

    def test_a_ball_bounces_by_its_closed_form(self):
        run(ROOT / "config/bouncing_ball.yaml", "--quiet", "--out", self.folder)
        events = rows(self.folder / "events.csv")
        e, time = 0.8, (2 * 1 / 9.81) ** 0.5
        period = 2 * e * time
        for k, event in enumerate(events[:-1]):
            self.assertAlmostEqual(float(event["time"]), time, delta=1e-10, msg=k)
            self.assertEqual((event["kind"], event["restitution"], event["law"]), ("bounce", format(0.8, ".17g"), "newton"))
            time, period = time + period, period * e
        # down to the capture speed: 4.43 m/s times 0.8 to the n
        self.assertEqual(len(events), 60)
        self.assertEqual(events[-1]["kind"], "touchdown")
        self.assertAlmostEqual(float(rows(self.folder / "trajectory.csv")[-1]["base.z"]), 0.05, delta=1e-12)

    def test_a_block_slides_by_its_closed_form(self):
        run(ROOT / "config/sliding_block.yaml", "--quiet", "--out", self.folder)
        slope = math.radians(30)
        a = 9.81 * (math.sin(slope) - 0.4 * math.cos(slope))
        first = rows(self.folder / "trajectory.csv")[0]
        for row in rows(self.folder / "trajectory.csv")[::10]:
            along = (float(row["base.x"]) - float(first["base.x"])) / math.cos(slope)
            self.assertAlmostEqual(along, a * float(row["time"]) ** 2 / 2, delta=1e-10)
        self.assertEqual(row["contact.block.mode"], "slide")

    def test_a_block_rocks_to_rest(self):
        run(ROOT / "config/rocking_block.yaml", "--quiet", "--out", self.folder)
        impacts = [event for event in rows(self.folder / "events.csv")[1:] if float(event["energy_lost"]) > 1e-12]
        # Housner: the rate after an impact over that before is 1 - m r^2 / I (1 - cos(2 alpha)), of a plane rigid block
        r2, inertia = 0.1 ** 2 + 0.2 ** 2, 0.0166667
        alpha = math.atan(0.1 / 0.2)
        ratio = 1 - r2 / (inertia + r2) * (1 - math.cos(2 * alpha))
        lost = [float(event["energy_lost"]) for event in impacts]
        for before, after in zip(lost, lost[1:8]):
            self.assertAlmostEqual(after / before, ratio ** 2, delta=1e-6)
        self.assertGreater(len(impacts), 10)
        last = rows(self.folder / "trajectory.csv")[-1]
        self.assertAlmostEqual(float(last["base.z"]), 0.2, delta=1e-9)
        self.assertLess(float(last["kinetic"]), 1e-15)

    def test_a_standing_robot_is_left_in_peace(self):
        for name in ("quadruped_stand", "biped_shift", "humanoid_drop"):
            run(ROOT / "config" / f"{name}.yaml", "--quiet", "--out", self.folder, "--duration", "60s")
            last = max(float(event["time"]) for event in rows(self.folder / "events.csv"))
            self.assertLess(last, 1, name)
            weights = [float(row["grf.fz"]) for row in rows(self.folder / "trajectory.csv")]
            if name == "humanoid_drop":
                self.assertAlmostEqual(weights[-1], 9.81 * 64.4, delta=0.01)

    def test_the_quadruped_trots_twenty_metres(self):
        run(ROOT / "config/quadruped_trot.yaml", "--quiet", "--out", self.folder)
        motion = rows(self.folder / "trajectory.csv")
        self.assertGreater(float(motion[-1]["base.x"]), 20)
        self.assertLess(max(abs(float(row["base.y"])) for row in motion), 0.5)
        summary = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        self.assertGreater(summary["energy"]["pushes"], 0.1)  # J: it gave way

    def check_events(self, path, steps):
        self.assertEqual(path.read_text(encoding="utf-8").split("\n", 1)[0], EVENT_COLUMNS)
        events = rows(path)
        self.assertEqual([int(event["sequence"]) for event in events], list(range(len(events))))
        self.assertEqual(sum(event["kind"] == "touchdown" for event in events), steps)
        times = [float(event["time"]) for event in events]
        self.assertEqual(times, sorted(times))
        for event in events:  # 17 digits: what is read back prints the same
            for key in ("time", "point_x", "impulse_z", "energy_lost"):
                self.assertEqual(format(float(event[key]), ".17g"), event[key])

    def test_kneed_walker_stops_and_lets_go(self):
        run(ROOT / "config" / "kneed_walker.yaml", "--out", self.folder, "--steps", 10)
        events = rows(self.folder / "events.csv")
        kinds = [event["kind"] for event in events]
        first = kinds.index("touchdown")
        self.assertEqual(kinds[first - 1:first + 4], ["stop", "touchdown", "liftoff", "release", "stop"])
        touch, stop = (float(events[first + k]["time"]) for k in (0, 3))
        self.assertAlmostEqual(stop - touch, 0.389, delta=2e-3)  # the head of urdf/kneed_biped.urdf

    def test_push_off_brings_in_what_the_impact_takes(self):
        run(ROOT / "config" / "compass_powered.yaml", "--out", self.folder)
        events = rows(self.folder / "events.csv")
        lost = {kind: [float(e["energy_lost"]) for e in events if e["kind"] == kind] for kind in ("push_off", "touchdown")}
        self.assertAlmostEqual(lost["push_off"][-1], -lost["touchdown"][-1], delta=1e-9)
        self.assertGreater(len(lost["touchdown"]), 100)

    def test_a_kick_dies_out(self):
        for path in SCENARIOS:
            with self.subTest(scenario=path.stem):
                out = self.folder / path.stem
                done = run(path, "--seed", 7, "--quiet", "--out", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
                self.assertEqual(summary["seed"], 7)
                self.assertIs(summary["steady"], True)
                for key, (value, tolerance) in zip(("period", "step_length"), GAITS[path.stem]):
                    self.assertAlmostEqual(summary[key], value, delta=max(tolerance, 1e-7), msg=key)
                plain = run(path, "--quiet")
                self.assertNotEqual(state_hash(plain.stdout), summary["state_hash"])

    def test_a_push_dies_out_or_throws_the_walker(self):
        plain = run(ROOT / "config/compass.yaml", "--quiet")
        push = "pushes: [{link: hip, force: [%s N, 0, 0], start: 2 s, duration: 0.1 s, ramp: 20 ms}]\\nduration"
        out = self.folder / "pushed"
        done = run(self.spoilt("duration", push % 1), "--quiet", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotEqual(state_hash(done.stdout), state_hash(plain.stdout))
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.assertIs(summary["steady"], True)
        self.assertAlmostEqual(summary["period"], GAITS["compass"][0][0], delta=5e-5)
        # one that comes too late changes nothing, not even the last bit
        done = run(self.spoilt("duration", (push % 1).replace("2 s", "40 s")), "--quiet")
        self.assertEqual(state_hash(done.stdout), state_hash(plain.stdout))
        self.assertEqual(run(self.spoilt("duration", push % -100), "--quiet").returncode, 3)


class TestEndings(ScenarioCase):
    def test_a_fall_has_exit_code_3(self):
        path = self.spoilt("rate: 1.4939", "rate: 0.2")
        done = run(path, "--out", self.folder / "out")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^stance: the robot fell at \d+\.\d+ s: 'hip' touched the ground\n$")
        summary = json.loads((self.folder / "out" / "summary.json").read_text(encoding="utf-8"))
        self.assertEqual(summary["ended"], "fell")
        self.assertIs(summary["steady"], False)
        self.assertEqual(rows(self.folder / "out" / "events.csv")[-1]["kind"], "fall")

    def test_steps_and_duration(self):
        self.assertIn("\n5 steps in ", run(SCENARIOS[0], "--steps", 5).stdout)
        self.assertIn(" steps in 2 s;", run(SCENARIOS[0], "--duration", 2).stdout)
        for arguments in (["--duration", "0"], ["--duration", "-1"], ["--duration", "nan"], ["--steps", "0"], ["--seed", "-1"], []):
            done = run(*([SCENARIOS[0]] if arguments else []), *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("Try: stance run --help", done.stderr)

    def test_interrupting_keeps_what_was_written(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                out = self.folder / number.name
                process = subprocess.Popen([PROGRAM, "run", str(ROOT / "config/compass.yaml"), "--duration", "100000", "--out", str(out)],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for _ in range(5):  # it walks
                    process.stdout.readline()
                process.send_signal(number)
                text, complaint = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number)
                self.assertRegex(complaint, r"^stance: interrupted at .*kept")
                summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
                self.assertEqual(summary["ended"], "interrupted")
                events = rows(out / "events.csv")
                self.assertEqual(len(events), summary["events"])
                self.assertGreater(summary["steps"], 1)
                self.assertIn(summary["state_hash"], text)

    def test_out_that_cannot_be(self):
        (self.folder / "file").write_text("x", encoding="utf-8")
        done = run(SCENARIOS[0], "--out", self.folder / "file")
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(self.folder / "file"), done.stderr)

    def test_dry_joints_act(self):
        path = self.folder / "drop.yaml"
        path.write_text(f"""robot: {ROOT}/urdf/quadruped.urdf
feet: [{{link: lf_foot, support: ball}}]
initial: {{flight: free, position: [0, 0, 2]}}
duration: 0.1 s
""", encoding="utf-8")
        done = run(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")


class TestMistakes(ScenarioCase):
    def test_errors_name_file_line_and_key(self):
        cases = [
            ("duration: 30 s", "durration: 30 s", r":\d+:1: unknown key 'durration'; did you mean 'duration'\?"),
            ("slope: 0.0524 rad", "slope: 3 m", r":5:\d+: ground\.slope takes an angle, and '3 m' is a length"),
            (r"compass\.urdf", "none.urdf", r":3:\d+: robot cannot be used: .*none\.urdf.* does not exist"),
            ("link: left_foot", "link: left_fot", r":7:\d+: feet\[0\]\.link is 'left_fot'.* did you mean 'left_foot'\?"),
            (r"fall: \[hip\]", "fall: [hip", r":\d+:\d+: this is not YAML"),
            ("duration: 30 s", "duration: -1", r":\d+:11: duration is '-1'; it must be above zero"),
        ]
        for pattern, replacement, message in cases:
            with self.subTest(pattern=pattern):
                path = self.spoilt(pattern, replacement)
                done = run(path, "--out", self.folder / "out")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, "^stance: " + re.escape(str(path)) + message)
                self.assertFalse((self.folder / "out").exists())
        for path, message in ((self.folder / "none.yaml", "does not exist"), (self.folder, "is a directory")):
            done = run(path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
