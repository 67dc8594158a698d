//! `continue`: asks a model for the next message of a conversation, and writes it into the
//! transcript as it comes.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::Resettable;

use super::consent::{answer_to, user_settings};
use super::inputs::file::InputFile;
use super::inputs::{self, PathArgs};
use super::rewrite::rewrite_file;
use crate::call::UseStatus;
use crate::cli::common::CommonArgs;
use crate::cli::console::{print_error, print_to_stderr, print_warning, unless_reader_left};
use crate::cli::exit_status::ExitStatus;
use crate::cli::printable::{printable, printable_text};
use crate::document::Document;
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestOptions, write_request};
use crate::features::continuation::{Continuation, ContinuationPart};
use crate::rules::secrets::secrets_in;
use crate::run::model::{AnswerEnd, AnswerPart, ModelAnswer, ask};
use crate::run::user_settings::{ModelServer, ModelSettings, UserSettings};
use crate::run::{Environment, Limits, block_on};
use crate::text::Text;

const EXAMPLES: &str = "\
The model is one of your own settings; nothing in a workspace can set it. For any server that is
compatible with OpenAI's chat completions or with Anthropic's Messages API, in settings.toml:

  [model]
  server = \"openai\"
  url = \"http://127.0.0.1:11434/v1/chat/completions\"
  name = \"llama3\"
  # key = \"OPENAI_API_KEY\"    the variable with the key

Examples:
  chatls request --to openai chat.md    see first what would be sent
  chatls continue chat.md               the next message
  chatls run --all chat.md              run the calls in it, then continue again

Exit status: 0 success, 1 the answer was cut off, 2 error.";

/// Time between two versions of the text that is shown.
const BETWEEN_SHOWS: Duration = Duration::from_millis(50);
/// Time between two versions of the file while an answer comes.
const BETWEEN_WRITES: Duration = Duration::from_millis(500);

/// The arguments of `continue`.
#[derive(Args, Debug)]
// Records have no files to write.
#[command(
    after_help = EXAMPLES,
    mut_arg("records", |argument| argument.hide(true)),
    mut_arg("paths", |argument| argument.default_value(Resettable::Reset).required(true))
)]
pub(super) struct ContinueArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Name of the model. Default: `name` of your own settings.toml
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Send the conversation although it has secrets
    #[arg(long)]
    send_secrets: bool,
}

/// Runs `continue`.
pub(super) fn run(command: &ContinueArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if !command.paths.is_one_file() {
        print_error("one conversation is continued at a time: name one file");
        return Ok(ExitStatus::Failed);
    }
    let Some(mut model) = user_settings(common, command.paths.named())?.model else {
        let path = UserSettings::path().map(|path| format!(" (`{}`)", printable(&path.to_string_lossy())));
        print_error(&format!(
            "there is no model in your own settings.toml{}: see `chatls continue --help`",
            path.unwrap_or_default()
        ));
        return Ok(ExitStatus::Failed);
    };
    model.name = command.model.clone().unwrap_or(model.name);
    let mut status = ExitStatus::Clean;
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        match continue_document(command, &model, file, &document) {
            Ok(done) => status = status.max(done),
            Err(reason) => {
                print_error(&format!("`{}`: {reason}", printable(file.display_name)));
                status = ExitStatus::Failed;
            }
        }
        Ok(())
    })?;
    Ok(if summary.failed { ExitStatus::Failed } else { status })
}

/// Asks for the next message of `document`, and writes it into its file.
fn continue_document(
    command: &ContinueArgs,
    model: &ModelSettings,
    file: InputFile<'_>,
    document: &Document,
) -> Result<ExitStatus, String> {
    let continuation = Continuation::of(document).map_err(|error| error.to_string())?;
    let body = request(model, document)?;
    show_secrets(command, document)?;
    let mut writer = AnswerWriter::new(continuation, file, document);
    let environment = Environment::of_process();
    let limits = Limits::default();
    let cancelled = std::future::pending();
    let mut answer = ModelAnswer::default();
    let on_answer = |answer: &ModelAnswer| writer.show(answer);
    let asked = block_on(ask(model, &environment, body, &limits, &mut answer, on_answer, cancelled));
    // What has come stays, whatever happened then.
    let after = writer.finish(&answer)?;
    asked.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    let settings = Arc::clone(document.settings());
    let after = Document::new(Text::new(&after), document.language(), settings);
    Ok(report(&printable(file.display_name), &answer, &after))
}

/// The body of the request.
fn request(model: &ModelSettings, document: &Document) -> Result<String, String> {
    let name = match model.server {
        ModelServer::Openai => "openai",
        ModelServer::Anthropic => "anthropic",
    };
    let form = REQUEST_FORMS.iter().find(|form| form.name == name).ok_or("there is no such form")?;
    let options = RequestOptions {
        at: None,
        model: Some(model.name.clone()),
        max_tokens: model.max_tokens,
        stream: true,
    };
    let written = write_request(document, form, &options).map_err(|error| error.to_string())?;
    match written.pending {
        0 => {}
        1 => return Err("1 call has no result yet: run it with `chatls run`, or complete it".to_owned()),
        calls => {
            return Err(format!("{calls} calls have no result yet: run them with `chatls run --all`"));
        }
    }
    for warning in written.warnings(form, &options) {
        print_warning(&warning);
    }
    Ok(written.text)
}

/// Shows the secrets in `document`, and asks whether they may be sent.
fn show_secrets(command: &ContinueArgs, document: &Document) -> Result<(), String> {
    let text = document.text().to_string();
    let mut count = 0;
    for (description, range) in secrets_in(&text) {
        let line = document.text().line_of_byte(range.start) + 1;
        print_warning(&format!("line {line}: this looks like {description}"));
        count += 1;
    }
    if count == 0 || command.send_secrets {
        return Ok(());
    }
    let refused = "it has secrets, and was not sent: redact them, or agree with --send-secrets";
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Err(refused.to_owned());
    }
    let agrees = answer_to("Send them? [y/N] ").is_ok_and(|answer| matches!(&*answer, "y" | "yes"));
    if agrees { Ok(()) } else { Err(refused.to_owned()) }
}

/// Writes an answer into its file as it comes, and shows its text.
struct AnswerWriter<'f> {
    continuation: Continuation,
    file: InputFile<'f>,
    /// The text of the document without the answer.
    base: Arc<str>,
    /// The text of the file, as last written.
    written: String,
    /// The answer's text, as it was last shown.
    shown: String,
    last_show: Instant,
    last_write: Instant,
    /// The reason why the file was not written.
    failure: Option<String>,
    /// The text that belongs into the file now.
    text: String,
}

impl<'f> AnswerWriter<'f> {
    fn new(continuation: Continuation, file: InputFile<'f>, document: &Document) -> Self {
        let base = document.text().to_string();
        Self {
            continuation,
            file,
            written: base.clone(),
            text: base.clone(),
            base: base.into(),
            shown: String::new(),
            last_show: Instant::now(),
            last_write: Instant::now(),
            failure: None,
        }
    }

    /// Shows the answer as far as it has come, and writes it, from time to time.
    fn show(&mut self, answer: &ModelAnswer) {
        if self.last_show.elapsed() >= BETWEEN_SHOWS {
            self.compose(answer, false);
        }
        if self.last_write.elapsed() >= BETWEEN_WRITES {
            self.write();
        }
    }

    fn compose(&mut self, answer: &ModelAnswer, is_complete: bool) {
        let parts: Vec<_> = answer.ready_parts().into_iter().map(part).collect();
        let text = self.continuation.text(&parts, is_complete);
        let stable = text.trim_end();
        if let Some(more) = stable.strip_prefix(self.shown.as_str()).filter(|_| self.file.path.is_some()) {
            _ = write!(io::stdout(), "{}", printable_text(more)).and_then(|()| io::stdout().flush());
        }
        self.shown = stable.to_owned();
        self.text = format!("{}{text}", self.base);
        self.last_show = Instant::now();
    }

    /// Writes the file, unless a write has failed.
    fn write(&mut self) {
        let Some(path) = self.file.path.filter(|_| self.failure.is_none()) else { return };
        if self.written != self.text {
            match rewrite_file(self.file, path, &self.written, &self.text) {
                Ok(()) => self.written.clone_from(&self.text),
                Err(error) => self.failure = Some(error.to_string()),
            }
        }
        self.last_write = Instant::now();
    }

    /// Writes all that has come, and returns the text of the document. One from standard input is
    /// printed.
    fn finish(mut self, answer: &ModelAnswer) -> Result<String, String> {
        self.compose(answer, true);
        self.write();
        let printed = match self.file.path {
            Some(_) if self.shown.is_empty() => Ok(()),
            Some(_) => writeln!(io::stdout()),
            None => write!(io::stdout(), "{}", self.text),
        };
        unless_reader_left(printed).map_err(|error| error.to_string())?;
        match self.failure {
            Some(reason) => Err(format!("the answer is not written: {reason}")),
            None => Ok(self.text),
        }
    }
}

/// A part of an answer, to be written.
fn part(part: &AnswerPart) -> ContinuationPart<'_> {
    match part {
        AnswerPart::Text(text) => ContinuationPart::Text(text),
        AnswerPart::Call(call) => {
            ContinuationPart::Call { id: &call.id, name: &call.name, input: &call.input }
        }
    }
}

/// Reports the end of an answer, and the calls in the document after it.
fn report(name: &str, answer: &ModelAnswer, after: &Document) -> ExitStatus {
    let left_out = answer.parts.len() - answer.ready_parts().len();
    let mut status = ExitStatus::Clean;
    let mut warn = |text: &str| {
        print_warning(&format!("`{name}`: {text}"));
        status = ExitStatus::Found;
    };
    match &answer.end {
        Some(AnswerEnd::Length) => warn("the answer was cut off at the maximum number of tokens"),
        Some(AnswerEnd::Other(reason)) => warn(&format!("the answer was cut off: {}", printable(reason))),
        Some(AnswerEnd::Complete) | None => {}
    }
    match left_out {
        0 => {}
        1 => warn("a call whose input is not a JSON object is left out"),
        calls => warn(&format!("{calls} calls whose input is not a JSON object are left out")),
    }
    match after.tool_uses().iter().filter(|tool_use| tool_use.status == UseStatus::Pending).count() {
        0 => {}
        1 => print_to_stderr("1 call is pending: run it with `chatls run`"),
        calls => print_to_stderr(&format!("{calls} calls are pending: run them with `chatls run --all`")),
    }
    status
}
