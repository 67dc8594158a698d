//! `workspace/executeCommand`: refactorings by name, for keys, menus and lenses.
//!
//! The client is asked to make the edit; one that cannot gets it as the answer. What is lost by a conversion is said first, and the user
//! may refuse. A command that cannot do what it says answers with an error that says why, which editors show.

use std::ops::Range;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use lsp_types::{MessageActionItem, MessageType, NumberOrString, Url};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tower_lsp::jsonrpc::{Error, ErrorCode, Response};

use crate::convert::{ConversionLoss, words};
use crate::dialect::Dialect;
use crate::document::Document;
use crate::features::conversion::{
    self, ConversionError, ConversionPlan, ConversionScope, block_at, targets, words_of,
};
use crate::features::refactorings::{Extraction, Refactoring, is_possible};

use super::edits::{WorkspaceEdit, with_new_file, workspace_edit};
use super::frames::Frame;
use super::main_loop::LoopContext;
use super::message::{self, Answer, Notification};
use super::outbox::Outbox;
use super::refactorings::{self, CONVERT, CommandArgument, SHOW_BATCH, ScopeName};
use super::requests::{PendingRequest, RequestWork, Snapshot};

mod choices;

/// How long a client may take to make an edit.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a user may think about a question.
const THINKING: Duration = Duration::from_secs(600);
/// The number of the last file that a batch is moved to, beside one document.
const MOST_LOGS: usize = 10_000;
/// LSP 3.17, `RequestFailed`: the request is right, and cannot be done.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The way from work on a request to the client.
#[derive(Clone)]
pub struct ClientPeer {
    /// Sends requests; `None` before the client is ready for them.
    pub client: Option<tower_lsp::Client>,
    /// Waits for their answers.
    pub runtime: Handle,
    /// Takes notifications.
    pub outbox: Arc<Outbox>,
}

/// The params of `workspace/executeCommand`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecuteCommandParams {
    command: String,
    #[serde(default)]
    arguments: Vec<Value>,
    work_done_token: Option<NumberOrString>,
}

#[derive(Serialize)]
struct CommandProgress<'a> {
    token: &'a NumberOrString,
    value: Value,
}

/// The work of `workspace/executeCommand`.
///
/// # Errors
///
/// `InvalidParams` where there is no such command, or its argument is none.
pub fn execute(params: ExecuteCommandParams) -> Result<(Url, RequestWork), Error> {
    let ExecuteCommandParams { command, arguments, work_done_token } = params;
    if !refactorings::COMMANDS.contains(&&*command) {
        return Err(Error::invalid_params(format!("there is no command `{command}`")));
    }
    let first = arguments.into_iter().next().unwrap_or_default();
    let arguments: CommandArgument =
        serde_json::from_value(first).map_err(|error| Error::invalid_params(error.to_string()))?;
    let uri = arguments.uri.clone();
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let progress = |value: Value| {
            if let Some(token) = &work_done_token {
                snapshot.peer.outbox.send(&Notification::new("$/progress", CommandProgress { token, value }));
            }
        };
        progress(json!({"kind": "begin", "title": "chatls", "cancellable": true}));
        let done = run(&command, arguments, snapshot, pending);
        progress(json!({"kind": "end"}));
        match done {
            Ok(answer) => Frame::of(&Answer::new(&pending.id, answer)),
            Err(error) => Frame::of(&Response::from_error(pending.id.clone(), error)),
        }
    });
    Ok((uri, work))
}

fn run(
    command: &str,
    mut arguments: CommandArgument,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    check_version(&arguments, snapshot)?;
    if command == SHOW_BATCH {
        let drawn = transcript_page(&snapshot.document, arguments.offset(snapshot)?);
        snapshot.peer.show_message(drawn.ok_or_else(|| failed("there is no batch here"))?);
        return Ok(Value::Null);
    }
    if arguments.scope == Some(ScopeName::Choose) {
        let Some(chosen) = choices::with_scope(arguments, snapshot)? else { return Ok(Value::Null) };
        arguments = chosen;
    }
    if command == CONVERT && arguments.to.is_none() {
        let scope = arguments.scope(snapshot)?;
        let document = &snapshot.document;
        let can_be = |to: &Dialect| {
            conversion::plan(document, scope, to).is_some_and(|plan| is_possible(document, &plan))
        };
        let possible: Vec<_> = targets().filter(|(to, _)| can_be(to)).collect();
        if possible.is_empty() {
            return Err(failed(&no_conversion(document, scope)));
        }
        let Some(to) = snapshot.peer.choose_dialect(&possible) else { return Ok(Value::Null) };
        arguments.to = Some(to.name.to_owned());
    }
    let what = refactorings::read(command, &arguments, snapshot)?;
    if let Refactoring::Convert { scope, to } = &what {
        let plan = conversion::checked_plan(&snapshot.document, *scope, to);
        let plan = plan.map_err(|refusal| failed(&not_converted(to, &refusal)))?;
        if !snapshot.peer.confirms(&plan, to) {
            return Ok(Value::Null);
        }
    }
    let edit = match &what {
        Refactoring::Extract { at } => extraction(snapshot, *at)?,
        _ => {
            let edits = edits_of(&what, snapshot)?;
            let losses = what.losses(&snapshot.document, &edits);
            if !losses.is_empty() && !snapshot.peer.accepts(&losses) {
                return Ok(Value::Null);
            }
            workspace_edit(snapshot, edits)
        }
    };
    let edit = serde_json::to_value(edit).map_err(|_| Error::internal_error())?;
    if !snapshot.client.applies_edits {
        return Ok(edit);
    }
    if pending.is_wanted() { snapshot.peer.apply_edit(edit) } else { Ok(Value::Null) }
}

/// The batch that has the byte `at`, drawn open.
fn transcript_page(document: &Document, at: usize) -> Option<String> {
    let uses = document.paired_uses();
    let block = block_at(document, &uses, at)?;
    let batch = uses.batches().into_iter().find(|batch| batch.blocks.contains(&block))?;
    Some(document.expanded(&uses, &batch))
}

/// What `command` writes, without asking anybody.
///
/// # Errors
///
/// Those of the command's own answer.
pub fn edits(
    command: &str,
    arguments: &CommandArgument,
    snapshot: &Snapshot,
) -> Result<Vec<(Range<usize>, String)>, Error> {
    check_version(arguments, snapshot)?;
    edits_of(&refactorings::read(command, arguments, snapshot)?, snapshot)
}

fn edits_of(what: &Refactoring, snapshot: &Snapshot) -> Result<Vec<(Range<usize>, String)>, Error> {
    what.edits(&snapshot.document).map_err(|refusal| match what {
        Refactoring::Convert { to, .. } => failed(&not_converted(to, &refusal)),
        _ => failed(&refusal.to_string()),
    })
}

fn not_converted(to: &Dialect, refusal: &ConversionError) -> String {
    format!("not converted to {}: {refusal}", words_of(to))
}

/// Why the calls of `scope` can be converted to no dialect.
fn no_conversion(document: &Document, scope: ConversionScope) -> String {
    let refusals = targets().filter_map(|(to, _)| {
        let refusal = conversion::checked_plan(document, scope, to).err()?;
        (refusal != ConversionError::NothingToDo).then(|| not_converted(to, &refusal))
    });
    let refusals: Vec<String> = refusals.collect();
    match refusals.is_empty() {
        true => "there is no tool call here that can be converted".to_owned(),
        false => refusals.join("; "),
    }
}

/// The batch at the byte `at` in a file beside the document.
fn extraction(snapshot: &Snapshot, at: usize) -> Result<WorkspaceEdit<'_>, Error> {
    if !snapshot.client.creates_files {
        return Err(failed("the editor cannot make files"));
    }
    let found = Extraction::at(&snapshot.document, at);
    let found = found.ok_or_else(|| failed("there is no batch here that could stand alone"))?;
    let here = Url::parse(&snapshot.spelling).map_err(|_| failed("the document has no place"))?;
    let name = here.path().rsplit('/').next().unwrap_or_default();
    // Of `.chat.md` there is nothing before the extensions.
    let stem = name.get(1..).and_then(|rest| rest.find('.')).and_then(|dot| name.get(..=dot)).unwrap_or(name);
    let is_free = |uri: &Url| uri.to_file_path().is_ok_and(|path| !path.exists());
    let mut names = (1..MOST_LOGS).map(|number| format!("{stem}.calls-{number}.jsonl"));
    let free = names.find_map(|name| here.join(&name).ok().filter(is_free).map(|uri| (name, uri)));
    let (name, uri) = free.ok_or_else(|| failed("the document has no place for a file beside it"))?;
    Ok(with_new_file(snapshot, vec![found.link(&name)], uri, found.log))
}

fn check_version(arguments: &CommandArgument, snapshot: &Snapshot) -> Result<(), Error> {
    match arguments.version {
        Some(version) if snapshot.version != Some(version) => {
            Err(message::error(ErrorCode::ContentModified, "the document has changed meanwhile"))
        }
        _ => Ok(()),
    }
}

fn failed(words: &str) -> Error {
    message::error(REQUEST_FAILED, words)
}

impl ClientPeer {
    /// The way to the client that takes `requests`.
    pub fn new(requests: Option<&tower_lsp::Client>, context: &LoopContext) -> Self {
        let (runtime, outbox) = (context.runtime.clone(), Arc::clone(&context.outbox));
        Self { client: requests.cloned(), runtime, outbox }
    }

    /// Asks the user for one of the `possible` dialects.
    fn choose_dialect(&self, possible: &[(&'static Dialect, &str)]) -> Option<&'static Dialect> {
        let words: Vec<&str> = possible.iter().map(|(_, words)| *words).collect();
        let chosen = self.show_message_request("Convert to which form of writing tool calls?", &words)?;
        possible.iter().find(|(_, words)| *words == chosen).map(|(dialect, _)| *dialect)
    }

    /// Whether the user wants what `plan` loses to be lost.
    fn confirms(&self, plan: &ConversionPlan, to: &Dialect) -> bool {
        const CONVERT: &str = "Convert";
        if plan.losses.is_empty() && plan.left == 0 {
            return true;
        }
        let calls = |count: usize| if count == 1 { "tool call" } else { "tool calls" };
        let mut question =
            format!("Converting {} {} to {}", plan.converted, calls(plan.converted), words_of(to));
        match plan.losses() {
            lost if lost.is_empty() => question.push_str(" loses nothing"),
            lost => question.extend([" ", &lost]),
        }
        match plan.left {
            0 => {}
            1 => question.push_str("; 1 tool call cannot be converted and stays as it is"),
            left => {
                question.push_str(&format!("; {left} tool calls cannot be converted and stay as they are"));
            }
        }
        self.show_message_request(&question, &[CONVERT, "Cancel"]).is_some_and(|chosen| chosen == CONVERT)
    }

    /// Whether the user wants a result that lacks what `losses` say.
    fn accepts(&self, losses: &[ConversionLoss]) -> bool {
        const WRITE: &str = "Write it";
        let question = format!("Writing the result like this {}", words::of_one(losses));
        self.show_message_request(&question, &[WRITE, "Cancel"]).is_some_and(|chosen| chosen == WRITE)
    }

    /// What the user answers, if anything.
    fn show_message_request(&self, question: &str, answers: &[&str]) -> Option<String> {
        let item =
            |title: &&str| MessageActionItem { title: (*title).to_owned(), properties: Default::default() };
        let actions = answers.iter().map(item).collect();
        let client = self.client.clone()?;
        let question = question.to_owned();
        let asking =
            async move { client.show_message_request(MessageType::INFO, question, Some(actions)).await };
        wait_for(&self.runtime, THINKING, asking)?.ok()?.map(|item| item.title)
    }

    /// Shows the user something.
    fn show_message(&self, message: String) {
        if let Some(client) = self.client.clone() {
            self.runtime.spawn(async move { client.show_message(MessageType::INFO, message).await });
        }
    }

    /// Has the client make an edit.
    fn apply_edit(&self, edit: Value) -> Result<Value, Error> {
        let client = self.client.clone().ok_or_else(|| failed("the editor is not ready"))?;
        let edit = serde_json::from_value(edit).map_err(|_| Error::internal_error())?;
        match wait_for(&self.runtime, PATIENCE, async move { client.apply_edit(edit).await }) {
            Some(Ok(answer)) if answer.applied => Ok(Value::Null),
            Some(Ok(answer)) => {
                let reason = answer.failure_reason.unwrap_or_else(|| "it gives no reason".to_owned());
                Err(failed(&format!("the editor did not make the edit: {reason}")))
            }
            Some(Err(error)) => Err(error),
            None => Err(failed("the editor did not answer")),
        }
    }
}

/// What `answer` comes to on `runtime`; `None` where it takes longer than `patience`, or the runtime ends before it.
///
/// The runtime's own thread polls the timer: a timer that another thread polls panics when the runtime shuts down.
fn wait_for<T: Send + 'static>(
    runtime: &Handle,
    patience: Duration,
    answer: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    runtime.spawn(async move {
        if let Ok(answer) = tokio::time::timeout(patience, answer).await {
            // Only the end of the process takes the receiver away.
            drop(sender.send(answer));
        }
    });
    receiver.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_its_runtime() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build();
        let runtime = runtime.expect("a runtime");
        let handle = runtime.handle().clone();
        assert_eq!(wait_for(&handle, PATIENCE, async { 1 }), Some(1));
        assert_eq!(wait_for(&handle, Duration::from_millis(1), std::future::pending::<()>()), None);
        let (begin, begun) = mpsc::channel();
        let never = async move {
            begin.send(()).expect("somebody who waits for it");
            std::future::pending::<()>().await;
        };
        let waiting = std::thread::spawn(move || wait_for(&handle, PATIENCE, never));
        begun.recv().expect("a runtime that runs it");
        runtime.shutdown_background();
        assert_eq!(waiting.join().expect("no panic"), None);
    }
}
