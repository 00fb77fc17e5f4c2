"""summarise_tests.py counts every kind of result and finds the reasons for skipping."""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "summarise_tests.py"

PASSED = '<testcase name="A.Passes" status="run"><system-out>fine</system-out></testcase>'
FAILED = '<testcase name="A.Fails" status="fail"><failure message="Failed"/><system-out>1 is not 2</system-out></testcase>'
NOT_STARTED = '<testcase name="gone" status="notrun"><skipped message="Unable to find executable"/></testcase>'
SKIPPED = """<testcase name="A.Skips" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] A.Skips
/a folder/a_test.cpp:52: Skipped
no GPU
on this machine
[  SKIPPED ] A.Skips (0 ms)
</system-out></testcase>"""
SKIPPED_SCRIPT = ('<testcase name="schemas" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
                  "<system-out>skipped: no library</system-out></testcase>")

# Test cases in, exit code and texts that must be in the output; the last must be its last line.
CASES = [
    ([PASSED], 0, ["1 passed, 0 failed, 0 skipped"]),
    ([PASSED, SKIPPED], 0, ["A.Skips: no GPU on this machine", "1 passed, 0 failed, 1 skipped"]),
    ([PASSED, SKIPPED_SCRIPT], 0, ["schemas: no library", "1 passed, 0 failed, 1 skipped"]),
    ([PASSED, FAILED], 1, ["1 is not 2", "failed (x): A.Fails", "1 passed, 1 failed, 0 skipped"]),
    ([PASSED, NOT_STARTED], 1, ["failed (x): gone", "1 passed, 1 failed, 0 skipped"]),
    ([], 1, ["no test ran", "0 passed, 0 failed, 0 skipped"]),
    ([SKIPPED], 1, ["no test ran", "0 passed, 0 failed, 1 skipped"]),
]


def main():
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "results.xml"
        for cases, code, texts in CASES:
            file.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
            result = subprocess.run([sys.executable, SCRIPT, f"x={file}"], capture_output=True, text=True, check=False)
            missing = [text for text in texts if text not in result.stdout]
            if result.returncode != code or missing or result.stdout.splitlines()[-1] != texts[-1]:
                failures.append(f"exit {result.returncode}, expected {code} and {texts}:\n{result.stdout}{result.stderr}")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
