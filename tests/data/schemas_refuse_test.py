"""Each damaged copy of a data file must be refused by check_schemas.py, with the damaged field named."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "scripts" / "check_schemas.py"

# File, path to the damaged value, the value put there (None removes it), text that the refusal must contain.
DAMAGES = [
    ("devices/v100-sxm2-16gb.json", ["memory", "value"], "16 gigabytes", "/memory/value"),
    ("devices/v100-sxm2-16gb.json", ["memory_bandwidth", "source"], None, "/memory_bandwidth"),
    ("devices/v100-sxm2-16gb.json", ["peak", "fp99"], {"value": "1TFLOP/s", "source": "x"}, "/peak"),
    ("devices/v100-sxm2-16gb.json", ["architecture"], "volt", "/architecture"),
    ("devices/v100-sxm2-16gb.json", ["clock_factor", "value"], 0, "/clock_factor/value"),
    ("clusters/dgx-1v.json", ["network", "fabric"], "token-ring", "/network/fabric"),
    ("clusters/dgx-1v.json", ["interconnect", "peer_to_peer"], True, "/interconnect"),
    ("clusters/dgx-1v.json", ["network"], None, "/max_nodes"),
    ("clusters/dgx-1v.json", ["device"], "v100-sxm9", "v100-sxm9"),
    ("clusters/dgx-1v.json", ["interconnect", "dimensions"], [{"size": 8}], "/interconnect"),
    ("clusters/dgx-h100.json", ["interconnect", "links"], [[0, 1], [1, 0]], "/interconnect"),
    ("clusters/dgx-h100.json", ["network", "shape"], {"kind": "leaf-spine", "hosts_per_leaf": 4}, "/network/shape"),
    ("clusters/8x-l40s.json", ["interconnect", "peer_to_peer"], None, "/interconnect"),
    ("published/ptddp-cnn-v100.json", ["rows", 0, "measured", "step_ms"], -1, "/rows/0"),
    ("studies/dp-vs-ddp.json", ["models", 0, "bacth_per_device"], 64, "/models/0"),
    ("studies/dp-vs-ddp.json", ["platforms", 0, "nodes"], [2, 0], "/platforms/0/nodes/1"),
    ("studies/dp-vs-ddp.json", ["platforms", 0, "devices"], 8, "/platforms/0"),
    ("studies/dp-vs-ddp.json", ["name"], "../up", "/name"),
    ("frameworks/pytorch.json", ["host", "forward_operator"], "20", "/host/forward_operator"),
    ("frameworks/pytorch.json", ["optimizer_traffic", "adam"], None, "/optimizer_traffic"),
    ("kernels/cudnn-cublas.json", ["attention_efficiency", "fp16"], 1.5, "/attention_efficiency/fp16"),
    ("diagnosis.json", ["warn", "rdma"], 0.9, "/warn/rdma"),
    ("diagnosis.json", ["sockets", "source"], None, "/sockets"),
    ("kernels/b200.json", ["gemm", "bf16", "hidden_waves"], 1.5, "/gemm/bf16/hidden_waves"),
    ("published/testbed-ddp.json", ["sets", 0, "rate"], "fast", "/sets/0"),
    ("published/memory-megatron-tests.json", ["rows", 0, "strategy", "tp"], None, "/rows/0/strategy"),
    ("memory/megatron.json", ["matrix_workspace", "source"], None, "/matrix_workspace"),
]


def damaged(document, path, value):
    place = document
    for part in path[:-1]:
        place = place[part]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return document


def run_check(folder):
    return subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)


def main():
    try:
        import jsonschema  # noqa: F401
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        sys.exit(77)
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "scenarios"
        shutil.copytree(ROOT / "scenarios", copy)
        for name, path, value, expected in DAMAGES:
            file = copy / name
            good = file.read_text(encoding="utf-8")
            file.write_text(json.dumps(damaged(json.loads(good), path, value)), encoding="utf-8")
            result = run_check(copy)
            file.write_text(good, encoding="utf-8")
            if result.returncode != 1 or file.name not in result.stderr or expected not in result.stderr:
                failures.append(f"{name} with {path} = {value}: exit {result.returncode}, {result.stderr[:500]}")
    print(f"{len(DAMAGES) - len(failures)} of {len(DAMAGES)} damaged files refused")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
