//! The source of a document: reads its text and detects its language.
//!
//! The file name does not show whether a file is text. Of a binary file, only the part that is
//! needed to detect it is read.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::checks::SummarizedNeed;
use crate::cli::baseline::is_baseline;
use crate::cli::console::{print_error, print_warning, printable};
use crate::config::{Codes, FILE_NAME, Selection, Settings, read_error_message};
use crate::document::{Document, Language};
use crate::files::{
    BEGINNING, is_binary, is_long, is_pipe, is_yaml, json_of_yaml, open_regular, other_encoding,
    text_in_parts,
};
use crate::sessions::Session;
use crate::text::Text;

/// The source of a document, with its settings.
#[derive(Clone)]
pub(super) struct InputSource {
    pub display_name: String,
    pub content: DocumentSource,
    /// The language that the user specified.
    pub language: Option<Language>,
    /// True if the file was given by name; then failing to read it is an error.
    pub is_named: bool,
    /// True if the configuration excludes the file, although it was given by name.
    pub is_kept_out: bool,
}

/// The content of a document. Files are read by the thread that processes them.
#[derive(Clone)]
pub(super) enum DocumentSource {
    File {
        /// The path as given or found.
        path: PathBuf,
        absolute: PathBuf,
    },
    /// Standard input; shared, not copied.
    Text(Text),
    /// The JSON string of a record.
    Record(Box<RawValue>),
    /// The session of an agent.
    Session(Box<Session>),
}

/// A document's file, as commands see it.
#[derive(Clone, Copy)]
pub(in crate::cli) struct InputFile<'a> {
    /// The name for messages and reports.
    pub display_name: &'a str,
    /// The path; `None` for standard input, and for the session of an agent.
    pub path: Option<&'a Path>,
    /// True if it is the session of an agent, which is printed instead of written.
    pub is_session: bool,
    /// True if the configuration excludes the file. Only commands that print documents see such
    /// files.
    pub is_kept_out: bool,
}

/// The reason why a document was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnreadDocument {
    /// The file is not text.
    NoText(String),
    /// The file is a baseline of `check`.
    Baseline,
    /// The file was deleted after it was found.
    Vanished,
    /// An error occurred.
    Failed(String),
}

/// The part of a file's text that is held in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum TextHolding {
    /// All of it.
    Whole,
    /// No part of a long log: it is read in parts, whenever they are needed.
    Parts,
    /// Like `Parts`, and only the data of its lines that this needs is held.
    Summarized(SummarizedNeed),
}

impl InputSource {
    /// Reads the document, with `settings`.
    pub fn document(
        &self,
        settings: Arc<Settings>,
        holding: TextHolding,
    ) -> Result<Document, UnreadDocument> {
        let holding = match self.known_language() {
            Some(Language::Log) => holding,
            _ => TextHolding::Whole,
        };
        let text = match &self.content {
            DocumentSource::File { path, .. } => text_of(path, self.is_named, holding)?,
            DocumentSource::Text(text) => text.clone(),
            DocumentSource::Session(session) => {
                let is_whole = holding == TextHolding::Whole;
                let text = if is_whole { session.text() } else { session.text_in_parts() };
                text.map_err(|error| UnreadDocument::Failed(read_error_message(&error)))?
            }
            DocumentSource::Record(text) => {
                let text: Result<String, _> = serde_json::from_str(text.get());
                Text::new(&text.map_err(|error| UnreadDocument::Failed(error.to_string()))?)
            }
        };
        if is_baseline(&text) {
            return Err(UnreadDocument::Baseline);
        }
        let mut settings =
            if self.is_named && !self.is_kept_out { with_excluded_allowed(settings) } else { settings };
        if self.is_yaml() {
            // Nothing is reported, because positions in the JSON are not positions in the file.
            let ignore = Codes { all: true, ..Codes::default() };
            Selection { ignore, ..Selection::default() }.apply(Arc::make_mut(&mut settings));
            return Ok(Document::new(json_text_of(&text)?, Language::Json, settings));
        }
        let language = self.language_of(&text);
        Ok(match holding {
            TextHolding::Summarized(need) => Document::summarized_if_long(text, language, settings, need),
            TextHolding::Whole | TextHolding::Parts => Document::new(text, language, settings),
        })
    }

    /// True if the text is YAML, which is read as JSON.
    fn is_yaml(&self) -> bool {
        self.language.is_none() && is_yaml(Path::new(&self.display_name))
    }

    /// The language, if it is known without looking at the text.
    pub fn known_language(&self) -> Option<Language> {
        self.language.or_else(|| Language::of_name(&self.display_name))
    }

    /// The language of the document with `text`.
    pub fn language_of(&self, text: &Text) -> Language {
        self.language.unwrap_or_else(|| Language::of("", &self.display_name, text))
    }

    /// Reports the detected language of `document` if it is a guess and the document has no tool
    /// calls: the guess may be wrong.
    pub fn report_guessed_language(&self, document: &Document) {
        let is_record = matches!(self.content, DocumentSource::Record(_));
        let is_known = document.has_tool_uses() || document.unread_program().is_some();
        let is_config = self.path().and_then(Path::file_name).is_some_and(|name| name == FILE_NAME);
        if !self.is_named || is_record || is_known || is_config {
            return;
        }
        let (is_json, messages) = (document.language() == Language::Json, document.message_count());
        let is_other_log =
            document.language() == Language::Log && !document.is_transcript() && !document.text().is_empty();
        if self.known_language().is_some() && !is_json && !is_other_log && messages == 0 {
            return;
        }
        let name = if self.display_name == "-" {
            "standard input".to_owned()
        } else {
            format!("`{}`", printable(&self.display_name))
        };
        if is_json || messages > 0 || self.known_language().is_some() {
            let kind = match is_json {
                true if self.is_yaml() => "a YAML document",
                true => "a JSON document",
                false => "a JSON log",
            };
            let found = match messages {
                0 => "without messages".to_owned(),
                1 => "with 1 message, which has no known tool form".to_owned(),
                _ => format!("with {messages} messages, none with a known tool form"),
            };
            return print_warning(&format!("{name} is {kind} {found}"));
        }
        let (read, other) = match document.language() {
            Language::Markdown | Language::Org => {
                ("Markdown because its first line is not a log record", "use `--language jsonl` for a log")
            }
            Language::Json | Language::Log => {
                ("a log because its first line is a record", "use `--language markdown` for Markdown")
            }
        };
        if !document.text().is_empty() {
            print_warning(&format!("{name} has no tool calls: it was parsed as {read}; {other}"));
        }
    }

    /// The size in bytes; for a file that is not read yet, its expected size.
    pub fn size_hint(&self) -> u64 {
        match &self.content {
            DocumentSource::File { path, .. } => std::fs::metadata(path).map_or(0, |file| file.len()),
            DocumentSource::Text(text) => text.len() as u64,
            DocumentSource::Record(text) => text.get().len() as u64,
            DocumentSource::Session(session) => session.size,
        }
    }

    /// The file, for reports.
    pub fn file(&self) -> InputFile<'_> {
        InputFile {
            display_name: &self.display_name,
            path: self.path(),
            is_session: matches!(self.content, DocumentSource::Session(_)),
            is_kept_out: self.is_kept_out,
        }
    }

    fn path(&self) -> Option<&Path> {
        match &self.content {
            DocumentSource::File { path, .. } => Some(path),
            DocumentSource::Text(_) | DocumentSource::Record(_) | DocumentSource::Session(_) => None,
        }
    }
}

impl UnreadDocument {
    /// Reports the reason for `source`. Returns whether the command fails because of it.
    pub fn report(&self, source: &InputSource) -> bool {
        let shown = printable(&source.display_name);
        match self {
            Self::NoText(reason) if !source.is_named => {
                print_warning(&format!("`{shown}` is skipped: {reason}"));
                false
            }
            Self::Baseline if source.is_named => {
                print_warning(&format!("`{shown}` is skipped: it is a baseline, not a transcript"));
                false
            }
            Self::Baseline | Self::Vanished => false,
            Self::NoText(reason) | Self::Failed(reason) => {
                print_error(&format!("cannot read `{shown}`: {reason}"));
                true
            }
        }
    }
}

/// The YAML `text` as JSON.
fn json_text_of(text: &Text) -> Result<Text, UnreadDocument> {
    let json = json_of_yaml(&text.to_string());
    json.map(|json| Text::new(&json)).map_err(UnreadDocument::Failed)
}

/// Returns `settings` for a document that is read although `include` and `exclude` exclude it.
pub(super) fn with_excluded_allowed(mut settings: Arc<Settings>) -> Arc<Settings> {
    if !settings.enabled {
        Arc::make_mut(&mut settings).enabled = true;
    }
    settings
}

/// Opens the file at `path`: a regular file or, if given by name, a pipe.
fn open(path: &Path, is_named: bool) -> io::Result<std::fs::File> {
    match is_named && std::fs::metadata(path).is_ok_and(|found| is_pipe(found.file_type())) {
        true => std::fs::File::open(path),
        false => open_regular(path),
    }
}

/// Reads the text of the file at `path`.
fn text_of(path: &Path, is_named: bool, holding: TextHolding) -> Result<Text, UnreadDocument> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound if !is_named => UnreadDocument::Vanished,
        _ if is_not_utf8(&error) => UnreadDocument::NoText(read_error_message(&error)),
        _ => UnreadDocument::Failed(read_error_message(&error)),
    };
    let mut file = open(path, is_named).map_err(failed)?;
    let beginning = beginning_of(&mut file).map_err(failed)?;
    // A file given by name is read even if it looks binary.
    if !is_named && is_binary(&beginning) {
        return Err(UnreadDocument::NoText("it is a binary file".to_owned()));
    }
    if holding != TextHolding::Whole && is_long(&file).map_err(failed)? {
        return text_in_parts(file).map_err(failed);
    }
    Text::read(beginning.chain(file)).map_err(failed)
}

/// Reads all text of `reader`.
///
/// # Errors
///
/// The errors of `reader`; if [`is_not_utf8`] holds for an error, the content is not UTF-8 text.
pub(super) fn text_from(mut reader: impl Read) -> io::Result<Text> {
    let beginning = beginning_of(&mut reader)?;
    Text::read(beginning.chain(reader))
}

/// Reads the beginning of `reader`. The error says if it shows another encoding than UTF-8.
fn beginning_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    reader.take(BEGINNING as u64).read_to_end(&mut beginning)?;
    match other_encoding(&beginning) {
        Some(reason) => Err(io::Error::new(io::ErrorKind::Unsupported, reason)),
        None => Ok(beginning),
    }
}

/// True for the errors of content that is not UTF-8.
pub(super) fn is_not_utf8(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::Unsupported)
}
