"""count_tests.py BUILD_BASE SYSTEM_LOG: adds up the tests of all suites and prints the sum.

ctest writes one Test.xml for each package, and a GoogleTest program may write a result file of its
own. A ctest entry whose command line names such a file is counted through that file, case by case;
every other entry counts as one test. (`colcon test-result` counts both and so counts twice.)
Exit status: 0 if at least one test ran and none failed.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter


def count_result_file(path):
    """Counts the cases of one xunit file, as GoogleTest and pytest write it."""
    count = Counter()
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            count["failed"] += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":  # notrun: DISABLED_
            count["skipped"] += 1
        else:
            count["passed"] += 1
    return count


def count_ctest_entry(entry):
    """Counts one entry of Test.xml."""
    command = entry.findtext("FullCommandLine", "")
    passed = entry.get("Status") == "passed"
    count = Counter()
    # Both ways to name the file: --gtest_output=xml:FILE, and ament's wrapper with --result-file FILE.
    match = re.search(r'(?:--gtest_output=xml:|--result-file"?\s+"?)([^"\s]+\.xml)', command)
    if match and pathlib.Path(match.group(1)).is_file():
        count = count_result_file(match.group(1))
        if not passed and count["failed"] == 0:
            count["failed"] = 1  # every case passed, then the program failed: a leak, a crash at exit
        return count
    if passed:
        return Counter(passed=1)
    reason = " ".join(value.text or "" for value in entry.iter("Value"))
    if entry.get("Status") == "notrun" and re.search("SKIP_|Skipped|Disabled", reason):
        return Counter(skipped=1)
    return Counter(failed=1)


def count_package(build_dir):
    """Counts all tests of one package. None if it has no tests."""
    tag = build_dir / "Testing" / "TAG"
    if not tag.is_file():
        return None
    report = build_dir / "Testing" / tag.read_text().split("\n")[0] / "Test.xml"
    if not report.is_file():
        return None
    count = Counter()
    for entry in ET.parse(report).getroot().findall("./Testing/Test"):
        count += count_ctest_entry(entry)
    return count


def count_system_tests(log):
    """Counts the system tests, from the last lines that Python's unittest prints."""
    text = log.read_text(errors="replace")
    ran = re.findall(r"^Ran (\d+) tests? in", text, re.M)
    if not ran:
        return Counter(failed=1)  # it did not come to its end
    ending = text[text.rindex("\nRan ") :]
    number = {name: int(n) for name, n in re.findall(r"([a-z ]+)=(\d+)", ending.replace(", ", ","))}
    failed = sum(number.get(name, 0) for name in ("failures", "errors", "unexpected successes"))
    skipped = number.get("skipped", 0)
    return Counter(passed=max(int(ran[-1]) - failed - skipped, 0), failed=failed, skipped=skipped)


def sentence(count):
    text = f"{count['passed']} passed, {count['failed']} failed"
    return text + (f", {count['skipped']} skipped" if count["skipped"] else "")


def main():
    build_base, system_log = map(pathlib.Path, sys.argv[1:3])
    suites = {path.name: count_package(path) for path in sorted(build_base.iterdir()) if path.is_dir()}
    if system_log.is_file():
        suites["test/"] = count_system_tests(system_log)
    total = Counter()
    for name, count in suites.items():
        if count is not None:
            print(f"    {name}: {sentence(count)}")
            total += count
    if total["passed"] + total["failed"] == 0:
        print("stance: no test ran, which counts as a failure: see the logs", file=sys.stderr)
    print(sentence(total))
    return 0 if total["failed"] == 0 and total["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
