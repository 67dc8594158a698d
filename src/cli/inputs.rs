//! The documents that a command reads, from files, folders and standard input, in a stable order.
//!
//! A file given by name is always read, regardless of `include` and `exclude`; failing to read it,
//! or standard input, is an error. Files found in folders are filtered by `.gitignore`, `include`
//! and `exclude`, and skipped if they are not text. Failing to read one of them is an error, too.

pub mod arguments;
pub mod cache;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::progress::ProgressLine;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_warning, printable, unless_reader_left};
use crate::config::{EXTENSIONS, FileDiagnostic, Loader, Selection, Settings};
use crate::document::Document;
use crate::never::lock;
use crate::ordered::ordered;
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

mod excluded;
mod reader;
mod source;
mod stdin;

pub(super) use crate::cli::inputs::cache::InputCache;
pub(super) use arguments::PathArgs;
pub(super) use excluded::Excluded;
pub(super) use source::{InputFile, TextHolding};
pub(super) use stdin::StdinInput;

use reader::InputReader;
use source::{InputSource, UnreadDocument};

/// An event of reading inputs: a document with the result computed for it, or a diagnostic.
pub(super) enum InputEvent<'a, R> {
    /// A document and its result.
    Document(InputFile<'a>, R),
    /// A diagnostic of a configuration or registry, with the name of its file. Each is reported
    /// once.
    Problem {
        file: &'a str,
        problem: &'a FileDiagnostic,
        /// True if it makes a configuration unusable: the command fails, whatever the severity.
        is_fatal: bool,
    },
}

/// Reports unusable configurations, for commands that do not report configuration diagnostics
/// themselves.
#[derive(Debug, Default)]
struct InvalidConfigs {
    files: HashSet<String>,
}

impl InvalidConfigs {
    /// Reports why the configuration `file` is invalid. Only the first reason is reported: in
    /// TOML, most others are consequences of it.
    fn report(&mut self, file: &str, problem: &FileDiagnostic) -> io::Result<()> {
        if self.files.insert(file.to_owned()) {
            let place = problem.text.as_ref().map(|text| {
                let at = byte_to_printed_position(&Text::new(text), problem.range.start);
                format!(":{}:{}", at.line, at.column)
            });
            print_error(&format!("{}{}: {}", printable(file), place.unwrap_or_default(), problem.message));
        }
        Ok(())
    }
}

/// The outcome of reading all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputSummary {
    /// Number of documents that were read.
    pub documents: usize,
    /// Number of files that the configuration or `--exclude` excludes.
    kept_out: usize,
    /// Number of diagnostics of configurations and registries that can be used all the same.
    pub config_problems: usize,
    /// True if an error occurred, such as an unreadable file or an unusable configuration.
    pub failed: bool,
}

impl InputSummary {
    /// Ends the output `out` of a command, and returns its status; see [`Self::status`].
    pub fn finish(self, out: &mut impl Write, status: ExitStatus) -> io::Result<ExitStatus> {
        unless_reader_left(out.flush())?;
        Ok(self.status(status))
    }

    /// The status of a command: `status` if everything was read.
    pub fn status(self, status: ExitStatus) -> ExitStatus {
        if self.failed { ExitStatus::Failed } else { status }
    }

    /// Reports why no document was read, if none was. This is an error with `--error-on-no-files`,
    /// else a warning.
    fn report_if_empty(&mut self, paths: &PathArgs) {
        // Standard input counts as read, even if it is excluded.
        if self.documents > 0 || self.failed || paths.records || paths.has_stdin() {
            return;
        }
        let by = if paths.excludes() { "`--exclude` or the configuration" } else { "the configuration" };
        let message = match self.kept_out {
            0 => format!("no transcripts found here (looked for {})", names_in_folders()),
            1 => format!("no files to check: {by} excludes the only one"),
            count => format!("no files to check: {by} excludes all {count}"),
        };
        if paths.error_on_no_files {
            self.failed = true;
            print_error(&message);
        } else {
            print_warning(&message);
        }
    }
}

/// The files that are read in folders, formatted for a message.
fn names_in_folders() -> String {
    let names: Vec<_> = EXTENSIONS.iter().map(|extension| format!("*.{extension}")).collect();
    format!("{}, and *.json with messages", names.join(", "))
}

/// Reads all documents that `paths` selects. Several threads call `make` with each document and its
/// display name; `visit` gets the results in the order of the documents.
///
/// An error of `visit` ends the reading; it is ignored if the reader of stdout is gone. Diagnostics
/// of configurations are left to `check`; diagnostics that make a configuration unusable are
/// reported here as errors.
pub(super) fn for_each<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    holding: TextHolding,
    make: impl Fn(&str, Document) -> R + Sync,
    mut visit: impl FnMut(InputFile<'_>, R) -> io::Result<()>,
) -> io::Result<InputSummary> {
    let mut unusable = InvalidConfigs::default();
    let visit = |input: InputEvent<'_, R>| match input {
        InputEvent::Document(file, made) if !file.is_kept_out => visit(file, made),
        InputEvent::Problem { file, problem, is_fatal: true } => unusable.report(file, problem),
        InputEvent::Document(..) | InputEvent::Problem { .. } => Ok(()),
    };
    read_all(paths, common, InputNotes::All, holding, Selection::default(), make, visit)
}

/// Like [`for_each`], for commands that rewrite documents. A document with an unusable
/// configuration is not rewritten.
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
        InputNotes::Unread,
        // Rewriting requires a text that does not change with its file.
        TextHolding::Whole,
        Selection::default(),
        |_, document| document,
        |input| match input {
            InputEvent::Document(file, document) if unusable.files.is_empty() => visit(file, document),
            InputEvent::Problem { file, problem, is_fatal: true } => unusable.report(file, problem),
            InputEvent::Document(..) | InputEvent::Problem { .. } => Ok(()),
        },
    )
}

/// Like [`for_each`], for the codes in `selection`; `visit` also gets the diagnostics of
/// configurations.
pub(super) fn for_each_input<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    holding: TextHolding,
    selection: Selection,
    make: impl Fn(&str, Document) -> R + Sync,
    visit: impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
) -> io::Result<InputSummary> {
    read_all(paths, common, InputNotes::Guesses, holding, selection, make, visit)
}

/// The notes that are reported while documents are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputNotes {
    /// The programs of transcripts whose calls are not read.
    Unread,
    /// The guessed language of a document that has no tool calls and no telling file name.
    Guesses,
    /// Both.
    All,
}

/// The names of the transcripts whose calls are not read, by program.
#[derive(Debug, Default)]
struct UnreadTranscripts(Mutex<BTreeMap<&'static str, BTreeSet<String>>>);

impl UnreadTranscripts {
    /// Adds the document `name` if it is such a transcript.
    fn add(&self, name: &str, document: &Document) {
        if let Some(program) = document.unread_program() {
            let mut programs = lock(&self.0);
            programs.entry(program).or_default().insert(name.to_owned());
        }
    }

    /// Reports them, each program once.
    fn report(self) {
        for (program, names) in self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let files = match names.first() {
                Some(name) if names.len() == 1 => format!("`{}` is a transcript", printable(name)),
                _ => format!("{} files are transcripts", names.len()),
            };
            print_warning(&format!("{files} of {program}, whose tool calls are not read"));
        }
    }
}

fn read_all<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    notes: InputNotes,
    holding: TextHolding,
    selection: Selection,
    make: impl Fn(&str, Document) -> R + Sync,
    mut visit: impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
) -> io::Result<InputSummary> {
    let mut summary = InputSummary::default();
    let unread = UnreadTranscripts::default();
    let work = |source: &InputSource, settings: Arc<Settings>| {
        let read = |holding| {
            let document = source.document(Arc::clone(&settings), holding)?;
            if notes != InputNotes::Unread {
                source.report_guessed_language(&document);
            }
            if notes != InputNotes::Guesses {
                unread.add(&source.display_name, &document);
            }
            let text = document.text().clone();
            Ok((make(&source.display_name, document), text.is_intact()))
        };
        match read(holding)? {
            (made, true) => Ok(made),
            // The file was changed while it was read.
            (_, false) => Ok(read(TextHolding::Whole)?.0),
        }
    };
    let mut is_read = true;
    let take = |made: JobResult<R>| {
        let shown = made.show(&mut summary, &mut visit);
        is_read = shown.is_ok();
        shown
    };
    let mut loader = common.loader().select(selection);
    unless_reader_left(each(paths, common, &mut loader, work, take).map(drop))?;
    unread.report();
    if is_read {
        summary.report_if_empty(paths);
    }
    Ok(summary)
}

/// Calls `work` on each document that `paths` selects and passes the results to `take`, in order.
/// Returns the folders that were searched.
fn each<R: Send>(
    paths: &PathArgs,
    common: &CommonArgs,
    loader: &mut Loader,
    work: impl Fn(&InputSource, Arc<Settings>) -> Result<R, UnreadDocument> + Sync,
    take: impl FnMut(JobResult<R>) -> io::Result<()>,
) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    let progress = ProgressLine::start();
    let give = |give: &mut dyn FnMut(InputJob) -> io::Result<()>| {
        let mut reader = InputReader::new(paths, common, loader, give)?;
        reader.read()?;
        folders = reader.folders;
        Ok(())
    };
    let work = |job| match job {
        InputJob::Notice(notice) => JobResult::Notice(notice),
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
    ordered(workers, give, weight, work, take)?;
    Ok(folders)
}

/// A job for a worker thread; jobs keep their order.
enum InputJob {
    Notice(InputNotice),
    Document(InputSource, Arc<Settings>),
}

/// The result of an [`InputJob`].
#[derive(Clone)]
enum JobResult<R> {
    Notice(InputNotice),
    /// The value made of a document, or the reason why it was not read.
    Document(InputSource, Result<R, UnreadDocument>),
}

/// A message about inputs, besides the results of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
enum InputNotice {
    /// A diagnostic of the configuration or registry `shown`.
    Problem { shown: String, problem: FileDiagnostic, is_fatal: bool },
    /// An error message; the command fails.
    Complaint(String),
    /// A transcript that the configuration excludes.
    KeptOut,
    /// A warning; it does not affect the exit status.
    Warning(String),
}

impl<R> JobResult<R> {
    /// Passes the notice to `visit`, or prints it to stderr.
    fn show(
        self,
        summary: &mut InputSummary,
        visit: &mut impl FnMut(InputEvent<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Notice(InputNotice::Problem { shown, problem, is_fatal }) => {
                summary.failed |= is_fatal;
                summary.config_problems += usize::from(!is_fatal);
                visit(InputEvent::Problem { file: &shown, problem: &problem, is_fatal })
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
