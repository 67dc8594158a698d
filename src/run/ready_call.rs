//! A call that could be run: who runs its tool, and its input, which fits the tool's schema.

use serde_json::Value;

use super::preset::PresetTool;
use crate::call::{ToolUse, UseData};
use crate::config::Settings;
use crate::document::Document;
use crate::features::refactorings::outcomes::{CallAnchor, UnwrittenOutcome, sample_edits};
use crate::json::{self, JsonKind};
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
    /// The input as JSON, its numbers as they are written.
    pub json: String,
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
        let json = match &tool_use.input {
            None => "null".to_owned(),
            Some(UseData::Text(_)) => return Err("the input is not JSON".to_owned()),
            Some(input) => input.to_json(),
        };
        let json = if json == "null" { "{}".to_owned() } else { json };
        let input =
            serde_json::from_str(&json).map_err(|error| format!("the input cannot be read: {error}"))?;
        check_input(document.settings(), &tool, &input)?;
        if let (false, Some(number)) = (matches!(runner, CallRunner::Program(_)), long_integer(&json)) {
            return Err(format!("only a program takes the number `{number}` as it is written"));
        }
        Ok(Self { anchor, tool, input, json, runner, obstacle: None })
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

/// An integer in `json` that 64 bits do not hold.
fn long_integer(json: &str) -> Option<&str> {
    let tape = json::parse(json);
    let values =
        (0..tape.nodes.len()).filter_map(|index| json::Value::at(&tape, json, u32::try_from(index).ok()?));
    let mut numbers =
        values.filter(|value| value.kind() == JsonKind::Number).map(|value| value.span().of(json));
    numbers.find(|number| {
        !number.contains(['.', 'e', 'E']) && number.parse::<i64>().is_err() && number.parse::<u64>().is_err()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_64_bits_do_not_hold_are_found() {
        let found = long_integer("{\"a\":[1,-9223372036854775808,18446744073709551615,1e30,0.5]}");
        assert_eq!(found, None);
        assert_eq!(long_integer("[18446744073709551616]"), Some("18446744073709551616"));
        assert_eq!(long_integer("\"18446744073709551616\""), None);
    }
}
