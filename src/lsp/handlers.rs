//! Request handlers, one file per request or family of requests.

pub mod code_action;
pub mod code_lens;
pub mod compare;
pub mod completion;
pub mod config_file;
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
pub mod new_tool_use;
pub mod next_tool_use;
pub mod references;
pub mod rename;
pub mod selection_range;
pub mod semantic_tokens;
pub mod signature_help;
pub mod tool_uses;
pub mod transcript;
