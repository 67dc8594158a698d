#!/usr/bin/env bash
# Writes SHA256SUMS into a folder: a line for each file in it, as `sha256sum --check` reads them.
#
#   editors/packages/checksums.sh FOLDER
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# = 1 ] || usage
cd "$1"
rm -f SHA256SUMS
sums=$(checksum ./*)
echo "${sums//.\//}" >SHA256SUMS
