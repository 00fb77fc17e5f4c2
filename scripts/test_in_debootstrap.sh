#!/bin/bash
# Proves that a clone of this repository builds and runs on an empty Debian 12: makes a minimal system in a folder
# (debootstrap, from the package mirror that this machine uses), copies a clone of HEAD into it, on a path with a
# space, and runs ./run there. Needs root and debootstrap.
#
#   scripts/test_in_debootstrap.sh [--check] [--keep] [FOLDER]
#
# --check also runs ./check inside. FOLDER (default: a temporary one) gets the system; it must not exist, and is
# removed at the end unless --keep is given. PACELINE_JOBS limits the compilers that run at once.
set -euo pipefail
root="$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)"

keep=no
check=no
folder=
for argument in "$@"; do
  case "$argument" in
    --keep) keep=yes ;;
    --check) check=yes ;;
    -*) echo "unknown argument $argument; known: --check, --keep" >&2; exit 2 ;;
    *) folder="$argument" ;;
  esac
done
[ "$(id -u)" -eq 0 ] || { echo "this needs root, for debootstrap and chroot" >&2; exit 3; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing; install the package debootstrap" >&2; exit 3; }
temporary=
if [ -z "$folder" ]; then
  temporary="$(mktemp -d)"
  folder="$temporary/root"
elif [ -e "$folder" ]; then
  echo "$folder exists; name a folder that does not" >&2
  exit 2
fi

cleanup() {
  # Unmount before removing: a bind mount of this machine's /proc must not be walked into.
  for mounted in proc dev; do
    if mountpoint -q "$folder/$mounted"; then umount "$folder/$mounted" || return; fi
  done
  [ "$keep" = no ] || return 0
  rm -rf --one-file-system "$folder"
  [ -z "$temporary" ] || rmdir "$temporary"
}
trap cleanup EXIT

# shellcheck disable=SC2016
mirror="$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(CREATED_BY) $(REPO_URI)' |
  awk '$1 == "bookworm" && $2 == "main" && $3 == "Packages" { print $4; exit }')"
[ -n "$mirror" ] || { echo "this machine's apt knows no mirror of bookworm; run apt-get update" >&2; exit 3; }

echo "==== making a minimal Debian 12 in $folder" >&2
debootstrap --variant=minbase bookworm "$folder" "$mirror" >&2
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
mount -t proc proc "$folder/proc"
mount --bind /dev "$folder/dev"

inside="/home/a user/paceline"
mkdir -p "$folder/home/a user"
git clone --quiet --no-hardlinks "$root" "$folder$inside"

in_root() {
  chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" PACELINE_JOBS="${PACELINE_JOBS:-}" "$@"
}

echo "==== ./run --version, from nothing" >&2
in_root bash -c "cd / && '$inside/run' --version"
echo "==== ./run, the study of the README" >&2
in_root bash -c "cd '$inside' && ./run >/tmp/study.txt && head -n 40 /tmp/study.txt"
if [ "$check" = yes ]; then
  echo "==== ./check" >&2
  in_root bash -c "cd '$inside' && ./check"
fi
echo "==== done" >&2
