//! `textDocument/signatureHelp`: the parameters of the tool at a place, in the client's own terms.

use crate::lsp::client_capabilities::SignatureHelpCapabilities;
use lsp_types::{SignatureHelpOptions, Url};
use serde::{Deserialize, Serialize};

use crate::features::signature_help::{RETRIGGERS, TRIGGERS, ToolSignature, signature_help as signature_at};
use crate::text::position::{client_position_to_byte, units_of_label};

use crate::lsp::conversions::to_proto::{Markup, lsp_position_to_client};
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// What the server says that it does.
pub fn provider() -> SignatureHelpOptions {
    SignatureHelpOptions {
        trigger_characters: Some(TRIGGERS.map(String::from).to_vec()),
        retrigger_characters: Some(RETRIGGERS.map(String::from).to_vec()),
        ..SignatureHelpOptions::default()
    }
}

/// The params of `textDocument/signatureHelp`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignatureHelpParams {
    text_document: lsp_types::TextDocumentIdentifier,
    position: lsp_types::Position,
}

/// LSP 3.17, `SignatureHelp`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireHelp<'a> {
    signatures: [WireSignature<'a>; 1],
    active_signature: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_parameter: Option<usize>,
}

#[derive(Serialize)]
struct WireSignature<'a> {
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<Markup>,
    parameters: Vec<WireParameter<'a>>,
}

#[derive(Serialize)]
struct WireParameter<'a> {
    label: ParameterLabel<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<Markup>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ParameterLabel<'a> {
    Place([usize; 2]),
    Words(&'a str),
}

/// The work of `textDocument/signatureHelp`.
pub fn signature_help(params: SignatureHelpParams) -> (Url, RequestWork) {
    let SignatureHelpParams { text_document, position } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let at = client_position_to_byte(text, lsp_position_to_client(position), encoding);
        let found = signature_at(&snapshot.document, at);
        let help = found.as_ref().map(|signature| wire_help(signature, snapshot.client.signatures));
        Frame::of(&Answer::new(&pending.id, help))
    });
    (text_document.uri, work)
}

fn wire_help(signature: &ToolSignature, client: SignatureHelpCapabilities) -> WireHelp<'_> {
    let parameters = signature.parameters.iter().map(|(range, page)| WireParameter {
        label: match client.offsets {
            true => ParameterLabel::Place(
                [range.start, range.end]
                    .map(|at| units_of_label(signature.label.get(..at).unwrap_or_default())),
            ),
            false => ParameterLabel::Words(signature.label.get(range.clone()).unwrap_or_default()),
        },
        documentation: Markup::of_some(page, client.markdown),
    });
    let signatures = [WireSignature {
        label: &signature.label,
        documentation: Markup::of_some(&signature.description, client.markdown),
        parameters: parameters.collect(),
    }];
    WireHelp { signatures, active_signature: 0, active_parameter: signature.active }
}
