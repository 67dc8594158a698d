//! The changes that calls of editing tools make, as lines of a diff. They are recognized by the
//! members of their inputs: agents have different names for the tools, but the same members.

use std::collections::HashMap;

use crate::call::{CallPart, UseData};
use crate::document::{Document, PairedUse, PairedUses};
use crate::json::{self, Value};
use crate::rules::search_replace;
use crate::text::line_diff::diff_hunks;

/// Members with the old and the new text.
const PAIRS: [(&str, &str); 5] = [
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
];
const PATCH: (&str, &str) = ("*** Begin Patch", "*** End Patch");
/// The number of equal lines around a change.
const CONTEXT: usize = 3;
/// The maximum number of lines of a diff.
const LINES: usize = 200;
/// The maximum number of characters of a line.
const CHARS: usize = 500;
/// Longer texts are not compared line by line.
const LONGEST_COMPARED: usize = 1000;
/// A gap between changes.
const GAP: &str = " ⋮";

/// The changes of the tool uses of `uses` that have some, by their first parts. Parses only calls
/// whose text has a member of an edit.
pub(super) fn changes(document: &Document, uses: &PairedUses<'_>) -> HashMap<usize, String> {
    let edits = uses.uses.iter().enumerate().filter(|(_, tool_use)| may_edit(document, uses, tool_use));
    let edits: Vec<usize> = edits.map(|(index, _)| index).collect();
    if edits.is_empty() {
        return HashMap::new();
    }
    let of_one = |(index, full): (&usize, crate::call::ToolUse)| {
        let first = uses.uses.get(*index)?.parts.first().copied()?;
        Some((first, changes_of(full.input.as_ref()?)?))
    };
    edits.iter().zip(document.tool_uses_of(uses, &edits)).filter_map(of_one).collect()
}

fn may_edit(document: &Document, uses: &PairedUses<'_>, tool_use: &PairedUse) -> bool {
    let calls = tool_use.parts.iter().filter_map(|part| uses.block(*part));
    calls.filter(|at| at.block.part != CallPart::Result).any(|at| {
        let text = document.text().slice(document.range_of(&at));
        PAIRS.iter().any(|(old, _)| text.contains(old))
            || text.contains(search_replace::SEARCH)
            || text.contains(PATCH.0)
    })
}

/// The changes as lines, each after `-`, `+` or a space; `None` if `input` edits nothing.
fn changes_of(input: &UseData) -> Option<String> {
    let text = input.to_json();
    let tape = json::parse(&text);
    let root = tape.root(&text)?;
    let mut lines = DiffLines::default();
    lines.add_pair(root);
    for edit in root.get("edits").into_iter().flat_map(Value::items) {
        lines.add_pair(edit);
    }
    if lines.0.is_empty() {
        let members: Vec<_> = root.entries().map(|(_, value)| value).chain([root]).collect();
        let texts = members.iter().flat_map(|value| value.items().chain([*value]));
        texts.filter_map(Value::as_str).for_each(|text| lines.add_text(&text));
    }
    lines.text()
}

#[derive(Default)]
struct DiffLines(Vec<String>);

impl DiffLines {
    fn add_pair(&mut self, edit: Value<'_>) {
        let text = |key| edit.get(key).and_then(Value::as_str);
        let pair = PAIRS.iter().find_map(|(old, new)| Some((text(old)?, text(new)?)));
        if let Some((old, new)) = pair {
            self.add_diff(&old, &new);
        }
    }

    /// A text with blocks of search and replacement, or a patch.
    fn add_text(&mut self, text: &str) {
        if text.contains(search_replace::SEARCH) {
            for block in search_replace::blocks(text).unwrap_or_default() {
                if let Some((old, new)) = block.splits().next() {
                    self.add_diff(&old, &new);
                }
            }
        } else if let Some((_, patch)) = text.split_once(PATCH.0) {
            let patch = patch.split_once(PATCH.1).map_or(patch, |(patch, _)| patch);
            for line in patch.trim_matches('\n').lines() {
                let is_signed = line.starts_with(['-', '+', ' ']);
                self.0.push(if is_signed { line.to_owned() } else { format!(" {line}") });
            }
        }
    }

    fn add_diff(&mut self, old: &str, new: &str) {
        let mut gap = (!self.0.is_empty()).then_some(GAP);
        let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
        if old.len().max(new.len()) > LONGEST_COMPARED {
            self.0.extend(gap.map(str::to_owned));
            self.0.extend(old.iter().map(|line| format!("-{line}")));
            self.0.extend(new.iter().map(|line| format!("+{line}")));
            return;
        }
        for hunk in diff_hunks(&old, &new, CONTEXT) {
            self.0.extend(gap.map(str::to_owned));
            gap = Some(GAP);
            self.0.extend(hunk.lines.iter().map(|(change, line)| format!("{change}{line}")));
        }
    }

    fn text(self) -> Option<String> {
        let count = self.0.len();
        let cut = |line: &String| line.chars().take(CHARS).collect::<String>();
        let mut shown: Vec<String> = self.0.iter().take(LINES).map(cut).collect();
        if count > LINES {
            shown.push(format!(" ... ({} more lines)", count - LINES));
        }
        (count > 0).then(|| shown.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::document::Language;
    use crate::text::Text;

    #[track_caller]
    fn check(input: &str, expected: Option<&str>) {
        assert_eq!(changes_of(&UseData::Json(input.to_owned())).as_deref(), expected, "{input}");
    }

    /// The first parts of tool uses, and their changes.
    #[track_caller]
    fn check_document(text: &str, language: Language, expected: &[(usize, &str)]) {
        let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
        let mut found: Vec<_> = changes(&document, &document.paired_uses()).into_iter().collect();
        found.sort_unstable();
        let found: Vec<_> = found.iter().map(|(part, lines)| (*part, &**lines)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn edits_are_found_in_all_dialects() {
        let edit = r#"{"old_str": "a", "new_str": "b"}"#;
        let quoted = crate::json::quote(edit);
        check_document(
            &format!(
                "<tool>look()\nold_str</tool>\n\n```tool\n{{\"toolName\": \"x\", \"input\": {edit}, \"output\": 1}}\n```\n\n\
                 <tool_call>{{\"name\": \"y\", \"arguments\": {edit}}}</tool_call>\n"
            ),
            Language::Markdown,
            &[(1, "-a\n+b"), (2, "-a\n+b")],
        );
        check_document(
            &format!(
                "{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"1\",\"type\":\"function\",\"function\":\
                 {{\"name\":\"x\",\"arguments\":{quoted}}}}}]}}\n\
                 {{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":{quoted}}}\n"
            ),
            Language::Log,
            &[(0, "-a\n+b")],
        );
    }

    #[test]
    fn old_and_new_texts_are_lines_of_a_diff() {
        check(
            r#"{"file_path": "a.py", "old_string": "a\nb\nc\n", "new_string": "a\nB\nc\n"}"#,
            Some(" a\n-b\n+B\n c"),
        );
        check(r#"{"oldString": "", "newString": "x"}"#, Some("+x"));
        check(
            r#"{"edits": [{"oldText": "1", "newText": "2"}, {"oldText": "3", "newText": ""}]}"#,
            Some("-1\n+2\n ⋮\n-3"),
        );
        check(
            r#"{"path": "a", "searchReplaceBlock": "<<<<<<< SEARCH\na\nb\n=======\na\n>>>>>>> REPLACE"}"#,
            Some(" a\n-b"),
        );
    }

    #[test]
    fn patches_are_shown_as_they_are() {
        let patch = r#"*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch"#;
        let shown = " *** Update File: a.py\n @@\n-a\n+b";
        check(&format!("\"{patch}\""), Some(shown));
        check(&format!("{{\"input\": \"{patch}\\n\"}}"), Some(shown));
        check(
            &format!("{{\"command\": [\"bash\", \"-lc\", \"apply_patch <<'E'\\n{patch}\\nE\"]}}"),
            Some(shown),
        );
    }

    #[test]
    fn other_inputs_have_no_changes() {
        for input in [
            "{}",
            "[]",
            "null",
            r#"{"old_string": "a"}"#,
            r#"{"old_string": 1, "new_string": 2}"#,
            r#"{"old_string": "a", "new_string": "a"}"#,
            r#"{"text": "<<<<<<< SEARCH\na"}"#,
            r#"{"edits": {"a": 1}}"#,
        ] {
            check(input, None);
        }
    }

    #[test]
    fn long_changes_are_cut() {
        let lines = |word: &str| format!("{word}\\n").repeat(LONGEST_COMPARED + 1);
        let input = format!("{{\"old_str\": \"{}\", \"new_str\": \"{}\"}}", lines("a"), lines("b"));
        let shown = changes_of(&UseData::Json(input)).expect("changes");
        assert_eq!(shown.lines().count(), LINES + 1);
        assert!(shown.ends_with(&format!("-a\n ... ({} more lines)", 2 * (LONGEST_COMPARED + 1) - LINES)));
    }
}
