#!/usr/bin/env bash
# Makes every package of a target from its binary, and prints their names.
#
#   editors/packages/build.sh --target TARGET --binary BINARY --out FOLDER
#
# TARGET is one of targets.json. An archive, the two npm packages, a wheel, where Debian runs its package, and the
# extension for VS Code with the program inside. Runs on Linux, for every target.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

main() {
  options "$@"
  mkdir -p "$out"
  "$packages/archive.sh" "$@"
  "$packages/npm/build.mjs" "$@"
  "$packages/pypi/build.sh" "$@"
  [ -z "$(about_target "$target" deb)" ] || "$packages/debian/build.sh" "$@"
  extension
}

# The extension is packed by its own script.
extension() {
  local pack=$project/editors/vscode/package.sh
  [ -x "$pack" ] || fail "there is no $pack"
  "$pack" "$(about_target "$target" vscode)" "$binary" "$out"
}

main "$@"
