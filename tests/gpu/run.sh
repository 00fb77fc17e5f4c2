#!/bin/bash
# For a machine with a GPU: builds the probe with CUDA, runs the tests labelled "gpu", then measures, quickly and in
# full. The profiles and the log are left in $OUT (out/gpu if unset). Takes about 5 minutes.
#
# Needs nvcc and cuBLAS besides the packages of scripts/debian-packages.txt. PACELINE_JOBS limits the compilers.
set -euo pipefail
root="$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." && pwd)"
out="${OUT:-$root/out/gpu}"
build="$root/build/gpu"
mkdir -p "$out"
exec > >(tee "$out/gpu.log") 2>&1

# One architecture, this machine's, compiles fastest.
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DPACELINE_BUILD_GUI=OFF -DPACELINE_BUILD_BENCHMARKS=OFF \
  -DPACELINE_CHECK_HEADERS=OFF -DCMAKE_CUDA_ARCHITECTURES="${CMAKE_CUDA_ARCHITECTURES:-native}"
cmake --build "$build" --parallel "${PACELINE_JOBS:-$(nproc)}" --target paceline_probe_tool gpu_test

"$build/bin/paceline-probe" --version
# A GPU test that skips is a failure here: this machine is said to have a GPU.
"$build/bin/gpu_test" --gtest_color=no | tee "$out/gpu-test.txt"
if grep -q "SKIPPED" "$out/gpu-test.txt"; then
  echo "gpu/run.sh: no GPU could be used, see above" >&2
  exit 3
fi
"$build/bin/paceline-probe" --device cuda --quick --output "$out/profile-quick.json"
"$build/bin/paceline-probe" --device cuda --output "$out/profile.json"
"$build/bin/paceline-probe" --device cpu --quick --output "$out/profile-host.json"
