//! Forms of sessions that several programs export.

const HEADED: &str = "## Iteration 1\n\n### Tool Call: run\n\n  Args: {\n  \"file\": \"a\"\n}\n\n#### Result\n\n[1]\n\n## Iteration 2\n\n\
    ### Tool Call: run\n\n  Args: {\n  \"file\": \"b\",\n}\n\n#### Result\n\n[2]\n";
const ECA: &str = "## User\n\nhi\n\n## Assistant\n\n### Tool Call: read (succeeded)\n\n\n```json\n{\n  \"path\": \"a\"\n}\n```\n\n\
    **Summary:** Reading a\n\n**Output:**\n```\n# b\n\n> c\n```\n\n### Tool Call: run (failed)\n\n```json\n{\"c\": \"d\"}\n```\n\n\
    **Summary:** Run\n\n**Output:**\n```\nno\n```\n\n### Tool Call: ask (preparing)\n\n```json\n{\"q\": 1}\n```\n\n## Assistant\n\nOk.\n";
const DEEP_AGENTS: &str = "### User\nhi\n\n### Assistant\nI look.\n\n### Tool call: read\n{\"path\": \"a\"}\n\n### Tool call: read\n{\"path\": \"b\"}\n\n\
    ### Tool result\n```\nc\n```\n\n### Tool result\n\n```\nd\n```\n\n### Assistant\nDone.\n";
const CAPITALS: &str = "### USER\n\n```\nhi\n```\n\n### TOOL CALL: Bash\n\n```\n{\"command\": \"ls\"}\n```\n\n### TOOL RESULT\n\n```\na\n```\n\n\
    ### Tool call: Skill\n\n```\n{\"skill\": \"b\"}\n```\n\n<details><summary>Tool result</summary>\n\n```\nc\n```\n\n</details>\n";
const TURNS: &str = "### Assistant (Turn 1)\n**Tool Call: `bash`**\n```json\n{\"command\": \"ls\"}\n```\n\n### Tool Result\n```\na\n```\n\n\
    ### Assistant (Turn 2)\n**[Tool: Read]**\n```json\n{\"path\": \"b\"}\n```\n\n### Tool Result\n\n```\nc\nd\n```\n";
const GOOSE: &str = "### Assistant:\n#### Tool Call: `write` (namespace: `a`)\n**Arguments:**\n*   **path**: `a.py`\n*   **force**: *true*\n\
    *   **content**:\n    ```python\n    def f():\n    return 1\n    ```\n\n#### Tool Call: `look` (namespace: `a`)\n**Arguments:**\n*empty object*\n\n---\n\n\
    #### Tool Response:\nb\n\nc\n\n#### Tool Response:\nd\n\n---\n\n### Assistant:\nDone.\n";
const NUMBERED: &str = "<details><summary>Tool call #1: <code>now</code> ✓  ·  actual 6.6 ms</summary>\n\n**Parameters**\n\n```json\n{}\n```\n\n\
    **Response**\n\n```json\n[1]\n```\n\n</details>\n\n<details><summary>LLM call #1: <code>a</code> (function_call) → `now`</summary>\n\nx\n\n</details>\n";
const KILO: &str = "### [assistant] 2026-07-09T19:28:35.652000+00:00\n\n**tool `read`** completed\n```input\n{\n  \"path\": \"a\"\n}\n```\n\
    ```output\n<b>\n```\n\n**tool `bash`** error\n```input\n{\"command\": \"ls\"}\n```\n```output\nno\n```\n\nDone.\n";
const OPENCODE: &str = "## Message 2: assistant\n\n### Tool: read (completed)\n\n```json\n{\"path\": \"a\"}\n```\n\n```text\nb\n```\n\n\
    ### Tool: bash (error)\n\n```json\n{\"command\": \"ls\"}\n```\n\n```text\nno\n```\n\n## Message 3: assistant\n\nDone.\n";
const ARROWS: &str = "### Assistant\n\n**-> tool: `Bash`**\n\n```json\n{\"command\": \"ls\"}\n```\n\n**-> mcp__a__b**\n```json\n{\"c\": 1}\n```\n\n\
    **<- result**\n\n```\nd\n```\n\n**<- result**\n```\ne\n```\n";
const BRACKETS: &str = "[Tool: Bash]\n  Input: {\n  \"command\": \"ls\"\n}\n\n[Tool: Read]\n  Input: {\n  \"path\": \"a\"\n}\n\
    [Tool Result] b\n  c\n[Tool Error] no\n";
const TYPES: &str = "[tool_use] Bash {\"command\": \"ls\"}\n[tool_result] a\nb\n[assistant] Done.\n[tool_use] Read {\"path\": \"c\"}\n[tool_result] d\n";
const QUOTED: &str =
    "# Human\n\nhi\n\n# Model\n\n> **[tool: Bash]** {\"command\": \"ls\"}\n\n> **[result]** a\nb\n";
const FLEMMA: &str = "@Assistant: Two tools.\n\n**Tool Use:** `add` (`t1`)\n```json\n{\"a\": 1}\n```\n\n**Tool Use:** `bash` (`t2`)\n\
    ```json\n{\"command\": \"ls\"}\n```\n\n@You: **Tool Result:** `t2` (error)\n\n```\nno\n```\n\n**Tool Result:** `t1`\n\n```\n4\n```\n";
const TIMED: &str =
    "## Assistant\n\n### Tool Use: Read <sub>2026-02-22 02:54:53</sub>\n\n```json\n{\"path\": \"a\"}\n```\n";
const AMP: &str = "## Assistant\n\n**Tool Use:** `Bash`\n\n```json\n{\"cmd\": \"ls\"}\n```\n\n## User\n\n\
    **Tool Result:** `t1`\n\n```\na.py\n```\n";
const COPIED: &str = "GitHub Copilot: Created 7 todos\n\nStarting: *Mend it* (1/7)\n\nSearched codebase for \"a (b)\", 12 results\n\n\
    Replacing 35 lines with 44 lines in [](file:///a.py)\n\n\n```\n\n```\n\n\nCompleted: *Mend it* (1/7)\n\n\
    Starting: _Look_ (2/7)\n\nChecked terminal output\n\nFetched 3 resources\n\nAdded 1 todo\n\nCreated memory file [](file:///b.md)\n\nDone.\n";

pub(super) const ALL: [(&str, &[&str]); 18] = [
    (AMP, &["🔧 Bash(cmd=ls) → a.py"]),
    (HEADED, &["🔧 run(file=a) → [1]", "🔧 run({   \"file\": \"b\", }) → [2]"]),
    (ECA, &["🔧 read(path=a) → 3 lines", "🔧 run(c=d) ✗ no", "🔧 ask(q=1) ⏳"]),
    (DEEP_AGENTS, &["🔧 read(path=a) → c", "🔧 read(path=b) → d"]),
    (CAPITALS, &["🔧 Bash(command=ls) → a", "🔧 Skill(skill=b) → c"]),
    (TURNS, &["🔧 bash(command=ls) → a", "🔧 Read(path=b) → 2 lines"]),
    (NUMBERED, &["🔧 now() → [1]"]),
    (
        "### Assistant:\n#### Tool Call: `f` (namespace: `a`)\n**Arguments:**\n*   **p**: `1`\n\n---\n\n\
         #### Tool Response:\n```json\n{\"a\": 1}\n```\n\n---\n",
        &["🔧 f(p=1) → {\"a\": 1}"],
    ),
    (GOOSE, &["🔧 write(path=a.py, force=true, content=def f():     return 1) → 3 lines", "🔧 look() → d"]),
    (KILO, &["🔧 read(path=a) → <b>", "🔧 bash(command=ls) ✗ no"]),
    (OPENCODE, &["🔧 read(path=a) → b", "🔧 bash(command=ls) ✗ no"]),
    (ARROWS, &["🔧 Bash(command=ls) → d", "🔧 mcp__a__b(c=1) → e"]),
    (BRACKETS, &["🔧 Bash(command=ls) → 2 lines", "🔧 Read(path=a) ✗ no"]),
    (TYPES, &["🔧 Bash(command=ls) → 2 lines", "🔧 Read(path=c) → d"]),
    (QUOTED, &["🔧 Bash(command=ls) → 2 lines"]),
    (FLEMMA, &["🔧 add(a=1) → 4", "🔧 bash(command=ls) ✗ no"]),
    (TIMED, &["🔧 Read(path=a) ⏳"]),
    (
        COPIED,
        &[
            "🔧 Created(7)",
            "🔧 Starting(Mend it)",
            "🔧 Searched codebase(a (b))",
            "🔧 Replacing(file:///a.py)",
            "🔧 Completed(Mend it)",
            "🔧 Starting(Look)",
            "🔧 Checked terminal output()",
            "🔧 Fetched()",
            "🔧 Added()",
            "🔧 Created memory file(file:///b.md)",
        ],
    ),
];

/// Other text in the same place, and what follows a result without a call.
#[test]
fn similar_text_is_text() {
    let speaker = "**User:** a\n\n**Assistant:** b\n\n";
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(super::labels(&super::new(&format!("{speaker}{text}"), true)), expected, "{text}");
    };
    for text in [
        "**→ Step 1: install**\n\n```bash\nnpm i\n```\n",
        "**[Tool: hammer]**\n\n```\nuse it\n```\n",
        "[tool_use] blocks are sent\n[tool_result] blocks are sent\n",
        "> **[tool: Bash]** runs a command\n> **[result]** a\n",
        "GitHub Copilot: c\n\nCompleted: *Foo* (50%)\n\nSearched codebase for \"x\" and found nothing\n",
        "GitHub Copilot: c\n\nFetched all resources\n\nAdded 1 todo to it\n\nStarting: _soon_ (or later)\n",
        "### Tool Call: read\nreads a file\n",
    ] {
        check(text, &[]);
    }
    let fence = "```tool\n{\"toolName\": \"x\", \"input\": {}}\n```\n";
    check(&format!("### Tool result\n\nfoo\n\n{fence}"), &["🔧 x() ⏳"]);
    check(&format!("### Tool Call: read\n\n{fence}"), &["🔧 x() ⏳"]);
}
