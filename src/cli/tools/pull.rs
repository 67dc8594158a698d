//! `tools pull`: asks servers for their tools, and keeps the lists.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;

use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::consent::{ConnectionArgs, consent, workspace};
use crate::cli::console::{print_error, print_to_stderr, print_warning, printable, printable_path, refused};
use crate::cli::rewrite::write_file;
use crate::cli::run::last_lines;
use crate::config::{Loaded, ServerSettings};
use crate::nearest::{did_you_mean, nearest};
use crate::run::mcp::{Listing, McpConnection};
use crate::run::user_settings::UserSettings;
use crate::run::{
    Consented, Environment, KnownRunner, Limits, RunError, RunnerKind, TrustStore, block_on, cache,
    known_runners,
};

const EXAMPLES: &str = "\
Examples:
  chatls tools pull                          ask all servers of the configuration
  chatls tools pull git -o tools/git.json    write a file that can be committed";

/// The arguments of `tools pull`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct PullArgs {
    /// Servers to ask. Without names, all servers of the configuration
    names: Vec<String>,
    /// File to write the tools of one server to. Default: the `listing` of the server, or a place
    /// outside of the workspace
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// Runs `tools pull`.
pub(super) fn run(command: &PullArgs, loaded: &Loaded, common: &CommonArgs) -> io::Result<ExitStatus> {
    let environment = command.connection.environment();
    let runners = known_runners(&loaded.settings.run, &workspace(common), &environment);
    let servers: Vec<_> = runners.iter().filter(|runner| runner.kind == RunnerKind::Server).collect();
    let Some(wanted) = wanted(&servers, &command.names) else { return Ok(ExitStatus::Failed) };
    if command.output.is_some() && wanted.len() != 1 {
        return refused("`--output` is for one server: name it");
    }
    let store = TrustStore::of_user()?;
    let limits =
        UserSettings::load_for(workspace(common), wanted.iter().map(|runner| runner.file.as_path()))?.limits;
    let mut status = ExitStatus::Clean;
    for runner in wanted {
        let settings = loaded.settings.run.servers.get(&runner.name);
        let pulled = match (consent(&store, runner)?, settings) {
            (Some(consented), Some(server)) => {
                let listing = block_on(listing_of(&consented, &environment, &limits))?;
                pull(command, &consented, server, listing)?
            }
            _ => false,
        };
        if !pulled {
            status = ExitStatus::Failed;
        }
    }
    Ok(status)
}

/// The servers with the names `names`, or all; `None`, with an error, if there is none.
fn wanted<'r>(servers: &[&'r KnownRunner], names: &[String]) -> Option<Vec<&'r KnownRunner>> {
    if names.is_empty() {
        if servers.is_empty() {
            print_error("there are no servers: add `[servers.NAME]` to a `chatls.toml`");
            return None;
        }
        return Some(servers.to_vec());
    }
    let mut wanted = Vec::new();
    for name in names {
        match servers.iter().find(|server| server.name == *name) {
            Some(server) => wanted.push(*server),
            None => {
                let hint = did_you_mean(&nearest(name, servers.iter().map(|server| server.name.as_str())));
                print_error(&format!("there is no server `{}`{hint}", printable(name)));
                return None;
            }
        }
    }
    Some(wanted)
}

/// Keeps the tools that a server listed. Returns whether that succeeded.
fn pull(
    command: &PullArgs,
    consented: &Consented,
    server: &ServerSettings,
    listing: Result<Listing, RunError>,
) -> io::Result<bool> {
    let name = printable(&server.name);
    let listing = match listing {
        Ok(listing) => listing,
        Err(error) => {
            print_error(&format!(
                "the server `{name}` gave no tools: {}{}",
                error.message,
                last_lines(&error.log)
            ));
            return Ok(false);
        }
    };
    for problem in &listing.problems {
        print_warning(&format!("the server `{name}`: {problem}"));
    }
    let text = listing.to_text();
    let file = match &command.output {
        Some(file) => Ok(Some(file.clone())),
        None => cache::listing_file(server, consented.subject()),
    };
    let place = match file {
        Ok(Some(file)) => write(&file, &text)?,
        Ok(None) => {
            cache::keep(&cache::known_places()?, server, &text)?;
            "outside of the workspace".to_owned()
        }
        Err(reason) => {
            print_error(&format!("the tools of `{name}` were not written: {reason}"));
            return Ok(false);
        }
    };
    let (count, version) = (listing.tools.len(), printable(&listing.server.version));
    print_to_stderr(&format!(
        "{name}: {count} tools of {} {version}, {place}",
        printable(&listing.server.name)
    ));
    Ok(true)
}

/// Writes a listing, and returns the printable name of its file.
fn write(file: &Path, text: &str) -> io::Result<String> {
    let name = printable_path(file);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    write_file(file, text).map_err(|error| io::Error::other(format!("cannot write `{name}`: {error}")))?;
    Ok(name)
}

async fn listing_of(
    consented: &Consented,
    environment: &Environment,
    limits: &Limits,
) -> Result<Listing, RunError> {
    let connection = McpConnection::open(consented, environment, limits).await?;
    let changes = connection.tools_changed();
    let mut listing = connection.tools().await;
    // Some servers add tools once they know the client's capabilities.
    if listing.is_ok() && changes.has_changed().unwrap_or(false) {
        listing = connection.tools().await;
    }
    connection.close().await;
    listing
}
