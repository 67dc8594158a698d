//! Refactorings on the wire: commands with their arguments.
//!
//! Code actions, lenses and users send the same form: a command, and one object with the document
//! and a position in it.

use lsp_types::{Command, Position, Range};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::call::{UseData, UseOutcome};
use crate::features::conversion::{ConversionScope, targets};
use crate::features::refactorings::Refactoring;

use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::DocumentUri;

/// `chatls.convert`
pub const CONVERT: &str = "chatls.convert";
const COMPLETE: &str = "chatls.complete";
const MERGE: &str = "chatls.merge";
const UNIFY: &str = "chatls.unify";
const NEW_ID: &str = "chatls.newId";
const NUMBER_IDS: &str = "chatls.numberIds";
const REDACT: &str = "chatls.redact";
const WRAP: &str = "chatls.wrap";
const SORT_RECORDS: &str = "chatls.sortRecords";
const EXTRACT: &str = "chatls.extract";
/// `chatls.repair`
pub const REPAIR: &str = "chatls.repair";
/// `chatls.convertConversation`
pub const CONVERT_CONVERSATION: &str = "chatls.convertConversation";
/// `chatls.showBatch`, which changes nothing.
pub const SHOW_BATCH: &str = "chatls.showBatch";
/// All commands.
pub const COMMANDS: [&str; 13] = [
    SHOW_BATCH,
    CONVERT,
    COMPLETE,
    MERGE,
    UNIFY,
    NEW_ID,
    NUMBER_IDS,
    REDACT,
    WRAP,
    SORT_RECORDS,
    EXTRACT,
    REPAIR,
    CONVERT_CONVERSATION,
];

/// `chatls.run`
pub const RUN: &str = "chatls.run";
/// `chatls.runAgain`
pub const RUN_AGAIN: &str = "chatls.runAgain";
/// `chatls.continue`
pub const CONTINUE: &str = "chatls.continue";
/// `chatls.cancelRun`
pub const CANCEL_RUN: &str = "chatls.cancelRun";
/// `chatls.servers`
pub const SERVERS: &str = "chatls.servers";
/// `chatls.stopServer`
pub const STOP_SERVER: &str = "chatls.stopServer";
/// `chatls.revokeConsent`
pub const REVOKE_CONSENT: &str = "chatls.revokeConsent";
/// `chatls.pullTools`
pub const PULL_TOOLS: &str = "chatls.pullTools";
/// The commands for running calls.
pub const RUN_COMMANDS: &[&str] = match cfg!(feature = "run") {
    true => &[RUN, RUN_AGAIN, CONTINUE, CANCEL_RUN, SERVERS, STOP_SERVER, REVOKE_CONSENT, PULL_TOOLS],
    false => &[],
};

/// The argument of a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandArgument {
    /// The document, which is open.
    pub uri: DocumentUri,
    /// A position in the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Of `wrap`: the selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// Of `convert`: the calls to convert. Default: the call at the position, or without a position
    /// all of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeName>,
    /// Of `convert`: the name of the dialect; of `convertConversation`: the name of the form. The
    /// user chooses if it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Of `complete`, without a position: the tool. Its last pending call is completed, or else a
    /// call of it is appended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Of `complete`: the output, as any JSON; absent for an empty result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// Of `complete`: the error message of a failed call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
    /// For `run` and `runAgain`: the fingerprints of the calls to run, wherever they are in the
    /// newest version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<String>>,
    /// Of `run`, `runAgain` and `continue`: the folder in which the tools of presets work, as an
    /// absolute path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Of `continue`: the maximum number of answers, whose calls are run. Default: one, whose calls
    /// are not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Of `cancelRun`: the run. Default: all of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Of `stopServer`, `revokeConsent` and `pullTools`: the name of the server or program, or its
    /// hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The version that the positions refer to. Default: the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
}

/// The calls to convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ScopeName {
    /// The one at the position.
    Call,
    /// The calls of the batch at the position.
    Batch,
    /// All calls.
    Document,
    /// The user's choice: the call at the position, the calls of its batch, or all calls.
    Choose,
}

impl CommandArgument {
    /// An argument for the whole document of the snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        Self {
            uri: snapshot.uri.clone(),
            position: None,
            range: None,
            scope: None,
            to: None,
            tool_name: None,
            output: None,
            error_text: None,
            calls: None,
            folder: None,
            turns: None,
            id: None,
            server: None,
            version: snapshot.version,
        }
    }

    /// An argument for the call at the byte `at`.
    pub fn at(snapshot: &Snapshot, at: usize) -> Self {
        Self { position: Some(snapshot.position(at)), ..Self::of(snapshot) }
    }

    /// An argument for the server `name`, whatever the version of the document.
    #[cfg(feature = "run")]
    pub fn for_server(snapshot: &Snapshot, name: String) -> Self {
        Self { server: Some(name), version: None, ..Self::of(snapshot) }
    }

    /// The calls that `convert` applies to.
    ///
    /// # Errors
    ///
    /// `InvalidParams` if a required position is missing.
    pub fn scope(&self, snapshot: &Snapshot) -> Result<ConversionScope, Error> {
        match self.scope {
            None if self.position.is_none() => Ok(ConversionScope::Document),
            Some(ScopeName::Document) => Ok(ConversionScope::Document),
            Some(ScopeName::Batch) => self.offset(snapshot).map(ConversionScope::Batch),
            None | Some(ScopeName::Call | ScopeName::Choose) => {
                self.offset(snapshot).map(ConversionScope::Call)
            }
        }
    }

    /// The byte at the position.
    ///
    /// # Errors
    ///
    /// `InvalidParams` without a position.
    pub fn offset(&self, snapshot: &Snapshot) -> Result<usize, Error> {
        let position = self.position.ok_or_else(|| Error::invalid_params("a `position` is needed"))?;
        Ok(snapshot.byte(position))
    }
}

/// A command of the client's interface.
pub fn lsp_command(title: String, command: &str, argument: &CommandArgument) -> Command {
    Command { title, command: command.to_owned(), arguments: Some(vec![json!(argument)]) }
}

/// The refactoring of `command` with `arguments`.
///
/// # Errors
///
/// `InvalidParams` for an unknown command, or a missing or unknown argument.
pub fn read(command: &str, arguments: &CommandArgument, snapshot: &Snapshot) -> Result<Refactoring, Error> {
    let place = || arguments.offset(snapshot);
    Ok(match command {
        CONVERT => {
            let name = arguments.to.as_deref().unwrap_or_default();
            let known = targets().find(|(dialect, _)| dialect.name == name);
            let unknown = || {
                let known = targets().map(|(dialect, _)| dialect.name).collect::<Vec<_>>().join(", ");
                Error::invalid_params(format!("`to` must be one of {known}, not `{name}`"))
            };
            Refactoring::Convert { scope: arguments.scope(snapshot)?, to: known.ok_or_else(unknown)?.0 }
        }
        COMPLETE => {
            let outcome = match (&arguments.output, &arguments.error_text) {
                (_, Some(text)) => UseOutcome::Error(text.clone()),
                (Some(output), None) => UseOutcome::Output(UseData::Json(output.to_string())),
                (None, None) => UseOutcome::Empty,
            };
            match (&arguments.tool_name, arguments.position) {
                (Some(tool), None) => Refactoring::CompleteTool { tool: tool.clone(), outcome },
                _ => Refactoring::Complete { at: place()?, outcome },
            }
        }
        MERGE => Refactoring::Merge(place()?),
        UNIFY => Refactoring::Unify,
        NEW_ID => Refactoring::NewId(place()?),
        NUMBER_IDS => Refactoring::NumberIds,
        REDACT => Refactoring::Redact,
        SORT_RECORDS => Refactoring::SortRecords(place()?),
        EXTRACT => Refactoring::Extract(place()?),
        WRAP => {
            let range = arguments.range.ok_or_else(|| Error::invalid_params("a `range` is needed"))?;
            Refactoring::Wrap(snapshot.bytes(range))
        }
        _ => return Err(Error::invalid_params(format!("there is no command `{command}`"))),
    })
}

/// The command for the refactoring `what`.
pub fn write(what: &Refactoring, snapshot: &Snapshot) -> (&'static str, CommandArgument) {
    let of = || CommandArgument::of(snapshot);
    let at = |byte: &usize| CommandArgument::at(snapshot, *byte);
    match what {
        Refactoring::Convert { scope, to } => {
            let (arguments, scope) = match scope {
                ConversionScope::Call(byte) => (at(byte), ScopeName::Call),
                ConversionScope::Batch(byte) => (at(byte), ScopeName::Batch),
                ConversionScope::Document => (of(), ScopeName::Document),
            };
            (CONVERT, CommandArgument { scope: Some(scope), to: Some(to.name.to_owned()), ..arguments })
        }
        Refactoring::ChooseConversion(byte) => {
            (CONVERT, CommandArgument { scope: Some(ScopeName::Choose), ..at(byte) })
        }
        Refactoring::Complete { at: byte, .. } => (COMPLETE, at(byte)),
        Refactoring::CompleteTool { tool, .. } => {
            (COMPLETE, CommandArgument { tool_name: Some(tool.clone()), ..of() })
        }
        Refactoring::Merge(byte) => (MERGE, at(byte)),
        Refactoring::Unify => (UNIFY, of()),
        Refactoring::NewId(byte) => (NEW_ID, at(byte)),
        Refactoring::NumberIds => (NUMBER_IDS, of()),
        Refactoring::Redact => (REDACT, of()),
        Refactoring::SortRecords(byte) => (SORT_RECORDS, at(byte)),
        Refactoring::Extract(byte) => (EXTRACT, at(byte)),
        Refactoring::Wrap(range) => (WRAP, CommandArgument { range: Some(snapshot.range(range)), ..of() }),
    }
}
