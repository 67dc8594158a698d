//! Finds the documents to read, in order, each with its settings.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::source::{DocumentSource, InputSource, is_not_utf8, text_from, with_excluded_allowed};
use super::{Excluded, InputJob, InputNotice, PathArgs, stdin};
use crate::cli::common::CommonArgs;
use crate::cli::console::{printable, slashed};
use crate::config::{
    ConfigLocation, FileDiagnostic, Loaded, Loader, Settings, UnmatchedGlob, clean, read_error_message,
};
use crate::document::Language;
use crate::document::evidence::may_be_transcript;
use crate::files::{DiskFiles, WalkEntry, identity, json_beginning, walk};
use crate::sessions::{NamedSession, Places, Session, may_be_id, named};
use crate::text::Text;
use crate::text::position::byte_to_printed_position;

/// Maximum number of sessions in a message.
const LISTED: usize = 5;

/// Finds the documents to read, with their settings.
pub(super) struct InputReader<'v> {
    paths: &'v PathArgs,
    here: PathBuf,
    config: Option<PathBuf>,
    excluded: Excluded,
    loader: &'v mut Loader,
    /// Files that were read, by [`identity`]. A file that is given twice, or also found in a given
    /// folder, is read once.
    seen: HashSet<PathBuf>,
    reported: HashSet<(Option<PathBuf>, usize, String)>,
    /// The folders that were searched.
    pub folders: Vec<PathBuf>,
    give: &'v mut dyn FnMut(InputJob) -> io::Result<()>,
}

impl<'v> InputReader<'v> {
    pub fn new(
        paths: &'v PathArgs,
        common: &CommonArgs,
        loader: &'v mut Loader,
        give: &'v mut dyn FnMut(InputJob) -> io::Result<()>,
    ) -> io::Result<Self> {
        let here = std::env::current_dir().map_err(|error| {
            io::Error::new(error.kind(), format!("the current folder is gone, or cannot be read: {error}"))
        })?;
        let (config, excluded) = (common.config_path()?, Excluded::new(&here, &paths.exclude));
        let (seen, reported, folders) = (HashSet::new(), HashSet::new(), Vec::new());
        Ok(Self { paths, here, config, excluded, loader, seen, reported, folders, give })
    }

    /// Reads all that `paths` selects.
    pub fn read(&mut self) -> io::Result<()> {
        let paths = self.paths;
        if paths.stdin_filename.is_some() && !paths.has_stdin() {
            return self.fail("`--stdin-filename` names standard input: add `-` to read it".to_owned());
        }
        paths.sources().try_for_each(|path| match path {
            _ if paths.records => self.records(),
            path if path.as_os_str() == "-" => self.stdin(paths.stdin_filename.as_deref()),
            path if path.is_dir() => self.folder(path),
            path => match session_at(path) {
                Some(Ok(session)) => self.session(session),
                Some(Err(reason)) => self.fail(reason),
                None => self.named(path),
            },
        })?;
        self.unmatched()
    }

    /// Reads the session of an agent like standard input: commands that rewrite documents print it,
    /// because the file belongs to the agent.
    fn session(&mut self, session: Session) -> io::Result<()> {
        // `include` and `exclude` are about the files of a project.
        let settings = with_excluded_allowed(self.settings(&session.path)?.settings);
        let source = self.source(slashed(&session.path), DocumentSource::Session(Box::new(session)));
        (self.give)(InputJob::Document(source, settings))
    }

    fn stdin(&mut self, name: Option<&Path>) -> io::Result<()> {
        let text = text_from(io::stdin().lock());
        let path = stdin::settings_path(name)?;
        let loaded = self.settings(&path)?;
        let shown = name.map_or_else(|| "-".to_owned(), |name| self.display_name(name));
        match text {
            Ok(text) => {
                let content = DocumentSource::Text(text);
                // Excluded files are not checked; commands that rewrite files leave them unchanged.
                let is_kept_out = name.is_some() && self.is_excluded(&path, &loaded.settings);
                let source = InputSource { is_kept_out, ..self.source(shown, content) };
                (self.give)(InputJob::Document(source, loaded.settings))
            }
            Err(error) if is_not_utf8(&error) => self.fail(stdin::unreadable(&error)),
            Err(error) => Err(error),
        }
    }

    /// Returns the display name and the settings of standard input, which has the file name `name`;
    /// `None` if they exclude it.
    pub fn stdin_alone(&mut self, name: Option<&Path>) -> io::Result<Option<(String, Arc<Settings>)>> {
        let path = stdin::settings_path(name)?;
        let loaded = self.settings(&path)?;
        if name.is_some() && self.is_excluded(&path, &loaded.settings) {
            return Ok(None);
        }
        let shown = name.map_or_else(|| "-".to_owned(), |name| self.display_name(name));
        Ok(Some((shown, with_excluded_allowed(loaded.settings))))
    }

    /// Reads records from standard input.
    fn records(&mut self) -> io::Result<()> {
        #[derive(Deserialize)]
        struct InputRecord<'a> {
            #[serde(borrow)]
            path: Cow<'a, str>,
            #[serde(borrow)]
            text: &'a RawValue,
        }
        for (number, line) in io::stdin().lock().split(b'\n').enumerate() {
            let line = line?;
            let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line).trim_ascii();
            if line.is_empty() {
                continue;
            }
            if !line.starts_with(b"{") {
                let expected = "a record is an object: {\"path\": …, \"text\": …}";
                self.fail(format!("line {}: invalid record: {expected}", number + 1))?;
                continue;
            }
            match serde_json::from_slice::<InputRecord<'_>>(line) {
                Ok(InputRecord { path, .. }) if path.is_empty() => {
                    self.fail(format!("line {}: invalid record: its path is empty", number + 1))?;
                }
                Ok(InputRecord { path, text }) => {
                    let absolute = std::path::absolute(Path::new(&*path))?;
                    let loaded = self.settings(&absolute)?;
                    if self.is_excluded(&absolute, &loaded.settings) {
                        continue;
                    }
                    let content = DocumentSource::Record(text.to_owned());
                    let source = self.source(path.into_owned(), content);
                    (self.give)(InputJob::Document(source, loaded.settings))?;
                }
                Err(error) => self.fail(format!("line {}: invalid record: {error}", number + 1))?,
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
        if self.is_excluded(&absolute, &loaded.settings) {
            return self.notify(InputNotice::KeptOut);
        }
        let content = DocumentSource::File { path: path.to_owned(), absolute };
        let source = self.source(self.display_name(path), content);
        (self.give)(InputJob::Document(source, loaded.settings))
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let inside = std::path::absolute(folder.join("chat.md"))?;
        let hidden = self.load(&inside).settings.hidden_names.clone();
        for found in walk(folder, hidden.matcher()) {
            match found {
                Ok(WalkEntry::Folder(path)) => self.folders.push(path),
                Ok(WalkEntry::Transcript(path)) => self.read_found_file(path)?,
                Ok(WalkEntry::Unread(path, reason)) => {
                    let shown = self.display_name(&path);
                    let message = format!("the rules in `{shown}` are ignored: {reason}");
                    self.notify(InputNotice::Warning(message))?;
                }
                Ok(WalkEntry::Other(path)) if self.is_wanted(&path)? => {
                    self.read_found_file(path)?;
                }
                Ok(WalkEntry::Other(_)) => {}
                Err(error) => {
                    let message = self.unsearched(&error);
                    self.fail(message)?;
                }
            }
        }
        Ok(())
    }

    /// True if `include` lists files such as the one at `path` as transcripts, or it is JSON that
    /// begins with messages.
    fn is_wanted(&mut self, path: &Path) -> io::Result<bool> {
        let absolute = std::path::absolute(path)?;
        // Diagnostics of its settings are relevant only for transcripts.
        let settings = self.load(&absolute).settings;
        Ok(may_be_transcript(path, &settings, json_beginning))
    }

    /// Warns about globs that match nothing in the searched folders.
    fn unmatched(&mut self) -> io::Result<()> {
        let folders = self.paths.named().filter(|path| path.is_dir()).map(std::path::absolute);
        let folders: Vec<_> = folders.map(|folder| Ok(clean(&folder?))).collect::<io::Result<_>>()?;
        let mut texts = HashMap::new();
        for UnmatchedGlob { path, text, range, glob } in self.loader.unmatched_globs(&folders) {
            let text = texts.entry(path.clone()).or_insert_with(|| Text::new(&text));
            let at = byte_to_printed_position(text, range.start);
            let is_folder = path.with_file_name(glob.trim_end_matches('/')).is_dir();
            let (path, glob) = (self.display_name(&path), printable(&glob).into_owned());
            let place = format!("{}:{}:{}", printable(&path), at.line, at.column);
            let all = || format!(": `{}/**` is all files in it", glob.trim_end_matches('/'));
            let advice = is_folder.then(all).unwrap_or_default();
            let message = format!("{place}: `{glob}` matches no file that was found{advice}");
            self.notify(InputNotice::Warning(message))?;
        }
        Ok(())
    }

    /// Reads a file that was found in a folder.
    fn read_found_file(&mut self, path: PathBuf) -> io::Result<()> {
        let absolute = std::path::absolute(&path)?;
        let identity = identity(&absolute);
        if self.seen.contains(&identity) {
            return Ok(());
        }
        let loaded = self.settings(&absolute)?;
        if !loaded.settings.enabled || self.excluded.has(&absolute) {
            return self.notify(InputNotice::KeptOut);
        }
        self.seen.insert(identity);
        let shown = self.display_name(&path);
        let content = DocumentSource::File { path, absolute };
        let source = InputSource { is_named: false, ..self.source(shown, content) };
        (self.give)(InputJob::Document(source, loaded.settings))
    }

    /// True if `settings` exclude the document at `path`, which was given by name.
    fn is_excluded(&self, path: &Path, settings: &Settings) -> bool {
        settings.is_off || self.paths.force_exclude && (!settings.enabled || self.excluded.has(path))
    }

    fn load(&mut self, document: &Path) -> Loaded {
        let place = ConfigLocation::of_file(document, &self.here, self.config.as_deref());
        self.loader.load(&DiskFiles, &place)
    }

    /// The settings of `document`, whose diagnostics are passed on.
    pub(super) fn settings(&mut self, document: &Path) -> io::Result<Loaded> {
        let loaded = self.load(document);
        let is_fatal = |problem: &&FileDiagnostic| !loaded.usable && is_fatal(problem);
        for problem in loaded.problems.iter() {
            let key = (problem.path.clone(), problem.range.start, problem.message.clone());
            if self.reported.insert(key) {
                let shown = problem.path.as_deref().map_or_else(String::new, |path| self.display_name(path));
                let (problem, is_fatal) = (problem.clone(), is_fatal(&problem));
                self.notify(InputNotice::Problem { shown, problem, is_fatal })?;
            }
        }
        if !loaded.usable {
            let path = loaded.sources.first();
            // A configuration may become unusable after its setting of `config` was read.
            if loaded.problems.iter().find(is_fatal).is_none()
                && self.reported.insert((path.cloned(), 0, String::new()))
            {
                let shown = path.map_or_else(String::new, |path| self.display_name(path));
                self.fail(format!("the configuration `{}` is invalid", printable(&shown)))?;
            }
        }
        Ok(loaded)
    }

    /// A document given by name, in the language that the user specified.
    pub(super) fn source(&self, display_name: String, content: DocumentSource) -> InputSource {
        let language = self.paths.language.map(Language::from);
        InputSource { display_name, content, language, is_named: true, is_kept_out: false }
    }

    fn fail(&mut self, message: String) -> io::Result<()> {
        self.notify(InputNotice::Complaint(message))
    }

    fn notify(&mut self, notice: InputNotice) -> io::Result<()> {
        (self.give)(InputJob::Notice(notice))
    }

    /// Returns the display name of the file at `path`: as given, relative to the working folder if
    /// possible.
    fn display_name(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.here).unwrap_or(path);
        let path = path.strip_prefix(".").unwrap_or(path);
        slashed(if path.as_os_str().is_empty() { Path::new(".") } else { path })
    }

    /// The message for a part of a folder that cannot be searched.
    fn unsearched(&self, error: &ignore::Error) -> String {
        match error {
            ignore::Error::WithDepth { err, .. } => self.unsearched(err),
            ignore::Error::WithPath { path, err } => {
                let reason = err.io_error().map_or_else(|| err.to_string(), read_error_message);
                let shown = self.display_name(path);
                let shown = printable(&shown);
                format!(
                    "cannot search the folder `{shown}`: {reason}; allow reading it, or leave it out with \
                     `--exclude {shown}`"
                )
            }
            error => printable(&error.to_string()).into_owned(),
        }
    }
}

/// True if `problem` makes a configuration unusable: it cannot be read, is invalid TOML, or extends
/// a configuration that cannot be read. A configuration with other diagnostics is used.
fn is_fatal(problem: &FileDiagnostic) -> bool {
    let reasons = ["this is not TOML", "the configuration `"];
    problem.text.is_none() || reasons.iter().any(|reason| problem.message.starts_with(reason))
}

/// The session that `path` names by its id or by the beginning of its id; `None` if `path` is a
/// file or cannot be an id. The error is a message: no session, or several, have that id.
fn session_at(path: &Path) -> Option<Result<Session, String>> {
    let given = path.to_str().filter(|given| may_be_id(given))?;
    if path.symlink_metadata().is_ok() {
        return None;
    }
    match named(given, &Places::of_process()) {
        NamedSession::One(session) => Some(Ok(session)),
        NamedSession::Several(sessions) => Some(Err(several(given, &sessions))),
        NamedSession::None => Some(Err(format!(
            "there is no file `{given}`, and no session with this id: `chatls sessions` lists the sessions"
        ))),
    }
}

fn several(given: &str, sessions: &[Session]) -> String {
    let shown = |session: &Session| format!("`{}` ({})", printable(&session.id), session.agent.name);
    let listed: Vec<_> = sessions.iter().take(LISTED).map(shown).collect();
    let more = match sessions.len() - listed.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    format!(
        "`{given}` is the beginning of {} session ids: {}{more}. Write more of the id",
        sessions.len(),
        listed.join(", ")
    )
}
