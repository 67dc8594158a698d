#!/usr/bin/env bash
# Measures how long keys take in a large transcript in a real Neovim, with chatls and without it, in turns.
#
#   editors/nvim/bench/run.sh BINARY [NVIM] [MEGABYTES] [KEYS]
#
# BINARY: the chatls to measure, a release build. It prints a table, and is no test: nothing fails for being slow.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
. "$here/../test/home.sh"

run_lua 3600 "$here/keys.lua" "${3:-5}" "${4:-1000}"
