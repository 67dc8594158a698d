//! A call that could be run: who runs its tool, and its input, which fits the tool's schema.

use serde_json::Value;

use super::preset::PresetTool;
use crate::call::{ToolUse, UseData};
use crate::config::Settings;
use crate::document::Document;
use crate::features::refactorings::outcomes::{CallAnchor, UnwrittenOutcome, sample_edits};
use crate::json::{self, JsonKind};
use crate::schema::{ValueNames, Violation};
use crate::text::Span;

/// A call that could be run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadyCall {
    /// The call in its document.
    pub anchor: CallAnchor,
    /// The tool.
    pub tool: String,
    /// The input, valid by the tool's schema. Numbers beyond 64 bits are approximated; see
    /// [`Self::long_numbers`].
    pub input: Value,
    /// The input as JSON, its numbers as they are written.
    pub json: String,
    /// Its runner.
    pub runner: CallRunner,
    /// The reason why its result can only be shown; `None` if it is written, or if that is not
    /// known: see [`Self::with_obstacle`].
    pub obstacle: Option<UnwrittenOutcome>,
}

/// The runner of a tool.
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
        let input = serde_json::from_str(&within_64_bits(&json))
            .map_err(|error| format!("the input cannot be read: {error}"))?;
        check_input(document.settings(), &tool, &input)?;
        if let (CallRunner::Server(_), Some(number)) = (&runner, long_numbers(&json).first()) {
            let number = number.of(&json);
            return Err(format!("{runner} would not get the number `{number}` as it is written"));
        }
        Ok(Self { anchor, tool, input, json, runner, obstacle: None })
    }

    /// The numbers of the input that 64 bits do not hold, as they are written, and as programs get
    /// them.
    pub fn long_numbers(&self) -> Vec<&str> {
        long_numbers(&self.json).into_iter().map(|span| span.of(&self.json)).collect()
    }

    /// The call of `document`, with the reason why its result cannot be written there, if any.
    #[must_use]
    pub fn with_obstacle(self, document: &Document) -> Self {
        let obstacle = sample_edits(document, &self.anchor).err();
        Self { obstacle, ..self }
    }
}

/// The runner of `tool`.
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

/// The numbers in `json` that 64 bits do not hold: integers with more digits, and numbers beyond
/// the range of floating point.
fn long_numbers(json: &str) -> Vec<Span> {
    let tape = json::parse(json);
    let values = tape.root(json).into_iter().flat_map(json::Value::nodes);
    let numbers = values.filter(|value| value.kind() == JsonKind::Number).map(|value| value.span());
    let is_long = |span: &Span| {
        let number = span.of(json);
        let is_integer = !number.contains(['.', 'e', 'E']);
        match is_integer {
            true => number.parse::<i64>().is_err() && number.parse::<u64>().is_err(),
            false => serde_json::from_str::<Value>(number).is_err(),
        }
    };
    numbers.filter(is_long).collect()
}

/// `json` with the largest number of its sign for each that is beyond the range of floating point.
fn within_64_bits(json: &str) -> String {
    let mut text = json.to_owned();
    for span in long_numbers(json).into_iter().rev() {
        if serde_json::from_str::<Value>(span.of(json)).is_err() {
            let largest = if span.of(json).starts_with('-') { f64::MIN } else { f64::MAX };
            text.replace_range(span.range(), &format!("{largest:e}"));
        }
    }
    text
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
    fn numbers_that_64_bits_do_not_hold_are_found() {
        let check = |json: &str, expected: &[&str], within: &str| {
            let found: Vec<_> = long_numbers(json).into_iter().map(|span| span.of(json)).collect();
            assert_eq!(found, expected);
            assert_eq!(within_64_bits(json), within);
            serde_json::from_str::<Value>(within).expect("numbers of 64 bits");
        };
        let short = "{\"a\":[1,-9223372036854775808,18446744073709551615,1e30,0.5]}";
        check(short, &[], short);
        check("[18446744073709551616]", &["18446744073709551616"], "[18446744073709551616]");
        check("\"18446744073709551616\"", &[], "\"18446744073709551616\"");
        check(
            "[1e400,{\"a\":-1e999},1e-400]",
            &["1e400", "-1e999"],
            "[1.7976931348623157e308,{\"a\":-1.7976931348623157e308},1e-400]",
        );
    }
}
