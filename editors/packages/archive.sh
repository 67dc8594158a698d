#!/usr/bin/env bash
# Packs the program for a target with the licences, the README, the changelog, the manual, and what completes its
# arguments in shells, and prints the archive's name.
#
#   editors/packages/archive.sh --target TARGET --binary BINARY --out FOLDER
#
# A .zip for Windows, else a .tar.gz; the same input makes the same archive, to the byte. Needs python3 and GNU tar.
# The manual comes from the program: where it does not run here, CHATLS_HOST_BINARY names one that does.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

main() {
  options "$@"
  name=chatls-$(version)-$target
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  mkdir -p "$stage/$name" "$out"
  install -m 755 "$binary" "$stage/$name/$(executable "$target")"
  install -m 644 "$project"/{README.md,CHANGELOG.md,LICENSE-MIT,LICENSE-APACHE} "$stage/$name"
  completed "$stage/$name"
  find "$stage" -exec touch --no-dereference --date=2020-01-01T00:00:00Z {} +
  case "$target" in
    *windows*) zipped ;;
    *) tarred ;;
  esac
}

completed() {
  host_program man >"$1/chatls.1"
  mkdir "$1/completions"
  host_program completions bash >"$1/completions/chatls.bash"
  host_program completions fish >"$1/completions/chatls.fish"
  host_program completions zsh >"$1/completions/_chatls"
  host_program completions powershell >"$1/completions/_chatls.ps1"
}

zipped() {
  local archive=$out/$name.zip
  rm -f "$archive"
  (cd "$stage" && TZ=UTC python3 -m zipfile --create made.zip "$name")
  cp "$stage/made.zip" "$archive"
  echo "$archive"
}

tarred() {
  local archive=$out/$name.tar.gz
  tar --create --sort=name --owner=0 --group=0 --numeric-owner --directory "$stage" "$name" | gzip -9n >"$archive"
  echo "$archive"
}

main "$@"
