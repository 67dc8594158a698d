#!/usr/bin/env bash
# Builds the page: one HTML file with everything in it.
#
#   editors/web/build.sh ENGINE OUT
#
# ENGINE: chatls.wasm, of editors/packages/build-wasm.sh. OUT: the file to write. Installs npm's
# packages where they are missing.
set -euo pipefail

[ $# = 2 ] || { echo "usage: $0 ENGINE OUT" >&2; exit 2; }
engine=$(realpath "$1")
out=$(realpath "$2")
here=$(dirname "$(realpath "$0")")

# The preview and the tools are those of the extension of VS Code.
for folder in "$here/../vscode" "$here"; do
  [ -d "$folder/node_modules" ] ||
    npm --prefix "$folder" ci --ignore-scripts --no-fund --no-audit --loglevel=error
done
node "$here/scripts/build.mjs" "$engine" "$out"
