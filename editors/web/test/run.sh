#!/usr/bin/env bash
# Tests the page in Debian's Chromium and Firefox, driven by Playwright.
#
#   editors/web/test/run.sh ENGINE [FILTER]
#   editors/web/test/run.sh --pictures ENGINE     makes the pictures in editors/web/images anew
#
# ENGINE: chatls as WebAssembly; see editors/web/build.sh. FILTER: a regular expression; only the
# tests whose names match it run. Installs what is missing: npm's packages and the browsers (see
# editors/get-chromium.sh). Pictures of failures are in test/output.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
editors=$(realpath "$here/../..")

main() {
  local pictures=
  if [ "${1:-}" = --pictures ]; then
    pictures=yes
    shift
  fi
  [ $# -ge 1 ] || { echo "usage: $0 [--pictures] ENGINE [FILTER]" >&2; exit 2; }
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # pngquant makes pictures small.
  CHROMIUM=$("$editors/get-chromium.sh" firefox-esr ${pictures:+pngquant})
  FIREFOX=$(type -P firefox-esr)
  "$editors/web/build.sh" "$1" "$scratch/chatls.html"
  export CHROMIUM FIREFOX SCRATCH=$scratch PAGE=$scratch/chatls.html OUTPUT=$here/output
  rm -rf "$OUTPUT"
  if [ -n "$pictures" ]; then
    node "$here/pictures.mjs" "$editors/web/images"
  else
    node --test --test-concurrency=1 --test-reporter=spec --test-name-pattern="${2:-.}" "$here"/*.test.mjs
  fi
}

main "$@"
