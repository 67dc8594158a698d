#!/usr/bin/env bash
# Drives an editor in a terminal, as a user does: keys go in, the screen is looked at. For tests of
# editors that have no other way in, which source it:
#
#   need tmux                 installs a package of Debian whose program is missing, or says so where it may not
#   terminal COMMAND...       starts COMMAND in a terminal of its own, in the folder $work
#   keys KEY...               presses them: names of tmux (`Enter`, `C-c`), or single characters
#   types TEXT                types it literally
#   sees TEXT                 waits until TEXT is on the screen
#   sees_no TEXT              waits until it is not
#   holds FILE TEXT           waits until FILE has TEXT in it
#   terminal_ends             ends what runs in it
#   test_case NAME FUNCTION   runs FUNCTION, unless $filter (a regular expression) leaves it out
#   results                   says how many passed, and fails where one did not
#
# If the awaited text does not appear within $patience seconds, the test fails and the screen is
# printed.
set -euo pipefail

patience=${patience:-20} filter=${filter:-} passed=0 failed=0

need() {
  type -P "$1" >/dev/null && return
  [ "$(id -u)" = 0 ] || { echo "$1 is missing: apt-get install $1" >&2; exit 2; }
  { apt-get install --yes --no-install-recommends "$1" || { apt-get update && apt-get install --yes "$1"; }; } \
    >/dev/null || { echo "$1 is missing, and apt-get cannot install it" >&2; exit 2; }
}

# A tmux server of our own, with its socket in the temporary folder.
tmux() { command tmux -S "$home/tmux" -f /dev/null "$@"; }

terminal() {
  if tmux has-session 2>/dev/null; then
    tmux respawn-pane -k -c "$work" "$(printf '%q ' "$@")"
    tmux clear-history
  else
    # An Escape is followed by unrelated keys: programs must not wait for them.
    tmux new-session -d -x 140 -y 40 -c "$work" "$(printf '%q ' "$@")" \; \
      set-option -g remain-on-exit on \; set-option -s escape-time 0
  fi
}

terminal_ends() { tmux kill-server 2>/dev/null || true; }

# An Escape is sent alone: with the next key it would be parsed as Alt.
keys() {
  local key
  for key; do
    tmux send-keys "$key"
    [ "$key" != Escape ] || sleep 0.1
  done
}

types() { tmux send-keys -l -- "$1"; }

screen() { tmux capture-pane -p | sed 's/ *$//'; }

# Programs that stop reading early would kill the ones before them: the whole screen is read first.
on_screen() { [[ "$(screen)" == *"$1"* ]]; }
sees() { wait_for on_screen "$1"; }
sees_no() { wait_for_no on_screen "$1"; }

in_file() { [[ "$(cat "$1" 2>/dev/null)" == *"$2"* ]]; }
holds() { wait_for in_file "$@"; }

wait_for() {
  local end=$((SECONDS + patience))
  until "$@"; do
    [ $SECONDS -lt $end ] || complain "not so: $*" || return
    sleep 0.05
  done
}

wait_for_no() {
  local end=$((SECONDS + patience))
  while "$@"; do
    [ $SECONDS -lt $end ] || complain "still so: $*" || return
    sleep 0.05
  done
}

complain() {
  echo "$1"
  echo "on the screen:"
  screen
  return 1
}

test_case() {
  local report attempt status=0 began=${EPOCHREALTIME/./}
  [[ "$1" =~ $filter ]] || return 0
  # An editor on a busy machine may miss an answer: what fails once is tried again, as in VS Code.
  for attempt in 1 2; do
    # In a subshell that stops at its first failure, which `if` and `||` would disable.
    set +e
    report=$(set -e; "$2" 2>&1)
    status=$?
    set -e
    if [ $status = 0 ] || [ $attempt = 2 ]; then
      break
    fi
    printf 'again   %s\n%s\n' "$1" "$report"
  done
  if [ $status = 0 ]; then
    passed=$((passed + 1))
    echo "ok      $1 ($(((${EPOCHREALTIME/./} - began) / 1000)) ms)"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s\n%s\n' "$1" "$report"
  fi
}

results() {
  echo "$passed passed, $failed failed"
  [ $failed = 0 ]
}
