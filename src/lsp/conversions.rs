//! Conversions between the core's data and LSP's.

pub mod command_arguments;
pub mod diagnostics;
pub mod edits;
pub mod locations;
pub mod markup;
pub mod opened_document;
pub mod tool_locations;
