//! Standard input as the only document. Commands can process it while it is being written.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::reader::InputReader;
use super::source::{DocumentSource, InputSource, is_not_utf8, text_from};
use super::{InputJob, InputSummary, InvalidConfigs, JobResult, PathArgs, UnreadTranscripts};
use crate::cli::common::CommonArgs;
use crate::cli::console::print_error;
use crate::config::{Settings, read_error_message};
use crate::document::{Document, Language};
use crate::files::is_yaml;
use crate::text::Text;

/// Standard input, with its settings.
pub(in crate::cli) struct StdinInput {
    /// Its name and its language, without its text.
    source: InputSource,
    settings: Arc<Settings>,
    /// True if an error occurred, such as an unusable configuration.
    pub failed: bool,
}

impl StdinInput {
    /// Returns standard input if it is the only input of `paths` and the configuration does not
    /// exclude it. Reports why a configuration is unusable.
    pub fn alone(paths: &PathArgs, common: &CommonArgs) -> io::Result<Option<Self>> {
        let is_alone = !paths.records && matches!(&paths.paths[..], [path] if path.as_os_str() == "-");
        // YAML is read as a whole.
        if !is_alone || paths.stdin_filename.as_deref().is_some_and(is_yaml) {
            return Ok(None);
        }
        let (mut summary, mut unusable) = (InputSummary::default(), InvalidConfigs::default());
        let mut give = |job| match job {
            InputJob::Notice(notice) => {
                JobResult::<()>::Notice(notice).show(&mut summary, &mut |input| match input {
                    super::InputEvent::Problem { file, problem, is_fatal: true } => {
                        unusable.report(file, problem)
                    }
                    _ => Ok(()),
                })
            }
            InputJob::Document(..) => Ok(()),
        };
        let mut loader = common.loader();
        let mut reader = InputReader::new(paths, common, &mut loader, &mut give)?;
        let Some((shown, settings)) = reader.stdin_alone(paths.stdin_filename.as_deref())? else {
            return Ok(None);
        };
        let source = reader.source(shown, DocumentSource::Text(Text::default()));
        Ok(Some(Self { source, settings, failed: summary.failed }))
    }

    /// The name for messages and reports.
    pub fn display_name(&self) -> &str {
        &self.source.display_name
    }

    /// The language, if it is known without looking at the text.
    pub fn language(&self) -> Option<Language> {
        self.source.known_language()
    }

    /// Creates the document with the text `text`.
    pub fn document(&self, text: Text, language: Language) -> Document {
        Document::new(text, language, Arc::clone(&self.settings))
    }

    /// Reports the detected language of `document` if it is a guess and the document has no tool
    /// calls.
    pub fn report_guessed_language(&self, document: &Document) {
        self.source.report_guessed_language(document);
        let unread = UnreadTranscripts::default();
        unread.add(self.display_name(), document);
        unread.report();
    }

    /// Reads all of `input`, which is standard input, and reports its language if that is a guess.
    pub fn read(&self, input: impl io::Read) -> io::Result<Document> {
        let text = text_from(input)?;
        let language = self.source.language_of(&text);
        let document = self.document(text, language);
        self.report_guessed_language(&document);
        Ok(document)
    }

    /// Reports that standard input is not UTF-8 text, if `error` has this reason.
    ///
    /// # Errors
    ///
    /// Any other `error`.
    pub fn report_not_utf8(&mut self, error: io::Error) -> io::Result<()> {
        if !is_not_utf8(&error) {
            return Err(error);
        }
        print_error(&unreadable(&error));
        self.failed = true;
        Ok(())
    }
}

/// The message on standard input that is not UTF-8 text.
pub(super) fn unreadable(error: &io::Error) -> String {
    format!("cannot read standard input: {}", read_error_message(error))
}

/// The path that selects the settings of standard input.
pub(super) fn settings_path(name: Option<&Path>) -> io::Result<std::path::PathBuf> {
    std::path::absolute(name.unwrap_or(Path::new("stdin")))
}
