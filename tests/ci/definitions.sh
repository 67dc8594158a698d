#!/usr/bin/env bash
# Holds the definitions for services against what these publish of their form.
#
#   tests/ci/definitions.sh PROGRAMS      PROGRAMS: the folder with check-jsonschema and pre-commit
#
# editors/packages/lint.sh looks at the same files with linters. Started by run.sh.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."

programs=$1

# valid SCHEMA FILE...: the schemas are those that check-jsonschema carries; nothing is fetched.
valid() {
  local schema=$1
  shift
  "$programs/check-jsonschema" --quiet --builtin-schema "vendor.$schema" "$@"
  echo "ok: definitions: $*"
}

"$programs/pre-commit" validate-manifest .pre-commit-hooks.yaml
echo "ok: definitions: .pre-commit-hooks.yaml"
valid github-actions .github/actions/*/action.yml
valid github-workflows .github/workflows/*.yml
valid gitlab-ci docs/ci/gitlab.yml

# Examples name the version that is here.
version=$(awk -F'"' '/^version/ { print $2; exit }' Cargo.toml)
named=$(grep -ohE '(chatls==|CHATLS_VERSION: "|(rev|ref): v|check@v)[0-9][0-9A-Za-z.-]*' docs/ci.md docs/ci/*.yml | sed -E 's/.*[=v"]//' | sort -u)
[ "$named" = "$version" ] || { echo "docs/ci.md and docs/ci name other versions than $version: $named"; exit 1; }
echo "ok: definitions: the version of the examples"
