#!/usr/bin/env python3
"""Instructions per call of each algorithm on each robot, counted by callgrind, and held against a budget.

instructions.py PROGRAM            prints the table
instructions.py PROGRAM --check    fails where a count is more than 2 % off its budget
instructions.py PROGRAM --update   writes the counts into the budget

PROGRAM is count_instructions. The same build gives the same counts every time, however busy the machine is; another
compiler, C library or processor gives others. The budget has a section for each of these that it knows, and with any
other --check is skipped (exit code 77). Standard library and valgrind only.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUDGET = pathlib.Path(__file__).resolve().parent / "instruction_budget.json"
ALGORITHMS = ("aba", "lanes_aba", "rnea", "lanes_rnea", "crba+solve", "reroot", "pinned_aba", "pinned_reroot")
TOLERANCE = 0.02
SKIPPED = 77
UPDATE = "To accept them: .ci/instructions.sh --update (after make test), and commit packages/stance_model/bench/instruction_budget.json"


def measure(program, only_own):
    """(key, {robot: {"bodies": n, algorithm: instructions per call}})"""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        if only_own:
            environment["STANCE_SHARED"] = folder  # holds no robots
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--compress-strings=no",
             f"--callgrind-out-file={folder}/%p", str(program)], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program} failed under callgrind:\n{done.stdout}{done.stderr}")
        key = re.search(r"^key: (.+)$", done.stdout, re.M).group(1)
        counts = {}
        for path in pathlib.Path(folder).iterdir():
            text = path.read_text(encoding="utf-8", errors="replace")
            # "desc: Trigger: Client Request: ROBOT BODIES ALGORITHM CALLS", then "totals: INSTRUCTIONS"
            label = re.search(r"^desc: Trigger: Client Request: (\S+) (\d+) (\S+) (\d+)$", text, re.M)
            total = re.search(r"^totals: (\d+)", text, re.M)
            if label and total:
                robot, bodies, algorithm, calls = label.groups()
                counts.setdefault(robot, {"bodies": int(bodies)})[algorithm] = round(int(total.group(1)) / int(calls))
    return key, counts


def table(counts):
    rows = [["instructions per call", "bodies", *(name.replace("_", " ") for name in ALGORITHMS)]]
    rows += [[robot, row["bodies"], *(row.get(name, "-") for name in ALGORITHMS)] for robot, row in sorted(counts.items())]
    return "\n".join(f"{row[0]:<22}" + "".join(f"{cell:>{max(8, len(title) + 2)}}" for title, cell in zip(rows[0][1:], row[1:]))
                     for row in rows)


def read_budget(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_budget(path, budget):
    """One robot a line, so that a change reads as one."""
    sections = []
    order = ("bodies",) + ALGORITHMS
    for key in sorted(budget):
        rows = ",\n".join(f"    {json.dumps(robot)}: {json.dumps({name: row[name] for name in order if name in row})}"
                          for robot, row in sorted(budget[key].items()))
        sections.append(f"  {json.dumps(key)}: {{\n{rows}\n  }}")
    path.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")


def compare(counts, budget):
    """Lines of complaint."""
    complaints = []
    for robot, row in sorted(budget.items()):
        for name in ALGORITHMS:
            if name not in row:
                continue
            now = counts.get(robot, {}).get(name)
            if now is None:
                complaints.append(f"{robot}, {name}: in the budget, but not counted")
                continue
            change = now / row[name] - 1
            if change > TOLERANCE + 1e-9:
                complaints.append(f"{robot}, {name}: {now} instructions, {100 * change:.1f} % over its budget of {row[name]}")
            elif change < -TOLERANCE - 1e-9:
                complaints.append(f"{robot}, {name}: {now} instructions, {-100 * change:.1f} % below its budget of {row[name]}: "
                                  "lower the budget, or the gain can be lost unnoticed")
    complaints += [f"{robot}: counted, but not in the budget" for robot in sorted(set(counts) - set(budget))]
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--budget", type=pathlib.Path, default=BUDGET)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed: instructions are not counted")
        return SKIPPED if options.check else 1
    key, counts = measure(options.program, options.check or options.update)
    print(table(counts))
    print(f"counted with {key}")
    budget = read_budget(options.budget)
    if options.update:
        budget[key] = counts
        write_budget(options.budget, budget)
        print(f"written into {options.budget}")
        return 0
    if options.check:
        if key not in budget:
            print(f"SKIPPED: the budget knows {'; '.join(sorted(budget))}, but not {key}. {UPDATE}")
            return SKIPPED
        complaints = compare(counts, budget[key])
        if complaints:
            print("\n".join(complaints))
            print(UPDATE)
            return 1
        print(f"all within {100 * TOLERANCE:.0f} % of the budget")
    return 0


if __name__ == "__main__":
    sys.exit(main())
