#!/usr/bin/env bash
# The tests of Helix, one function each. run.sh sources it, with the editor set up.

# opened FILE TEXT: Helix shows a fresh copy of FILE, and TEXT somewhere. It asks for hints a moment
# after each key, and after no other event: a server that was still starting then is asked when the
# next key comes.
opened() {
  rm -rf "${work:?}"/* && cp "$data/"* "$work/"
  terminal env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" LANG=C.UTF-8 TERM=tmux-256color COLORTERM=truecolor \
    "$hx" -v --log "$log" "$1"
  sees "NOR   $1"
  wait_for on_screen_after_escape "$2"
}

on_screen_after_escape() {
  on_screen "$1" || { keys Escape && sleep 0.4 && on_screen "$1"; }
}

# to LINE TEXT: the cursor stands on the end of the first TEXT of LINE.
to() {
  keys Escape
  types ":$1"
  keys Enter
  keys g h
  types "/$2"
  keys Enter
}

command_line() {
  keys Escape
  types ":$1"
  keys Enter
}

comma='expected `,` or `}` after this value, found `"input"`'
unknown='there is no tool `serach`; did you mean `search`?'
label='```tool 🔧 2 tool calls · 1 failed'

shows_faults() {
  opened faults.chat.md "\"one\"  $comma"
  sees "{\"query\": \"cats\"}}  $unknown"
}
test_case 'an opened transcript shows its faults, behind wide characters and in a quote' shows_faults

shows_list() {
  opened faults.chat.md "$comma"
  keys Space d
  sees 'chatls invalid-json'
  sees 'chatls unknown-tool'
}
test_case 'the list of diagnostics has their codes' shows_list

keeps_up() {
  opened batch.chat.md "$label"
  to 7 '}'
  types 'i,'
  sees '"a.py" ,},'
  sees 'unexpected `,` after the last value'
  keys BSpace
  sees_no 'unexpected'
}
test_case 'a typed fault comes while it is typed, and goes when it is mended' keeps_up

mends() {
  opened faults.chat.md "$comma"
  to 6 input
  keys Space a
  sees 'Insert the comma'
  keys Enter
  sees_no "$comma"
  to 10 serach
  keys Space a
  sees 'Call `search`'
  keys Enter
  sees_no "$unknown"
  command_line w
  holds "$work/faults.chat.md" '"toolName": "read_file",'
  holds "$work/faults.chat.md" '> 🙂 ###: {"toolName": "search", "parameters": {"query": "cats"}}'
}
test_case 'space a mends, behind wide characters too' mends

converts() {
  opened batch.chat.md "$label"
  to 14 search
  keys Space a
  sees 'Convert…'
  local row
  row=$(screen | grep -n -m 1 'Convert…' | cut -d: -f1)
  # The menu begins below the line of the cursor; its first action is marked from the start.
  for ((; row > 15; row--)); do keys Down; done
  keys Enter
  # The server requests the scope, the dialect, and a confirmation of the loss.
  sees 'this tool call'
  keys Enter
  sees 'a `<tool>` tag'
  keys Down Enter
  sees 'Converting 1 tool call to a `<tool>` tag drops the error status'
  keys Enter
  sees '<tool>search(query=title)'
}
test_case 'space a converts a call' converts

completes() {
  opened batch.chat.md "$label"
  keys g e o
  types '```tool'
  keys Enter
  types '```'
  keys Escape
  types Ore
  keys C-x
  sees 'read_file function'
  keys Tab
  sees '"path": ""'
  sees 'Reads a file of the project'
  keys Enter
  # The cursor stands where the first value goes; Tab leads to the result, and behind the call.
  types b.py
  sees '"path": "b.py"'
  keys Tab
  types ok
  sees '"output": "ok"'
  keys Tab
  types X
  sees '}X'
}
test_case 'completion writes a whole call, and Tab leads through it' completes

shows_signature() {
  opened batch.chat.md "$label"
  keys g e o
  types '<tool>read_file('
  sees 'read_file(path: string, lines?: integer)'
}
test_case 'what a tool takes is shown while its arguments are typed' shows_signature

hovers() {
  opened batch.chat.md "$label"
  to 6 read_file
  keys Space k
  sees 'Reads a file of the project'
  sees 'where it is'
}
test_case 'hover tells what a tool takes' hovers

goes() {
  opened batch.chat.md "$label"
  to 6 read_file
  keys g d
  sees 'NOR   tools.json'
  sees '2:3'
  keys C-o
  sees 'NOR   batch.chat.md'
  to 6 read_file
  keys g r
  sees 'tools.json:2'
  sees 'batch.chat.md:6'
}
test_case 'gd leads to the registry, gr lists all places' goes

renames() {
  opened log.jsonl '🔧 2 tool calls'
  to 1 'Id":"a'
  keys Space r
  sees 'rename-to:a'
  keys C-u
  types first_call
  keys Enter
  sees '"toolCallId":"first_call","output"'
  sees '"toolCallId":"first_call","toolName"'
}
test_case 'space r renames an id in all records of a log' renames

renames_tools() {
  opened batch.chat.md "$label"
  to 6 read_file
  keys Space r
  sees 'rename-to:read_file'
  keys C-u
  types open_file
  keys Enter
  sees '"toolName": "open_file"'
  command_line 'write-all'
  holds "$work/tools.json" '"open_file": {'
  holds "$work/batch.chat.md" '"toolName": "open_file"'
}
test_case 'space r renames a tool in its registry too' renames_tools

selects() {
  opened log.jsonl '🔧 2 tool calls'
  to 1 'Id":"a'
  keys Space h
  sees '2 sels'
}
test_case 'space h selects an id wherever it stands' selects

outlines() {
  opened batch.chat.md "$label"
  keys Space s
  sees 'User: Where is the title set?'
  sees 'read_file(path=a.py) → title = '
  sees 'search(query=title) ✗ nothing found'
  keys Escape
  sees_no 'array '
  keys Space S
  types cats
  sees 'serach(query=cats)'
}
test_case 'space s lists messages and calls, space S those of all transcripts' outlines

formats() {
  opened batch.chat.md "$label"
  command_line format
  sees '    "path": "a.py"'
}
test_case ':format lays payloads out' formats

commands() {
  opened log.jsonl '🔧 2 tool calls'
  command_line lsp-workspace-command
  sees 'chatls.convert'
  keys Escape
  sees_no 'chatls.convert'
  command_line "lsp-workspace-command chatls.numberIds {\"uri\":\"file://$work/log.jsonl\"}"
  sees '"toolCallId":"call_1","output"'
}
test_case ':lsp-workspace-command lists commands, and runs them' commands

reads_logs() {
  local file fault='expected a value after `:`, found `}`'
  for file in log.jsonl log.ndjson log.sse; do
    opened "$file" '{"query":}}  '"$fault"
    sees '🔧 2 tool calls · 1 pending'
  done
}
test_case 'stream logs are read: jsonl, ndjson, sse' reads_logs

is_configured() {
  local settings=$home/.config/helix/languages.toml kept=$home/languages.toml
  cp "$settings" "$kept"
  sed -i 's/^args = \["serve"\]$/&\nconfig = { chatls = { lint = { unknown-tool = "off" } } }/' "$settings"
  opened faults.chat.md "$comma"
  sees_no "$unknown"
  cp "$kept" "$settings"
}
test_case 'config in languages.toml holds' is_configured

# While a server starts, Helix may ask about a document before it opens it, or open it twice, which
# cancels earlier requests.
all_went_well() {
  if grep -a -E '\[ERROR\].*chatls|panicked' "$log" | grep -v -E 'opened twice|the document was closed|is not open'; then return 1; fi
}
test_case 'nothing went wrong unseen' all_went_well
