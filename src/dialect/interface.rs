//! The interface of a dialect.

use crate::call::pairing::Pairing;

use super::draft::{Draft, Start};
use crate::call::{Call, CallSink, StreamProtocol, ToolUse, UseOutcome};
use crate::config::Settings;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::syntax::{Colours, InlineRule};
use crate::text::Span;

/// A syntax for tool uses in text.
pub struct Dialect {
    /// Its name, in output and in fallback ids.
    pub name: &'static str,
    /// Its form in Markdown, for tables in the documentation.
    pub form: &'static str,
    /// Accepts a fenced code block by the first word of its info string, the language, and the rest
    /// of the info string; `None` if the dialect reads no fences.
    pub fence: Option<fn(&str, &str, &Settings) -> bool>,
    /// The languages of its fences, for completion.
    pub languages: fn(&Settings) -> Vec<String>,
    /// The rules for its blocks in running text.
    pub inline: &'static [InlineRule],
    /// The treatment of the colours of a terminal in the text of a block of the inline rule.
    pub colours: fn(usize) -> Colours,
    /// True if it reads the lines of stream logs.
    pub lines: bool,
    /// The strategy for pairing its results with calls.
    pub pairing: Pairing,
    /// The other dialect whose results may belong to its calls, if both pair by position.
    pub results_of: Option<&'static str>,
    /// True for forms that only other programs write: nothing counts as missing in their tool uses.
    pub is_of_other_programs: bool,
    /// The code that reports each of its tool uses, if newer forms replaced it.
    pub outdated: Option<Code>,
    /// The edits of the block's content, whose line ends are `\n`, that add a result to a call, or
    /// write it over the result in the same block; empty if the dialect cannot express it.
    pub complete: fn(&Call<'_>, &UseOutcome) -> Vec<(Span, String)>,
    /// Rewrites outdated tool uses as `<tool>` blocks; `None` unless newer forms replaced the
    /// dialect.
    pub unify: Option<Unify>,
    /// The openers of its blocks in running text, for completion.
    pub starts: &'static [Start],
    /// The construct that is being typed at a byte of a block's text; the last argument is the line
    /// of a log before the block, or its beginning.
    pub draft: fn(&BlockSource<'_>, usize, &str) -> Option<Draft>,
    /// Writes the name of a tool in the dialect's text, for dialects without JSON.
    pub write_name: fn(&str) -> String,
    /// Writes tool uses in this dialect; `None` if newer forms replaced it.
    pub writer: Option<DialectWriter>,
    /// Parses one block and passes each part of a tool use in it to the sink, in order.
    pub read: fn(&BlockSource<'_>, &mut dyn CallSink) -> ReadOutcome,
}

/// The writer of a dialect.
pub struct DialectWriter {
    /// The written form, for people: "a `tool` fence".
    pub description: &'static str,
    /// Writes a tool use as blocks of its own, as lines that end in `\n` except the last; `None` if
    /// the dialect cannot express it.
    pub write: fn(&ToolUse, &Settings) -> Option<String>,
}

impl Dialect {
    /// A dialect without a name that reads nothing: the base of the others.
    pub(super) const BASE: Self = Self {
        name: "",
        form: "",
        fence: None,
        languages: |_| Vec::new(),
        inline: &[],
        colours: |_| Colours::Kept,
        lines: false,
        pairing: Pairing::SelfContained,
        results_of: None,
        is_of_other_programs: false,
        outdated: None,
        complete: |_, _| Vec::new(),
        unify: None,
        starts: &[],
        draft: |_, _, _| None,
        write_name: str::to_owned,
        writer: None,
        read: |_, _| ReadOutcome::Done,
    };
}

/// Divides a text of `len` bytes among the calls that begin at `starts`. A single call gets `None`:
/// its span is the whole text.
pub fn shared_spans(starts: impl Iterator<Item = usize>, len: usize) -> Vec<Option<Span>> {
    let bounds: Vec<_> = [0].into_iter().chain(starts.skip(1)).chain([len]).collect();
    bounds.windows(2).map(|it| (bounds.len() > 2).then(|| Span::new(it[0], it[1]))).collect()
}

/// The diagnostic of `text`, an element that begins like a call and has no end.
pub fn unclosed_element(text: &str) -> CallDiagnostic {
    let name = text.trim_start_matches('<').split([' ', '=', '>']).next().unwrap_or_default();
    let message = format!("this call is read as text, because its element never ends: add `</{name}>`");
    let end = Span::empty(text.trim_end().len());
    let fix = Fix::replace(format!("Insert `</{name}>`"), end, format!("\n</{name}>"));
    CallDiagnostic::at_opening(Code::LeakedMarkup, message, AtDocumentEnd::Suppressed).fix(fix)
}

/// Returns the `<tool>` block equivalent to an outdated call and its result, given as written;
/// either may be absent.
pub type Unify = fn(Option<&str>, Option<&str>) -> Option<String>;

/// One block to be parsed by its dialect.
#[derive(Clone, Copy)]
pub struct BlockSource<'a> {
    /// The content of a fence, the text of an inline block with its opener, a record of a stream
    /// log, or an object of a message log.
    pub text: &'a str,
    /// Of a fence: the first word of its info string.
    pub language: Option<&'a str>,
    /// The index of the dialect's inline rule that matched; for an object of a message log, of its
    /// form in the settings' table; otherwise 0.
    pub rule: usize,
    /// True if the block is closed.
    pub closed: bool,
    /// Of a fence: its closing line.
    pub closer: &'a str,
    /// True if the block's text continues; the rest was omitted because most dialects do not need
    /// it.
    pub cut: bool,
    /// The settings of the document, with the tools that an object around its calls lists.
    pub settings: &'a Settings,
    /// For stream logs: the protocol of the log, if known.
    pub protocol: Option<StreamProtocol>,
}

impl<'a> BlockSource<'a> {
    /// The text of a closed block, by the first rule of its dialect.
    pub fn new(text: &'a str, settings: &'a Settings) -> Self {
        let (language, closer) = (None, "");
        Self { text, language, rule: 0, closed: true, closer, cut: false, settings, protocol: None }
    }

    /// The span of `piece`, which must be a slice of [`BlockSource::text`].
    pub fn span_of(&self, piece: &str) -> Span {
        let start = (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        Span::new(start, start + piece.len())
    }
}

/// The outcome of parsing a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The block was parsed.
    Done,
    /// The text was cut too short to parse the block; nothing was passed to the sink.
    MoreText,
}
