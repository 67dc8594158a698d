#!/usr/bin/env bash
# Compares chatls.wasm with the program of this machine: the same answers to all requests on all
# samples; tests how it asks its client; and installs its npm package.
#
#   tests/wasm/run.sh CHATLS CHATLS_WASM [FOLDER...]     the transcripts in FOLDERs, too
#
# Needs Node.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")

main() {
  [ $# -ge 2 ] || { echo "usage: run.sh CHATLS CHATLS_WASM [FOLDER...]" >&2; exit 2; }
  export CHATLS CHATLS_WASM CHATLS_OTHER CHATLS_FOLDERS
  CHATLS=$(realpath "$1") CHATLS_WASM=$(realpath "$2") CHATLS_OTHER=$CHATLS_WASM CHATLS_FOLDERS=$(IFS=:; echo "${*:3}")
  compact
  node --test --test-reporter=dot "$here/session.test.mjs" "$here/same.test.mjs"
  package
}

# Few people would wait for a page of more.
compact() {
  local size
  size=$(node -e '
    const { brotliCompressSync } = require("node:zlib");
    console.log(brotliCompressSync(require("node:fs").readFileSync(process.argv[1])).length)' "$CHATLS_WASM")
  echo "chatls.wasm: $size bytes compressed"
  [ "$size" -le 1510000 ] || { echo "it may have 1510000" >&2; return 1; }
}

# The package is usable by its name.
package() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  "$project/editors/packages/npm/build.mjs" --wasm "$CHATLS_WASM" --out "$scratch" >/dev/null
  cd "$scratch"
  echo '{ "private": true }' >package.json
  npm install --offline --no-fund --no-audit --loglevel=error ./chatls-wasm-*.tgz >/dev/null
  node --input-type=module -e '
    import assert from "node:assert/strict";
    import { readFileSync } from "node:fs";
    import { Chatls } from "chatls-wasm";
    const wasm = readFileSync(new URL(import.meta.resolve("chatls-wasm/chatls.wasm")));
    const document = (await Chatls.start(wasm)).open(readFileSync(process.argv[1], "utf8"));
    assert.ok(document.calls().length > 0);' "$project/samples/session.jsonl"
  echo "ok: package"
}

main "$@"
