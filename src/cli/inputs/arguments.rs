//! The arguments that select the documents to read.

use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::{Arg, Args, ValueEnum};
use globset::Glob;

use super::excluded;
use crate::document::Language;

/// The arguments that select the documents to read.
#[derive(Args, Clone, Debug, Default)]
pub(in crate::cli) struct PathArgs {
    /// Files and folders to read; `-` is stdin, an id a session of `chatls sessions`. In folders,
    /// hidden, git-ignored and excluded files are skipped; a file given by name is always read
    #[arg(default_value = ".")]
    pub(super) paths: Vec<PathBuf>,
    /// File name for stdin; determines its language and configuration
    #[arg(long, value_name = "FILE")]
    pub(super) stdin_filename: Option<PathBuf>,
    /// Apply `include` and `exclude` to files given by name, too. For hooks
    #[arg(long)]
    pub(super) force_exclude: bool,
    /// Language of the documents. Default: by file name, then by content
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<LanguageName>,
    /// Exit with status 2 if no file is found
    #[arg(long)]
    pub(super) error_on_no_files: bool,
    /// Glob of files and folders to skip, relative to the current folder. Repeatable or
    /// comma-separated
    #[arg(long, value_name = "GLOB", value_delimiter = ',', value_parser = excluded::glob)]
    pub(super) exclude: Vec<Glob>,
    /// Read stdin as JSON Lines of {"path": …, "text": …}, one document each. Invalid lines are
    /// reported and skipped
    #[arg(long, conflicts_with_all = ["paths", "stdin_filename"])]
    pub(super) records: bool,
    /// Number of threads. Default: all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

/// Changes the arguments for commands that read files given by name: without a default, and without
/// records, which have no files.
pub(in crate::cli) fn required_paths(argument: Arg) -> Arg {
    match argument.get_id().as_str() {
        "records" => argument.hide(true),
        "paths" => argument.default_value(Resettable::Reset).required(true),
        _ => argument,
    }
}

/// A language, as named on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LanguageName {
    /// Markdown with tool calls
    Markdown,
    /// A log in JSON Lines: one JSON object per line
    #[value(alias = "ndjson")]
    Jsonl,
    /// A log of server-sent events
    Sse,
    /// A JSON document with messages
    Json,
    /// Org with tool calls of gptel
    Org,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Markdown => Self::Markdown,
            LanguageName::Json => Self::Json,
            LanguageName::Org => Self::Org,
            LanguageName::Jsonl | LanguageName::Sse => Self::Log,
        }
    }
}

impl PathArgs {
    /// Creates the arguments that read a single file.
    pub fn of_file(path: PathBuf) -> Self {
        Self { paths: vec![path], ..Self::default() }
    }

    /// True if `--exclude` is given.
    pub fn excludes(&self) -> bool {
        !self.exclude.is_empty()
    }

    pub(super) fn workers(&self) -> usize {
        match self.jobs {
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }

    /// The paths to read; with `--records`, only standard input.
    pub(super) fn sources(&self) -> impl Iterator<Item = &Path> {
        let stdin = self.records.then_some(Path::new("-"));
        let paths = self.paths.iter().map(PathBuf::as_path).filter(|_| !self.records);
        stdin.into_iter().chain(paths)
    }

    /// True if standard input is read as records.
    pub fn records(&self) -> bool {
        self.records
    }

    /// True if standard input is read as a document.
    pub fn has_stdin(&self) -> bool {
        !self.records && self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// The files and folders given by name, without standard input.
    pub fn named(&self) -> impl Iterator<Item = &Path> {
        self.sources().filter(|path| path.as_os_str() != "-")
    }

    /// True if the only input is one file, or standard input.
    pub fn is_one_file(&self) -> bool {
        !self.records && matches!(&self.paths[..], [path] if !path.is_dir())
    }
}
