#!/usr/bin/env bash
# Lints the workflows and actions in .github, and what is for other services: GitHub's own language service says what it would
# not take, zizmor what is not safe, yamllint what is not in form.
#
#   editors/packages/lint.sh
#
# The linters come from npm and PyPI into the project's .cache, and say nothing to anybody.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

main() {
  [ $# = 0 ] || usage
  tools=$project/.cache/packages
  cd "$project"
  actions
  security
  form
}

# The service is written for bundlers: Node does not load its JSON files as they are.
actions() {
  local bundle=$tools/lint-workflows.mjs
  if [ ! -f "$tools/node_modules/.chatls-1" ]; then
    mkdir -p "$tools"
    npm install --prefix "$tools" --no-save --ignore-scripts --no-fund --no-audit --loglevel=error \
      @actions/languageservice@0.3.61 esbuild@0.28.2 >&2
    touch "$tools/node_modules/.chatls-1"
  fi
  NODE_PATH=$tools/node_modules "$tools/node_modules/.bin/esbuild" "$packages/lint-workflows.mjs" --outfile="$bundle" \
    --bundle --platform=node --format=esm --log-level=warning \
    --banner:js='import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
  node "$bundle" .github/workflows/*.yml .github/actions/*/action.yml
  echo "ok: workflows"
}

security() {
  local python
  python=$(python_environment)
  "$python/bin/python" -m pip --disable-pip-version-check install --quiet zizmor==1.32.0 yamllint==1.38.0
  "$python/bin/zizmor" --offline --quiet --persona=auditor .github
  echo "ok: zizmor"
}

form() {
  "$tools/python/bin/yamllint" --strict --config-data '{
    extends: default,
    rules: {
      document-start: disable,
      line-length: { max: 120 },
      truthy: { check-keys: false },
      comments: { min-spaces-from-content: 1 },
      braces: { max-spaces-inside: 1 }
    }
  }' .github .pre-commit-hooks.yaml docs/ci
  echo "ok: yamllint"
}

main "$@"
