#!/usr/bin/env bash
# Tests what chatls is in CI: what it writes for services, and the definitions for pre-commit, GitHub and GitLab.
#
#   tests/ci/run.sh BINARY
#
# Needs git, node, npm and python3 with venv; packages of npm and PyPI go below the project's .cache. Of the services themselves
# nothing runs here: their own schemas, validators and libraries say what they take. Exits with 1 where something does not hold.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
cache=$project/.cache/ci

main() {
  [ $# = 1 ] || { echo "usage: $0 BINARY" >&2; exit 2; }
  binary=$(realpath "$1")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  packages
  python=$cache/python/bin/python
  export PYTHONDONTWRITEBYTECODE=1

  "$here/definitions.sh" "$cache/python/bin"
  "$python" "$here/examples.py" "$binary" "$cache/python/bin"
  "$python" "$here/sarif.py" "$binary" "$cache/node/node_modules"
  "$python" -c 'import pathlib, sys; sys.path.insert(0, sys.argv[1]); import corpus; corpus.make(pathlib.Path(sys.argv[2]))' \
    "$here" "$(mkdir "$work/corpus" && echo "$work/corpus")"
  node "$here/annotations.mjs" "$binary" "$cache/node/node_modules" "$work/corpus"
  wheel
  "$python" "$here/action.py" "$binary" "$work/wheels"
  "$here/pre-commit.sh" "$binary" "$cache/python/bin/pre-commit" "$work"/wheels/*.whl
  "$python" "$here/gitlab.py" "$binary"
  "$python" "$here/reports.py" "$binary"
}

# packages: those of package.json and requirements.txt, again only when these change.
packages() {
  mkdir -p "$cache/node"
  if ! cmp --quiet "$here/package-lock.json" "$cache/node/package-lock.json"; then
    cp "$here/package.json" "$cache/node/"
    cp "$here/package-lock.json" "$cache/node/package-lock.new"
    mv "$cache/node/package-lock.new" "$cache/node/package-lock.json"
    npm --prefix "$cache/node" ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2 ||
      { rm "$cache/node/package-lock.json"; exit 1; }
  fi
  if ! cmp --quiet "$here/requirements.txt" "$cache/python/requirements.txt"; then
    bash -c 'set -euo pipefail; . "$1"; environments' "$0" "$project/editors/packages/lib.sh"
    python3 -m venv --clear "$cache/python"
    "$cache/python/bin/python" -m pip --disable-pip-version-check install --quiet --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" "$cache/python/"
  fi
}

# wheel: of the binary, for what would come from PyPI.
wheel() {
  local target
  target=$(bash -c '. "$1" && host' - "$project/editors/packages/lib.sh")
  "$project/editors/packages/pypi/build.sh" --target "$target" --binary "$binary" --out "$work/wheels" >/dev/null
}

main "$@"
