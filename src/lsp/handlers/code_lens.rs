//! `textDocument/codeLens`.

use lsp_types::{Position, Range, Url};
use serde::Serialize;

use crate::features::code_lens::{LensAction, code_lenses};
use crate::text::position::byte_to_client_position;

use crate::lsp::conversions::command_arguments;
use crate::lsp::conversions::command_arguments::{CONVERT, CommandArgument, SHOW_BATCH, ScopeName};
use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::snapshot::{RequestWork, Snapshot};
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

#[derive(Serialize)]
struct WireLens {
    range: Range,
    command: WireCommand,
}

/// LSP 3.17, `WireCommand`.
#[derive(Serialize)]
pub struct WireCommand {
    /// What it does, for people.
    pub title: String,
    /// Its name.
    pub command: &'static str,
    /// What it does it with.
    pub arguments: Vec<CommandArgument>,
}

/// The work of `textDocument/codeLens`.
pub fn code_lens(params: DocumentParams) -> (Url, RequestWork) {
    let work: RequestWork = Box::new(|snapshot, pending| {
        let lenses = code_lenses(&snapshot.document).into_iter().filter_map(|lens| {
            let position =
                byte_to_client_position(snapshot.document.text(), lens.offset, snapshot.client.encoding);
            let position = Position { line: position.line, character: position.column };
            let (command, arguments) = command_of(&lens.action, lens.offset, snapshot)?;
            let command = WireCommand { title: lens.title, command, arguments: vec![arguments] };
            Some(WireLens { range: Range { start: position, end: position }, command })
        });
        Frame::of(&Answer::new(&pending.id, lenses.collect::<Vec<_>>()))
    });
    (params.uri(), work)
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
    // Lenses are asked for again after changes, and a little late.
    Some((command, CommandArgument { version: None, ..arguments }))
}
