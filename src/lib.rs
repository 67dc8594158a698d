//! `chatls`: parses and checks transcripts of AI conversations with tool calls.
//!
//! The modules, from the lowest floor up. A module uses lower floors only
//! (`tests/house/floors.rs`):
//!
//! - `never`, [`ordered`]: reports of broken invariants; jobs on several threads
//! - [`nearest`], [`prose`], [`text`]: spelling suggestions; text for people as Markdown or plain
//!   text; the text of a document, its edits and every kind of position
//! - [`diagnostic`], [`json`], [`syntax`]: codes, diagnostics and fixes; JSON that tolerates
//!   errors, with spans; the incremental tree of blocks, lines or pieces
//! - [`json_repair`], [`schema`], [`trial`]: fixes of JSON errors; validation against JSON Schema;
//!   trials of fixes in files that are read as a whole
//! - [`call`], [`registry`]: the model that every dialect is parsed into; the known tools
//! - [`forms`]: the forms of objects in message logs, as a table
//! - [`config`]: configuration files and editor settings
//! - [`messages`]: the language of message objects, in JSON documents, logs and fences
//! - [`dialect`], [`files`], [`guide`]: the syntaxes of tool uses; files and folder walks; texts on
//!   tools, fields and states
//! - [`rules`], [`sessions`]: the checks behind the codes; the sessions of agents on this machine
//! - [`segments`]: what a segment has: its blocks, messages and diagnostics
//! - [`document`]: text, tree, tool uses and messages as one value
//! - [`places`]: calls, names and passages by their places
//! - [`checks`]: the diagnostics of a document
//! - [`fixes`]: fixes of diagnostics, tried on a copy of their document
//! - [`convert`], [`events`]: a tool use in another dialect; the AI SDK's stream of a document
//! - [`features`]: what requests of editors and commands compute, plain data in and out
//! - `run`: running tools: the tools of presets, and servers and programs after consent
//! - [`lsp`]: the language server
//! - [`cli`], `wasm`: the command line; the language server for programs in JavaScript

pub mod call;
pub mod checks;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod config;
pub mod convert;
pub mod diagnostic;
pub mod dialect;
pub mod document;
pub mod events;
pub mod features;
#[cfg(not(target_family = "wasm"))]
pub mod files;
pub mod fixes;
pub mod forms;
pub mod guide;
pub mod json;
pub mod json_repair;
pub mod lsp;
pub mod messages;
pub mod nearest;
mod never;
#[cfg(not(target_family = "wasm"))]
pub mod ordered;
pub mod places;
pub mod prose;
pub mod registry;
pub mod rules;
#[cfg(feature = "run")]
pub mod run;
pub mod schema;
pub mod segments;
#[cfg(not(target_family = "wasm"))]
pub mod sessions;
pub mod syntax;
pub mod text;
pub mod trial;
#[cfg(target_family = "wasm")]
pub mod wasm;
