//! Records of Claude Code's sessions whose parents are missing.

use std::sync::Arc;

use super::diagnostics::check_log;
use crate::document::{Document, Language};
use crate::fixes::LINK_TITLE;
use crate::text::{Splice, Text};

/// A record with the id `own`, after that with the JSON text `parent` as its id.
fn record(own: &str, parent: &str) -> String {
    let message = r#"{"role": "user", "content": "q"}"#;
    format!(r#"{{"parentUuid": {parent}, "type": "user", "message": {message}, "uuid": "{own}"}}"#) + "\n"
}

/// A record of the sub-agent `agent`.
fn side(agent: &str, own: &str, parent: &str) -> String {
    record(own, parent).replacen('{', &format!(r#"{{"isSidechain": true, {agent}"#), 1)
}

#[test]
fn a_parent_that_is_no_line_is_reported() {
    let first = record("a", "null") + &record("b", r#""a""#);
    check_log(&(first.clone() + &record("c", r#"«lost-parent:"x"»"#) + &record("d", r#""c""#)));
    // A line whose record is not read has an id as well, and records need not be in order.
    let system = r#"{"parentUuid": "b", "type": "system", "uuid": "s"}"#.to_owned() + "\n";
    check_log(&(first.clone() + &system + &record("c", r#""s""#)));
    check_log(&(record("c", r#""b""#) + &first));
    // A compaction begins a chain of its own.
    let compact = r#"{"parentUuid": null, "logicalParentUuid": "x", "type": "system", "subtype": "compact_boundary", "uuid": "e"}"#;
    check_log(&format!("{first}{compact}\n{}", record("f", r#""e""#)));
    check_log(&format!(r#"{first}{{"type": "summary", "summary": "s", "leafUuid": "x"}}"#));
}

#[test]
fn what_may_continue_another_file_is_not_reported() {
    let lines = |lines: &[String]| check_log(&lines.concat());
    lines(&[record("b", r#""a""#), record("c", r#""b""#), record("d", r#""a""#), record("e", r#""d""#)]);
    let main = record("a", "null") + &record("b", r#""a""#);
    let agent = r#""agentId": "x", "#;
    lines(&[main.clone(), side(agent, "s", r#""q""#), side(agent, "t", r#""s""#)]);
    lines(&[main.clone(), side("", "s", r#""q""#), side("", "t", r#""r""#)]);
    lines(&[main.clone(), side(agent, "s", "null"), side(agent, "t", r#"«lost-parent:"q"»"#)]);
    // An excerpt.
    lines(&[record("a", "null"), record("c", r#""b""#), record("e", r#""d""#), record("g", r#""f""#)]);
    // A message of another program.
    lines(&[record("a", "null").replace("parentUuid", "parentId"), record("b", "7"), record("c", "null")]);
}

#[test]
fn a_lost_line_is_reported_while_the_session_is_edited() {
    let lines: Vec<String> = ["null", r#""a""#, r#""b""#, r#""c""#]
        .iter()
        .zip(["a", "b", "c", "d"])
        .map(|(parent, own)| record(own, parent))
        .collect();
    let text = lines.concat();
    let mut document = Document::new(Text::new(&text), Language::Log, Arc::default());
    let found =
        |document: &Document| document.diagnostics().iter().map(|it| it.range.start).collect::<Vec<_>>();
    assert!(found(&document).is_empty());
    let (start, len) = (lines[0].len(), lines[1].len());
    document.apply(Splice { start, removed: len, inserted: 0 }, "");
    let place = start + r#"{"parentUuid": "#.len();
    assert_eq!(found(&document), [place]);
    let fixes = document.fixes_in_range(place..place);
    let fix = fixes.iter().flat_map(|it| &it.fixes).next().expect("a fix");
    assert_eq!((&*fix.title, &*fix.edits), (LINK_TITLE, &[(place..place + 3, r#""a""#.to_owned())][..]));
    document.apply(Splice { start, removed: 0, inserted: len }, &lines[1]);
    assert!(found(&document).is_empty());
    let id = text.find(r#""uuid": "b""#).unwrap() + r#""uuid": ""#.len();
    document.apply(Splice { start: id, removed: 1, inserted: 1 }, "z");
    assert_eq!(found(&document), [place + len]);
}

#[test]
fn a_record_that_is_written_twice_is_not_linked_to_itself() {
    let first = record("a", "null") + &record("b", r#""a""#);
    let text = first.clone() + &record("c", r#""x""#).repeat(2) + &record("d", r#""c""#);
    let mut document = Document::new(Text::new(&text), Language::Log, Arc::default());
    let lost = document.lost_parents();
    let edits = lost.iter().map(|lost| document.link_to_record_before(lost).expect("a record before it"));
    document = document.edited(&edits.collect::<Vec<_>>());
    let expected = first + &record("c", r#""b""#).repeat(2) + &record("d", r#""c""#);
    assert_eq!(document.text().to_string(), expected);
}
