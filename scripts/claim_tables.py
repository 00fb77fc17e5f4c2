#!/usr/bin/env python3
"""Fills the tables of docs/claims.md from runs of paceline.

    scripts/claim_tables.py build/release/bin/paceline [--check]

A table stands between "<!-- study NAME -->" (scenarios/studies/claims/NAME.json) or "<!-- collective ARGUMENTS -->" and
"<!-- end -->". With --check nothing is written, and the exit code is 1 where the page differs from the runs.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "docs" / "claims.md"
block = re.compile(r"(<!-- (study|collective) (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def run(program, *arguments):
    result = subprocess.run([program, "--data", str(root / "scenarios"), *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"paceline {' '.join(arguments)}: {result.stderr.strip()}")
    return result.stdout


def table(titles, rows):
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def gibibytes(row, of_first):
    peaks = [rank["peak_bytes"] / 2**30 for rank in row["memory"]]
    if not peaks or max(peaks) == 0 or not (of_first or row["scenario"]["devices"] > 1):
        return "-"  # not predicted, or no others
    return f"{peaks[0] if of_first else max(peaks[1:], default=peaks[0]):.2f}"


def model_of(scenario):
    parts = [scenario["model"], f"batch {scenario['batch_per_device']}"]
    if scenario["accumulation"] > 1:
        parts.append(f"{scenario['accumulation']} micro-batches")
    return ", ".join(parts + [scenario["precision"]])


def strategy_of(scenario):
    if scenario["devices"] == 1:
        return "one GPU"
    strategy = scenario["strategy"]
    parts = [f"ZeRO-{strategy['zero_stage']}" if "zero_stage" in strategy else strategy["kind"]]
    if "pipeline" in strategy:
        parts.append(f"{strategy['pipeline']} stages")
    return ", ".join(parts)


def study(program, name):
    with tempfile.TemporaryDirectory() as folder:
        run(program, "study", str(root / f"scenarios/studies/claims/{name}.json"), "-o", folder)
        result = json.loads(pathlib.Path(folder, "result.json").read_text())
    rows = []
    for row in result["rows"]:
        scenario = row["scenario"]
        rows.append([model_of(scenario), scenario["cluster"], strategy_of(scenario), str(scenario["devices"]),
                     f"{1e3 * row['step_s']:.1f}", f"{row['speedup']:.2f}", f"{1e3 * row['communication_s']:.1f}",
                     f"{1e3 * row['exposed_communication_s']:.1f}",
                     f"{100 * row['exposed_communication_share']:.0f} %", gibibytes(row, True), gibibytes(row, False)])
    return table(["model", "cluster", "strategy", "GPUs", "step ms", "speedup", "communication ms", "exposed ms",
                  "of the step", "GPU 0 GiB", "others GiB"], rows)


def collective(program, arguments):
    result = json.loads(run(program, "collective", *arguments.split(), "--json", "-"))
    rows = [[f"{row['bytes']:,.0f}", f"{row['us'] / 1e3:.3f}",
             f"{row['busbw_GBps']:.2f}"] for row in result["rows"]]
    return table(["bytes", "ms", "bus bandwidth GB/s"], rows)


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    makers = {"study": study, "collective": collective}
    text = page.read_text()
    filled = block.sub(lambda found: found[1] + makers[found[2]](sys.argv[1], found[3]) + found[4], text)
    if "--check" in sys.argv:
        if filled != text:
            sys.exit(f"{page.relative_to(root)} differs from the runs: {__file__} PROGRAM writes it anew")
        return
    page.write_text(filled)


main()
