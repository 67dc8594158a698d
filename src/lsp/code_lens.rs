//! `textDocument/codeLens`.

use lsp_types::{Position, Range, Url};
use serde::Serialize;

use crate::features::code_lens::{Action, code_lenses};
use crate::text::position::byte_to_client_position;

use super::frames::Frame;
use super::message::Answer;
use super::places::Of;
use super::refactorings::{self, Arguments, CONVERT, SHOW_BATCH, ScopeName};
use super::requests::{Snapshot, Work};

#[derive(Serialize)]
struct WireLens {
    range: Range,
    command: Command,
}

/// LSP 3.17, `Command`.
#[derive(Serialize)]
pub struct Command {
    /// What it does, for people.
    pub title: String,
    /// Its name.
    pub command: &'static str,
    /// What it does it with.
    pub arguments: Vec<Arguments>,
}

/// The work of `textDocument/codeLens`.
pub fn code_lens(params: Of) -> (Url, Work) {
    let work: Work = Box::new(|snapshot, pending| {
        let lenses = code_lenses(&snapshot.document).into_iter().filter_map(|lens| {
            let position =
                byte_to_client_position(snapshot.document.text(), lens.at, snapshot.client.encoding);
            let position = Position { line: position.line, character: position.column };
            let (command, arguments) = command_of(&lens.action, lens.at, snapshot)?;
            let command = Command { title: lens.title, command, arguments: vec![arguments] };
            Some(WireLens { range: Range { start: position, end: position }, command })
        });
        Frame::of(&Answer::new(&pending.id, lenses.collect::<Vec<_>>()))
    });
    (params.uri(), work)
}

fn command_of(action: &Action, at: usize, snapshot: &Snapshot) -> Option<(&'static str, Arguments)> {
    let (command, arguments) = match action {
        Action::ShowBatch => (SHOW_BATCH, Arguments::at(snapshot, at)?),
        Action::ConvertBatch => {
            let arguments = Arguments::at(snapshot, at)?;
            (CONVERT, Arguments { scope: Some(ScopeName::Batch), ..arguments })
        }
        Action::Do(what) => refactorings::write(what, snapshot)?,
    };
    // Lenses are asked for again after changes, and a little late.
    Some((command, Arguments { version: None, ..arguments }))
}
