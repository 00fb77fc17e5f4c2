# Shared by ./run and ./check, which set `root` to the repository before they source it. Everything goes to stderr.
# shellcheck shell=bash disable=SC2154

say() { echo "paceline: $*" >&2; }

# One build at a time in a folder; the lock goes when the file descriptor is closed.
lock_build() {
  mkdir -p "$root/build"
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$root/build/.lock"
    flock -n 9 || { say "waiting for another build of this tree"; flock 9; }
  fi
}
unlock_build() { exec 9>&-; }

# quietly WHAT COMMAND...: the command's output goes to a log, which is shown if the command fails; on a terminal its
# last line is shown while it runs.
quietly() {
  local what="$1" log="$root/build/last.log" status=0
  shift
  if [ -t 2 ]; then
    "$@" 2>&1 </dev/null | tee "$log" | while IFS= read -r line; do
      printf '\r\033[K%.*s' "$(($(tput cols 2>/dev/null || echo 80) - 1))" "$line" >&2
    done
    status=${PIPESTATUS[0]}
    printf '\r\033[K' >&2
  else
    "$@" >"$log" 2>&1 </dev/null || status=$?
  fi
  if [ "$status" -ne 0 ]; then
    cat "$log" >&2
    say "$what failed; the full log is above"
    return "$status"
  fi
}

# configure PRESET: only where no build exists yet or the list of packages has changed since; otherwise the build
# configures again by itself when it has to.
configure() {
  [ "$root/build/$1/build.ninja" -nt "$root/scripts/debian-packages.txt" ] && return 0
  cd "$root" && quietly "configuring" cmake --preset "$1"
}

# build PRESET [TARGET...]
build() {
  local preset="$1"
  shift
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  local jobs=()
  [ -z "${PACELINE_JOBS:-}" ] || jobs=(-j "$PACELINE_JOBS")
  cd "$root" && quietly "building" cmake --build --preset "$preset" "${jobs[@]}" "${targets[@]}"
}
