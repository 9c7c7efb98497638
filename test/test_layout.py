"""The layout that CONTRIBUTING.md tells of: its two walks lead to files, and includes go one way.

Standard library only.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "packages"
# Each folder of the core includes itself and those before it. Those of one entry stand side by side.
FOLDERS = [{"base"}, {"spatial"}, {"model"}, {"dynamics"}, {"constraint"}, {"contact", "assembly"}, {"hybrid"}, {"plant"}]
# Compiled once for each kind of processor, and chosen through a table that inner loops reach: it stands outside of the order.
OUTSIDE = {"processor"}
# What each package without ROS may include, besides itself.
DEPENDS = {
    "stance_core": set(),
    "stance_model": {"stance_core"},
    "stance_gait": {"stance_core", "stance_model"},
    "stance_report": {"stance_core", "stance_model", "stance_gait"},
    "stance_cli": {"stance_core", "stance_model", "stance_gait", "stance_report"},
}


def walks():
    """the files of each table of the section, in order"""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Reading the code")[1].split("\n## ")[0]
    return [re.findall(r"^\| `([^`]+)` \|", table, re.M) for table in section.split("| file |")[1:]]


def includes(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.M)


def sources(folder):
    return [path for path in folder.rglob("*") if path.suffix in {".cpp", ".hpp"}]


class TestLayout(unittest.TestCase):
    def test_walks_are_short_and_lead_somewhere(self):
        events, topic = walks()
        self.assertLessEqual(len(events), 30)
        self.assertLessEqual(len(topic), 12)
        both = events + topic
        self.assertEqual(len(both), len(set(both)))
        for path in both:
            self.assertTrue((ROOT / path).is_file(), path)

    def test_the_core_includes_upwards(self):
        rank = {name: k for k, names in enumerate(FOLDERS) for name in names}
        seen = 0
        for part in (PACKAGES / "stance_core/include/stance_core", PACKAGES / "stance_core/src"):
            for path in sources(part):
                folder = path.relative_to(part).parts[0]
                if folder in OUTSIDE:
                    continue
                self.assertIn(folder, rank, f"{path} is in a folder that has no place in the order")
                for include in includes(path):
                    other = include.removeprefix("stance_core/").split("/")[0]
                    if other in OUTSIDE or "/" not in include:
                        continue
                    self.assertIn(other, rank, f"{path} includes {include}")
                    allowed = rank[other] < rank[folder] or other == folder
                    self.assertTrue(allowed, f"{path.relative_to(ROOT)} includes {include}")
                    seen += 1
        self.assertGreater(seen, 200)

    def test_packages_depend_one_way(self):
        for package, others in DEPENDS.items():
            for part in ("include", "src"):
                for path in sources(PACKAGES / package / part):
                    for include in includes(path):
                        owner = include.split("/")[0]
                        if owner.startswith("stance_") and owner != package:
                            self.assertIn(owner, others, f"{path.relative_to(ROOT)} includes {include}")


if __name__ == "__main__":
    unittest.main()
