//! The data that a request handler works on.

use crate::config::Files;
use crate::document::Document;
use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::diagnostics::DiagnosticView;
use crate::lsp::conversions::locations::{byte_at, client_position_to_lsp, lsp_range, lsp_range_to_client};
use crate::lsp::handlers::document_link::FoundLinks;
use crate::lsp::peer::ClientPeer;
#[cfg(feature = "run")]
use crate::lsp::server::connection::ServerConnection;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::lsp::wire::outbox::Ticket;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::ConfigFile;
use crate::text::position::{byte_to_client_position, client_range_to_bytes};
use crate::text::{ClientCursor, Text};
use lsp_types::{Position, SemanticToken, Url};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The edits of one text.
pub struct EditedDocument<'a> {
    /// Its URI, as the client spells it.
    pub uri: &'a str,
    /// Its version; `None` if it is not open.
    pub version: Option<i32>,
    /// The text.
    pub text: &'a Text,
    /// Edits in its bytes, in order.
    pub edits: Vec<(Range<usize>, String)>,
}

/// The data of a request: the document as it was in the request's turn.
pub struct Snapshot {
    /// The document.
    pub document: Document,
    /// Its URI.
    pub uri: DocumentUri,
    /// Its version; `None` for a configuration file that is not open.
    pub version: Option<i32>,
    /// The state of its text and settings.
    pub state: Ticket,
    /// Its diagnostics as a configuration file.
    pub file: Option<Arc<ConfigFile>>,
    /// The client's capabilities.
    pub client: SessionCapabilities,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The pages that codes link to.
    pub pages: Arc<Pages>,
    /// Access to files.
    pub files: Arc<dyn Files + Send + Sync>,
    /// The connection to the client.
    pub peer: ClientPeer,
    /// The same, for runs.
    #[cfg(feature = "run")]
    pub connection: ServerConnection,
    /// The results of the last requests on it.
    pub history: Arc<RequestHistory>,
    /// The other open documents that are parsed, if the request concerns them, too.
    pub others: Vec<OtherDocument>,
    /// Access to the open documents, for reading one again.
    #[cfg(feature = "run")]
    pub documents: Arc<dyn OpenDocuments>,
    /// The runs of calls.
    #[cfg(feature = "run")]
    pub runs: Arc<crate::lsp::runs::Runs>,
}

/// The open documents, for handlers that wait.
#[cfg(feature = "run")]
pub trait OpenDocuments: Send + Sync {
    /// The newest version of the document `uri`; `None` if it is not open, or cannot be parsed.
    /// Waits until it is parsed.
    fn newest(&self, uri: &Url) -> Option<Snapshot>;

    /// Reads the settings of all documents again whose files have changed.
    fn settings_changed(&self);

    /// Ends servers that no configuration of an open document names any more.
    fn end_unused_servers(&self);
}

/// Another open document, as it was in the request's turn.
pub struct OtherDocument {
    /// The document.
    pub document: Document,
    /// Its URI.
    pub uri: DocumentUri,
    /// Its version.
    pub version: i32,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
}

impl OtherDocument {
    /// Edits of it.
    pub fn edited(&self, edits: Vec<(Range<usize>, String)>) -> EditedDocument<'_> {
        EditedDocument {
            uri: self.uri.spelling(),
            version: Some(self.version),
            text: self.document.text(),
            edits,
        }
    }
}

impl Snapshot {
    /// Edits of its document.
    pub fn edited(&self, edits: Vec<(Range<usize>, String)>) -> EditedDocument<'_> {
        EditedDocument { uri: self.uri.spelling(), version: self.version, text: self.document.text(), edits }
    }

    /// The text of its document.
    pub fn text(&self) -> &Text {
        self.document.text()
    }

    /// The document offset of a position.
    pub fn byte(&self, position: Position) -> usize {
        byte_at(self.text(), position, self.client.encoding)
    }

    /// The document offsets of a range.
    pub fn bytes(&self, range: lsp_types::Range) -> Range<usize> {
        client_range_to_bytes(self.text(), lsp_range_to_client(range), self.client.encoding)
    }

    /// The position of a document offset.
    pub fn position(&self, byte: usize) -> Position {
        client_position_to_lsp(byte_to_client_position(self.text(), byte, self.client.encoding))
    }

    /// The LSP range of document offsets.
    pub fn range(&self, bytes: &Range<usize>) -> lsp_types::Range {
        lsp_range(self.text(), bytes, self.client.encoding)
    }

    /// Converts many document offsets, mostly in ascending order.
    pub fn cursor(&self) -> ClientCursor<'_> {
        ClientCursor::new(self.text(), self.client.encoding)
    }

    /// The context that its diagnostics are rendered with.
    pub fn view(&self) -> DiagnosticView<'_> {
        DiagnosticView { client: &self.client, uri: self.uri.spelling(), pages: &self.pages }
    }
}

/// The results of the last requests on a document, shared by all requests on it.
#[derive(Debug, Default)]
pub struct RequestHistory {
    /// The tokens that were sent last, for deltas.
    pub tokens: Mutex<LastTokens>,
    /// The targets of links that were found last.
    pub links: Mutex<Option<FoundLinks>>,
}

/// The tokens of a response.
#[derive(Debug, Default)]
pub struct LastTokens {
    /// The number of the response.
    pub(crate) id: u64,
    pub(crate) data: Vec<SemanticToken>,
}
