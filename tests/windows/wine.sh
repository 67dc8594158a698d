#!/usr/bin/env bash
# Functions shared by the scripts of this folder. Sourced, not run, in the project's folder.

wine_target=x86_64-pc-windows-gnu
wine_packages=(gcc-mingw-w64-x86-64-win32 wine64 wine)

# install_wine: MinGW, Wine, and Rust's library for Windows.
install_wine() {
  local missing=()
  type -P x86_64-w64-mingw32-gcc >/dev/null && type -P wine >/dev/null || missing=("${wine_packages[@]}")
  if [ ${#missing[@]} -gt 0 ]; then
    [ "$(id -u)" = 0 ] || { echo "missing: apt-get install ${missing[*]}" >&2; exit 1; }
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${missing[@]}"
  fi
  [ -d "$(rustc --print sysroot)/lib/rustlib/$wine_target" ] || rustup target add "$wine_target"
}

# start_wine: starts one server for all processes, so that they start in a tenth of the time. End it
# with `wineserver --kill`.
start_wine() {
  export WINEPREFIX=$PWD/.cache/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
  make_drive
  wineserver --persistent
}

# make_drive: Wine's drive C, as Windows 10, with the library that Wine lacks.
make_drive() {
  local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
  [ ! -e "$library" ] || return 0
  mkdir -p "$WINEPREFIX"
  wineboot --init >/dev/null 2>&1
  wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null
  wineserver --wait
  x86_64-w64-mingw32-gcc -shared -o "$library" tests/windows/bcryptprimitives.c -ladvapi32
}
