#!/usr/bin/env bash
# Tests that the official packages of OpenAI and Anthropic accept the messages that chatls converts and repairs, and
# that a viewer of Claude Code's sessions and Inspect read the files that it repairs.
#
#   tests/readers/run.sh BINARY
#
# Needs python3 with venv; the packages go below the project's .cache. Exits with 1 where something is not accepted.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
[ $# = 1 ] || { echo "usage: $0 BINARY" >&2; exit 2; }
binary=$(realpath "$1")

venv=$project/.cache/readers
if ! cmp --quiet "$here/requirements.txt" "$venv/requirements.txt"; then
  bash -c 'set -euo pipefail; . "$1"; environments' "$0" "$project/editors/packages/lib.sh"
  python3 -m venv --clear "$venv"
  "$venv/bin/python" -m pip --disable-pip-version-check install --quiet --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/"
fi
cd "$project/samples"
export PYTHONDONTWRITEBYTECODE=1
failed=0
"$venv/bin/python" "$here/readers.py" "$binary" *.chat.md *.chat.json *.jsonl *.sse *.ndjson || failed=1
"$venv/bin/python" "$here/sessions.py" "$binary" || failed=1
exit $failed
