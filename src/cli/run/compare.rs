//! `run --compare`: runs recorded calls again and shows what differs.

use std::io::{self, Write};
use std::sync::Arc;

use anstyle::AnsiColor;
use clap::Args;
use serde_json::{Value, json};
use similar::ChangeTag;

use super::{ComparisonFormat, RunArgs, TerminalUser, host, not_run, place, show_progress};
use crate::call::{ToolUse, UseData, UseOutcome, UseStatus};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::consent::workspace;
use crate::cli::console::{
    print_error, print_to_stderr, printable, printable_path, printable_text, refused, unless_reader_left,
};
use crate::cli::escape::Escaping;
use crate::cli::inputs::{self, InputFile, TextHolding};
use crate::cli::progress::stdout_beside_line;
use crate::cli::temporaries::TemporaryFolder;
use crate::config::{CompareRules, CompareSettings};
use crate::document::Document;
use crate::features::refactorings::outcomes::outcome_edits;
use crate::run::compare::ResultDifferences;
use crate::run::preset::{ToolFolder, copy_folder};
use crate::run::user_settings::{AskPolicy, UserSettings};
use crate::run::{CallRunner, ReadyCall, ToolHost, block_on};
use crate::text::line_diff::{diff_hunks, lines_with_ends};

/// The arguments of `run --compare`.
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// Run the recorded calls again and show what differs. Presets work in a copy of the folder
    #[arg(long, conflicts_with_all = ["dry_run", "all"])]
    compare: bool,
    /// JSONPath of values that may differ, also as TOOL:PATH. Repeatable
    #[arg(long, value_name = "PATH", requires = "compare")]
    ignore: Vec<String>,
    /// JSONPath of values that only need to match: PATH=TYPE or PATH=/REGEX/. Repeatable
    #[arg(long = "match", value_name = "PATH=PATTERN", requires = "compare")]
    accept: Vec<String>,
    /// Regular expression of what may differ in texts. Repeatable
    #[arg(long, value_name = "REGEX", requires = "compare")]
    mask: Vec<String>,
    /// Form of the comparison
    #[arg(long, value_enum, default_value_t = ComparisonFormat::Human, requires = "compare")]
    format: ComparisonFormat,
}

impl CompareArgs {
    /// True if recorded calls are to be compared.
    pub(super) fn is_wanted(&self) -> bool {
        self.compare
    }

    /// The rules of `configured`, and the rules of the options.
    fn rules(&self, configured: &CompareSettings) -> Result<CompareRules, String> {
        let mut all = configured.clone();
        all.ignored.extend_from_slice(&self.ignore);
        all.accepted.extend_from_slice(&self.accept);
        all.masks.extend_from_slice(&self.mask);
        all.rules()
    }
}

/// The comparison of one call.
struct ComparedCall {
    place: String,
    line: usize,
    tool: String,
    id: Option<String>,
    /// The differences, or the reason why the call was not run.
    found: Result<ResultDifferences, String>,
}

/// Runs `run --compare`.
pub(super) fn run(command: &RunArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if let Err(reason) = command.compare.rules(&CompareSettings::default()) {
        return refused(reason);
    }
    let mut status = ExitStatus::Clean;
    let mut out = stdout_beside_line(anstream::stdout());
    let (mut described, mut count, mut same) = (Vec::new(), 0, 0);
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Parts,
        |_, document| document,
        |file, document| {
            let Some(compared) = compare_all(command, common, file, &document)? else {
                status = ExitStatus::Failed;
                return Ok(());
            };
            count += compared.len();
            for call in compared {
                status = status.max(match &call.found {
                    Ok(ResultDifferences::None) => ExitStatus::Clean,
                    Ok(_) => ExitStatus::Found,
                    Err(_) => ExitStatus::Failed,
                });
                same += usize::from(call.found == Ok(ResultDifferences::None));
                match command.compare.format {
                    ComparisonFormat::Human => show(&mut out, &call)?,
                    ComparisonFormat::Json => described.push(described_call(file, &call)),
                }
            }
            Ok(())
        },
    )?;
    match command.compare.format {
        ComparisonFormat::Json => {
            unless_reader_left(writeln!(Escaping::json(&mut out), "{}", Value::from(described)))?;
        }
        ComparisonFormat::Human => {
            print_to_stderr(&format!("{same} result{} unchanged", if same == 1 { " is" } else { "s are" }));
        }
    }
    unless_reader_left(out.flush())?;
    if count == 0
        && let Some(call) = named_call(command)
    {
        return refused(format!("there is no call {call} that has a result"));
    }
    Ok(summary.status(status))
}

/// The call that the arguments name, in words.
fn named_call(command: &RunArgs) -> Option<String> {
    match (&command.id, &command.tool) {
        (Some(id), _) => Some(format!("with the id `{id}`")),
        (None, Some(tool)) => Some(format!("of `{tool}`")),
        (None, None) => None,
    }
}

/// Runs the recorded calls of `document` again, in order. `None` if nothing could begin, which was
/// reported.
fn compare_all(
    command: &RunArgs,
    common: &CommonArgs,
    file: InputFile<'_>,
    document: &Document,
) -> io::Result<Option<Vec<ComparedCall>>> {
    let rules = match command.compare.rules(&document.settings().compare) {
        Ok(rules) => rules,
        Err(reason) => {
            let name = printable(file.display_name);
            print_error(&format!(
                "`{name}` is not compared, because a rule of its `[compare]` is invalid: {reason}"
            ));
            return Ok(None);
        }
    };
    let uses = document.tool_uses();
    let is_wanted = |tool_use: &ToolUse| {
        let is_tool = command.tool.as_ref().is_none_or(|tool| tool_use.name.as_ref() == Some(tool));
        let is_call = command.id.as_ref().is_none_or(|id| tool_use.id.as_ref() == Some(id));
        tool_use.has_call && tool_use.status != UseStatus::Pending && is_tool && is_call
    };
    let copy = match &command.folder {
        None => None,
        Some(path) => {
            let copy = TemporaryFolder::new()?;
            if let Err(error) = copy_folder(path, copy.path()) {
                print_error(&format!("cannot copy `{}`: {error}", printable_path(path)));
                return Ok(None);
            }
            Some(copy)
        }
    };
    let open = |copy: &TemporaryFolder| ToolFolder::open(copy.path()).map(Arc::new);
    let folder = copy.as_ref().map(open).transpose()?;
    let settings = UserSettings::load_for(workspace(common), file.path)?;
    let mut user = TerminalUser {
        agrees: command.yes,
        sends_secrets: command.send_secrets,
        shows_calls: true,
        ..TerminalUser::new(settings.ask)?
    };
    // Tools that work in the folder change the copy alone, and send nothing.
    let mut in_copy =
        TerminalUser { agrees: true, sends_secrets: true, ..TerminalUser::new(AskPolicy::Never)? };
    let mut host =
        host((&settings, command.connection.environment()), command.charts.as_ref(), common, folder);
    let task = async {
        let mut compared = Vec::new();
        for (index, tool_use) in uses.iter().enumerate().filter(|(_, tool_use)| is_wanted(tool_use)) {
            let found = match ReadyCall::of(document, &uses, index) {
                Ok(call) => {
                    let works_in_copy =
                        matches!(&call.runner, CallRunner::Preset(tool, _) if tool.needs_folder());
                    let user = if works_in_copy { &mut in_copy } else { &mut user };
                    compare_one(&mut host, &call, document, user, (&rules, tool_use, index)).await
                }
                Err(reason) => Err(reason),
            };
            compared.push(ComparedCall {
                place: place(file, document, Some(tool_use)),
                line: document.text().line_of_byte(tool_use.range.start) + 1,
                tool: tool_use.name.clone().unwrap_or_default(),
                id: tool_use.written_id().map(str::to_owned),
                found,
            });
        }
        host.close().await;
        compared
    };
    block_on(task).map(Some)
}

/// Runs a recorded call again. Both results are compared as the document writes them, because some
/// dialects cannot express all of a result.
async fn compare_one(
    host: &mut ToolHost,
    call: &ReadyCall,
    document: &Document,
    user: &mut TerminalUser,
    (rules, recorded, index): (&CompareRules, &ToolUse, usize),
) -> Result<ResultDifferences, String> {
    let run = Arc::clone(&document.settings().run);
    let progress = |progress| show_progress(&progress);
    let ran = host.run(call, &run, user, progress, std::future::pending()).await;
    let outcome = ran.map_err(|reason| not_run(reason, user))?;
    let now = match outcome_edits(document, &call.anchor, &outcome) {
        Ok(edits) if edits.is_empty() => return Ok(ResultDifferences::None),
        Ok(edits) => document.edited(&edits).tool_uses().into_iter().nth(index),
        Err(_) => None,
    };
    let plain = || {
        let outcome = match outcome {
            UseOutcome::Empty => UseOutcome::Output(UseData::Text(String::new())),
            other => other,
        };
        recorded.clone().with_outcome(outcome)
    };
    Ok(rules.compare(recorded, &now.unwrap_or_else(plain)))
}

/// Writes the differences, for people.
fn show(out: &mut dyn Write, call: &ComparedCall) -> io::Result<()> {
    let title = format!("{}: {}", printable(&call.place), printable(&call.tool));
    let colored = |color: AnsiColor, sign: char, text: &str| {
        let style = color.on_default();
        format!("  {style}{sign}{}{style:#}\n", printable_text(text))
    };
    let lines = match &call.found {
        Ok(ResultDifferences::None) => return Ok(()),
        Err(reason) => {
            print_error(&format!("{title}: not run: {reason}"));
            return Ok(());
        }
        Ok(ResultDifferences::Values(found)) => {
            let value = |sign, color, value: &Option<Value>| {
                value.as_ref().map(|value| colored(color, sign, &value.to_string())).unwrap_or_default()
            };
            let one = |one: &crate::run::compare::ValueDifference| {
                let old = value('-', AnsiColor::Red, &one.recorded);
                let new = value('+', AnsiColor::Green, &one.now);
                format!("  {}\n{old}{new}", printable(&one.path))
            };
            found.iter().map(one).collect::<String>()
        }
        Ok(ResultDifferences::Text { recorded, now }) => {
            let mut drawn = String::new();
            for hunk in diff_hunks(&lines_with_ends(recorded), &lines_with_ends(now), 2) {
                drawn.push_str(&format!("  {}\n", hunk.header()));
                for (change, line) in &hunk.lines {
                    let line = line.trim_end_matches(['\n', '\r']);
                    drawn.push_str(&match change {
                        ChangeTag::Delete => colored(AnsiColor::Red, '-', line),
                        ChangeTag::Insert => colored(AnsiColor::Green, '+', line),
                        ChangeTag::Equal => format!("   {}\n", printable_text(line)),
                    });
                }
            }
            drawn
        }
    };
    unless_reader_left(write!(out, "{title}: the result differs\n{lines}"))
}

/// The comparison of a call as JSON.
fn described_call(file: InputFile<'_>, call: &ComparedCall) -> Value {
    let mut described = json!({"file": file.display_name, "line": call.line, "toolName": call.tool});
    if let Some(id) = &call.id {
        described["toolCallId"] = id.as_str().into();
    }
    match &call.found {
        Ok(ResultDifferences::None) => described["status"] = "same".into(),
        Ok(ResultDifferences::Values(found)) => {
            described["status"] = "different".into();
            let one = |one: &crate::run::compare::ValueDifference| {
                let mut described = json!({"path": one.path});
                for (key, value) in [("recorded", &one.recorded), ("now", &one.now)] {
                    if let Some(value) = value {
                        described[key] = value.clone();
                    }
                }
                described
            };
            described["differences"] = found.iter().map(one).collect();
        }
        Ok(ResultDifferences::Text { recorded, now }) => {
            described["status"] = "different".into();
            described["differences"] = json!([{"path": "$", "recorded": recorded, "now": now}]);
        }
        Err(reason) => {
            described["status"] = "not-run".into();
            described["reason"] = reason.as_str().into();
        }
    }
    described
}
