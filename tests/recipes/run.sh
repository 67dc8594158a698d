#!/usr/bin/env bash
# Tests the recipes of docs/pipelines.md in what they are for: a shell, GNU parallel, jq, DuckDB, pandas, Dask and Spark.
#
#   tests/recipes/run.sh BINARY [TEST…]     TEST: parallel, or spark.Spark.test_files; by default all
#
# Needs: jq, GNU parallel, Java and Python's venv, which it installs on Debian where it is root. Python's packages (0.7 GB) go below the
# project's .cache. Exits with 1 where a test fails.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
project=$(realpath "$here/../..")
[ $# -ge 1 ] || { echo "usage: $0 BINARY [TEST…]" >&2; exit 2; }
binary=$(realpath "$1")
shift

packages=()
type -P jq >/dev/null || packages+=(jq)
parallel --version 2>/dev/null | grep -q '^GNU parallel' || packages+=(parallel)
java -version >/dev/null 2>&1 || packages+=(openjdk-17-jre-headless)
python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
if [ ${#packages[@]} -gt 0 ]; then
  [ "$(id -u)" = 0 ] || { echo "missing: apt-get install ${packages[*]}" >&2; exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
fi

venv=$project/.cache/recipes
if ! cmp --quiet "$here/requirements.txt" "$venv/installed.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/installed.txt"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
mkdir "$home/bin"
ln -s "$binary" "$home/bin/chatls"
# By names of their own: `python -m` would also find what lies in the current folder.
[ $# -gt 0 ] && set -- "${@/#/test_}" || set -- test_map test_parallel test_dask test_spark test_page
cd "$home"
HOME=$home PATH=$home/bin:$venv/bin:$PATH PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8 \
  SPARK_LOCAL_IP=127.0.0.1 CHATLS=$home/bin/chatls python -m unittest --verbose "$@"
