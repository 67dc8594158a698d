//! `tools`: lists the tools that are known for a folder, or describes one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[cfg(feature = "run")]
use clap::Subcommand;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::Value;

#[cfg(feature = "run")]
mod pull;

use super::escape::Escaping;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, printable, printable_path, printable_text, unless_reader_left};
use crate::config::{ConfigLocation, Loaded, clean};
use crate::diagnostic::Code;
use crate::files::DiskFiles;
use crate::guide;
use crate::nearest::did_you_mean;
use crate::registry::Tool;
use crate::schema::parameters;

const EXAMPLES: &str = "\
Examples:
  chatls tools                      the tools that are known here, a line each
  chatls tools read_file            what one does and takes
  chatls tools pull git             ask the MCP server `git` for its tools
  chatls tools --format jsonl | jq .name";

/// The arguments of `tools`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct ToolsArgs {
    #[cfg(feature = "run")]
    #[command(subcommand)]
    action: Option<ToolsAction>,
    /// Tool to describe. Without it, all tools are listed
    #[arg(add = clap_complete::ArgValueCandidates::new(super::completions::tools))]
    name: Option<String>,
    /// Folder or transcript whose configuration is used
    #[arg(long, value_name = "PATH", default_value = ".", global = true)]
    at: PathBuf,
    /// Output format
    #[arg(long, default_value = "human")]
    format: ToolsFormat,
}

#[cfg(feature = "run")]
#[derive(Debug, Subcommand)]
enum ToolsAction {
    /// Ask MCP servers for their tools, after your consent
    Pull(pull::PullArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ToolsFormat {
    /// For people
    Human,
    /// For programs: JSON Lines with the schemas
    Jsonl,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolLine<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a Value>,
}

/// Runs `tools`.
pub(super) fn run(command: &ToolsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    #[cfg(feature = "run")]
    if let Some(ToolsAction::Pull(pull)) = &command.action {
        let Some(loaded) = load_at(&command.at, common, &[Code::Config])? else {
            return Ok(ExitStatus::Failed);
        };
        return pull::run(pull, &loaded, common);
    }
    let shown = [Code::Config, Code::Registry];
    let Some(loaded) = load_at(&command.at, common, &shown)? else { return Ok(ExitStatus::Failed) };
    let written = match &command.name {
        Some(name) => match describe(&loaded, name) {
            Some(_) if command.format == ToolsFormat::Jsonl => {
                list(&loaded, command.format, |tool| tool.name == *name)
            }
            Some(page) => write!(io::stdout(), "{page}"),
            None => return Ok(ExitStatus::Failed),
        },
        None => list(&loaded, command.format, |_| true),
    };
    unless_reader_left(written)?;
    Ok(if loaded.usable { ExitStatus::Clean } else { ExitStatus::Failed })
}

/// The configuration of the folder or transcript `at`, with its problems of the codes
/// `shown` printed as warnings; `None`, with an error, if there is no such file.
pub(super) fn load_at(at: &Path, common: &CommonArgs, shown: &[Code]) -> io::Result<Option<Loaded>> {
    let absolute = clean(&std::path::absolute(at)?);
    if !absolute.exists() {
        print_error(&format!("`{}` does not exist", printable_path(at)));
        return Ok(None);
    }
    let document = if absolute.is_dir() { absolute.join("chat.md") } else { absolute };
    let config = common.config_path()?;
    // For a folder elsewhere, finds what an editor would find if it opened that folder.
    let here = std::env::current_dir()?;
    let project = document.parent().filter(|folder| !folder.starts_with(&here)).unwrap_or(&here);
    let place = ConfigLocation::of_file(&document, project, config.as_deref());
    let loaded = common.loader().load(&DiskFiles, &place);
    for problem in loaded.problems.iter().filter(|problem| shown.contains(&problem.code)) {
        let file = problem.path.as_deref().map(printable_path).unwrap_or_default();
        crate::cli::console::print_warning(&format!("{file}: {}", problem.message));
    }
    Ok(Some(loaded))
}

fn describe(loaded: &Loaded, name: &str) -> Option<String> {
    let registry = &loaded.settings.registry;
    if !registry.tools.contains_key(name) {
        let hint = match registry.configured {
            true => did_you_mean(&registry.nearest(name)),
            false => ": add registries to `tools` in a `chatls.toml`".to_owned(),
        };
        print_error(&format!("there is no tool `{}`{hint}", printable(name)));
        return None;
    }
    Some(printable_text(&guide::tool(&loaded.settings, name).to_plain()).into_owned() + "\n")
}

fn list(loaded: &Loaded, format: ToolsFormat, is_wanted: impl Fn(&Tool) -> bool) -> io::Result<()> {
    let registry = &loaded.settings.registry;
    if !registry.configured {
        crate::cli::console::print_warning(&match loaded.sources.first() {
            Some(file) => format!("there are no registries in `tools` of `{}`", printable_path(file)),
            None => "there is no `chatls.toml` with registries; `chatls init` creates one".to_owned(),
        });
    }
    for name in &registry.unasked {
        let name = printable(name);
        crate::cli::console::print_warning(&format!(
            "the server `{name}` has not been asked for its tools: `chatls tools pull {name}`"
        ));
    }
    let mut out = Escaping::json(io::BufWriter::new(io::stdout()));
    for tool in registry.tools.values().filter(|tool| is_wanted(tool)) {
        match format {
            ToolsFormat::Human => writeln!(out, "{}", line_of(tool))?,
            ToolsFormat::Jsonl => {
                let line = ToolLine {
                    name: &tool.name,
                    description: tool.description.as_deref(),
                    source: &tool.source,
                    input_schema: tool.input_schema.as_ref(),
                    output_schema: tool.output_schema.as_ref(),
                };
                serde_json::to_writer(&mut out, &line)?;
                out.write_all(b"\n")?;
            }
        }
    }
    out.flush()
}

/// The line of a tool in the list, such as `read_file(path, start?)  Reads a file.  [tools.json]`.
fn line_of(tool: &Tool) -> String {
    let known = tool.input_schema.as_ref().map(|schema| parameters(schema, &[])).unwrap_or_default();
    let optional = |required| if required { "" } else { "?" };
    let names: Vec<_> =
        known.iter().map(|known| format!("{}{}", known.name, optional(known.is_required))).collect();
    let description =
        tool.description.as_deref().unwrap_or_default().trim().lines().next().unwrap_or_default();
    let gap = if description.is_empty() { "" } else { "  " };
    let line = format!("{}({}){gap}{description}  [{}]", tool.name, names.join(", "), tool.source);
    printable(&line).into_owned()
}
