//! Features: the computations for requests of editors and for commands, from plain data to plain
//! data. A feature uses another feature only if it is built on it.

pub mod call_records;
pub mod chat_forms;
pub mod code_actions;
pub mod code_lens;
pub mod compare;
pub mod completion;
pub mod continuation;
pub mod conversion;
pub mod document_links;
pub mod export;
pub mod folding;
pub mod formatting;
pub mod goto;
pub mod highlights;
pub mod hover;
pub mod inlay_hints;
pub mod linked_editing;
pub mod new_call;
pub mod next_tool_use;
pub mod own_forms;
pub mod redact;
pub mod refactorings;
pub mod references;
pub mod rename;
pub mod repair;
#[cfg(test)]
pub(crate) mod samples;
pub mod selection_range;
pub mod semantic_tokens;
#[cfg(not(target_family = "wasm"))]
pub mod session_list;
pub mod signature_help;
pub mod statistics;
pub mod symbols;
pub mod tool_uses;
pub mod transcript;
