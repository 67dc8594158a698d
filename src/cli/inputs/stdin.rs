//! Standard input as the only document: a command can work on it while it is still written.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::reader::InputReader;
use super::source::{DocumentSource, InputSource};
use super::{InputJob, InputSummary, InvalidConfigs, JobResult, PathArgs};
use crate::cli::{CommonArgs, print_error};
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

/// Standard input, under the settings that hold for it.
pub(in crate::cli) struct StdinInput {
    /// The name to call it by.
    pub display_name: String,
    settings: Arc<Settings>,
    language: Option<Language>,
    /// Whether something could not be done: a configuration cannot be used.
    pub failed: bool,
}

impl StdinInput {
    /// Standard input where `paths` names nothing else, and the configuration does not keep it out. What makes that unusable is said.
    pub fn alone(paths: &PathArgs, common: &CommonArgs) -> io::Result<Option<Self>> {
        let is_alone = !paths.records && matches!(&paths.paths[..], [path] if path.as_os_str() == "-");
        if !is_alone {
            return Ok(None);
        }
        let (mut summary, mut unusable) = (InputSummary::default(), InvalidConfigs::default());
        let mut give = |job| match job {
            InputJob::Notice(told) => {
                JobResult::<()>::Notice(told).show(&mut summary, &mut |input| match input {
                    super::InputEvent::Fatal(file, problem) => unusable.report(file, problem),
                    _ => Ok(()),
                })
            }
            InputJob::Document(..) => Ok(()),
        };
        let (mut loader, mut looked_through) = (common.loader(), |_: &Path| {});
        let mut reader = InputReader::new(paths, common, &mut loader, &mut give, &mut looked_through)?;
        let Some((shown, settings)) = reader.stdin_alone(paths.stdin_filename.as_deref())? else {
            return Ok(None);
        };
        let language = paths.language.map(Language::from).or_else(|| Language::of_name(&shown));
        Ok(Some(Self { display_name: shown, settings, language, failed: summary.failed }))
    }

    /// Its language, as far as it is known without its text.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// The document `text`.
    pub fn document(&self, text: Text, language: Language) -> Document {
        Document::new(text, language, Arc::clone(&self.settings))
    }

    /// Says as which language `document` was read, if that is a guess and there are no tool calls.
    pub fn report_guessed_language(&self, document: &Document) {
        let (shown, content) = (self.display_name.clone(), DocumentSource::Text(Text::default()));
        let source = InputSource {
            display_name: shown,
            content,
            language: self.language,
            is_named: true,
            is_kept_out: false,
        };
        source.report_guessed_language(document);
    }

    /// Says that it is no text.
    pub fn report_not_utf8(&mut self) {
        print_error("standard input is not UTF-8");
        self.failed = true;
    }
}

/// The path that standard input has the settings of.
pub(super) fn settings_path(name: Option<&Path>) -> io::Result<std::path::PathBuf> {
    std::path::absolute(name.unwrap_or(Path::new("stdin")))
}
