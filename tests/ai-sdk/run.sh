#!/usr/bin/env bash
# Tests that the AI SDK's own readers (versions 5, 6 and 7) make of `chatls events` what the document says.
#
#   tests/ai-sdk/run.sh BINARY [FILE…]     FILE: by default the samples
#
# Needs node and npm; the packages go below the project's .cache. Exits with 1 where something is read otherwise.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
[ $# -ge 1 ] || { echo "usage: $0 BINARY [FILE…]" >&2; exit 2; }
binary=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- "$project"/samples/*.{md,jsonl,sse,ndjson}

modules=$project/.cache/ai-sdk
mkdir -p "$modules"
if ! cmp --quiet "$here/package-lock.json" "$modules/package-lock.json"; then
  cp "$here"/package.json "$modules/"
  cp "$here"/package-lock.json "$modules/package-lock.new"
  mv "$modules/package-lock.new" "$modules/package-lock.json"
  npm --prefix "$modules" ci --ignore-scripts --no-fund --no-audit --loglevel=error ||
    { rm "$modules/package-lock.json"; exit 1; }
fi
cp "$here/read.mjs" "$modules/"
node "$modules/read.mjs" "$binary" "$@"
