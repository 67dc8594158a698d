//! The chain of a session of Claude Code: `parentUuid` of a line is the `uuid` of the one before.
//!
//! A session is resumed from its last line along this chain. Everything before a line whose parent
//! is missing is lost then.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::call::Thread;
use crate::dialect::log::turn::MessageMark;
use crate::document::Document;
use crate::json;

/// The change of a line whose parent is missing.
pub(super) const TITLE: &str = "Link the line to the one before it: no line has the id of its parent";

/// A line of a chain: the raw JSON of its id and of its parent, and where the parent stands.
struct ChainLine {
    thread: Option<Thread>,
    uuid: String,
    parent: Option<(String, Range<usize>)>,
}

/// The edits that link each line whose parent is missing to the line before it in its thread. The
/// first line of a thread may continue another file.
pub(super) fn missing_links(document: &Document) -> Vec<(Range<usize>, String)> {
    if !document.is_message_log() || document.is_training_set() {
        return Vec::new();
    }
    let text = document.text();
    let lines: Vec<_> = (0..text.line_count())
        .filter_map(|index| {
            let line = text.line_content(index);
            let start = line.start;
            chain_line(&text.slice(line), start)
        })
        .collect();
    let known: HashSet<&str> = lines.iter().map(|line| &*line.uuid).collect();
    let mut last: HashMap<Option<Thread>, &str> = HashMap::new();
    let mut edits = Vec::new();
    for line in &lines {
        let before = last.insert(line.thread, &line.uuid);
        if let Some((parent, place)) = &line.parent
            && !known.contains(&**parent)
            && let Some(before) = before
        {
            edits.push((place.clone(), before.to_owned()));
        }
    }
    edits
}

/// The line of a chain that begins at the document offset `start`; `None` for any other line.
fn chain_line(line: &str, start: usize) -> Option<ChainLine> {
    line.contains("\"parentUuid\"").then_some(())?;
    let tape = json::parse(line);
    let root = tape.root(line)?;
    let parent = root.get("parentUuid")?;
    let span = parent.span();
    let place = start + span.start as usize..start + span.end as usize;
    Some(ChainLine {
        thread: MessageMark::of_line(root).thread,
        uuid: root.get("uuid").filter(|uuid| uuid.is_text())?.raw().to_owned(),
        parent: parent.is_text().then(|| (parent.raw().to_owned(), place)),
    })
}
