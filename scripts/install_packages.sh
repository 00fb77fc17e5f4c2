#!/bin/sh
# Installs the packages of debian-packages.txt that are missing, after saying which and why. Prints nothing when all
# are there. All output goes to stderr. Exit code 3: something is missing and cannot be installed.
set -eu
exec 1>&2

list="$(dirname "$0")/debian-packages.txt"
packages=$(sed -n 's/^\([a-z0-9][^ ]*\) .*/\1/p' "$list")

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "paceline: not a Debian system; the build looks for the libraries listed in $list"
  exit 0
fi

# shellcheck disable=SC2086
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $packages 2>/dev/null | sed -n 's/^installed //p' || true)
missing=
for package in $packages; do
  case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

echo "paceline: installing what the build needs and this system lacks:"
for package in $missing; do
  awk -v package="$package" '$1 == package { print "  " $0 }' "$list"
done

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "paceline: this needs root and there is no sudo; as root, run: apt-get install$missing"
    exit 3
  fi
  as_root=sudo
  [ -t 0 ] || as_root="sudo -n"
fi

apt_get() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
install_missing() {
  # shellcheck disable=SC2086
  apt_get install -y --no-install-recommends $missing
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
updated=no
# shellcheck disable=SC2086
if ! apt-cache show --no-all-versions $missing >/dev/null 2>&1; then
  apt_get update || { echo "paceline: apt-get update failed; is the package mirror reachable?"; exit 3; }
  updated=yes
fi
if ! install_missing >"$log" 2>&1; then
  # The lists may be older than the mirror: read them again, once.
  if [ "$updated" = yes ] || ! apt_get update || ! install_missing >"$log" 2>&1; then
    cat "$log"
    echo "paceline: could not install$missing; see above"
    exit 3
  fi
fi
