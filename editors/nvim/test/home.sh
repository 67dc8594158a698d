# A user of their own for Neovim: nothing of this machine's Neovim is read or written.
#
# Sourced with the arguments BINARY [NVIM] by run.sh and ../bench/run.sh. Sets `home`, with `work` in it, and `nvim`; ends
# with a hint where BINARY is missing. NVIM: by default the one that editors/get-nvim.sh finds or installs.

project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
[ $# -ge 1 ] || { sed -n 's/^#   /usage: /p' "$0" >&2; exit 2; }
binary=$(realpath "$1")
nvim=$(realpath "${2:-$("$project/editors/get-nvim.sh")}")

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir -p "$home"/{bin,src,work,.config/nvim}
ln -s "$binary" "$home/bin/chatls"
ln -s "$project" "$home/src/chatls"
# The README's first Lua block is the whole init.lua.
awk '/^```lua$/ { inside = 1; next } /^```$/ && inside { exit } inside' \
  "$project/editors/nvim/README.md" >"$home/.config/nvim/init.lua"
[ -s "$home/.config/nvim/init.lua" ] || { echo "no Lua block in editors/nvim/README.md" >&2; exit 1; }

# Runs a Lua script in that Neovim, for at most so many seconds, with more arguments.
run_lua() {
  local seconds=$1 script=$2
  shift 2
  cd "$home/work"
  env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" LANG=C.UTF-8 TERM=xterm-256color \
    CHATLS_NVIM_PLUGINS="${CHATLS_NVIM_PLUGINS:-}" \
    timeout "$seconds" "$nvim" --clean --headless -l "$script" "$@" </dev/null
}
