//! Between dialects: a tool use written in another one, and what is lost by that.
//!
//! What is lost is not predicted: what was written is read again, and what it does not say any more is lost. Nothing else can
//! be, so that a conversion without losses can be taken back.

use std::fmt;
use std::sync::Arc;

use crate::call::{ToolUse, UseData, UseStatus};
use crate::config::Settings;
use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::json;
use crate::text::Text;

pub mod words;

/// A tool use in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Its blocks, whose lines end in `\n` but the last.
    pub text: String,
    /// What they do not say any more.
    pub losses: Vec<ConversionLoss>,
}

/// What a conversion loses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConversionLoss {
    /// The id.
    Id,
    /// The state, as it was written.
    State(String),
    /// That the call failed.
    Failure,
    /// Arguments that have no names, and so are no input: all of them.
    Arguments,
    /// The input is another value: text in the place of values, or not all of it.
    Input,
    /// The output is another value.
    Output,
    /// All of the output.
    AllOutput,
    /// Why it failed.
    ErrorText,
    /// A field.
    Field(String),
    /// The pieces in which its input came.
    Pieces,
}

impl ConversionLoss {
    /// Whether something of it stays.
    fn is_change(&self) -> bool {
        matches!(self, Self::Input | Self::Output)
    }
}

impl fmt::Display for ConversionLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id => write!(f, "the id"),
            Self::State(state) => write!(f, "the state `{state}`"),
            Self::Failure => write!(f, "the error status"),
            Self::Arguments => write!(f, "the unnamed arguments"),
            Self::Input => write!(f, "the exact input"),
            Self::Output => write!(f, "the exact output"),
            Self::AllOutput => write!(f, "the output"),
            Self::ErrorText => write!(f, "the error text"),
            Self::Field(name) => write!(f, "the `{name}` field"),
            Self::Pieces => write!(f, "the deltas of the input"),
        }
    }
}

/// `tool_use` in the dialect `to`; `None` where it is no call that readers accept, or can be written in no way that is read as one
/// tool use again.
pub fn convert(tool_use: &ToolUse, to: &Dialect, settings: &Arc<Settings>) -> Option<Converted> {
    if !tool_use.has_call || tool_use.has_errors {
        return None;
    }
    let text = (to.writer.as_ref()?.write)(&normalized(tool_use), settings)?;
    let document = Document::new(Text::new(&text), Language::Markdown, Arc::clone(settings));
    let [read] = &document.tool_uses()[..] else { return None };
    // Of a log the lines are tool uses, and not their fence.
    let is_all = read.dialect == to.name && (to.lines || read.range == (0..text.len()));
    (is_all && read.name == tool_use.name).then(|| Converted { losses: losses(tool_use, read), text })
}

/// What `before` says and `after` does not.
pub fn losses(before: &ToolUse, after: &ToolUse) -> Vec<ConversionLoss> {
    let (before, after) = (&normalized(before), &normalized(after));
    let mut losses = Vec::new();
    let mut lost = |is_lost: bool, loss: ConversionLoss| {
        if is_lost {
            losses.push(loss);
        }
    };
    lost(!before.id_is_fallback && before.id != after.id, ConversionLoss::Id);
    let failed = before.status == UseStatus::Failed;
    lost(failed && after.status != UseStatus::Failed, ConversionLoss::Failure);
    if let Some(state) = before.state.as_ref().filter(|state| *state != after.state_or_implied()) {
        lost(!failed || state != "output-error", ConversionLoss::State(state.clone()));
    }
    let is_nameless = before.input.is_none() && before.arguments.is_some();
    lost(
        !is_same_input(before, after),
        if is_nameless { ConversionLoss::Arguments } else { ConversionLoss::Input },
    );
    // What is said of a failure may be said as a result.
    let says = |it: &ToolUse| {
        let text = it.error_text.clone().or_else(|| it.output.as_ref().map(UseData::to_text));
        text.map(|text| with_line_ends(&text))
    };
    let is_error_kept = before.error_text.is_none() || says(before) == says(after);
    lost(!is_error_kept, ConversionLoss::ErrorText);
    let is_output_kept =
        before.output.is_none() || before.output.as_ref().map(value) == after.output.as_ref().map(value);
    lost(
        !is_output_kept,
        if after.output.is_some() { ConversionLoss::Output } else { ConversionLoss::AllOutput },
    );
    for (key, said) in &before.extra {
        let is_kept = after.extra.iter().any(|(other, it)| other == key && value(it) == value(said));
        lost(!is_kept, ConversionLoss::Field(key.clone()));
    }
    lost(before.has_pieces && !after.has_pieces, ConversionLoss::Pieces);
    losses
}

/// `tool_use` without an output that only says why it failed, as AI SDK 4 has it.
fn normalized(tool_use: &ToolUse) -> ToolUse {
    let mut it = tool_use.clone();
    let says_error = it.error_text.as_ref().is_some_and(|error| {
        let repeated = format!("{{\"error\":{}}}", json::quote(error));
        it.output.as_ref().is_some_and(|output| output.to_json() == repeated)
    });
    if says_error {
        it.output = None;
    }
    it
}

/// An input that is absent or `null` is `{}` to readers; arguments without names are no input.
fn is_same_input(before: &ToolUse, after: &ToolUse) -> bool {
    let of = |it: &ToolUse| match (&it.input, &it.arguments) {
        (Some(input), _) => Some(value(input)).filter(|text| text != "null"),
        (None, Some(shown)) => Some(format!("({shown})")),
        (None, None) => None,
    };
    let of = |it: &ToolUse| of(it).unwrap_or_else(|| "{}".to_owned());
    of(before) == of(after)
}

fn value(said: &UseData) -> String {
    let json = said.to_json();
    if json.starts_with('"') { json::quote(&with_line_ends(&said.to_text())) } else { canonical(&json) }
}

/// Line ends of text are those of its document.
fn with_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// JSON by its value: the order of keys says nothing.
fn canonical(text: &str) -> String {
    let json = json::parse(text);
    json.root(text).map_or_else(|| text.to_owned(), |root| json::to_display(root, usize::MAX))
}

#[cfg(test)]
mod tests;
