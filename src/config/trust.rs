//! The trust in configurations: a configuration that came with the documents may be from an unknown
//! author.
//!
//! It may name files of its project, and messages may quote these files. Nothing of other files is
//! shown unless they are clearly tool registries, because messages go to logs that others read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ServerSettings;
use super::files::{FileDiagnostic, Files};

/// The trust settings of all configurations of a session.
#[derive(Clone, Debug, Default)]
pub struct TrustSettings {
    /// The working folder of the command; it is the project of configurations below it that are not
    /// in a repository.
    pub working_folder: Option<PathBuf>,
    /// True if files outside of the project are refused, including registries.
    pub refuses_outside: bool,
    /// The places of listings that servers gave earlier; `None` if they are not used.
    pub listings: Option<ListingPlaces>,
}

/// The cache of listings: files outside of every project with the tools of servers.
#[derive(Clone, Debug)]
pub struct ListingPlaces {
    /// The folder.
    pub folder: PathBuf,
    /// The name of the file of a server, which depends on all of its settings.
    pub file_name: fn(&ServerSettings) -> String,
}

impl ListingPlaces {
    /// The file of `server`, which may be missing.
    pub fn file(&self, server: &ServerSettings) -> PathBuf {
        self.folder.join((self.file_name)(server))
    }
}

/// The project of one configuration.
#[derive(Debug)]
pub(super) struct TrustedProject {
    /// The canonical paths of its folders.
    roots: Vec<PathBuf>,
    pub refuses_outside: bool,
}

impl TrustedProject {
    /// The project of a configuration in `folder`: the folder itself, its repository or else the
    /// working folder, and `workspace`, the folder opened in the editor.
    pub fn of(files: &dyn Files, trust: &TrustSettings, folder: &Path, workspace: &Path) -> Self {
        let repository = folder.ancestors().find(|folder| files.is_repository(folder));
        let working = trust.working_folder.as_deref();
        let around = repository.or(working.filter(|working| folder.starts_with(working)));
        let roots = [Some(folder), Some(workspace), around].into_iter().flatten();
        // A relative path, as for a document without a file, contains no files.
        let roots = roots.filter(|root| root.has_root()).map(|root| files.real_path(root));
        Self { roots: roots.collect(), refuses_outside: trust.refuses_outside }
    }

    /// True if the file at `path`, after resolving links, is outside.
    pub fn is_outside(&self, files: &dyn Files, path: &Path) -> bool {
        let real = files.real_path(path);
        !self.roots.iter().any(|root| real.starts_with(root))
    }
}

/// `problems`, in which a single diagnostic without quotes replaces the diagnostics of `file`, a
/// link out of the project.
pub(super) fn without_quotes(problems: &[FileDiagnostic], file: &Path) -> Arc<[FileDiagnostic]> {
    let (own, others): (Vec<_>, Vec<_>) =
        problems.iter().cloned().partition(|problem| problem.path.as_deref() == Some(file));
    // The first of the most severe diagnostics represents all.
    let worst = own.into_iter().reduce(|one, other| if other.severity > one.severity { other } else { one });
    let message = "this configuration is a link that leaves the project, and something is wrong in it, which is not \
                   shown: mend it where it is, or copy it into the project";
    let summary = worst.map(|problem| match problem.text {
        // It only reports that the file cannot be read.
        None => problem,
        Some(_) => FileDiagnostic {
            text: None,
            range: 0..0,
            message: message.to_owned(),
            fixes: Vec::new(),
            ..problem
        },
    });
    summary.into_iter().chain(others).collect()
}
