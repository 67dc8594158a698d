//! Request handlers, one file per request or family of requests, and the list of them.

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
pub mod new_tool_use;
pub mod next_tool_use;
pub mod references;
pub mod rename;
pub mod repair;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod tool_uses;
pub mod transcript;

use crate::lsp::handlers::code_action::{CodeActionHandler, CodeActionResolveHandler};
use crate::lsp::handlers::code_lens::CodeLensHandler;
use crate::lsp::handlers::compare::CompareHandler;
use crate::lsp::handlers::completion::{CompletionHandler, CompletionResolveHandler};
use crate::lsp::handlers::conversation::ConversationHandler;
use crate::lsp::handlers::document_diagnostic::DocumentDiagnosticHandler;
use crate::lsp::handlers::document_link::DocumentLinkHandler;
use crate::lsp::handlers::document_symbol::DocumentSymbolHandler;
use crate::lsp::handlers::events::EventsHandler;
use crate::lsp::handlers::execute_command::ExecuteCommandHandler;
use crate::lsp::handlers::export::ExportHandler;
use crate::lsp::handlers::folding_range::{FoldingRangeHandler, FoldingRangesInHandler};
use crate::lsp::handlers::formatting::{
    FormattingHandler, OnTypeFormattingHandler, RangeFormattingHandler, RangesFormattingHandler,
};
use crate::lsp::handlers::goto::{DeclarationHandler, DefinitionHandler, ImplementationHandler};
use crate::lsp::handlers::hover::HoverHandler;
use crate::lsp::handlers::inlay_hint::{InlayHintHandler, InlayHintResolveHandler};
use crate::lsp::handlers::model_request::ModelRequestHandler;
use crate::lsp::handlers::new_tool_use::NewToolUseHandler;
use crate::lsp::handlers::next_tool_use::NextToolUseHandler;
use crate::lsp::handlers::references::{
    DocumentHighlightHandler, LinkedEditingRangeHandler, ReferencesHandler,
};
use crate::lsp::handlers::rename::{PrepareRenameHandler, RenameHandler};
use crate::lsp::handlers::repair::RepairHandler;
use crate::lsp::handlers::selection_range::SelectionRangeHandler;
use crate::lsp::handlers::semantic_tokens::{
    SemanticTokensDeltaHandler, SemanticTokensHandler, SemanticTokensRangeHandler,
};
use crate::lsp::handlers::signature_help::SignatureHelpHandler;
use crate::lsp::handlers::tool_uses::ToolUsesHandler;
use crate::lsp::handlers::transcript::TranscriptHandler;
use crate::lsp::request::Route;

/// The requests on documents.
pub const DOCUMENT_REQUESTS: [Route; 41] = [
    Route::to::<CodeActionHandler>(),
    Route::to::<CodeActionResolveHandler>(),
    Route::to::<CodeLensHandler>(),
    Route::to::<CompareHandler>(),
    Route::to::<CompletionHandler>(),
    Route::to::<CompletionResolveHandler>(),
    Route::to::<ConversationHandler>(),
    Route::to::<DeclarationHandler>(),
    Route::to::<DefinitionHandler>(),
    Route::to::<DocumentDiagnosticHandler>(),
    Route::to::<DocumentHighlightHandler>(),
    Route::to::<DocumentLinkHandler>(),
    Route::to::<DocumentSymbolHandler>(),
    Route::to::<EventsHandler>(),
    Route::to::<ExecuteCommandHandler>(),
    Route::to::<ExportHandler>(),
    Route::to::<ModelRequestHandler>(),
    Route::to::<FoldingRangeHandler>(),
    Route::to::<FoldingRangesInHandler>(),
    Route::to::<FormattingHandler>(),
    Route::to::<HoverHandler>(),
    Route::to::<ImplementationHandler>(),
    Route::to::<InlayHintHandler>(),
    Route::to::<InlayHintResolveHandler>(),
    Route::to::<LinkedEditingRangeHandler>(),
    Route::to::<NewToolUseHandler>(),
    Route::to::<NextToolUseHandler>(),
    Route::to::<OnTypeFormattingHandler>(),
    Route::to::<PrepareRenameHandler>(),
    Route::to::<RangeFormattingHandler>(),
    Route::to::<RangesFormattingHandler>(),
    Route::to::<ReferencesHandler>(),
    Route::to::<RenameHandler>(),
    Route::to::<RepairHandler>(),
    Route::to::<SelectionRangeHandler>(),
    Route::to::<SemanticTokensDeltaHandler>(),
    Route::to::<SemanticTokensHandler>(),
    Route::to::<SemanticTokensRangeHandler>(),
    Route::to::<SignatureHelpHandler>(),
    Route::to::<ToolUsesHandler>(),
    Route::to::<TranscriptHandler>(),
];
