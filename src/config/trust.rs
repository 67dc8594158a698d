//! How far configurations are trusted: one that came with the documents may be a stranger's.
//!
//! Files of its project may be named by it and quoted in messages. Of any other file nothing is shown unless it is
//! plainly a tool registry: messages go to logs that others read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::load::{FileDiagnostic, Files};

/// What holds for all configurations of a session.
#[derive(Clone, Debug, Default)]
pub struct TrustSettings {
    /// The folder that the command works in; it is the project of the configurations below it that are in no
    /// repository.
    pub working_folder: Option<PathBuf>,
    /// Whether files outside of the project are refused, registries too.
    pub refuses_outside: bool,
}

/// What belongs to the project of one configuration.
#[derive(Debug)]
pub(super) struct TrustedProject {
    /// The one paths of its folders.
    roots: Vec<PathBuf>,
    pub refuses_outside: bool,
}

impl TrustedProject {
    /// The project of a configuration in `folder`: the folder itself, its repository or else the working folder, and
    /// `workspace`, the folder that the editor has opened.
    pub fn of(files: &dyn Files, trust: &TrustSettings, folder: &Path, workspace: &Path) -> Self {
        let repository = folder.ancestors().find(|folder| files.is_repository(folder));
        let working = trust.working_folder.as_deref();
        let around = repository.or(working.filter(|working| folder.starts_with(working)));
        let roots = [Some(folder), Some(workspace), around].into_iter().flatten();
        // A relative one, as of a document without a place, is no folder that anything is in.
        let roots = roots.filter(|root| root.is_absolute()).map(|root| files.real_path(root));
        Self { roots: roots.collect(), refuses_outside: trust.refuses_outside }
    }

    /// Whether the file that `path` leads to, links followed, is outside.
    pub fn is_outside(&self, files: &dyn Files, path: &Path) -> bool {
        let real = files.real_path(path);
        !self.roots.iter().any(|root| real.starts_with(root))
    }
}

/// `problems` with one that quotes nothing for all those in `file`, a link that leaves the project.
pub(super) fn without_quotes(problems: &[FileDiagnostic], file: &Path) -> Arc<[FileDiagnostic]> {
    let (own, others): (Vec<_>, Vec<_>) =
        problems.iter().cloned().partition(|problem| problem.path.as_deref() == Some(file));
    // The first of the worst stands for all.
    let worst = own.into_iter().reduce(|one, other| if other.severity > one.severity { other } else { one });
    let message = "this configuration is a link that leaves the project, and something is wrong in it, which is not \
                   shown: mend it where it is, or copy it into the project";
    let said = worst.map(|problem| match problem.text {
        // It says only that it cannot be read.
        None => problem,
        Some(_) => FileDiagnostic {
            text: None,
            range: 0..0,
            message: message.to_owned(),
            fixes: Vec::new(),
            ..problem
        },
    });
    said.into_iter().chain(others).collect()
}
