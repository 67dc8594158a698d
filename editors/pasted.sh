#!/usr/bin/env bash
# Prints what a README tells its reader to paste: the first block of code whose first line is LINE.
#
#   editors/pasted.sh README LINE
#
# Tests set editors up with it, so that what is documented is what is tested.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 README LINE" >&2; exit 2; }

awk -v first="$2" '
  /^```/ && inside { exit }
  inside || (fence && $0 == first) { inside = 1; found = 1; print }
  { fence = /^```/ }
  END { exit !found }' "$1" || { echo "$1 has no block of code that begins with: $2" >&2; exit 1; }
