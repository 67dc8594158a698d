//! Forms of transcripts that small scripts write.

const ITALIC: &str = "**Ann:** hi\n\n**Claude** (2026-09-10T14:54): _[tool: Bash]_\n\n**Claude:**   _[tool: Bash — cd $HOME && ls]_\n\n\
    _[tool: **Read** — C:\\a]_\n\n_[Tool: **Read** `b`]_\n\n_[tool: ask]_ `{\"q\": 1}`\n\n_[tool use: look]_\n";
const ROLES: &str = "**user**: hi\n\n**assistant**: [tool: Bash]\n\n**assistant**: Done.\n";
const BRACKETS: &str = "### Assistant | 2026-06-03T04:19:15.035Z\n\n[tool_use: Read]\n\n[tool_use: Bash]\n\n### User | 2026-06-03\n\n\
    [tool_result] a\nb\n\n[tool_result] c\n";
const CAPITALS: &str = "## ASSISTANT\n\n[Tool call: bash]\n\n{\"command\":\"pwd\"}\n\n[Tool call: look]\n```json\n{\"a\": 1}\n```\n\n\
    ## ASSISTANT\n\nDone.\n";
const TIMES: &str = "### Tool Call: run (2026-05-19T16:35:15.958Z)\n\n```json\n{\"cmd\": \"pwd\"}\n```\n\n\
    ### Tool Call: run - 2026-05-03T07:08:49.247Z\n\n```json\n{\"cmd\": \"ls\"}\n```\n\n## Tool call: run · 2026-06-29T13:57\n\n```json\n{\"cmd\": \"ps\"}\n```\n\n\
    ### Tool Output: call_1 (2026-05-19T16:35:16.064Z)\n\n```text\n/w\n```\n\n### Command Result - 2026-05-03T07:08\n\n```text\na\n```\n\n\
    ### Tool output\n\n```\nb\n```\n";
const HEADINGS: &str = "### tool_use: Bash\n```json\n{\"command\": \"ls\"}\n```\n\n#### tool_result\n```\na\n```\n\n\
    #### Tool: look\n\nInput:\n```json\n{\"at\": \"a\"}\n```\n\nOutput:\n```\nb\n```\n\n### Tool: ask\n\n**Input:**\n```json\n{\"q\": 1}\n```\n\n**Output:**\n```\nd\n```\n\n\
    #### Tool: Bash\n\n```bash\ncurl -s\n```\n\n**Output:**\n\n```json\nc\n```\n\n### Tool: Read\n\n```json\n{\"path\": \"d\"}\n```\n\n*2 tokens*\n\n### Tool Result\n\n```\ne\n```\n";
const NUMBERED: &str = "## [2] assistant\n\n**tool call: bash**\n\n```\nls\n```\n\n## [3] tool\n\na\n\nb\n\n## [4] assistant\n\nDone.\n";
const DASHES: &str = "**Tool — Bash**: List — 2026-09-24T12:06:11.536Z\n\n````bash\nls\n````\n\nResult:\n\n````\na\n````\n\n\
    <details>\n<summary>**Tool — Bash**: Look</summary>\n\n```bash\nls b\n```\n\nResult:\n\n```\nc\n```\n\n</details>\n";
const QUOTED: &str = "> 🔧 *Plan* —\n\n> 🔧 *Write* — /w/a.md\n\n> ↳ *tool result:* approved\n\n> ↳ *tool result:* written\n\nx\n\n> **Tool: Edit** — a.py\n\n> **Tool: Bash** — `ls`\n";
const DICTS: &str = "**tool call:** `read` {'path': 'a'}\n\n**tool call:** `list` {}\n\n> tool result: a\n\nx\n\n> tool result: b\nc\n";
const SUMMARIES: &str = "## Assistant <sup>2026/7/20 21:26:32</sup>\n\n<details>\n<summary>Tool: <code>Read</code></summary>\n\n```json\n{\n  \"path\": \"a\"\n}\n```\n\n</details>\n\n\
    <details>\n<summary>Tool: <code>now</code></summary>\n\n```json\n{}\n```\n\n</details>\n\n---\n\n## User <sup>2026/7/20 21:26:32</sup>\n\n\
    <details>\n<summary>Tool Result</summary>\n\n```\nb\nc\n```\n\n</details>\n\n<details>\n<summary>Tool Result</summary>\n\n```\nd\n```\n\n</details>\n";
pub(super) const ALL: [(&str, &[&str]); 11] = [
    (
        ITALIC,
        &["🔧 Bash()", "🔧 Bash(cd $HOME && ls)", "🔧 Read(C:\\a)", "🔧 Read(b)", "🔧 ask(q=1)", "🔧 look()"],
    ),
    (ROLES, &["🔧 Bash()"]),
    (BRACKETS, &["🔧 Read() → 2 lines", "🔧 Bash() → c"]),
    (CAPITALS, &["🔧 bash(command=pwd) ⏳", "🔧 look(a=1) ⏳"]),
    (TIMES, &["🔧 run(cmd=pwd) → /w", "🔧 run(cmd=ls) → a", "🔧 run(cmd=ps) → b"]),
    (
        HEADINGS,
        &[
            "🔧 Bash(command=ls) → a",
            "🔧 look(at=a) → b",
            "🔧 ask(q=1) → d",
            "🔧 Bash(curl -s) → c",
            "🔧 Read(path=d) → e",
        ],
    ),
    (NUMBERED, &["🔧 bash(ls) → 3 lines"]),
    (DASHES, &["🔧 Bash(ls) → a", "🔧 Bash(ls b) → c"]),
    (QUOTED, &["🔧 Plan() → approved", "🔧 Write(/w/a.md) → written", "🔧 Edit(a.py)", "🔧 Bash(ls)"]),
    (SUMMARIES, &["🔧 Read(path=a) → 2 lines", "🔧 now() → d"]),
    (DICTS, &["🔧 read({'path': 'a'}) → a", "🔧 list() → 2 lines"]),
];

/// Documentation and prose in the same places.
#[test]
fn similar_text_is_text() {
    for text in [
        "The line _[tool: Bash]_ stands for a call.\n\n_[tool: hammer]_ hits nails.\n",
        "Use **bold:** here: _[tool: hammer]_\n\nSee [tool: hammer] and [tool_use: hammer].\n",
        "### Tool: hammer\n\nIt hits nails.\n\n**Input:**\n\n| a | b |\n|---|---|\n",
        "#### Tool: hammer\n\n```bash\nhammer --help\n```\n",
        "- 🔧 **Modular** — easy to extend\n- 🔧 **Config** — `a.toml` has the settings\n",
        "## [3] tools\n\n## [1.2.0] tool\n\nTool: hammer(nail)\nResult: a hole\n",
        "<details>\n<summary>Tool: <code>hammer</code></summary>\n\nIt hits nails.\n\n</details>\n",
        "<details>\n<summary>Result</summary>\n\nIt works.\n\n</details>\n\n> tool result: fine\n",
    ] {
        super::check(&format!("**User:** a\n\n**Assistant:** b\n\n{text}"), &[]);
    }
}

/// A line alone shows a transcript with its input only; headings of documentation do not.
#[test]
fn lines_are_evidence() {
    for text in ["_[tool: Bash — ls]_\n", TIMES, QUOTED, DICTS, ROLES] {
        assert!(super::new(text, false).is_transcript(), "{text}");
    }
    for text in [
        "_[tool: Bash]_\n",
        "<details>\n<summary>Tool: <code>ask</code></summary>\n\n```json\n{\"q\": 1}\n```\n\n</details>\n",
        "### Tool: ask\n\n**Input:**\n```json\n{\"q\": 1}\n```\n\n**Output:**\n```\na\n```\n",
    ] {
        assert!(!super::new(text, false).is_transcript(), "{text}");
    }
}
