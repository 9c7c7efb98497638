"""The set-up script where it may not install: it prints the one line to type, and touches nothing.

Programs it asks are stood in for by small scripts, so that this runs the same for root and in a container.
Standard library only.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@unittest.skipUnless(shutil.which("apt-get"), "neither Debian nor Ubuntu")
class TestSetup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.stand_in("id", "echo 1000")
        self.stand_in("dpkg-query", "exit 1")  # nothing is installed
        self.stand_in("apt-get", f"touch {self.folder}/called")

    def stand_in(self, name, line):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(0o755)

    def set_up(self, path, **more):
        environment = {**os.environ, "PATH": str(path), "CI": "true", "SETUP": "", **more}
        return subprocess.run([shutil.which("bash"), ROOT / ".ci" / "setup.sh", "base"], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    def line_of(self, done):
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertFalse((self.folder / "called").exists(), "it called apt-get")
        lines = [line.strip() for line in done.stderr.splitlines() if "apt-get install" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        for package in ("build-essential", "libeigen3-dev", "libgtest-dev"):
            self.assertIn(f" {package}", lines[0])
        return lines[0]

    def test_without_a_password_the_line_is_for_sudo(self):
        self.stand_in("sudo", "exit 1")
        done = self.set_up(f"{self.folder}:{os.environ['PATH']}")
        self.assertRegex(self.line_of(done), r"^sudo apt-get update && sudo apt-get install -y ")

    def test_without_sudo_the_line_is_for_su(self):
        # of the system's programs, all that the script needs and no sudo
        for name in ("bash", "dirname", "sed", "tr", "grep", "mkdir", "tail", "env", "cat"):
            (self.folder / name).symlink_to(shutil.which(name))
        done = self.set_up(self.folder)
        self.assertRegex(self.line_of(done), r"^su -c 'apt-get update && apt-get install -y .*'$")

    def test_left_out_as_asked(self):
        done = self.set_up(f"{self.folder}:{os.environ['PATH']}", SETUP="no")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out, as asked", done.stdout)


if __name__ == "__main__":
    unittest.main()
