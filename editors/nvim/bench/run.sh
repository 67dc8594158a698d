#!/usr/bin/env bash
# Measures how long keys take in a large transcript in a real Neovim, with chatls and without it, one after the other.
#
#   editors/nvim/bench/run.sh BINARY [NVIM] [MEGABYTES] [KEYS]
#
# BINARY: the chatls to measure, a release build. It prints a table, and is no test: nothing fails for being slow.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../../..")
[ $# -ge 1 ] || { echo "usage: $0 BINARY [NVIM] [MEGABYTES] [KEYS]" >&2; exit 2; }
binary=$(realpath "$1")
nvim=$(realpath "${2:-$("$project/editors/get-nvim.sh")}")

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home"/{bin,src,work,.config/nvim}
ln -s "$binary" "$home/bin/chatls"
ln -s "$project" "$home/src/chatls"
awk '/^```lua$/ { inside = 1; next } /^```$/ && inside { exit } inside' \
  "$project/editors/nvim/README.md" >"$home/.config/nvim/init.lua"

cd "$home/work"
env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" LANG=C.UTF-8 TERM=xterm-256color \
  "$nvim" --clean --headless -l "$here/keys.lua" "${3:-5}" "${4:-150}" </dev/null
