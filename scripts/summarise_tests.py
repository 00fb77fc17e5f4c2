#!/usr/bin/env python3
"""Sums up ctest results: what failed, with its output; what was skipped, and why; and the numbers.

    scripts/summarise_tests.py NAME=RESULTS.xml ...

Reads what ctest --output-junit writes. Exit code 1 if a test failed or if there was none.
"""

import re
import sys
import xml.etree.ElementTree as xml


def skip_reason(output, status):
    """GoogleTest prints "file:line: Skipped" and the reason on the next lines; our scripts "skipped: reason"."""
    match = re.search(r"^[^\n]*:\d+: Skipped\n(.+?)(?=\n\n|\n\[|\Z)", output, re.MULTILINE | re.DOTALL)
    if match:
        return " ".join(match.group(1).split())
    match = re.search(r"^skipped: *(.+)$", output, re.MULTILINE)
    if match:
        return match.group(1).strip()
    return "switched off" if status == "disabled" else "gave no reason"


def summarise(name, file):
    passed, failed, skipped = [], [], {}
    for case in xml.parse(file).getroot().iter("testcase"):
        status = case.get("status")
        output = case.findtext("system-out") or ""
        skip = case.find("skipped")
        # A program that could not be started also counts as "skipped" there; it is a failure.
        if status == "disabled" or (skip is not None and skip.get("message", "").startswith("SKIP_")):
            skipped.setdefault(skip_reason(output, status), []).append(case.get("name"))
        elif status == "run":
            passed.append(case.get("name"))
        else:
            failed.append((case.get("name"), output))
    for test, output in failed:
        print(f"---- failed ({name}): {test}\n{output.rstrip() or 'no output: was it out of time?'}\n")
    for reason, tests in skipped.items():
        shown = ", ".join(tests[:3]) + (f" and {len(tests) - 3} more" if len(tests) > 3 else "")
        print(f"skipped ({name}): {shown}: {reason}")
    for test, _ in failed:
        print(f"failed ({name}): {test}")
    return len(passed), len(failed), sum(map(len, skipped.values()))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    totals = [0, 0, 0]
    for argument in sys.argv[1:]:
        name, _, file = argument.partition("=")
        counts = summarise(name, file)
        if len(sys.argv) > 2:
            print(f"{name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped")
        totals = [total + count for total, count in zip(totals, counts)]
    if totals[0] + totals[1] == 0:
        print("no test ran")
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    sys.exit(1 if totals[1] or not totals[0] else 0)


if __name__ == "__main__":
    main()
