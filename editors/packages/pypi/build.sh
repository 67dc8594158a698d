#!/usr/bin/env bash
# Makes the wheel that carries the program for a target, and prints its name.
#
#   editors/packages/pypi/build.sh --target TARGET --binary BINARY --out FOLDER
#
# TARGET is one of ../targets.json. Nothing is compiled: a wheel for glibc is tagged with the oldest one that
# BINARY runs with, as its own symbols say. Needs python3; pip fetches the build backend that pyproject.toml names.
set -euo pipefail
. "$(dirname "$0")/../lib.sh"

main() {
  options "$@"
  platform=$(wheel_platform "$target" "$binary")
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  lay_out
  mkdir -p "$out"
  # The environment has a pip that is known to work; the system's may be missing.
  CHATLS_WHEEL_PLATFORM=$platform "$(python_environment)/bin/python" -m pip --disable-pip-version-check \
    wheel --quiet --no-deps --wheel-dir "$stage/made" "$stage/package"
  cp "$stage"/made/*.whl "$out"
  (cd "$stage/made" && printf "$out/%s\n" *.whl)
}

lay_out() {
  mkdir -p "$stage/package/program"
  cp -R "$packages"/pypi/{pyproject.toml,hatch_build.py,chatls} "$stage/package"
  rm -rf "$stage/package/chatls/__pycache__"
  cp "$project"/{Cargo.toml,LICENSE-MIT,LICENSE-APACHE} "$stage/package"
  cp "$packages/about.md" "$stage/package/README.md"
  cp "$binary" "$stage/package/program/$(executable "$target")"
  chmod 755 "$stage/package/program"/*
}

main "$@"
