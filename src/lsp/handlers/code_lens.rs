//! `textDocument/codeLens`.

use lsp_types::{CodeLens, Range};

use crate::features::code_lens::{LensAction, MOST, code_lenses};
#[cfg(feature = "run")]
use crate::run::offers::{self, OfferedCalls, RunOffer};

use crate::lsp::conversions::command_arguments;
#[cfg(feature = "run")]
use crate::lsp::conversions::command_arguments::RUN;
use crate::lsp::conversions::command_arguments::{
    CONVERT, CommandArgument, SHOW_BATCH, ScopeName, lsp_command,
};
use crate::lsp::conversions::locations::DocumentParams;
#[cfg(feature = "run")]
use crate::lsp::handlers::execute_command::run::has_preset_folder;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;

/// Handles `textDocument/codeLens`.
pub fn code_lens(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let of_document = code_lenses(&request.document).into_iter().map(|lens| {
        let (command, argument) = command_of(&lens.action, lens.offset, request);
        (lens.offset, lens.title, command, argument)
    });
    let mut lenses = run_lenses(request);
    lenses.extend(of_document);
    lenses.sort_by_key(|(offset, ..)| *offset);
    lenses.truncate(MOST);
    let lenses = lenses.into_iter().map(|(offset, title, command, argument)| {
        let position = request.position(offset);
        let command = Some(lsp_command(title, command, &argument));
        CodeLens { range: Range { start: position, end: position }, command, data: None }
    });
    request.respond(lenses.collect::<Vec<_>>())
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
        // The text may have moved by the time of the click: the calls are identified by their
        // content.
        let argument = CommandArgument::at(snapshot, offer.offset);
        let argument = CommandArgument { version: None, scope, calls: Some(calls), ..argument };
        (offer.offset, title, RUN, argument)
    };
    let has_folder = has_preset_folder(snapshot);
    offers::run_lenses(&snapshot.document, has_folder).into_iter().map(lens).collect()
}

#[cfg(not(feature = "run"))]
fn run_lenses(_: &Snapshot) -> Vec<WireLens> {
    Vec::new()
}

fn command_of(action: &LensAction, at: usize, snapshot: &Snapshot) -> (&'static str, CommandArgument) {
    let (command, argument) = match action {
        LensAction::ShowBatch => (SHOW_BATCH, CommandArgument::at(snapshot, at)),
        LensAction::ConvertBatch => {
            let argument = CommandArgument::at(snapshot, at);
            (CONVERT, CommandArgument { scope: Some(ScopeName::Batch), ..argument })
        }
        LensAction::Do(what) => command_arguments::write(what, snapshot),
    };
    // Editors request lenses a little after each change.
    (command, CommandArgument { version: None, ..argument })
}
