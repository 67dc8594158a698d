//! `chatls`: what a chat transcript means, and what is wrong with it.
//!
//! The map, from the bytes up; a module uses only what stands above it:
//!
//! - [`text`]: one rope per document, edits, and every kind of position
//! - [`json`]: JSON that tolerates faults, with spans
//! - [`syntax`]: the incremental Markdown block tree
//! - [`nearest`]: the known names that somebody may have meant
//! - [`trial`]: whether a fix mends a file that is read as a whole
//! - [`schema`]: what the JSON Schema of a tool says of a value, in words
//! - [`config`], [`registry`]: what the user says, and the tools that are known
//! - [`call`]: the model that every dialect is read into
//! - [`dialect`]: the ways of writing a tool use, and the list of all
//! - [`rules`]: the table of codes, and what finds them
//! - [`document`]: text, tree, calls and problems as one value
//! - [`convert`]: a tool use in another dialect
//! - [`events`]: what a tool use becomes in the AI SDK's stream
//! - [`prose`]: what is shown to people beside the text
//! - [`features`]: one file per editor feature, plain data in and out
//! - [`lsp`], [`cli`]: the two ways in; with [`files`], the only rooms that do IO

pub mod call;
pub mod cli;
pub mod config;
pub mod convert;
pub mod dialect;
pub mod document;
pub mod events;
pub mod features;
pub mod files;
pub mod json;
pub mod lsp;
pub mod nearest;
pub mod prose;
pub mod registry;
pub mod rules;
pub mod schema;
pub mod syntax;
pub mod text;
pub mod trial;
