//! Each form is found where it stands, in containers and with any line ends, and nowhere else.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::row::FOREIGN;
use crate::config::Settings;
use crate::dialect::DIALECTS;
use crate::document::{Document, Language};
use crate::features::folding::{Fold, FoldingCapabilities, folding_ranges};
use crate::text::Text;

mod consoles;
mod exports;
mod scripts;
mod specstory;

use specstory::{CURSOR, SPECSTORY};

const REACT: &str =
    "Thought: so\nAction: find\nAction Input: {\"q\": 1}\nObservation: two\nlines\nThought: ok\n";
const SEARCH: &str = "Thought 1: so\nAction 1: Search[a b]\nObservation 1: c\nAction 2: Finish[d]\n";
const BOLD: &str = "**Thought:** so\n**Action:** find\n**Action Input:** x\n**Observation:** two\n";
const PARAGRAPHS: &str = "Thought: so\n\nAction: find\n\nAction Input: x y\n\nObservation: two\n";
const OPENCODE: &str = "**Tool: read**\n\n**Input:**\n```json\n{\n  \"path\": \"a.py\"\n}\n```\n\n\
    **Output:**\n\n```\nx\n```\n";
const FAILED: &str =
    "**Tool: read**\n\n**Input:**\n```json\n{\"path\": \"a\"}\n```\n\n**Error:**\n```\nno\n```\n";
const EXPORTER: &str = "🔧 **Tool Use: Read** (ID: t1)\n```json\n{\"path\": \"a\"}\n```\n\n---\n\n\
    🔧 **Tool Use: List** (ID: t2)\n```json\n{\"path\": \"b\"}\n```\n\n---\n\n\
    📊 **Tool Result:**\n```\none\n```\n\n📊 **Tool Result:**\n```\ntwo\n```\n";
const OLDER: &str =
    "**Tool: Read**\n```json\n{\"path\": \"a\"}\n```\n\n### User\n\n**Tool Result** (ID: t1)\n```\nx\n```\n";
const AGENT_SHELL: &str = "### Tool Call [failed]: Read a.py\n\n**Tool:** read\n**Parameters:**\n\
    path: a.py\nlimit: 3\n\n````\n```\nno\n```\n````\n\n### Tool Call [completed]: ls\n\n**Tool:** execute\n\
    **Command:** ls\n\n```\na.py\n```\n## Agent\n\nOk.\n";
const AIDER: &str = "> Applied edit to a.py  \n> Applied edit to b.py  \n> Commit 1a2b aider: Fixed it  \n";
const TERMINAL: &str = "⏺ Read(a.py)\n  ⎿  Read 3 lines\n     more\n\n⏺ It is done.\n";
const TERMINAL_MCP: &str = "⏺ browser - Navigate to a page (MCP)(url: \"http://a.example\")\n  ⎿  ### Result\n\n\
    ⏺ zen:chat (MCP)(prompt: \"x\")\n  ⎿ ok\n";
const AUTOGEN: &str = "---------- Request (a) ----------\n[FunctionCall(id='c', arguments='{\"a\": 1}', name='find')]\n\
    ---------- Execution (a) ----------\n[FunctionExecutionResult(content='two', call_id='c')]\n";
const AUTOGEN_LIST: &str = "---------- Request (a) ----------\n[FunctionCall(id='c', arguments='{\"a\": 1}', name='find'), \
    FunctionCall(id='d', arguments='{\"b\": 2}', name='look')]\n---------- Execution (a) ----------\n\
    [FunctionExecutionResult(content='two', name='find', call_id='c', is_error=False), \
    FunctionExecutionResult(content='three', name='look', call_id='d', is_error=False)]\n";
const LANGCHAIN: &str = "Thought: so\n\nAction:\n```json\n{\n  \"action\": \"find\",\n  \"action_input\": {\"q\": 1}\n}\n```\n\
    Observation: two\n\nAction: \n\n```\n{\"action\": \"look\", \"action_input\": \"here\"}\n```\n\nObservation: no\n\n\
    Action:\n```\n{\"action\": \"Final Answer\", \"action_input\": \"x\"}\n```\n";
const OLD_AUTOGEN: &str = "***** Suggested tool call (c): find *****\nArguments: \n{\"a\": 1}\n*****************\n\n---\n\
    ***** Response from calling tool (c) *****\ntwo\n*****************\n";
const OLDEST_AUTOGEN: &str = "***** Suggested function Call: find *****\nArguments: \n{\"a\": 1}\n*****************\n\n\
    user (to a):\n\n***** Response from calling function \"find\" *****\ntwo\n*****************\n";
const VS_CODE: &str = "someone: edit it\n\nGitHub Copilot: I will.\n\n\
    Read [](file:///a.py#1-1), lines 1 to 2\n\nUsing \"Replace String in File\"\n\n\n```\n\n```\n\n\n\
    Searched text for `a (b)` (`**/*.py`), no results\n\nRan `look_up` \nCompleted with input: {\n  \"q\": 1\n}\n\n\
    Ran terminal command: ls -a\n\nChecked [](file:///a.py), no problems found\n\nMade changes.\n";
const WINDSURF: &str = "### User Input\n\nfix it\n\n*Viewed [a.py](file:///a.py) *\n\n*Grep searched codebase*\n\n\
    ### Planner Response\n\nI run it.\n\n*User accepted the command `ls -a`*\n\n*Edited relevant file*\n\nDone.\n";
const GEMINI: &str = "## MODEL\n\nI look.**Tool Command**:\n```json\n{\n  \"name\": \"look\",\n  \"args\": {\"a\": 1}\n}\n\
    ```**Tool Command**:\n```json\n{\n  \"name\": \"ask\",\n  \"args\": {}\n}\n```\n\n---\n\n## USER\n\n\
    **Tool Response**:\n```json\n{\"name\": \"look\", \"response\": {}}\n```\n";
const INVOKING: &str = "> Entering new AgentExecutor chain...\n\nInvoking: `look_up` with `{'q': 1}`\n\n\none\n\
    Invoking: `ask` with `{}`\nresponded: I ask.\n\n\ntwo\n\nIt is two.\n\n> Finished chain.\n";
const ROO: &str = "**User:**\n\nhi\n\n---\n\n**Assistant:**\n\nI look.\n[Tool Use: read_file]\nPath: a.md\n\n---\n\n\
    **User:**\n\n[Tool]\none\n\n---\n\n**Assistant:**\n\n[Tool Use: list_files]\nPath: b\n\n---\n\n\
    **User:**\n\n[Tool (Error)]\nno\n";
const CREW: &str = "# Agent: Reader\n## Thought: I look.\n## Using tool: Search in a website\n\
    ## Tool Input: \n\"{\\\"q\\\": 1}\"\n## Tool Output: \none\n\n# Agent: Reader\n## Final Answer: \none\n";
const PRINTED: &str = "================================ Human Message =================================\n\n\
    look\n================================== Ai Message ==================================\n\nI look.\nTool Calls:\n  \
    look_up (c)\n Call ID: c\n  Args:\n    q: a: b\n    n: 1\n  ask (d)\n Call ID: d\n  Args:\n\
    ================================= Tool Message =================================\nName: look_up\n\none\n\n\
    ```\ntwo\n```\n================================= Tool Message =================================\nName: ask\n\n\
    Error: no\n================================== Ai Message ==================================\n\nDone.\n";
const GPTEL: &str = "``` tool (read_file :filepath \"a.py\" :lin ...)\n\
    (:name \"read_file\" :args (:filepath \"a.py\" :lines [1 2]))\n\nx = 1\n\ny = 2\n```\n\n\
    ``` tool (list nil)\n(:name \"list\" :args nil)\n\nError: Tool 'list' is not available.\n```\n";

const USING: &str = "## Claude\n\n\n🔧 Using tool: Glob\nInput: {\n  \"a\": 1\n}\n\n🔧 Using tool: List\nInput: {}\nI read.\n🔧 Tool: read\nInput: {\n  \"p\": {}\n}\nDone.\n";
const ROO_BATCH: &str = "**Roo**\n\n[Tool Use: read_file]\nPath: a\n\n[Tool Use: read_file]\nPath: b\n\n---\n\n\
    **User**\n\n[Tool]\nof a\n\n[Tool]\nof b\n";
const VS_CODE_COMMAND: &str = "someone: run it\n\nGitHub Copilot: Read [](file:///a)\n\nRan terminal command: cat <<'A'\nb\nA\n\n\
    Searched for regex `a|b` (`**/*.py`), 2 results\n\nRead memory [](file:///m)\n\nDone.\n";

/// The forms with the labels of their tool uses.
const ALL: [(&str, &[&str]); 27] = [
    (PRINTED, &["🔧 look_up(q=a: b, n=1) → 5 lines", "🔧 ask() ✗ Error: no"]),
    (BOLD, &["🔧 find(x) → two"]),
    (PARAGRAPHS, &["🔧 find(x y) → two"]),
    (AUTOGEN, &["🔧 find(a=1) → two"]),
    (AUTOGEN_LIST, &["🔧 find(a=1) → two", "🔧 look(b=2) → three"]),
    (LANGCHAIN, &["🔧 find(q=1) → two", "🔧 look(here) → no"]),
    (
        VS_CODE,
        &[
            "🔧 Read(file:///a.py#1-1)",
            "🔧 Replace String in File()",
            "🔧 Searched text(a (b))",
            "🔧 look_up(q=1)",
            "🔧 Ran terminal command(ls -a)",
            "🔧 Checked(file:///a.py)",
        ],
    ),
    (
        WINDSURF,
        &[
            "🔧 Viewed(file:///a.py)",
            "🔧 Grep searched codebase()",
            "🔧 User accepted the command(ls -a)",
            "🔧 Edited relevant file()",
        ],
    ),
    (GEMINI, &["🔧 look(a=1) → {\"name\": \"look\", \"response\": {}}", "🔧 ask() ⏳"]),
    (INVOKING, &["🔧 look_up({'q': 1}) → one", "🔧 ask() → 3 lines"]),
    (ROO, &["🔧 read_file(Path: a.md) → one", "🔧 list_files(Path: b) ✗ no"]),
    (CREW, &["🔧 Search in a website(q=1) → one"]),
    (OLD_AUTOGEN, &["🔧 find(a=1) → two"]),
    (OLDEST_AUTOGEN, &["🔧 find(a=1) → two"]),
    (REACT, &["🔧 find(q=1) → 2 lines"]),
    (SEARCH, &["🔧 Search(a b) → c", "🔧 Finish(d) ⏳"]),
    (OPENCODE, &["🔧 read(path=a.py) → x"]),
    (FAILED, &["🔧 read(path=a) ✗ no"]),
    (EXPORTER, &["🔧 Read(path=a) → one", "🔧 List(path=b) → two"]),
    (OLDER, &["🔧 Read(path=a) → x"]),
    (AGENT_SHELL, &["🔧 read(path=a.py, limit=3) ✗ ``` no ```", "🔧 execute(command=ls) → a.py"]),
    (AIDER, &["🔧 edit(a.py)", "🔧 edit(b.py)"]),
    (
        GPTEL,
        &[
            "🔧 read_file(filepath=a.py, lines=[1,2]) → 3 lines",
            "🔧 list() ✗ Error: Tool 'list' is not available.",
        ],
    ),
    (
        TERMINAL_MCP,
        &["🔧 Navigate to a page(url: \"http://a.example\") → ### Result", "🔧 zen:chat(prompt: \"x\") → ok"],
    ),
    (USING, &["🔧 Glob(a=1) ⏳", "🔧 List() ⏳", "🔧 read(p={}) ⏳"]),
    (ROO_BATCH, &["🔧 read_file(Path: a) → of a", "🔧 read_file(Path: b) → of b"]),
    (
        VS_CODE_COMMAND,
        &[
            "🔧 Read(file:///a)",
            "🔧 Ran terminal command(cat <<'A' b A)",
            "🔧 Searched for regex(a|b)",
            "🔧 Read memory(file:///m)",
        ],
    ),
];

fn new(text: &str, is_named: bool) -> Document {
    let settings = Settings { is_named, ..Settings::default() };
    Document::new(Text::new(text), Language::Markdown, Arc::new(settings))
}

fn all() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    ALL.into_iter().chain(consoles::ALL).chain(exports::ALL).chain(scripts::ALL).chain(specstory::ALL)
}

fn labels(document: &Document) -> Vec<String> {
    let uses = document.paired_uses();
    uses.uses.iter().map(|it| uses.label_of(it).to_string()).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let document = new(text, true);
    assert_eq!(labels(&document), expected, "{text}");
    assert_eq!(document.diagnostics(), [], "{text}");
}

#[test]
fn forms_are_read_with_their_results() {
    for (text, expected) in all() {
        check(text, expected);
    }
    check(TERMINAL, &["🔧 Read(a.py) → 2 lines"]);
    check(&TERMINAL.replace('⏺', "●"), &["🔧 Read(a.py) → 2 lines"]);
    check("⏺ Update Todos\n  ⎿  ☒ a\n", &["🔧 Update Todos() → ☒ a"]);
    check("⏺ Bash(a &&\n      b) timeout: 2m\n  ⎿  c\n", &["🔧 Bash(a &&       b) → c"]);
    check("⏺ a - b (MCP)(c: \"d\")\n", &["🔧 a - b(c: \"d\") ⏳"]);
    check("Action: find(\"a b\")\nObservation: c\n", &["🔧 find(\"a b\") → c"]);
    check(
        &format!("> Running npm test  \n{AIDER}"),
        &["🔧 Running(npm test)", "🔧 edit(a.py)", "🔧 edit(b.py)"],
    );
    check("**Action 1**: Find[a]\nObservation 1:b\n", &["🔧 Find(a) → b"]);
    check("🔧 **Tool Use: Read**\n```json\n{\"path\": \"a\"}\n```\n", &["🔧 Read(path=a) ⏳"]);
    check(&OLDER.replace("t1)", "t1)\n"), &["🔧 Read(path=a) → x"]);
    check("🔧 **Tool Use: Read** (ID: t)\n\n```json\n{\"path\": \"a\"}\n```\n", &["🔧 Read(path=a) ⏳"]);
}

/// Several calls in a list share its line: no piece of it is text.
#[test]
fn lists_are_covered_by_their_calls() {
    let document = new(AUTOGEN_LIST, true);
    let uses = document.paired_uses();
    let texts = uses.blocks().iter().map(|at| document.text().slice(document.range_of(at)).into_owned());
    let covered: String = texts.collect();
    let lines: String = AUTOGEN_LIST.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!((uses.blocks().len(), covered), (4, lines));
}

#[test]
fn forms_are_read_in_containers_and_with_any_line_ends() {
    for (text, expected) in all() {
        check(&text.replace('\n', "\r\n"), expected);
        check(&text.replace('\n', "\r"), expected);
        let within = |prefix: &str| {
            let text = text.trim_end().replace('\n', &format!("\n{prefix}"));
            format!("{prefix}{text}\n")
        };
        check(&within("> "), expected);
        check(&within("  ").replacen("  ", "- ", 1), expected);
        check(&within("> > "), expected);
        check(&format!("{text}\n{text}"), &[expected, expected].concat());
    }
}

#[test]
fn code_comments_and_prose_are_silent() {
    for (text, _) in all().chain([(TERMINAL, &[][..])]) {
        let indented =
            |prefix: &str| text.lines().map(|line| format!("{prefix}{line}\n")).collect::<String>();
        check(&format!("`````md\n{text}`````\n"), &[]);
        check(&format!("<!--\n{}-->\n", text.replace("-->", "--")), &[]);
        check(&format!("<pre>\n{text}\n</pre>\n"), &[]);
        check(&indented("    "), &[]);
    }
    for text in [
        "**Tool: hammer**\n\nIt hits nails.\n",
        "Action:\n```\n$JSON_BLOB\n```\n\nAction:\n```\n{\"action\": $TOOL_NAME, \"action_input\": $INPUT}\n```\n",
        "Action: do it\n\n```json\n{\"a\": 1}\n```\n",
        "**Tool: hammer**\n\n```\nIt hits nails.\n```\n",
        "Action: the action to take, should be one of [a, b]\nAction Input: the input\nObservation: the result\n",
        "Action: buy milk\n\nObservation: it is white\n",
        "The `<tool-use data-tool-type=\"a\" data-tool-name=\"b\">` tag ends with `</tool-use>`.\n",
        "See <tool-use data-tool-type=\"a\" data-tool-name=\"b\"> here.\n</tool-use>\n",
        "Applied edit to a.py\n",
        "⏺ one (or two)\n⏺ two\n",
        "⏺ Read 1 file (ctrl+o to expand)\n",
        "⏺ one(two) and\n  three\n",
        "> Running it is easy\n",
        "**Action:** buy milk\n\n**Observation:** it is white\n",
        "### Tool Call [completed]: a heading\n\nText.\n",
        "📊 **Tool Result:** none\n\n🔧 Tool: hammer\n\n🔧 Tool: hammer\nInput: { a nail\n}\n",
        "Using \"quotes\" is easy.\n\nRead [it](a.md).\n\nRan `ls`\n",
        "*Viewed* [it](a)\n\n*Edited relevant file* and others\n\nInvoking: `it` with care\n",
        "## Using tool: hammers\n\nThey hit nails.\n",
        "[Tool Use: a guide]\n\n[Tool](a.md) text\n",
        "Tool Calls:\n  a (b)\n  c (d)\n\nTool Calls:\n\n- a\n",
        "[\n\tAction Space: Action: find[{\"q\": \"a query\"}]\nAction: think[{\"a\": \"b\"}]\n\n\tInstruction: c\n]\n",
    ] {
        check(text, &[]);
    }
}

/// Letter by letter, and cut off anywhere, nothing is reported.
#[test]
fn beginnings_are_silent() {
    for (text, expected) in all() {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            // Up to the parenthesis it is a fence of the dialect `fence`.
            if text[..end].trim_end().ends_with("``` tool") {
                continue;
            }
            let document = new(&text[..end], true);
            assert_eq!(document.diagnostics(), [], "{}", &text[..end]);
            assert!(labels(&document).len() <= expected.len(), "{}", &text[..end]);
        }
    }
}

/// Programs that write to a terminal may colour any piece of a line.
#[test]
fn colours_are_no_text() {
    for (text, expected) in all().filter(|(text, _)| [REACT, SEARCH, INVOKING, CREW].contains(text)) {
        let coloured =
            text.replace('\n', "\u{1b}[0m\n\u{1b}[1;3m").replace("tool: ", "tool:\u{1b}[00m \u{1b}[92m");
        check(&coloured.replace("\u{1b}[1;3m\u{1b}[0m\n", "\n"), expected);
    }
    let text = "\u{1b}[32;1mAction\u{1b}[0m: \u{1b}[1mfind\u{1b}[0m[a]\u{1b}[0m\nHTTP Request: x\n\
        \u{1b}[34mObservation: b\u{1b}[0m\nHTTP Request: y\n";
    check(text, &["🔧 find(a) → b"]);
    let document = new(text, false);
    let name = document.paired_uses().blocks()[0].block.name_span().unwrap();
    assert_eq!(&text[name.range_at(0)], "find");
    let kept = new("**Tool: a**\n\n**Output:**\n```\n\u{1b}[1mb\n```\n", true).tool_uses();
    assert_eq!(kept[0].output.as_ref().unwrap().to_text(), "\u{1b}[1mb");
}

/// One example alone does not make a transcript.
#[test]
fn an_example_is_an_ordinary_text() {
    for text in [
        SPECSTORY,
        CURSOR,
        "> Applied edit to a.py\n",
        "Action: find\nAction Input: 1\n",
        "⏺ Read(a)\n",
        "Invoking: `a` with `{}`\n\nb\n",
        "> Finished chain.\n",
        "**Tool Call: it**\n\nb\n",
        "### ✅ `bash`\n\nIt runs commands.\n\n---\n",
    ] {
        assert!(!new(text, false).is_transcript(), "{text}");
    }
    let zed = "## User\n\n**Tool Call: Read a**\nStatus: Completed\n\nb\n";
    for text in [REACT, OPENCODE, EXPORTER, AGENT_SHELL, AIDER, TERMINAL, GPTEL, INVOKING, zed] {
        assert!(new(text, false).is_transcript(), "{text}");
    }
    assert!(new(&format!("_**Agent (m)**_\n\n{SPECSTORY}"), false).is_transcript());
}

/// Markup of other dialects keeps its meaning.
#[test]
fn other_dialects_come_first() {
    check(
        "Observation: see <tool>a(b=1)\nc</tool>\n\n###: {\"toolName\": \"a\", \"parameters\": {}}\n\n*🔧 Executed a*\n",
        &["🔧 a(b=1) → c", "🔧 a()"],
    );
}

/// A tool fence below a form is a call of its own, and code below the text of a label is prose.
#[test]
fn code_below_a_form_may_be_no_part_of_it() {
    let below = |text: &str, expected: &[&str]| {
        check(
            &format!("{text}\n```tool\n{{\"toolName\": \"z\"}}\n```\n"),
            &[expected, &["🔧 z() ⏳"]].concat(),
        );
    };
    below("🔧 **Tool Use: Read** (ID: t)\n", &[]);
    below("🔧 **Tool Use: Read**\n```json\n{\"a\": 1}\n```\n📊 **Tool Result:**\n", &["🔧 Read(a=1) ⏳"]);
    below(
        &format!("{}**Tool Response**:\n", GEMINI.split("## USER").next().unwrap()),
        &["🔧 look(a=1) ⏳", "🔧 ask() ⏳"],
    );
    below(
        "### Tool Call [completed]: ls\n\n**Tool:** execute\n**Command:** ls\n",
        &["🔧 execute(command=ls) ⏳"],
    );
    below(CREW.split("\n\n").next().unwrap(), ALL[11].1);
    check(&format!("{}\n\n```python\nanswer\n```\n", CREW.split("\n\n").next().unwrap()), ALL[11].1);
    // The output of a tool of CrewAI continues up to the next line of an agent, if there is one.
    check(
        &CREW.replacen("\n\n#", "\n\n- two\n\n```python\nthree\n```\n\n#", 1),
        &["🔧 Search in a website(q=1) → 7 lines"],
    );
    let turns = "\n\nUser: and now?\n\nAssistant: so\n\n```tool\n{\"toolName\": \"z\", \"output\": 1}\n```\n\n# Agent: b\n";
    check(
        &format!("{}{turns}", CREW.split("\n\n").next().unwrap()),
        &["🔧 Search in a website(q=1) → one", "🔧 z() → 1"],
    );
}

#[test]
fn text_below_a_form_is_text() {
    let document = new(&format!("{OPENCODE}## User\n---\n\n{AGENT_SHELL}"), true);
    let symbols = crate::features::symbols::document_symbols(&document, || true);
    let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["read", "User", "Agent"], "{symbols:?}");
}

/// The messages that LangChain prints are turns, and results without names go to calls in order.
#[test]
fn printed_messages_are_turns() {
    let document = new(PRINTED, false);
    let titles: Vec<_> = document.sections().iter().map(|section| &PRINTED[section.title.clone()]).collect();
    assert_eq!(titles, ["Human", "Ai", "Ai"]);
    check(&PRINTED.replace("Name: look_up\n", "").replace("Name: ask\n", ""), ALL[0].1);
    let wrapped = PRINTED.replace("q: a: b", "q: a: b\n\n    c");
    check(&wrapped, ALL[0].1);
    let long = PRINTED.replacen("Name: look_up\n\n", &format!("Name: look_up\n{}", "a\n".repeat(100_000)), 1);
    assert_eq!(new(&long, false).uses_in_text().uses.len(), 2);
}

#[test]
fn the_openers_of_all_other_dialects_are_known() {
    // A step with an element of Cline shows a text.
    let is_other = |dialect: &str| dialect != super::DIALECT.name && dialect != "elements";
    let others = DIALECTS.iter().filter(|dialect| is_other(dialect.name));
    let openers = others.flat_map(|dialect| dialect.inline).flat_map(|rule| rule.openers.iter().copied());
    assert_eq!(openers.collect::<BTreeSet<_>>(), BTreeSet::from(FOREIGN));
}

/// A chat that gptel wrote, in either language.
#[test]
fn printed_values_are_json() {
    let chats = [
        (include_str!("../../../tests/data/gptel/chat.md"), Language::Markdown),
        (include_str!("../../../tests/data/gptel/chat.org"), Language::Org),
    ];
    for (text, language) in chats {
        let document = Document::new(Text::new(text), language, Arc::default());
        let uses = document.tool_uses();
        let inputs: Vec<_> =
            uses.iter().filter_map(|it| it.input.as_ref()).map(|input| input.to_json()).collect();
        let first = concat!(
            r#"{"filepath":"a \"b\".py","lines":[1,2,3.5],"deep":{"x":null,"y":false,"z":true,"e":{},"l":[]},"#,
            r##""text":"one\n* two\n#+three\n\\ tab\t end é 🎉"}"##
        );
        assert_eq!(inputs, [first, "{}", r#"{"path":"x"}"#], "{language:?}");
        let outputs: Vec<_> =
            uses.iter().filter_map(|it| it.output.as_ref()).map(|output| output.to_text()).collect();
        let first = "* heading\n#+begin_src x\n,* was escaped\nplain\n";
        assert_eq!(outputs, [first, "", "one line"], "{language:?}");
        assert_eq!(document.diagnostics(), [], "{language:?}");
    }
}

/// The calls of gptel have the features of others.
#[test]
fn printed_calls_are_folded_and_outlined() {
    let document = new(&format!("### Question\n\n{GPTEL}\nAnswer\n"), false);
    let symbols = crate::features::symbols::document_symbols(&document, || true);
    let names = symbols.iter().flat_map(|symbol| &symbol.children).map(|symbol| symbol.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["read_file", "list"], "{symbols:?}");
    let folds: Vec<Fold> = folding_ranges(&document, FoldingCapabilities::default()).iter().collect();
    let is_labelled =
        |fold: &Fold| fold.label.as_ref().is_some_and(|label| label.to_string().contains("2 tool calls"));
    assert!(folds.iter().any(is_labelled), "{folds:?}");
    assert_eq!(document.uses_in_text().uses.len(), 2);
}

#[track_caller]
fn check_org(text: &str, expected: &[&str]) {
    let document = Document::new(Text::new(text), Language::Org, Arc::default());
    assert_eq!(labels(&document), expected, "{text}");
    assert_eq!(document.diagnostics(), [], "{text}");
}

const ORG: &str = "*** What is in it?\n\n#+begin_tool (read_file :filepath \"a.org\")\n\
    (:name \"read_file\" :args (:filepath \"a.org\"))\n\n,* One\n  ,,#+end_tool\n, x\n#+end_tool\n\nIt has one.\n";

#[test]
fn blocks_of_org_are_read() {
    check_org(ORG, &["🔧 read_file(filepath=a.org) → 3 lines"]);
    check_org(&ORG.replace('\n', "\r\n"), &["🔧 read_file(filepath=a.org) → 3 lines"]);
    check_org(&ORG.replace("#+begin_tool", "  #+BEGIN_TOOL"), &["🔧 read_file(filepath=a.org) → 3 lines"]);
    let document = Document::new(Text::new(ORG), Language::Org, Arc::default());
    let outputs: Vec<_> =
        document.tool_uses().iter().filter_map(|it| Some(it.output.as_ref()?.to_text())).collect();
    assert_eq!(outputs, ["* One\n  ,#+end_tool\n, x"]);
    let titles: Vec<_> = document.sections().iter().map(|section| &ORG[section.title.clone()]).collect();
    assert_eq!(titles, ["What is in it?"]);
    for end in (0..ORG.len()).filter(|end| ORG.is_char_boundary(*end)) {
        let text = &ORG[..end];
        check_org(
            text,
            if text.contains("\n#+end_tool") { &["🔧 read_file(filepath=a.org) → 3 lines"] } else { &[] },
        );
    }
}

#[test]
fn other_text_of_org_is_silent() {
    let body = ORG.split_once("\n\n").unwrap().1;
    for kind in ["src org", "example", "export md", "COMMENT"] {
        let end = kind.split(' ').next().unwrap();
        check_org(&format!("#+begin_{kind}\n{body}#+end_{end}\n"), &[]);
    }
    for text in [
        "#+begin_tool\n{\"toolName\": 1}\n#+end_tool\n",
        "```tool\n{\"toolName\": 1}\n```\n",
        "###:{\"toolName\": \"a\"\n<tool>a(b=1)\n",
        "#+begin_tool (a)\n(:name \"a\" :args nil)\n* Heading\n#+end_tool\n",
        "#+begin_tool (a)\n(:name \"a\" :args nil)\n#+end_src\n",
        "User: a\n\nAssistant: b\n",
    ] {
        check_org(text, &[]);
    }
}

/// A call of gptel that is not whole is text, and no fence of the dialect `fence`.
#[test]
fn half_printed_calls_are_text() {
    for text in [
        "``` tool (read\n```\n",
        "``` tool (read :a 1)\n{\"toolName\": \"read\"}\n```\n",
        "``` tool (read :a 1)\n(:name \"read\" :args (:a \"1)\n\nx\n```\n",
        "``` tool (read :a 1)\n(:name read :args (:a 1))\n\nx\n```\n",
        "``` tool (read :a 1)\n(:name \"read\")\n\nx\n```\n",
        "``` tool (read :a 1)\n(:name \"read\" :args (:a 1))\n\nx\n",
    ] {
        check(text, &[]);
    }
    check("``` tool (read :a 1)\n(:name \"read\" :args (:a 1))\n```\n", &["🔧 read(a=1) ⏳"]);
}
