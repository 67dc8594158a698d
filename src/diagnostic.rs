//! Diagnostics: codes, severities, positions and fixes.
//!
//! The table at the end is the source of the codes' names, default severities and summaries.

use std::ops::Range;

use crate::never::OrNever;
use crate::prose::counted;
use crate::text::Span;

pub mod directive;

/// The severities of diagnostics, as in LSP. `off` exists only in configuration, as `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A fact that authors may act on later.
    Hint,
    /// Worth knowing.
    Information,
    /// Some readers misinterpret this.
    Warning,
    /// Readers reject or lose this.
    Error,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Information, Self::Hint];

    /// Its name in configuration and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

/// Numbers of diagnostics, by severity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeverityCounts([usize; Severity::ALL.len()]);

impl SeverityCounts {
    /// The number of diagnostics of `severity`.
    pub fn of(&mut self, severity: Severity) -> &mut usize {
        &mut self.0[severity as usize]
    }

    /// True if there is a diagnostic at or above `severity`.
    pub fn has(&self, severity: Severity) -> bool {
        self.0[severity as usize..].iter().any(|count| *count > 0)
    }

    /// The number of all diagnostics.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// In words, such as `3 errors, 1 hint`; empty if there are no diagnostics.
    pub fn words(&self) -> String {
        let found = Severity::ALL.map(|severity| (self.0[severity as usize], severity));
        let words = found.into_iter().filter(|(count, _)| *count > 0).map(|found| match found {
            (count, Severity::Information) => format!("{count} information"),
            (count, severity) => counted(count, severity.name()),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The rendering of a diagnostic's text in editors, as in LSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticTag {
    /// Redundant; editors render it faded.
    Unnecessary,
    /// Deprecated; editors render it struck through.
    Deprecated,
}

macro_rules! codes {
    (@severity Off) => { None };
    (@severity $severity:ident) => { Some(Severity::$severity) };
    ($($variant:ident $name:literal $severity:ident $summary:literal)*) => {
        /// The kinds of diagnostics, in the order of the documentation's table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the documentation's table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its name in clients, configuration, and the names of pages.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The default severity; `None` is `off`.
            pub fn default_severity(self) -> Option<Severity> {
                match self { $(Self::$variant => codes!(@severity $severity),)* }
            }

            /// Its page of the documentation, as Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../docs/rules/", $name, ".md")),)* }
            }

            /// A one-sentence summary.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)* }
            }
        }
    };
}

impl Code {
    /// The reason for the code: the first paragraph of that section of its page.
    pub fn why(self) -> &'static str {
        let (_, why) = self.page().split_once("## Why it matters\n\n").or_never();
        why.split("\n\n").next().unwrap_or_default().trim_end()
    }

    /// True if it reports deprecated syntax.
    pub fn is_deprecation(self) -> bool {
        self.tag() == Some(DiagnosticTag::Deprecated)
    }

    /// Its tag, besides its severity.
    pub fn tag(self) -> Option<DiagnosticTag> {
        match self {
            Self::LegacyValidation | Self::LegacyMarkdown => Some(DiagnosticTag::Deprecated),
            Self::UnusedSuppression => Some(DiagnosticTag::Unnecessary),
            _ => None,
        }
    }

    /// The code with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

/// The position of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticTarget {
    /// The opening of the block: a fence's first line, a marker's `###:`, an opening tag.
    Opening,
    /// Bytes of the block's content.
    Span(Span),
}

/// The effect on a diagnostic of an unfinished construct if nothing follows it: transcripts grow
/// while a model writes, and an unfinished last block is normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtDocumentEnd {
    /// No effect.
    #[default]
    AsAnywhere,
    /// It becomes information.
    Information,
    /// It is not reported.
    Suppressed,
}

/// A diagnostic of one block, relative to the block's content, from a rule or dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallDiagnostic {
    /// Its code.
    pub code: Code,
    /// Its position.
    pub target: DiagnosticTarget,
    /// The message for users: the error and its remedy.
    pub message: String,
    /// Its behavior at the document's end.
    pub at_end: AtDocumentEnd,
    /// Related positions.
    pub related: Vec<RelatedTarget>,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
}

/// A position related to a diagnostic, in coordinates `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedTarget<S = Span> {
    /// The position.
    pub place: S,
    /// The text shown there.
    pub message: String,
}

/// A fix of a diagnostic, in coordinates `S`. Fixes are not stored with diagnostics; the block is
/// parsed again when they are requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix<S = Span> {
    /// Its title in the imperative: "Remove the comma".
    pub title: String,
    /// The replaced spans, which do not overlap, with their new texts.
    pub edits: Vec<(S, String)>,
    /// True if nearly every author wants it: editors apply it with one key.
    pub is_preferred: bool,
    /// True if it can be applied without review: it keeps all content and only corrects commas,
    /// quotes, escapes and the like. A fix is not safe if it drops text (a comment, a member),
    /// chooses a meaning (a state, a name) or guesses the end of a construct.
    pub is_safe: bool,
    /// The name that it gives to the tool of a call, and so to the other parts of the tool use.
    pub tool_name: Option<String>,
}

impl<S> Fix<S> {
    /// Creates a fix with `edits`.
    pub fn new(title: impl Into<String>, edits: Vec<(S, String)>) -> Self {
        Self { title: title.into(), edits, is_preferred: false, is_safe: false, tool_name: None }
    }

    /// Creates a fix that replaces `span` by `text`.
    pub fn replace(title: impl Into<String>, span: S, text: impl Into<String>) -> Self {
        Self::new(title, vec![(span, text.into())])
    }

    /// The same fix with `edits`, in other coordinates.
    pub fn with_edits<T>(self, edits: Vec<(T, String)>) -> Fix<T> {
        let Self { title, is_preferred, is_safe, tool_name, .. } = self;
        Fix { title, edits, is_preferred, is_safe, tool_name }
    }

    /// Marks the fix as preferred.
    pub fn preferred(self) -> Self {
        Self { is_preferred: true, ..self }
    }

    /// Marks it as a fix that gives the name `name` to the tool of a call.
    pub fn naming(self, name: &str) -> Self {
        Self { tool_name: Some(name.to_owned()), ..self }
    }

    /// Marks the fix as safe.
    pub fn safe(self) -> Self {
        Self { is_safe: true, ..self }
    }
}

impl CallDiagnostic {
    /// Creates a diagnostic on `span` that is the same at the document's end.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::at(code, DiagnosticTarget::Span(span), message)
    }

    /// Creates a diagnostic on the block's opening.
    pub fn at_opening(code: Code, message: impl Into<String>, at_end: AtDocumentEnd) -> Self {
        Self { at_end, ..Self::at(code, DiagnosticTarget::Opening, message) }
    }

    fn at(code: Code, place: DiagnosticTarget, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            code,
            target: place,
            message,
            at_end: AtDocumentEnd::AsAnywhere,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Sets the behavior at the document's end.
    pub fn at_end(self, at_end: AtDocumentEnd) -> Self {
        Self { at_end, ..self }
    }

    /// Adds a related position.
    pub fn related(mut self, place: Span, message: impl Into<String>) -> Self {
        self.related.push(RelatedTarget { place, message: message.into() });
        self
    }

    /// Adds a fix.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Adds fixes.
    pub fn fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// A diagnostic as stored with its segment; edits elsewhere do not move it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentDiagnostic {
    /// Its code.
    pub code: Code,
    /// Its span, relative to the segment's start.
    pub span: Span,
    /// The message for users: the error and its remedy.
    pub message: Box<str>,
    /// Its behavior at the document's end.
    pub at_end: AtDocumentEnd,
    /// Related positions, relative to the segment's start.
    pub related: Box<[RelatedTarget]>,
}

impl SegmentDiagnostic {
    /// The same diagnostic at another position, with its spans mapped by `place`.
    pub fn moved(&self, place: impl Fn(Span) -> Span) -> Self {
        let related =
            |related: &RelatedTarget| RelatedTarget { place: place(related.place), ..related.clone() };
        Self { span: place(self.span), related: self.related.iter().map(related).collect(), ..self.clone() }
    }
}

/// A diagnostic of a document, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code.
    pub code: Code,
    /// Its configured severity.
    pub severity: Severity,
    /// Its range, in document offsets.
    pub range: Range<usize>,
    /// The message for users: the error and its remedy.
    pub message: String,
    /// Related positions, in document offsets.
    pub related: Vec<RelatedTarget<Range<usize>>>,
}

impl Diagnostic {
    /// Creates a diagnostic without related positions.
    pub fn new(code: Code, severity: Severity, range: Range<usize>, message: impl Into<String>) -> Self {
        Self { code, severity, range, message: message.into(), related: Vec::new() }
    }
}

codes! {
    InvalidJson "invalid-json" Error "The payload is not valid JSON."
    NotAnObject "not-an-object" Error "The payload is empty or not a JSON object."
    ExtraContent "extra-content" Error "There is text after the payload's object."
    TextArguments "text-arguments" Warning "The arguments of a call are text instead of a JSON object."
    DuplicateKey "duplicate-key" Warning "An object has a duplicate key."
    WrongType "wrong-type" Error "A field's value has the wrong type."
    BadState "bad-state" Error "The state is unknown."
    StateMismatch "state-mismatch" Warning "The state contradicts the other fields."
    MisnamedField "misnamed-field" Warning "A field has a name that readers of this dialect ignore."
    MissingName "missing-name" Error "A call does not name its tool."
    EmptyName "empty-name" Error "The tool's name is an empty string."
    EmptyId "empty-id" Error "The call's id is an empty string."
    PaddedId "padded-id" Warning "An id or a tool name has white space around it."
    UnknownTool "unknown-tool" Error "The tool is in no registry."
    InvalidInput "invalid-input" Error "An input or output does not match the tool's schema."
    UnknownParameter "unknown-parameter" Warning "A call has a parameter that its tool does not have."
    NotChecked "not-checked" Information "A check was skipped: it would take too long, or the form is not read."
    SearchReplace "search-replace" Error "A search-and-replace block has the wrong format."
    DuplicateId "duplicate-id" Error "Two calls have the same id."
    DuplicateResult "duplicate-result" Warning "A call has a second result."
    OrphanResult "orphan-result" Warning "A result has no call before it."
    MissingResult "missing-result" Error "A call of a message log has no result before the next message."
    BadRole "bad-role" Error "A message of a request has a role that servers reject."
    EmptyContent "empty-content" Error "A message of a request, or a text in it, is empty."
    RejectedName "rejected-name" Warning "A tool's name has other characters than servers accept, or too many."
    BrokenLine "broken-line" Error "A line of a message log is not one JSON object."
    LineSeparator "line-separator" Information "A character at which some readers split lines stands in a record."
    LostParent "lost-parent" Warning "The record before one of a session is missing."
    TrainingExample "training-example" Warning "A line of a training set is no example that a model can learn from."
    NameMismatch "name-mismatch" Warning "A call and its result name different tools."
    PendingCall "pending-call" Hint "A call has no result although the document continues."
    StreamOrder "stream-order" Error "The records of a tool use come in an order that readers reject."
    DeltaMismatch "delta-mismatch" Warning "The joined deltas of an input differ from the call's input."
    MixedProtocol "mixed-protocol" Warning "A log mixes two stream protocols."
    UnknownType "unknown-type" Hint "A record's type differs from a known one by one letter."
    UnclosedFence "unclosed-fence" Warning "A fenced block is never closed."
    UnclosedMarker "unclosed-marker" Warning "A marker's object is never closed."
    UnclosedTag "unclosed-tag" Warning "A tag is never closed."
    LeakedMarkup "leaked-markup" Warning "A call of another program is read as text."
    StrayTag "stray-tag" Warning "A closing tag closes nothing."
    UnescapedMarkup "unescaped-markup" Warning "A tag contains a `<` or a bare `&`."
    LegacyValidation "legacy-validation" Information "A result is in a `<validation>` tag, which was replaced by `<tool>` blocks."
    LegacyMarkdown "legacy-markdown" Information "A tool call is written as Markdown lines, which were replaced by `<tool>` blocks."
    EarlyClose "early-close" Warning "A string in a tool fence contains three backticks."
    LoneSurrogate "lone-surrogate" Information "An escape is half of a surrogate pair."
    FirstBrace "first-brace" Off "A marker's object contains a `}` before its end."
    Truncated "truncated" Hint "A result ends in a truncation note."
    Secret "secret" Warning "A call or its result seems to contain a live credential."
    Registry "registry" Error "A tool registry cannot be read."
    Config "config" Warning "The configuration has an unknown key or an invalid value."
    UnusedSuppression "unused-suppression" Warning "A suppression comment has no effect."
}
