#!/usr/bin/env bash
# Tests editors/try: each editor opens a sample with its diagnostics, leaves nothing behind, and
# does not change the home.
#
#   editors/test-try.sh BINARY WASM [EDITOR…]
#
# BINARY and WASM: the chatls and the chatls.wasm to try, which are not built again. EDITOR: by
# default all. The editors come from editors/get-*.sh. Needs tmux and curl; for vscode and web npm.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
patience=${patience:-60}

main() {
  [ $# -ge 2 ] || { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0" >&2; exit 2; }
  local program
  for program in tmux curl; do
    type -P "$program" >/dev/null || fail "needs $program; on Debian: apt-get install $program"
  done
  CHATLS_BINARY=$(realpath "$1") CHATLS_WASM=$(realpath "$2")
  export CHATLS_BINARY CHATLS_WASM
  shift 2
  [ $# -gt 0 ] || set -- answers nvim helix emacs vscode web
  scratch=$(mktemp -d) opened=0
  socket=$scratch/tmux
  trap 'tmux kill-server 2>/dev/null || :; rm -rf "$scratch"' EXIT
  # npm, which installs what a clone lacks, keeps the configuration and the cache that its user has.
  export npm_config_userconfig="${npm_config_userconfig:-$HOME/.npmrc}" npm_config_cache="${npm_config_cache:-$HOME/.npm}"
  # The home of a user: its configuration must not be used, and it must stay unchanged.
  mkdir -p "$scratch"/{home,tmp,bin}
  printf '#!/bin/sh\n' >"$scratch/bin/code"
  chmod +x "$scratch/bin/code"
  echo mine >"$scratch/home/.profile"
  export HOME=$scratch/home TMPDIR=$scratch/tmp
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME DISPLAY WAYLAND_DISPLAY
  local editor
  for editor; do
    "test_$editor"
    nothing_left
    echo "ok: $editor"
  done
}

# Without an editor it lists them; an error has the status 2.
test_answers() {
  local said editor
  said=$("$here/try")
  for editor in vscode nvim helix emacs web; do
    [[ $said == *"  $editor "* ]] || fail "the list lacks $editor: $said"
  done
  [[ $("$here/try" --help) == *'editors/try EDITOR'* ]] || fail "--help does not help"
  refuses 'there is no `notepad` here; there are: vscode, nvim' notepad
  refuses 'there is no file /nowhere.md' nvim /nowhere.md
  CHATLS_BINARY=/nowhere refuses 'CHATLS_BINARY is no program' nvim
  desktop
  late_writer
  closed_terminal
}

# Closing a terminal removes the home, too.
closed_terminal() {
  open nvim
  sees 'expected `,`'
  tmux kill-server
  local tenth
  for ((tenth = 0; tenth < 150; tenth++)); do
    [ -n "$(ls -A "$TMPDIR")" ] || return 0
    sleep 0.1
  done
}

# The home stays until the last program of an editor has ended, so that none makes it again.
late_writer() {
  cat >"$scratch/bin/nvim" <<EOF
#!/bin/sh
[ "\$1" != --version ] || exec echo NVIM v1.0.0
(sleep 2; mkdir -p "\$HOME/late"; echo >$(printf '%q' "$scratch/written")) >/dev/null 2>&1 &
EOF
  chmod +x "$scratch/bin/nvim"
  with_stand_ins nvim >/dev/null || fail "a stand-in for nvim does not open"
  rm "$scratch/bin/nvim"
  [ -f "$scratch/written" ] || fail "the home is removed while a program of the editor runs"
  nothing_left
}

refuses() {
  local message=$1 status=0
  shift
  "$here/try" "$@" >"$scratch/said" 2>&1 || status=$?
  [ "$status" = 2 ] && grep -qF "$message" "$scratch/said" || fail "$* ends with $status: $(cat "$scratch/said")"
}

# A VS Code on PATH gets a profile of its own, but only if it can open a window.
desktop() {
  local code="vscode *$scratch/bin/code"
  [[ $(DISPLAY=:9 with_stand_ins) =~ $code ]] || fail "code on PATH is not seen"
  [[ ! $(with_stand_ins) =~ $code ]] || fail "code is taken without a display"
  [[ ! $(DISPLAY=:9 VSCODE_IPC_HOOK_CLI=x with_stand_ins) =~ $code ]] || fail "the user's own window of VS Code would be taken"
}

with_stand_ins() {
  PATH=$scratch/bin:$PATH "$here/try" "$@"
}

test_nvim() {
  open nvim
  sees 'expected `,`'
  ends ':qa!' Enter
}

test_helix() {
  open helix
  sees 'expected `,`'
  ends ':q!' Enter
}

test_emacs() {
  open emacs
  # The mode line of flymake: 15 errors.
  sees '[15 '
  ends C-x C-c
}

test_vscode() {
  in_a_window
  open vscode
  sees 'The password is'
  local address password
  address=$(screen | grep -Eo 'http://127\.0\.0\.1:[0-9]+/\?folder=[^ ]*&payload=[^ ]*broken\.chat\.md[^ ]*') || fail "no address opens the sample"
  address=${address%%/\?*}
  password=$(screen | sed -n 's/.*The password is \([0-9a-f]*\);.*/\1/p')
  curl --silent --fail --cookie-jar "$scratch/cookies" --data "password=$password" "$address/login" --output /dev/null ||
    fail "the password does not open $address"
  curl --silent --fail --location --cookie "$scratch/cookies" "$address/" | grep -c 'vscode-workbench-web-configuration' >/dev/null ||
    fail "$address is no VS Code"
  [ -n "$(find "$TMPDIR"/chatls-try-*/extensions -path '*chatls*/server/chatls*' -type f)" ] ||
    fail "the extension is not installed with a server inside"
  [[ $(curl --silent --output /dev/null --write-out '%{redirect_url}' "$address/") == */login* ]] || fail "it opens without a password"
  ends C-c
}

# The address has the sample in it.
test_web() {
  open web
  sees 'Ctrl-C here ends it'
  local address
  address=$(screen | tr -d '\n ' | grep -Eo 'http://127\.0\.0\.1:[0-9]+/#t=[A-Za-z0-9_-]+') || fail "no address opens the sample"
  [ "$(node -p 'JSON.parse(require("zlib").inflateRawSync(Buffer.from(process.argv[1], "base64url")))[1]' "${address#*#t=}")" = "$(cat "$here/../samples/broken.chat.md")" ] ||
    fail "the address has another text than the sample"
  curl --silent --fail "${address%%#*}" | grep -c '<title>chatls' >/dev/null || fail "$address is no page of chatls"
  ! curl --silent --fail "${address%%#*}etc" >/dev/null || fail "it serves more than the page"
  ends C-c
}

# With a display and a VS Code on PATH: a stand-in that records its arguments.
in_a_window() {
  printf '#!/bin/sh\necho "$*" >>%q\n' "$scratch/asked" >"$scratch/bin/code"
  DISPLAY=:9 PATH=$scratch/bin:$PATH "$here/try" vscode >/dev/null 2>&1 || fail "VS Code on PATH does not open"
  local profile='--user-data-dir [^ ]*/chatls-try-[^ ]*/data --extensions-dir [^ ]*/chatls-try-[^ ]*/extensions'
  [[ $(sed -n 1p "$scratch/asked") =~ ^$profile.*' --install-extension '[^\ ]*/chatls.vsix$ ]] || fail "$(cat "$scratch/asked")"
  [[ $(sed -n 2p "$scratch/asked") =~ ^$profile.*' --wait '.*/samples/broken.chat.md$ ]] || fail "$(cat "$scratch/asked")"
}

# open EDITOR: in a terminal. A server that is ending still answers on its socket, so each has a
# socket of its own.
open() {
  tmux kill-server 2>/dev/null || :
  socket=$scratch/tmux.$((opened += 1))
  tmux new-session -d -x 140 -y 45 "$(printf '%q ' "$here/try" "$1"); echo ended with \$?; sleep 600"
}

# ends KEY...: after these keys, the editor and its processes are gone.
ends() {
  tmux send-keys "$@"
  # code-server is ended by a signal, the others by their own command.
  sees 'ended with'
}

nothing_left() {
  [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(find "$TMPDIR")"
  [ "$(find "$HOME" -type f)" = "$HOME/.profile" ] || fail "written into the home: $(find "$HOME" -type f -print -exec tail {} +)"
}

# sees TEXT: waits until it is on the screen.
sees() {
  local second
  for ((second = 0; second < patience * 5; second++)); do
    [[ $(screen) != *"$1"* ]] || return 0
    sleep 0.2
  done
  screen >&2
  fail "never seen: $1"
}

screen() {
  tmux capture-pane -p -J
}

tmux() {
  command tmux -S "$socket" -f /dev/null "$@"
}

fail() {
  echo "test-try.sh: $*" >&2
  exit 1
}

main "$@"
