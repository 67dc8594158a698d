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

. tests/windows/wine.sh
# Those of the text, the rules and the forms are the same on every system, and so is the sweep over all
# features.
unit=(config:: cli:: files:: lsp:: run:: sessions::)
whole=(cases:: cli:: lsp::)

main() {
  install_wine
  [ "${1:-}" != --install ] || return 0
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine CARGO_PROFILE_DEV_DEBUG=0
  start_wine
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
  if cargo test --locked --target "$wine_target" "${kind[@]}" "$@" >"$log" 2>&1; then
    cat "$log"
  else
    cat "$log"
    mapfile -t names < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log")
    [ ${#names[@]} -gt 0 ] && grep -aq 'code: 1359' "$log" || return 1
    echo "once more: ${names[*]}"
    cargo test --locked --target "$wine_target" "${kind[@]}" -- --exact "${names[@]}"
  fi
  rm "$log"
}

main "$@"
