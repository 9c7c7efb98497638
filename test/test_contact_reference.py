"""`stance dynamics --contacts` agrees with independent dense solutions, whichever body is the root.

The numbers are in ../shared beside the repository; where that folder is absent the tests are skipped and say so.
Standard library only. Run from the root of the repository: python3 -m unittest discover -s test -v
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("STANCE_SHARED", ROOT.parent / "shared"))
STANCE = pathlib.Path(os.environ.get("STANCE", ROOT / "install/stance_cli/bin/stance"))
REFERENCE = SHARED / "reference" / "contact"

AGREEMENT = 1e-10  # relative to the largest acceleration, force, velocity or impulse of the case
REROOTED = 1e-9  # the same robot walked from another body

POSE = ["base." + name for name in "x y z qx qy qz qw".split()]
TWIST = ["base." + name for name in "vx vy vz wx wy wz".split()]
WRENCH = ["base." + name for name in "fx fy fz mx my mz".split()]
ACCELERATION = ["base." + name for name in "ax ay az alphax alphay alphaz".split()]


def cases(name):
    return json.loads((REFERENCE / f"robots_{name}.json").read_text())["cases"]


def contact_file(case, entries):
    """YAML is a superset of JSON."""
    return json.dumps({"ground": {"point": case["ground"]["point"], "normal": case["ground"]["normal"]},
                       "contacts": entries})


def dynamics(case, entries, *options):
    """One state through the program: a dictionary from column to text."""
    robot, state = case["robot"], case["state"]
    names = POSE + [f"q.{j}" for j in robot["joints"]] + TWIST + [f"v.{j}" for j in robot["joints"]]
    numbers = state["q"] + state["v"]
    if "tau" in state:
        names += WRENCH + [f"tau.{j}" for j in robot["joints"]]
        numbers = numbers + state["tau"]
    with tempfile.TemporaryDirectory() as folder:
        contacts = pathlib.Path(folder) / "contacts.yaml"
        contacts.write_text(contact_file(case, entries))
        states = pathlib.Path(folder) / "states.csv"
        states.write_text(",".join(names) + "\n" + ",".join(map(repr, numbers)) + "\n")
        done = subprocess.run([str(STANCE), "dynamics", str(REFERENCE / robot["urdf"]), "--no-mimic", "--states",
                               str(states), "--contacts", str(contacts), *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{case['id']}: exit code {done.returncode}\n{done.stderr}")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    return row


def entries_of(case, **common):
    return [{"name": f"c{k}", "link": c["link"], "point": c["point"], "radius": c["radius"], **common}
            for k, c in enumerate(case["contacts"])]


def vector(row, name, letter):
    return [float(row[f"contact.{name}.{letter}{axis}"]) for axis in "xyz"]


def worst(found, expected):
    scale = max(1.0, max(map(abs, expected)))
    return max(abs(a - b) for a, b in zip(found, expected)) / scale


@unittest.skipUnless(REFERENCE.is_dir(), f"no independent numbers: {REFERENCE} is absent")
class ContactReference(unittest.TestCase):
    def accelerations(self, case, row):
        joints = case["robot"]["joints"]
        return [float(row[name]) for name in ACCELERATION + [f"a.{j}" for j in joints]]

    def check(self, case, row, closed, limit=AGREEMENT):
        """Accelerations, and the forces of the contacts that are closed, in their order."""
        expected = case["expected"]
        self.assertLess(worst(self.accelerations(case, row), expected["a"]), limit, case["id"])
        found = [x for k in closed for x in vector(row, f"c{k}", "f")]
        known = [x for c in expected["contacts"] for x in c["force_W"]]
        self.assertLess(worst(found, known), limit, case["id"])

    def roots(self, case):
        links = {c["link"] for c in case["contacts"]}
        return sorted(links)[:2]

    def test_feet_that_stick_as_given(self):
        for case in cases("stick"):
            entries = entries_of(case)
            for entry, c in zip(entries, case["contacts"]):
                entry["mode"] = c["mode"]
            closed = [k for k, c in enumerate(case["contacts"]) if c["mode"] != "open"]
            row = dynamics(case, entries)
            self.check(case, row, closed)
            for root in self.roots(case):
                self.check(case, dynamics(case, entries, "--root", root), closed, REROOTED)

    def test_modes_as_given(self):
        for case in cases("modes"):
            entries = entries_of(case)
            for entry, c in zip(entries, case["contacts"]):
                entry.update(mode={"slip": "slide"}.get(c["mode"], c["mode"]), friction=c["mu"])
            closed = [k for k, c in enumerate(case["contacts"]) if c["mode"] != "open"]
            row = dynamics(case, entries)
            self.check(case, row, closed)
            for root in self.roots(case):
                self.check(case, dynamics(case, entries, "--root", root), closed, REROOTED)

    def test_modes_are_found(self):
        for case in cases("find_modes"):
            entries = entries_of(case)
            for entry, c in zip(entries, case["contacts"]):
                entry["friction"] = c["mu"]
            row = dynamics(case, entries)
            modes = [{"slide": "slip"}.get(row[f"contact.c{k}.mode"], row[f"contact.c{k}.mode"])
                     for k in range(len(entries))]
            self.assertEqual(modes, case["expected"]["modes"], case["id"])
            self.assertEqual(row["status"], "unique")
            self.check(case, row, range(len(entries)))
            for root in self.roots(case):
                self.check(case, dynamics(case, entries, "--root", root), range(len(entries)), REROOTED)

    def test_flat_feet_share_with_least_norm(self):
        for case in cases("flat"):
            entries = entries_of(case)
            for entry, c in zip(entries, case["contacts"]):
                entry["mode"] = c["mode"]
            closed = [k for k, c in enumerate(case["contacts"]) if c["mode"] != "open"]
            row = dynamics(case, entries)
            self.assertEqual(row["status"], "redundant", case["id"])
            self.check(case, row, closed)

    def check_impact(self, case, entries, expected, *options):
        row = dynamics(case, entries, "--impact", *options)
        joints = case["robot"]["joints"]
        limit = REROOTED if options else AGREEMENT
        v = [float(row[name]) for name in TWIST + [f"v.{j}" for j in joints]]
        self.assertLess(worst(v, expected["v_plus"]), limit, case["id"])
        found = [x for k in range(len(entries)) for x in vector(row, f"c{k}", "p")]
        self.assertLess(worst(found, [x for p in expected["impulse_W"] for x in p]), limit, case["id"])
        lost = expected.get("energy_lost", case["kinetic_energy_before"] - expected["kinetic_energy_after"])
        self.assertLess(abs(float(row["energy_lost"]) - lost), 1e-9 * max(1.0, lost), case["id"])
        return row

    def test_impacts(self):
        for case in cases("impact"):
            struck = [c["role"] == "struck" for c in case["contacts"]]
            laws = {
                "plastic_coulomb": [{"friction": case["mu"]}] * len(struck),
                "plastic_frictionless": [{"friction": 0}] * len(struck),
                "newton_frictionless": [{"friction": 0, "restitution": case["restitution"] if s else 0}
                                        for s in struck],
            }
            for law, material in laws.items():
                entries = [{**e, **m} for e, m in zip(entries_of(case), material)]
                row = self.check_impact(case, entries, case["expected"][law])
                if law == "plastic_coulomb":
                    modes = [{"slide": "slip"}.get(row[f"contact.c{k}.mode"], row[f"contact.c{k}.mode"])
                             for k in range(len(struck))]
                    self.assertEqual(modes, case["expected"][law]["modes"], case["id"])
                for root in self.roots(case):
                    self.check_impact(case, entries, case["expected"][law], "--root", root)


if __name__ == "__main__":
    unittest.main()
