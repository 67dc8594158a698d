#!/usr/bin/env bash
# Makes every package of a target from its binary, and prints their names.
#
#   editors/packages/build.sh --target TARGET --binary BINARY --out FOLDER
#
# TARGET is one of targets.json. An archive, the two npm packages, a wheel, where Debian runs its package, and the
# extension for VS Code with the program inside. Runs on Linux, for every target. Needs what the scripts that it
# calls need.
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

# The extension is packed by its own script, which wants whole paths.
extension() {
  local file
  file=$(realpath "$out")/chatls-$(about_target "$target" vscode)-$(version).vsix
  [ -d "$project/editors/vscode/node_modules" ] || npm --prefix "$project/editors/vscode" ci --loglevel=error >&2
  node "$project/editors/vscode/scripts/package.mjs" --target "$(about_target "$target" vscode)" \
    --server "$(realpath "$binary")" --out "$file" >&2
  echo "$file"
}

main "$@"
