#!/usr/bin/env bash
# Nothing grows faster than its document: the processor time of commands and requests on documents
# of two sizes, each with one thing many times.
#
#   tests/growth/run.sh BINARY [--size BYTES] [FILTER...]
#
# Needs Linux and python3. Exits with 1 where something grows faster.
set -euo pipefail

[ $# -ge 1 ] || { echo "usage: $0 BINARY [--size BYTES] [FILTER...]" >&2; exit 2; }
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$(dirname "$(realpath "$0")")/growth.py" "$(realpath "$1")" "${@:2}"
