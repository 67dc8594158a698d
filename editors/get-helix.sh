#!/usr/bin/env bash
# Puts Helix 25.07 into a folder, for a Debian too old to package it, and prints the path of `hx`.
#
#   editors/get-helix.sh [FOLDER]     FOLDER: by default the project's .cache/editors
#
# How, and what it needs: deb-root.sh.
. "$(dirname "$(realpath "$0")")/deb-root.sh"

command=hx wanted=25.07 suite=${CHATLS_HELIX_SUITE:-forky} packages=(hx)

version_of() { "$1" --version | sed -n '1s/^helix \([0-9.]*\).*/\1/p'; }

make_at_home() {
  patch usr/bin/hx
  wrapper usr/bin/hx HELIX_RUNTIME="$root/usr/lib/hx/runtime"
}

get_editor "$@"
