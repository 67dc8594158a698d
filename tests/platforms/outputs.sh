#!/usr/bin/env bash
# Compares the outputs of two programs for the samples and the families of transcripts, byte by byte:
# what each command prints, its exit status, and the files that it writes.
#
#   tests/platforms/outputs.sh CHATLS OTHER [FOLDER...]     for the transcripts in FOLDERs, too
#
# OTHER may be a script that starts the program, in Wine, say.
set -euo pipefail
project=$(cd "$(dirname "$(realpath "$0")")/../.." && pwd)

main() {
  [ $# -ge 2 ] || { echo "usage: outputs.sh CHATLS OTHER [FOLDER...]" >&2; exit 2; }
  local programs=("$(realpath "$1")" "$(realpath "$2")")
  sources=() inputs=()
  local source
  for source in "$project/samples" "$project/tests/data/families" "${@:3}"; do
    sources+=("$(realpath "$source")") inputs+=("$(basename "$source")")
  done
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  outputs "${programs[0]}" first
  outputs "${programs[1]}" second
  # A program that does not start prints nothing, twice.
  [ "$(wc -l <"$work/first/calls-jsonl.stdout")" -gt 100 ] || { echo "$1 lists no calls" >&2; exit 1; }
  diff --recursive "$work/first" "$work/second" >&2
  echo "ok: $(find "$work/first" -type f -newer "$work/first/begun" | wc -l) outputs are the same"
}

# outputs PROGRAM NAME: runs all commands in the same place, and keeps what they print and write.
outputs() {
  program=$1 place=$work/place
  rm -rf "$place"
  mkdir -p "$place/home"
  cp -R "${sources[@]}" "$place"
  cd "$place"
  touch begun
  export HOME=$place/home XDG_CONFIG_HOME=$place/home XDG_CACHE_HOME=$place/home
  reports
  conversions
  texts
  cd "$project"
  mv "$place" "$work/$2"
}

# What reads, and what rewrites all files.
reports() {
  local format group
  for format in human concise jsonl json sarif github gitlab junit checkstyle rdjson; do
    kept "check-$format" check --format "$format" --fail-on hint "${inputs[@]}"
  done
  kept check-color check --color always samples
  kept check-statistics check --statistics "${inputs[@]}"
  kept check-diff check --diff --unsafe-fixes "${inputs[@]}"
  for format in jsonl csv parquet; do
    kept "calls-$format" calls --format "$format" "${inputs[@]}"
  done
  for group in tool conversation role model; do
    kept "stats-$group" stats --by "$group" "${inputs[@]}"
  done
  for format in json svg; do
    kept "stats-$format" stats --format "$format" "${inputs[@]}"
  done
  for format in terminal html markdown; do
    kept "view-$format" view --format "$format" "${inputs[@]}"
  done
  kept view-expanded view --color always --expand "${inputs[@]}"
  kept diff diff samples/demo.chat.md samples/broken.chat.md
  kept diff-json diff --format json samples/v4-stream.ndjson samples/full-stream.jsonl
  kept fmt-diff fmt --diff "${inputs[@]}"
  kept repair repair "${inputs[@]}"
  kept redact redact --output redacted "${inputs[@]}"
  kept events events samples/demo.chat.md
  kept missing check missing.md
  rewritten fixed check --fix --unsafe-fixes
  rewritten formatted fmt
  rewritten repaired repair --write
}

# To each dialect, and to each form of messages.
conversions() {
  local form
  for form in fence marker tag stream hermes tagged elements; do
    rewritten "converted-$form" convert --write --lossy --to "$form"
  done
  for form in openai anthropic ai-sdk responses sharegpt finetune; do
    kept "convert-$form" convert --lossy --to "$form" samples/demo.chat.md
  done
}

# What the program says of itself.
texts() {
  local shell
  kept help --help
  kept man man
  kept schema schema
  kept tools tools
  kept sessions sessions
  kept explain explain bad-state
  kept demo demo
  for shell in bash zsh fish powershell elvish; do
    kept "completions-$shell" completions "$shell"
  done
}

# kept NAME ARGUMENT...: runs the program, and keeps what it prints and its exit status.
kept() {
  local name=$1 status=0
  shift
  "$program" "$@" >"$name.stdout" 2>"$name.stderr" </dev/null || status=$?
  echo "$status" >"$name.status"
}

# rewritten NAME ARGUMENT...: the same for a command that rewrites the files of a folder.
rewritten() {
  mkdir "$1"
  cp -R "${inputs[@]}" "$1"
  kept "$@" "$1"
}

main "$@"
