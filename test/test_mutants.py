"""The list of faults that `make mutants` plants: each is in the sources exactly once, or the tool says which is not."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def check(path):
    return subprocess.run([sys.executable, "-B", ROOT / ".ci" / "mutants.py", path], cwd=ROOT, capture_output=True,
                          text=True, check=False)


class TestMutants(unittest.TestCase):
    def test_the_list_is_up_to_date(self):
        done = check(ROOT / ".ci" / "mutants.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(int(done.stdout.split()[0]), 30)

    def test_a_list_that_is_not_is_refused(self):
        file = "file: packages/stance_core/src/hybrid/locate.cpp\ntests: hybrid\nto: x\n"
        for text, message in (("[a fault]\n" + file + "from: no such text\n", "has the text of [a fault] 0 times, not once"),
                              ("[a fault]\n" + file, "[a fault] lacks from"),
                              ("[a fault]\nfile: none.cpp\ntests: x\nfrom: a\nto: b\n", "there is no none.cpp"),
                              ("from: a\n", "expected [name]")):
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as file_of_it:
                file_of_it.write(text)
                file_of_it.flush()
                done = check(file_of_it.name)
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
