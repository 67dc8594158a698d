//! The end of a region that consists of several blocks of Markdown: labelled lines and fenced code
//! blocks ([`RegionEnd::Parts`](crate::syntax::RegionEnd)).
//!
//! The lines are scanned like Markdown, so a region ends between two blocks, and a line in a code
//! block is not a label.

use crate::never::OrNever;
use crate::syntax::container::{Container, Leaf, ScannerState};
use crate::syntax::content::colour_len;
use crate::syntax::reader::{LineReader, LineSpan};
use crate::syntax::rules::{NO_RULES, PartLabels, fence_language, label_of};
use crate::syntax::scanner::LineKind;
use crate::text::Text;

/// The maximum number of bytes that are searched for the end of a fenced code block: without one,
/// each edit below would read all of the document.
const MOST_LOOKAHEAD: usize = 1 << 20;

/// The end of a region.
pub(super) struct PartsEnd {
    /// The end of its last line.
    pub end: usize,
    /// The offset up to which the lines decide about it.
    pub scanned_up_to: usize,
}

/// The end of a region whose first line is the one before `next`, and ends at `end`. That line is
/// in `within`, and `leaf` is open after it.
pub(super) fn end_of_parts(
    text: &Text,
    parts: &PartLabels,
    (end, next): (usize, usize),
    within: &[Container],
    leaf: Leaf,
) -> PartsEnd {
    let first = text.line_content(text.line_of_byte(end));
    let indent = indent_of(text.slice(first).as_bytes());
    let mut reader = LineReader::new(text, &NO_RULES, next..text.len());
    let mut state = ScannerState { containers: within.into(), leaf, ..ScannerState::default() };
    let takes_fence = parts.with_both.contains(&"");
    let takes_text = parts.with_text.contains(&"");
    let mut open = OpenParts {
        end,
        takes_fence,
        takes_text,
        awaits_text: false,
        takes_both: takes_fence,
        follows_blank: false,
    };
    // The end of a list, with which a region may only end if its own container goes on.
    let mut inner = None;
    // The end before the first blank line, and whether a line below ends the region.
    let (mut first_gap, mut is_ended) = (None, false);
    while let Some(line) = reader.next_line() {
        let bytes = reader.bytes(line);
        let read = state.read_line(bytes, || false);
        if line.next - next > MOST_LOOKAHEAD {
            inner = None;
            break;
        }
        let content = bytes.get(read.text..).or_never();
        // A line outside of the list may continue the list's paragraph, or look like a part of an
        // item.
        let is_own = read.matched <= within.len() || indent_of(bytes) <= indent;
        let is_inner = state.containers.starts_with(within)
            && state.containers.get(within.len()).is_some_and(|it| matches!(it, Container::Item { .. }));
        if is_inner
            && !parts.until.is_empty()
            && !(is_own && OpenParts::ends_before(parts, read.kind, content))
        {
            inner = if read.kind == LineKind::Blank { inner } else { Some(line.end) };
            continue;
        }
        open.end = inner.take().unwrap_or(open.end);
        if read.kind == LineKind::Blank {
            first_gap = first_gap.or(Some(open.end));
        }
        let is_inside = state.containers.as_slice() == within;
        let is_code = read.kind == LineKind::Other && bytes.get(..read.text).or_never().ends_with(b"    ");
        if is_inside && is_code && parts.is_indented {
            open.end = line.end;
            continue;
        }
        if !is_inside || !open.take(parts, read.kind, content, line) {
            is_ended = (is_inside || is_inner) && OpenParts::ends_before(parts, read.kind, content);
            break;
        }
    }
    if let (true, false, Some(end)) = (parts.is_bounded, is_ended, first_gap) {
        return PartsEnd { end, scanned_up_to: reader.position() };
    }
    PartsEnd { end: inner.unwrap_or(open.end), scanned_up_to: reader.position() }
}

/// The parts read so far.
struct OpenParts {
    end: usize,
    /// True if a code block belongs to the line before.
    takes_fence: bool,
    /// True if further lines of text belong to the label before.
    takes_text: bool,
    /// True if the label before has no text yet: it may stand below a blank line.
    awaits_text: bool,
    /// True if a code block may follow the text of a label, too.
    takes_both: bool,
    follows_blank: bool,
}

impl OpenParts {
    /// True if the region ends before the line, which begins like another part of the text.
    fn ends_before(parts: &PartLabels, kind: LineKind, content: &[u8]) -> bool {
        let content = without_colours(content);
        let begins = |start: &str| match start.strip_suffix('\n') {
            Some(whole) => content.trim_ascii_end() == whole.as_bytes(),
            None => content.starts_with(start.as_bytes()),
        };
        !matches!(kind, LineKind::Blank | LineKind::FenceStart { .. } | LineKind::FenceContent)
            && parts.until.iter().any(|start| begins(start))
    }

    /// True if the line continues the region, or may. A code block counts when it ends.
    fn take(&mut self, parts: &PartLabels, kind: LineKind, content: &[u8], line: LineSpan) -> bool {
        let is_barred = |content| {
            let language = fence_language(str::from_utf8(content).unwrap_or_default());
            parts.barred.contains(&language)
        };
        if !parts.until.is_empty() {
            let is_other = matches!(kind, LineKind::FenceStart { .. }) && is_barred(content);
            let goes_on = !is_other && !Self::ends_before(parts, kind, content);
            let is_open =
                matches!(kind, LineKind::Blank | LineKind::FenceStart { .. } | LineKind::FenceContent);
            self.end = if is_open || !goes_on { self.end } else { line.end };
            return goes_on;
        }
        let content = without_colours(content);
        let starts =
            |labels: &[&str]| labels.iter().any(|it| !it.is_empty() && content.starts_with(it.as_bytes()));
        match kind {
            LineKind::Blank => {
                self.follows_blank = true;
                self.takes_text &= self.awaits_text && parts.stops.is_empty();
                return true;
            }
            LineKind::FenceStart { .. } => {
                let language = fence_language(str::from_utf8(content).unwrap_or_default());
                let is_taken = std::mem::take(&mut self.takes_fence)
                    && (parts.is_loose || !self.follows_blank)
                    && !is_barred(content);
                return is_taken || parts.fences.contains(&language);
            }
            LineKind::FenceContent => return true,
            LineKind::FenceEnd => (self.takes_text, self.awaits_text) = (false, false),
            // The end of the element around it.
            LineKind::HtmlText { .. } if content.starts_with(b"</") => return false,
            // A comment may be a label.
            LineKind::Paragraph
            | LineKind::Continued
            | LineKind::HtmlText { .. }
            | LineKind::Atx(_)
            | LineKind::HtmlStart { ends: true, .. } => {
                if starts(parts.labels) {
                    let line = str::from_utf8(content).unwrap_or_default();
                    let has_text = label_of(line, parts.labels).is_some_and(|it| !it.1.trim().is_empty());
                    (self.takes_text, self.takes_both) = (starts(parts.with_text), starts(parts.with_both));
                    self.takes_fence = self.takes_both || !has_text;
                    self.awaits_text = !has_text;
                } else if !self.takes_text
                    || starts(parts.stops)
                    || !parts.is_indented && matches!(kind, LineKind::Atx(_) | LineKind::HtmlStart { .. })
                {
                    return false;
                } else {
                    self.takes_fence &= self.takes_both;
                    self.awaits_text = false;
                }
            }
            _ => return false,
        }
        self.follows_blank = false;
        self.end = line.end;
        true
    }
}

/// The number of spaces at the start of `line`.
fn indent_of(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count()
}

/// `line` without the colours at its start.
fn without_colours(mut line: &[u8]) -> &[u8] {
    while let Some(len) = colour_len(line) {
        line = line.get(len..).or_never();
    }
    line
}
