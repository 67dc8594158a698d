//! Shows which lines of a document are read as tool uses, and which lines merely resemble the
//! configured forms of text.

use std::ops::Range;

use crate::document::Document;

/// The reading of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormLineKind {
    /// The first line of a tool use, with its label.
    Read(String),
    /// Text that contains the beginning of the form of this name, and is in no tool use.
    Left(String),
}

/// The first lines of all tool uses of `document`, which counts as a transcript, and the lines that
/// are left, in order, with their numbers from 0.
pub fn form_lines(document: &Document) -> Vec<(usize, FormLineKind)> {
    let document = document.assume_transcript();
    let text = document.text();
    let uses = document.paired_uses();
    let line_of = |range: &Range<usize>| text.line_of_byte(range.start);
    let read = uses.uses.iter().filter_map(|it| {
        let first = uses.parts(it).next()?;
        let line = line_of(&document.range_of(&first));
        Some((line, FormLineKind::Read(uses.label_of(it).to_string())))
    });
    let mut lines: Vec<_> = read.collect();
    let forms = &document.settings().texts;
    let keys: Vec<_> = forms.iter().map(|form| (form.opener().trim().to_lowercase(), &form.name)).collect();
    let mut blocks = uses.blocks().iter().map(|at| document.range_of(at)).peekable();
    for line in 0..text.line_count() {
        let content = text.line_content(line);
        while blocks.next_if(|block| block.end <= content.start).is_some() {}
        if blocks.peek().is_some_and(|block| block.start < content.end) {
            continue;
        }
        let own = text.slice(content).to_lowercase();
        if let Some((_, name)) = keys.iter().find(|(key, _)| own.contains(key)) {
            lines.push((line, FormLineKind::Left((*name).clone())));
        }
    }
    lines.sort_by_key(|(line, _)| *line);
    lines
}
