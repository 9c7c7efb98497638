"""`stance rt`: a loop that runs, counts, and says what it was permitted. Nothing here depends on how fast it was.

The program is $STANCE, or install/stance_cli/bin/stance. Standard library only.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("STANCE") or str(ROOT / "install/stance_cli/bin/stance")
KEPT, LATE = 0, 4


def rt(*arguments):
    return subprocess.run([PROGRAM, "rt", *map(str, arguments)], capture_output=True, text=True, timeout=120)


@unittest.skipUnless(shutil.which(PROGRAM), f"{PROGRAM} is not built; run make build, or set STANCE")
class TestRt(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def check(self, done, out, cycles):
        """What must hold whatever the machine does. Returns the numbers."""
        self.assertIn(done.returncode, (KEPT, LATE), done.stderr)
        numbers = json.loads((out / "rt.json").read_text(encoding="utf-8"))
        self.assertEqual(numbers["cycles"], cycles)
        self.assertEqual(numbers["status"], "ok")
        self.assertEqual(numbers["rate_kept"], done.returncode == KEPT)
        self.assertEqual(numbers["missed"] > 0, done.returncode == LATE)
        self.assertIn("was kept" if done.returncode == KEPT else "was NOT kept", done.stdout)
        if numbers["after_start"]["heap_calls"] is not None:  # a sanitizer owns the heap
            self.assertEqual(numbers["after_start"]["heap_calls"], 0)
        if numbers["thread"]["memory_locked"] and numbers["after_start"]["heap_calls"] is not None:
            self.assertEqual(numbers["after_start"]["major_faults"], 0)
        for times in numbers["times_ns"].values():
            ladder = [times[k] for k in ("min", "p50", "p90", "p99", "p99.9", "p99.99", "max")]
            self.assertEqual(ladder, sorted(ladder))
        bounds = numbers["forward_dynamics_a_step"]
        # each is a bound: where hands hold whatever the force, or no drive is at its limit, a step takes less
        self.assertLessEqual(bounds["quiet"], bounds["one_event_bound"])
        self.assertLessEqual(bounds["one_event_bound"], bounds["bound"])
        self.assertLessEqual(bounds["most_seen"], bounds["bound"])
        with open(out / "rt.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for column in ("wake", "step", "cycle"):
            self.assertEqual(sum(int(row[column]) for row in rows), cycles)
        ElementTree.parse(out / "rt.svg")
        # every permission that was refused has its line
        refused = 0 if numbers["thread"]["memory_locked"] else 1
        refused += numbers["thread"]["cpu"] < 0
        self.assertGreaterEqual(len(re.findall("^stance: note: ", done.stderr, re.M)), refused)
        return numbers

    def test_every_scenario(self):
        for path in sorted((ROOT / "config").glob("*.yaml")):
            with self.subTest(scenario=path.stem):
                out = self.folder / path.stem
                done = rt(path, "--rate", 1000, "--seconds", 0.5, "--out", out)
                numbers = self.check(done, out, 500)
                self.assertIn("worst case by construction", " ".join(done.stdout.split()))
                self.assertIn("99.99 %", done.stdout)
                self.assertEqual(numbers["thread"]["preempt_rt"], os.path.exists("/sys/kernel/realtime"))

    def test_walks_as_stance_run_does(self):
        # the loop's pace has no say in the trajectory
        path = ROOT / "config" / "compass.yaml"
        done = rt(path, "--seconds", 1, "--priority", 0, "--out", self.folder, "--quiet")
        numbers = self.check(done, self.folder, 1000)
        self.assertEqual(numbers["thread"]["fifo_priority"], 0)
        self.assertNotIn("99.99 %", done.stdout)
        run = subprocess.run([PROGRAM, "run", path, "--duration", "1", "--quiet"], capture_output=True, text=True)
        self.assertIn(f"state hash {numbers['state_hash']}", run.stdout)

    def test_pushes_as_stance_run_does(self):
        text = (ROOT / "config" / "compass.yaml").read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))
        plain, pushed = self.folder / "plain.yaml", self.folder / "pushed.yaml"
        plain.write_text(text, encoding="utf-8")
        pushed.write_text(text + "\npushes: [{link: hip, force: [1 N, 0, 0], start: 0.2 s, duration: 0.1 s}]\n",
                          encoding="utf-8")
        hashes = set()
        for path in (plain, pushed):
            numbers = self.check(rt(path, "--seconds", 0.5, "--out", self.folder, "--quiet"), self.folder, 500)
            run = subprocess.run([PROGRAM, "run", path, "--duration", "0.5", "--quiet"], capture_output=True, text=True)
            self.assertIn(f"state hash {numbers['state_hash']}", run.stdout)
            hashes.add(numbers["state_hash"])
        self.assertEqual(len(hashes), 2)

    def test_several_steps_a_cycle(self):
        path = ROOT / "config" / "kneed_walker.yaml"
        done = rt(path, "--rate", 200, "--seconds", 1, "--out", self.folder, "--cpu", min(os.sched_getaffinity(0)))
        numbers = self.check(done, self.folder, 200)
        self.assertEqual(numbers["steps_per_cycle"], 5)
        self.assertEqual(numbers["period_ns"], 5000000)
        self.assertGreater(numbers["touchdowns"], 0)

    def test_a_fallen_robot_starts_anew(self):
        text = (ROOT / "config" / "compass.yaml").read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))
        fast = self.folder / "fast.yaml"
        fast.write_text(text.replace("rate: 1.4939 rad/s", "rate: 9 rad/s"), encoding="utf-8")
        done = rt(fast, "--seconds", 1, "--out", self.folder, "--quiet")
        numbers = self.check(done, self.folder, 1000)
        self.assertGreater(numbers["restarts"], 0)
        self.assertIn("new starts after falls", " ".join(done.stdout.split()))

    def test_refusals_say_what_to_do(self):
        path = ROOT / "config" / "compass.yaml"
        done = rt(path, "--rate", 1500)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the step's own rate is 1000 Hz", done.stderr)
        done = rt(path, "--cpu", 4095)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not among the processors", done.stderr)
        done = rt(path, "--seconds", 0.01, "--out", "/dev/null/rt")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/dev/null/rt", done.stderr)

    def test_interrupted_says_how_far(self):
        program = subprocess.Popen([PROGRAM, "rt", str(ROOT / "config" / "compass.yaml"), "--quiet", "--seconds", "60"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
        if program.returncode != -signal.SIGINT:  # the signal came before the program had begun
            self.assertEqual(program.returncode, 128 + signal.SIGINT, err)
            self.assertRegex(err, r"interrupted after [\d,]+ of 60,000 cycles")


if __name__ == "__main__":
    unittest.main()
