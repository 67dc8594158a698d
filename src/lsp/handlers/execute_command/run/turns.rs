//! `chatls.continue`: asks the user's model for the next message, and writes it into the document
//! while it comes; with `turns`, runs its calls, and asks again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::{MessageType, NumberOrString, Url};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use super::editing::apply;
use super::placing::preset_folder;
use super::session::{LONGEST_SHOWN, ProgressReporter, RunSession};
use super::with_log;
use crate::document::Document;
use crate::lsp::conversions::command_arguments::CommandArgument;
use crate::lsp::peer::ClientPeer;
use crate::lsp::runs::RunReporter;
use crate::lsp::runs::editor_user::{EditorUser, ask, shown};
use crate::lsp::snapshot::{OpenDocuments, Snapshot};
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::rules::secrets::redacted;
use crate::run::model::AnswerEnd;
use crate::run::preset::PresetTool;
use crate::run::turns::{
    AgreedSecrets, BegunCall, EditError, FoundSecret, TurnEvent, TurnHost, Turns, TurnsEnd, TurnsError,
};
use crate::run::user_settings::{ModelSettings, UserSettings};
use crate::run::{CancellationToken, NotRun, Progress};
use crate::text::DocumentEdit;
use crate::text::abbreviate::cut;

/// The interval between edits while an answer is streamed.
const BETWEEN_EDITS: Duration = Duration::from_millis(50);

const SEND: &str = "Send";
const CANCEL: &str = "Cancel";

/// Continues the conversation of the document.
///
/// # Errors
///
/// If the user's own settings cannot be used, or have no model, or the document is being continued.
pub(in crate::lsp::handlers::execute_command) fn run(
    argument: &CommandArgument,
    token: Option<NumberOrString>,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    let mut session = RunSession::begin(snapshot, token)?;
    let Some(model) = session.settings.model.take() else {
        let path = UserSettings::path().map(|path| format!(" (`{}`)", shown(&path.to_string_lossy())));
        let path = path.unwrap_or_default();
        return Err(failed(&format!("there is no model in your own settings.toml{path}")));
    };
    if !session.run.begin_turns() {
        return Err(failed("the document is being continued already"));
    }
    let mut tools = session.host();
    if argument.turns.is_some() && has_folder_tools(snapshot) {
        let named = argument.folder.as_ref().map(Path::new);
        match preset_folder(&session, pending, named) {
            Ok(folder) => tools.folder = Some(folder),
            Err((_, Some(reason))) => return Err(failed(&reason)),
            Err((_, None)) => return Ok(json!({"end": "cancelled"})),
        }
    }
    let Some(mut user) = session.user.take() else { return Ok(Value::Null) };
    let mut host = EditorHost::new(&session, &user, &model);
    let (cancellation, turns) = (session.run.cancellation.clone(), argument.turns);
    let (limits, environment) = (session.settings.limits.limits(), tools.environment.clone());
    let work = async move {
        let turn = Turns {
            model: &model,
            environment: &environment,
            limits: &limits,
            between_edits: BETWEEN_EDITS,
            cancellation: &cancellation,
        };
        let taken = turn.take(turns, &mut tools, &mut user, &mut host).await;
        (taken, user)
    };
    let Some((taken, user)) = session.wait(pending, work) else { return Ok(json!({"end": "cancelled"})) };
    let text = match &taken {
        Err(TurnsError::AnswerUnwritten { text, .. }) => text.clone(),
        _ => String::new(),
    };
    let (end, reason) = end_of(taken, &user);
    let mut continued = json!({"end": end});
    if let Some(reason) = reason {
        let begins = shown(&cut(&redacted(text.trim()), LONGEST_SHOWN));
        let more = if begins.is_empty() { begins } else { format!(". It is: {begins}") };
        snapshot.peer.show_warning(format!("the conversation is not continued: {reason}{more}"));
        continued["reason"] = reason.into();
    }
    if !text.is_empty() {
        continued["text"] = text.into();
    }
    Ok(continued)
}

/// True if presets of the document's configuration have tools that work in a folder.
fn has_folder_tools(snapshot: &Snapshot) -> bool {
    let tools = &snapshot.document.settings().registry.tools;
    tools
        .iter()
        .any(|(name, tool)| PresetTool::find(&tool.source, name).is_some_and(PresetTool::needs_folder))
}

/// The end on the wire, with the reason for the user.
fn end_of(taken: Result<TurnsEnd, TurnsError>, user: &EditorUser) -> (&'static str, Option<String>) {
    let error = match taken {
        Ok(TurnsEnd::Answered | TurnsEnd::CutOff(AnswerEnd::Complete)) => return ("answered", None),
        Ok(TurnsEnd::AllTurns) => return ("allTurns", None),
        Ok(TurnsEnd::CutOff(AnswerEnd::Empty)) => {
            return ("failed", Some("the answer of the model is empty".to_owned()));
        }
        Ok(TurnsEnd::CutOff(AnswerEnd::Length)) => {
            return ("cutOff", Some("the answer was cut off at the maximum number of tokens".to_owned()));
        }
        Ok(TurnsEnd::CutOff(AnswerEnd::Other(reason))) => {
            return ("cutOff", Some(format!("the answer was cut off: {}", shown(&reason))));
        }
        Err(error) => error,
    };
    let at = |line: usize, reason: &str| format!("line {}: {reason}", line + 1);
    let reason = match error {
        TurnsError::Cancelled => return ("cancelled", None),
        TurnsError::NotRun { reason: NotRun::Refused, .. } if user.refusal.is_none() => {
            return ("cancelled", None);
        }
        TurnsError::NotSent(reason) if reason.is_empty() => return ("cancelled", None),
        TurnsError::Document(reason) | TurnsError::NotSent(reason) => shown(&reason),
        TurnsError::AnswerUnwritten { reason, .. } => {
            format!("the answer is not written: {}", shown(&reason))
        }
        TurnsError::Pending(1) => "1 call has no result yet: run it first, or complete it".to_owned(),
        TurnsError::Pending(calls) => format!("{calls} calls have no result yet: run them first"),
        TurnsError::Model(error) => with_log(&redacted(&error.message), ""),
        TurnsError::NotRun { line, reason: NotRun::Refused } => {
            at(line, user.refusal.as_deref().unwrap_or_default())
        }
        TurnsError::NotRun { line, reason: NotRun::Impossible { reason, log } } => {
            at(line, &with_log(&redacted(&reason), &log))
        }
        TurnsError::Unwritten { line, reason } => at(line, &format!("the result is not written: {reason}")),
    };
    ("failed", Some(reason))
}

/// The editor with the document that is continued.
struct EditorHost {
    documents: Arc<dyn OpenDocuments>,
    peer: ClientPeer,
    uri: Url,
    /// The newest version that was read.
    newest: Option<Arc<Snapshot>>,
    /// Sends questions; `None` if the editor cannot show them.
    client: Option<tower_lsp::Client>,
    /// Voids the questions.
    void: CancellationToken,
    agreed: AgreedSecrets,
    item: RunReporter,
    progress: ProgressReporter,
    server_progress: Box<dyn FnMut(&Progress) + Send>,
    model: String,
    address: String,
}

impl EditorHost {
    fn new(session: &RunSession<'_>, user: &EditorUser, model: &ModelSettings) -> Self {
        Self {
            documents: Arc::clone(&session.snapshot.documents),
            peer: session.snapshot.peer.clone(),
            uri: Url::clone(&session.snapshot.uri),
            newest: None,
            client: user.client.clone(),
            void: user.void.clone(),
            agreed: AgreedSecrets::default(),
            item: session.run.reporter(),
            progress: session.progress(),
            server_progress: Box::new(session.server_progress()),
            model: shown(&model.name),
            address: shown(&model.url),
        }
    }
}

impl TurnHost for EditorHost {
    async fn document(&mut self) -> Result<Document, String> {
        let (documents, uri) = (Arc::clone(&self.documents), self.uri.clone());
        let newest = tokio::task::spawn_blocking(move || documents.newest(&uri)).await;
        let newest = newest.ok().flatten().ok_or("the document was closed")?;
        let document = newest.document.clone();
        self.newest = Some(Arc::new(newest));
        Ok(document)
    }

    async fn edit(&mut self, _: &Document, edits: Vec<DocumentEdit>) -> Result<(), EditError> {
        let newest = self.newest.clone().ok_or(EditError::Changed)?;
        let (run, label) = (self.item.id, format!("Answer of {}", self.model));
        let applied = tokio::task::spawn_blocking(move || apply(&newest, run, edits, &label)).await;
        applied.unwrap_or_else(|error| Err(EditError::Failed(error.to_string())))
    }

    async fn may_send(&mut self, document: &Document, body: &str) -> Result<(), String> {
        let found = self.agreed.not_agreed_in(document, body);
        let Some(first) = found.first() else { return Ok(()) };
        let more = if found.len() > 1 { " and other secrets" } else { "" };
        let FoundSecret { kind, .. } = first;
        let place = first.line.map_or_else(|| "in escapes".to_owned(), |line| format!("line {}", line + 1));
        if self.client.is_none() {
            return Err(format!("the conversation has what looks like {kind} ({place}): redact it"));
        }
        let question = format!(
            "The conversation has what looks like {kind} ({place}){more}. Send it to {}?",
            self.address
        );
        let answer =
            ask(self.client.as_ref(), MessageType::WARNING, question, &[SEND, CANCEL], &self.void).await;
        if answer.is_none() && self.void.is_cancelled() {
            return Err("the document was closed".to_owned());
        }
        if answer.as_deref() != Some(SEND) {
            // It is the user's own decision.
            return Err(String::new());
        }
        self.agreed.agree(document, body);
        Ok(())
    }

    fn begin_call(&mut self, begun: BegunCall<'_>) -> Result<(), String> {
        let BegunCall { document, uses, index, call } = begun;
        let line = uses.get(index).map_or(0, |it| document.text().line_of_byte(it.range.start));
        let version = self.newest.as_ref().and_then(|newest| newest.version);
        self.item.begin_call((version, line), call, uses, index)?;
        self.progress.message(&shown(&call.tool));
        Ok(())
    }

    fn end_call(&mut self) {
        self.item.end_call();
    }

    fn on_event(&mut self, event: TurnEvent<'_>) {
        match event {
            TurnEvent::Warning(warning) => self.peer.show_warning(shown(warning)),
            TurnEvent::Answering(text) => {
                let message = format!("{} characters", text.chars().count());
                let title = format!("Answer of {}", self.model);
                let newest = self.newest.as_ref().map(|newest| newest.document.text());
                let line = newest.map_or(0, |text| text.line_count().saturating_sub(1));
                if self.item.report_as(&title, line, &message) {
                    self.progress.message(&format!("{title}: {message}"));
                }
            }
            TurnEvent::Answered(answer) => {
                answer.left_out().into_iter().for_each(|left_out| self.peer.show_warning(left_out));
            }
            TurnEvent::Progress(progress) => (self.server_progress)(progress),
            TurnEvent::Called(_) => {}
        }
    }
}
