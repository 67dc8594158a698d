//! `run`: runs the calls of transcripts and records their results, or compares them.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::consent::{ConnectionArgs, answer_to, consent, workspace};
use super::inputs::{self, InputFile, PathArgs, arguments};
use super::progress::stdout_beside_line;
use crate::call::{ToolUse, UseOutcome, UseStatus};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{
    print_error, print_to_stderr, print_warning, printable, printable_path, unless_reader_left,
};
use crate::document::Document;
use crate::features::refactorings::outcomes::{self, CallAnchor, sample_edits};
use crate::rules::secrets::redacted;
use crate::run::preset::{ChartIndex, ToolFolder};
use crate::run::turns::{CallError, CallRuns, RanCall};
use crate::run::user_settings::{AskPolicy, UserSettings};
use crate::run::{
    CallEffect, CancellationToken, Consented, Environment, KnownRunner, NotRun, Progress, ReadyCall,
    RunPermission, ToolHost, TrustStore, block_on,
};
use crate::text::cut;
use crate::text::visible::visible;

mod compare;
pub(super) mod file_host;

use file_host::FileHost;

const EXAMPLES: &str = "\
Examples:
  chatls run --dry-run --all chat.md      show what would run, with which input, by whom
  chatls run --in . chat.md               run the first pending call; presets work in this folder
  chatls run --in . --all --yes chat.md   run all pending calls without asking
  chatls run --id call_1 chat.md          run a call again and replace its result
  chatls run --in . --compare chat.md     run the recorded calls again and show what differs

Nothing is started without consent: see `chatls trust --help`.

Exit status: 0 success, 1 a tool failed or a result differs, 2 a call could not be run.";

/// The arguments of `run`.
#[derive(Args, Debug)]
// Records have no files to rewrite.
#[command(after_help = EXAMPLES, mut_args(arguments::required_paths))]
pub(super) struct RunArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Run calls of this tool only
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Run the call with this id, also if it has a result, which is replaced
    #[arg(long, value_name = "ID", conflicts_with = "all")]
    id: Option<String>,
    /// Run all pending calls instead of the first
    #[arg(long)]
    all: bool,
    /// Show what would run, with which input, by whom. Nothing is started
    #[arg(long)]
    dry_run: bool,
    /// Folder in which the tools of presets work. No path leads out of it
    #[arg(long = "in", value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Run calls that may change something without asking
    #[arg(long)]
    yes: bool,
    /// Run calls although they have secrets
    #[arg(long)]
    send_secrets: bool,
    /// Address that `latest_subchart_version` asks, such as https://artifacthub.io. Default:
    /// `charts` of your own settings.toml
    #[arg(long, value_name = "URL")]
    charts: Option<String>,
    #[command(flatten)]
    connection: ConnectionArgs,
    #[command(flatten)]
    compare: compare::CompareArgs,
}

/// The form of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ComparisonFormat {
    /// Text with colors
    Human,
    /// One JSON array
    Json,
}

/// Runs `run`.
pub(super) fn run(command: &RunArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if command.compare.is_wanted() {
        return compare::run(command, common);
    }
    let folder = match tool_folder(command.folder.as_deref()) {
        Ok(folder) => folder,
        Err(reason) => {
            print_error(&reason);
            return Ok(ExitStatus::Failed);
        }
    };
    let mut status = ExitStatus::Clean;
    let mut out = io::BufWriter::new(stdout_beside_line(io::stdout()));
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        let indices = match wanted(command, &document) {
            Ok(indices) => indices,
            Err(reason) => {
                print_error(&format!("`{}`: {reason}", printable(file.display_name)));
                status = ExitStatus::Failed;
                return Ok(());
            }
        };
        if indices.is_empty() {
            print_to_stderr(&format!("{}: nothing to run", printable(file.display_name)));
        }
        if command.dry_run {
            status = status.max(list(file, &document, &indices)?);
            return Ok(());
        }
        let Some((after, ran)) = run_all((command, common), folder.clone(), file, &document, &indices)?
        else {
            status = ExitStatus::Failed;
            return Ok(());
        };
        status = status.max(ran);
        match file.path {
            // Files have been written after each call.
            Some(_) => Ok(()),
            None => unless_reader_left(write!(out, "{}", after.text())),
        }
    })?;
    summary.finish(&mut out, status)
}

/// Maximum number of calls for which [`list`] tries to write a result, which costs as much as the
/// result. For more calls, it only checks their forms.
const MOST_TRIED: usize = 20;

/// The calls to run, as indices of the tool uses.
fn wanted(command: &RunArgs, document: &Document) -> Result<Vec<usize>, String> {
    let uses = document.tool_uses();
    let is_wanted = |tool_use: &ToolUse| {
        let is_tool = command.tool.as_ref().is_none_or(|tool| tool_use.name.as_ref() == Some(tool));
        let is_due = match &command.id {
            Some(id) => tool_use.id.as_ref() == Some(id),
            None => tool_use.status == UseStatus::Pending,
        };
        tool_use.has_call && is_tool && is_due
    };
    let found = uses.iter().enumerate().filter(|(_, tool_use)| is_wanted(tool_use)).map(|(index, _)| index);
    let found: Vec<usize> = found.collect();
    match (&command.id, &command.tool, &*found) {
        (Some(id), _, []) => Err(format!("there is no call with the id `{id}`")),
        (Some(id), _, [_, _, ..]) => Err(format!("several calls have the id `{id}`")),
        (None, Some(tool), []) if !uses.iter().any(|it| it.name.as_ref() == Some(tool)) => {
            Err(format!("there is no call of `{tool}`"))
        }
        _ if command.all => Ok(found),
        _ => Ok(found.into_iter().take(1).collect()),
    }
}

/// Lists what would run. The exit status reports calls that cannot run.
fn list(file: InputFile<'_>, document: &Document, indices: &[usize]) -> io::Result<ExitStatus> {
    let mut out = stdout_beside_line(io::stdout());
    let uses = document.tool_uses();
    let paired = document.paired_uses();
    let mut after = document.clone();
    let mut status = ExitStatus::Clean;
    for index in indices {
        let place = place(file, document, uses.get(*index));
        let line = match ReadyCall::of(document, &uses, *index) {
            Ok(call) => {
                let obstacle = match indices.len() <= MOST_TRIED {
                    // Results are written in this order: each makes a place for the next.
                    true => match sample_edits(&after, &call.anchor) {
                        Ok(edits) => {
                            after = after.edited(&edits);
                            None
                        }
                        Err(reason) => Some(reason),
                    },
                    false => outcomes::form_obstacle(document, &paired, *index),
                };
                format!("{place}: {}", ReadyCall { obstacle, ..call }.line())
            }
            Err(reason) => {
                status = ExitStatus::Failed;
                format!("{place}: cannot run: {}", redacted(&reason))
            }
        };
        unless_reader_left(writeln!(out, "{}", printable(&line)))?;
    }
    Ok(status)
}

/// Runs the calls at `indices`, in order, and writes each result into the file. Returns the
/// document after that; `None` if nothing could begin, which was reported.
fn run_all(
    (command, common): (&RunArgs, &CommonArgs),
    folder: Option<Arc<ToolFolder>>,
    file: InputFile<'_>,
    document: &Document,
    indices: &[usize],
) -> io::Result<Option<(Document, ExitStatus)>> {
    if indices.is_empty() {
        return Ok(Some((document.clone(), ExitStatus::Clean)));
    }
    let settings = UserSettings::load_for(workspace(common), file.path)?;
    let mut user = TerminalUser {
        agrees: command.yes,
        sends_secrets: command.send_secrets,
        ..TerminalUser::new(settings.ask)?
    };
    let mut tools =
        host((&settings, command.connection.environment()), command.charts.as_ref(), common, folder);
    let mut file_host = FileHost::new(file, document.clone(), command.send_secrets);
    let uses = document.tool_uses();
    let cancellation = CancellationToken::new();
    let task = async {
        let (user, host) = (&mut user, &mut file_host);
        let mut runs = CallRuns { tools: &mut tools, user, host, cancellation: &cancellation };
        let mut status = ExitStatus::Clean;
        for (tool_use, anchor) in
            indices.iter().filter_map(|at| uses.get(*at).zip(CallAnchor::of(&uses, *at)))
        {
            // The user wants to replace the result of a call that is named.
            let anchor = if command.id.is_some() { anchor.with_any_result() } else { anchor };
            let RanCall { line, end } = runs.run(&anchor).await;
            let line = line.unwrap_or_else(|| document.text().line_of_byte(tool_use.range.start));
            status = status.max(match end {
                Ok(call) if call.is_error => ExitStatus::Found,
                Ok(_) => ExitStatus::Clean,
                Err(error) => {
                    let reason = reason_of(error, runs.user);
                    print_error(&format!("{}:{}: {}", file.display_name, line + 1, redacted(&reason)));
                    ExitStatus::Failed
                }
            });
        }
        tools.close().await;
        status
    };
    let status = block_on(task)?;
    Ok(Some((file_host.finish().0, status)))
}

/// The reason why the result of a call is not in the file.
fn reason_of(error: CallError, user: &mut TerminalUser) -> String {
    let reason = match error {
        CallError::Cancelled => "it was cancelled".to_owned(),
        CallError::Document(reason) => reason,
        CallError::Changed(reason) => reason.to_string(),
        CallError::NotRun(reason) => not_run(reason, user),
        CallError::Unwritten { reason, .. } => return format!("the result is not written: {reason}"),
    };
    format!("not run: {reason}")
}

/// Shows the progress of a call.
pub(super) fn show_progress(progress: &Progress) {
    let Progress { done, total, message } = progress;
    let step = match (message, total) {
        (Some(message), _) => cut(&redacted(message), 200),
        (None, Some(total)) => format!("{done} of {total}"),
        (None, None) => done.to_string(),
    };
    print_to_stderr(&format!("  {step}"));
}

/// The reason why a call did not run, with the end of the log of its server or program.
pub(super) fn not_run(reason: NotRun, user: &mut TerminalUser) -> String {
    match reason {
        NotRun::Refused => user.refusal.take().unwrap_or_else(|| "you did not agree".to_owned()),
        NotRun::Impossible { reason, log } => reason + &last_lines(&log),
    }
}

/// The end of what a server or program wrote to stderr, for a message.
pub(super) fn last_lines(log: &str) -> String {
    let lines: Vec<_> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(5)..).unwrap_or_default();
    last.iter().map(|line| format!("\n  {line}")).collect()
}

/// The folder at `path` in which tools of presets work. The error is for the user.
pub(super) fn tool_folder(path: Option<&Path>) -> Result<Option<Arc<ToolFolder>>, String> {
    let open = |path: &Path| {
        let failed = |error| format!("cannot work in `{}`: {error}", printable_path(path));
        ToolFolder::open(path).map(Arc::new).map_err(failed)
    };
    path.map(open).transpose()
}

/// Creates a host for calls; `charts` replaces the address of the chart index in `settings`.
pub(super) fn host(
    (settings, environment): (&UserSettings, Environment),
    charts: Option<&String>,
    common: &CommonArgs,
    folder: Option<Arc<ToolFolder>>,
) -> ToolHost {
    let mut host = ToolHost::new(environment.clone(), workspace(common));
    host.folder = folder;
    host.limits = settings.limits.clone();
    if let Some(address) = charts.or(settings.charts.as_ref()).cloned() {
        host.charts = Some(Arc::new(ChartIndex::at(address, environment)));
    }
    host
}

/// `FILE:LINE` of a tool use.
pub(super) fn place(file: InputFile<'_>, document: &Document, tool_use: Option<&ToolUse>) -> String {
    let start = tool_use.map_or(0, |tool_use| tool_use.range.start);
    format!("{}:{}", file.display_name, document.text().line_of_byte(start) + 1)
}

/// Shows the call at `place`, and warns of its secrets.
pub(super) fn show_call(call: &ReadyCall, place: &str) {
    print_to_stderr(&format!("{place}: {}", call.question_lines().join("\n")));
    for secret in call.secrets() {
        print_warning(&format!("the call has what looks like {secret}"));
    }
}

/// The result of a call, in one line.
pub(super) fn in_one_line(outcome: &UseOutcome) -> String {
    match outcome {
        UseOutcome::Empty => "no content".to_owned(),
        UseOutcome::Output(output) => format!("→ {}", cut(redacted(&output.to_text()).trim(), 200)),
        UseOutcome::Error(text) => format!("failed: {}", cut(redacted(text).trim(), 200)),
    }
}

/// The user at a terminal.
pub(super) struct TerminalUser {
    store: TrustStore,
    /// True if calls that may change something need no question.
    pub agrees: bool,
    /// True if calls with secrets need no question.
    pub sends_secrets: bool,
    /// True if a question shows its call, because nothing did before.
    shows_calls: bool,
    policy: AskPolicy,
    /// The reason for the last refusal, if it is not the user's.
    refusal: Option<String>,
}

impl TerminalUser {
    /// Without agreement to anything.
    pub fn new(policy: AskPolicy) -> io::Result<Self> {
        Ok(Self {
            store: TrustStore::of_user()?,
            agrees: false,
            sends_secrets: false,
            shows_calls: false,
            policy,
            refusal: None,
        })
    }
}

impl RunPermission for TerminalUser {
    async fn consent(&mut self, runner: &KnownRunner) -> io::Result<Option<Consented>> {
        consent(&self.store, runner)
    }

    async fn folder(&mut self, call: &ReadyCall) -> Result<Arc<ToolFolder>, NotRun> {
        let tool = &call.tool;
        let reason = format!("name the folder in which `{tool}` may work, with --in FOLDER");
        Err(NotRun::because(reason))
    }

    async fn allows(&mut self, call: &ReadyCall, effect: CallEffect, consented: Option<&Consented>) -> bool {
        let has_secrets = !call.secrets().is_empty() && !self.sends_secrets;
        if !has_secrets && (self.agrees || !self.policy.asks(effect)) {
            return true;
        }
        let rememberable = consented.filter(|_| !has_secrets && self.policy != AskPolicy::Always);
        if rememberable.is_some_and(|consented| self.store.always_allows(consented, &call.tool)) {
            return true;
        }
        if io::stdin().is_terminal() && io::stderr().is_terminal() {
            if self.shows_calls {
                show_call(call, "  this call");
            }
            let answer = ask(call, effect, rememberable.is_some());
            if let (Answer::Always, Some(consented)) = (answer, rememberable)
                && let Err(error) = self.store.always_allow(consented, &call.tool)
            {
                self.refusal = Some(format!("your answer is not kept: {error}"));
                return false;
            }
            return answer != Answer::No;
        }
        let reason = match effect {
            _ if has_secrets => "it has secrets: redact them, or agree with --send-secrets",
            CallEffect::MayChange => "it may change something: agree with --yes",
            CallEffect::ReadOnly => "your settings ask at each run: agree with --yes",
        };
        self.refusal = Some(reason.to_owned());
        false
    }
}

/// The answer to the question whether a call is to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    No,
    Yes,
    /// Yes, and calls of this tool need no question any more.
    Always,
}

/// Asks at the terminal. `has_always` offers to remember the answer.
fn ask(call: &ReadyCall, effect: CallEffect, has_always: bool) -> Answer {
    let may = match effect {
        CallEffect::MayChange => "may change something",
        CallEffect::ReadOnly => "changes nothing",
    };
    let sends = if call.secrets().is_empty() { "" } else { ", and gets what looks like a secret" };
    let answers = if has_always { "[y/N, a: always allow this tool]" } else { "[y/N]" };
    let question = format!("  `{}` {may}{sends}. Run it? {answers} ", visible(&cut(&call.tool, 80)));
    match answer_to(&question).as_deref() {
        Ok("y" | "yes") => Answer::Yes,
        Ok("a" | "always") if has_always => Answer::Always,
        _ => Answer::No,
    }
}
