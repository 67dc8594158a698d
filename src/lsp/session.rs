//! The language server without a machine: a message of the client in, the messages for it out.
//!
//! Everything happens in [`Session::receive`], in order. The client sends the files.

mod dialog;
mod files;

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::notification::{Notification as _, *};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, MessageType,
    Url,
};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::config::{ConfigLocation, Loaded, Loader, Settings, is_chat_name};
use crate::document::Document;
use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::client_capabilities::read::SessionParams;
use crate::lsp::conversions::diagnostics::{DiagnosticView, WireDiagnosticArray, publish_frame};
use crate::lsp::conversions::locations::lsp_change_to_edit;
use crate::lsp::conversions::opened_document::{DidOpenParams, DocumentKind, OpenedDocument};
use crate::lsp::handlers::DOCUMENT_REQUESTS;
use crate::lsp::peer::ClientPeer;
use crate::lsp::request::RequestNeeds;
use crate::lsp::server_capabilities::initialize_result;
use crate::lsp::snapshot::{OtherDocument, RequestHistory, Snapshot};
use crate::lsp::wire::document_uri::{DocumentUri, file_path};
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::{self, Answer, ClientMessage, Notification, parse, server_cancelled};
use crate::lsp::wire::outbox::{Outbox, Ticket};
use crate::lsp::wire::pending::PendingRequests;
use crate::lsp::wire::session_phase::SessionPhase;
use crate::lsp::workspace::folders;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::{ConfigFile, EditorSettings, config_files};
use crate::text::Text;
use dialog::{Dialog, Replay};
use files::{ClientFiles, FilesParams};

/// A session with one client.
pub struct Session {
    outbox: Arc<Outbox>,
    pending: PendingRequests,
    phase: SessionPhase,
    client: SessionCapabilities,
    folders: Arc<[Url]>,
    editor: EditorSettings,
    loader: Loader,
    files: Arc<ClientFiles>,
    /// True if the client sends files when they are wanted.
    sends_files: bool,
    documents: HashMap<Url, SessionDocument>,
    /// The requests whose handlers wait for the client, by the id of its response.
    dialogs: HashMap<Id, Dialog>,
    pages: Arc<Pages>,
    serial: u64,
}

/// An open document.
struct SessionDocument {
    uri: DocumentUri,
    version: i32,
    kind: DocumentKind,
    document: Document,
    /// Its diagnostics as a configuration file.
    file: Option<Arc<ConfigFile>>,
    /// The state of its text and settings.
    state: Ticket,
    history: Arc<RequestHistory>,
}

impl Default for Session {
    fn default() -> Self {
        let outbox = Arc::new(Outbox::default());
        Self {
            pending: PendingRequests::new(Arc::clone(&outbox)),
            outbox,
            phase: SessionPhase::default(),
            client: SessionCapabilities::default(),
            folders: Arc::default(),
            editor: EditorSettings::default(),
            loader: Loader::default(),
            files: Arc::default(),
            sends_files: false,
            documents: HashMap::new(),
            dialogs: HashMap::new(),
            pages: Arc::default(),
            serial: 0,
        }
    }
}

impl Session {
    /// Handles a JSON-RPC message of the client, in UTF-8. Returns the messages for it, as a JSON
    /// array.
    pub fn receive(&mut self, message: &[u8]) -> Vec<u8> {
        match ClientMessage::read(message) {
            Ok(ClientMessage::Request(id, request)) => self.request(id, request),
            Ok(ClientMessage::Notification(notification)) => self.notification(notification),
            Ok(ClientMessage::Response(response)) => self.response(response),
            Err(refusal) => self.refuse(refusal.0, refusal.1),
        }
        let wanted = self.files.wanted();
        if self.sends_files && !wanted.is_empty() {
            self.outbox.send(&Notification::new("chatls/filesWanted", json!({"uris": wanted})));
        }
        let frames = self.outbox.take();
        let bodies: Vec<&[u8]> = frames.iter().map(Frame::body).collect();
        [b"[", bodies.join(&b","[..]).as_slice(), b"]"].concat()
    }

    fn request(&mut self, id: Id, request: Request) {
        let (method, _, params) = request.into_parts();
        if let Err(error) = self.phase.allow(&method) {
            return self.refuse(id, error);
        }
        match &*method {
            "initialize" => match SessionParams::of_request(params.as_ref()) {
                Ok(session) => self.initialize(&id, session),
                Err(error) => self.refuse(id, error),
            },
            "shutdown" => {
                self.phase = SessionPhase::ShutDown;
                self.outbox.send(&Answer::new(&id, Value::Null));
            }
            _ => {
                let params = params.unwrap_or_default();
                if let Err(error) = self.begin(&id, &method, params) {
                    self.refuse(id, error);
                }
            }
        }
    }

    fn initialize(&mut self, id: &Id, session: SessionParams) {
        self.client = session.capabilities;
        self.client.diagnostics.pulls_workspace = false;
        self.folders = session.folders.into();
        let options = session.initialization_options;
        self.sends_files = options.as_ref().is_some_and(|options| options["files"] == true);
        self.editor = EditorSettings::initial(options);
        self.phase = SessionPhase::Running;
        self.outbox.send(&Answer::new(id, initialize_result(&self.client, None)));
    }

    /// Begins a request on a document.
    fn begin(&mut self, id: &Id, method: &str, params: Value) -> Result<(), Error> {
        let route = DOCUMENT_REQUESTS.iter().find(|route| route.method == method);
        let route = route.ok_or_else(Error::method_not_found)?;
        let request = route.request(Some(params.clone()), &|| self.pending.begin(id))?;
        let Some(open) = self.documents.get(&request.uri) else {
            let is_open = format!("{} is not open", request.uri);
            let error = match request.needs {
                RequestNeeds::Diagnostics => server_cancelled("it is not open"),
                _ => message::error(ErrorCode::InvalidParams, is_open),
            };
            request.pending.refuse(error);
            return Ok(());
        };
        let replay = Arc::new(Replay::default());
        let snapshot = self.snapshot(open, request.needs, &replay);
        let dialog = Dialog { route, params, pending: request.pending, snapshot, replay };
        self.go_on(dialog);
        Ok(())
    }

    /// Runs the handler of `dialog`. If the handler asks the client a question that has no answer
    /// yet, it runs again from its beginning once there is one.
    fn go_on(&mut self, mut dialog: Dialog) {
        let sent = Arc::new(Outbox::default());
        dialog.snapshot.peer.outbox = Arc::clone(&sent);
        let result = dialog.run();
        if let Some((method, params)) = dialog.replay.asked() {
            self.serial += 1;
            let id = Id::String(format!("chatls/{}", self.serial));
            let request = Request::build(method).id(id.clone()).params(params).finish();
            self.outbox.send(&request);
            self.dialogs.insert(id, dialog);
            return;
        }
        sent.take().into_iter().for_each(|frame| self.outbox.send_frame(frame));
        dialog.pending.finish(result);
    }

    fn response(&mut self, response: Response) {
        let (id, result) = response.into_parts();
        if id == Id::String(CONFIGURATION.to_owned()) {
            let values = result.ok().and_then(|values| serde_json::from_value(values).ok());
            self.editor.set_configuration(vec![None], values);
            return self.load_settings();
        }
        if let Some(dialog) = self.dialogs.remove(&id) {
            dialog.replay.answer(result);
            self.go_on(dialog);
        }
    }

    fn notification(&mut self, notification: Request) {
        let (method, _, params) = notification.into_parts();
        if let Err(error) = self.notice(&method, params) {
            tracing::warn!(%method, %error, "invalid params: the notification is dropped");
        }
    }

    fn notice(&mut self, method: &str, params: Option<Value>) -> Result<(), Error> {
        match method {
            _ if self.phase != SessionPhase::Running => {}
            Initialized::METHOD => self.request_configuration(),
            DidOpenTextDocument::METHOD => self.did_open(parse(params)?),
            DidChangeTextDocument::METHOD => self.did_change(parse(params)?),
            DidCloseTextDocument::METHOD => self.did_close(&parse(params)?),
            DidChangeConfiguration::METHOD => {
                self.editor.change(&params.unwrap_or_default()["settings"]);
                self.request_configuration();
                self.load_settings();
            }
            DidChangeWorkspaceFolders::METHOD => {
                let DidChangeWorkspaceFoldersParams { event } = parse(params)?;
                self.folders = folders::changed(&self.folders, event).into();
                self.load_settings();
            }
            "chatls/files" => self.take_files(parse(params)?),
            "$/cancelRequest" => self.cancel(&params.unwrap_or_default()),
            _ => {}
        }
        Ok(())
    }

    fn did_open(&mut self, params: DidOpenParams) {
        let OpenedDocument { uri, version, kind, language, text } = params.into();
        let settings = Arc::new(Settings::default());
        let key = Url::clone(&uri);
        let mut open = SessionDocument {
            uri,
            version,
            kind,
            document: Document::new(Text::default(), language, Arc::clone(&settings)),
            file: None,
            state: self.next_state(),
            history: Arc::default(),
        };
        let settings = self.settings_of(&mut open);
        open.document = Document::new(text, language, settings);
        self.outbox.reserve_diagnostics(&key, open.state);
        self.documents.insert(key.clone(), open);
        self.publish(&key);
    }

    fn did_change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let (encoding, state) = (self.client.encoding, self.next_state());
        let Some(open) = self.documents.get_mut(&uri) else { return };
        if params.text_document.version < open.version {
            return;
        }
        (open.version, open.state) = (params.text_document.version, state);
        let edits: Vec<_> = params.content_changes.into_iter().map(lsp_change_to_edit).collect();
        for edit in &edits {
            open.document.edit(edit, encoding);
        }
        let document = &open.document;
        let changed = open.kind.changed_language(document.language(), document.text(), &edits);
        if let Some(language) = changed {
            open.document = Document::new(document.text().clone(), language, Arc::clone(document.settings()));
        }
        self.publish(&uri);
    }

    fn did_close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        let ticket = self.next_state();
        let Some(open) = self.documents.remove(uri) else { return };
        let view = DiagnosticView { client: &self.client, uri: open.uri.spelling(), pages: &self.pages };
        if !self.client.diagnostics.pulls
            && let Some(frame) = publish_frame(WireDiagnosticArray::of(None, None, view), Some(open.version))
        {
            self.outbox.publish_last(uri, ticket, frame);
        }
    }

    /// Takes in files that configurations may name.
    fn take_files(&mut self, params: FilesParams) {
        self.files.take(params);
        self.loader.refresh(&*self.files);
        self.load_settings();
    }

    fn request_configuration(&mut self) {
        if self.client.workspace_configuration {
            let params = json!({"items": [{"section": "chatls"}]});
            let id = Id::String(CONFIGURATION.to_owned());
            self.outbox.send(&Request::build("workspace/configuration").id(id).params(params).finish());
        }
    }

    /// Finds the settings of all documents again.
    fn load_settings(&mut self) {
        for (uri, mut open) in std::mem::take(&mut self.documents) {
            let settings = self.settings_of(&mut open);
            // A large document is parsed again only under other settings.
            if **open.document.settings() != *settings {
                open.document.set_settings(settings);
            }
            open.state = self.next_state();
            self.documents.insert(uri.clone(), open);
            self.publish(&uri);
        }
    }

    /// The settings of a document, whose diagnostics as a configuration file are found, too.
    fn settings_of(&mut self, open: &mut SessionDocument) -> Arc<Settings> {
        let path = file_path(&open.uri);
        let folders: Vec<_> = self.folders.iter().filter_map(file_path).collect();
        let place = ConfigLocation {
            document: path.as_deref(),
            is_chat: open.kind.is_chat() || is_chat_name(std::path::Path::new(open.uri.path())),
            folders: &folders,
            project: None,
            config: None,
            editor: self.editor.for_document(&open.uri),
        };
        let Loaded { settings, problems, sources, .. } = self.loader.load(&*self.files, &place);
        let mut errors = Vec::new();
        let files = config_files(&sources, &problems, |problem| errors.push(problem.message.clone()));
        open.file = files.iter().find(|file| path.as_ref() == Some(&file.path)).cloned();
        if !errors.is_empty() {
            self.outbox.send(&message::show_message(MessageType::WARNING, errors.join("\n")));
        }
        settings
    }

    /// Publishes the diagnostics of an open document, unless the client pulls them.
    fn publish(&mut self, uri: &Url) {
        let ticket = self.next_state();
        let Some(open) = self.documents.get(uri).filter(|_| !self.client.diagnostics.pulls) else { return };
        let file = open.file.as_ref().map(|file| file.moved(open.document.text()));
        let view = DiagnosticView { client: &self.client, uri: open.uri.spelling(), pages: &self.pages };
        let diagnostics = WireDiagnosticArray::of(Some(&open.document), file.as_deref(), view);
        if let Some(frame) = publish_frame(diagnostics, Some(open.version)) {
            self.outbox.publish(uri, ticket, frame);
        }
    }

    fn snapshot(&self, open: &SessionDocument, needs: RequestNeeds, replay: &Arc<Replay>) -> Snapshot {
        let connection = Arc::<Replay>::clone(replay);
        let is_other = |other: &&SessionDocument| other.uri.as_str() != open.uri.as_str();
        let others = self.documents.values().filter(|_| needs == RequestNeeds::OtherDocuments);
        let other = |other: &SessionDocument| OtherDocument {
            document: other.document.clone(),
            uri: other.uri.clone(),
            version: other.version,
            path: file_path(&other.uri),
        };
        Snapshot {
            document: open.document.clone(),
            uri: open.uri.clone(),
            version: Some(open.version),
            state: open.state,
            file: open.file.as_ref().map(|file| file.moved(open.document.text())),
            client: self.client,
            folders: Arc::clone(&self.folders),
            pages: Arc::clone(&self.pages),
            files: Arc::<ClientFiles>::clone(&self.files),
            peer: ClientPeer { connection, outbox: Arc::clone(&self.outbox) },
            history: Arc::clone(&open.history),
            others: others.filter(is_other).map(other).collect(),
        }
    }

    fn cancel(&mut self, params: &Value) {
        let Ok(id) = serde_json::from_value::<Id>(params["id"].clone()) else { return };
        if self.pending.cancel(&id) {
            self.dialogs.retain(|_, dialog| dialog.pending.id != id);
            self.refuse(id, Error::request_cancelled());
        }
    }

    fn next_state(&mut self) -> Ticket {
        self.serial += 1;
        Ticket(self.serial)
    }

    fn refuse(&self, id: Id, error: Error) {
        self.outbox.send(&Response::from_error(id, error));
    }
}

/// The id of the request for the client's settings.
const CONFIGURATION: &str = "chatls/configuration";
