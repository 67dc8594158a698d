#!/usr/bin/env bash
# Puts Neovim 0.12 into a folder, for a Debian too old to package it, and prints the path of `nvim`.
#
#   editors/get-nvim.sh [FOLDER]      FOLDER: by default the project's .cache/editors
#
# The system stays as it is. Neovim, its C library and all that it needs come from a newer suite of
# the Debian mirror this machine uses already, are unpacked below FOLDER/neovim, and are told to
# look for each other there. Running it again does nothing, unless FOLDER was moved. A `nvim` on
# PATH that is new enough is taken instead. Needs: bash, apt, dpkg, awk, an amd64 or arm64 machine.
set -euo pipefail

wanted=0.12
suite=${CHATLS_NVIM_SUITE:-forky}

main() {
  local found nvim
  if found=$(type -P nvim) && new_enough "$found"; then
    echo "$found"
    return
  fi
  folder=${1:-$(dirname "$(realpath "$0")")/../.cache/editors}
  mkdir -p "$folder"
  folder=$(realpath "$folder")
  nvim=$folder/bin/nvim
  if ! new_enough "$nvim"; then
    unpack neovim patchelf
    make_at_home
    new_enough "$nvim" || fail "$nvim does not start, or is older than $wanted"
  fi
  echo "$nvim"
}

# new_enough NVIM: NVIM runs and its version is $wanted or later.
new_enough() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n '1s/^NVIM v//p') || return 1
  [ -n "$version" ] && printf '%s\n' "$wanted" "$version" | sort --version-sort --check=quiet
}

# unpack PACKAGE...: the packages of $suite with their whole closure, below $folder/neovim.
# apt resolves against an empty status file, so that nothing of this system counts as installed,
# and keeps its lists and its downloads in a folder that goes away.
unpack() {
  rm -rf "$folder/neovim"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  mkdir -p "$scratch"/{state/lists/partial,cache/archives/partial}
  : >"$scratch/status"
  local address
  address=$(mirror)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address $suite main" \
    >"$scratch/sources.list"
  cat >"$scratch/apt.conf" <<CONF
Dir::State "$scratch/state";
Dir::State::status "$scratch/status";
Dir::Cache "$scratch/cache";
Dir::Etc::sourcelist "$scratch/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Sandbox::User "";
APT::Install-Recommends "false";
APT::Get::Assume-Yes "true";
APT::Get::Download-Only "true";
Debug::NoLocking "true";
Acquire::Languages "none";
CONF
  quietly env APT_CONFIG="$scratch/apt.conf" apt-get update
  quietly env APT_CONFIG="$scratch/apt.conf" apt-get install "$@"
  local package
  for package in "$scratch"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$folder/neovim"
  done
}

# mirror: the address of the Debian mirror that this system's own sources name. apt names it only
# where its lists were fetched once, so that is done here on a system that never did.
mirror() {
  local address
  address=$(mirror_of_lists)
  if [ -z "$address" ]; then
    quietly apt-get update
    address=$(mirror_of_lists)
  fi
  [ -n "$address" ] || fail "apt on this system has no source for its own release"
  echo "$address"
}

mirror_of_lists() {
  local release
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
    awk -v release="$release" '$1 == release && !found { print $2; found = 1 }'
}

# make_at_home: the binary gets its own loader and libraries by name, rather than being started
# through the loader, because nvim runs itself again by the path of its executable.
make_at_home() {
  local root=$folder/neovim loader libraries
  loader=$(find "$root/usr/lib" "$root/usr/lib64" -name 'ld-linux-*.so.*' 2>/dev/null | head -n 1)
  [ -n "$loader" ] || fail "no C library was unpacked below $root"
  libraries=$(dirname "$(find "$root/usr/lib" -name libc.so.6 | head -n 1)")
  "$loader" --library-path "$libraries" "$root/usr/bin/patchelf" --force-rpath \
    --set-interpreter "$loader" --set-rpath "$libraries" "$root/usr/bin/nvim"
  mkdir -p "$folder/bin"
  cat >"$folder/bin/nvim" <<WRAPPER
#!/bin/sh
export VIM='$root/usr/share/nvim' VIMRUNTIME='$root/usr/share/nvim/runtime'
exec '$root/usr/bin/nvim' "\$@"
WRAPPER
  chmod +x "$folder/bin/nvim"
}

# quietly COMMAND...: shows what COMMAND says only where it fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "failed: ${*: -2}"; }
}

fail() {
  echo "get-nvim.sh: $*" >&2
  exit 1
}

main "$@"
