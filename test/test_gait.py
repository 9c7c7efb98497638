"""Scenarios in, gaits out: `stance gait` over the walkers in config/.

The program is $STANCE, or install/stance_cli/bin/stance. Standard library only.
"""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("STANCE") or str(ROOT / "install/stance_cli/bin/stance")
# Period (s), step length (m), energy lost (J), the size of the largest multiplier, and how well they are known.
# compass: an independent solution of its equations in closed form, see packages/stance_gait/test/plain_compass.hpp.
# simplest_walker: Garcia's published theta and theta' at 0.009, as in test_scenarios.py. Its hip is a body without a
#   spring, whose turn is neutral; of the other multipliers they give 0.59 (-0.19 +- 0.56i).
# rimless_wheel: closed forms; the multiplier is cos(45 deg)^2.
# kneed_walker: as in test_scenarios.py; the head of its URDF says that disturbances shrink to about two thirds.
# round_compass, round_kneed_walker: ours; a steady gait loses what the slope gives over the way of its contacts.
# compass_law: ours.
# compass_powered: as in test_scenarios.py, with as much energy from push-offs as is lost; the multiplier is ours.
GAITS = {
    "compass": ((0.734379104795, 1e-11), (0.535581199083, 1e-11), (1.100745315784, 1e-10), (0.5799145, 1e-6)),
    "simplest_walker": ((3.88246375287, 1e-8), (0.397948048842, 1e-10), (35.8148408909, 1e-8), (0.59, 5e-3)),
    "rimless_wheel": ((0.754792, 1e-5), (0.765366864730, 1e-10), (2.998296580060, 1e-8), (0.5, 1e-7)),
    "kneed_walker": ((0.592821, 1e-5), (0.484838, 1e-5), (3.83383, 1e-4), (2 / 3, 0.03)),
    "round_compass": ((0.706218919427, 1e-10), (0.577457764167, 1e-10), (4 * 9.81 * math.sin(0.03) * 0.577457764167, 1e-9),
                      (0.5925360, 1e-6)),
    "round_kneed_walker": ((0.591650788639, 1e-9), (0.579838574310, 1e-9),
                           (16 * 9.81 * math.sin(0.0504) * 0.579838574310, 1e-8), (0.6479311, 1e-5)),
    "compass_law": ((0.556184, 1e-5), (0.392833, 1e-5), (0.150798, 1e-5), (0.504426, 1e-4)),
    "compass_powered": ((0.690611, 1e-5), (0.314385, 1e-5), (0, 1e-9), (0.702, 1e-3)),
}


def gait(*arguments):
    return subprocess.run([PROGRAM, "gait", *map(str, arguments)], capture_output=True, text=True, timeout=600)


def number(output, name):
    return float(re.search(rf"^{name} +(-?[0-9.]+)", output, re.MULTILINE).group(1))


@unittest.skipUnless(shutil.which(PROGRAM), f"{PROGRAM} is not built; run make build, or set STANCE")
class GaitCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_finds_the_known_gaits(self):
        for name, expected in GAITS.items():
            with self.subTest(name):
                done = gait(ROOT / "config" / f"{name}.yaml")
                self.assertEqual(done.returncode, 0, done.stderr)
                for key, (value, tolerance) in zip(("period", "length", "energy lost"), expected):
                    self.assertAlmostEqual(number(done.stdout, key), value, delta=tolerance)
                value, tolerance = expected[3]
                self.assertAlmostEqual(number(done.stdout, "largest"), value, delta=tolerance)

    def test_finds_the_gait_that_run_settles_to_and_tells_of_the_other(self):
        # the powered compass starts far from its gait, and near another that is not stable
        done = gait("find", ROOT / "config/compass_powered.yaml")
        self.assertAlmostEqual(number(done.stdout, "period"), 0.690611, delta=1e-5)
        self.assertRegex(done.stdout, r"(?s)note: Newton's method .* finds another gait: 0\.644027 s .*not\s+stable")

    def test_settles_by_steps_and_not_by_seconds(self):
        # thirty steps of the simplest walker take 116 s
        done = gait(ROOT / "config/simplest_walker.yaml", "--settle", 30)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(number(done.stdout, "period"), 3.88246375287, delta=1e-8)

    def test_a_gait_of_two_steps_is_told_by_two_steps(self):
        steep = ("--set", "ground.slope=4.45deg")
        done = gait("find", ROOT / "config/compass.yaml", *steep, "--steps", 2)
        self.assertRegex(done.stdout, r"shrinks to 0\.7506 of its size with each 2 steps")
        self.assertNotIn("with each step", done.stdout)
        told = json.loads(gait("find", ROOT / "config/compass.yaml", *steep, "--steps", 2, "--json").stdout)
        self.assertEqual((told["stable"], told["period_steps"]), (True, 2))
        self.assertAlmostEqual(sum(told["periods"]), 1.5062064387514575, delta=1e-11)
        self.assertAlmostEqual(told["multipliers"][0][0], 0.750572948200041, delta=1e-8)
        # three steps back there is none
        done = gait("find", ROOT / "config/compass.yaml", "--steps", 2)
        self.assertEqual(done.returncode, 1)
        self.assertIn("repeats after 1 step already", done.stderr)

    def test_finds_what_a_walk_limps_about(self):
        # beyond its first doubling the simplest walker limps about the long gait, which is not stable; the short one is near
        told = json.loads(gait("find", ROOT / "config/simplest_walker.yaml", "--set", "ground.slope=0.016", "--json").stdout)
        self.assertFalse(told["stable"])
        self.assertAlmostEqual(told["length"], 0.47878, delta=2e-5)  # between its neighbours on the branch of the long gait
        self.assertEqual(len(told["notes"]), 2)
        self.assertIn("in 2 steps, stable", told["notes"][0])
        self.assertIn("another gait", told["notes"][1])

    def test_writes_a_scenario_that_starts_on_the_gait(self):
        heavy = ("--set", "robot.link.hip.mass=3", "--set", "ground.slope=2deg")
        steady = self.folder / "steady.yaml"
        done = gait("find", ROOT / "config/compass.yaml", *heavy, "--write", steady)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = json.loads(gait("find", steady, "--json").stdout)
        self.assertAlmostEqual(again["period"], number(done.stdout, "period"), delta=1e-11)
        self.assertEqual(again["iterations"], 0)  # it is there
        walk = subprocess.run([PROGRAM, "run", str(steady), "--steps", "12"], capture_output=True, text=True, timeout=600)
        self.assertRegex(walk.stdout, r"steady: the last \d+ steps agree to [1-9]e-(9|1\d)")

    def test_says_stable_and_not_stable_in_words(self):
        stable = gait(ROOT / "config/compass.yaml")
        self.assertRegex(stable.stdout, r"\nstable: .*shrinks to 0\.5799 of its size with each step")
        # beyond the first period doubling, at 4.391 degrees, the gait is there and cannot be walked
        text = (ROOT / "config/compass.yaml").read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))
        steep = self.folder / "steep.yaml"
        # turned with the ground, by 0.0261 rad, so that the foot strikes it
        text = text.replace("0.0524 rad", "0.0785 rad").replace("0.3236 rad", "0.3497 rad")
        steep.write_text(text, encoding="utf-8")
        done = gait(steep)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\nnot stable: .*grows to 1\.")
        self.assertGreater(number(done.stdout, "largest"), 1)

    def test_sweeps_through_the_period_doubling(self):
        done = gait(ROOT / "config/compass.yaml", "--sweep-slope", "2.5deg:4.6deg:8", "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        # a straight line between neighbours 0.3 degrees apart meets it to a hundredth
        found = re.search(r"stability changes at about [0-9.]+ rad \(([0-9.]+)\s+deg\):\s+a\s+multiplier of -1", done.stdout)
        self.assertIsNotNone(found, done.stdout)
        self.assertAlmostEqual(float(found.group(1)), 4.391, delta=0.01)
        with open(self.folder / "sweep.csv", newline="", encoding="utf-8") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        self.assertEqual(len(rows), 8)
        self.assertEqual(rows, sorted(rows, key=lambda row: row["slope"]))
        self.assertEqual([row["stable"] for row in rows], [1] * 7 + [0])
        lengths = [row["length"] for row in rows]
        self.assertEqual(lengths, sorted(lengths))  # steeper is longer
        picture = xml.etree.ElementTree.parse(self.folder / "sweep.svg").getroot()
        shown = " ".join(text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text"))
        for label in ("largest multiplier", "step length [m]", "period [s]", "slope"):
            self.assertIn(label, shown)

    def test_follows_the_cascade_of_the_simplest_walker(self):
        # slopes of the first two doublings from outside, to 1e-8; its hip is a body that turns freely, a family of gaits
        done = gait("follow", ROOT / "config/simplest_walker.yaml", "--along", "ground.slope", "--from", "0.013",
                    "--to", "0.0185", "--cascade", 2, "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [float(x) for x in re.findall(r"period doubling +at (\S+) rad", done.stdout)]
        self.assertGreaterEqual(len(found), 3)
        self.assertAlmostEqual(found[0], 0.015088437941115728, delta=1e-8)
        self.assertAlmostEqual(found[1], 0.01766937486246165, delta=1e-8)
        with open(self.folder / "branch.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["steps"] for row in rows}, {"1", "2", "4"})
        for row in rows:
            if row["steps"] == "1" and row["event"] in ("", "end"):
                self.assertEqual(row["stable"], "1" if float(row["ground.slope"]) < found[0] else "0")
        picture = xml.etree.ElementTree.parse(self.folder / "branch.svg").getroot()
        shown = " ".join(text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text"))
        self.assertIn("ground.slope [rad]", shown)

    def test_maps_a_plane_the_same_whoever_does_it(self):
        plane = (ROOT / "config/compass.yaml", "--x", "state.support.velocity", "0.9:1.3:9",
                 "--y", "state.right_hip.velocity", "0.4:1.1:8", "--chunk", 5)
        done = gait("map", *plane, "--threads", 1, "--out", self.folder / "one")
        self.assertEqual(done.returncode, 0, done.stderr)
        one = (self.folder / "one/map.csv").read_bytes()
        rows = list(csv.DictReader(one.decode().splitlines()))
        self.assertEqual([int(row["index"]) for row in rows], list(range(72)))
        outcomes = {row["outcome"] for row in rows}
        self.assertEqual(outcomes, {"repeats", "ends"})  # on this slope all that walks comes to the one gait
        self.assertEqual({row["period"] for row in rows if row["outcome"] == "repeats"}, {"1"})
        area = re.search(r"repeats after 1 step +([0-9.]+) % of the points, area ([0-9.]+)", done.stdout)
        share = sum(row["outcome"] == "repeats" for row in rows) / 72
        self.assertAlmostEqual(float(area.group(1)), 100 * share, delta=1e-3)
        self.assertAlmostEqual(float(area.group(2)), share * 0.4 * 0.7, delta=1e-6)
        gait("map", *plane, "--threads", 3, "--out", self.folder / "three")
        self.assertEqual((self.folder / "three/map.csv").read_bytes(), one)
        for shard in (2, 1, 3):
            self.assertEqual(gait("map", *plane, "--shard", f"{shard}/3", "--out", self.folder / "shards").returncode, 0)
        self.assertEqual((self.folder / "shards/map.csv").read_bytes(), one)
        if shutil.which("mpirun"):
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "3", PROGRAM, "gait", "map"]
            ranks = subprocess.run(command + [str(x) for x in plane] + ["--out", str(self.folder / "ranks")],
                                   capture_output=True, text=True, timeout=600)
            self.assertEqual(ranks.returncode, 0, ranks.stderr)
            self.assertEqual((self.folder / "ranks/map.csv").read_bytes(), one)

    def test_goes_on_after_a_kill(self):
        plane = [PROGRAM, "gait", "map", str(ROOT / "config/compass.yaml"), "--x", "state.support.velocity", "0.9:1.3:60",
                 "--y", "state.right_hip.velocity", "0.4:1.1:60", "--chunk", "20", "--threads", "1", "--out"]
        whole, cut = self.folder / "whole", self.folder / "cut"
        subprocess.run(plane + [str(whole)], capture_output=True, timeout=600, check=True)
        with subprocess.Popen(plane + [str(cut)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            part = cut / "map.csv.part"
            while process.poll() is None and not (part.exists() and part.stat().st_size > 20000):
                time.sleep(0.005)
            process.kill()
        self.assertFalse((cut / "map.csv").exists(), "it was over before the kill")
        subprocess.run(plane + [str(cut)], capture_output=True, timeout=600, check=True)
        self.assertEqual((cut / "map.csv").read_bytes(), (whole / "map.csv").read_bytes())
        self.assertEqual([path.name for path in cut.iterdir()], ["map.csv"])

    def test_sweeps_a_grid_and_a_table(self):
        compass = ROOT / "config/compass.yaml"
        done = gait("sweep", compass, "--vary", "ground.slope", "2deg:3deg:3", "--vary", "robot.link.hip.mass", "2:4:2",
                    "--out", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader((self.folder / "sweep.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertEqual(row["found"], "1", row["why"])
            slope = float(row["ground.slope"])
            self.assertAlmostEqual(float(row["cost_of_transport"]), math.sin(slope), delta=1e-9)
        table = self.folder / "rows.csv"
        table.write_text("robot.link.hip.mass,ground.slope\n" + "".join(
            f"{row['robot.link.hip.mass']},{row['ground.slope']}\n" for row in rows))
        done = gait("sweep", compass, "--table", table, "--out", self.folder / "table")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = list(csv.DictReader((self.folder / "table/sweep.csv").read_text().splitlines()))
        self.assertEqual([row["period"] for row in again], [row["period"] for row in rows])

    def test_tunes_the_law_of_the_compass(self):
        search = (ROOT / "config/compass_law.yaml", "--free", "law.step_angle", "0.25:0.5", "--free", "law.push_off",
                  "0.3:1", "--free", "law.surplus", "0.4:1.2", "--free", "law.placement_kp", "1:10",
                  "--subject-to", "stable", "--evaluations", 60, "--out", self.folder)
        done = gait("tune", *search)
        self.assertEqual(done.returncode, 0, done.stderr)
        share = float(re.search(r"cost_of_transport is ([0-9.]+) % of what it was", done.stdout).group(1))
        self.assertLess(share, 75)
        log = (self.folder / "tune.csv").read_bytes()
        # taken up from its log, it is the same
        lines = log.splitlines(keepends=True)
        (self.folder / "tune.csv").write_bytes(b"".join(lines[:30]) + lines[30][:9])
        again = gait("tune", *search)
        self.assertIn("60 gaits tried, 29 of them from an earlier call", again.stdout)
        self.assertEqual((self.folder / "tune.csv").read_bytes(), log)
        tuned = json.loads(gait("find", self.folder / "tuned.yaml", "--json").stdout)
        self.assertTrue(tuned["stable"])
        self.assertAlmostEqual(tuned["cost_of_transport"],
                               float(re.search(r"^cost_of_transport +\S+ +(\S+)", done.stdout, re.M).group(1)), delta=1e-8)

    def test_errors_say_what_is_wrong(self):
        compass = ROOT / "config/compass.yaml"
        flat = self.folder / "flat.yaml"
        text = compass.read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))
        flat.write_text(text.replace("0.0524 rad", "0 rad"), encoding="utf-8")
        for arguments, code, message in (
                (("none.yaml",), 1, r"none\.yaml: does not exist"),
                ((flat,), 1, r"stance: "),
                ((compass, "--sweep-slope", "3"), 1, r"must be A:B:N"),
                ((compass, "--sweep-slope", "1:5:9"), 1, r"right angle"),
                ((compass, "--out", self.folder), 2, r"--sweep-slope"),
                ((compass, "--steps", "0"), 2, r"--steps")):
            with self.subTest(arguments[-1]):
                done = gait(*arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertRegex(done.stderr, message)

    def test_help_teaches(self):
        text = gait("--help").stdout
        for word in ("Example", "multiplier", "--sweep-slope", "Newton", "Exit code"):
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
