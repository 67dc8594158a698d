//! The documents that a command reads: files, folders and standard input, one at a time and in a stable order.
//!
//! A file that is named is always read, whatever the configuration lets in, and it is a failure when it cannot
//! be; so is standard input. What is found in folders goes through `.gitignore`, `include` and `exclude`, and is
//! passed over when it is no text. A file there that cannot be read is a failure.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use globset::Glob;

use super::names::printable;
use super::ordered::ordered;
use super::progress::ProgressLine;
use super::{CommonArgs, print_error, print_warning, unless_reader_left};
use crate::config::{FileDiagnostic, Loader, Selection, Settings};
use crate::document::{Document, Language};
use crate::files::EXTENSIONS;
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

mod excluded;
mod kept;
mod reader;
mod source;
mod stdin;

pub(super) use excluded::Excluded;
pub(super) use kept::InputCache;
pub(super) use stdin::StdinInput;

use reader::InputReader;
use source::{InputSource, UnreadDocument};

/// The arguments that say what to read.
#[derive(Args, Clone, Debug)]
pub(super) struct PathArgs {
    /// Files and folders to read; `-` is standard input. In folders, hidden files, those that a .gitignore names
    /// and those that the configuration keeps out are passed over; a file that is named is always read
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// The name that standard input is read under: it says what kind of text it is, and which configuration
    /// holds for it
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
    /// Let `include` and `exclude` of the configuration keep out files that are named, too: for hooks, which name each file
    #[arg(long)]
    force_exclude: bool,
    /// Read documents as this language; without it the file name says what a document is, and else its text
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<LanguageName>,
    /// Fail, with status 2, where there is no file to read
    #[arg(long)]
    error_on_no_files: bool,
    /// Do not read the files in folders that this glob matches, or that are in a folder that it matches; it is relative to the current
    /// folder. Repeatable, or separated by commas
    #[arg(long, value_name = "GLOB", value_delimiter = ',', value_parser = excluded::glob)]
    exclude: Vec<Glob>,
    /// Read standard input as records instead: a JSON object a line, {"path": …, "text": …}, each a document. A record that is none
    /// is said, and ends nothing
    #[arg(long, conflicts_with_all = ["paths", "stdin_filename"])]
    records: bool,
    /// How many threads read and judge documents; as many as there are processors where it is not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

/// The names of languages.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LanguageName {
    /// Markdown with tool calls in it
    Markdown,
    /// A log: a JSON object a line
    #[value(alias = "ndjson")]
    Jsonl,
    /// A log: server-sent events
    Sse,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Markdown => Self::Markdown,
            LanguageName::Jsonl | LanguageName::Sse => Self::Stream,
        }
    }
}

impl PathArgs {
    /// One file alone.
    pub fn of_file(path: PathBuf) -> Self {
        Self {
            paths: vec![path],
            stdin_filename: None,
            force_exclude: false,
            exclude: Vec::new(),
            records: false,
            jobs: None,
            language: None,
            error_on_no_files: false,
        }
    }

    /// Whether it names what is not read.
    pub fn excludes(&self) -> bool {
        !self.exclude.is_empty()
    }

    fn workers(&self) -> usize {
        match self.jobs {
            Some(jobs) => usize::from(jobs),
            None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        }
    }

    /// What is to be read; of records, standard input.
    fn sources(&self) -> impl Iterator<Item = &Path> {
        let stdin = self.records.then_some(Path::new("-"));
        let paths = self.paths.iter().map(PathBuf::as_path).filter(|_| !self.records);
        stdin.into_iter().chain(paths)
    }

    /// Whether standard input is read as records.
    pub fn records(&self) -> bool {
        self.records
    }

    /// Whether standard input is read as a document.
    pub fn has_stdin(&self) -> bool {
        !self.records && self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// The files and folders that are named.
    pub fn named(&self) -> impl Iterator<Item = &Path> {
        self.sources().filter(|path| path.as_os_str() != "-")
    }

    /// Whether one file is named, or standard input.
    pub fn is_one_file(&self) -> bool {
        !self.records && matches!(&self.paths[..], [path] if !path.is_dir())
    }
}

/// What reading brings up; of a document, what was made of it.
pub(super) enum InputEvent<'a, R> {
    /// A document.
    Document(InputFile<'a>, R),
    /// Something wrong in a configuration or registry, once each, and the name of its file.
    Problem(&'a str, &'a FileDiagnostic),
    /// The same for what makes a configuration unusable, and so the command fail, however loud it is.
    Fatal(&'a str, &'a FileDiagnostic),
}

/// The configurations that cannot be used, which a command that is not about configurations says.
#[derive(Debug, Default)]
struct InvalidConfigs {
    files: HashSet<String>,
}

impl InvalidConfigs {
    /// Says why the configuration `file` cannot be used. The first reason is enough: in TOML the others mostly come of it.
    fn report(&mut self, file: &str, problem: &FileDiagnostic) -> io::Result<()> {
        if self.files.insert(file.to_owned()) {
            print_error(&fatal(file, problem));
        }
        Ok(())
    }
}

/// What makes the configuration `file` unusable, and where.
fn fatal(file: &str, problem: &FileDiagnostic) -> String {
    let place = problem.text.as_ref().map(|text| {
        let at = byte_to_printed_position(&Text::new(text), problem.range.start);
        format!(":{}:{}", at.line, at.column)
    });
    format!("{}{}: {}", printable(file), place.unwrap_or_default(), problem.message)
}

/// The file of a document.
#[derive(Clone, Copy)]
pub(super) struct InputFile<'a> {
    /// The name to call it by.
    pub display_name: &'a str,
    /// Where it is; `None` for standard input.
    pub path: Option<&'a Path>,
    /// Whether the configuration keeps it out: it is only for what gives documents back.
    pub is_kept_out: bool,
}

/// How reading went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputSummary {
    /// How many documents were read.
    pub documents: usize,
    /// How many files the configuration keeps out.
    kept_out: usize,
    /// Whether something could not be done: a named file that cannot be read, a configuration that is none.
    pub failed: bool,
}

impl InputSummary {
    /// Says why nothing was read, where that is so. It is a failure if `paths` wants that.
    fn report_if_empty(&mut self, paths: &PathArgs) {
        // Standard input was read, though it may be kept out.
        if self.documents > 0 || self.failed || paths.records || paths.has_stdin() {
            return;
        }
        let message = match self.kept_out {
            0 => format!("no file was read: there is none called {} here", extensions()),
            1 => "no file was read: `include` and `exclude` of the configuration keep out the only one"
                .to_owned(),
            count => {
                format!("no file was read: `include` and `exclude` of the configuration keep out all {count}")
            }
        };
        if paths.error_on_no_files {
            self.failed = true;
            print_error(&message);
        } else {
            print_warning(&message);
        }
    }
}

/// The names of transcripts, for people.
fn extensions() -> String {
    let names: Vec<_> = EXTENSIONS.iter().map(|extension| format!("*.{extension}")).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Reads all that `paths` names. What `make` makes of each document, and of the name to call it by, is made by several threads, and
/// shown to `visit` in the order of the documents. An error of `visit` ends the reading; it is none where nobody reads what `visit`
/// writes any more. What is wrong in a configuration is for `check` to say; what makes it unusable is said here, and a failure.
pub(super) fn for_each<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    make: impl Fn(&str, Document) -> R + Sync,
    mut visit: impl FnMut(InputFile<'_>, R) -> io::Result<()>,
) -> io::Result<InputSummary> {
    let mut unusable = InvalidConfigs::default();
    for_each_input(paths, common, Selection::default(), make, |input| match input {
        InputEvent::Document(file, made) if !file.is_kept_out => visit(file, made),
        InputEvent::Document(..) | InputEvent::Problem(..) => Ok(()),
        InputEvent::Fatal(file, problem) => unusable.report(file, problem),
    })
}

/// As [`for_each`], for what writes documents anew: by the whole of their configuration, or not at all.
pub(super) fn for_each_to_rewrite(
    paths: &PathArgs,
    common: &CommonArgs,
    mut visit: impl FnMut(InputFile<'_>, Document) -> io::Result<()>,
) -> io::Result<InputSummary> {
    if paths.records {
        print_error("records cannot be written: they have no files");
        return Ok(InputSummary { failed: true, ..InputSummary::default() });
    }
    let mut unusable = InvalidConfigs::default();
    read_all(
        paths,
        common,
        InputNotes::None,
        Selection::default(),
        |_, document| document,
        |input| match input {
            InputEvent::Fatal(file, problem) => unusable.report(file, problem),
            InputEvent::Document(file, document) if unusable.files.is_empty() => visit(file, document),
            InputEvent::Document(..) | InputEvent::Problem(..) => Ok(()),
        },
    )
}

/// As [`for_each`], of the codes in `selection`, with what is wrong in configurations shown to `visit`, too.
pub(super) fn for_each_input<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    selection: Selection,
    make: impl Fn(&str, Document) -> R + Sync,
    visit: impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
) -> io::Result<InputSummary> {
    read_all(paths, common, InputNotes::Guesses, selection, make, visit)
}

/// What is said of documents while they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputNotes {
    None,
    /// As which language a document without tool calls was read, if its name does not tell.
    Guesses,
}

fn read_all<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    notes: InputNotes,
    selection: Selection,
    make: impl Fn(&str, Document) -> R + Sync,
    mut visit: impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
) -> io::Result<InputSummary> {
    let mut summary = InputSummary::default();
    let work = |source: &InputSource, settings| {
        let document = source.document(settings)?;
        if notes == InputNotes::Guesses {
            source.report_guessed_language(&document);
        }
        Ok(make(&source.display_name, document))
    };
    let mut is_read = true;
    let take = |made: JobResult<R>| {
        let shown = made.show(&mut summary, &mut visit);
        is_read = shown.is_ok();
        shown
    };
    let mut loader = common.loader().select(selection);
    unless_reader_left(each(paths, common, &mut loader, &mut |_| {}, work, take))?;
    if is_read {
        summary.report_if_empty(paths);
    }
    Ok(summary)
}

/// Has `work` done on each document that `paths` names, and hands what comes of it to `take`, in order; of folders, those that were
/// looked through go to `looked_through`.
fn each<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    loader: &mut Loader,
    looked_through: &mut dyn FnMut(&Path),
    work: impl Fn(&InputSource, Arc<Settings>) -> Result<R, UnreadDocument> + Sync,
    take: impl FnMut(JobResult<R>) -> io::Result<()>,
) -> io::Result<()> {
    let progress = ProgressLine::start();
    let give = |give: &mut dyn FnMut(InputJob) -> io::Result<()>| {
        InputReader::new(paths, common, loader, give, looked_through)?.read(paths)
    };
    let work = |job| match job {
        InputJob::Notice(told) => JobResult::Notice(told),
        InputJob::Document(source, settings) => {
            progress.begin(&source.display_name);
            let made = work(&source, settings);
            progress.end();
            JobResult::Document(source, made)
        }
    };
    let workers = if paths.is_one_file() { 1 } else { paths.workers() };
    let weight = |job: &InputJob| match job {
        InputJob::Notice(_) => 0,
        InputJob::Document(source, _) => source.size_hint(),
    };
    ordered(workers, give, weight, work, take)
}

/// What is to be done, in its turn.
enum InputJob {
    Notice(InputNotice),
    Document(InputSource, Arc<Settings>),
}

/// What was done.
#[derive(Clone)]
enum JobResult<R> {
    Notice(InputNotice),
    /// What was made of a document, or why it was not read.
    Document(InputSource, Result<R, UnreadDocument>),
}

/// What is to be told besides what documents come to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum InputNotice {
    /// Something wrong in the file that is called `shown`.
    Problem { shown: String, problem: FileDiagnostic, is_fatal: bool },
    /// Why something could not be done.
    Complaint(String),
    /// A transcript that the configuration keeps out.
    KeptOut,
    /// What somebody may want to know though nothing hinders.
    Warning(String),
}

impl<R> JobResult<R> {
    /// Shows it to `visit`, or says it on stderr.
    fn show(
        self,
        summary: &mut InputSummary,
        visit: &mut impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Notice(InputNotice::Problem { shown, problem, is_fatal: false }) => {
                visit(InputEvent::Problem(&shown, &problem))
            }
            Self::Notice(InputNotice::Problem { shown, problem, is_fatal: true }) => {
                summary.failed = true;
                visit(InputEvent::Fatal(&shown, &problem))
            }
            Self::Notice(InputNotice::Complaint(message)) => {
                summary.failed = true;
                print_error(&message);
                Ok(())
            }
            Self::Notice(InputNotice::KeptOut) => {
                summary.kept_out += 1;
                Ok(())
            }
            Self::Notice(InputNotice::Warning(message)) => {
                print_warning(&message);
                Ok(())
            }
            Self::Document(source, Ok(made)) => {
                summary.documents += usize::from(!source.is_kept_out);
                visit(InputEvent::Document(source.file(), made))
            }
            Self::Document(source, Err(unread)) => {
                summary.failed |= unread.report(&source);
                Ok(())
            }
        }
    }
}
