//! The response to `initialize`.

use lsp_types::TextDocumentSyncKind;
use serde_json::{Map, Value, json};

use crate::dialect::DIALECTS;
use crate::features::conversion::targets;
use crate::features::{completion, formatting, signature_help};
use crate::lsp::client_capabilities::{SessionCapabilities, encoding_kind};
use crate::lsp::conversions::command_arguments::{COMMANDS, RUN_COMMANDS};
use crate::lsp::handlers::{DOCUMENT_REQUESTS, code_action};

/// The result of `initialize` for a client with the capabilities `client`. `workspace` are the
/// requests of chatls on the workspace, if there is one.
pub fn initialize_result(client: &SessionCapabilities, workspace: Option<&[&str]>) -> Value {
    let mut capabilities = server_capabilities(client);
    if workspace.is_some() {
        capabilities["workspaceSymbolProvider"] = json!(true);
    }
    capabilities["experimental"] = json!({"chatls": extensions(client, workspace.unwrap_or_default())});
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": "chatls", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// LSP 3.17, `ServerCapabilities`. Options that only some clients read are left out for the others.
fn server_capabilities(client: &SessionCapabilities) -> Value {
    let [first_format_trigger, more_format_triggers @ ..] = formatting::ON_TYPE;
    let run_commands = if client.runs() { RUN_COMMANDS } else { &[] };
    let mut capabilities = json!({
        "positionEncoding": encoding_kind(client.encoding),
        "textDocumentSync": {
            "openClose": true,
            "change": TextDocumentSyncKind::INCREMENTAL,
            "save": {"includeText": false},
        },
        "completionProvider": {"triggerCharacters": completion::TRIGGERS, "resolveProvider": true},
        "hoverProvider": true,
        "signatureHelpProvider": {
            "triggerCharacters": signature_help::TRIGGERS,
            "retriggerCharacters": signature_help::RETRIGGERS,
        },
        "declarationProvider": true,
        "definitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "codeLensProvider": {"resolveProvider": false},
        "documentLinkProvider": {"resolveProvider": false},
        "documentFormattingProvider": true,
        // `rangesSupport` is of LSP 3.18.
        "documentRangeFormattingProvider": {"rangesSupport": true},
        "documentOnTypeFormattingProvider": {
            "firstTriggerCharacter": first_format_trigger,
            "moreTriggerCharacter": more_format_triggers,
        },
        "renameProvider": true,
        "foldingRangeProvider": true,
        "executeCommandProvider": {
            "commands": COMMANDS.iter().chain(run_commands).collect::<Vec<_>>(),
            "workDoneProgress": true,
        },
        "selectionRangeProvider": true,
        "linkedEditingRangeProvider": true,
        "inlayHintProvider": {"resolveProvider": client.resolves_hints},
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    });
    if client.actions.literals {
        let kinds = code_action::kinds(client).collect::<Vec<_>>();
        capabilities["codeActionProvider"] = json!({"codeActionKinds": kinds, "resolveProvider": true});
    }
    if client.prepares_rename {
        capabilities["renameProvider"] = json!({"prepareProvider": true});
    }
    if client.tokens.is_supported {
        capabilities["semanticTokensProvider"] = client.tokens.provider();
    }
    if client.diagnostics.pulls {
        // A change of configuration affects other files, but with `true` editors would pull all
        // documents after each edit of a document. They get a refresh request instead.
        let mut provider = json!({"identifier": "chatls", "interFileDependencies": false});
        provider["workspaceDiagnostics"] = json!(client.diagnostics.pulls_workspace);
        if client.diagnostics.pulls_workspace {
            provider["workDoneProgress"] = json!(true);
        }
        capabilities["diagnosticProvider"] = provider;
    }
    capabilities
}

/// The requests that LSP lacks, by their names after `chatls/`, and the names of dialects
/// (docs/extensions.md).
fn extensions(client: &SessionCapabilities, workspace: &[&str]) -> Map<String, Value> {
    let methods = DOCUMENT_REQUESTS.iter().map(|route| route.method);
    let methods = methods.chain(workspace.iter().copied());
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
