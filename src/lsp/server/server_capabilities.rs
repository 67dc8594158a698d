//! The response to `initialize`.

use lsp_types::{
    OneOf, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::dialect::DIALECTS;
use crate::features::conversion::targets;
use crate::lsp::client_capabilities::{SessionCapabilities, encoding_kind};
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
use crate::lsp::handlers::DOCUMENT_REQUESTS;
use crate::lsp::server::{included, sessions};

/// LSP 3.17, `InitializeResult`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    capabilities: AnnouncedCapabilities,
    server_info: ServerInfo,
}

/// The result of `initialize` for a client with the capabilities `client`.
pub fn initialize_result(client: &SessionCapabilities) -> InitializeResult {
    let mut capabilities = AnnouncedCapabilities::from(ServerCapabilities {
        position_encoding: Some(encoding_kind(client.encoding)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        experimental: Some(json!({"chatls": extensions(client)})),
        ..ServerCapabilities::default()
    });
    for route in DOCUMENT_REQUESTS {
        (route.announce)(&mut capabilities, client);
    }
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult { capabilities, server_info: ServerInfo { name: "chatls".to_owned(), version } }
}

/// The requests that LSP lacks, by their names after `chatls/`, and the names of dialects
/// (docs/extensions.md).
fn extensions(client: &SessionCapabilities) -> Map<String, Value> {
    let methods = DOCUMENT_REQUESTS.iter().map(|route| route.method);
    let methods = methods.chain([included::METHOD, sessions::LIST, sessions::TEXT]);
    let names = methods.filter_map(|method| method.strip_prefix("chatls/"));
    let requests = names.map(|name| (name.to_owned(), Value::Bool(true)));
    let dialects = DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>();
    let targets = targets().map(|(dialect, _)| dialect.name).collect::<Vec<_>>();
    let lists = [("dialects".to_owned(), json!(dialects)), ("convertTo".to_owned(), json!(targets))];
    let runs = client.runs().then(|| ("run".to_owned(), Value::Bool(true)));
    // A parameter of requests: a server without it would ignore it, and send everything.
    let redacts = ("redact".to_owned(), Value::Bool(true));
    requests.chain(lists).chain(runs).chain([redacts]).collect()
}
