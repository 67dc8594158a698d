#!/usr/bin/env bash
# Asks real MCP servers for their tools, and runs calls with them: over their standard streams and
# over streamable HTTP.
#
#   tests/mcp/run.sh BINARY
#
# Needs git, node, npm and python3 with venv; packages of npm and PyPI go below the project's
# .cache. Servers listen on loopback only. Exits with 1 where something does not hold.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
cache=$project/.cache/mcp

main() {
  [ $# = 1 ] || { echo "usage: $0 BINARY" >&2; exit 2; }
  binary=$(realpath "$1")
  packages
  work=$(mktemp -d)
  server=
  trap 'stop; rm -rf "$work"' EXIT
  # The consents and listings of nobody.
  export HOME=$work/home
  unset XDG_DATA_HOME XDG_CACHE_HOME XDG_CONFIG_HOME
  mkdir -p "$HOME" "$work/project/files"
  cd "$work/project"
  git init --quiet .
  echo one >files/a.txt
  serve
  configure
  nothing_is_started
  listings everything web files git
  calls_are_checked
  revoked
  python3 "$here/calls.py" "$binary" "$work" "$bin" "$cache/python/bin" "$port"
  ! pgrep -f "$bin/mcp-server-" >/dev/null || fail "a server is alive"
  echo "tests/mcp: all good"
}

# packages: those of package.json and requirements.txt, again only when these change.
packages() {
  mkdir -p "$cache/node"
  if ! cmp --quiet "$here/package-lock.json" "$cache/node/package-lock.json"; then
    cp "$here/package.json" "$cache/node/"
    cp "$here/package-lock.json" "$cache/node/package-lock.json"
    npm --prefix "$cache/node" ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2 ||
      { rm "$cache/node/package-lock.json"; exit 1; }
  fi
  if ! cmp --quiet "$here/requirements.txt" "$cache/python/requirements.txt"; then
    bash -c 'set -euo pipefail; . "$1"; environments' "$0" "$project/editors/packages/lib.sh"
    python3 -m venv --clear "$cache/python"
    "$cache/python/bin/python" -m pip --disable-pip-version-check install --quiet --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" "$cache/python/"
  fi
  bin=$cache/node/node_modules/.bin
}

# serve: a server at an address of this machine.
serve() {
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
  PORT=$port node "$cache/node/node_modules/@modelcontextprotocol/server-everything/dist/index.js" streamableHttp \
    >"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    if curl --silent --output /dev/null "http://127.0.0.1:$port/mcp"; then return; fi
    sleep 0.1
  done
  cat "$work/server.log" >&2
  exit 1
}

stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
}

configure() {
  cat >chatls.toml <<END
[servers.everything]
command = "$bin/mcp-server-everything"
args = ["stdio"]

[servers.web]
url = "http://127.0.0.1:$port/mcp"

[servers.git]
command = "$cache/python/bin/mcp-server-git"
args = ["--repository", "$work/project"]
listing = "tools/git.json"
END
  cat >.mcp.json <<END
{"mcpServers": {"files": {"command": "$bin/mcp-server-filesystem", "args": ["$work/project/files"]}}}
END
}

nothing_is_started() {
  local status=0
  "$binary" tools pull >"$work/out" 2>&1 </dev/null || status=$?
  expect "$status" 2 "pull without consent"
  "$binary" tools >/dev/null 2>&1
  "$binary" check . >/dev/null 2>&1
  [ ! -e "$HOME/.local/share/chatls" ] || fail "a consent without a user"
  [ ! -e tools ] || fail "a listing without consent"
}

# listings NAME...: agrees to each server by its hash, and asks it.
listings() {
  local name hash
  for name; do
    hash=$("$binary" trust --format jsonl | node -e '
      const lines = require("fs").readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
      console.log(lines.find((line) => line.name === process.argv[1]).hash)' "$name")
    "$binary" trust --allow "$hash"
    "$binary" tools pull "$name" </dev/null
  done
  "$binary" tools --format jsonl >"$work/tools.jsonl"
  for name in echo get-sum trigger-long-running-operation read_text_file list_directory git_status git_log; do
    grep -q "^{\"name\":\"$name\"," "$work/tools.jsonl" || fail "no tool $name"
  done
  grep -q '"name": "mcp-git"' tools/git.json || fail "the listing of git"
  "$binary" tools --no-outside 2>/dev/null | grep -q '\[tools/git.json\]' || fail "the listing that is committed"
}

calls_are_checked() {
  local status=0
  cat >a.chat.md <<'END'
```tool
{"toolName": "get-sum", "input": {"a": 1}}
```
END
  "$binary" check --format jsonl a.chat.md >"$work/out" 2>/dev/null || status=$?
  expect "$status" 1 "check of a call"
  grep -q invalid-input "$work/out" || fail "a call without an argument"
}

revoked() {
  local status=0
  "$binary" trust --revoke-all
  "$binary" tools pull everything >/dev/null 2>&1 </dev/null || status=$?
  expect "$status" 2 "pull after --revoke-all"
  ! pgrep -f "$bin/mcp-server-everything stdio" >/dev/null || fail "a server is alive"
}

expect() {
  [ "$1" = "$2" ] || fail "$3: status $1 instead of $2"
}

fail() {
  echo "tests/mcp: $1" >&2
  [ ! -s "$work/out" ] || cat "$work/out" >&2
  exit 1
}

main "$@"
