//! The servers and programs of a configuration, with the subjects of their consents.

use std::path::PathBuf;

use super::{Environment, Subject};
use crate::config::RunSettings;

/// A server or program that a configuration names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRunner {
    /// The kind.
    pub kind: RunnerKind,
    /// The name in the configuration.
    pub name: String,
    /// The file that names it.
    pub file: PathBuf,
    /// The subject of the consent, or the reason why there is none.
    pub subject: Result<Subject, String>,
}

/// The kinds of [`KnownRunner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunnerKind {
    /// An MCP server.
    Server,
    /// A program that is a tool.
    Program,
}

impl RunnerKind {
    /// The word for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Program => "program",
        }
    }
}

/// The servers, then the programs of `run`, each by name. `workspace` are the folders that are
/// open. Reads the files that their command lines name, and starts nothing.
pub fn known_runners(
    run: &RunSettings,
    workspace: &[PathBuf],
    environment: &Environment,
) -> Vec<KnownRunner> {
    let servers = run.servers.values().map(|server| KnownRunner {
        kind: RunnerKind::Server,
        name: server.name.clone(),
        file: server.file.clone(),
        subject: Subject::of_server(&server.start, workspace, environment),
    });
    let unusable = run.unusable.iter().map(|unusable| KnownRunner {
        kind: RunnerKind::Server,
        name: unusable.name.clone().unwrap_or_else(|| "*".to_owned()),
        file: unusable.file.clone(),
        subject: Err(unusable.reason.clone()),
    });
    let programs = run.programs.values().map(|program| KnownRunner {
        kind: RunnerKind::Program,
        name: program.name.clone(),
        file: program.file.clone(),
        subject: Subject::of_command(&program.command, workspace, environment),
    });
    servers.chain(unusable).chain(programs).collect()
}
