#!/usr/bin/env bash
# Puts VS Code as a web application (code-server) into a folder and prints the path of `code-server`.
#
#   editors/get-code-server.sh [FOLDER]      FOLDER: by default the project's .cache/editors
#
# It comes from the npm registry with a Node of its own, below FOLDER/code-server; the system stays
# as it is. Running it again does nothing. Needs: npm; for VS Code's own log files also python3,
# make and g++. CHATLS_CODE_SERVER and CHATLS_CODE_SERVER_NODE name other versions.
set -euo pipefail

wanted=${CHATLS_CODE_SERVER:-4.139.1}
wanted_node=${CHATLS_CODE_SERVER_NODE:-24}

main() {
  type -P npm >/dev/null || fail "npm is missing; Debian has it: apt-get install npm"
  folder=${1:-$(dirname "$(realpath "$0")")/../.cache/editors}
  mkdir -p "$folder"
  folder=$(realpath "$folder")
  home=$folder/code-server
  node=$home/node_modules/node-linux-$(architecture)
  vscode=$home/node_modules/code-server/lib/vscode
  start=$folder/bin/code-server
  if [ "$(version)" != "$wanted" ]; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    rm -rf "$home" "$start"
    unpack
    compile_logging
    thin_out
    write_start
    [ "$(version)" = "$wanted" ] || fail "$start does not start, or is not $wanted"
  fi
  echo "$start"
}

version() {
  "$start" --version 2>/dev/null | cut -d ' ' -f 1
}

# architecture: as npm's packages of Node call it.
architecture() {
  case $(uname -m) in
    x86_64) echo x64 ;;
    aarch64) echo arm64 ;;
    *) fail "there is no Node package for $(uname -m)" ;;
  esac
}

# unpack: no package's install script runs, because code-server's own compiles Kerberos and more
# that the editor starts without. What these scripts would install is installed here by name:
# a Node of the version that this VS Code is built for, then VS Code's own dependencies.
unpack() {
  mkdir -p "$home"
  echo '{ "private": true }' >"$home/package.json"
  npm_install "$home" "$(basename "$node")@$wanted_node"
  PATH=$node/bin:$PATH
  npm_install "$home" "code-server@$wanted"
  npm_install "$vscode"
  npm_install "$vscode/extensions"
}

npm_install() {
  quietly npm --prefix "$1" --ignore-scripts --omit=dev --no-fund --no-audit --no-update-notifier \
    install "${@:2}"
}

# compile_logging: without this native module VS Code runs, but writes no log.
compile_logging() {
  npm --prefix "$vscode" --no-ignore-scripts --nodedir="$node" rebuild @vscode/spdlog >"$log" 2>&1 ||
    echo "get-code-server.sh: @vscode/spdlog does not compile, so this VS Code writes no logs" >&2
}

# thin_out: half of it is for other systems, or for an assistant that nobody asks here.
thin_out() {
  local modules=$vscode/node_modules
  rm -rf "$modules"/@github "$modules"/@microsoft/mxc-sdk "$vscode/extensions/copilot" "$node/include" \
    "$modules"/node-pty/prebuilds/{win32,darwin}-* "$modules"/@vscode/ripgrep-universal/bin/{win32,darwin}*
}

# write_start: with a configuration file of its own, else code-server writes one into ~/.config.
write_start() {
  mkdir -p "$(dirname "$start")"
  echo 'auth: none' >"$home/config.yaml"
  cat >"$start" <<WRAPPER
#!/bin/sh
export CODE_SERVER_CONFIG="\${CODE_SERVER_CONFIG:-$home/config.yaml}"
exec '$node/bin/node' '$home/node_modules/code-server/out/node/entry.js' "\$@"
WRAPPER
  chmod +x "$start"
}

# quietly COMMAND...: shows what COMMAND says only where it fails.
quietly() {
  "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "failed: $*"; }
}

fail() {
  echo "get-code-server.sh: $*" >&2
  exit 1
}

main "$@"
