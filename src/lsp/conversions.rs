//! Conversions between the core's data and LSP's.

pub mod command_arguments;
pub mod diagnostic_limit;
pub mod diagnostic_reports;
pub mod edits;
pub mod locations;
pub mod opened_document;
pub mod to_proto;
pub mod tool_locations;
