"""instructions.py complains when it should. The counting itself is the test instruction_budget."""
import pathlib
import tempfile
import unittest

import instructions


class TestBudget(unittest.TestCase):
    BUDGET = {"biped": {"bodies": 13, "aba": 1000, "rnea": 500}}

    def complaints(self, **row):
        return instructions.compare({"biped": {"bodies": 13, **row}}, self.BUDGET)

    def test_two_percent_either_way(self):
        self.assertEqual(self.complaints(aba=1020, rnea=490), [])
        self.assertIn("2.1 % over its budget of 1000", self.complaints(aba=1021, rnea=500)[0])
        self.assertIn("lower the budget", self.complaints(aba=979, rnea=500)[0])
        self.assertEqual(len(self.complaints(aba=1100, rnea=600)), 2)

    def test_nothing_is_left_out(self):
        self.assertIn("biped, rnea: in the budget, but not counted", self.complaints(aba=1000))
        more = instructions.compare({**self.BUDGET, "snake": {"bodies": 9, "aba": 3}}, self.BUDGET)
        self.assertEqual(more, ["snake: counted, but not in the budget"])

    def test_the_file_reads_back(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "budget.json"
            self.assertEqual(instructions.read_budget(path), {})
            instructions.write_budget(path, {"GNU 12": self.BUDGET, "Clang 14": {}})
            self.assertEqual(instructions.read_budget(path), {"GNU 12": self.BUDGET, "Clang 14": {}})
            self.assertEqual(sum("biped" in line for line in path.read_text().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
