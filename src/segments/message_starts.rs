//! The starts of messages: role lines at the very start of a line, and headings that name a role.
//!
//! Code, quotes, lists, tags and results contain no messages. A line that begins a message only in
//! the transcripts of one program has that [`Program`].

use crate::call::program::{Program, program_line};
use crate::call::{MessageRole, MessageStart, RoleNames, role_heading, role_line, template};
use crate::syntax::TextParts;
use crate::text::{Span, saturate};

/// The level of the headings that are prompts of aider.
const PROMPT: u8 = 4;

/// The message starts in `text`, the text of a segment with `parts`, in order.
pub(crate) fn read(text: &str, parts: &TextParts, names: &RoleNames) -> Vec<MessageStart> {
    let mut starts = Vec::new();
    for heading in parts.headings() {
        if let Some(found) = role_heading(heading.title.of(text), names) {
            let found = found.shifted(heading.title.start);
            // The title of a setext heading has a line below it.
            let text = if found.text == heading.title.end { heading.span.end } else { found.text };
            starts.push(MessageStart { span: heading.span, text, level: heading.level, ..found });
        } else if heading.level == PROMPT {
            let name = Span { start: heading.span.start, end: heading.title.start };
            starts.push(MessageStart {
                role: MessageRole::User,
                span: heading.span,
                name,
                text: name.end,
                level: PROMPT,
                program: Some(Program::Aider),
            });
        }
    }
    // The first line of a document may begin with a byte order mark.
    let (mut start, mut line_above) = (text.len() - text.trim_start_matches('\u{feff}').len(), "");
    for end in memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]) {
        let span = Span::new(start, end);
        start = end + 1;
        // A line feed after a carriage return begins no line.
        let above = if span.is_empty() { "" } else { std::mem::replace(&mut line_above, span.of(text)) };
        for at in template::starts_in(span.of(text)) {
            let span = Span { start: span.start + saturate(at), ..span };
            let found = role_line(span.of(text), names);
            let found = found.filter(|_| !is_inside_block(parts, span));
            starts.extend(found.map(|found| found.shifted(span.start)));
        }
        if let Some(found) = role_line(span.of(text), names)
            && !is_inside_block(parts, span)
        {
            starts.push(found.shifted(span.start));
        } else if let Some(found) = program_line(above, span.of(text))
            // A call begins with the mark of its message.
            && span.start.checked_sub(1).is_none_or(|start| !is_inside_block(parts, Span { start, ..span }))
        {
            starts.push(found.shifted(span.start));
        }
    }
    starts.sort_by_key(|start| start.span.start);
    starts
}

/// True if the line `span` is a heading, or begins in a block. Headings and blocks are each in
/// document order and do not overlap.
fn is_inside_block(parts: &TextParts, span: Span) -> bool {
    let holds = |other: Option<Span>| other.is_some_and(|other| span.start < other.end);
    let (headings, regions) = (parts.headings(), parts.regions());
    let heading = headings.partition_point(|heading| heading.span.start <= span.start).checked_sub(1);
    let region = regions.partition_point(|region| region.span.start <= span.start).checked_sub(1);
    holds(heading.and_then(|at| headings.get(at)).map(|heading| heading.span))
        || holds(region.and_then(|at| regions.get(at)).map(|region| region.span))
}
