//! Diagnostics on the wire: sets, which are limited and written directly, and reports on them for
//! clients that pull, each with an id.
//!
//! A set is sent again after every change, and clients need milliseconds for each thousand. The
//! last diagnostic of a text counts the omitted ones; `chatls check` prints all.
//!
//! An id is a hash of the content, and for an open document also the state of its text and
//! settings. `textDocument/diagnostic` is answered with `unchanged` only if both are equal: editors
//! drop the marks in replaced text, and draw them again only from a full report.

use std::borrow::Cow;
use std::ops::Range;

use lsp_types::Url;
use lsp_types::notification::{Notification as _, PublishDiagnostics as Publish};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use crate::call::fixed_hash;
use crate::diagnostic::{Diagnostic, DiagnosticTag, RelatedTarget, Severity, SeverityCounts};
use crate::document::Document;
use crate::lsp::client_capabilities::{DiagnosticCapabilities, SessionCapabilities};
use crate::lsp::conversions::locations::lsp_range;
use crate::lsp::wire::document_uri::file_path;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Notification;
use crate::lsp::wire::outbox::Ticket;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::ConfigFile;
use crate::text::Text;

/// Diagnostics of several texts as one LSP array, which is limited for each text.
pub struct WireDiagnosticArray<'a> {
    /// Each text with its diagnostics.
    pub parts: Vec<(&'a Text, Cow<'a, [Diagnostic]>)>,
    /// The view of the client.
    pub view: DiagnosticView<'a>,
}

impl<'a> WireDiagnosticArray<'a> {
    /// The diagnostics of `document`, and the diagnostics of `file` as a configuration file.
    pub fn of(
        document: Option<&'a Document>,
        file: Option<&'a ConfigFile>,
        view: DiagnosticView<'a>,
    ) -> Self {
        let document = document.map(|document| (document.text(), document.diagnostics().into()));
        let file = file.map(|file| (&file.text, file.problems.as_slice().into()));
        Self { parts: document.into_iter().chain(file).collect(), view }
    }
}

/// The context that diagnostics are rendered with.
#[derive(Clone, Copy)]
pub struct DiagnosticView<'a> {
    /// The capabilities of the client.
    pub client: &'a SessionCapabilities,
    /// The URI of the texts, as the client spells it.
    pub uri: &'a str,
    /// The pages that codes link to.
    pub pages: &'a Pages,
}

impl Serialize for WireDiagnosticArray<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.parts.iter().flat_map(|(text, problems)| {
            let LimitedDiagnostics { diagnostics, left_out } = LimitedDiagnostics::new(problems);
            let shown = diagnostics.into_iter().map(|problem| WireDiagnostic::new(text, problem, self.view));
            let left_out = left_out.map(|left_out| WireDiagnostic::of_left_out(text, &left_out, self.view));
            shown.chain(left_out)
        }))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireDiagnostic<'a> {
    range: lsp_types::Range,
    severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_description: Option<Value>,
    source: &'static str,
    message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<[u8; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_information: Vec<Value>,
}

impl<'a> WireDiagnostic<'a> {
    fn new(text: &Text, problem: &'a Diagnostic, view: DiagnosticView<'a>) -> Self {
        let takes = view.client.diagnostics;
        let range = |range: &Range<usize>| lsp_range(text, range, view.client.encoding);
        let related = |related: &RelatedTarget<Range<usize>>| {
            let location = json!({"uri": view.uri, "range": range(&related.place)});
            json!({"location": location, "message": related.message})
        };
        let page = takes.pages.then(|| view.pages.uri(problem.code)).flatten();
        Self {
            range: range(&problem.range),
            severity: severity(problem.severity),
            code: Some(problem.code.name()),
            code_description: page.map(|href| json!({"href": href})),
            source: "chatls",
            message: Cow::Borrowed(&problem.message),
            tags: problem.code.tag().and_then(|tag| tag_number(tag, takes)).map(|tag| [tag]),
            related_information: problem
                .related
                .iter()
                .filter(|_| takes.related_information)
                .map(related)
                .collect(),
        }
    }

    /// The diagnostic that counts the omitted ones. It has no code, so no setting disables it.
    fn of_left_out(text: &Text, left_out: &OmittedDiagnostics, view: DiagnosticView<'a>) -> Self {
        Self {
            range: lsp_range(text, &left_out.first_range, view.client.encoding),
            severity: severity(Severity::Information),
            code: None,
            code_description: None,
            source: "chatls",
            message: Cow::Owned(left_out.message(&file_name(view.uri))),
            tags: None,
            related_information: Vec::new(),
        }
    }
}

/// The file name of `uri`; empty if it is not a file.
fn file_name(uri: &str) -> String {
    let path = Url::parse(uri).ok().and_then(|uri| file_path(&uri));
    path.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())).unwrap_or_default()
}

/// LSP 3.17, `DiagnosticSeverity`.
fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Information => 3,
        Severity::Hint => 4,
    }
}

/// LSP 3.17, `DiagnosticTag`; `None` if the client does not support it.
fn tag_number(tag: DiagnosticTag, client: DiagnosticCapabilities) -> Option<u8> {
    match tag {
        DiagnosticTag::Unnecessary => client.unnecessary.then_some(1),
        DiagnosticTag::Deprecated => client.deprecated.then_some(2),
    }
}

/// The maximum number of diagnostics that are sent for a text, including the diagnostic that counts
/// the others. VS Code itself ignores all diagnostics beyond a thousand.
const MOST_DIAGNOSTICS: usize = 1000;

/// The sent diagnostics of a text, in order, and the omitted ones.
pub struct LimitedDiagnostics<'a> {
    /// The sent diagnostics.
    pub diagnostics: Vec<&'a Diagnostic>,
    /// The omitted diagnostics.
    pub left_out: Option<OmittedDiagnostics>,
}

/// The omitted diagnostics.
#[derive(Debug, PartialEq, Eq)]
pub struct OmittedDiagnostics {
    /// The range of the first one.
    pub first_range: Range<usize>,
    counts: SeverityCounts,
}

impl<'a> LimitedDiagnostics<'a> {
    /// The most severe diagnostics of `problems`; of equal severity, the first ones.
    pub fn new(problems: &'a [Diagnostic]) -> Self {
        Self::to(MOST_DIAGNOSTICS, problems)
    }

    fn to(most: usize, problems: &'a [Diagnostic]) -> Self {
        if problems.len() <= most {
            return Self { diagnostics: problems.iter().collect(), left_out: None };
        }
        let mut room = severity_quota(most - 1, problems);
        let mut counts = SeverityCounts::default();
        let mut first = None;
        let is_shown = |problem: &&Diagnostic| {
            if let left @ 1.. = room.of(problem.severity) {
                *left -= 1;
                return true;
            }
            first.get_or_insert_with(|| problem.range.clone());
            *counts.of(problem.severity) += 1;
            false
        };
        let shown = problems.iter().filter(is_shown).collect();
        Self { diagnostics: shown, left_out: first.map(|at| OmittedDiagnostics { first_range: at, counts }) }
    }
}

/// The number of diagnostics to send of each severity.
fn severity_quota(most: usize, problems: &[Diagnostic]) -> SeverityCounts {
    let mut room = SeverityCounts::default();
    for problem in problems {
        *room.of(problem.severity) += 1;
    }
    let mut left = most;
    for severity in Severity::ALL {
        let count = room.of(severity);
        *count = left.min(*count);
        left -= *count;
    }
    room
}

impl OmittedDiagnostics {
    /// The message of the diagnostic that counts them, with the name of the document's file, which
    /// may be empty.
    pub fn message(&self, name: &str) -> String {
        let (count, of_each) = (self.counts.total(), self.counts.words());
        let command = format!("chatls check {name}");
        format!(
            "{count} more diagnostics are not shown ({of_each}): editors get at most {MOST_DIAGNOSTICS} per document, the most severe first. `{}` prints all.",
            command.trim_end(),
        )
    }
}

/// The params of `textDocument/publishDiagnostics`.
#[derive(Serialize)]
struct PublishDiagnostics<'a> {
    uri: &'a str,
    /// Absent for files that the client has not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    diagnostics: WireDiagnosticArray<'a>,
}

/// The notification with `diagnostics`; `None` if they cannot be serialized, which is logged.
pub fn publish_frame(diagnostics: WireDiagnosticArray<'_>, version: Option<i32>) -> Option<Frame> {
    let params = PublishDiagnostics { uri: diagnostics.view.uri, version, diagnostics };
    let frame = Frame::of(&Notification::new(Publish::METHOD, params));
    frame.inspect_err(|error| tracing::error!(%error, "diagnostics cannot be serialized")).ok()
}

/// A report, ready to be sent.
#[derive(Debug)]
pub struct DiagnosticReport {
    /// Its id.
    id: String,
    /// Its diagnostics.
    items: Box<RawValue>,
}

/// The separator of the hash and the state in an id.
const DASH: char = '-';

impl DiagnosticReport {
    /// The report of `diagnostics`. `state` is the state of an open document.
    ///
    /// # Errors
    ///
    /// The errors of serialization.
    pub fn new(diagnostics: &WireDiagnosticArray<'_>, state: Option<Ticket>) -> serde_json::Result<Self> {
        let items = to_raw_value(diagnostics)?;
        let hash = fixed_hash(items.get());
        let hash = format!("{hash:016x}");
        let id = state.map_or_else(|| hash.clone(), |Ticket(state)| format!("{hash}{DASH}{state}"));
        Ok(Self { id, items })
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.items.get() == "[]"
    }

    /// The report for a client that has the report `previous` of this document.
    pub fn since(&self, previous: Option<&str>) -> ReportSince<'_> {
        let is_same = previous == Some(self.id.as_str());
        self.answer(is_same.then_some(&self.id))
    }

    /// The report for a client that has the report `previous`, for any text. It keeps that id, so
    /// that a request for the document alone distinguishes the states.
    pub fn since_any_text<'a>(&'a self, previous: Option<&'a str>) -> ReportSince<'a> {
        self.answer(previous.filter(|previous| hash_of(previous) == hash_of(&self.id)))
    }

    fn answer<'a>(&'a self, same: Option<&'a str>) -> ReportSince<'a> {
        ReportSince {
            kind: if same.is_some() { "unchanged" } else { "full" },
            result_id: same.unwrap_or(&self.id),
            items: same.is_none().then_some(&self.items),
        }
    }
}

fn hash_of(id: &str) -> &str {
    id.split(DASH).next().unwrap_or_default()
}

/// LSP 3.17, `FullDocumentDiagnosticReport` or `UnchangedDocumentDiagnosticReport`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportSince<'a> {
    kind: &'static str,
    result_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a RawValue>,
}

impl ReportSince<'_> {
    /// True if the client already has it.
    pub fn is_unchanged(&self) -> bool {
        self.items.is_none()
    }
}

/// A report on one of many documents.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceReport<'a> {
    /// The document, as the client spells it.
    pub uri: &'a str,
    /// Its version; `null` for files that the client has not opened.
    pub version: Option<i32>,
    /// The report.
    #[serde(flatten)]
    pub since: ReportSince<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn problems(severities: &[Severity]) -> Vec<Diagnostic> {
        let problem = |(at, severity): (usize, &Severity)| {
            Diagnostic::new(Code::InvalidJson, *severity, at..at + 1, "")
        };
        severities.iter().enumerate().map(problem).collect()
    }

    #[track_caller]
    fn check(most: usize, severities: &[Severity], expected: &[usize], left_out: Option<(usize, &str)>) {
        let problems = problems(severities);
        let bounded = LimitedDiagnostics::to(most, &problems);
        let shown: Vec<_> = bounded.diagnostics.iter().map(|problem| problem.range.start).collect();
        assert_eq!(shown, expected);
        let message = bounded.left_out.map(|it| (it.first_range.start, it.message("a.md")));
        let expected = left_out.map(|(at, counts)| {
            let words = "editors get at most 1000 per document, the most severe first. `chatls check a.md` prints all.";
            (at, format!("{counts}: {words}"))
        });
        assert_eq!(message, expected);
    }

    #[test]
    fn the_most_severe_problems_are_shown_in_the_order_of_the_text() {
        use crate::diagnostic::Severity::{Error, Hint, Information, Warning};
        check(2, &[], &[], None);
        check(2, &[Hint, Error], &[0, 1], None);
        let left_out = "2 more diagnostics are not shown (1 error, 1 hint)";
        check(3, &[Error, Hint, Error, Error], &[0, 2], Some((1, left_out)));
        let left_out = "4 more diagnostics are not shown (1 information, 3 hints)";
        check(
            4,
            &[Hint, Hint, Information, Hint, Information, Warning, Error],
            &[2, 5, 6],
            Some((0, left_out)),
        );
        let left_out = "2 more diagnostics are not shown (2 warnings)";
        check(2, &[Warning, Warning, Warning], &[0], Some((1, left_out)));
    }
}
