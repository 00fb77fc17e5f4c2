#!/bin/bash
# Says which of the tracked C++ files clang-format would change (version 14 is what the tree is formatted with), or
# with --fix changes them. Exit code 1: some would change.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
if ! command -v clang-format >/dev/null 2>&1; then
  echo "skipped: clang-format is not installed"
  exit 0
fi
mode=(--dry-run -Werror)
[ "${1:-}" != --fix ] || mode=(-i)
git ls-files -z -- '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -0 -r clang-format "${mode[@]}"
