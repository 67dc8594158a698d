#!/usr/bin/env bash
# Functions shared by the scripts of this folder. Sourced, not run:  . "$(dirname "$0")/lib.sh"

packages=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$packages/../.." && pwd)
script=$(basename "$0")

fail() {
  echo "$script: $*" >&2
  exit 1
}

# usage: shows the comment at the top of the script that was called, and ends with the status 2.
usage() {
  [ $# = 0 ] || echo "$script: $*" >&2
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0" >&2
  exit 2
}

# need COMMAND DEBIAN-PACKAGE: installs the package where COMMAND is not there, or ends with a clear message.
need() {
  command -v "$1" >/dev/null || install_package "$2" || fail "needs \`$1\`; on Debian: apt-get install $2"
}

# install_package PACKAGE...: on Debian and the like, for root.
install_package() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo "$script: installing $*" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq "$@"; } >&2
}

# version: the version of the package in Cargo.toml.
version() {
  awk -F'"' '/^\[/ { inside = $0 == "[package]" } inside && $1 ~ /^version *= *$/ { print $2; exit }' \
    "$project/Cargo.toml"
}

# about_target TARGET FIELD: the value of FIELD, like npm.name, for TARGET in targets.json; empty if absent.
about_target() {
  python3 - "$packages/targets.json" "$@" <<'PYTHON'
import json, sys
targets = json.load(open(sys.argv[1], encoding="utf-8"))
if sys.argv[2] not in targets:
    sys.exit("unknown target %r; known are: %s" % (sys.argv[2], ", ".join(targets)))
value = targets[sys.argv[2]]
for name in sys.argv[3].split("."):
    value = value.get(name, "")
print(value)
PYTHON
}

# host: the target that runs here.
host() {
  case "$(uname -s)" in
    Linux) echo "$(machine)-unknown-linux-$(libc)" ;;
    Darwin) echo "$(machine)-apple-darwin" ;;
    MINGW* | MSYS* | CYGWIN*) echo "$(windows_machine)-pc-windows-msvc" ;;
    *) fail "there are no packages for $(uname -s)" ;;
  esac
}

# musl's ldd names itself on stderr, and fails.
libc() {
  case "$(ldd --version 2>&1)" in
    *musl*) echo musl ;;
    *) echo gnu ;;
  esac
}

machine() {
  uname -m | sed 's/^arm64$/aarch64/'
}

# uname of Git for Windows runs emulated on ARM and does not know it.
windows_machine() {
  case "${PROCESSOR_ARCHITEW6432:-${PROCESSOR_ARCHITECTURE:-}}$(uname -sm)" in
    *ARM64* | *aarch64*) echo aarch64 ;;
    *) echo x86_64 ;;
  esac
}

# host_program ARGUMENT...: runs $binary, or in its place the one of this machine that CHATLS_HOST_BINARY names.
host_program() {
  local program=${CHATLS_HOST_BINARY:-$binary}
  "$program" "$@" || fail "$program does not run here as \`chatls $*\`: name one that does in CHATLS_HOST_BINARY"
}

# executable TARGET: how the program is called there.
executable() {
  case "$1" in
    *windows*) echo chatls.exe ;;
    *) echo chatls ;;
  esac
}

# glibc_needed BINARY: the oldest glibc that has all that BINARY asks of it, like 2.17.
glibc_needed() {
  need readelf binutils
  readelf --version-info --wide "$1" | grep -o 'GLIBC_[0-9.]*' | sed 's/^GLIBC_//' | sort --version-sort | tail -n 1
}

# wheel_platform TARGET BINARY: the tag of its wheel; for glibc, with the oldest one that BINARY runs with.
wheel_platform() {
  local platform
  platform=$(about_target "$1" wheel)
  if [[ $platform == *"{glibc}"* ]]; then
    platform=${platform/"{glibc}"/$(glibc_needed "$2" | tr . _)}
  fi
  echo "$platform"
}

# checksum FILE...: lines that `sha256sum --check` reads.
checksum() {
  if command -v sha256sum >/dev/null; then
    sha256sum --text "$@"
  else
    shasum -a 256 "$@"
  fi
}

# python_environment: a Python of the project's own, with pip, below .cache; prints its folder.
python_environment() {
  local folder=$project/.cache/packages/python
  environments
  if ! "$folder/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    python3 -m venv "$folder" >&2
  fi
  echo "$folder"
}

# zig_environment: the same with cargo-zigbuild, and zig, which that looks for in the Python on PATH.
zig_environment() {
  local folder
  folder=$(python_environment)
  "$folder/bin/python" -m pip --disable-pip-version-check install --quiet 'cargo-zigbuild==0.24.0' 'ziglang==0.15.2' >&2
  echo "$folder"
}

# standard_library TARGET: Rust's, installed where it is missing.
standard_library() {
  [ -d "$(rustc --print target-libdir --target "$1")" ] || rustup target add "$1" >&2
}

# environments: Debian's python3 makes none without a package more.
environments() {
  python3 -c 'import ensurepip, venv' 2>/dev/null || install_package python3-venv ||
    fail "python3 makes no environments; on Debian: apt-get install python3-venv"
}

# options --target TARGET --binary BINARY --out FOLDER: sets $target, $binary and $out.
options() {
  target='' binary='' out=''
  while [ $# -ge 2 ]; do
    case "$1" in
      --target) target=$2 ;;
      --binary) binary=$2 ;;
      --out) out=$2 ;;
      *) usage "unknown option $1" ;;
    esac
    shift 2
  done
  [ $# = 0 ] && [ -n "$target" ] && [ -n "$binary" ] && [ -n "$out" ] || usage
  about_target "$target" runner >/dev/null || exit 2
  [ -f "$binary" ] || fail "there is no binary $binary"
}

# prerelease: whether the version is one that is tried before the release, like 0.2.0-rc.1.
prerelease() {
  case "$(version)" in
    *-*) echo true ;;
    *) echo false ;;
  esac
}
