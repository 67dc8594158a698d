//! `chatls`: what a chat transcript means, and what is wrong with it.
//!
//! The map, from the bytes up; a module uses only what stands above it:
//!
//! - [`text`]: one rope per document, edits, and every kind of position
//! - [`json`]: JSON that tolerates faults, with spans
//! - [`syntax`]: the incremental Markdown block tree

pub mod json;
pub mod syntax;
pub mod text;
