//! The description of a form of tagged text: its first line, its end, and the places of its values.

use super::body::{MOST_NAME, is_id, is_name, split_line, wrapped};
use crate::call::CallPart;
use crate::call::pairing::PairingOrder;
use crate::never::OrNever;
use crate::syntax::{CloserLine, Colours, OpenerPlace, PartLabels};
use crate::text::Span;

/// A form of tagged text: one row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its first line; the first piece is the opener.
    pub head: &'static [Piece],
    /// Other openers.
    pub or: &'static [&'static str],
    /// For several forms on one line: the separator, and the text after the last one.
    pub list: Option<(&'static str, &'static str)>,
    /// True if its line ends with two spaces.
    pub is_broken: bool,
    /// True if its paragraph has one line.
    pub is_alone: bool,
    /// The beginnings of the second line; empty if the second line may be any.
    pub second: &'static [&'static str],
    /// The forms of the line that ends an input of several lines; empty if an input has one line. A
    /// form that begins with a command closes the quote that the first line leaves open; without a
    /// status in that line, the result stands elsewhere.
    pub last: &'static [&'static [Piece]],
    /// Its place in its line.
    pub place: OpenerPlace,
    /// Skipped if it is the output of a program that writes to a terminal.
    pub colours: Colours,
    /// Its end.
    pub end: End,
    /// Its part of a tool use; with [`CallPart::Both`], a form without a result is a call.
    pub part: CallPart,
    /// The label of the name, if the name does not stand in the first line.
    pub name: Option<&'static str>,
    /// The texts around the id, if it stands on the first line below that is not blank. A text
    /// without the id does not have this form.
    pub id: Option<(&'static str, &'static str)>,
    /// The place of the input.
    pub input: Place,
    /// The place of the output.
    pub output: Place,
    /// The labels of errors.
    pub errors: &'static [&'static str],
    /// The statuses of failure, in the first line or below `Status:`.
    pub failed: &'static [&'static str],
    /// The statuses of tool uses that are done, though they may have no output; an empty one stands
    /// for no status.
    pub done: &'static [&'static str],
    /// The beginnings of outputs that are errors.
    pub failures: &'static [&'static str],
    /// The rule by which a result is paired with a call.
    pub order: PairingOrder,
    /// True if it is a call without an input, too.
    pub may_be_bare: bool,
    /// The row of the calls below its first line, if it has several.
    pub items: Option<&'static Self>,
    /// The strength of its evidence for a transcript.
    pub evidence: Strength,
}

/// A row without values.
pub const EMPTY: Row = Row {
    head: &[],
    or: &[],
    list: None,
    is_broken: false,
    is_alone: false,
    second: &[],
    last: &[],
    place: OpenerPlace::LineStart,
    colours: Colours::Kept,
    end: End::Line,
    part: CallPart::Call,
    name: None,
    id: None,
    input: Place::None,
    output: Place::None,
    errors: &[],
    failed: &[],
    done: &[],
    failures: &["<tool_use_error>", "Exit code "],
    order: PairingOrder::NearestFirst,
    may_be_bare: false,
    items: None,
    evidence: Strength::Example,
};

/// Parts without labels, whose code blocks may stand below blank lines.
pub const LOOSE: PartLabels = PartLabels {
    labels: &[],
    with_text: &[],
    with_both: &[""],
    is_loose: true,
    fences: &[],
    barred: &["tool"],
    stops: &[],
    is_indented: false,
    until: &[],
    is_bounded: false,
};
/// A piece of a first line.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// This text.
    Text(&'static str),
    /// The name of the tool.
    Name,
    /// The name of the tool, in words.
    Title,
    /// The path of a program, whose last component is the name of the tool.
    Program,
    /// This text, which is the name of the tool.
    Named(&'static str),
    /// The id of the call.
    Id,
    /// The status of the tool use.
    Status,
    /// The input, or a title for people.
    Input,
    /// The input, up to the last occurrence of the text after it.
    Command,
    /// The beginning of the output, which may be empty.
    Output,
    /// A space and a number, or nothing.
    Number,
    /// Any text.
    Skip,
}

/// The end of a form.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// The end of its line.
    Line,
    /// The end of its paragraph, or before a line that begins with a stop and with no label.
    Paragraph {
        /// The beginnings of lines that end it.
        stops: &'static [&'static str],
        /// Its labels; if there are any, one must begin the second line.
        labels: &'static [&'static str],
    },
    /// The end of the object after one of these labels, which begins the second line: the end of
    /// that line, or of the first line that begins with its brace.
    Object(&'static [&'static str]),
    /// The end of its labelled parts.
    Parts(PartLabels),
    /// A closing string.
    Closer {
        /// The string.
        closer: &'static str,
        /// The texts that may precede it on its line.
        before: CloserLine,
    },
}

/// The place of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// There is none.
    None,
    /// The first line, and the lines below it.
    Head,
    /// The same, up to a closing parenthesis at the end.
    Wrapped,
    /// Below one of these labels, or below the first line if the label is empty: text, or else a
    /// fenced code block.
    Under(&'static [&'static str]),
    /// Below this label, or a fenced code block that directly follows the first line.
    UnderOrNext(&'static str),
    /// Below this label, or the fenced code block below the first line, or the object below `{`, a
    /// label, with that brace.
    UnderOrObject(&'static str),
    /// Below one of these labels, or the fenced code block below the first line: an object, or
    /// any text if there is an output.
    UnderOrShown(&'static [&'static str]),
    /// An object: the fenced code block below the first line, or the end of that line.
    ObjectOnly,
    /// An object in the fenced code block below the first line: the key of the name, and the key of
    /// the value.
    Object(&'static str, &'static str),
    /// Lines `key: value` below the first of these labels, or the text after it under the key.
    Keys(&'static [(&'static str, &'static str)]),
    /// The last fenced code block.
    LastFence,
    /// Below one of these labels, or the last fenced code block that is not a label, or without
    /// code blocks the text below a summary.
    Details(&'static [&'static str]),
    /// The text below the first line, up to a label.
    Rest,
    /// All text below the first line.
    Below,
    /// Lines `key: value` below the first line, up to a blank one.
    Lead,
    /// All text below this label.
    From(&'static str),
    /// The lines below the first one, without the frame around them.
    Boxed,
    /// The text below the first blank line.
    Body,
    /// The text before the last fenced code block, without these strings and the name.
    Prose(&'static [&'static str]),
}

/// The strength of the evidence of a form for a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A configuration describes it, so that any value is enough.
    Own,
    /// Complete, it occurs only in transcripts.
    Sure,
    /// Documentation shows it, too.
    Example,
}

/// The values in a first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head<'a> {
    /// The rest of the line, after the opener.
    pub text: &'a str,
    /// Its span, if it is one of several forms on the line.
    pub span: Option<Span>,
    /// The name.
    pub name: Option<&'a str>,
    /// The id.
    pub id: Option<&'a str>,
    /// The status.
    pub status: Option<&'a str>,
    /// The input.
    pub input: Option<&'a str>,
    /// The beginning of the output.
    pub output: Option<&'a str>,
}

/// The openers of other dialects: a paragraph with one of them belongs to that dialect.
pub(super) const FOREIGN: [&str; 10] = [
    "###:",
    "*🔧 Executed ",
    "*❌ ",
    "<tool>",
    "</tool>",
    "<validation>",
    "🔧 **Tool Call:** `",
    "✅ **`",
    "<tool_call>",
    "<tool_response>",
];

impl Row {
    /// Its opener.
    pub const fn opener(&self) -> &'static str {
        match self.head.first() {
            Some(Piece::Text(opener) | Piece::Named(opener)) => opener,
            _ => "",
        }
    }

    /// All its openers.
    pub fn openers(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.opener()).chain(self.or.iter().copied())
    }

    /// The text after the opener that `line` begins with.
    pub fn behind_opener<'a>(&self, line: &'a str) -> Option<&'a str> {
        self.openers().find_map(|opener| line.strip_prefix(opener))
    }

    /// True if `behind`, the text of a paragraph after the opener, continues the first line and
    /// what must follow it.
    pub fn accepts(&self, behind: &str) -> bool {
        let (line, below) = split_line(behind);
        self.heads(line).is_some()
            && self.items.is_none_or(|item| item.begins_item(below))
            && (!self.is_broken || line.ends_with("  "))
            && (!self.is_alone || below.trim().is_empty())
            && (self.second.is_empty() || begins_with(below, self.second))
            && (self.last.is_empty() || self.values(line).is_some_and(|head| self.goes_on(&head, below)))
            && self.has_end(behind, below)
    }

    /// True if the input in its first line goes on in `below`.
    fn goes_on(&self, head: &Head<'_>, below: &str) -> bool {
        if self.is_quoted() { head.leaves_quote_open() } else { self.last_line(below, "").is_some() }
    }

    /// True if an input with several lines is in quotes.
    pub fn is_quoted(&self) -> bool {
        matches!(self.last, [[Piece::Command, ..], ..])
    }

    /// True if `behind`, with the lines `below` the first line, meets the conditions of its end.
    fn has_end(&self, behind: &str, below: &str) -> bool {
        let own = || behind.get(..self.len_in(behind)).or_never();
        match self.end {
            End::Paragraph { labels, .. } => {
                let own = own();
                (labels.is_empty() || begins_with(below, labels))
                    && (self.input != Place::Wrapped || wrapped(own).is_some())
                    && !FOREIGN.iter().any(|it| own.contains(it))
            }
            End::Object(labels) => begins_with(below, labels) && own().ends_with('}'),
            End::Line | End::Parts(_) | End::Closer { .. } => true,
        }
    }

    /// True if one of several calls begins `text`: its first line, and a label below. It ends where
    /// the next begins.
    pub fn begins_item(&self, text: &str) -> bool {
        let (line, below) = split_line(text);
        self.behind_opener(line).is_some_and(|behind| self.heads(behind).is_some())
            && begins_with(below, self.labels())
    }

    /// The id in the text `below` the first line, and the text below its own line.
    pub fn id_below<'a>(&self, below: &'a str) -> Option<(&'a str, &'a str)> {
        let (before, behind) = self.id?;
        let (line, rest) = split_line(below.trim_start());
        let id = line.strip_prefix(before)?.trim_end().strip_suffix(behind)?;
        is_id(id).then_some((id, rest))
    }

    /// The values of each form in the first line; `behind` is its text after the opener.
    pub fn heads<'a>(&self, behind: &'a str) -> Option<Vec<Head<'a>>> {
        let Some((between, end)) = self.list else { return Some(vec![self.values(behind)?]) };
        behind.trim_end().strip_suffix(end)?.split(between).map(|item| self.values(item)).collect()
    }

    /// The values in the last line of an input with several lines, which ends with `quote`, and the
    /// text below that line.
    pub fn last_line<'a>(&self, below: &'a str, quote: &str) -> Option<(Head<'a>, &'a str)> {
        let closes = |head: &Head<'_>| head.input.is_some_and(|input| input.ends_with(quote));
        let mut rest = below;
        while !rest.is_empty() {
            let (line, below) = split_line(rest);
            let mut forms = self.last.iter().filter_map(|pieces| self.values_of(pieces, line));
            if let Some(values) = forms.find(closes) {
                return Some((values, below));
            }
            rest = below;
        }
        None
    }

    /// The values in the first line; `behind` is its text after the opener.
    fn values<'a>(&self, behind: &'a str) -> Option<Head<'a>> {
        self.values_of(self.head.get(1..).or_never(), behind)
    }

    /// The values of `pieces` in a line.
    fn values_of<'a>(&self, mut pieces: &[Piece], line: &'a str) -> Option<Head<'a>> {
        let mut head = Head { text: line, ..Head::default() };
        let mut rest = line.trim_end();
        while let Some((piece, behind)) = pieces.split_first() {
            pieces = behind;
            let value = match (piece, pieces.first()) {
                (Piece::Text(text), _) => {
                    rest = rest.strip_prefix(text)?;
                    continue;
                }
                (Piece::Named(name), _) => {
                    let (name, behind) = rest.strip_prefix(name).map(|behind| (name.len(), behind))?;
                    head.name = rest.get(..name);
                    rest = behind;
                    continue;
                }
                (_, None) => std::mem::take(&mut rest),
                (_, Some(Piece::Text(text))) => {
                    // Some programs align names.
                    rest = if matches!(piece, Piece::Name) { rest.trim_start() } else { rest };
                    let is_longest = pieces.len() == 1 || matches!(piece, Piece::Command);
                    let at = if is_longest { rest.rfind(text)? } else { rest.find(text)? };
                    let (value, behind) = rest.split_at(at);
                    rest = behind;
                    value
                }
                (_, Some(_)) => return None,
            };
            head.take(*piece, value)?;
        }
        let is_status = |status| self.done.contains(&status) || self.failed.contains(&status);
        let is_known = self.done.is_empty() || head.status.is_none_or(is_status);
        (rest.is_empty() && is_known).then_some(head)
    }

    /// Its labels.
    pub fn labels(&self) -> &'static [&'static str] {
        match self.end {
            End::Parts(PartLabels { labels, .. }) | End::Paragraph { labels, .. } | End::Object(labels) => {
                labels
            }
            End::Line | End::Closer { .. } => &[],
        }
    }

    /// The languages of its fenced code blocks that are labels.
    pub fn fences(&self) -> &'static [&'static str] {
        match self.end {
            End::Parts(PartLabels { fences, .. }) => fences,
            _ => &[],
        }
    }

    /// The length of the form after its opener in `rest`, the rest of its paragraph.
    pub fn len_in(&self, rest: &str) -> usize {
        let (line, _) = split_line(rest);
        let (stops, labels) = match self.end {
            End::Paragraph { stops, labels } => (stops, labels),
            End::Object(labels) => (&[][..], labels),
            End::Line | End::Parts(_) | End::Closer { .. } => return line.trim_end().len(),
        };
        let is_object = matches!(self.end, End::Object(_));
        let mut end = line.len();
        while let Some(next) = rest.get(end..).filter(|rest| !rest.is_empty()) {
            let gap = next.len() - next.strip_prefix("\r\n").unwrap_or(next.get(1..).or_never()).len();
            let (line, _) = split_line(next.get(gap..).or_never());
            let is_label = begins_with(line, labels);
            // In raw HTML, the end of the element around it.
            let ends_element = line.starts_with("</details>");
            let is_next =
                ends_element || begins_with(line, stops) || is_object && self.behind_opener(line).is_some();
            if is_next && !is_label {
                break;
            }
            end += gap + line.len();
            if is_object && (line.starts_with('}') || is_label && !line.ends_with('{')) {
                break;
            }
        }
        let own = rest.get(..end).or_never().trim_end();
        // A result may stand in the line in which its call ends.
        let result = own.find(")  ⎿").filter(|_| self.input == Place::Wrapped);
        result.map_or(own.len(), |at| at + 1)
    }
}

impl<'a> Head<'a> {
    /// True if the input begins with a quote that is still open at its end.
    fn leaves_quote_open(&self) -> bool {
        let input = self.input.unwrap_or_default();
        input.starts_with(['"', '\'']) && (input.len() == 1 || !input.ends_with(input.get(..1).or_never()))
    }

    /// Stores `value` for a piece; returns `None` if it is not valid for it.
    fn take(&mut self, piece: Piece, value: &'a str) -> Option<()> {
        match piece {
            Piece::Text(_) | Piece::Named(_) => return None,
            Piece::Name => {
                let name = value.trim_start_matches([' ', '*', '`', '[', '"']);
                let name = name.trim_end_matches(['*', '`', ']', '"']);
                self.name = Some(name).filter(|name| is_name(name)).map(Some)?;
            }
            Piece::Title => {
                self.name = Some(value.trim()).filter(|name| name.len() <= MOST_NAME).map(Some)?
            }
            Piece::Program => {
                let name = value.rsplit(['/', '\\']).next().unwrap_or(value).trim_end_matches('"');
                self.name = Some(name).filter(|name| is_name(name)).map(Some)?;
            }
            Piece::Id => self.id = Some(value).filter(|id| is_id(id)).map(Some)?,
            // A number may follow it.
            Piece::Status => self.status = value.trim().split(' ').next(),
            Piece::Input | Piece::Command => self.input = Some(value.trim()),
            Piece::Output => self.output = Some(value.strip_prefix("**").unwrap_or(value)),
            Piece::Number => {
                let digits = value.trim_end_matches("**");
                let digits = digits.strip_prefix(' ').unwrap_or(digits);
                return digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(());
            }
            Piece::Skip => {}
        }
        Some(())
    }
}

/// True if `line` begins with one of `starts`, after spaces, tabs and stars.
fn begins_with(line: &str, starts: &[&str]) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let bare = line.trim_start_matches('*');
    starts.iter().any(|start| line.starts_with(start) || bare.starts_with(start))
}
