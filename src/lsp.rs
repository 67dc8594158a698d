//! The language server. No other module uses lsp-types and tower-lsp.

pub mod client_capabilities;
pub mod conversions;
pub mod handlers;
pub mod peer;
pub mod request;
#[cfg(feature = "run")]
pub mod runs;
#[cfg(not(target_family = "wasm"))]
pub mod server;
pub mod server_capabilities;
#[cfg(not(feature = "run"))]
pub mod session;
pub mod snapshot;
#[cfg(not(target_family = "wasm"))]
pub mod state;
pub mod wire;
pub mod workspace;
