//! Document highlights: all occurrences of the id or the tool name at the cursor.
//!
//! Editors request them on each cursor movement. At a position without a name this costs no more
//! than locating it.

use std::ops::Range;

use crate::call::CallPart;
use crate::document::Document;
use crate::places::name_occurrences::NamedItem;

/// A highlighted range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The id or name without its quotes, in document offsets.
    pub range: Range<usize>,
    /// The kind.
    pub kind: HighlightKind,
}

/// The kind of a highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighlightKind {
    /// The id in a call or its start.
    Write,
    /// An id in deltas and results; a tool name anywhere.
    Read,
}

/// The highlights for the byte `at` of `document`, in document order.
pub fn highlights(document: &Document, at: usize) -> Vec<Highlight> {
    let Some(mention) = document.name_occurrence_at(at) else { return Vec::new() };
    let kind = |named: NamedItem, part: CallPart| match (named, part) {
        (NamedItem::Fence | NamedItem::Records, CallPart::Call | CallPart::Both | CallPart::Start) => {
            HighlightKind::Write
        }
        _ => HighlightKind::Read,
    };
    let mentions = document.occurrences_like(&mention);
    mentions
        .into_iter()
        .map(|mention| Highlight { kind: kind(mention.named, mention.at.block.part), range: mention.range })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::features::references::{references, subject};
    use crate::text::Text;

    /// `|` is the cursor; each range is marked by `«»` if it is a write and by `‹›` if it is a
    /// read. References have the same ranges.
    #[track_caller]
    fn check(marked: &str) {
        let expected = marked.replacen('|', "", 1);
        let at = marked.replace(['«', '»', '‹', '›'], "").find('|').expect("a position");
        let text = expected.replace(['«', '»', '‹', '›'], "");
        let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
        let document = Document::new(Text::new(&text), language, Arc::new(Settings::default()));
        let highlighted = highlights(&document, at);
        let mut shown = text.clone();
        for Highlight { range, kind } in highlighted.iter().rev() {
            let (open, close) = if *kind == HighlightKind::Write { ('«', '»') } else { ('‹', '›') };
            shown.insert(range.end, close);
            shown.insert(range.start, open);
        }
        assert_eq!(shown, expected);
        let subject = subject(&document, at);
        let referred = subject.map(|subject| references(&document, &subject)).unwrap_or_default();
        let ranges: Vec<_> = referred.iter().map(|reference| reference.range.clone()).collect();
        assert_eq!(ranges, highlighted.iter().map(|it| it.range.clone()).collect::<Vec<_>>(), "{marked}");
        for (reference, highlight) in referred.iter().zip(&highlighted) {
            assert!(!reference.is_declaration || highlight.kind == HighlightKind::Write);
        }
    }

    #[test]
    fn tool_name_in_all_dialects() {
        check(
            "> ```tool\n> {\"toolName\": \"‹a|›\"}\n> ```\n\n- 👋 ###:{\"toolName\": \"‹\\u0061›\"}\n\n*🔧 Executed ‹a›*\n\na <tool>‹a›</tool>\n\n\
             🔧 **Tool Call:** `‹a›(x=a)`\n\n✅ **`‹a›` result:** a\n\n```tool\n{\"toolName\": \"b\", \"x\": \"a\"}\n```\n\n```tool\n{\"toolName\": \"‹a›\", ",
        );
        check("<tool>‹|ab›(ab=1)</tool> <tool>abc</tool> <validation>‹ab›\nx</validation>");
        check("<tool>ab(a|b=1)</tool>");
        check("```tool\n{\"toolName\": \"|\"}\n```\n");
        check("a|");
    }

    #[test]
    fn id_of_a_tool_use() {
        let log = "{\"type\":\"tool-input-start\",\"id\":\"«1»\",\"toolName\":\"a\"}\n{\"type\":\"tool-input-delta\",\"id\":\"‹1›\",\"delta\":\"1\"}\n\
                   {\"type\":\"tool-call\",\"toolCallId\":\"«1»\",\"toolName\":\"1\",\"input\":{}}\r\n{\"type\":\"tool-result\",\"toolCallId\":\"‹1›\",\"output\":\"1\"}\n\
                   {\"type\":\"tool-call\",\"toolCallId\":\"2\",\"toolName\":\"1\",\"input\":{}}\n";
        for (at, _) in log.match_indices(['«', '‹', '»', '›']) {
            let mut marked = log.to_owned();
            let behind = if log[at..].starts_with(['«', '‹']) {
                log[at..].chars().next().map_or(0, char::len_utf8)
            } else {
                0
            };
            marked.insert(at + behind, '|');
            check(&marked);
        }
        check(
            "```tool\n{\"toolCallId\": |\"«1»\"}\n```\n\n```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"1\"}\n```\n",
        );
        // Two fences with one id: readers treat them as one call.
        check("```tool\n{\"toolCallId\": \"|«1»\"}\n```\n\n```tool\n{\"toolCallId\": \"«1»\"}\n```\n");
    }

    #[test]
    fn id_in_its_conversation() {
        let conversation = |call: &str, result: &str| {
            let function = r#""type":"function","function":{"name":"f","arguments":"{}"}"#;
            let call = format!(r#"{{"role":"assistant","tool_calls":[{{"id":"{call}",{function}}}]}}"#);
            let result = format!(r#"{{"role":"tool","tool_call_id":"{result}","content":"1"}}"#);
            format!("{{\"messages\":[{call},{result}]}}\n")
        };
        check(&(conversation("«a»", "‹|a›") + &conversation("a", "a")));
        check(&(conversation("a", "a") + &conversation("«a|»", "‹a›")));
    }

    #[test]
    fn delta_text() {
        check(
            "{\"type\":\"text-delta\",\"delta\":\"👋 <tool>‹a›</tool> ###:{\\\"toolName\\\": \\\"‹|a›\\\"}\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"‹a›\"}\n",
        );
        check(
            "```jsonl\n{\"type\":\"text-delta\",\"delta\":\"👋 <tool>‹|a›</tool> ###:{\\\"toolName\\\": \\\"‹a›\\\"}\"}\n```\n",
        );
    }
}
