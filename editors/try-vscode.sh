#!/usr/bin/env bash
# VS Code for editors/try, which sources this: the extension is packed with the server inside and installed into a
# profile below $home, in the VS Code on PATH, or where there is none or no display, in code-server.

open_vscode() {
  local file=$1 extension program
  type -P npm >/dev/null || fail "needs npm (Node 20) to pack the extension"
  extension=$home/chatls.vsix
  pack
  settings
  if program=$(desktop_vscode); then
    on_desktop
  else
    in_browser
  fi
}

# pack: $extension, from editors/vscode.
pack() {
  local folder=$editors/vscode platform
  [ -d "$folder/node_modules" ] || npm --prefix "$folder" ci --no-fund --no-audit --loglevel=error >&2
  platform=$(node -p '`${process.platform}-${process.arch}`')
  as_guest node "$folder/scripts/package.mjs" --target "$platform" --server "$binary" --out "$extension" >&2
}

# settings: nothing is asked or shown first.
settings() {
  mkdir -p "$home/data/User"
  cat >"$home/data/User/settings.json" <<'JSON'
{
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoCheckUpdates": false,
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden"
}
JSON
}

on_desktop() {
  local options=(--user-data-dir "$home/data" --extensions-dir "$home/extensions")
  # Electron has no sandbox for root.
  [ "$(id -u)" != 0 ] || options+=(--no-sandbox)
  "$program" "${options[@]}" --install-extension "$extension" >/dev/null
  tell "Opening $file in $program. Close its window to end."
  "$program" "${options[@]}" --new-window --wait "$(dirname "$file")" "$file"
}

# in_browser: code-server listens on this machine alone, and asks for a password, because others may work on it too.
in_browser() {
  local password folder
  echo "Getting VS Code for the browser into .cache/editors, if it is not there yet." >&2
  # npm keeps the configuration and the cache that its user has; code-server, asked for its version, writes elsewhere.
  program=$(npm_config_userconfig="${npm_config_userconfig:-$HOME/.npmrc}" npm_config_cache="${npm_config_cache:-$HOME/.npm}" \
    HOME=$home "$editors/get-code-server.sh") || fail "install VS Code, put \`code\` on PATH, and call this again"
  folder=$(dirname "$file")
  password=$(node -p 'require("node:crypto").randomBytes(6).toString("hex")')
  printf 'auth: password\npassword: %s\nbind-addr: 127.0.0.1:0\ncert: false\n' "$password" >"$home/config.yaml"
  chmod 600 "$home/config.yaml"
  local options=(--config "$home/config.yaml" --user-data-dir "$home/data" --extensions-dir "$home/extensions")
  as_guest "$program" "${options[@]}" --install-extension "$extension" >"$home/log" 2>&1 || { cat "$home/log" >&2; fail "the extension was not installed"; }
  exec_as_guest "$program" "${options[@]}" --disable-telemetry --disable-update-check --disable-workspace-trust \
    --disable-getting-started-override --ignore-last-opened "$folder" >"$home/log" 2>&1 &
  code_server=$!
  trap 'kill "$code_server" 2>/dev/null || :; wait "$code_server" 2>/dev/null || :; tidy' EXIT
  address=$(listening)
  tell "VS Code is at $address/?$(node -p '
    const [folder, file, authority] = process.argv.slice(1);
    const payload = JSON.stringify([["openFile", `vscode-remote://${authority}${file}`]]);
    new URLSearchParams({ folder, payload }).toString()' \
    "$folder" "$file" "${address#http://}")"
  tell "The password is $password; Ctrl-C here ends it."
  wait "$code_server"
}

# listening: the address that code-server says it has.
listening() {
  local address i
  for ((i = 0; i < 300; i++)); do
    address=$(sed -n 's/.*listening on \(http:[^ ]*[0-9]\).*/\1/p' "$home/log")
    if [ -n "$address" ]; then
      echo "$address"
      return
    fi
    kill -0 "$code_server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$home/log" >&2
  fail "code-server did not start"
}
