//! Fixtures of linked editing: `|` is the cursor, `«»` is around each linked range.

use std::sync::Arc;

use proptest::prelude::*;

use super::linked_editing;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

fn open(text: &str) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

#[track_caller]
fn check(marked: &str) {
    for marked in [marked.to_owned(), marked.replace('\n', "\r\n")] {
        let expected = marked.replacen('|', "", 1);
        let at = marked.replace(['«', '»'], "").find('|').expect("a position");
        let text = expected.replace(['«', '»'], "");
        let mut shown = text.clone();
        for range in
            linked_editing(&open(&text), at).map(|linked| linked.ranges).unwrap_or_default().iter().rev()
        {
            shown.insert(range.end, '»');
            shown.insert(range.start, '«');
        }
        assert_eq!(shown, expected);
    }
}

#[test]
fn the_names_of_tags() {
    check("👋 <«to|ol»>run()\nok</«tool»> x\n");
    check("👋 <«tool»>run()\nok</«|tool»> x\n");
    check("> <«tool»>run()\n> ok</«tool|»>\n");
    check("<«|validation»>run\nok</«validation»>\n");
    check("<to|ol>run()\n");
    check("<tool>r|un()</tool>\n");
    check("|<tool>run()</tool>\n");
    check("```tool\n<|x></x>\n```\n");
}

#[test]
fn the_ids_of_a_tool_use() {
    let call = |id: &str| {
        format!("{{\"type\":\"tool-call\",\"toolCallId\":\"{id}\",\"toolName\":\"a\",\"input\":{{}}}}\n")
    };
    let result = |id: &str| {
        format!("{{\"type\":\"tool-result\",\"toolCallId\":\"{id}\",\"toolName\":\"a\",\"output\":1}}\n")
    };
    let delta = |id: &str| format!("{{\"type\":\"tool-input-delta\",\"id\":\"{id}\",\"delta\":\"é\"}}\n");
    check(&[delta("«1»"), call("«|1»"), result("«1»"), call("2")].concat());
    check(&[delta("«é»"), call("«é»"), result("«é|»")].concat());
    // The same id in another spelling is left out.
    check(&[delta("\\u0031"), call("«1»"), result("«1|»")].concat());
    check(&[call("«1»"), result("«1|»").replace("1}", "")].concat());
    check(&[call("1"), call("|1"), result("1")].concat());
    check(&call("|1"));
    check(&format!("> ```jsonl\n> {}> {}> ```\n", call("«|1»"), result("«1»")));
    check("```tool\n{\"toolCallId\": \"|a\"}\n```\n\n```tool\n{\"toolCallId\": \"a\"}\n```\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// LSP 3.17: linked ranges have identical text and do not overlap; each of them yields the same
    /// ranges.
    #[test]
    fn linked_ranges_have_equal_text((text, language) in cut_documents()) {
        let document = Document::new(Text::new(&text), language, Arc::new(Settings::default()));
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let Some(linked) = linked_editing(&document, at) else { continue };
            prop_assert!(linked.ranges.len() > 1);
            prop_assert!(linked.ranges.iter().any(|range| range.start <= at && at <= range.end));
            prop_assert!(linked.ranges.windows(2).all(|two| two[0].end <= two[1].start));
            prop_assert!(linked.ranges.iter().all(|range| text[range.clone()] == text[linked.ranges[0].clone()]));
            for range in &linked.ranges {
                prop_assert_eq!(linked_editing(&document, range.start), Some(linked.clone()));
            }
        }
    }
}

#[test]
fn a_number_is_not_linked() {
    let call = r#"{"jsonrpc":"2.0","id":1|,"method":"tools/call","params":{"name":"a","arguments":{}}}"#;
    check(&format!("{call}\n{}\n", r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#));
}
