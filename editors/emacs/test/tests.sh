#!/usr/bin/env bash
# The tests of Emacs, one function each. run.sh sources it, with the editor set up.

in_home=(env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" LANG=C.UTF-8 TERM=tmux-256color
  EMACS_INHIBIT_AUTOMATIC_NATIVE_COMPILATION=1)

# opened FILE TEXT [ARGUMENT...]: Emacs, started with the ARGUMENTs, shows a fresh copy of FILE, and TEXT somewhere.
opened() {
  rm -rf "${work:?}"/* && cp "$data/"* "$work/"
  terminal "${in_home[@]}" "$emacs" -nw "${@:3}" "$1"
  sees 'Connected!'
  sees "$2"
}

# to LINE TEXT: point stands in the end of the first TEXT of LINE.
to() {
  keys M-g g
  sees 'Goto line:'
  types "$1"
  keys Enter C-s
  sees 'I-search:'
  types "$2"
  keys Enter C-b
}

# runs COMMAND, as with M-x.
runs() {
  keys M-x
  sees 'M-x'
  types "$1"
  keys Enter
}

# quits PROMPT: a C-g may also end what Emacs is just doing by itself, and is pressed again then.
quits() {
  keys C-g
  sleep 0.2
  ! on_screen "$1"
}

# answers PROMPT TEXT: once Emacs asks PROMPT.
answers() {
  sees "$1"
  # A space by itself would ask for what the words before it could become.
  tmux send-keys -l -- "${2// /$'\x11 '}"
  keys Enter
}

# saved FILE TEXT: when the buffer is saved, FILE has TEXT in it.
saved() {
  keys C-x C-s
  holds "$work/$1" "$2"
}

comma='expected `,` or `}` after this value, found `"input"`'
unknown='there is no tool `serach`; did you mean `search`?'
label='```tool 🔧 2 tool calls · 1 failed'
with_markdown=(--eval "(load \"$(echo "$packages"/markdown-mode-*)/markdown-mode.el\")")

shows_faults() {
  opened faults.chat.md '!!> 🙂 ###: {"toolName": "serach"'
  sees '(Transcript Flymake[2 0]'
  runs flymake-show-buffer-diagnostics
  sees "chatls [invalid-json]: $comma"
  sees "10  22 error    e-f-b    chatls [unknown-tool]: $unknown"
}
test_case 'an opened transcript shows its faults, behind wide characters and in a quote' shows_faults

shows_in_markdown_mode() {
  opened faults.chat.md '(Markdown Flymake[2 0]' "${with_markdown[@]}"
  to 6 input
  sees "chatls [invalid-json]: $comma"
  runs gfm-mode
  sees '(GFM Flymake[2 0]'
}
test_case 'the same in markdown-mode and gfm-mode' shows_in_markdown_mode

keeps_up() {
  opened batch.chat.md "$label"
  to 7 '}'
  types ','
  sees 'Flymake[1 0]'
  keys BSpace
  sees 'Flymake[0 0]'
}
test_case 'a typed fault comes while it is typed, and goes when it is mended' keeps_up

mends() {
  opened faults.chat.md 'Flymake[2 0]'
  to 6 input
  runs eglot-code-actions
  answers 'default Insert the comma' ''
  sees 'Flymake[1 0]'
  to 10 serach
  runs eglot-code-action-quickfix
  answers 'default Call `search`' ''
  sees 'Flymake[0 0]'
  saved faults.chat.md '"toolName": "read_file",'
  saved faults.chat.md '> 🙂 ###: {"toolName": "search", "parameters": {"query": "cats"}}'
}
test_case 'code actions mend, behind wide characters too' mends

converts() {
  opened batch.chat.md "$label"
  to 14 search
  runs eglot-code-actions
  answers 'Pick an action' 'Convert to a `<tool>` tag (drops the error status)'
  sees '<tool>search(query=title)'
}
test_case 'code actions convert a call' converts

offers_what_can_be_done() {
  rm -rf "${work:?}"/*
  echo 'tools = ["preset:file-tools"]' >"$work/chatls.toml"
  printf '```tool\n{"toolName": "read_file", "input": {"path": "a.py"}}\n```\n' >"$work/preset.chat.md"
  terminal "${in_home[@]}" "$emacs" -nw preset.chat.md
  sees 'Connected!'
  to 2 read_file
  runs eglot-code-actions
  sees 'Pick an action'
  keys Tab Tab
  sees 'Complete the call with an empty result'
  # It would ask for a folder, which Eglot does not announce.
  sees_no 'Run this call'
}
test_case 'a call that would need a question is not offered to run' offers_what_can_be_done

completes() {
  opened batch.chat.md "$label"
  keys 'M->'
  types '```tool'
  keys Enter
  types '```'
  keys C-p C-e Enter
  types re
  keys C-M-i
  sees '"toolCallId": "call_2"'
  sees '"path": ""'
}
test_case 'completion writes a whole call' completes

hovers() {
  opened batch.chat.md "$label"
  to 6 read_file
  sees 'read_file – a tool, from `tools.json`'
  runs eldoc-doc-buffer
  sees 'Reads a file of the project'
}
test_case 'eldoc tells what a tool takes' hovers

shows_signature() {
  opened batch.chat.md "$label"
  keys 'M->'
  types '<tool>read_file('
  sees 'read_file(path: string, lines?: integer)'
}
test_case 'what a tool takes is shown while its arguments are typed' shows_signature

goes() {
  opened batch.chat.md "$label"
  to 6 read_file
  keys M-?
  sees '2:  "read_file": {'
  sees '6:  "toolName": "read_file",'
  keys C-x o M-.
  sees 'tools.json'
  sees '"description": "Reads a file of the project"'
}
test_case 'M-. leads to the registry, M-? lists all places' goes

renames() {
  opened log.jsonl '🔧 2 tool calls'
  to 1 'Id":"a'
  runs eglot-rename
  answers 'to:' first_call
  sees '"toolCallId":"first_call","toolName"'
  sees '"toolCallId":"first_call","output"'
}
test_case 'eglot-rename renames an id in all records of a log' renames

outlines() {
  opened batch.chat.md "$label"
  runs imenu
  local name
  for name in User 2.tool.calls search; do # as Imenu writes spaces
    answers 'Index item:' "$name"
    sees_no "Index item: $name"
  done
  sees L12
}
test_case 'imenu leads through messages and batches to calls' outlines

formats() {
  opened batch.chat.md "$label"
  runs eglot-format-buffer
  sees '    "path": "a.py"'
}
test_case 'eglot-format-buffer lays payloads out' formats

indents() {
  opened batch.chat.md "$label"
  to 7 '{'
  keys C-f Enter
  sees '      "path": "a.py" },'
}
test_case 'a new line in a payload is indented' indents

reads_logs() {
  local file
  for file in log.jsonl log.ndjson; do
    opened "$file" '(JSON lines Flymake[1 0]'
    sees '🔧 2 tool calls · 1 pending'
  done
  opened log.sse '(SSE Flymake[1 0]'
  sees '🔧 2 tool calls · 1 pending'
}
test_case 'stream logs are read: jsonl, ndjson, sse' reads_logs

folds() {
  opened batch.chat.md "$label"
  keys C-c f
  sees_no toolCallId
  local folded='  🔧 2 tool calls · 1 failed'
  sees "$folded"
  sees '1 folded'
  keys 'M-<' C-s
  sees 'I-search:'
  types '"search'
  sees '  "toolName": "search"'
  sees_no "$folded"
  wait_for quits 'I-search:'
  sees "$folded"
  runs chatls-next-call
  sees '"toolCallId": "call_1"'
  sees L6
  runs chatls-toggle-batch
  sees_no toolCallId
  keys Enter
  sees '"toolCallId": "call_1"'
}
test_case 'batches fold into their labels, and unfold' folds

labels_come_first() {
  opened faults.chat.md 'Flymake[2 0]'
  keys C-c f
  sees "> 🙂 🔧 serach(query=cats) ⏳  chatls [unknown-tool]: $unknown"
}
test_case 'a diagnostic stands behind the label of a folded call' labels_come_first

# gptel is in no archive of Debian: a mode of its name stands in for it.
in_gptel='(progn (define-minor-mode gptel-mode "A chat." :lighter " GPTel") (chatls-gptel-setup)
  (switch-to-buffer "*Chat*") (chatls-transcript-mode) (gptel-mode 1)
  (insert "```tool\n{\"toolName\": 1, \"input\": {}, \"output\": 1}\n```\n"))'

chats() {
  rm -rf "${work:?}"/*
  terminal "${in_home[@]}" "$emacs" -nw --eval "$in_gptel"
  sees '(Transcript GPTel)'
  keys C-x C-w
  answers 'Write file:' chat.md
  sees 'Connected!'
  # Flymake waits for a command after the one that started it.
  keys C-b
  sees 'Flymake[1 0]'
}
test_case 'a chat of gptel is served when it is saved' chats

in_org='(progn (define-minor-mode gptel-mode "A chat." :lighter " GPTel") (chatls-gptel-setup)
  (switch-to-buffer "*Chat*") (org-mode) (gptel-mode 1)
  (insert "*** List\n\n#+begin_tool (list)\n(:name \"list\" :args nil)\n\na\n#+end_tool\n\nDone\n"))'

chats_in_org() {
  rm -rf "${work:?}"/*
  terminal "${in_home[@]}" "$emacs" -nw --eval "$in_org"
  sees '(Org GPTel)'
  keys C-x C-w
  answers 'Write file:' chat.org
  sees 'Connected!'
  keys M-\<
  runs chatls-next-call
  sees L4
}
test_case 'a chat of gptel in Org is served, too' chats_in_org

steps() {
  opened batch.chat.md "$label"
  runs chatls-next-call
  sees L6
  runs chatls-next-call
  sees L14
  runs chatls-next-call
  sees 'No more tool calls'
  runs chatls-previous-call
  sees L6
}
test_case 'one goes from call to call' steps

# For each position, Eglot counts the lines before it.
counts_lines='(defun counts-lines ()
  (interactive)
  (let ((count 0) (count-it (lambda (&rest _) (setq count (1+ count)))))
    (advice-add (quote eglot--lsp-position-to-point) :before count-it)
    (chatls-next-call 1000)
    (let ((line (line-number-at-pos)))
      (chatls-toggle-batch)
      (chatls-fold-batches)
      (advice-remove (quote eglot--lsp-position-to-point) count-it)
      (message "Line %d, %d folds, lines counted %s" line (length (chatls--folds (point-min) (point-max)))
        ;; Hints of the visible lines may come meanwhile.
        (if (< count 100) "seldom" (format "%d times" count))))))'

stays_fast() {
  local number text=''
  for number in {1..1500}; do
    text+="Text"$'\n\n'"<tool>read_file(path=\"$number\")"$'\nok</tool>\n\n'
  done
  rm -rf "${work:?}"/*
  printf %s "$text" >"$home/long.chat.md"
  terminal "${in_home[@]}" "$emacs" -nw --eval "$counts_lines" "$home/long.chat.md"
  sees 'Connected!'
  runs counts-lines
  sees 'Line 4998, 1500 folds, lines counted seldom'
}
test_case 'in a long document, lines are not counted for each call' stays_fast

is_configured() {
  local settings='(:chatls (:lint (:unknown-tool "off")))'
  opened faults.chat.md 'Flymake[1 0]' --eval "(setq-default eglot-workspace-configuration '$settings)"
}
test_case 'settings in eglot-workspace-configuration hold' is_configured

by_eglot_alone() {
  mkdir "$home/alone"
  # Packages are there before the init file is read.
  echo "(load \"$(echo "$packages"/markdown-mode-*)/markdown-mode.el\")" >"$home/alone/early-init.el"
  "$project/editors/pasted.sh" "$project/editors/emacs/README.md" ';; Eglot alone' >"$home/alone/init.el"
  opened faults.chat.md '(Markdown Flymake[2 0]' --init-directory "$home/alone"
}
test_case 'with Eglot alone, an opened transcript shows its faults' by_eglot_alone

misses() {
  mv "$home/bin/chatls" "$home/bin/hidden"
  rm -rf "${work:?}"/* && cp "$data/"* "$work/"
  terminal "${in_home[@]}" "$emacs" -nw faults.chat.md
  sees 'There is no program `chatls'
  mv "$home/bin/hidden" "$home/bin/chatls"
  runs chatls-ensure
  sees 'Connected!'
  # Flymake waits for a command after the one that started it.
  keys C-f
  sees 'Flymake[2 0]'
}
test_case 'a missing chatls is told, and found when it is there' misses

is_clean() {
  # Files are not compiled beside their sources, where they would be loaded.
  "${in_home[@]}" "$emacs" -Q --batch --eval "(setq byte-compile-error-on-warn t
      byte-compile-dest-file-function (lambda (_) \"$home/chatls.elc\"))" \
    -f batch-byte-compile "$project/editors/emacs/chatls.el"
  local complaints
  complaints=$("${in_home[@]}" "$emacs" -Q --batch --eval "(progn (require 'checkdoc)
      (setq checkdoc-verb-check-experimental-flag nil) ; it takes plurals for verbs
      (checkdoc-file \"$project/editors/emacs/chatls.el\"))" 2>&1)
  echo "$complaints"
  [ -z "$complaints" ]
  "${in_home[@]}" "$emacs" -Q --batch -L "$(echo "$packages"/package-lint-*)" \
    --eval '(setq native-comp-enable-subr-trampolines nil)' -l package-lint \
    -f package-lint-batch-and-exit "$project/editors/emacs/chatls.el"
}
test_case 'chatls.el compiles without warnings, and pleases checkdoc and package-lint' is_clean
