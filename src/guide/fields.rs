//! Documentation of a dialect's fields and of states: their purpose, and their effect on readers.

use crate::call::ObjectShape;
use crate::call::shape::{FieldRole, FieldShape, FieldType};
use crate::config::{Protocol, Settings};
use crate::prose::RichText;

/// A state: its name, its meaning, its effect on readers, and whether only later versions support
/// it.
struct StateGuide {
    name: &'static str,
    means: &'static str,
    readers: &'static str,
    is_of_v6: bool,
}

/// The names of all states, including states of later versions.
pub fn state_names() -> impl Iterator<Item = &'static str> {
    STATES.iter().map(|state| state.name)
}

const STATES: [StateGuide; 7] = [
    StateGuide {
        name: "input-streaming",
        means: "The model is still writing the input.",
        readers: "Readers show the call as pending (`⏳`), with its partial input.",
        is_of_v6: false,
    },
    StateGuide {
        name: "input-available",
        means: "The input is complete, and the tool has not returned a result yet.",
        readers: "Readers show the call as pending (`⏳`).",
        is_of_v6: false,
    },
    StateGuide {
        name: "output-available",
        means: "The tool has returned `output`.",
        readers: "Readers show the call as done, with its output; without one the output is `null`.",
        is_of_v6: false,
    },
    StateGuide {
        name: "output-error",
        means: "The tool has failed with `errorText`.",
        readers: "Readers show the call as failed (`✗`); without a text they show `An unknown tool error occurred.`",
        is_of_v6: false,
    },
    StateGuide {
        name: "approval-requested",
        means: "The tool needs approval, which has been requested.",
        readers: "Readers request the approval; the call is pending (`⏳`).",
        is_of_v6: true,
    },
    StateGuide {
        name: "approval-responded",
        means: "The request for approval has been answered, and the tool has not run yet.",
        readers: "Readers show the call as pending (`⏳`).",
        is_of_v6: true,
    },
    StateGuide {
        name: "output-denied",
        means: "The tool was not allowed to run.",
        readers: "Readers show the call as failed (`✗`).",
        is_of_v6: true,
    },
];

/// Fields of records that readers know besides the documented ones.
const BESIDE: [(&str, &str); 4] = [
    (
        "dynamic",
        "True if the tool was not known at compile time, so that input and output have unknown types.",
    ),
    ("providerExecuted", "True if the model's provider runs the tool instead of the program."),
    ("preliminary", "True if this result is provisional: the final one may follow."),
    (
        "invalid",
        "True if the call is invalid for its tool: its input may be anything, and the call has failed.",
    ),
];

/// The meaning of records for their tool uses, by record type.
const RECORDS: [(&str, &str); 14] = [
    ("tool-input-start", "The start of a call's input, which follows as deltas."),
    ("tool-input-delta", "A delta of the input's JSON text."),
    ("tool-input-end", "The end of the input's text."),
    ("tool-call", "A call with its input."),
    ("tool-result", "The result of a call."),
    ("tool-error", "A call has failed."),
    ("tool-output-denied", "A call was not allowed."),
    ("tool-approval-request", "A request for the approval of a call."),
    ("tool-input-available", "A call with its input."),
    ("tool-input-error", "A failed call with an invalid input."),
    ("tool-output-available", "The result of a call."),
    ("tool-output-error", "A call has failed."),
    ("tool-call-streaming-start", "The start of a call's arguments, which follow as deltas."),
    ("tool-call-delta", "A delta of the arguments' JSON text."),
];

/// The documentation of records of the type `name`; `None` if unknown.
pub fn record(name: &str) -> Option<RichText> {
    let (_, text) = RECORDS.iter().find(|(known, _)| *known == name)?;
    Some(RichText::default().title(name, "a type of records").text(*text))
}

/// The documentation of the state `name`; `None` if unknown.
pub fn state(settings: &Settings, name: &str) -> Option<RichText> {
    let state = STATES.iter().find(|state| state.name == name)?;
    let prose = RichText::default().title(name, "a state").text(format!("{} {}", state.means, state.readers));
    let is_unknown = state.is_of_v6 && settings.protocol < Protocol::V6;
    Some(if is_unknown {
        prose.text("Supported by readers since AI SDK 6: set `protocol = \"v6\"`.")
    } else {
        prose
    })
}

/// The documentation of the key `key` of an object that should have the form `shape`.
pub fn field(settings: &Settings, shape: &ObjectShape, key: &str) -> RichText {
    let Some(field) = shape.field(key) else { return undocumented_field(key, shape) };
    let takes = match field.takes {
        FieldType::String => "a string",
        FieldType::Object => "an object",
        FieldType::Any => "any JSON",
    };
    RichText::default()
        .title(key, &format!("{takes}, in {}", shape.description))
        .text(purpose(settings, field, shape))
}

fn undocumented_field(key: &str, shape: &ObjectShape) -> RichText {
    if key.is_empty() {
        return RichText::default();
    }
    let what = shape.description;
    let is_record = shape.field("type").is_some();
    if let Some((_, text)) = BESIDE.iter().find(|(known, _)| is_record && *known == key) {
        return RichText::default().title(key, &format!("a boolean, in {what}")).text(*text);
    }
    let input = shape.of_role(FieldRole::Input).filter(|_| shape.extra_is_misplaced);
    let text = match input {
        Some(input) => format!("The input of the tool belongs in `{}`.", input.key),
        None => "Readers ignore it; `chatls calls` prints it.".to_owned(),
    };
    RichText::default().title(key, &format!("not documented in {what}")).text(text)
}

fn purpose(settings: &Settings, field: &FieldShape, shape: &ObjectShape) -> String {
    let is_fence = shape.of_role(FieldRole::State).is_some();
    let purpose = match field.role {
        FieldRole::Id if is_fence => {
            "The unique id of the call in the document. Default: `tool-call-N`, by its number."
        }
        FieldRole::Id => "The id of the tool use: all records with one id are one tool use.",
        FieldRole::Name if shape.needs_name => "The name of the called tool. Required.",
        FieldRole::Name if is_fence => "The name of the called tool. Default: `tool`.",
        FieldRole::Name => "The name of the called tool.",
        FieldRole::State => return states(settings),
        FieldRole::Input if field.takes == FieldType::Object => {
            "The input of the tool: one member per parameter. Default: `{}`."
        }
        FieldRole::Input => {
            "The input of the tool, usually one member per parameter. Default, also for `null`: `{}`."
        }
        FieldRole::Output => "The output of the tool. If present, the call is done.",
        FieldRole::Error => {
            "The error message of a failed call. An empty one counts as absent; otherwise it takes precedence over an output."
        }
        FieldRole::Delta => {
            "A part of the input's JSON text: all deltas of one call, joined in order, are its input."
        }
        FieldRole::Other => "The id of this request for approval, which the response repeats.",
        FieldRole::PassedOver if field.key == "type" => "The type of the record.",
        FieldRole::PassedOver => "A copy of the call's input; the call's own input takes precedence.",
    };
    purpose.to_owned()
}

fn states(settings: &Settings) -> String {
    let known = STATES.iter().filter(|state| !state.is_of_v6 || settings.protocol >= Protocol::V6);
    let lines = known.map(|state| format!("- `{}`: {}", state.name, state.means));
    let lines: Vec<_> = lines.collect();
    format!(
        "The state of the call. If missing, it follows from `output` and `errorText`.\n\n{}",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::BlockSource;
    use crate::dialect::draft::Draft;
    use crate::rules::is_state;

    #[test]
    fn states_match_the_rules() {
        assert!(STATES.iter().all(|state| is_state(state.name)));
    }

    #[test]
    fn all_record_types_are_documented() {
        let settings = Settings { protocol: Protocol::V6, ..Settings::default() };
        for layer in [
            None,
            Some(crate::call::StreamProtocol::Full),
            Some(crate::call::StreamProtocol::Ui),
            Some(crate::call::StreamProtocol::V4),
        ] {
            let source = BlockSource { protocol: layer, ..BlockSource::new("", &settings) };
            let draft = (crate::dialect::stream::DIALECT.draft)(&source, 0, "");
            let Some(Draft::Object(object)) = draft else { panic!("{draft:?}") };
            let names: Vec<_> =
                object.forms.iter().filter_map(|form| form.tag).map(|(_, name)| name).collect();
            assert!(names.len() > 3 && names.iter().all(|name| record(name).is_some()), "{names:?}");
        }
    }
}
