//! The documents that a command reads: files, folders and standard input, one at a time and in a stable order.
//!
//! A file that is named is always read, whatever the configuration lets in, and it is a failure when it cannot
//! be; so is standard input. What is found in folders goes through `.gitignore`, `include` and `exclude`, and is
//! passed over when it is not UTF-8.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::names::{printable, read};
use super::ordered::ordered;
use super::{Common, complain, unless_reader_left, warn};
use crate::config::{FileProblem, Loaded, Loader, Place, Settings};
use crate::document::{Document, Language};
use crate::files::{Disk, identity, transcripts};
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

/// The arguments that say what to read.
#[derive(Args, Clone, Debug)]
pub(super) struct Paths {
    /// Files and folders to read; `-` is standard input. In folders, hidden files, those that a .gitignore names
    /// and those that the configuration keeps out are passed over; a file that is named is always read
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// The name that standard input is read under: it says what kind of text it is, and which configuration
    /// holds for it
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
    /// Read standard input as records instead: a JSON object a line, {"path": …, "text": …}, each a document. A record that is none
    /// is said, and ends nothing
    #[arg(long, conflicts_with_all = ["paths", "stdin_filename"])]
    records: bool,
    /// How many threads read and judge documents; as many as there are processors where it is not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

impl Paths {
    /// One file alone.
    pub fn of_file(path: PathBuf) -> Self {
        Self { paths: vec![path], stdin_filename: None, records: false, jobs: None }
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

    /// Whether standard input is read as a document.
    pub fn has_stdin(&self) -> bool {
        !self.records && self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    /// Whether one file is named, or standard input.
    pub fn is_one_file(&self) -> bool {
        !self.records && matches!(&self.paths[..], [path] if !path.is_dir())
    }
}

/// What reading brings up; of a document, what was made of it.
pub(super) enum Input<'a, R = Document> {
    /// A document.
    Document(File<'a>, R),
    /// Something wrong in a configuration or registry, once each, and the name of its file.
    Problem(&'a str, &'a FileProblem),
    /// The same for what makes a configuration unusable, and so the command fail, however loud it is.
    Fatal(&'a str, &'a FileProblem),
}

/// The configurations that cannot be used, which a command that is not about configurations says.
#[derive(Debug, Default)]
pub(super) struct Unusable {
    files: HashSet<String>,
}

impl Unusable {
    /// Says why the configuration `file` cannot be used. The first reason is enough: in TOML the others mostly come of it.
    pub fn tell(&mut self, file: &str, problem: &FileProblem) -> io::Result<()> {
        if self.files.insert(file.to_owned()) {
            complain(&fatal(file, problem));
        }
        Ok(())
    }
}

/// What makes the configuration `file` unusable, and where.
fn fatal(file: &str, problem: &FileProblem) -> String {
    let place = problem.text.as_ref().map(|text| {
        let at = byte_to_printed_position(&Text::new(text), problem.range.start);
        format!(":{}:{}", at.line, at.column)
    });
    format!("{}{}: {}", printable(file), place.unwrap_or_default(), problem.message)
}

/// The file of a document.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    /// The name to call it by.
    pub shown: &'a str,
    /// Where it is; `None` for standard input.
    pub path: Option<&'a Path>,
}

/// How reading went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summary {
    /// How many documents were read.
    pub documents: usize,
    /// Whether something could not be done: a named file that cannot be read, a configuration that is none.
    pub failed: bool,
}

/// Reads all that `paths` names and shows it to `visit`, whose error ends the reading; it is none where nobody
/// reads what `visit` writes any more.
pub(super) fn for_each(
    paths: &Paths,
    common: &Common,
    visit: impl FnMut(Input<'_>) -> io::Result<()>,
) -> io::Result<Summary> {
    for_each_made(paths, common, |document| document, visit)
}

/// As [`for_each`], for what writes documents anew: by the whole of their configuration, or not at all.
pub(super) fn for_each_to_rewrite(
    paths: &Paths,
    common: &Common,
    mut visit: impl FnMut(File<'_>, Document) -> io::Result<()>,
) -> io::Result<Summary> {
    if paths.records {
        complain("records cannot be written: they have no files");
        return Ok(Summary { documents: 0, failed: true });
    }
    let mut unusable = Unusable::default();
    for_each(paths, common, |input| match input {
        Input::Fatal(file, problem) => unusable.tell(file, problem),
        Input::Document(file, document) if unusable.files.is_empty() => visit(file, document),
        Input::Document(..) | Input::Problem(..) => Ok(()),
    })
}

/// As [`for_each`]; what `make` makes of each document is made by several threads, and shown in the order of the documents.
pub(super) fn for_each_made<R: Send>(
    paths: &Paths,
    common: &Common,
    make: impl Fn(Document) -> R + Sync,
    mut visit: impl FnMut(Input<'_, R>) -> io::Result<()>,
) -> io::Result<Summary> {
    let (mut documents, mut unreadable) = (0, false);
    let mut failed = false;
    let give = |give: &mut dyn FnMut(Job) -> io::Result<()>| {
        let mut reader = Reader {
            here: std::env::current_dir()?,
            config: common.config.as_deref().map(std::path::absolute).transpose()?,
            loader: Loader::default(),
            seen: HashSet::new(),
            reported: HashSet::new(),
            failed: false,
            give,
        };
        let given = paths.sources().try_for_each(|path| match path {
            _ if paths.records => reader.records(),
            path if path.as_os_str() == "-" => reader.stdin(paths.stdin_filename.as_deref()),
            path if path.is_dir() => reader.folder(path),
            path => reader.named(path),
        });
        failed = reader.failed;
        given
    };
    let work = |job| match job {
        Job::Problem(problem) => Made::Problem(problem),
        Job::Document(source, settings) => {
            let language = Language::of("", &source.shown);
            let read = match &source.content {
                Content::File(path) => read(path),
                Content::Text(text) => Ok(text.clone()),
                Content::Record(text) => serde_json::from_str(text.get()).map_err(|error| error.to_string()),
            };
            let read = read.map(|text| Text::new(&text));
            let made = read.map(|text| make(Document::new(text, language, settings)));
            Made::Document(source, made)
        }
    };
    let take = |made| match made {
        Made::Problem(Told { shown, problem, is_fatal: true }) => visit(Input::Fatal(&shown, &problem)),
        Made::Problem(Told { shown, problem, is_fatal: false }) => visit(Input::Problem(&shown, &problem)),
        Made::Document(source, Ok(made)) => {
            documents += 1;
            visit(Input::Document(File { shown: &source.shown, path: source.path() }, made))
        }
        Made::Document(source, Err(reason)) if source.is_named => {
            unreadable = true;
            complain(&format!("cannot read `{}`: {reason}", printable(&source.shown)));
            Ok(())
        }
        Made::Document(source, Err(reason)) => {
            warn(&format!("`{}` is passed over: {reason}", printable(&source.shown)));
            Ok(())
        }
    };
    let workers = if paths.is_one_file() { 1 } else { paths.workers() };
    unless_reader_left(ordered(workers, give, work, take))?;
    Ok(Summary { documents, failed: failed || unreadable })
}

/// What is to be done, in its turn.
enum Job {
    Problem(Told),
    Document(Source, Arc<Settings>),
}

/// What was done.
enum Made<R> {
    Problem(Told),
    /// What was made of a document, or why it cannot be read.
    Document(Source, Result<R, String>),
}

/// Something wrong in the file that is called `shown`.
struct Told {
    shown: String,
    problem: FileProblem,
    is_fatal: bool,
}

/// Where a document comes from.
struct Source {
    shown: String,
    content: Content,
    /// Whether it was named: then it must be read.
    is_named: bool,
}

/// What holds a document; it is read where it is worked on.
enum Content {
    File(PathBuf),
    Text(String),
    /// The JSON string of a record.
    Record(Box<RawValue>),
}

impl Source {
    fn path(&self) -> Option<&Path> {
        match &self.content {
            Content::File(path) => Some(path),
            Content::Text(_) | Content::Record(_) => None,
        }
    }
}

struct Reader<'v> {
    here: PathBuf,
    config: Option<PathBuf>,
    loader: Loader,
    /// What was read, by [`identity`]: naming a file twice, or a folder and a file in it, reads it once.
    seen: HashSet<PathBuf>,
    reported: HashSet<(Option<PathBuf>, usize, String)>,
    failed: bool,
    give: &'v mut dyn FnMut(Job) -> io::Result<()>,
}

impl Reader<'_> {
    fn stdin(&mut self, name: Option<&Path>) -> io::Result<()> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let path = std::path::absolute(name.unwrap_or(Path::new("stdin")))?;
        let loaded = self.settings(&path)?;
        let shown = name.map_or_else(|| "-".to_owned(), |name| self.shown(name));
        match String::from_utf8(bytes) {
            Ok(text) => {
                let source = Source { shown, content: Content::Text(text), is_named: true };
                (self.give)(Job::Document(source, let_in(loaded.settings)))
            }
            Err(_) => {
                self.fail("standard input is not UTF-8");
                Ok(())
            }
        }
    }

    /// Reads records from standard input.
    fn records(&mut self) -> io::Result<()> {
        #[derive(Deserialize)]
        struct Record<'a> {
            #[serde(borrow)]
            path: Cow<'a, str>,
            #[serde(borrow)]
            text: &'a RawValue,
        }
        for (number, line) in io::stdin().lock().split(b'\n').enumerate() {
            let line = line?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Record<'_>>(&line) {
                Ok(Record { path, .. }) if path.is_empty() => {
                    self.fail(&format!("line {} is no record: its path is empty", number + 1));
                }
                Ok(Record { path, text }) => {
                    let absolute = std::path::absolute(Path::new(&*path))?;
                    let loaded = self.settings(&absolute)?;
                    let content = Content::Record(text.to_owned());
                    let source = Source { shown: path.into_owned(), content, is_named: true };
                    (self.give)(Job::Document(source, let_in(loaded.settings)))?;
                }
                Err(error) => self.fail(&format!("line {} is no record: {error}", number + 1)),
            }
        }
        Ok(())
    }

    fn named(&mut self, path: &Path) -> io::Result<()> {
        let absolute = std::path::absolute(path)?;
        if !self.seen.insert(identity(&absolute)) {
            return Ok(());
        }
        let loaded = self.settings(&absolute)?;
        let source =
            Source { shown: self.shown(path), content: Content::File(path.to_owned()), is_named: true };
        (self.give)(Job::Document(source, let_in(loaded.settings)))
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        for path in transcripts(folder) {
            match path {
                Ok(path) => self.found(&path)?,
                Err(error) => self.fail(&printable(&error.to_string())),
            }
        }
        Ok(())
    }

    /// Reads a file that was found in a folder.
    fn found(&mut self, path: &Path) -> io::Result<()> {
        let absolute = std::path::absolute(path)?;
        let identity = identity(&absolute);
        if self.seen.contains(&identity) {
            return Ok(());
        }
        let loaded = self.settings(&absolute)?;
        if !loaded.settings.enabled {
            return Ok(());
        }
        self.seen.insert(identity);
        let source =
            Source { shown: self.shown(path), content: Content::File(path.to_owned()), is_named: false };
        (self.give)(Job::Document(source, loaded.settings))
    }

    fn settings(&mut self, document: &Path) -> io::Result<Loaded> {
        let place = Place {
            document: Some(document),
            folders: &[],
            config: self.config.as_deref(),
            editor: &Value::Null,
        };
        let loaded = self.loader.load(&Disk, &place);
        let is_fatal = |problem: &&FileProblem| !loaded.usable && is_fatal(problem);
        for problem in loaded.problems.iter() {
            let key = (problem.path.clone(), problem.range.start, problem.message.clone());
            if self.reported.insert(key) {
                let shown = problem.path.as_deref().map_or_else(String::new, |path| self.shown(path));
                let is_fatal = is_fatal(&problem);
                (self.give)(Job::Problem(Told { shown, problem: problem.clone(), is_fatal }))?;
            }
        }
        if !loaded.usable {
            self.failed = true;
            let path = loaded.sources.first();
            // A configuration can be unusable after it has said that `config` is off.
            if loaded.problems.iter().find(is_fatal).is_none()
                && self.reported.insert((path.cloned(), 0, String::new()))
            {
                let shown = path.map_or_else(String::new, |path| self.shown(path));
                self.fail(&format!("the configuration `{}` cannot be used", printable(&shown)));
            }
        }
        Ok(loaded)
    }

    fn fail(&mut self, message: &str) {
        self.failed = true;
        complain(message);
    }

    /// The name to call the file at `path` by: as it was named, and from here where it can be.
    fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.here).unwrap_or(path);
        path.strip_prefix(".").unwrap_or(path).display().to_string()
    }
}

/// `settings` for a document that is read though `include` and `exclude` keep it out.
fn let_in(mut settings: Arc<Settings>) -> Arc<Settings> {
    if !settings.enabled {
        Arc::make_mut(&mut settings).enabled = true;
    }
    settings
}

/// Whether `problem` is what makes a configuration unusable: it cannot be read, or is no TOML. Other faults stand
/// in one that is used all the same.
fn is_fatal(problem: &FileProblem) -> bool {
    problem.text.is_none() || problem.message.starts_with("this is not TOML")
}
