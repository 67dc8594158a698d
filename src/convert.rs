//! Converts a tool use to another dialect, and determines the losses.
//!
//! Losses are not predicted: the written text is parsed again, and data that it lacks is lost. So a
//! conversion without losses can be reversed.

pub mod loss_text;

use std::fmt;
use std::sync::Arc;

use crate::call::{ToolUse, UseData, UseStatus};
use crate::config::Settings;
use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::json;
use crate::text::{Text, with_plain_line_ends};

/// A tool use in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Its blocks; all lines except the last end in `\n`.
    pub text: String,
    /// The losses.
    pub losses: Vec<ConversionLoss>,
}

/// A loss of a conversion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConversionLoss {
    /// The id.
    Id,
    /// The state, as written.
    State(String),
    /// The failure of the call.
    Failure,
    /// All arguments, because they have no names and so do not form an input.
    Arguments,
    /// The input has another value: text instead of typed values, or only a part of it.
    Input,
    /// The output has another value.
    Output,
    /// The whole output.
    AllOutput,
    /// The error text.
    ErrorText,
    /// A field.
    Field(String),
    /// The deltas of its input.
    Pieces,
}

impl ConversionLoss {
    /// True if a part of the data remains.
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

/// Converts `tool_use` to the dialect `to`. `None` if readers do not accept it as a call, or if the
/// dialect cannot express it as one tool use.
pub fn convert(tool_use: &ToolUse, to: &Dialect, settings: &Arc<Settings>) -> Option<Converted> {
    if !tool_use.has_call || tool_use.has_errors {
        return None;
    }
    let text = with_plain_line_ends(&(to.writer.as_ref()?.write)(&normalized(tool_use), settings)?);
    // A call alone would be an example in documentation.
    let document =
        Document::new(Text::new(&text), Language::Markdown, Arc::clone(settings)).assume_transcript();
    let [read] = &document.tool_uses()[..] else { return None };
    // In a log the lines are tool uses, without their fence.
    let is_all = read.dialect == to.name && (to.lines || read.range == (0..text.len()));
    (is_all && read.name == tool_use.name).then(|| Converted { losses: losses(tool_use, read), text })
}

/// The data of `before` that `after` lacks.
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
    // A failure may be expressed as a result.
    let failure_text = |it: &ToolUse| {
        let text = it.error_text.clone().or_else(|| it.output.as_ref().map(UseData::to_text));
        text.map(|text| with_plain_line_ends(&text))
    };
    let is_error_kept = before.error_text.is_none() || failure_text(before) == failure_text(after);
    lost(!is_error_kept, ConversionLoss::ErrorText);
    let is_output_kept = before.output.as_ref().is_none_or(|output| {
        let kept = after.output.as_ref();
        // Many forms allow only text as a result. Several parts of text are joined to one.
        let as_text = |it: &UseData| {
            let text = it.to_text();
            canonical(&text) == value(output)
                || (output.is_text()
                    && with_plain_line_ends(&text) == with_plain_line_ends(&output.to_text()))
        };
        kept.map(value) == Some(value(output)) || kept.is_some_and(|it| it.is_text() && as_text(it))
    });
    lost(
        !is_output_kept,
        if after.output.is_some() { ConversionLoss::Output } else { ConversionLoss::AllOutput },
    );
    for (key, data) in &before.extra {
        let is_kept = after.extra.iter().any(|(other, it)| other == key && value(it) == value(data));
        lost(!is_kept, ConversionLoss::Field(key.clone()));
    }
    lost(before.has_pieces && !after.has_pieces, ConversionLoss::Pieces);
    losses
}

/// `tool_use` without an output that only repeats the error text: an object, as in AI SDK 4, or the
/// text itself, as in message logs.
fn normalized(tool_use: &ToolUse) -> ToolUse {
    let mut it = tool_use.clone();
    let says_error = it.error_text.as_ref().is_some_and(|error| {
        let repeated = format!("{{\"error\":{}}}", json::quote(error));
        it.output.as_ref().is_some_and(|output| output.to_text() == *error || output.to_json() == repeated)
    });
    if says_error {
        it.output = None;
    }
    it
}

/// Readers treat an absent or `null` input as `{}`; arguments without names are not an input.
fn is_same_input(before: &ToolUse, after: &ToolUse) -> bool {
    let of = |it: &ToolUse| match (&it.input, &it.arguments) {
        (Some(input), _) => Some(value(input)).filter(|text| text != "null"),
        (None, Some(shown)) => Some(format!("({shown})")),
        (None, None) => None,
    };
    let of = |it: &ToolUse| of(it).unwrap_or_else(|| "{}".to_owned());
    of(before) == of(after)
}

fn value(data: &UseData) -> String {
    let json = data.to_json();
    // The line ends of a text depend on its document, so they are not compared.
    if json.starts_with('"') { json::quote(&with_plain_line_ends(&data.to_text())) } else { canonical(&json) }
}

/// JSON by value: the order of keys is ignored.
fn canonical(text: &str) -> String {
    let json = json::parse(text);
    json.root(text).map_or_else(|| text.to_owned(), |root| json::to_display(root, usize::MAX))
}

#[cfg(test)]
mod tests;
