//! `textDocument/signatureHelp`: the parameters of the tool at a position.

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::text::saturate;
use lsp_types::{ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};

use crate::features::signature_help::{ToolSignature, signature_help as signature_at};
use crate::text::position::units_of_label;

use crate::lsp::conversions::locations::PositionParams;
use crate::lsp::conversions::markup::documentation;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// Handles `textDocument/signatureHelp`.
pub fn signature_help(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    let found = signature_at(&request.document, request.byte(params.position));
    let help = found.as_ref().map(|signature| lsp_help(signature, &request.client));
    request.respond(help)
}

fn lsp_help(signature: &ToolSignature, client: &SessionCapabilities) -> SignatureHelp {
    let units = |at: usize| units_of_label(signature.label.get(..at).unwrap_or_default());
    let offset = |at: usize| saturate(units(at));
    let parameters = signature.parameters.iter().map(|(range, page)| ParameterInformation {
        label: match client.label_offsets {
            true => ParameterLabel::LabelOffsets([offset(range.start), offset(range.end)]),
            false => {
                ParameterLabel::Simple(signature.label.get(range.clone()).unwrap_or_default().to_owned())
            }
        },
        documentation: documentation(page, client.signature_markdown),
    });
    let information = SignatureInformation {
        label: signature.label.clone(),
        documentation: documentation(&signature.description, client.signature_markdown),
        parameters: Some(parameters.collect()),
        active_parameter: None,
    };
    SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: signature.active.and_then(|active| u32::try_from(active).ok()),
    }
}
