//! The user's choice of the tool calls to convert.

use tower_lsp::jsonrpc::Error;

use crate::features::conversion::ConversionScope;
use crate::features::refactorings::conversion_scopes;
use crate::lsp::conversions::command_arguments::{CommandArgument, ScopeName};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;

/// Longer than the items, because Helix makes its menu as wide as the message and cuts longer
/// items.
const QUESTION: &str = "Convert which tool calls of this document?";

/// `arguments` with the scope that the user chooses; `None` if the user cancels. There is no choice
/// if only one scope can be converted.
///
/// # Errors
///
/// `InvalidParams` without a position, `RequestFailed` if nothing there can be converted.
pub(super) fn with_scope(
    arguments: CommandArgument,
    snapshot: &Snapshot,
) -> Result<Option<CommandArgument>, Error> {
    let scopes = conversion_scopes(&snapshot.document, arguments.offset(snapshot)?);
    let choices: Vec<(ScopeName, String)> =
        scopes.iter().map(|(scope, count)| choice(*scope, *count)).collect();
    let chosen = match choices.as_slice() {
        [] => return Err(failed("no tool call here can be converted")),
        [(only, _)] => Some(*only),
        choices => choose(choices, snapshot),
    };
    Ok(chosen.map(|scope| CommandArgument { scope: Some(scope), ..arguments }))
}

fn choice(scope: ConversionScope, count: usize) -> (ScopeName, String) {
    match scope {
        ConversionScope::Call(_) => (ScopeName::Call, "this tool call".to_owned()),
        ConversionScope::Batch(_) => (ScopeName::Batch, format!("the {count} tool calls of this batch")),
        ConversionScope::Document => {
            (ScopeName::Document, format!("all {count} tool calls of this document"))
        }
    }
}

fn choose(choices: &[(ScopeName, String)], snapshot: &Snapshot) -> Option<ScopeName> {
    snapshot.peer.choose(QUESTION, choices, |(_, words)| words).map(|(scope, _)| *scope)
}
