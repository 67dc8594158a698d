#!/usr/bin/env bash
# Builds the program as it is released, and prints the path of the binary.
#
#   editors/packages/build-binary.sh TARGET
#
# TARGET is one of targets.json. On Linux zig links, so that binaries run with the old glibc that targets.json
# names, whatever is installed here; it comes from PyPI into the project's .cache. On Windows the C runtime is
# linked in. Needs cargo; rustup where the standard library of TARGET is missing.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

main() {
  [ $# = 1 ] || usage
  target=$1
  about_target "$target" runner >/dev/null || exit 2
  standard_library "$target"
  cd "$project"
  export CARGO_TARGET_X86_64_PC_WINDOWS_MSVC_RUSTFLAGS='-C target-feature=+crt-static'
  export CARGO_TARGET_AARCH64_PC_WINDOWS_MSVC_RUSTFLAGS='-C target-feature=+crt-static'
  case "$target" in
    *linux*) with_zig ;;
    *) cargo build --profile dist --locked --target "$target" >&2 ;;
  esac
  binary=${CARGO_TARGET_DIR:-target}/$target/dist/$(executable "$target")
  [ -f "$binary" ] || fail "cargo left no $binary"
  old_enough
  realpath "$binary"
}

with_zig() {
  local glibc zig
  zig=$(zig_environment)
  glibc=$(about_target "$target" glibc)
  PATH=$zig/bin:$PATH cargo zigbuild --profile dist --locked --target "$target${glibc:+.$glibc}" >&2
}

# old_enough: the binary asks for no newer glibc than it was built for.
old_enough() {
  local wanted needed
  wanted=$(about_target "$target" glibc)
  [ -n "$wanted" ] || return 0
  needed=$(glibc_needed "$binary")
  printf '%s\n' "$needed" "$wanted" | sort --version-sort --check=quiet ||
    fail "$binary needs glibc $needed, and $wanted has to do"
}

main "$@"
