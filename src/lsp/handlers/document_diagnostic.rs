//! `textDocument/diagnostic`: the set of an open document, for clients that ask; and the requests to ask again, for all that
//! settings change.
//!
//! A client that asks is never pushed the set of an open document. The sets of files that settings come from are pushed
//! to every client while such a file is not open, and are in no answer then.

use lsp_types::{TextDocumentIdentifier, Url};
use serde::Deserialize;

use crate::lsp::conversions::diagnostic_reports::DiagnosticReport;
use crate::lsp::conversions::to_proto::WireDiagnosticArray;
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// The params of `textDocument/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDiagnosticParams {
    text_document: TextDocumentIdentifier,
    previous_result_id: Option<String>,
}

/// The work of `textDocument/diagnostic`.
pub fn document_diagnostic(params: DocumentDiagnosticParams) -> (Url, RequestWork) {
    let DocumentDiagnosticParams { text_document, previous_result_id } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let document = pending.is_wanted().then_some(&snapshot.document);
        let problems = document.map(|it| it.diagnostics()).unwrap_or_default();
        let parts = crate::lsp::conversions::to_proto::parts(document, &problems, snapshot.file.as_deref());
        let report = DiagnosticReport::new(
            &WireDiagnosticArray { parts, view: snapshot.view() },
            Some(snapshot.state),
        )?;
        Frame::of(&Answer::new(&pending.id, report.since(previous_result_id.as_deref())))
    });
    (text_document.uri, work)
}
