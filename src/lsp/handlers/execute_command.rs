//! `workspace/executeCommand`: refactorings by name, for keys, menus and lenses.
//!
//! The edit is sent to the client to be applied; a client without support for that gets it as the
//! result. Losses of a conversion are shown first, and the user may cancel. A failed command
//! returns an error with the reason, which editors show.

#[cfg(feature = "run")]
pub mod run;
#[cfg(feature = "run")]
mod servers;

use std::ops::Range;

use lsp_types::{NumberOrString, Url};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode};

use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::features::conversion;
use crate::features::conversion::{ConversionError, ConversionScope, ScopeUses, Unedited, targets, words_of};
use crate::features::refactorings::{Extraction, Refactoring, conversion_scopes, possible_plans};

use crate::lsp::conversions::command_arguments;
use crate::lsp::conversions::command_arguments::{
    CANCEL_RUN, COMMANDS, CONTINUE, CONVERT, CONVERT_CONVERSATION, CommandArgument, PULL_TOOLS, REPAIR, RUN,
    RUN_AGAIN, RUN_COMMANDS, SERVERS, SHOW_BATCH, ScopeName,
};
use crate::lsp::conversions::edits::{WorkspaceEdit, with_new_file, workspace_edit};
use crate::lsp::handlers::{conversation, repair};
use crate::lsp::peer::ProgressReporter;
use crate::lsp::request::{ActiveRequest, HandlerResult, RequestNeeds};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::{file_path, last_segment};
use crate::lsp::wire::message::{self, failed};

/// The question for the scope of a conversion. Longer than the items, because Helix makes its menu
/// as wide as the message and cuts longer items.
const SCOPE_QUESTION: &str = "Convert which tool calls of this document?";

/// The maximum number in the name of a new file beside one document.
const MOST_LOGS: usize = 10_000;

/// The params of `workspace/executeCommand`, with the one argument that every command has.
#[derive(Deserialize)]
#[serde(try_from = "lsp_types::ExecuteCommandParams")]
pub struct ExecuteCommandParams {
    command: String,
    argument: CommandArgument,
    work_done_token: Option<NumberOrString>,
}

impl TryFrom<lsp_types::ExecuteCommandParams> for ExecuteCommandParams {
    type Error = String;

    fn try_from(params: lsp_types::ExecuteCommandParams) -> Result<Self, String> {
        let lsp_types::ExecuteCommandParams { command, arguments, work_done_progress_params } = params;
        if ![&COMMANDS[..], RUN_COMMANDS].concat().contains(&&*command) {
            return Err(format!("there is no command `{command}`"));
        }
        let first = arguments.into_iter().next().unwrap_or_default();
        let argument = serde_json::from_value(first).map_err(|error| error.to_string())?;
        Ok(Self { command, argument, work_done_token: work_done_progress_params.work_done_token })
    }
}

/// The data that the command in `params` needs besides its document.
pub fn needs(params: &Value) -> RequestNeeds {
    match params["command"].as_str().unwrap_or_default() {
        RUN | RUN_AGAIN | CONTINUE | PULL_TOOLS => RequestNeeds::Tools,
        CANCEL_RUN => RequestNeeds::Session,
        SERVERS => RequestNeeds::Document,
        _ => RequestNeeds::User,
    }
}

/// Handles `workspace/executeCommand`.
pub fn execute_command(params: ExecuteCommandParams, request: &ActiveRequest) -> HandlerResult {
    check_version(&params.argument, request)?;
    #[cfg(feature = "run")]
    if RUN_COMMANDS.contains(&&*params.command) {
        return request.respond(run::answer(&params, request)?);
    }
    let ExecuteCommandParams { command, argument, work_done_token } = params;
    let progress = ProgressReporter::new(&request.peer.outbox, work_done_token);
    progress.send(json!({"kind": "begin", "title": "chatls", "cancellable": true}));
    let done = run(&command, argument, request);
    progress.send(json!({"kind": "end"}));
    request.respond(done?)
}

fn run(command: &str, mut arguments: CommandArgument, request: &ActiveRequest<'_>) -> Result<Value, Error> {
    let snapshot = request.snapshot;
    if command == SHOW_BATCH {
        let expanded = expanded_batch(&snapshot.document, arguments.offset(snapshot)?);
        snapshot.peer.show_message(expanded.ok_or_else(|| failed("there is no batch here"))?);
        return Ok(Value::Null);
    }
    if command == CONVERT_CONVERSATION {
        return conversation::run(arguments.to.as_deref(), request);
    }
    if command == REPAIR {
        return repair::run(request);
    }
    if arguments.scope == Some(ScopeName::Choose) {
        let Some(chosen) = with_scope(arguments, snapshot)? else { return Ok(Value::Null) };
        arguments = chosen;
    }
    if command == CONVERT && arguments.to.is_none() {
        let scope = arguments.scope(snapshot)?;
        let document = &snapshot.document;
        let (unedited, uses) = (Unedited::of(document), document.paired_uses());
        let of_scope = ScopeUses::of(document, &uses, scope);
        let possible = possible_plans(&of_scope, &unedited, targets());
        let possible: Vec<_> = possible.map(|(to, words, _)| (to, words)).collect();
        if possible.is_empty() {
            return Err(failed(&no_conversion(document, scope)));
        }
        let Some(to) = snapshot.peer.choose_dialect(&possible) else {
            return no_choice(snapshot, possible.iter().map(|(to, _)| to.name));
        };
        arguments.to = Some(to.name.to_owned());
    }
    let what = command_arguments::read(command, &arguments, snapshot)?;
    if let Refactoring::Convert { scope, to } = &what {
        let plan = conversion::checked_plan(&snapshot.document, *scope, to);
        let plan = plan.map_err(|refusal| failed(&not_converted(to, &refusal)))?;
        if !snapshot.peer.confirms(&plan, to) {
            return Ok(Value::Null);
        }
    }
    let edit = match &what {
        Refactoring::Extract(at) => json!(extraction(snapshot, *at)?),
        _ => {
            let edits = edits_of(&what, snapshot)?;
            let losses = what.losses(&snapshot.document, &edits);
            if !losses.is_empty() && !snapshot.peer.accepts(&losses) {
                return Ok(Value::Null);
            }
            json!(workspace_edit(snapshot, edits))
        }
    };
    if !snapshot.client.applies_edits {
        return Ok(edit);
    }
    if request.is_wanted() { snapshot.peer.apply_edit(&edit) } else { Ok(Value::Null) }
}

/// `arguments` with the scope that the user chooses; `None` if the user cancels. There is no choice
/// if only one scope can be converted.
///
/// # Errors
///
/// `InvalidParams` without a position, `RequestFailed` if nothing there can be converted.
fn with_scope(arguments: CommandArgument, snapshot: &Snapshot) -> Result<Option<CommandArgument>, Error> {
    let scopes = conversion_scopes(&snapshot.document, arguments.offset(snapshot)?);
    let choices: Vec<(ScopeName, String)> =
        scopes.iter().map(|(scope, count)| choice(*scope, *count)).collect();
    let chosen = match choices.as_slice() {
        [] => return Err(failed("no tool call here can be converted")),
        [(only, _)] => Some(*only),
        choices => snapshot.peer.choose(SCOPE_QUESTION, choices, |(_, words)| words).map(|(scope, _)| *scope),
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

/// The batch that contains the byte `at`, expanded.
fn expanded_batch(document: &Document, at: usize) -> Option<String> {
    let uses = document.paired_uses();
    Some(document.expanded(&uses, uses.batch_of(uses.block_at(at)?)?))
}

/// The edits of `command`, without any questions to the user.
///
/// # Errors
///
/// The errors of the command's response.
pub fn edits(
    command: &str,
    arguments: &CommandArgument,
    snapshot: &Snapshot,
) -> Result<Vec<(Range<usize>, String)>, Error> {
    check_version(arguments, snapshot)?;
    edits_of(&command_arguments::read(command, arguments, snapshot)?, snapshot)
}

fn edits_of(what: &Refactoring, snapshot: &Snapshot) -> Result<Vec<(Range<usize>, String)>, Error> {
    what.edits(&snapshot.document).map_err(|refusal| match what {
        Refactoring::Convert { to, .. } => failed(&not_converted(to, &refusal)),
        _ => failed(&refusal.to_string()),
    })
}

/// The error of a command if the user has not chosen among `names`.
///
/// # Errors
///
/// The editor may not be able to ask for the choice.
pub(super) fn no_choice<'n>(
    snapshot: &Snapshot,
    names: impl Iterator<Item = &'n str>,
) -> Result<Value, Error> {
    if snapshot.client.actions.show_message_request {
        return Ok(Value::Null);
    }
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    Err(failed(&format!("no form was chosen: give `to`, one of {}", names.join(", "))))
}

fn not_converted(to: &Dialect, refusal: &ConversionError) -> String {
    format!("not converted to {}: {refusal}", words_of(to))
}

/// The reason why the calls of `scope` cannot be converted to any dialect.
fn no_conversion(document: &Document, scope: ConversionScope) -> String {
    if document.language() != Language::Markdown {
        return ConversionError::NoMarkdown.to_string();
    }
    let refusals = targets().filter_map(|(to, _)| {
        let refusal = conversion::checked_plan(document, scope, to).err()?;
        (refusal != ConversionError::NothingToDo).then_some((to, refusal))
    });
    let refusals: Vec<_> = refusals.collect();
    match refusals.split_first() {
        None => "no tool call here can be converted".to_owned(),
        Some(((_, first), others)) if others.iter().all(|(_, other)| other == first) => first.to_string(),
        _ => refusals.iter().map(|(to, it)| not_converted(to, it)).collect::<Vec<_>>().join("; "),
    }
}

/// Moves the batch at the byte `at` into a file beside the document.
fn extraction(snapshot: &Snapshot, at: usize) -> Result<WorkspaceEdit, Error> {
    if !snapshot.client.creates_files {
        return Err(failed("the editor cannot create files"));
    }
    let found = Extraction::at(&snapshot.document, at);
    let found = found.ok_or_else(|| failed("no batch here can be moved"))?;
    let name = last_segment(&snapshot.uri);
    // `.chat.md` has nothing before its extensions.
    let stem = name.get(1..).and_then(|rest| rest.find('.')).and_then(|dot| name.get(..=dot)).unwrap_or(name);
    let is_free = |uri: &Url| file_path(uri).is_some_and(|path| !path.exists());
    let mut names = (1..MOST_LOGS).map(|number| format!("{stem}.calls-{number}.jsonl"));
    let free = names.find_map(|name| snapshot.uri.join(&name).ok().filter(is_free).map(|uri| (name, uri)));
    let (name, uri) =
        free.ok_or_else(|| failed("the document is not a file, so no file can be created beside it"))?;
    Ok(with_new_file(snapshot, vec![found.link(&name)], uri, found.log))
}

fn check_version(arguments: &CommandArgument, snapshot: &Snapshot) -> Result<(), Error> {
    match arguments.version {
        Some(version) if snapshot.version != Some(version) => {
            Err(message::error(ErrorCode::ContentModified, "the document has changed in the meantime"))
        }
        _ => Ok(()),
    }
}
