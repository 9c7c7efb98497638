"""What commands leave behind and say: reports beside older ones, tables that one command writes and another reads, notes.

The program is $STANCE, or install/stance_cli/bin/stance. Standard library only.
"""
import csv
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("STANCE") or str(ROOT / "install/stance_cli/bin/stance")


def stance(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=300)


def scenario_text(name):
    return (ROOT / "config" / f"{name}.yaml").read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@unittest.skipUnless(shutil.which(PROGRAM), f"{PROGRAM} is not built; run make build, or set STANCE")
class ReportCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_ok(self, *arguments):
        done = stance(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class TestFiles(ReportCase):
    def test_no_picture_of_an_earlier_run_stays(self):
        self.run_ok("run", ROOT / "config/compass.yaml", "--steps", 3, "--out", self.folder)
        self.assertTrue((self.folder / "strip.svg").exists())
        path = self.folder / "tables.yaml"
        text, report = scenario_text("compass"), "files: [trajectory, events, summary, phase, energy, strip, timeline, replay]"
        self.assertIn(report, text)
        path.write_text(text.replace(report, "files: [events]"), encoding="utf-8")
        self.run_ok("run", path, "--steps", 3, "--out", self.folder)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["events.csv", "tables.yaml"])

    def test_no_command_overwrites_what_it_reads(self):
        for name, command in (("summary.json", ["run", "--steps", 1]), ("strip.svg", ["run", "--steps", 1]),
                              ("rt.json", ["rt", "--seconds", "10ms"]),
                              ("sweep.csv", ["gait", "--sweep-slope", "3deg:4deg:2"])):
            path = self.folder / name
            path.write_text(scenario_text("compass"), encoding="utf-8")
            done = stance(command[0], path, *command[1:], "--out", self.folder)
            self.assertEqual(done.returncode, 1, name)
            self.assertEqual(done.stderr, f"stance: {path}: is read by this command and would be overwritten: write somewhere else\n")
            self.assertEqual(path.read_text(encoding="utf-8"), scenario_text("compass"))
        robot = self.folder / "robot.urdf"
        shutil.copy(ROOT / "urdf/compass.urdf", robot)
        states = self.folder / "states.csv"
        states.write_text("time,q.right_hip,v.right_hip\n0,0,0\n", encoding="utf-8")
        for command in (["dynamics", robot, "--states", states, "--fixed-base", "--out", robot],
                        ["inverse", robot, "--motion", states, "--out", states]):
            before = robot.read_bytes(), states.read_bytes()
            done = stance(*command)
            self.assertEqual(done.returncode, 1)
            self.assertEqual((robot.read_bytes(), states.read_bytes()), before)

    def test_a_latin_1_title_makes_valid_pictures(self):
        path = self.folder / "latin.yaml"
        lines = ["title: \xe4 Gr\xf6\xdfe <1>" if line.startswith("title:") else line for line in scenario_text("compass").split("\n")]
        path.write_bytes("\n".join(lines).encode("latin-1"))
        self.run_ok("run", path, "--steps", 3, "--out", self.folder / "out")
        pictures = sorted((self.folder / "out").glob("*.svg"))
        self.assertEqual(len(pictures), 4)
        for picture in pictures:
            ElementTree.parse(picture)


class TestTrajectory(ReportCase):
    def test_is_read_by_inverse_and_dynamics(self):
        # 1e-9 of the weights and torques, which are below 200: accelerations and back are two walks of the tree
        for name, robot, feet in (("compass", "compass", ["left_foot", "right_foot"]),
                                  ("kneed_walker", "kneed_biped", ["left_foot", "right_foot"])):
            with self.subTest(scenario=name):
                self.run_ok("run", ROOT / "config" / f"{name}.yaml", "--duration", "2s", "--out", self.folder)
                path, urdf = self.folder / "trajectory.csv", ROOT / "urdf" / f"{robot}.urdf"
                walked = rows(path.read_text(encoding="utf-8"))
                done = self.run_ok("inverse", urdf, "--motion", path, "--feet", *feet)
                self.assertEqual(done.stderr.count("not read, because no state: root, kinetic, potential, grf.fx, grf.fy, grf.fz"), 1)
                self.assertIn("accelerations from the table", done.stderr)
                efforts = rows(done.stdout)
                self.assertEqual(len(efforts), len(walked))
                for row, effort in zip(walked, efforts):
                    for key in ("grf.fx", "grf.fy", "grf.fz"):
                        self.assertAlmostEqual(float(effort[key]), float(row[key]), delta=1e-7)
                # nothing drives its hip; a leg that scuffs is lower than the foot that stands
                driven = [abs(float(e["tau.right_hip"])) for w, e in zip(walked, efforts) if w["root"] == e["support"]]
                if name == "compass":
                    self.assertGreater(len(driven), len(walked) // 2)
                    self.assertLess(max(driven), 1e-9)
                done = self.run_ok("dynamics", urdf, "--states", path)
                self.assertEqual(done.stderr.count("not read, because no state: time, root,"), 1)
                self.assertEqual(len(rows(done.stdout)), len(walked))

    def test_feet_push_and_the_air_does_not(self):
        self.run_ok("run", ROOT / "config/compass.yaml", "--out", self.folder)
        walked = rows((self.folder / "trajectory.csv").read_text(encoding="utf-8"))
        mass = 4  # kg
        # over whole steps of the steady gait the ground and its impulses carry the weight
        events = rows((self.folder / "events.csv").read_text(encoding="utf-8"))
        touches = [e for e in events if e["kind"] == "touchdown"]
        begin, end = float(touches[-11]["time"]), float(touches[-1]["time"])
        impulse = sum(float(e["impulse_z"]) for e in events if begin < float(e["time"]) <= end)
        steps = [(float(row["time"]), float(row["grf.fz"])) for row in walked if begin <= float(row["time"]) <= end]
        force = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(steps, steps[1:]))
        # ten footfalls between samples: 1 ms of half a jump of the force each
        self.assertAlmostEqual((force + impulse) / (mass * 9.81 * (end - begin)), 1, delta=2e-3)
        drop = self.folder / "drop.yaml"
        drop.write_text(f"robot: {ROOT}/urdf/quadruped.urdf\nfeet: [{{link: lf_foot, support: ball}}]\n"
                        "initial: {flight: free, position: [0, 0, 2], angular_velocity: [1, 2, 3]}\nduration: 0.1 s\n",
                        encoding="utf-8")
        self.run_ok("run", drop, "--out", self.folder)
        for row in rows((self.folder / "trajectory.csv").read_text(encoding="utf-8")):
            for key in ("grf.fx", "grf.fy", "grf.fz"):
                self.assertAlmostEqual(float(row[key]), 0, delta=1e-9)


class TestNotes(ReportCase):
    def scenario(self, *changes, name="compass"):
        text = scenario_text(name)
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = self.folder / "scenario.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_step_far_too_long_is_told_once(self):
        path = self.scenario(("step: 1 ms", "step: 100 ms"), ("method: rk4", "method: euler"))
        done = stance("run", path, "--duration", "3s")
        self.assertEqual(done.stderr.count("note: up to "), 1, done.stderr)
        self.assertIn("that no effort, push, friction, damping or impact explains", done.stderr)

    def test_joints_beyond_their_limits_are_told_once(self):
        robot = self.folder / "robot.urdf"
        tree = ElementTree.parse(ROOT / "urdf/compass.urdf")
        hip = next(joint for joint in tree.iter("joint") if joint.get("name") == "right_hip")
        hip.set("type", "revolute")
        for limit in hip.findall("limit"):
            hip.remove(limit)
        ElementTree.SubElement(hip, "limit", lower="-0.6", upper="0.1", effort="100", velocity="10")
        tree.write(robot)
        path = self.scenario((str(ROOT / "urdf/compass.urdf"), str(robot)))
        done = self.run_ok("run", path, "--duration", "3s")
        self.assertEqual(done.stderr.count("passed its limit of 0.1 rad"), 1, done.stderr)

    def test_what_a_command_does_not_simulate_is_told_once(self):
        plant = "plant: {actuators: {right_hip: {friction: 0.1 N*m}}}\npushes: [{link: hip, force: [1, 0, 0], start: 1 s, duration: 1 ms}]\nduration"
        path = self.scenario(("duration", plant))
        done = stance("gait", path)
        self.assertEqual(done.stderr.count("actuators of 1 joint are in the scenario's plant and are not simulated by "
                                           "stance gait"), 1, done.stderr)
        self.assertIn("push of the scenario is not simulated", done.stderr)

    def test_friction_of_the_plant_acts(self):
        """The same walk with a dry hip ends elsewhere, and its friction is in no event but in the energy."""
        hashes = set()
        for friction in ("0 N*m", "0.01 N*m"):
            path = self.scenario(("duration", f"plant: {{actuators: {{right_hip: {{friction: {friction}}}}}}}\nduration"))
            done = stance("run", path, "--duration", "1s", "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("not simulated", done.stderr)
            hashes.add(done.stdout.split("state hash ")[1].split()[0])
        self.assertEqual(len(hashes), 2)


if __name__ == "__main__":
    unittest.main()
