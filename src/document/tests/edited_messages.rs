//! Long lines of logs and long fences of messages: an edit inside of one message reads that
//! message, and the document equals a fresh one.

use proptest::prelude::*;

use super::fences::{CONTAINERS, fenced};
use super::incremental::soup;
use crate::call::JsonContainer;
use crate::config::Settings;
use crate::document::{Document, Language, is_body, rules_of};
use crate::features::folding::{FoldingCapabilities, folding_ranges};
use crate::features::samples::small;
use crate::segments::data::{DocumentSegment, RareSegmentData, SegmentData, shared};
use crate::segments::long_text::edited_data;
use crate::syntax;
use crate::text::{Splice, Text};

const MESSAGES: [&str; 10] = [
    r#"{"role":"user","content":"What does it do?"}"#,
    r#"{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"a","name":"read","input":{"path":"src/part.rs","lines":[1,{"to":2}]}}]}"#,
    r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"fn \"main\"() {}"}]}"#,
    r#"{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":"x","arguments":"{\"q\": [1,]}"}}]}"#,
    r#"{"role":"tool","tool_call_id":"b","content":"ok"}"#,
    r#"{"type":"function_call","call_id":"c","name":"y","arguments":"{}"}"#,
    r#"{"type":"assistant","isSidechain":true,"agentId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"d","name":"z.z","input":1}]}}"#,
    r#"{"role":"assistant","content":[{"type":"text","text":""}],"weight":1}"#,
    r#"{"type":"progress","toolUseID":"a","data":{"type":"tool_use","id":"e","name":"n","input":{}}}"#,
    concat!(r#"{"role":"user","content":"gh"#, r#"p_16C7e42F292c6912E7710c838347Ae178B4a \\"}"#),
];

fn document(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, small(&Settings::default()))
}

fn picked(messages: &[usize]) -> Vec<&'static str> {
    messages.iter().map(|at| MESSAGES[at % MESSAGES.len()]).collect()
}

/// A log whose second line is a conversation of `messages`.
fn log(messages: &[usize], is_member: bool) -> String {
    let array = format!("[{}]", picked(messages).join(","));
    let line = if is_member { format!(r#"{{"messages":{array}}}"#) } else { array };
    format!("{{\"role\":\"user\",\"content\":\"q\"}}\n{line}\n[{}]\n", MESSAGES[4])
}

/// The forms of fences of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FenceForm {
    Array,
    Pretty,
    /// An object with messages.
    Request,
    Lines,
    /// Lines with `...`, and conversations in lines.
    Excerpt,
}

const FORMS: [FenceForm; 5] =
    [FenceForm::Array, FenceForm::Pretty, FenceForm::Request, FenceForm::Lines, FenceForm::Excerpt];

/// A fence of `messages`, in the containers at `container` of the list.
fn fence(messages: &[usize], form: FenceForm, container: usize, line_end: &str) -> String {
    let messages = picked(messages);
    let pretty = |json: &str| {
        let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
        serde_json::to_string_pretty(&value).expect("a value")
    };
    let array = format!("[{}]", messages.join(",\n"));
    let (json, language) = match form {
        FenceForm::Array => (array, "json"),
        FenceForm::Pretty => (pretty(&array), "json title=\"a\""),
        FenceForm::Request => (pretty(&format!(r#"{{"model":"m","messages":{array}}}"#)), "jsonc"),
        FenceForm::Lines => (messages.join("\n"), "jsonl"),
        FenceForm::Excerpt => {
            let line = format!("[{}]", messages.join(", "));
            (format!("{}\n...\n{line}\n...", messages.join("\n...\n")), "ndjson")
        }
    };
    fenced(&json, language, CONTAINERS[container % CONTAINERS.len()]).replace('\n', line_end)
}

/// The data of the segments with their offsets, but for secrets and for values in long lines. The
/// positions at which long fences are split may differ, and so the part of their secrets that the
/// first segment has: diagnostics show all.
fn data_of(document: &Document) -> Vec<(usize, Option<SegmentData>)> {
    let same = |offset: usize, data: &SegmentData| {
        let text = |it: &JsonContainer| document.text().slice(it.span.range_at(offset));
        let in_lines = data.rare().containers.iter().filter(|it| text(it).contains(['\n', '\r']));
        let rare = RareSegmentData {
            secrets: Box::default(),
            containers: in_lines.copied().collect(),
            ..data.rare().clone()
        };
        SegmentData { rare: shared(rare), ..data.clone() }
    };
    let plain = SegmentData { ends_in_text: true, has_text: true, ..SegmentData::default() };
    let heads = document.tree().iter().filter(|located| !is_body(located.segment));
    let of_head = |located: DocumentSegment<'_>| {
        let data = located.segment.attachment.data.as_deref().map(|data| same(located.offset, data));
        (located.offset, data.filter(|data| *data != plain))
    };
    heads.map(of_head).collect()
}

/// Applies an edit and undoes it, and asserts that the document equals a fresh one each time.
/// Returns whether only a message, or a part of a payload, was read.
#[track_caller]
pub(super) fn check(text: &str, language: Language, splice: Splice, inserted: &str) -> bool {
    let before = document(text, language);
    let mut after = before.clone();
    after.apply(splice, inserted);
    assert_is_fresh(&after);
    let mut undone = after.clone();
    let removed = &text[splice.start..splice.old_end()];
    undone.apply(Splice { removed: splice.inserted, inserted: splice.removed, ..splice }, removed);
    assert_is_fresh(&undone);
    let (_, mut damage) =
        syntax::reparse(before.tree(), after.text(), splice, &rules_of(language, after.settings()));
    if language == Language::Log {
        let line = before.tree().segment_at(splice.start).map_or(0, |line| line.index);
        (damage.old.start, damage.new.start) = (line, line);
    }
    edited_data(before.context(), after.context(), &damage, splice).is_some()
}

#[track_caller]
fn assert_is_fresh(document: &Document) {
    let fresh = self::document(&document.text().to_string(), document.language());
    let text = document.text();
    assert_eq!(data_of(document), data_of(&fresh), "{text}");
    assert_eq!(document.diagnostics(), fresh.diagnostics(), "{text}");
    let [folds, fresh_folds] = [document, &fresh]
        .map(|it| folding_ranges(it, FoldingCapabilities::default()).iter().collect::<Vec<_>>());
    assert_eq!(folds, fresh_folds, "{text}");
    let messages = |it: &Document| it.assume_transcript().messages().clone();
    assert_eq!(messages(document), messages(&fresh), "{text}");
    assert_eq!(document.tool_uses(), fresh.tool_uses(), "{text}");
}

/// Places in texts of the messages, and whether an edit there only reads one of them.
const PLACES: [(&str, bool); 10] = [
    ("does it", true),
    ("Let me", true),
    ("src/part", true),
    ("fn \\", true),
    ("\\\"q", true),
    ("\"ok", true),
    ("main", true),
    // These change what rules on the messages around read.
    ("call_id\":\"c", false),
    ("\"assist", false),
    ("tool_u", false),
];
const CONVERSATION: [usize; 14] = [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 0, 0, 0];

#[track_caller]
fn check_places(text: &str, language: Language) {
    let text = &text.replace("call_id\": \"c", "call_id\":\"c");
    for (mark, is_inner) in PLACES {
        let at = text.find(mark).expect("the mark") + mark.len();
        let is_reread = check(text, language, Splice { start: at, removed: 0, inserted: 1 }, "x");
        // An escape that JSON does not have is a fault of the whole line.
        let breaks_line = language == Language::Log && mark == "fn \\";
        assert_eq!(is_reread, is_inner && !breaks_line, "{mark} {text}");
    }
    let end = text.find("\"content").expect("a key");
    assert!(!check(text, language, Splice { start: end, removed: 0, inserted: 1 }, "{"));
}

#[test]
fn edits_in_texts_and_inputs_read_one_message() {
    check_places(&log(&CONVERSATION, true), Language::Log);
    for (form, container) in FORMS.into_iter().zip([0, 2, 3, 4, 5]) {
        check_places(&fence(&CONVERSATION, form, container, "\n"), Language::Markdown);
    }
}

/// The messages of a sub-agent stand in a result, which ends before them.
#[test]
fn edits_in_messages_of_a_sub_agent_equal_a_fresh_parse() {
    let result = r#"{"role":"toolResult","toolCallId":"f","content":"x","details":{"results":[{"messages":[{"role":"user","content":"go"},{"role":"toolResult","toolCallId":"g","content":"y"}]}]},"isError":true}"#;
    let text = format!("[{},{result},{},{}]\n", MESSAGES[1], MESSAGES[1], MESSAGES[2]);
    for (mark, is_inner) in [("go", true), ("\"y", true), ("\"x", true), ("tru", false), ("resul", false)] {
        let at = text.find(mark).expect("the mark") + mark.len();
        let is_reread = check(&text, Language::Log, Splice { start: at, removed: 0, inserted: 1 }, "x");
        assert_eq!(is_reread, is_inner, "{mark}");
    }
}

/// Fragments that are relevant for fences, JSON or their containers.
const PIECES: &[&str] = &[
    "x", "👋", "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\t", "\n", "\r", "\r\n", "`", "```", "```\n",
    "\n```\n", "~~~", "> ", "\n> ", "\n  ", "\n>\t", "- ", "...", "\n...\n", "</tool>", "<tool>", "null",
];

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share"
)]
pub(super) fn splice_at(text: &str, share: f64, removed: usize, inserted: &str) -> Splice {
    let start = text.floor_char_boundary((text.len() as f64 * share) as usize);
    let end = text.floor_char_boundary(start + removed).max(start);
    Splice { start, removed: end - start, inserted: inserted.len() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn edits_in_lines_equal_a_fresh_parse(
        messages in prop::collection::vec(0..MESSAGES.len(), 4..12),
        is_member: bool,
        share in 0.0..1.0f64,
        removed in 0..12usize,
        inserted in "[\\[\\]{},:\"\\\\a ]{0,3}",
    ) {
        let text = log(&messages, is_member);
        check(&text, Language::Log, splice_at(&text, share, removed, &inserted), &inserted);
    }

    #[test]
    fn edits_in_fences_equal_a_fresh_parse(
        messages in prop::collection::vec(0..MESSAGES.len(), 4..60),
        form in 0..FORMS.len(),
        container in 0..CONTAINERS.len(),
        is_crlf: bool,
        share in 0.0..1.0f64,
        removed in prop_oneof![4 => 0..6usize, 1 => 0..60usize],
        inserted in prop::collection::vec(0..PIECES.len(), 0..3),
    ) {
        let line_end = if is_crlf { "\r\n" } else { "\n" };
        let text = fence(&messages, FORMS[form], container, line_end);
        let inserted = soup(PIECES, &inserted);
        check(&text, Language::Markdown, splice_at(&text, share, removed, &inserted), &inserted);
    }
}

#[test]
fn messages_without_an_end_are_read_again() {
    const TEXT: &str = r#"
{"from": "gpt", "value": "s "byition"},
{"gen_a,\"args\":{}}]",C7e42F292c6912E7710c838347Ae178B4a "key": {"role": "assistant", "ol_calls": [{"}]}"#;
    let mut document = document(TEXT, Language::Json);
    assert_is_fresh(&document);
    let removed = "ol_calls\": [{";
    let start = TEXT.find(removed).expect("the text");
    document.apply(Splice { start, removed: removed.len(), inserted: 0 }, "");
    assert_is_fresh(&document);
}

/// Objects in more than 128 containers have no forms, and edits read no deeper.
#[test]
fn messages_are_read_to_a_depth_of_128_containers() {
    const CALL: &str = r#"{"type":"tool_use","id":"f","name":"n","input":{}},"#;
    let (mut inner, mut counts) = (Vec::new(), Vec::new());
    for depth in 60..66 {
        let messages = picked(&CONVERSATION).join(",");
        let opening = r#"{"role":"user","content":["#.repeat(depth);
        let text = format!("{{\"messages\":[{opening}{messages}{}]}}\n", "]}".repeat(depth));
        let mark = r#""content":[{"type":"text","text":"Let"#;
        let start = text.find(mark).expect("the mark") + r#""content":["#.len();
        let call = Splice { start, removed: 0, inserted: CALL.len() };
        let place = start + r#"{"type":"text","text":""#.len();
        let typed = Splice { start: place, removed: 0, inserted: 1 };
        inner.push([(call, CALL), (typed, "x")].map(|(splice, it)| check(&text, Language::Log, splice, it)));
        let mut edited = document(&text, Language::Json);
        edited.apply(call, CALL);
        let fresh = document(&edited.text().to_string(), Language::Json);
        assert_eq!(edited.tool_uses(), fresh.tool_uses(), "{depth}");
        assert_eq!(edited.diagnostics(), fresh.diagnostics(), "{depth}");
        let messages = |it: &Document| it.assume_transcript().messages().clone();
        assert_eq!(messages(&edited), messages(&fresh), "{depth}");
        counts.push([fresh, document(&edited.text().to_string(), Language::Log)].map(|read| {
            let data = read.tree().iter().map(|it| it.data());
            data.map(|it| it.blocks.len() + it.log().messages.len()).sum::<usize>()
        }));
    }
    // A new call may concern messages around; below the limit, it is text.
    let [above, at, below] = [[false, true], [true, true], [false, false]];
    assert_eq!(inner, [above, above, above, at, below, below]);
    assert_eq!(counts, [84, 85, 85, 79, 64, 64].map(|count| [count, count]));
}
