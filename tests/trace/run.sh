#!/usr/bin/env bash
# Nothing runs: traces the system calls of chatls while it reads hostile projects.
#
#   tests/trace/run.sh BINARY
#
# Needs Linux with strace, git and python3. Exits with 1 where something does not hold.
set -euo pipefail

[ $# = 1 ] || { echo "usage: $0 BINARY" >&2; exit 2; }
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$(dirname "$(realpath "$0")")/nothing_runs.py" "$(realpath "$1")"
