//! After any edits a document equals a fresh one of the same text: diagnostics, folds and tool
//! uses; and undoing all edits restores the original.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;

use super::dialects::{OWN, settings_of};
use crate::config::Settings;
use crate::dialect::INLINE;
use crate::document::{Document, Language, LocatedBlock, Pairs};
use crate::features::document_links::document_links;
use crate::features::folding::{FoldingCapabilities, folding_ranges};
use crate::features::samples::{SAMPLES, small};
use crate::features::symbols::document_symbols;
use crate::syntax::RegionEnd;
use crate::text::{Splice, Text};

/// Fragments of Markdown, and fragments of each dialect.
pub(super) static MARKDOWN: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut pieces = FIXED.to_vec();
    for rule in INLINE.markdown.inline {
        pieces.extend(rule.openers.iter().filter(|opener| !FIXED.contains(opener)));
        pieces.extend(match rule.end {
            RegionEnd::Closer { closer, .. } if !FIXED.contains(&closer) => Some(closer),
            _ => None,
        });
    }
    let documents = SAMPLES.iter().filter(|(_, language)| *language == Language::Markdown);
    for (text, _) in documents {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::default());
        let uses = document.paired_uses();
        let parts = uses.uses.iter().take(1).flat_map(|first| uses.parts(first));
        pieces.extend(parts.filter_map(|part| text.get(document.range_of(&part))));
    }
    pieces
});

/// A credential, and the halves of one.
const TOKEN: &str = concat!(" gh", "p_16C7e42F292c6912E7710c838347Ae178B4a ");
const PARTED: [&str; 2] = ["ghp_16C7e42F292c6912", "E7710c838347Ae178B4a"];

/// Fragments that are relevant for some dialect, and fragments that disturb them.
const FIXED: &[&str] = &[
    "```tool\n",
    "```\n",
    "````\n",
    "~~~json\n",
    "```jsonl\n",
    "{\"toolName\": \"search\", \"input\": {\n  \"q\": [1,\n 2]\n}}\n",
    "{\"state\": \"done\"}\n",
    "```tool\n{\"toolCallId\": \"a\"}\n```\n",
    "```tool\n{\"toolCallId\": \"tool-call-2\", \"output\": 1}\n```\n",
    "```tool\n{\"toolName\": \"x\"}\n```\n",
    "```json\n{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"toolName\":\"y\",\"output\":1}\n```\n",
    "*❌ Invalid tool call format*\n",
    "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n",
    "{\"type\":\"text-delta\",\"text\":\"<tool>x\\n</tool> ###:{\"}\n",
    "{",
    "}",
    "\"",
    ",",
    "<tool>run(a=1)",
    "</tool>",
    "<tool>",
    "<validation>run\nok</validation>\n",
    "###:{\"toolName\": \"a\", \"parameters\": {\"x\": 1}}",
    "###:\n",
    "*🔧 Executed a: fine*\n",
    "🔧 **Tool Call:** `save(file=a.py)`\n",
    "✅ **`save` result:**\nok\n",
    "<tool-use data-tool-type=\"a\" data-tool-name=\"b\">",
    "\n<tool-use data-tool-type=\"a\" data-tool-name=\"b\"><details>\n",
    "\n</details></tool-use>\n",
    "\n<think><details>a\n[ask_followup_question for 'b\n",
    "</details></think>\n'] Result:\n<answer>\na\n</answer>\n",
    "\n# aider chat started at 1\n\n",
    "\n#### ",
    "\n⏺ a\n",
    "\n⎿ b\n",
    "a <read_file><path>b</path></read_file> ",
    "\n<read_file>\n<path>",
    "</path>\n</read_file>\n",
    "[read_file for 'a'] Result:\n",
    "<function=a>{}</function>",
    "Action: a\nAction Input: {\"b\": 1}\n",
    "Action 1: a[b]\n",
    "\u{1b}[1mAction: \u{1b}[0ma[b]\n",
    "\u{1b}[1m",
    "Observation: c\n",
    "**Tool: a**\n\n",
    "**Input:**\n```json\n{\"b\": 1}\n```\n",
    "**Output:**\n```\nc\n```\n",
    "🔧 **Tool Use: a** (ID: b)\n```json\n{}\n```\n",
    "📊 **Tool Result:**\n```\n",
    "\n### Tool Call [failed]: a\n\n**Tool:** b\n",
    "> Applied edit to a\n> Commit 1 aider: b\n",
    "⏺ A(b)\n",
    "● A(b\n  c)\n",
    "**Action:** a\n",
    "\nAction Input: b\n",
    "<|python_tag|>a.call(b=\"c\")",
    "<|eom_id|>",
    "<|eot_id|>\n",
    "***** Suggested tool call (a): b *****\nArguments: \n{}\n",
    "<generate_image>\n<prompt>a</prompt>\n",
    "</generate_image>\n",
    "```json\n{\"jsonrpc\":1,\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"a\"}\n{\"jsonrpc\":1,\"role\":\"user\",\"content\":\"b\"}\n```\n",
    "``` tool (a :b 1)\n(:name \"a\" :args (:b \"c\"))\n\nd\n",
    "  ⎿ c\n",
    "> ",
    "- ",
    "  ",
    "\t",
    "# Heading\n",
    TOKEN,
    PARTED[0],
    PARTED[1],
    "## User\n",
    "User: a\n",
    "\n**Assistant:**\n\n_**Agent (a)**_\n\nRead file: b\n\n",
    "===\n",
    "<!-- ",
    "<!-- chatls-disable bad-state -->\n",
    "<!-- chatls-disable-next -->\n",
    "<!-- chatls-enable -->\n",
    " -->",
    "<details>\n  <summary>Listed directory a • **1** results</summary>\n",
    "`",
    "text ",
    "\u{FEFF}",
    "👋",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
];

/// Fragments of Org.
const ORG: &[&str] = &[
    "#+begin_tool (a :b 1)\n(:name \"a\" :args (:b 1))\n\nc\n#+end_tool\n",
    "#+begin_tool (a)\n",
    "(:name \"a\" :args nil)\n\n",
    "#+END_TOOL\n",
    "#+begin_src org\n",
    "#+end_src",
    "* Heading\n",
    "*** User\n",
    "* ",
    ",* a\n",
    "```tool\n{\"toolName\": 1}\n```\n",
    "<tool>a()</tool>",
    "text\n",
    "  ",
    "\u{FEFF}",
    "\n",
    "\r\n",
    "\r",
];

pub(super) const LINES: &[&str] = &[
    "{\"type\":\"tool-input-start\",\"id\":\"a\",\"toolName\":\"x\"}",
    "{\"type\":\"tool-input-delta\",\"id\":\"a\",\"delta\":\"{}\"}",
    "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"args\":{}}",
    "{\"type\":\"tool-input-end\",\"id\":\"a\"}\n",
    "{\"type\":\"tool-input-delta\",\"id\":\"b\",\"delta\":\"{}\"}\n",
    "{\"type\":\"tool-call\",\"toolCallId\":\"b\",\"toolName\":\"y\",\"input\":{}}\n",
    "{\"type\":\"tool-result\",\"toolCallId\":\"b\",\"toolName\":\"x\",\"output\":1,\"preliminary\":true}\n",
    "{\"type\":\"tool-call\",\"toolCallId\":\"b\",\"toolName\":\"\",\"input\":{}}",
    "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"result\":{\"error\":\"e\"}}",
    "{\"type\":\"tool-output-available\",\"toolCallId\":\"b\",\"output\":1}",
    "data: {\"type\":\"text-delta\",\"delta\":\"a ##\"}",
    "{\"type\":\"text-delta\",\"textDelta\":\"#:{\\\"toolName\\\":1}\"}",
    "{\"type\":\"text-delta\",\"text\":\"<tool>a\\n\\u000a\"}",
    "{\"type\":\"text-delta\",\"text\":\"</tool>\\n\\n\"}",
    "event: x",
    "data: [DONE]",
    TOKEN,
    "{\"type\":\"text-delta\",\"text\":\"",
    PARTED[0],
    PARTED[1],
    "\"}\n",
    "9:{\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}",
    "{\"type\":\"finish\"}",
    "\"type\"",
    "{",
    "}",
    "text",
    "\u{FEFF}",
    "👋",
    "\n",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
];

/// Forms of several families, and fragments that disturb their nesting.
pub(super) const JSON: &[&str] = &[
    "{\"messages\": [",
    TOKEN,
    PARTED[0],
    PARTED[1],
    "[",
    "]",
    "{",
    "}",
    ",\n",
    ",",
    "\"role\": \"assistant\",",
    "{\"role\": \"user\", \"content\": \"hello\"},\n",
    "{\"role\": \"assistant\", \"content\": [\n",
    "{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"x\", \"input\": {\"q\": [1, {\"z\": \"a.py\"}]}},\n",
    "{\"type\": \"tool_use\", \"id\": \"b\", \"name\": \"y\", \"input\": {",
    "{\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"a\", \"content\": \"ok\"}]},\n",
    "{\"content\": [{\"type\": \"text\", \"text\": \"no\"}], \"is_error\": true, \"tool_use_id\": \"b\", \"type\": \"tool_result\"},\n",
    "{\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"function\": {\"name\": \"x\", \"arguments\": \"{\\\"p\\\": 1}\"}}]},\n",
    "{\"role\": \"tool\", \"content\": \"by position\"},\n",
    "{\"role\": \"toolResult\", \"toolCallId\": \"a\", \"content\": \"x\", \"details\": {\"results\": [{\"messages\": [",
    "]}]}, \"isError\": true},\n",
    "{\"type\": \"progress\", \"toolUseID\": \"a\", \"data\": {",
    "{\"from\": \"function_call\", \"value\": \"{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}\"},\n",
    "{\"from\": \"observation\", \"value\": \"1\"},\n",
    "{\"from\": \"gpt\", \"value\": \"so\\n<tool_call>{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}</tool_call><tool_call>{\\\"name\\\": \\\"f\\\",}</tool_call>\"},\n",
    "{\"role\": \"user\", \"content\": \"<tool_response>1</tool_response>\"},\n",
    "{\"type\": \"text\", \"text\": \"<read_file><path>a</path></read_file>\"},\n",
    "{\"index\": 0, \"id\": \"a\", \"function\": {\"name\": \"f\", \"arguments\": \"\"}},\n",
    "{\"index\": 0, \"function\": {\"arguments\": \"{}\"}},\n",
    "{\"type\": \"TOOL_CALL_START\", \"toolCallId\": \"a\", \"toolCallName\": \"f\"},\n",
    "{\"type\": \"TOOL_CALL_ARGS\", \"toolCallId\": \"a\", \"delta\": \"{}\"},\n",
    "{\"type\": \"say\", \"say\": \"command\", \"text\": \"ls\"},\n",
    "{\"type\": \"say\", \"say\": \"command_output\", \"text\": \"a\"},\n",
    "{\"gen_ai.prompt\": \"[{\\\"type\\\":\\\"tool_call\\\",\\\"id\\\":\\\"a\\\",\\\"name\\\":\\\"f\\\",\\\"args\\\":{}}]\",\n",
    "{\"query\": 1, \"tools\": 1, \"answers\": [{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\"}]},\n",
    "{\"versions\": [{\"type\": \"singleStep\", \"role\": \"user\", \"content\": [",
    "{\"currentlySelected\": 0, \"user\": \"q\", \"assistant\": \"a\", \"tool_calls\": [",
    "{\"role\": \"human\", \"weight\": 2, \"content\": null},\n",
    "{\"role\": \"assistant\", \"content\": \"\"},\n",
    "{\"type\": \"text\", \"text\": \"\"},\n",
    "{\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"ok\"},\n",
    "{\"messages\": [{\"role\": \"user\", \"content\": \"q\"}, {\"role\": \"assistant\", \"content\": \"a\"}]}\n",
    "{\"type\": \"tool_use\", \"id\": \"c\", \"name\": \"x.y\", \"input\": {}},\n",
    "{\"type\": \"function_call\", \"name\": \"x\", \"arguments\": \"{\\\"q\\\": 1,}\"},\n",
    "{\"kind\": \"invoke\", \"ref\": \"a\", \"fn\": {\"name\": \"x\", \"args\": \"{\\\"q\\\": 1}\"}},\n",
    "{\"kind\": \"return\", \"ref\": \"a\", \"value\": 1, ",
    "\"kind\": \"return\", \"ref\": \"a\",\n",
    "{\"step\": 1, \"did\": {\"tool\": \"x\"}, ",
    "\"tools\": [{\"name\": \"x\", \"input_schema\": {\"properties\": {\"q\": {\"type\": \"string\"}}}}],\n",
    "\"functions\": [{\"name\": \"f\", \"parameters\": {}}, ",
    "\"content\": [",
    "\"type\": \"tool_result\", \"tool_use_id\": \"a\",\n",
    "\"isSidechain\": true, \"agentId\": \"x\",\n",
    "{\"isSidechain\": true, \"uuid\": \"2\", \"parentUuid\": \"1\", \"type\": \"user\", ",
    "\"isSidechain\": true, \"uuid\": \"1\", ",
    "{\"uuid\": \"4\", \"parentUuid\": null, \"role\": \"user\", \"content\": \"q\"}\n",
    "{\"uuid\": \"5\", \"parentUuid\": \"4\", \"type\": \"system\"}\n",
    "{\"uuid\": \"6\", \"parentUuid\": \"5\", \"role\": \"user\", \"content\": \"q\"}\n",
    "{\"uuid\": \"7\", \"parentUuid\": \"",
    "\"parent_tool_use_id\": \"t\", ",
    "\"message\": {\"role\": \"assistant\", \"content\": [",
    "\"key\": ",
    "\"",
    "\\",
    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,\n",
    "\u{FEFF}",
    "👋",
    "\n",
    "\r",
    "\r\n",
];

/// Fences of messages, their borders, and containers of fences.
pub(super) const FENCES: &[&str] = &[
    "```json\n",
    "```json\n[",
    "```jsonl\n",
    "```jsonc\n",
    "~~~ndjson\n",
    "```tool\n",
    "```\n",
    "\n```\n",
    "]\n```\n",
    "l",
    "`",
    "> ",
    "- ",
    "  ",
    "\t",
    "\n\n",
    "text\n",
    "## User\n",
    "{\"messages\": [",
    "[",
    "]",
    "{",
    "}",
    ",",
    "{\"role\": \"user\", \"content\": \"q\"},\n",
    "{\"role\": \"user\", \"content\": \"q\"}\n",
    "{\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"x\", \"input\": {}}]},\n",
    "{\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"a\", \"content\": \"ok\"}]},\n> ",
    "{\"role\": \"assistant\", \"tool_calls\": [\n  {\"id\": \"b\", \"function\": {\"name\": \"x\", \"arguments\": \"{\\\"p\\\": 1,}\"}}]}\n",
    "{\"role\": \"tool\", \"tool_call_id\": \"b\", \"content\": \"ok\"}\n",
    "{\"role\": \"asistant\", \"content\": \"\"},\n",
    "\"tools\": [{\"name\": \"x\", \"input_schema\": {\"properties\": {\"q\": {\"type\": \"string\"}}}}],\n",
    "```json\n[{\"role\": \"user\", \"content\": \"q\"},\n{\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"x\", \"input\": {}}]},\n{\"role\": \"user\", \"content\": \"q\"}]\n```\n",
    "> ```jsonl\n> {\"role\": \"user\", \"content\": \"q\"}\n> {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"b\", \"function\": {\"name\": \"x\", \"arguments\": \"{}\"}}]}\n> {\"role\": \"user\", \"content\": \"q\"}\n",
    "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n",
    "👋",
    "\r\n",
];

/// A change: its position (as a fraction of the text), the number of removed characters, the
/// inserted fragments.
type RandomEdit = (f64, usize, Vec<usize>);

pub(super) fn soup(pieces: &'static [&'static str], picks: &[usize]) -> String {
    picks.iter().filter_map(|pick| pieces.get(pick % pieces.len())).copied().collect()
}

pub(super) fn picks(most: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..1000, 0..most)
}

fn changes() -> impl Strategy<Value = Vec<RandomEdit>> {
    prop::collection::vec((0.0..1.0f64, 0usize..30, picks(3)), 1..12)
}

/// All observable data of a document.
fn observed(document: &Document) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        document.text().to_string(),
        document.is_transcript(),
        document.diagnostics(),
        folding_ranges(document, FoldingCapabilities::default())
            .iter()
            .map(|fold| format!("{fold:?}"))
            .collect::<Vec<_>>(),
        (document.sections().to_vec(), document.assume_transcript().messages().clone()),
        (document_symbols(document, || true), format!("{:?}", document_links(document, &|| true))),
        document.tool_uses(),
        pairs_of(document),
        document.delta_text().map(|delta_text| delta_text.text().to_string()).unwrap_or_default(),
    )
}

/// The pairs, which edits keep that change no id, name or place of a block.
fn pairs_of(document: &Document) -> String {
    let Pairs { uses, uses_of_blocks: use_of, numbers, batches, .. } = &*document.paired_uses();
    format!("{uses:?} {use_of:?} {numbers:?} {batches:?}")
}

fn check(pieces: &'static [&'static str], language: Language, start: &[usize], changes: &[RandomEdit]) {
    for is_named in [true, false] {
        let settings = Settings { is_named, ..Settings::default() };
        check_under(small(&settings), pieces, language, start, changes);
    }
    if pieces == JSON {
        check_under(small(&settings_of(OWN)), pieces, language, start, changes);
    }
}

fn check_under(
    settings: Arc<Settings>,
    pieces: &'static [&'static str],
    language: Language,
    start: &[usize],
    changes: &[RandomEdit],
) {
    let text = soup(pieces, start);
    let mut document = Document::new(Text::new(&text), language, Arc::clone(&settings));
    let first = observed(&document);
    let mut undo: Vec<(Splice, String)> = Vec::new();
    for (place, removed, inserted) in changes {
        let text = document.text().clone();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a short text"
        )]
        let start = text.floor_boundary((text.len() as f64 * place) as usize);
        let end = text.floor_boundary((start + removed).min(text.len())).max(start);
        let inserted = soup(pieces, inserted);
        let splice = Splice { start, removed: end - start, inserted: inserted.len() };
        undo.push((
            Splice { start, removed: inserted.len(), inserted: end - start },
            text.slice(start..end).into_owned(),
        ));
        document.apply(splice, &inserted);
        let fresh = Document::new(document.text().clone(), language, Arc::clone(&settings));
        assert_eq!(observed(&document), observed(&fresh), "after {splice:?} of {inserted:?}");
        assert_blocks_are_found(&document);
        for located in document.tree().iter() {
            assert_eq!(located.line, document.text().line_of_byte(located.offset));
        }
    }
    for (splice, text) in undo.iter().rev() {
        document.apply(*splice, text);
    }
    assert_eq!(observed(&document), first, "after all was taken back");
}

/// The blocks that are found one by one, as after the first request, are the paired blocks.
fn assert_blocks_are_found(document: &Document) {
    let paired = super::conversation_blocks(document);
    let uses = document.paired_uses();
    let found: Vec<_> = (0..uses.block_count()).filter_map(|index| uses.block(index)).collect();
    let show = |at: &LocatedBlock<'_>| (at.segment, at.offset, at.index, at.block.clone());
    assert_eq!(
        found.iter().map(show).collect::<Vec<_>>(),
        paired.iter().map(|it| show(&it.at)).collect::<Vec<_>>()
    );
    assert_eq!(
        uses.blocks().iter().map(show).collect::<Vec<_>>(),
        found.iter().map(show).collect::<Vec<_>>()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn markdown_edits_equal_a_fresh_parse(start in picks(30), changes in changes()) {
        check(&MARKDOWN, Language::Markdown, &start, &changes);
    }

    #[test]
    fn fence_edits_equal_a_fresh_parse(start in picks(30), changes in changes()) {
        check(FENCES, Language::Markdown, &start, &changes);
    }

    #[test]
    fn org_edits_equal_a_fresh_parse(start in picks(30), changes in changes()) {
        check(ORG, Language::Org, &start, &changes);
    }

    #[test]
    fn log_edits_equal_a_fresh_parse(start in picks(30), changes in changes()) {
        check(LINES, Language::Log, &start, &changes);
    }
}

proptest! {
    // JSON documents take several times as long as Markdown.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn json_edits_equal_a_fresh_parse(start in picks(40), changes in changes()) {
        check(JSON, Language::Json, &start, &changes);
    }

    #[test]
    fn message_log_edits_equal_a_fresh_parse(start in picks(30), changes in changes()) {
        check(JSON, Language::Log, &start, &changes);
    }
}

/// A long fence consists of several segments: edits in its bodies, at its ends and of its opening.
#[test]
fn long_fence_edits_equal_a_fresh_parse() {
    let entries: String = (0..3000).map(|n| format!("  \"key{n}\": [\n    {n}\n  ],\n")).collect();
    check_long_fence(
        &format!("before\n\n```tool\n{{\n{entries}  \"state\": \"done\"\n}}\n```\n\nafter\n"),
        "\"key1500\"",
    );
    let messages: String = (0..300)
        .map(|n| {
            format!(
                "{{\"role\": \"assistant\", \"content\": [\n  {{\"type\": \"tool_use\", \"id\": \"a{n}\", \"name\": \
                 \"x\", \"input\": {{}}}}]}},\n{{\"role\": \"user\", \"content\": \"q\"}},\n"
            )
        })
        .collect();
    let messages = messages.trim_end_matches(",\n");
    check_long_fence(&format!("before\n\n```json\n[\n{messages}]\n```\n\nafter\n"), "\"a150\"");
}

fn check_long_fence(text: &str, middle: &str) {
    let settings = Arc::new(Settings::default());
    let mut document = Document::new(Text::new(text), Language::Markdown, Arc::clone(&settings));
    let middle = text.find(middle).expect("a key");
    let end = text.find("```\n\nafter").expect("the end");
    let edits: [(usize, usize, &str); 8] = [
        (middle, 0, "x"),
        (middle, 1, ""),
        (middle, 0, "```\n"),
        (middle, 4, ""),
        (end, 3, ""),
        (end, 0, "```"),
        (8, 7, ""),
        (8, 0, &text[8..15]),
    ];
    for (start, removed, inserted) in edits {
        document.apply(Splice { start, removed, inserted: inserted.len() }, inserted);
        let fresh = Document::new(document.text().clone(), Language::Markdown, Arc::clone(&settings));
        assert!(observed(&document) == observed(&fresh), "after {start} {removed} {inserted:?}");
    }
    assert_eq!(document.text().to_string(), text);
}
