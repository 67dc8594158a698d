#!/usr/bin/env bash
# Tests the extension in a real VS Code: code-server in Debian's Chromium, driven by Playwright.
#
#   editors/vscode/test/run.sh BINARY [FILTER]
#   editors/vscode/test/run.sh --screenshots BINARY     makes the pictures in editors/vscode/images anew
#   editors/vscode/test/run.sh --measure BINARY         types in a large transcript with and without the extension
#   editors/vscode/test/run.sh --web CHATLS_WASM [FILTER]   the extension of VS Code for the Web, without processes
#
# BINARY: the chatls that is packed into the extension. FILTER: a regular expression; only the tests
# whose names match it run. Exits with 1 where one fails; pictures of failures are in test/output.
# Installs what is missing: npm's packages, code-server into the project's .cache, and Chromium, of
# which see editors/get-chromium.sh.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
extension=$(dirname "$here")
project=$(realpath "$extension/../..")

main() {
  local screenshots=() measure=() web=() target inside=extension/server/chatls
  target=$(platform)
  if [ "${1:-}" = --screenshots ]; then
    screenshots=(--screenshots "$extension/images")
    shift
  elif [ "${1:-}" = --measure ]; then
    measure=(--measure yes)
    shift
  elif [ "${1:-}" = --web ]; then
    web=(--web yes) target=web inside=extension/dist/web/chatls.wasm
    shift
  fi
  [ $# -ge 1 ] || { echo "usage: $0 [--screenshots | --measure | --web] BINARY [FILTER]" >&2; exit 2; }
  local binary browser code_server
  binary=$(realpath "$1")
  # pngquant makes pictures small.
  browser=$("$project/editors/get-chromium.sh" ${screenshots:+pngquant})
  [ -d "$extension/node_modules" ] || quietly npm --prefix "$extension" ci --ignore-scripts --no-fund --no-audit
  code_server=$("$project/editors/get-code-server.sh")

  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  quietly node "$extension/scripts/package.mjs" --target "$target" --server "$binary" --out "$scratch/chatls.vsix"
  python3 -m zipfile --list "$scratch/chatls.vsix" | grep "$inside " >/dev/null ||
    fail "the server is missing in the package: is another one being made at the same time?"
  node "$here/main.mjs" --code-server "$code_server" --browser "$browser" --vsix "$scratch/chatls.vsix" \
    --scratch "$scratch" --output "$here/output" "${screenshots[@]}" "${measure[@]}" "${web[@]}" --filter "${2:-}"
}

# platform: as VS Code's extensions call it.
platform() {
  case $(uname -m) in
    aarch64) echo linux-arm64 ;;
    *) echo linux-x64 ;;
  esac
}

# quietly COMMAND...: prints the output of COMMAND only if it fails.
quietly() {
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; fail "failed: $*"; }
  rm -f "$log"
}

fail() {
  echo "run.sh: $*" >&2
  exit 1
}

main "$@"
