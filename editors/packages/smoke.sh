#!/usr/bin/env bash
# Installs the packages for a target from a folder, as their users do, and looks that they work.
#
#   editors/packages/smoke.sh FOLDER [TARGET]
#
# FOLDER: what build.sh made. TARGET: if not that of this machine, one whose programs start here; npm and pip are
# told to install for it. The archive's program is the measure: what they install has to say the same, with the same
# exit status, and has to answer an editor. All is installed into a throw-away folder, and nothing is downloaded.
# Runs on Linux, macOS and Windows (Git Bash); needs node, npm, python3, tar.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

main() {
  [ $# = 1 ] || [ $# = 2 ] || usage
  dist=$(cd "$1" && pwd)
  target=${2:-$(host)}
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  cp "$project/samples/broken.chat.md" "$home"
  cd "$home"
  archive
  [ "$target" = "$(host)" ] || for_other
  npm_packages
  npm_without_program
  wheel
}

archive() {
  local name
  name=chatls-$(version)-$target
  case "$target" in
    # Python leaves out the modes of the files.
    *windows*) python3 -m zipfile --extract "$dist/$name.zip" . && chmod +x "$name/chatls.exe" ;;
    *) tar -xzf "$dist/$name.tar.gz" ;;
  esac
  reference=$home/$name/$(executable "$target")
  local file
  for file in LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md chatls.1 completions/_chatls; do
    [ -s "$name/$file" ] || fail "the archive lacks $file"
  done
  [ "$("$reference" --version)" = "chatls $(version)" ] || fail "the program is not of version $(version)"
  status=0
  "$reference" check broken.chat.md >expected 2>&1 || status=$?
  [ "$status" = 1 ] || fail "the program ends with $status where faults are found"
  answers "$reference"
  passed archive
}

# for_other: npm and pip install for the target. Pip does so only into folders.
for_other() {
  PIP_PLATFORM=$(wheel_platform "$target" "$reference")
  export PIP_PLATFORM PIP_ONLY_BINARY=:all: npm_config_force=true
}

npm_packages() {
  local program
  program=$(about_target "$target" npm.name)
  mkdir npm && cp broken.chat.md npm
  npm_install npm "$dist/chatls-$(version).tgz" "$dist/chatls-$program-$(version).tgz"
  cd npm
  same npx --loglevel=error --offline --no-install chatls
  same node node_modules/chatls/bin/chatls.js
  cd ..
  answers node npm/node_modules/chatls/bin/chatls.js
  passed npm
  npm_scripts "$program"
}

# If install scripts run, the program itself is on PATH; otherwise a script that starts it.
npm_scripts() {
  local program=$1 place=node_modules/chatls/bin/chatls
  case "$target" in
    *windows*) ! cmp --quiet "npm/$place" "$reference" || fail "npm on Windows cannot start a program in the place of a script" ;;
    *)
      cmp "npm/$place" "$reference" || fail "install.js did not put the program into its place"
      [ "npm/$place" -ef "npm/node_modules/@chatls/$program/bin/chatls" ] || fail "the program is there twice, and not as a hard link"
      same npm/node_modules/.bin/chatls
      ;;
  esac
  mkdir scripts-off && cp broken.chat.md scripts-off
  npm_install scripts-off --ignore-scripts "$dist/chatls-$(version).tgz" "$dist/chatls-$program-$(version).tgz"
  head -1 "scripts-off/$place" | grep -q node || fail "something replaced the script though scripts are off"
  (cd scripts-off && same npx --loglevel=error --offline --no-install chatls)
  answers node "scripts-off/$place"
  passed "npm, with scripts and without"
}

# The message contains the remedy, and the status is that of an error.
npm_without_program() {
  mkdir alone
  npm_install alone "$dist/chatls-$(version).tgz"
  local found=0
  node alone/node_modules/chatls/bin/chatls.js check >said 2>&1 || found=$?
  [ "$found" = 2 ] || fail "the launcher alone ends with $found"
  grep -q 'is not installed' said && grep -q -e '--no-optional' said || { cat said; fail "the message is unclear"; }
  CHATLS_BINARY=$reference same node alone/node_modules/chatls/bin/chatls.js
  passed "npm, without the program"
}

npm_install() {
  local folder=$1
  shift
  npm install --prefix "$folder" --offline --no-fund --no-audit --no-update-notifier --loglevel=error "$@" >/dev/null
}

wheel() {
  environments
  python3 -m venv python
  local scripts=python/bin
  [ -d "$scripts" ] || scripts=python/Scripts
  [ -n "${PIP_PLATFORM:-}" ] || wheel_in_environment "$scripts"
  # Into a folder, as tools that bundle packages do it.
  "$scripts/python" -m pip --disable-pip-version-check install --quiet --no-index --find-links "$dist" --target folder chatls
  if [ -e folder/bin/chatls.exe ] && [ "$target" != "$(host)" ]; then
    # Python would have to be that of Windows.
    same folder/bin/chatls.exe
    passed "wheel, without Python"
    return
  fi
  PYTHONPATH=folder same "$scripts/python" -m chatls
  rm -r folder/bin
  local found=0
  PYTHONPATH=folder "$scripts/python" -m chatls >said 2>&1 || found=$?
  [ "$found" = 2 ] && grep -q 'force-reinstall' said || { cat said; fail "the message is unclear (status $found)"; }
  passed wheel
}

wheel_in_environment() {
  "$1/python" -m pip --disable-pip-version-check install --quiet --no-index --find-links "$dist" chatls
  same "$1/chatls"
  same "$1/python" -m chatls
  answers "$1/chatls"
  answers "$1/python" -m chatls
  rm "$1"/chatls*
}

# same COMMAND...: its output for the sample equals that of the archive's program, with the same
# status.
same() {
  local found=0
  "$@" check broken.chat.md >"$home/said" 2>&1 || found=$?
  diff "$home/expected" "$home/said" || fail "$* says something else"
  [ "$found" = "$status" ] || fail "$* ends with $found, not with $status"
}

# answers COMMAND...: an editor gets its answers through it.
answers() {
  local said
  said=$(node "$packages/lsp-hello.mjs" "$@" serve)
  [ "$said" = "chatls $(version)" ] || fail "$* says $said to an editor"
}

passed() {
  echo "ok: $*"
}

main "$@"
