//! `serve`: runs the language server on stdin and stdout.

use std::io;
use std::sync::Arc;

use clap::Args;

use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console;
use crate::config::TrustSettings;
use crate::lsp::server;
use crate::lsp::server::options::Options;
use crate::lsp::workspace::disk::Workspace;

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Ignored; stdio is the only transport
    #[arg(long)]
    stdio: bool,
    #[cfg(feature = "run")]
    #[command(flatten)]
    connection: super::consent::ConnectionArgs,
}

/// Runs the server until the client sends `exit` or disconnects.
#[cfg_attr(not(feature = "run"), expect(unused_variables, reason = "only running has options"))]
pub(super) fn run(command: &ServeArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    // Opened here to report errors: the server opens the file itself, but cannot report to users.
    common.log_file.as_deref().map(console::open_log).transpose()?;
    let options = Options {
        log_file: common.log_file.clone(),
        #[cfg(feature = "run")]
        no_proxy: command.connection.no_proxy,
        ..Options::from_env()
    };
    // The working folder of a server does not show which documents are opened.
    let trust = TrustSettings { working_folder: None, ..common.trust() };
    let workspace = Workspace::new(common.config.as_deref(), trust);
    let status = server::serve(&options, Arc::new(workspace))?;
    Ok(if status == server::DONE { ExitStatus::Clean } else { ExitStatus::Found })
}
