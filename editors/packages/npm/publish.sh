#!/usr/bin/env bash
# Publishes the npm packages in a folder: first those with the programs, then `chatls`, which depends on them,
# and `chatls-wasm`.
#
#   editors/packages/npm/publish.sh FOLDER [OPTION...]        OPTION: for `npm publish`, like --dry-run
#
# What is published already is passed over, so that it can be run again. Versions to be tried get the tag `next`.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"

main() {
  [ $# -ge 1 ] || usage
  cd "$1"
  shift
  local version tarball
  version=$(version)
  for tarball in chatls-cli-*-"$version".tgz "chatls-$version.tgz" "chatls-wasm-$version.tgz"; do
    [ -f "$tarball" ] || fail "there is no $tarball in $PWD"
    publish "$tarball" "$@"
  done
}

publish() {
  local tarball=$1 name tag=latest
  shift
  name=$(tar -xOf "$tarball" package/package.json | sed -n 's/^  "name": "\(.*\)",$/\1/p')
  [ "$(prerelease)" = false ] || tag=next
  if npm view "$name@$(version)" version >/dev/null 2>&1; then
    echo "$name $(version) is published already"
  else
    npm publish "./$tarball" --access public --tag "$tag" "$@"
  fi
}

main "$@"
