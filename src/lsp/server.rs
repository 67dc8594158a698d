//! The server: transport, main loop, and the handling of each event.

pub mod client_config;
pub mod context;
pub mod documents;
mod freed_memory;
pub mod handshake;
pub mod included;
pub mod lifeline;
pub mod logs;
pub mod main_loop;
pub mod notifications;
pub mod options;
pub mod publish;
pub mod refresh;
pub mod respond;
pub mod routes;
pub mod server_capabilities;
pub mod sessions;
pub mod settings_errors;
pub mod test_hooks;
pub mod transport;
pub mod watchers;
pub mod workspace_diagnostics;
pub mod workspace_scan;
pub mod workspace_symbols;
