//! `textDocument/codeLens`.

use lsp_types::request::{self, Request as _};
use lsp_types::{CodeLens, CodeLensOptions, Range, Url};

use crate::features::code_lens::{LensAction, MOST, code_lenses};
#[cfg(feature = "run")]
use crate::run::offers::{self, OfferedCalls, RunOffer};
use crate::text::position::byte_to_client_position;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
use crate::lsp::conversions::command_arguments;
#[cfg(feature = "run")]
use crate::lsp::conversions::command_arguments::RUN;
use crate::lsp::conversions::command_arguments::{
    CONVERT, CommandArgument, SHOW_BATCH, ScopeName, lsp_command,
};
use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::conversions::to_proto::client_position_to_lsp;
#[cfg(feature = "run")]
use crate::lsp::handlers::execute_command::run::has_preset_folder;
use crate::lsp::request::{HandlerResult, RequestHandler};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::pending::PendingRequest;

/// Handles `textDocument/codeLens`.
pub struct CodeLensHandler;

impl RequestHandler for CodeLensHandler {
    const METHOD: &'static str = request::CodeLensRequest::METHOD;
    type Params = DocumentParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.code_lens_provider = Some(CodeLensOptions { resolve_provider: Some(false) });
    }

    fn handle(_: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let of_document = code_lenses(&snapshot.document).into_iter().filter_map(|lens| {
            let (command, argument) = command_of(&lens.action, lens.offset, snapshot)?;
            Some((lens.offset, lens.title, command, argument))
        });
        let mut lenses = run_lenses(snapshot);
        lenses.extend(of_document);
        lenses.sort_by_key(|(offset, ..)| *offset);
        lenses.truncate(MOST);
        let lenses = lenses.into_iter().map(|(offset, title, command, argument)| {
            let position =
                byte_to_client_position(snapshot.document.text(), offset, snapshot.client.encoding);
            let position = client_position_to_lsp(position);
            let command = Some(lsp_command(title, command, &argument));
            CodeLens { range: Range { start: position, end: position }, command, data: None }
        });
        pending.response(lenses.collect::<Vec<_>>())
    }
}

/// A lens: its offset, its title, and its command.
type WireLens = (usize, String, &'static str, CommandArgument);

/// The lenses that run calls.
#[cfg(feature = "run")]
fn run_lenses(snapshot: &Snapshot) -> Vec<WireLens> {
    if !snapshot.client.runs() {
        return Vec::new();
    }
    let lens = |offer: RunOffer| {
        let (title, scope, calls) = match offer.calls {
            OfferedCalls::One(call) => ("Run".to_owned(), None, vec![call]),
            OfferedCalls::Batch(calls) => (format!("Run all {}", calls.len()), Some(ScopeName::Batch), calls),
        };
        let title = if offer.takes_outcomes { title } else { format!("{title} (result not written)") };
        // The text may have moved by the time of the click: the calls are found by what they say.
        let arguments = CommandArgument::at(snapshot, offer.offset)?;
        Some((
            offer.offset,
            title,
            RUN,
            CommandArgument { version: None, scope, calls: Some(calls), ..arguments },
        ))
    };
    let has_folder = has_preset_folder(snapshot);
    offers::run_lenses(&snapshot.document, has_folder).into_iter().filter_map(lens).collect()
}

#[cfg(not(feature = "run"))]
fn run_lenses(_: &Snapshot) -> Vec<WireLens> {
    Vec::new()
}

fn command_of(
    action: &LensAction,
    at: usize,
    snapshot: &Snapshot,
) -> Option<(&'static str, CommandArgument)> {
    let (command, arguments) = match action {
        LensAction::ShowBatch => (SHOW_BATCH, CommandArgument::at(snapshot, at)?),
        LensAction::ConvertBatch => {
            let arguments = CommandArgument::at(snapshot, at)?;
            (CONVERT, CommandArgument { scope: Some(ScopeName::Batch), ..arguments })
        }
        LensAction::Do(what) => command_arguments::write(what, snapshot)?,
    };
    // Editors request lenses a little after each change.
    Some((command, CommandArgument { version: None, ..arguments }))
}
