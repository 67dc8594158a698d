//! What the client can do, and what the server says that it does.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    DeclarationCapability, DiagnosticOptions, DiagnosticServerCapabilities, DiagnosticTag,
    ExecuteCommandOptions, FoldingRangeKind, FoldingRangeProviderCapability, GotoCapability,
    HoverProviderCapability, ImplementationProviderCapability, InitializeParams, InitializeResult,
    LinkedEditingRangeServerCapabilities, MarkupKind, OneOf, PositionEncodingKind, RenameOptions,
    ResourceOperationKind, SaveOptions, SelectionRangeProviderCapability, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    Url, WorkDoneProgressOptions, WorkspaceEditClientCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use serde_json::json;

use crate::features::folding::FoldingCapabilities;
use crate::text::Encoding;

use super::code_actions::{self, CodeActionCapabilities};
use super::completion::{self, CompletionCapabilities};
use super::document_links;
use super::formatting;
use super::goto::GotoCapabilities;
use super::inlay_hints::InlayHintCapabilities;
use super::refactorings;
use super::semantic_tokens::SemanticTokensCapabilities;
use super::signature_help::{self, SignatureHelpCapabilities};

/// What holds for a whole session.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionCapabilities {
    /// What columns are counted in.
    pub encoding: Encoding,
    /// How many folds it takes.
    pub folding: FoldingCapabilities,
    /// Whether it shows a fold's own text.
    pub collapsed_text: bool,
    /// Whether it knows folds of the kind `region`.
    pub region: bool,
    /// Whether it takes an outline as a tree.
    pub symbol_tree: bool,
    /// Which places it takes with what leads there.
    pub goto: GotoCapabilities,
    /// Whether it asks what can be renamed before it does.
    pub prepares_rename: bool,
    /// What it can do with diagnostics.
    pub diagnostics: DiagnosticCapabilities,
    /// Whether it can be asked for its settings.
    pub workspace_configuration: bool,
    /// What it can do with code actions.
    pub actions: CodeActionCapabilities,
    /// What it can do with completions.
    pub completion: CompletionCapabilities,
    /// What it can do with signatures.
    pub signatures: SignatureHelpCapabilities,
    /// Whether it makes edits that it is asked to make.
    pub applies_edits: bool,
    /// Whether such an edit may make a file.
    pub creates_files: bool,
    /// Whether it shows Markdown where documentation is.
    pub markdown: bool,
    /// What it can do with inlay hints.
    pub hints: InlayHintCapabilities,
    /// What it can do with semantic tokens.
    pub tokens: SemanticTokensCapabilities,
    /// Whether files to watch can be registered with it.
    pub watches_files: bool,
    /// Whether it takes a registration for changes of its settings.
    pub registers_did_change_configuration: bool,
}

/// What the client can do with diagnostics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticCapabilities {
    /// Whether it asks for those of open documents, which are not pushed then.
    pub pulls: bool,
    /// Whether it may be offered those of the whole workspace.
    pub pulls_workspace: bool,
    /// Whether it can be told to ask again.
    pub refreshes: bool,
    /// Whether it sees the last answer to a request before the parts of it that were sent first.
    pub is_out_of_order: bool,
    /// Whether it shows what else a diagnostic is about.
    pub related_information: bool,
    /// Whether it fades what is unnecessary.
    pub unnecessary: bool,
    /// Whether it strikes out what is deprecated.
    pub deprecated: bool,
    /// Whether it links a code to its page.
    pub pages: bool,
}

impl DiagnosticCapabilities {
    fn new(capabilities: &ClientCapabilities, name: &str) -> Self {
        let document = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref().and_then(|it| it.diagnostic.as_ref());
        let published = document.and_then(|it| it.publish_diagnostics.as_ref());
        let tags = published.and_then(|it| it.tag_support.as_ref()).map(|it| it.value_set.as_slice());
        let has_tag = |tag| tags.is_some_and(|tags| tags.contains(&tag));
        let pulls = document.is_some_and(|it| it.diagnostic.is_some());
        Self {
            pulls,
            // Neovim asks only when its user says so. Where it could, up to 0.12.4 at least, a refresh makes it ask for
            // the workspace instead of the open documents, and it leaves those out of what it takes from the answer.
            pulls_workspace: pulls && name != "Neovim",
            refreshes: workspace.and_then(|it| it.refresh_support).unwrap_or_default(),
            is_out_of_order: name.starts_with("Zed"),
            related_information: published.and_then(|it| it.related_information).unwrap_or_default(),
            unnecessary: has_tag(DiagnosticTag::UNNECESSARY),
            deprecated: has_tag(DiagnosticTag::DEPRECATED),
            pages: published.and_then(|it| it.code_description_support).unwrap_or_default(),
        }
    }
}

impl SessionCapabilities {
    /// What `params` come to. `lineFoldingOnly` needs nothing: all folds are whole lines.
    pub fn new(params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let name = params.client_info.as_ref().map_or("", |it| it.name.as_str());
        let document = capabilities.text_document.as_ref();
        let links = |it: Option<&GotoCapability>| it.and_then(|it| it.link_support).unwrap_or_default();
        let folding = document.and_then(|it| it.folding_range.as_ref());
        let kinds =
            folding.and_then(|it| it.folding_range_kind.as_ref()).and_then(|it| it.value_set.as_ref());
        let workspace = capabilities.workspace.as_ref();
        Self {
            encoding: encoding(capabilities),
            folding: FoldingCapabilities {
                range_limit: folding
                    .and_then(|it| it.range_limit)
                    .and_then(|limit| usize::try_from(limit).ok()),
            },
            collapsed_text: folding
                .and_then(|it| it.folding_range.as_ref())
                .and_then(|it| it.collapsed_text)
                .unwrap_or_default(),
            region: kinds.is_none_or(|kinds| kinds.contains(&FoldingRangeKind::Region)),
            symbol_tree: document
                .and_then(|it| it.document_symbol.as_ref())
                .and_then(|it| it.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            goto: GotoCapabilities {
                definition_links: links(document.and_then(|it| it.definition.as_ref())),
                declaration_links: links(document.and_then(|it| it.declaration.as_ref())),
                implementation_links: links(document.and_then(|it| it.implementation.as_ref())),
            },
            prepares_rename: document
                .and_then(|it| it.rename.as_ref())
                .and_then(|it| it.prepare_support)
                .unwrap_or_default(),
            diagnostics: DiagnosticCapabilities::new(capabilities, name),
            workspace_configuration: workspace.and_then(|it| it.configuration).unwrap_or_default(),
            actions: action_client(capabilities),
            completion: CompletionCapabilities::new(capabilities.text_document.as_ref()),
            signatures: SignatureHelpCapabilities::new(capabilities.text_document.as_ref()),
            creates_files: workspace.and_then(|it| it.workspace_edit.as_ref()).is_some_and(creates_files),
            applies_edits: workspace.and_then(|it| it.apply_edit).unwrap_or_default(),
            markdown: shows_markdown(capabilities),
            hints: InlayHintCapabilities::new(capabilities),
            tokens: SemanticTokensCapabilities::new(capabilities),
            watches_files: workspace
                .and_then(|it| it.did_change_watched_files)
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
            registers_did_change_configuration: workspace
                .and_then(|it| it.did_change_configuration)
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
        }
    }
}

fn creates_files(edits: &WorkspaceEditClientCapabilities) -> bool {
    let operations = edits.resource_operations.as_deref().unwrap_or_default();
    edits.document_changes == Some(true) && operations.contains(&ResourceOperationKind::Create)
}

fn action_client(capabilities: &ClientCapabilities) -> CodeActionCapabilities {
    let actions = capabilities.text_document.as_ref().and_then(|it| it.code_action.as_ref());
    let resolved = actions.and_then(|it| it.resolve_support.as_ref());
    let edits = capabilities.workspace.as_ref().and_then(|it| it.workspace_edit.as_ref());
    CodeActionCapabilities {
        literals: actions.is_some_and(|it| it.code_action_literal_support.is_some()),
        // What an action is told by comes back only as its data.
        resolves_edits: actions.and_then(|it| it.data_support).unwrap_or_default()
            && resolved.is_some_and(|it| it.properties.iter().any(|property| property == "edit")),
        show_message_request: capabilities.window.as_ref().is_some_and(|it| it.show_message.is_some()),
        versioned_edits: edits.and_then(|it| it.document_changes).unwrap_or_default(),
    }
}

/// Whether Markdown is what the client likes to be given in a hover.
fn shows_markdown(capabilities: &ClientCapabilities) -> bool {
    let hover = capabilities.text_document.as_ref().and_then(|it| it.hover.as_ref());
    let formats = hover.and_then(|it| it.content_format.as_deref()).unwrap_or_default();
    formats.first() == Some(&MarkupKind::Markdown)
}

/// The answer to `initialize`.
pub fn initialize_result(client: &SessionCapabilities) -> InitializeResult {
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding_kind(client.encoding)),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        })),
        document_link_provider: Some(document_links::provider()),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        // Options are only for clients that prepare.
        rename_provider: Some(match client.prepares_rename {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        diagnostic_provider: client.diagnostics.pulls.then(|| diagnostic_provider(client.diagnostics)),
        // Options are only for clients that take actions as literals, and others get none.
        code_action_provider: client.actions.literals.then(|| {
            CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(code_actions::KINDS.map(CodeActionKind::from).to_vec()),
                resolve_provider: Some(true),
                ..CodeActionOptions::default()
            })
        }),
        completion_provider: Some(completion::provider()),
        signature_help_provider: Some(signature_help::provider()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: refactorings::COMMANDS.map(str::to_owned).to_vec(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        inlay_hint_provider: Some(client.hints.provider()),
        semantic_tokens_provider: client.tokens.provider(),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(formatting::on_type_options()),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        experimental: Some(json!({"chatls": {
            "toolUses": true, "transcript": true, "events": true, "export": true, "compare": true,
            "foldingRanges": true, "nextToolUse": true, "newToolUse": true,
        }})),
        ..ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult { capabilities, server_info: Some(ServerInfo { name: "chatls".to_owned(), version }) }
}

fn diagnostic_provider(client: DiagnosticCapabilities) -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("chatls".to_owned()),
        // Configuration and registries change what is found in other files, but editors would ask for all documents
        // after each change of one: they are told by a refresh.
        inter_file_dependencies: false,
        workspace_diagnostics: client.pulls_workspace,
        work_done_progress_options: WorkDoneProgressOptions {
            work_done_progress: client.pulls_workspace.then_some(true),
        },
    })
}

/// The workspace's folders; `rootUri` where the client knows only one.
pub fn folders(params: &InitializeParams) -> Vec<Url> {
    match &params.workspace_folders {
        Some(folders) => folders.iter().map(|folder| folder.uri.clone()).collect(),
        None => params.root_uri.iter().cloned().collect(),
    }
}

/// The first of the client's encodings, in its order of preference, that is known; UTF-16, which every client has
/// to know, where it names none.
fn encoding(capabilities: &ClientCapabilities) -> Encoding {
    let offered =
        capabilities.general.as_ref().and_then(|it| it.position_encodings.as_deref()).unwrap_or_default();
    let known = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
    let find = |kind: &PositionEncodingKind| known.into_iter().find(|known| encoding_kind(*known) == *kind);
    offered.iter().find_map(find).unwrap_or_default()
}

fn encoding_kind(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}
