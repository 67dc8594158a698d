//! Conversions between the core's data and LSP's: incoming edits, outgoing diagnostics and folds.
//!
//! Data that is sent in great numbers has a small borrowing twin here that is serialized directly.

use crate::document::Document;
use crate::lsp::conversions::locations::lsp_range;
use crate::lsp::wire::document_uri::file_path;
use crate::lsp::workspace::settings::ConfigFile;
use std::borrow::Cow;

use lsp_types::{
    Documentation, MarkupContent, MarkupKind, Position, Range, TextDocumentContentChangeEvent, Url,
};
use serde::{Serialize, Serializer};

use crate::diagnostic::{Diagnostic, DiagnosticTag, RelatedTarget, Severity};
use crate::prose::RichText;
use crate::text::{ClientPosition, ClientRange, Text, TextChange};

use crate::lsp::client_capabilities::{DiagnosticCapabilities, SessionCapabilities};
use crate::lsp::conversions::diagnostic_limit::{LimitedDiagnostics, OmittedDiagnostics};
use crate::lsp::workspace::pages::Pages;

/// The core's form of an LSP change.
pub fn lsp_change_to_edit(change: TextDocumentContentChangeEvent) -> TextChange {
    TextChange { range: change.range.map(lsp_range_to_client), text: change.text }
}

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
    range: Range,
    severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_description: Option<CodeDescription<'a>>,
    source: &'static str,
    message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<[u8; 1]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_information: Vec<RelatedInformation<'a>>,
}

#[derive(Serialize)]
struct CodeDescription<'a> {
    href: &'a str,
}

#[derive(Serialize)]
struct RelatedInformation<'a> {
    location: RelatedLocation<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct RelatedLocation<'a> {
    uri: &'a str,
    range: Range,
}

impl<'a> WireDiagnostic<'a> {
    fn new(text: &Text, problem: &'a Diagnostic, view: DiagnosticView<'a>) -> Self {
        let takes = view.client.diagnostics;
        let range = |range| lsp_range(text, range, view.client.encoding);
        let related = |related: &'a RelatedTarget<std::ops::Range<usize>>| RelatedInformation {
            location: RelatedLocation { uri: view.uri, range: range(&related.place) },
            message: &related.message,
        };
        let page = takes.pages.then(|| view.pages.uri(problem.code)).flatten();
        Self {
            range: range(&problem.range),
            severity: severity(problem.severity),
            code: Some(problem.code.name()),
            code_description: page.map(|href| CodeDescription { href }),
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

/// `prose` in the format that the client prefers.
pub fn markup(prose: &RichText, is_markdown: bool) -> MarkupContent {
    match is_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: prose.to_markdown() },
        false => MarkupContent { kind: MarkupKind::PlainText, value: prose.to_plain() },
    }
}

/// `prose` as documentation; `None` if it is empty.
pub fn documentation(prose: &RichText, is_markdown: bool) -> Option<Documentation> {
    (!prose.is_empty()).then(|| Documentation::MarkupContent(markup(prose, is_markdown)))
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

/// The core's form of an LSP position.
pub fn lsp_position_to_client(position: Position) -> ClientPosition {
    ClientPosition { line: position.line, column: position.character }
}

/// The wire's position for the core's.
pub fn client_position_to_lsp(position: ClientPosition) -> Position {
    Position { line: position.line, character: position.column }
}

/// The core's form of an LSP range.
pub fn lsp_range_to_client(range: Range) -> ClientRange {
    ClientRange { start: lsp_position_to_client(range.start), end: lsp_position_to_client(range.end) }
}

/// The LSP form of a range.
pub fn client_range_to_lsp(range: ClientRange) -> Range {
    Range { start: client_position_to_lsp(range.start), end: client_position_to_lsp(range.end) }
}
