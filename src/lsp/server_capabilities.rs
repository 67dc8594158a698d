//! The response to `initialize`.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, CompletionOptions,
    DeclarationCapability, DiagnosticOptions, DiagnosticServerCapabilities, DocumentLinkOptions,
    DocumentOnTypeFormattingOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, ImplementationProviderCapability, InlayHintOptions, InlayHintServerCapabilities,
    LinkedEditingRangeServerCapabilities, OneOf, RenameOptions, SaveOptions,
    SelectionRangeProviderCapability, ServerCapabilities, ServerInfo, SignatureHelpOptions,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::dialect::DIALECTS;
use crate::features::conversion::targets;
use crate::features::{completion, formatting, signature_help};
use crate::lsp::client_capabilities::{DiagnosticCapabilities, SessionCapabilities, encoding_kind};
use crate::lsp::conversions::command_arguments::{COMMANDS, RUN_COMMANDS};
use crate::lsp::handlers::{DOCUMENT_REQUESTS, code_action};

/// LSP 3.17, `InitializeResult`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeResult {
    capabilities: Value,
    server_info: ServerInfo,
}

/// The result of `initialize` for a client with the capabilities `client`. `workspace` are the
/// requests of chatls on the workspace, if there is one.
pub fn initialize_result(client: &SessionCapabilities, workspace: Option<&[&str]>) -> InitializeResult {
    let mut capabilities = json!(ServerCapabilities {
        workspace_symbol_provider: workspace.map(|_| OneOf::Left(true)),
        experimental: Some(json!({"chatls": extensions(client, workspace.unwrap_or_default())})),
        ..server_capabilities(client)
    });
    // LSP 3.18, which lsp-types lacks.
    capabilities["documentRangeFormattingProvider"] = json!({"rangesSupport": true});
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult { capabilities, server_info: ServerInfo { name: "chatls".to_owned(), version } }
}

/// LSP 3.17, `ServerCapabilities`, in the order of the specification.
fn server_capabilities(client: &SessionCapabilities) -> ServerCapabilities {
    let triggers = |characters: &[char]| characters.iter().map(char::to_string).collect::<Vec<_>>();
    let [first_format_trigger, more_format_triggers @ ..] = formatting::ON_TYPE;
    let run_commands = if client.runs() { RUN_COMMANDS } else { &[] };
    let with_progress = WorkDoneProgressOptions { work_done_progress: Some(true) };
    ServerCapabilities {
        position_encoding: Some(encoding_kind(client.encoding)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers(&completion::TRIGGERS)),
            resolve_provider: Some(true),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(triggers(&signature_help::TRIGGERS)),
            retrigger_characters: Some(triggers(&signature_help::RETRIGGERS)),
            ..SignatureHelpOptions::default()
        }),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        // Options are only for clients that support literals; others get no actions.
        code_action_provider: client.actions.literals.then(|| {
            CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(code_action::kinds(client).map(CodeActionKind::from).collect()),
                resolve_provider: Some(true),
                ..CodeActionOptions::default()
            })
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: first_format_trigger.to_string(),
            more_trigger_character: Some(triggers(&more_format_triggers)),
        }),
        // Options are only for clients that support `prepareRename`.
        rename_provider: Some(match client.prepares_rename {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().chain(run_commands).map(ToString::to_string).collect(),
            work_done_progress_options: with_progress,
        }),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        semantic_tokens_provider: client.tokens.provider(),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(InlayHintOptions {
            work_done_progress_options: WorkDoneProgressOptions::default(),
            resolve_provider: Some(client.resolves_hints),
        }))),
        diagnostic_provider: client.diagnostics.pulls.then(|| diagnostic_provider(client.diagnostics)),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}

fn diagnostic_provider(client: DiagnosticCapabilities) -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("chatls".to_owned()),
        // A change of configuration affects other files, but with `true` editors would pull all
        // documents after each edit of a document. They get a refresh request instead.
        inter_file_dependencies: false,
        workspace_diagnostics: client.pulls_workspace,
        work_done_progress_options: WorkDoneProgressOptions {
            work_done_progress: client.pulls_workspace.then_some(true),
        },
    })
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
