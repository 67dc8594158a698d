//! Message objects: the records of sessions, requests and traces, in a JSON
//! document, on a line of a log, or in a fence.
//!
//! An object is recognized by its own members ([`outline`]), by the table of
//! [`forms`](crate::forms). Its [`header`] shows its author and its thread, [`content`] reads the
//! texts of a message, and [`read`] its tool uses. [`objects`] reads a text that is held as a
//! whole; `segments/json_objects.rs` finds the objects of a document.

pub mod attachment;
mod attributes;
pub mod attribution;
pub mod beginning;
pub mod content;
mod elements;
pub mod exchange;
pub mod header;
pub mod objects;
pub mod outline;
pub mod read;
pub mod thread;
pub mod tool_lists;
