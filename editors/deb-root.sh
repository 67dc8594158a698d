#!/usr/bin/env bash
# Puts an editor of a newer Debian into a folder, and leaves the system as it is. For the get-*.sh
# beside it, which source it and say what they want:
#
#   command=NAME wanted=VERSION suite=DEBIAN packages=(…)
#   version_of PROGRAM        prints the version of it, or fails
#   make_at_home              tells what is unpacked below $root to look for each other there, and
#                             writes $folder/bin/$command: see `patch` and `wrapper`
#   get_editor [FOLDER]       then does it all and prints the path of the editor
#
# FOLDER is by default the project's .cache/editors. The editor, its C library and all that it needs
# come from the Debian mirror that this machine uses already, and are unpacked below $root. Running
# it again does nothing, unless FOLDER was moved. An editor on PATH that is new enough is taken
# instead. Needs: bash, apt, dpkg, awk, an amd64 or arm64 machine.
set -euo pipefail

get_editor() {
  local found editor
  if found=$(type -P "$command") && new_enough "$found"; then
    echo "$found"
    return
  fi
  folder=${1:-$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../.cache/editors}
  mkdir -p "$folder/bin"
  folder=$(realpath "$folder")
  root=$folder/${packages[0]}
  editor=$folder/bin/$command
  if ! new_enough "$editor"; then
    unpack
    make_at_home
    new_enough "$editor" || fail "$editor does not start, or is older than $wanted"
  fi
  echo "$editor"
}

# new_enough PROGRAM: it runs, and its version is $wanted or later.
new_enough() {
  local version
  [ -x "$1" ] && version=$(version_of "$1" 2>/dev/null) || return 1
  [ -n "$version" ] && printf '%s\n' "$wanted" "$version" | sort --version-sort --check=quiet
}

# unpack: the $packages of $suite with their whole closure, below $root. apt resolves against an
# empty status file, so that nothing of this system counts as installed, and keeps its lists and its
# downloads in a folder that goes away.
unpack() {
  rm -rf "$root"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  mkdir -p "$scratch"/{state/lists/partial,cache/archives/partial}
  : >"$scratch/status"
  local address package
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
  quietly env APT_CONFIG="$scratch/apt.conf" apt-get install "${packages[@]}" patchelf
  for package in "$scratch"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$root"
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

# patch PROGRAM...: each, named from $root, gets its own loader and libraries by name, rather than
# being started through the loader, because editors run themselves again by the path of their file.
patch() {
  local loader libraries program
  loader=$(find "$root/usr/lib" "$root/usr/lib64" -name 'ld-linux-*.so.*' 2>/dev/null | head -n 1)
  [ -n "$loader" ] || fail "no C library was unpacked below $root"
  libraries=$(dirname "$(find "$root/usr/lib" -name libc.so.6 | head -n 1)")
  for program; do
    "$loader" --library-path "$libraries" "$root/usr/bin/patchelf" --force-rpath \
      --set-interpreter "$loader" --set-rpath "$libraries" "$root/$program"
  done
}

# wrapper PROGRAM [VARIABLE=VALUE]... [-- ARGUMENT...]: $folder/bin/$command runs PROGRAM, named
# from $root, with these variables and first arguments.
wrapper() {
  local program=$root/$1 line='exec'
  shift
  {
    echo '#!/bin/sh'
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
      echo "export ${1%%=*}='${1#*=}'"
      shift
    done
    line+=" '$program'"
    [ $# = 0 ] || shift
    for argument; do line+=" '$argument'"; done
    echo "$line \"\$@\""
  } >"$folder/bin/$command"
  chmod +x "$folder/bin/$command"
}

# quietly COMMAND...: shows what COMMAND says only where it fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "failed: ${*: -2}"; }
}

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}
