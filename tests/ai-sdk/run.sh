#!/usr/bin/env bash
# Tests that the AI SDK (versions 5, 6 and 7) makes of `chatls events` what the document says: its own
# readers, and a page with `useChat` in Chromium that `chatls events --serve` answers; and that it
# accepts the messages that `chatls convert` writes.
#
#   tests/ai-sdk/run.sh BINARY [FILE…]     FILE: by default the samples
#
# FILTER: a regular expression; of the page's tests, only those whose names match it run.
# Needs node and npm; the packages go below the project's .cache, and so do pictures of what the page
# shows where it fails. Of Chromium: editors/get-chromium.sh. Exits with 1 where something is read or
# shown otherwise.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
[ $# -ge 1 ] || { echo "usage: $0 BINARY [FILE…]" >&2; exit 2; }
binary=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- "$project"/samples/*.{md,jsonl,sse,ndjson}
browser=$("$project/editors/get-chromium.sh")

modules=$project/.cache/ai-sdk
mkdir -p "$modules"
if ! cmp --quiet "$here/package-lock.json" "$modules/package-lock.json"; then
  cp "$here"/package.json "$modules/"
  cp "$here"/package-lock.json "$modules/package-lock.new"
  mv "$modules/package-lock.new" "$modules/package-lock.json"
  npm --prefix "$modules" ci --ignore-scripts --no-fund --no-audit --loglevel=error ||
    { rm "$modules/package-lock.json"; exit 1; }
fi
# Modules are resolved from the file's folder, so the scripts are beside them.
rm -rf "$modules/tests"
cp -r "$here" "$modules/tests"

failed=0
node "$modules/tests/docs.mjs" "$project/docs/events.md" "$here"/chat/{chat.tsx,vite.config.mjs} || failed=1
"$modules/node_modules/.bin/tsc" --project "$modules/tests/chat" || failed=1
node "$modules/tests/read.mjs" "$binary" "$@" || failed=1
node "$modules/tests/messages.mjs" "$binary" "$@" "$project"/samples/*.json || failed=1
# The browser and the servers are others' programs, which may stop forever.
timeout --kill-after=10 900 \
  node "$modules/tests/chat/main.mjs" "$binary" "$browser" "$modules/failures" "$project/samples" "$@" ||
  { failed=$?; [ $failed -lt 124 ] || echo "the page's tests did not end in time" >&2; }
exit $failed
