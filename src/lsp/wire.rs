//! The wire: frames, JSON-RPC messages, and the queues of outgoing messages and pending requests.

#[cfg(not(target_family = "wasm"))]
pub mod client_requests;
pub mod document_uri;
pub mod frames;
pub mod json_writer;
pub mod message;
pub mod outbox;
pub mod pending;
pub mod recover;
pub mod session_phase;
