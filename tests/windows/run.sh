#!/usr/bin/env bash
# The tests on Windows: builds them with MinGW, and runs them under Wine.
#
#   tests/windows/run.sh [FILTER...]      the tests whose names contain one of the filters
#   tests/windows/run.sh --install        only installs what it needs
#
# Without filters: the unit tests of what depends on the system, and those of the command line and of
# the server. Pseudo terminals, signals and links of Unix are not tested there. Needs Debian 12 on
# amd64, as root or with the packages below, and Rust. Wine's files are in the project's .cache.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."

target=x86_64-pc-windows-gnu
packages=(gcc-mingw-w64-x86-64-win32 wine64 wine)
# Those of the text, the rules and the forms are the same on every system, and so is the sweep over all
# features.
unit=(config:: cli:: files:: lsp:: run:: sessions::)
whole=(cases:: cli:: lsp::)

main() {
  install
  [ "${1:-}" != --install ] || return 0
  export WINEPREFIX=$PWD/.cache/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine CARGO_PROFILE_DEV_DEBUG=0
  prepare
  # One server for all processes: they start in a tenth of the time.
  wineserver --persistent
  trap 'wineserver --kill' EXIT
  if [ $# -gt 0 ]; then
    unit=("$@") whole=("$@")
  fi
  tests --lib -- "${unit[@]}"
  tests --test main -- "${whole[@]}" --skip sweep
}

# tests KIND... -- ARGUMENT...: On a busy machine Wine sometimes fails to start a process, with error
# 1359 (ERROR_INTERNAL_ERROR). Then the tests that failed run once more.
tests() {
  local log kind=() names
  log=$(mktemp)
  while [ "$1" != -- ]; do
    kind+=("$1")
    shift
  done
  # No pipe: Wine's services would keep it open.
  if cargo test --locked --target "$target" "${kind[@]}" "$@" >"$log" 2>&1; then
    cat "$log"
  else
    cat "$log"
    mapfile -t names < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log")
    [ ${#names[@]} -gt 0 ] && grep -aq 'code: 1359' "$log" || return 1
    echo "once more: ${names[*]}"
    cargo test --locked --target "$target" "${kind[@]}" -- --exact "${names[@]}"
  fi
  rm "$log"
}

install() {
  local missing=()
  type -P x86_64-w64-mingw32-gcc >/dev/null && type -P wine >/dev/null || missing=("${packages[@]}")
  if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || { echo "missing: apt-get install ${missing[*]}" >&2; exit 1; }
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}"
  fi
  [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || rustup target add "$target"
}

# Makes Wine's drive C, with the library that it lacks.
prepare() {
  local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
  [ ! -e "$library" ] || return 0
  mkdir -p "$WINEPREFIX"
  wineboot --init >/dev/null 2>&1
  wineserver --wait
  x86_64-w64-mingw32-gcc -shared -o "$library" tests/windows/bcryptprimitives.c -ladvapi32
}

main "$@"
