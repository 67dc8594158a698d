#!/usr/bin/env bash
# Prints the version in Cargo.toml; with a tag, only if that is the tag of this version.
#
#   editors/packages/version.sh [TAG]        TAG: like v0.1.0
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# -le 1 ] || usage
version=$(version)
[ -n "$version" ] || fail "Cargo.toml has no version"
if [ $# = 1 ] && [ "$1" != "v$version" ]; then
  fail "the tag is $1, but Cargo.toml says $version: its tag is v$version"
fi
echo "$version"
