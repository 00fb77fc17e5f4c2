#!/usr/bin/env python3
"""Converts a table of published collectives to paceline/published-1, one file a hardware class.

    scripts/convert_collectives.py TABLE.json --output scenarios/published

TABLE.json is a file of the format truth-collectives/1: an object with "entries", of which those of the kind
"collective" are kept. Of every row the bytes and the microseconds are; the bandwidths follow from them.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

FIELDS = ("id", "hw_class", "healthy", "system", "run", "outlier_bytes")

# The machine as it was meant to be, where a table describes what went wrong with it.
INTENDED_NETWORK = {
    "cscs-gh200-2x4-ar-tcp": "4x 200 Gb/s Slingshot 11",
    "h100-3x8-bad-ar": "8x 2x200 Gb/s RoCE (dual-port ConnectX-7)",
}
# What was wrong, and what else is known of a table that predictions miss.
KNOWN = {
    "cscs-gh200-2x4-ar-tcp": "plug-in of the network missing: sockets",
    "h100-290-2node-ar": "wrong network ports chosen: a third of the bandwidth",
    "h100-290-2node-ring-ar": "network not yet set up",
    "a40-sys4-nop2p-ar": "peer access off, across two sockets",
    "a40-node2-nop2p-ar": "peer access off",
    "dgxh100-2x8-noisy-ar": "shared with others or cold: 3 to 30 times slow up to 512 MB, normal above",
    "h100-3x8-bad-ar": "two nodes are normal; three over two racks fall from 29 to 5 GB/s above 32 MiB",
    "aws-p4d-2x8-ar-early": "early software of this instance type; later nodes with the same ports are 2.4 times faster",
    "deepbench-p100-4-ar": "half the rate of the other boards of its generation on PCIe",
    "deepbench-p100-8-ar": "half the rate of the other boards of its generation on PCIe",
    "dgx1v100-2x8-roce-ar": "virtual functions; times alternate by a factor of six below 1 MB",
    "h100pcie-2-ar": "below a pair of A100 on NVLink; its reporter asks why",
    "rtx4090-2-same-ar": "both devices stage through one root complex",
    "rtx4090-2-cross-ar": "staged through two root complexes: faster than the pair on one",
    "gcp-a3ultra-2x8-ag": "a floor of 54 us; other two-node tables of this network have 42 to 45",
    "polaris-a100-4gpu-ar": "Simple forced for the job of which this is a part",
    "h200-2x8-dt-int8-ar": "8-bit values cannot be added in the switch",
}
CONGESTED = "aic-l40s-"  # 1 to 6 GB/s on PCIe 4.0 with four and eight boards


def launch_of(entry):
    """Who launched the kernels, where the source says so."""
    words = entry.get("note", "") + " " + entry["run"].get("tool", "")
    if "single-process" in words:
        return "one-process"
    if "CUDA-graph" in words:
        return "graph"
    if "torch" in words.lower():
        return "framework"
    return "process-per-device" if "-t N threads" in words else None


def plain(value):
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def converted(entry):
    table = {name: entry[name] for name in FIELDS if name in entry}
    if not table.get("outlier_bytes"):
        table.pop("outlier_bytes", None)
    if entry["id"] in INTENDED_NETWORK:
        table["system"] = dict(entry["system"], nic=INTENDED_NETWORK[entry["id"]])
    known = KNOWN.get(entry["id"], "")
    if entry["id"].startswith(CONGESTED) and not entry["healthy"]:
        known = "congested PCIe: 1 to 6 GB/s"
    if known:
        table["known"] = known
    if launch_of(entry):
        table["launch"] = launch_of(entry)
    table["source"] = re.sub(r" ?\(full text[^)]*\)|index id \d+ ?|\(index id \d+\)", "", entry["source"]["where"]).strip(" ()")
    columns = entry["columns"]
    size, time = columns.index("bytes"), columns.index("us")
    table["points"] = [[plain(row[size]), plain(row[time])] for row in entry["points"]]
    return table


def text_of(document):
    """Indented, but a row of points on one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return re.sub(r"\[\s+(-?[\d.e+]+),\s+(-?[\d.e+]+)\s+\]", r"[\1, \2]", text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    try:
        table = json.loads(pathlib.Path(arguments.table).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{arguments.table}: {error}")
    if not isinstance(table, dict) or table.get("format") != "truth-collectives/1":
        sys.exit(f'{arguments.table}: found no "format": "truth-collectives/1"')
    classes = collections.defaultdict(list)
    for entry in table["entries"]:
        if entry["kind"] == "collective":
            classes[entry["hw_class"]].append(converted(entry))
    for name, tables in sorted(classes.items()):
        document = {"format": "paceline/published-1", "kind": "collectives", "group": name, "tables": tables}
        path = pathlib.Path(arguments.output) / f"collectives-{name.lower()}.json"
        path.write_text(text_of(document), encoding="utf-8")
        print(f"{path}: {len(tables)} tables")


if __name__ == "__main__":
    main()
