//! Request handlers, one file per request or family of requests, and the list of them.

pub mod calls;
pub mod code_action;
pub mod code_lens;
pub mod compare;
pub mod completion;
pub mod config_file;
pub mod conversation;
pub mod document_diagnostic;
pub mod document_link;
pub mod document_symbol;
pub mod events;
pub mod execute_command;
pub mod export;
pub mod folding_range;
pub mod formatting;
pub mod goto;
pub mod hover;
pub mod inlay_hint;
pub mod model_request;
pub mod references;
pub mod rename;
pub mod repair;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod tool_uses;
pub mod transcript;

use std::sync::LazyLock;

use lsp_types::request::{self, Request as _};
use serde_json::Value;

use crate::lsp::request::{RequestNeeds, Route};

/// The requests on documents.
pub static DOCUMENT_REQUESTS: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let config_files = |_: &Value| RequestNeeds::ConfigFiles;
    let other_documents = |_: &Value| RequestNeeds::OtherDocuments;
    vec![
        Route::on("chatls/calls", calls::calls),
        Route::on(request::CodeActionRequest::METHOD, code_action::code_action).needs(config_files),
        Route::resolving(request::CodeActionResolveRequest::METHOD, code_action::resolve).needs(config_files),
        Route::on(request::CodeLensRequest::METHOD, code_lens::code_lens),
        Route::on("chatls/compare", compare::compare),
        Route::on(request::Completion::METHOD, completion::completion),
        Route::resolving(request::ResolveCompletionItem::METHOD, completion::resolve),
        Route::on("chatls/conversation", conversation::conversation),
        Route::on(request::DocumentDiagnosticRequest::METHOD, document_diagnostic::document_diagnostic)
            .needs(|_| RequestNeeds::Diagnostics),
        Route::on(request::DocumentLinkRequest::METHOD, document_link::document_link),
        Route::on(request::DocumentSymbolRequest::METHOD, document_symbol::document_symbol),
        Route::on("chatls/events", events::events),
        Route::commands(request::ExecuteCommand::METHOD, execute_command::execute_command)
            .needs(execute_command::needs),
        Route::on("chatls/export", export::export),
        Route::on(request::FoldingRangeRequest::METHOD, folding_range::folding_range),
        Route::on("chatls/foldingRanges", folding_range::folding_ranges_in),
        Route::on(request::Formatting::METHOD, formatting::formatting),
        Route::on(request::RangeFormatting::METHOD, formatting::range_formatting),
        Route::on("textDocument/rangesFormatting", formatting::ranges_formatting),
        Route::on(request::OnTypeFormatting::METHOD, formatting::on_type_formatting),
        Route::on(request::GotoDefinition::METHOD, goto::definition).needs(other_documents),
        Route::on(request::GotoDeclaration::METHOD, goto::declaration),
        Route::on(request::GotoImplementation::METHOD, goto::implementation),
        Route::on(request::HoverRequest::METHOD, hover::hover),
        Route::on(request::InlayHintRequest::METHOD, inlay_hint::inlay_hint),
        Route::resolving(request::InlayHintResolveRequest::METHOD, inlay_hint::resolve),
        Route::on("chatls/modelRequest", model_request::model_request),
        Route::on("chatls/newToolUse", tool_uses::new_tool_use),
        Route::on("chatls/nextToolUse", tool_uses::next_tool_use),
        Route::on("chatls/redacted", export::redacted),
        Route::on(request::References::METHOD, references::references).needs(other_documents),
        Route::on(request::DocumentHighlightRequest::METHOD, references::document_highlight),
        Route::on(request::LinkedEditingRange::METHOD, references::linked_editing_range),
        Route::on(request::PrepareRenameRequest::METHOD, rename::prepare_rename),
        Route::on(request::Rename::METHOD, rename::rename).needs(other_documents),
        Route::on("chatls/repair", repair::repair),
        Route::on(request::SelectionRangeRequest::METHOD, selection_range::selection_range),
        Route::on(request::SemanticTokensFullRequest::METHOD, semantic_tokens::semantic_tokens),
        Route::on(request::SemanticTokensFullDeltaRequest::METHOD, semantic_tokens::semantic_tokens_delta),
        Route::on(request::SemanticTokensRangeRequest::METHOD, semantic_tokens::semantic_tokens_range),
        Route::on(request::SignatureHelpRequest::METHOD, signature_help::signature_help),
        Route::on("chatls/statistics", calls::statistics),
        Route::on("chatls/toolUses", tool_uses::tool_uses),
        Route::on("chatls/transcript", transcript::transcript),
    ]
});
