#!/usr/bin/env python3
"""Converts groups of a table of published training measurements to paceline/published-1, one file a group.

    scripts/convert_published.py TABLE.json --list
    scripts/convert_published.py TABLE.json 'ptddp-*' lambda-resnet50-fp16 --output scenarios/published
    scripts/convert_published.py RUNS.json 'b200-*' --sustained-clock 0.645 --facts-only --output scenarios/published

TABLE.json is a file of the format dist-training-truth/1: an object with "groups" and "entries". RUNS.json is one of
published-training-1: runs of Megatron-LM on one machine; those of dense models are converted, one group a model.
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


def converted(entry, facts_only):
    row = {name: plain_numbers(entry[name]) for name in ROW_FIELDS if name in entry}
    if facts_only:
        row["flags"] = [flag for flag in row.get("flags", []) if flag.startswith("moe:")]
    if not row.get("flags"):
        row.pop("flags", None)
    return row


def document(group, entries, facts_only):
    sources = sorted({entry["source"]["what"] for entry in entries})
    result = {"format": "paceline/published-1", "kind": "training", "group": group["id"]}
    for name in ("factor", "note"):
        if group.get(name) and not facts_only:
            result[name] = group[name]
    result["source"] = "; ".join(sources)
    result["rows"] = [converted(entry, facts_only) for entry in entries]
    return result


RUN_FIELDS = {"tp": "tp", "pp": "pp", "cp": "cp", "ep": "ep", "dp": "dp", "micro_batch": "micro_batch",
              "micro_batches": "accum", "global_batch": "global_batch", "precision": "precision",
              "sequence_parallel": "sp", "recompute": "recompute", "schedule": "schedule"}


def run_entry(entry, table, clock):
    """A run of Megatron-LM as an entry of dist-training-truth/1, in whose words the strategy is put."""
    model, given = entry["model"], entry["strategy"]
    strategy = {"framework": "megatron-core", "dp_kind": "ddp+dist-opt" if given["distributed_optimizer"] else "ddp"}
    strategy.update({ours: given[theirs] for theirs, ours in RUN_FIELDS.items()})
    strategy.update({"vp": 1, "zero": int(given["distributed_optimizer"]), "optimizer": "adam",
                     "overlap": given["overlap"]["grad_reduce"], "tp_overlap": given["overlap"]["tp"]})
    if given.get("cp_comm"):
        strategy["cp_comm"] = given["cp_comm"]
    machine = table["system"]
    system = {"gpu": machine["gpu"].lower().removesuffix("-sxm"), "gpus": machine["gpus"],
              "gpus_per_node": machine["per_node"], "nodes": machine["nodes"],
              "intra": machine["interconnect"].lower()}
    if clock:
        system["sustained_clock"] = clock
    shape = {name: model[name] for name in ("layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab")}
    return {"id": entry["id"], "group": f'{system["gpu"]}-{model["name"]}', "category": system["gpu"],
            "model": {"name": model["name"], "family": "llama", **shape, "seq": given["seq"]},
            "system": system, "strategy": strategy, "measured": {"step_ms": entry["measured"]["step_ms"]},
            "published": ["step_ms"], "checks": ["step_ms", "ratio"], "quality": "A",
            "source": {"what": f'{machine["gpu"]}, {table["software"]}', "where": table["source"]["where"]}}


def as_truth(table, clock):
    dense = [entry for entry in table["entries"] if entry["model"]["kind"] == "dense-decoder"]
    entries = [run_entry(entry, table, clock) for entry in dense]
    names = sorted({entry["group"] for entry in entries})
    return {"groups": [{"id": name, "factor": "parallel layout, micro-batches, sequence"} for name in names],
            "entries": entries}


def read_table(path, clock):
    try:
        table = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    if isinstance(table, dict) and table.get("format") == "published-training-1":
        return as_truth(table, clock)
    if not isinstance(table, dict) or table.get("format") != "dist-training-truth/1":
        sys.exit(f'{path}: found no "format": "dist-training-truth/1" or "published-training-1"')
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("groups", nargs="*", help="names of groups; * and ? match several")
    parser.add_argument("--list", action="store_true", help="print the groups with their numbers of rows and leave")
    parser.add_argument("--sustained-clock", type=float,
                        help="runs of one machine: share of the burst clock that its matrix products kept")
    parser.add_argument("--facts-only", action="store_true", help="leave out remarks that only people read")
    parser.add_argument("--output", default=".", help="folder for the converted files")
    arguments = parser.parse_args()

    table = read_table(arguments.table, arguments.sustained_clock)
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
            text = json.dumps(document(group, rows, arguments.facts_only), indent=1, ensure_ascii=False)
            target.write_text(text + "\n", encoding="utf-8")
            print(f"{target}: {len(rows)} rows")


if __name__ == "__main__":
    main()
