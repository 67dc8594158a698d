//! The host of calls and answers in a document of the editor.

use std::sync::Arc;

use lsp_types::{MessageType, Url};

use super::editing::apply;
use super::session::RunSession;
use crate::document::Document;
use crate::lsp::peer::{ClientPeer, ProgressReporter};
use crate::lsp::runs::RunReporter;
use crate::lsp::runs::editor_user::{EditorUser, ask, shown};
use crate::lsp::snapshot::{OpenDocuments, Snapshot};
use crate::lsp::wire::client_requests::ClientRequests;
use crate::run::turns::{AgreedSecrets, BegunCall, EditError, FoundSecret, TurnEvent, TurnHost};
use crate::run::{CancellationToken, Progress};
use crate::text::{DocumentEdit, cut};

const SEND: &str = "Send";
const CANCEL: &str = "Cancel";

/// The editor with a document in which calls run, or which is continued.
pub(super) struct EditorHost {
    documents: Arc<dyn OpenDocuments>,
    peer: ClientPeer,
    uri: Url,
    /// The newest version that was read.
    newest: Option<Arc<Snapshot>>,
    /// Sends questions; `None` if the editor cannot show them.
    client: Option<Arc<ClientRequests>>,
    /// Voids the questions.
    void: CancellationToken,
    agreed: AgreedSecrets,
    item: RunReporter,
    progress: ProgressReporter,
    server_progress: Box<dyn FnMut(&Progress) + Send>,
    /// The tool of the current call.
    tool: Option<String>,
    /// The title of answers.
    pub title: String,
    /// The address of the model that is asked.
    pub address: String,
}

impl EditorHost {
    /// The host for calls alone.
    pub fn new(session: &RunSession<'_>, user: &EditorUser) -> Self {
        Self {
            documents: Arc::clone(&session.request.documents),
            peer: session.request.peer.clone(),
            uri: Url::clone(&session.request.uri),
            newest: None,
            client: user.client.clone(),
            void: user.void.clone(),
            agreed: AgreedSecrets::default(),
            item: session.run.reporter(),
            progress: session.progress.clone(),
            server_progress: Box::new(session.server_progress()),
            tool: None,
            title: String::new(),
            address: String::new(),
        }
    }

    /// The name of an edit in the editor's undo list.
    fn label(&self) -> String {
        self.tool.as_ref().map_or_else(|| self.title.clone(), |tool| format!("Result of {tool}"))
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
        let (run, label) = (self.item.id, self.label());
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
        let BegunCall { line, uses, index, call } = begun;
        let version = self.newest.as_ref().and_then(|newest| newest.version);
        self.item.begin_call((version, line), call, uses, index)?;
        let tool = shown(&cut(&call.tool, 100));
        self.progress.message(&tool);
        self.tool = Some(tool);
        Ok(())
    }

    fn end_call(&mut self) {
        self.item.end_call();
        self.tool = None;
    }

    fn on_event(&mut self, event: TurnEvent<'_>) {
        match event {
            TurnEvent::Warning(warning) => self.peer.show_warning(match &self.tool {
                Some(_) => format!("{}: {}", self.label(), shown(warning)),
                None => shown(warning),
            }),
            TurnEvent::Answering(text) => {
                let message = format!("{} characters", text.chars().count());
                let newest = self.newest.as_ref().map(|newest| newest.document.text());
                let line = newest.map_or(0, |text| text.line_count().saturating_sub(1));
                if self.item.report_as(&self.title, line, &message) {
                    self.progress.message(&format!("{}: {message}", self.title));
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
