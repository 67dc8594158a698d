//! `continue`: asks a model for the next message of a conversation, and writes it into the
//! transcript as it comes; with `--turns`, runs the calls in it, and asks again.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::consent::{ConnectionArgs, workspace};
use super::inputs::{self, InputFile, PathArgs, arguments};
use super::run::file_host::FileHost;
use super::run::{TerminalUser, host, not_run, tool_folder};
use crate::call::UseStatus;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{
    print_error, print_to_stderr, print_warning, printable, refused, unless_reader_left,
};
use crate::cli::interruption::cancelled_by_signal;
use crate::document::Document;
use crate::rules::secrets::redacted;
use crate::run::model::AnswerEnd;
use crate::run::turns::{Turns, TurnsEnd, TurnsError};
use crate::run::user_settings::{ModelSettings, UserSettings};
use crate::run::{CancellationToken, block_on};

const EXAMPLES: &str = "\
The model is one of your own settings; nothing in a workspace can set it. For any server that is
compatible with OpenAI's chat completions or with Anthropic's Messages API, in settings.toml:

  [model]
  server = \"openai\"
  url = \"http://127.0.0.1:11434/v1/chat/completions\"
  name = \"llama3\"
  # key = \"OPENAI_API_KEY\"    the variable with the key

Examples:
  chatls request --to openai chat.md           see first what would be sent
  chatls continue chat.md                      the next message
  chatls run --all chat.md                     run the calls in it, then continue again
  chatls continue --turns 5 --in . chat.md     both, up to five times

Exit status: 0 success, 1 the answer is empty or was cut off, or the last turn has calls, 2 error.";

/// Interval between writes of the file while an answer is streamed.
const BETWEEN_WRITES: Duration = Duration::from_millis(500);

/// The arguments of `continue`.
#[derive(Args, Debug)]
// Records have no files to write.
#[command(after_help = EXAMPLES, mut_args(arguments::required_paths))]
pub(super) struct ContinueArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Name of the model. Default: `name` of your own settings.toml
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Send the conversation, and run calls, although they have secrets
    #[arg(long)]
    send_secrets: bool,
    /// Run the calls of the answer, as `chatls run --all` does, and ask again, until an answer has
    /// none; at most N answers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,
    /// Folder in which the tools of presets work. No path leads out of it
    #[arg(long = "in", value_name = "FOLDER", requires = "turns")]
    folder: Option<PathBuf>,
    /// Run calls that may change something without asking
    #[arg(long, requires = "turns")]
    yes: bool,
    #[command(flatten)]
    connection: ConnectionArgs,
}

/// Runs `continue`.
pub(super) fn run(command: &ContinueArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if !command.paths.is_one_file() {
        return refused("one conversation is continued at a time: name one file");
    }
    let mut settings = UserSettings::load_for(workspace(common), command.paths.named())?;
    let Some(mut model) = settings.model.take() else {
        let path = UserSettings::path().map(|path| format!(" (`{}`)", printable(&path.to_string_lossy())));
        return refused(format!(
            "there is no model in your own settings.toml{}: see `chatls continue --help`",
            path.unwrap_or_default()
        ));
    };
    model.name = command.model.clone().unwrap_or(model.name);
    let mut status = ExitStatus::Clean;
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        status = status.max(continue_document(command, common, (&model, &settings), file, document)?);
        Ok(())
    })?;
    Ok(summary.status(status))
}

/// Continues the conversation of `document`, and writes it into its file.
fn continue_document(
    command: &ContinueArgs,
    common: &CommonArgs,
    (model, settings): (&ModelSettings, &UserSettings),
    file: InputFile<'_>,
    document: Document,
) -> io::Result<ExitStatus> {
    let folder = match tool_folder(command.folder.as_deref()) {
        Ok(folder) => folder,
        Err(reason) => {
            print_error(&reason);
            return Ok(ExitStatus::Failed);
        }
    };
    let mut user = TerminalUser::new(settings.ask)?;
    (user.agrees, user.sends_secrets) = (command.yes, command.send_secrets);
    let environment = command.connection.environment();
    let mut tools = host((settings, environment.clone()), None, common, folder);
    let mut file_host = FileHost::new(file, document, command.send_secrets);
    let cancellation = CancellationToken::new();
    let turns = Turns {
        model,
        environment: &environment,
        limits: &settings.limits,
        between_edits: BETWEEN_WRITES,
        cancellation: &cancellation,
    };
    let cancel = {
        let cancellation = cancellation.clone();
        move || cancellation.cancel()
    };
    let (done, after, status) = cancelled_by_signal(cancel, || -> io::Result<_> {
        let done = block_on(async {
            let done = turns.take(command.turns, &mut tools, &mut user, &mut file_host).await;
            tools.close().await;
            done
        })?;
        file_host.end_answer()?;
        let (after, status) = file_host.finish();
        if file.path.is_none() {
            unless_reader_left(write!(io::stdout(), "{}", after.text()))?;
        }
        Ok((done, after, status))
    })?;
    let name = printable(file.display_name);
    Ok(match done {
        Ok(end) => report(&name, &end, &after).max(status),
        Err(error) => {
            print_error(&format!("`{name}`: {}", redacted(&words(error, &mut user))));
            ExitStatus::Failed
        }
    })
}

/// Reports the end of turns, and the calls in the document after them.
fn report(name: &str, end: &TurnsEnd, after: &Document) -> ExitStatus {
    let cut_off = match end {
        TurnsEnd::CutOff(AnswerEnd::Length) => {
            "the answer was cut off at the maximum number of tokens".to_owned()
        }
        TurnsEnd::CutOff(AnswerEnd::Other(reason)) => {
            format!("the answer was cut off: {}", printable(reason))
        }
        TurnsEnd::CutOff(AnswerEnd::Empty) => "the answer of the model is empty".to_owned(),
        TurnsEnd::AllTurns => "the last turn has calls: continue again with their results".to_owned(),
        TurnsEnd::Answered | TurnsEnd::CutOff(AnswerEnd::Complete) => String::new(),
    };
    if !cut_off.is_empty() {
        print_warning(&format!("`{name}`: {cut_off}"));
    }
    match after.tool_uses().iter().filter(|tool_use| tool_use.status == UseStatus::Pending).count() {
        0 => {}
        1 => print_to_stderr("1 call is pending: run it with `chatls run`"),
        calls => print_to_stderr(&format!("{calls} calls are pending: run them with `chatls run --all`")),
    }
    if cut_off.is_empty() { ExitStatus::Clean } else { ExitStatus::Found }
}

/// `error` for the user.
fn words(error: TurnsError, user: &mut TerminalUser) -> String {
    match error {
        TurnsError::Cancelled => "cancelled".to_owned(),
        TurnsError::Document(reason) | TurnsError::NotSent(reason) => reason,
        // The text of the answer was printed before.
        TurnsError::AnswerUnwritten { reason, .. } => format!("the answer is not written: {reason}"),
        TurnsError::Pending(1) => {
            "1 call has no result yet: run it with `chatls run`, or complete it".to_owned()
        }
        TurnsError::Pending(calls) => {
            format!("{calls} calls have no result yet: run them with `chatls run --all`")
        }
        TurnsError::Model(error) => error.to_string(),
        TurnsError::NotRun { line, reason } => {
            format!("line {}: not run: {}", line + 1, not_run(reason, user))
        }
        TurnsError::Unwritten { line, reason } => {
            format!("line {}: the result is not written: {reason}", line + 1)
        }
    }
}
