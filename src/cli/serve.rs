//! `serve`: runs the language server on stdin and stdout.

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
    /// Ignored; stdio is the only transport
    #[arg(long)]
    stdio: bool,
}

/// Runs the server until the client sends `exit` or disconnects.
pub(super) fn run(_command: &ServeArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    // Opened here to report errors: the server opens the file itself, but cannot report to users.
    common.log_file.as_deref().map(names::open_log).transpose()?;
    let options = Options { log_file: common.log_file.clone(), ..Options::from_env() };
    // The working folder of a server does not tell which documents are opened.
    let trust = TrustSettings { working_folder: None, refuses_outside: common.no_outside };
    let workspace = Workspace::new(common.config.as_deref()).trusting(trust);
    let status = lsp::serve(&options, Arc::new(workspace))?;
    Ok(if status == lsp::DONE { ExitStatus::Clean } else { ExitStatus::Findings })
}
