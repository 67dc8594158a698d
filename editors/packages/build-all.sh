#!/usr/bin/env bash
# Makes every package of every target from the binaries of all, and SHA256SUMS.
#
#   editors/packages/build-all.sh BINARIES FOLDER
#
# BINARIES: a folder with a folder `binary-TARGET` for each target of targets.json, and the binary in it.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# = 2 ] || usage
binaries=$1 folder=$2
CHATLS_HOST_BINARY=$(realpath "$binaries/binary-$(host)/chatls")
chmod 755 "$CHATLS_HOST_BINARY"
export CHATLS_HOST_BINARY
while read -r target; do
  binary=$binaries/binary-$target/$(executable "$target")
  [ -f "$binary" ] || fail "there is no $binary"
  # Artifacts of workflows lose it.
  chmod 755 "$binary"
  "$packages/build.sh" --target "$target" --binary "$binary" --out "$folder"
done < <("$packages/plan.sh" | sed -n 's/^targets=//p' | grep -o '"target": "[^"]*"' | cut -d'"' -f4)
"$packages/checksums.sh" "$folder"
