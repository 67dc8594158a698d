//! `chatls`: what a chat transcript means, and what is wrong with it.
//!
//! The map, from the bytes up; a module uses only what stands above it:
//!
//! - [`text`]: one rope per document, edits, and every kind of position
//! - [`json`]: JSON that tolerates faults, with spans

pub mod json;
pub mod text;
