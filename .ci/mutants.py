#!/usr/bin/env python3
"""mutants.py LIST [FOLDER [NAME...]]: plants each fault of the list into a copy of stance_core and says which its tests catch.

The copy and its build are in FOLDER; the tree itself stays as it is. Without FOLDER the list alone is checked. A fault that does not compile, or whose text is not
there exactly once, is a fault of the list. With NAMEs, only the faults whose names contain one of them are planted.
Exit code 1: fewer than 95 of 100 were caught, or the list is wrong.
"""

import json
import os
import shutil
import subprocess
import sys
import time

CORE = "packages/stance_core"
TESTS = ["hybrid", "plant", "contact", "dynamics", "assembly", "model", "spatial", "base", "real_time"]
ENOUGH = 0.95


def stop(message):
    sys.exit(f"mutants: {message}")


def read_list(path):
    """[{name, file, tests, from, to}] in the order of the file."""
    faults = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            faults.append({"name": line.strip("[]"), "line": number})
            continue
        key, found, value = line.partition(":")
        if not found or not faults or key not in ("file", "tests", "from", "to"):
            stop(f"{path}:{number}: expected [name], file:, tests:, from: or to:")
        faults[-1][key] = value.strip()
    for fault in faults:
        missing = [key for key in ("file", "tests", "from", "to") if key not in fault]
        if missing:
            stop(f"{path}:{fault['line']}: [{fault['name']}] lacks {', '.join(missing)}")
        if not os.path.exists(fault["file"]):
            stop(f"{path}:{fault['line']}: there is no {fault['file']}")
        count = open(fault["file"], encoding="utf-8").read().count(fault["from"])
        if count != 1:
            stop(f"{path}:{fault['line']}: {fault['file']} has the text of [{fault['name']}] {count} times, not once: "
                 "bring the list up to date")
    return faults


def run(command, log, limit=None):
    """Whether it ends well. Nothing it starts outlives it."""
    with subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True) as process:
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return False


def copy_core(source):
    """Only what differs is written, so that the build of last time still counts."""
    for folder, _, files in os.walk(CORE):
        into = os.path.join(source, os.path.relpath(folder, CORE))
        os.makedirs(into, exist_ok=True)
        for gone in set(os.listdir(into)) - set(os.listdir(folder)):
            path = os.path.join(into, gone)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        for name in files:
            old, new = os.path.join(folder, name), os.path.join(into, name)
            if not os.path.exists(new) or open(old, "rb").read() != open(new, "rb").read():
                shutil.copyfile(old, new)


def programs(folders, build):
    return [os.path.join(build, "test", f"test_core_{folder}") for folder in folders]


class Bench:
    def __init__(self, folder):
        self.source, self.build = os.path.join(folder, "source"), os.path.join(folder, "build")
        os.makedirs(folder, exist_ok=True)
        self.log = open(os.path.join(folder, "log"), "w", encoding="utf-8")
        self.limit = {}
        copy_core(self.source)
        meta = json.load(open("colcon.meta", encoding="utf-8"))
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        configure = ["cmake", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=ON",
                     "-DCMAKE_CXX_FLAGS_RELEASE=-O1", *launcher, *meta["names"]["stance_core"]["cmake-args"]]
        if not run(configure, self.log) or not self.make(TESTS):
            stop(f"the tests do not build as they are: see {self.log.name}")
        for folder in TESTS:
            begin = time.monotonic()
            if not run(programs([folder], self.build), self.log):
                stop(f"the tests of {folder} fail as they are: see {self.log.name}")
            self.limit[folder] = 60 + 10 * (time.monotonic() - begin)

    def make(self, folders):
        targets = [f"test_core_{folder}" for folder in folders]
        jobs = os.environ.get("JOBS") or str(os.cpu_count())
        return run(["cmake", "--build", self.build, "-j", jobs, "--target", *targets], self.log)

    def plant(self, fault):
        """The folder whose tests caught it, or None."""
        path = os.path.join(self.source, os.path.relpath(fault["file"], CORE))
        text = open(path, encoding="utf-8").read()
        self.log.write(f"\n==== {fault['name']}\n")
        self.log.flush()
        near = fault["tests"].split()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(fault["from"], fault["to"]))
            for folders in (near, [folder for folder in TESTS if folder not in near]):
                if not self.make(folders):
                    stop(f"[{fault['name']}] does not compile: see {self.log.name}")
                for folder in folders:
                    command = [*programs([folder], self.build), "--gtest_fail_fast", "--gtest_brief=1"]
                    if not run(command, self.log, self.limit[folder]):
                        return folder
            return None
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    faults = read_list(sys.argv[1])
    if len(sys.argv) == 2:
        print(f"{len(faults)} faults, and the text of each is there once")
        return 0
    wanted = sys.argv[3:]
    faults = [fault for fault in faults if not wanted or any(name in fault["name"] for name in wanted)]
    if not faults:
        stop("no fault of the list has such a name")
    bench = Bench(sys.argv[2])
    caught = 0
    for fault in faults:
        begin = time.monotonic()
        by = bench.plant(fault)
        caught += by is not None
        print(f"  {'caught by ' + by if by else 'NOT CAUGHT':20}  {time.monotonic() - begin:4.0f} s  {fault['name']}",
              flush=True)
    bench.make(TESTS)  # as it was, for the next time
    print(f"{caught} of {len(faults)} planted faults were caught")
    return 0 if caught >= ENOUGH * len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
