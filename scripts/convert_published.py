#!/usr/bin/env python3
"""Converts groups of a table of published training measurements to paceline/published-1, one file a group.

    scripts/convert_published.py TABLE.json --list
    scripts/convert_published.py TABLE.json 'ptddp-*' lambda-resnet50-fp16 --output scenarios/published

TABLE.json is a file of the format dist-training-truth/1: an object with "groups" and "entries".
"""

import argparse
import fnmatch
import json
import pathlib
import sys

ROW_FIELDS = ("id", "group", "category", "model", "system", "strategy", "measured", "published", "checks", "quality",
              "flags", "source")


def plain_numbers(value):
    """256.0 -> 256: counts come out of spreadsheets as floating-point numbers."""
    if isinstance(value, dict):
        return {name: plain_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def converted(entry):
    row = {name: plain_numbers(entry[name]) for name in ROW_FIELDS if name in entry}
    if not row.get("flags"):
        row.pop("flags", None)
    return row


def document(group, entries):
    sources = sorted({entry["source"]["what"] for entry in entries})
    result = {"format": "paceline/published-1", "kind": "training", "group": group["id"]}
    for name in ("factor", "note"):
        if group.get(name):
            result[name] = group[name]
    result["source"] = "; ".join(sources)
    result["rows"] = [converted(entry) for entry in entries]
    return result


def read_table(path):
    try:
        table = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    if not isinstance(table, dict) or table.get("format") != "dist-training-truth/1":
        sys.exit(f'{path}: found no "format": "dist-training-truth/1"')
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("groups", nargs="*", help="names of groups; * and ? match several")
    parser.add_argument("--list", action="store_true", help="print the groups with their numbers of rows and leave")
    parser.add_argument("--output", default=".", help="folder for the converted files")
    arguments = parser.parse_args()

    table = read_table(arguments.table)
    entries = {}
    for entry in table["entries"]:
        entries.setdefault(entry["group"], []).append(entry)
    if arguments.list:
        for group in table["groups"]:
            print(f'{len(entries.get(group["id"], [])):5}  {group["id"]}  {group.get("factor", "")}')
        return
    if not arguments.groups:
        parser.error("name at least one group, or use --list")

    output = pathlib.Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    for pattern in arguments.groups:
        chosen = [group for group in table["groups"]
                  if fnmatch.fnmatchcase(group["id"], pattern) and entries.get(group["id"])]
        if not chosen:
            sys.exit(f"{arguments.table}: found no group {pattern}; --list shows their names")
        for group in chosen:
            rows = entries[group["id"]]
            target = output / f'{group["id"]}.json'
            target.write_text(json.dumps(document(group, rows), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(f"{target}: {len(rows)} rows")


if __name__ == "__main__":
    main()
