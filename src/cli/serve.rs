//! `serve`: speaks LSP on stdin and stdout.

use std::io;
use std::sync::Arc;

use clap::Args;

use super::{CommonArgs, ExitStatus, names};
use crate::config::TrustSettings;
use crate::lsp::workspace::Workspace;
use crate::lsp::{self, Options};

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Accepted because editors pass it: stdio is the only transport
    #[arg(long)]
    stdio: bool,
}

/// Serves until the client says `exit` or is gone.
pub(super) fn run(_command: &ServeArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    // The server opens it for itself, and does not know how to say it to people.
    common.log_file.as_deref().map(names::open_log).transpose()?;
    let options = Options { log_file: common.log_file.clone(), ..Options::from_env() };
    // Where an editor starts it says nothing of what is opened.
    let trust = TrustSettings { working_folder: None, refuses_outside: common.no_outside };
    let workspace = Workspace::new(common.config.as_deref()).trusting(trust);
    let status = lsp::serve(&options, Arc::new(workspace))?;
    Ok(if status == lsp::DONE { ExitStatus::Clean } else { ExitStatus::Findings })
}
