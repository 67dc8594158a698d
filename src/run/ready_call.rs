//! A call that could be run: who runs its tool, and its input, which fits the tool's schema.

use serde_json::{Map, Value};

use super::preset::PresetTool;
use crate::call::{ToolUse, UseData};
use crate::config::Settings;
use crate::document::Document;
use crate::features::refactorings::outcomes::{CallAnchor, UnwrittenOutcome, sample_edits};
use crate::schema::{ValueNames, Violation};

/// A call that could be run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadyCall {
    /// The call in its document.
    pub anchor: CallAnchor,
    /// The tool.
    pub tool: String,
    /// The input, which fits the tool's schema.
    pub input: Value,
    /// The one that runs it.
    pub runner: CallRunner,
    /// The reason why its result can only be shown; `None` if it is written, or if that is not
    /// known: see [`Self::with_obstacle`].
    pub obstacle: Option<UnwrittenOutcome>,
}

/// The one that runs a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallRunner {
    /// A tool of a preset, with the registry source, such as `preset:file-tools`.
    Preset(PresetTool, String),
    /// The program of the configuration with this name.
    Program(String),
    /// The server of the configuration with this name.
    Server(String),
}

impl std::fmt::Display for CallRunner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Preset(_, source) => f.write_str(source),
            Self::Program(name) => write!(f, "the program `{name}`"),
            Self::Server(name) => write!(f, "the server `{name}`"),
        }
    }
}

impl ReadyCall {
    /// The call at `index` of `uses`, which are all of `document`.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be run, in words: nothing or more than one thing runs its tool, or
    /// the input does not fit the schema.
    pub fn of(document: &Document, uses: &[ToolUse], index: usize) -> Result<Self, String> {
        let tool_use = uses.get(index).filter(|tool_use| tool_use.has_valid_call);
        let (Some(tool_use), Some(anchor)) = (tool_use, CallAnchor::of(uses, index)) else {
            return Err("the call is not valid".to_owned());
        };
        let tool = tool_use.name.clone().ok_or("the call names no tool")?;
        let runner = runner_of(document.settings(), &tool)?;
        let input = match &tool_use.input {
            None => Value::Null,
            Some(UseData::Text(_)) => return Err("the input is not JSON".to_owned()),
            Some(input) => serde_json::from_str(&input.to_json())
                .map_err(|error| format!("the input is not JSON: {error}"))?,
        };
        let input = if input.is_null() { Value::Object(Map::new()) } else { input };
        check_input(document.settings(), &tool, &input)?;
        Ok(Self { anchor, tool, input, runner, obstacle: None })
    }

    /// The call of `document`, with the reason why its result cannot be written there, if any.
    #[must_use]
    pub fn with_obstacle(self, document: &Document) -> Self {
        let obstacle = sample_edits(document, &self.anchor).err();
        Self { obstacle, ..self }
    }
}

/// The one that runs `tool`.
pub(super) fn runner_of(settings: &Settings, tool: &str) -> Result<CallRunner, String> {
    let known = settings.registry.tools.get(tool);
    let preset = known.and_then(|known| Some((PresetTool::find(&known.source, tool)?, known.source.clone())));
    let program = settings.run.programs.contains_key(tool).then(|| CallRunner::Program(tool.to_owned()));
    let servers = settings.registry.servers.get(tool).into_iter().flatten();
    let servers = servers.map(|server| CallRunner::Server(server.clone()));
    let preset = preset.map(|(preset, source)| CallRunner::Preset(preset, source));
    let mut candidates = program.into_iter().chain(servers).chain(preset);
    match (candidates.next(), candidates.next()) {
        (Some(runner), None) => Ok(runner),
        (Some(one), Some(other)) => Err(format!("both {one} and {other} have a tool `{tool}`: remove one")),
        (None, _) => Err(match known {
            Some(known) => format!("nothing runs `{tool}`: `{}` only describes it", known.source),
            None => {
                format!("nothing runs `{tool}`: no server, program or preset of the configuration has it")
            }
        }),
    }
}

fn check_input(settings: &Settings, tool: &str, input: &Value) -> Result<(), String> {
    let Some(schema) = settings.registry.tools.get(tool).and_then(|tool| tool.input()) else { return Ok(()) };
    let owner = format!("`{tool}`");
    let names = ValueNames { root: "the input", owner: &owner, property: "parameter" };
    match schema.violations(input, &names) {
        Ok(violations) if violations.is_empty() => Ok(()),
        Ok(violations) => Err(violations.iter().map(Violation::message).collect::<Vec<_>>().join("; ")),
        Err(_) => Err("the input cannot be held against its schema, which is too complex".to_owned()),
    }
}
