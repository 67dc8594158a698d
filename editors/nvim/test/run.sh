#!/usr/bin/env bash
# Tests chatls in a real Neovim, set up as editors/nvim/README.md tells a user to.
#
#   editors/nvim/test/run.sh BINARY [NVIM] [FILTER]
#
# BINARY: the chatls to test. NVIM: by default the one that editors/get-nvim.sh finds or installs.
# FILTER: a Lua pattern; only the tests whose names match it run. Exits with 1 where one fails.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../../..")
[ $# -ge 1 ] || { echo "usage: $0 BINARY [NVIM] [FILTER]" >&2; exit 2; }
binary=$(realpath "$1")
nvim=$(realpath "${2:-$("$project/editors/get-nvim.sh")}")

# A user of their own: nothing of this machine's Neovim is read or written.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home"/{bin,src,work,.config/nvim}
ln -s "$binary" "$home/bin/chatls"
ln -s "$project" "$home/src/chatls"
# The README's first Lua block is the whole init.lua.
awk '/^```lua$/ { inside = 1; next } /^```$/ && inside { exit } inside' \
  "$project/editors/nvim/README.md" >"$home/.config/nvim/init.lua"
[ -s "$home/.config/nvim/init.lua" ] || { echo "no Lua block in editors/nvim/README.md" >&2; exit 1; }

cd "$home/work"
env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" LANG=C.UTF-8 TERM=xterm \
  timeout 1200 "$nvim" --clean --headless -l "$here/e2e.lua" "$here/data" "${3:-}" </dev/null
