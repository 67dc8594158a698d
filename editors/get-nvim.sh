#!/usr/bin/env bash
# Puts Neovim 0.12 into a folder, for a Debian too old to package it, and prints the path of `nvim`.
#
#   editors/get-nvim.sh [FOLDER]      FOLDER: by default the project's .cache/editors
#
# How, and what it needs: deb-root.sh.
. "$(dirname "$(realpath "$0")")/deb-root.sh"

command=nvim wanted=0.12 suite=${CHATLS_NVIM_SUITE:-forky} packages=(neovim)

version_of() { "$1" --version | sed -n '1s/^NVIM v//p'; }

make_at_home() {
  patch usr/bin/nvim
  wrapper usr/bin/nvim VIM="$root/usr/share/nvim" VIMRUNTIME="$root/usr/share/nvim/runtime"
}

get_editor "$@"
