//! Forms of terminals, and of other programs whose files have several of them.

use super::check;

const KIMI: &str = include_str!("../../../../tests/data/families/kimi-export.md");
const ZED: &str = include_str!("../../../../tests/data/families/zed.md");
const COPILOT: &str = include_str!("../../../../tests/data/families/copilot-shared.md");
const CODEX_EXEC: &str = include_str!("../../../../tests/data/families/codex-exec.md");
const CODEX: &str = include_str!("../../../../tests/data/families/codex-terminal.md");
const GEMINI: &str = include_str!("../../../../tests/data/families/gemini-terminal.md");
const TRAE: &str = include_str!("../../../../tests/data/families/trae.md");
const GOOSE: &str = include_str!("../../../../tests/data/families/goose-terminal.md");
const KIRO: &str = include_str!("../../../../tests/data/families/kiro-terminal.md");
const LLAMAINDEX: &str = include_str!("../../../../tests/data/families/llamaindex.md");
const AUTOGPT: &str = include_str!("../../../../tests/data/families/autogpt.md");
const CREWAI: &str = include_str!("../../../../tests/data/families/crewai.md");

/// The log of OpenManus.
const OPENMANUS: &str = "2025-03-15 13:54 | INFO | app.agent.toolcall:execute_tool:145 - 🔧 Activating tool: 'look'...\n\
    2025-03-15 13:54 | INFO | app.agent.toolcall:act:118 - 🎯 Tool 'look' completed its mission! Result: \
    Observed output of cmd `look` executed:\n{'observation': 'dry'}\n\
    2025-03-15 13:54 | INFO | app.agent.toolcall:execute_tool:145 - 🔧 Activating tool: 'ask'...\n\
    2025-03-15 13:54 | INFO | app.agent.toolcall:act:118 - 🎯 Tool 'ask' completed its mission! Result: Error: away\n\
    2025-03-15 13:55 | INFO | app.agent.base:run:137 - Executing step 2/20\n";
/// A thread of Zed with an agent: titles instead of names.
const ZED_AGENT: &str = "## Assistant\n\nI look.\n\n**Tool Call: Look into `a`**\nStatus: Completed\n\n# b\n\n- c\n  - d\n\n\
    **Tool Call: Ask**\nStatus: Canceled\n\n## Assistant\n\nDone.\n";
/// `codex exec` before 0.45.
const OLD_CODEX_EXEC: &str = "[2025-10-09T21:48:24] exec bash -lc ls in /a\n[2025-10-09T21:48:24] bash -lc ls succeeded in 3ms:\n\
    b\n\nc\n[2025-10-09T21:48:26] exec bash -lc 'cat d' in /a\n[2025-10-09T21:48:26] bash -lc 'cat d' exited 1 in 4ms:\n\
    no\n[2025-10-09T21:48:26] codex\n\nDone.\n";
/// Several commands at once.
const CODEX_EXEC_ROW: &str = "exec\n/bin/bash -lc 'ls' in /a\nexec\n/bin/bash -lc 'ps' in /a\n exited 2 in 1ms:\nno\n succeeded in 0ms:\n\
    - b\nexec\n/bin/bash -lc pwd in /a succeeded in 1ms:\n/a\n";
/// Commands of several lines, and changes of files.
const CODEX_EXEC_LINES: &str = "exec\n/bin/zsh -lc \"python3 - <<'PY'\nimport a\n\n# b\n\nif c:\n    d()\nPY\" in /a succeeded in 1.5s:\n1\n\n\
    - 2\nexec\n/bin/bash -lc 'ls\nps' in /a exited 1 in 2ms:\nno\nfile update\nM /a/b.md\n@@ -1,1 +1,1 @@\n-c\n+d\n\n\
    apply_patch(auto_approved=true) exited 0 in 3ms:\nM b.md\nfile update:\ndiff --git a/b.md b/b.md\napply patch\n\
    patch: completed\n/a/b.md\ndiff --git a/b.md b/b.md\n+e\n\ncodex\nDone.\n";
const LLAMAINDEX_OLD: &str = "=== Calling Function ===\nCalling function: add with args: {\"a\": 1}\nGot output: 2\n3\n========================\n";
const HEADINGS: &str = "## Assistant\n\n### Tool Use: Bash\n\n```json\n{\"command\": \"ls\"}\n```\n\n## Tool Result\n\n```text\na\n```\n\n\
    #### Tool Use: Read\n**Input**:\n```json\n{\"path\": \"a\"}\n```\n\n**Tool result:**\n```\nb\n```\n\n\
    **Tool call → Glob**\n```json\n{\"pattern\": \"c\"}\n```\n\n**Tool result:**\n```\nd\n```\n";
/// Exports of Claude Code's sessions by several programs.
const TICKS: &str = "### User\n\nhi\n\n### Assistant\n\n**Tool call:** `Bash` (id: `t1`)\n\n```json\n{\"command\": \"ls\"}\n```\n\n\
    **Tool result:** (id: `t1`)\n\n```\na\n```\n\n**Tool call:** `Read`\n\n```json\n{\"path\": \"a\"}\n```\n\n---\n\n\
    **Tool result:**\n\n```\nb\n```\n\n🔧 **Tool Use:** `Glob`\n\n```json\n{\"pattern\": \"c\"}\n```\n\n---\n\n\
    📋 **Tool Result:** `t3`\n\n```\nd\n```\n";
const BRACKETS: &str = "### Assistant\n\n**[tool_use: Bash]**\n\n```\n{\"command\": \"ls\"}\n```\n\n**[tool_result]**\n\n```\na\n```\n\n\
    **[Tool Use: Read]**\nTool ID: `t2`\n\nInput:\n```json\n{\"path\": \"a\"}\n```\n\n\
    **[Tool Result]**\nTool ID: `t2`\n\n```\nb\n```\n\n";

/// Results in another order than their calls, and a call without one.
const NAMED_RESULTS: &str = "### Assistant\n\n🔧 **Tool Use: Bash** (ID: t1)\n```json\n{}\n```\n\n🔧 **Tool Use: Read** (ID: t2)\n\
    ```json\n{}\n```\n\n🔧 **Tool Use: Glob** (ID: t3)\n```json\n{}\n```\n\n**Tool Result** (ID: t3)\n```\na\n```\n\n\
    **Tool Result** (ID: t1)\n```\nb\n```\n\n**Tool Result** (ID: t0)\n```\nc\n```\n";
const PRUNED: &str = "## Assistant\n\n**Tool: read**\n\n**Input:**\n```json\n{\"path\": \"a\"}\n```\n\n**Output:** (pruned)\n```\nb\n```\n";

pub(super) const ALL: [(&str, &[&str]); 23] = [
    (NAMED_RESULTS, &["🔧 Bash() → b", "🔧 Read() ⏳", "🔧 Glob() → a"]),
    (PRUNED, &["🔧 read(path=a) → b"]),
    (KIMI, &["🔧 look(place=shed) → dry", "🔧 ask(who=Ines) → away"]),
    (TICKS, &["🔧 Bash(command=ls) → a", "🔧 Read(path=a) → b", "🔧 Glob(pattern=c) → d"]),
    (BRACKETS, &["🔧 Bash(command=ls) → a", "🔧 Read(path=a) → b"]),
    (ZED, &["🔧 look(place=shed) → dry", "🔧 ask(who=Ines) ✗ **ERROR:** away"]),
    (COPILOT, &["🔧 look(**Look into the shed** shed 1 line) → dry", "🔧 ask(who=Ines) ✗ away"]),
    (CODEX_EXEC, &["🔧 bash('cat shed.txt') → 3 lines", "🔧 zsh('ask Ines') ✗ away"]),
    (CODEX, &["🔧 Ran(cat shed.txt) → dry", "🔧 Edited(shed.txt (+1 -0)     1     +dry)"]),
    (GEMINI, &["🔧 look(shed) → dry", "🔧 ask(who=Ines) ✗ away"]),
    (TRAE, &["🔧 look(filePath=/house/shed.txt)", "🔧 ask(command=ask Ines undefined) ✗"]),
    (GOOSE, &["🔧 look(place=shed) → dry", "🔧 ask(who=Ines) → away"]),
    (
        KIRO,
        &["🔧 shell(look shed) → dry", "🔧 read(/house) → ✓ Successfully read directory /house (1 entries)"],
    ),
    (LLAMAINDEX, &["🔧 look(place=shed) → dry", "🔧 ask(who=Ines) → away"]),
    (AUTOGPT, &["🔧 look({'place': 'shed'}) → dry", "🔧 ask({'who': 'Ines'}) ✗ Error: away"]),
    (ZED_AGENT, &["🔧 tool(Look into `a`) → 4 lines", "🔧 tool(Ask) ✗"]),
    (OLD_CODEX_EXEC, &["🔧 bash(ls) → 3 lines", "🔧 bash('cat d') ✗ no"]),
    (CODEX_EXEC_ROW, &["🔧 bash('ls') ✗ no", "🔧 bash('ps') → - b", "🔧 bash(pwd) → /a"]),
    (
        CODEX_EXEC_LINES,
        &[
            "🔧 zsh(\"python3 - <<'PY' import a  # b  if c:     d() PY\") → 3 lines",
            "🔧 bash('ls ps') ✗ no",
            "🔧 file update(M /a/b.md @@ -1,1 +1,1 @@ -c +d) → M b.md",
            "🔧 apply patch(patch: completed /a/b.md diff --git a/b.md b/b.md +e)",
        ],
    ),
    (LLAMAINDEX_OLD, &["🔧 add(a=1) → 2 lines"]),
    (OPENMANUS, &["🔧 look() → {'observation': 'dry'}", "🔧 ask() ✗ Error: away"]),
    (CREWAI, &["🔧 look(place=shed) → dry", "🔧 ask(who=Ines) → away"]),
    (HEADINGS, &["🔧 Bash(command=ls) → a", "🔧 Read(path=a) → b", "🔧 Glob(pattern=c) → d"]),
];

/// Older versions of SpecStory write the command of a tool above its result or its error.
#[test]
fn commands_and_errors_of_older_versions_of_spec_story() {
    let call = |label: &str| {
        format!(
            "_**Assistant**_\n\nTool use: **Bash** Lint it\n\n`npm run lint`\n\n{label}:\n\n```\nx\n```\n"
        )
    };
    check(&call("Result"), &["🔧 Bash(npm run lint) → x"]);
    check(&call("Error"), &["🔧 Bash(npm run lint) ✗ x"]);
    check("_**Assistant**_\n\nTool use: **Edit**\n\nError:\n\n```\nno\n```\n", &["🔧 Edit() ✗ no"]);
}

#[test]
fn the_input_of_a_call_in_text_of_cursor_may_have_lines() {
    let text = "user:\nGo.\n\nassistant:\n[Tool call] Read\n  path: a.py\n  limit: 2\n[Tool call] Shell\n  command: ls\n-l\n\n[Tool result] Read\n\n[Tool result] Shell\n";
    check(text, &["🔧 Read(path=a.py, limit=2)", "🔧 Shell(command: ls -l)"]);
}

#[test]
fn an_exported_call_may_have_no_result() {
    check(
        "<details><summary>Tool: Grep</summary>\n\n```json\n{\"pattern\": \"e\"}\n```\n</details>\n",
        &["🔧 Grep(pattern=e) ⏳"],
    );
}

#[test]
fn codex_runs_commands_in_other_shells() {
    let ran = |command: &str| format!("exec\n{command} in /a\n succeeded in 0ms:\nb\n\ncodex\nDone.\n");
    check(&ran("/usr/bin/bash -lc 'ls'"), &["🔧 bash('ls') → b"]);
    check(&ran("/usr/local/bin/zsh -lc 'ls in /c'"), &["🔧 zsh('ls in /c') → b"]);
    check(&ran("/bin/bash -lc 'grep \" exited \" c'"), &["🔧 bash('grep \" exited \" c') → b"]);
    check(
        &ran("/bin/bash -lc \"python3 - <<'PY'\nfor a in /b:\n    c()\nPY\""),
        &["🔧 bash(\"python3 - <<'PY' for a in /b:     c() PY\") → b"],
    );
    let shell = r#""C:\\WINDOWS\\System32\\WindowsPowerShell\\v1.0\\powershell.exe" -Command"#;
    let ran = |command: &str| ran(&format!("{shell} {command}")).replace(" in /a", r" in C:\a b");
    check(&ran("'Get-Content a'"), &["🔧 powershell.exe('Get-Content a') → b"]);
    check(&ran("'ls\nps'"), &["🔧 powershell.exe('ls ps') → b"]);
    // Prose about shells is text.
    check("/usr/bin/bash -lc is how a login shell is started.\n", &[]);
}

/// Results of Claude Code may have blank lines, and begin in the last line of their call.
#[test]
fn results_in_the_terminal_of_claude_code() {
    let blank = "⏺ Bash(a)\n  ⎿  b\n\n     c\n     # d\n\n  (timeout 5m)\n\n⏺ Done.\n\n     code\n";
    check(blank, &["🔧 Bash(a) → 4 lines"]);
    check(&blank.replace('\n', "\r\n"), &["🔧 Bash(a) → 4 lines"]);
    check(
        "⏺ Bash(a \"b\n      c…)  ⎿  d\n     e\n\n⏺ Bash(f)\n  ⎿  g\n",
        &["🔧 Bash(a \"b       c…) ⏳", "🔧 Bash(f) → g"],
    );
    check(
        "⏺ Explore(Find it) Haiku 4.5\n  ⎿  Done (3 tool uses)\n",
        &["🔧 Explore(Find it) → Done (3 tool uses)"],
    );
    // What a skill shows while it works is no sign of a cut.
    check("⏺ Skill(implement)\n  ⎿  Initializing…\n", &["🔧 Skill(implement) → Initializing…"]);
    check("⏺ Read(a)\n\n⏺ The mark  ⎿  stands before results.\n", &["🔧 Read(a) ⏳"]);
    check("⏺ Grep(pattern: \"x) Opus y\")\n  ⎿  z\n", &["🔧 Grep(pattern: \"x) Opus y\") → z"]);
}

#[test]
fn tools_of_crewai_have_names_in_words() {
    let call = |name: &str| {
        format!(
            "## Using tool: {name}\n## Tool Input: \n{{\"path\": \"a\"}}\n## Tool Output: \n- b\n\n# Agent: c\n"
        )
    };
    check(&call("Read a file's content"), &["🔧 Read a file's content(path=a) → - b"]);
    check(
        &call("Search the web for pages about it"),
        &["🔧 Search the web for pages about it(path=a) → - b"],
    );
}

/// Kiro in colours; calls may follow each other, and two may stand on one line.
#[test]
fn calls_of_kiro() {
    let text = "I will run the following command: \x1b[1mls -a\x1b[0m (using tool: shell)\nPurpose: Look\n\nb\n\
        \x1b[1m - Completed in 0.2s\x1b[0m\n\nReading file: \x1b[1m/a\x1b[0m, all lines (using tool: read)\n\
        \x1b[1m ✓ \x1b[0mSuccessfully read 2 bytes\n\x1b[1m - Completed in 0.0s\x1b[0m\n\n\
        Batch fs_read operation with 2 operations (using tool: read)\n\n↱ Operation 1: Reading file: /a\n\n\
        - Summary: 2 operations processed\n - Completed in 0.0s\n\n\
        Searching for: a (using tool: grep)Searching for: b (using tool: glob)\n ✓ Found\n - Completed in 0.1s\n\n\
        I'll append content to file: a (using tool: write)\nReading directory: /a (using tool: read, max depth: 2)\n\
        \x1b[1m> \x1b[0mDone.\n\nRunning tool ask with the param (from mcp server: b)\n ⋮  {\n ⋮    \"q\": 1\n ⋮  }\n - Completed in 1s\n";
    check(
        text,
        &[
            "🔧 shell(ls -a) → b",
            "🔧 read(/a, all lines) → ✓ Successfully read 2 bytes",
            "🔧 read(2 operations) → 3 lines",
            "🔧 grep(a) → ✓ Found",
            "🔧 write(a)",
            "🔧 read(/a)",
            "🔧 ask({    \"q\": 1  })",
        ],
    );
    let lines = "I will run the following command: cat <<'A'\nb (c)\nA (in d) (using tool: shell)\nPurpose: Look\n\nb\n - Completed in 1s\n";
    check(lines, &["🔧 shell(cat <<'A' b (c) A (in d)) → b"]);
    check("I will run the following command: ls\n\nIt is done.\n", &[]);
    check("Reading file: it (using tool: read) is what Kiro prints.\n", &["🔧 read(it)"]);
}

/// Newer versions of goose write a line above each call, in lists of results, too.
#[test]
fn calls_of_newer_versions_of_goose() {
    let line = "─".repeat(40);
    let text = format!(
        "  {line}\n  ▸ todo_write todo\n    content: - [ ] a\n  - [ ] b\n\n\n  {line}\n  ▸ shell\n    command: cat a\n\n\
         # A\n\n- b\n\n  {line}\n  ▸ shell\n    command: ls\n\nc\n( O)> Bye\n"
    );
    check(
        &text,
        &[
            "🔧 todo_write(content: - [ ] a   - [ ] b) ⏳",
            "🔧 shell(command=cat a) → 3 lines",
            "🔧 shell(command=ls) → c",
        ],
    );
    check(&format!("{line}\n\n▸ a menu\n"), &[]);
    check(&format!("{line}\na table\n"), &[]);
}

/// The console of AutoGen in colours; results may have paragraphs, and be errors.
#[test]
fn results_of_autogen() {
    let call = "\x1b[32m***** Suggested tool call (c): find *****\x1b[0m\nArguments: \n{\"a\": 1}\n\x1b[32m********\x1b[0m\n\n---\n\n\
        \x1b[32m***** Response from calling tool (c) *****\x1b[0m\ntwo\n\n- three\n\x1b[32m********\x1b[0m\n\n---\n";
    check(call, &["🔧 find(a=1) → 3 lines"]);
    check("***** Response from calling tool (c) *****\ntwo\n\nthree\n", &[]);
    check(
        "[FunctionCall(id='c', arguments='{\"a\": 1}', name='find')]\n\
         [FunctionExecutionResult(content='no', name='find', call_id='c', is_error=True)]\n",
        &["🔧 find(a=1) ✗ no"],
    );
}

/// A command that printed nothing has no code block, and one with several lines may have headings.
#[test]
fn commands_that_copilot_shares() {
    check(
        "# 🤖 Copilot CLI Session\n\n### ✅ `bash`\n\n**Look**\n\n$ cat <<A\n# B\n\n### C\nA\n\n---\n\n\
         ### ✅ `bash`\n\n**List**\n\n$ ls\n\n```\na\n```\n\n---\n",
        &["🔧 bash(**Look** $ cat <<A # B ### C A)", "🔧 bash(**List** $ ls) → a"],
    );
}

#[test]
fn amazon_q_with_one_blank_behind_its_mark() {
    check(
        "🛠️ Using tool: execute_bash (trusted)\n ⋮\n ● I will run the following shell command: ls\n ⋮\n ↳ Purpose: Look\n\n\
         a\n\n ⋮ \n ● Completed in 1.2s\n",
        &["🔧 execute_bash(action=I will run the following shell command: ls) → a"],
    );
}

#[test]
fn commands_in_threads_of_zed_may_have_lines() {
    let call = "**Tool Call: git commit -m \"a\n\nb\"**\nStatus: Failed\n\nTerminal:\n```\nno\n```\n";
    check(&call.replace("\n\nb", "\nb"), &["🔧 tool(git commit -m \"a b\") ✗ Terminal: ``` no ```"]);
    check("**Tool Call: a\n\nStatus: Completed\n", &[]);
}
