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

/// The names of all states, including those that only later versions support.
pub fn state_names() -> impl Iterator<Item = &'static str> {
    STATES.iter().map(|state| state.name)
}

const STATES: [StateGuide; 7] = [
    StateGuide {
        name: "input-streaming",
        means: "The model is still writing the input.",
        readers: "Readers show the call as pending (`⏳`), with what there is of its input.",
        is_of_v6: false,
    },
    StateGuide {
        name: "input-available",
        means: "The input is complete, and the tool has not answered yet.",
        readers: "Readers show the call as pending (`⏳`).",
        is_of_v6: false,
    },
    StateGuide {
        name: "output-available",
        means: "The tool has answered: `output` is what it gave.",
        readers: "Readers show the call as done, with its output; without one the output is `null`.",
        is_of_v6: false,
    },
    StateGuide {
        name: "output-error",
        means: "The tool has failed: `errorText` says why.",
        readers: "Readers show the call as failed (`✗`); without a text they say `An unknown tool error occurred.`",
        is_of_v6: false,
    },
    StateGuide {
        name: "approval-requested",
        means: "The tool may only run if somebody approves, who has been asked.",
        readers: "Readers ask for the approval; the call is pending (`⏳`).",
        is_of_v6: true,
    },
    StateGuide {
        name: "approval-responded",
        means: "Whether the tool may run has been answered, and it has not run yet.",
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

/// Fields of records beside the documented ones that readers know.
const BESIDE: [(&str, &str); 4] = [
    (
        "dynamic",
        "Whether the program did not know the tool when it was written, so that input and output are of unknown types.",
    ),
    ("providerExecuted", "Whether the model's provider runs the tool, and not the program."),
    ("preliminary", "Whether this result is not the last one: the real one may follow."),
    (
        "invalid",
        "Whether the call does not fit its tool: its input may be anything, and the call has failed.",
    ),
];

/// The meaning of records for their tool uses, by record type.
const RECORDS: [(&str, &str); 14] = [
    ("tool-input-start", "The input of a call is about to come, piece by piece."),
    ("tool-input-delta", "The next piece of the input's JSON text."),
    ("tool-input-end", "The input's text is complete."),
    ("tool-call", "A call with its input."),
    ("tool-result", "The result of a call."),
    ("tool-error", "A call has failed."),
    ("tool-output-denied", "A call was not allowed."),
    ("tool-approval-request", "Somebody is asked whether a call is allowed."),
    ("tool-input-available", "A call with its input."),
    ("tool-input-error", "A call whose input is none: it has failed."),
    ("tool-output-available", "The result of a call."),
    ("tool-output-error", "A call has failed."),
    ("tool-call-streaming-start", "The arguments of a call are about to come, piece by piece."),
    ("tool-call-delta", "The next piece of the arguments' JSON text."),
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
        prose.text("Readers know it from AI SDK 6 on: set `protocol = \"v6\"`.")
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
    let input = shape.slot(FieldRole::Input).filter(|_| shape.extra_is_misplaced);
    let text = match input {
        Some(input) => format!("What the tool is given stands inside of `{}`.", input.key),
        None => "Readers pass over it; `chatls calls` hands it on.".to_owned(),
    };
    RichText::default().title(key, &format!("not documented in {what}")).text(text)
}

fn purpose(settings: &Settings, field: &FieldShape, shape: &ObjectShape) -> String {
    let is_fence = shape.slot(FieldRole::State).is_some();
    let purpose = match field.slot {
        FieldRole::Id if is_fence => {
            "Tells this call from the others of the document. Without one the call gets `tool-call-N`, by its number."
        }
        FieldRole::Id => "The tool use that the record is about: all records with one id are one tool use.",
        FieldRole::Name if shape.needs_name => "The tool that is called. It must be there.",
        FieldRole::Name if is_fence => "The tool that is called; `tool` where it is missing.",
        FieldRole::Name => "The tool that was called.",
        FieldRole::State => return states(settings),
        FieldRole::Input if field.takes == FieldType::Object => {
            "What the tool is given: a member for each parameter. `{}` where it is missing."
        }
        FieldRole::Input => {
            "What the tool is given, mostly a member for each parameter. `{}` where it is missing or `null`."
        }
        FieldRole::Output => "What the tool gave. Where it is there, the call is done.",
        FieldRole::Error => {
            "Why the call failed. An empty one counts as absent; one with words counts more than an output."
        }
        FieldRole::Delta => {
            "A piece of the input's JSON text: the pieces of all deltas of one call, joined in order, are its input."
        }
        FieldRole::Other => "Tells this request for approval from others: the answer names it.",
        FieldRole::PassedOver if field.key == "type" => "What the record says of its tool use.",
        FieldRole::PassedOver => "The input of the call once more; the call's own counts.",
    };
    purpose.to_owned()
}

fn states(settings: &Settings) -> String {
    let known = STATES.iter().filter(|state| !state.is_of_v6 || settings.protocol >= Protocol::V6);
    let lines = known.map(|state| format!("- `{}`: {}", state.name, state.means));
    let lines: Vec<_> = lines.collect();
    format!(
        "How the call stands; where it is missing, `output` and `errorText` say so.\n\n{}",
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
            let source = BlockSource {
                text: "",
                language: None,
                info: "",
                rule: 0,
                closed: true,
                closer: "",
                cut: false,
                settings: &settings,
                protocol: layer,
            };
            let draft = (crate::dialect::stream::DIALECT.draft)(&source, 0, "");
            let Some(Draft::Object(object)) = draft else { panic!("{draft:?}") };
            let names: Vec<_> =
                object.forms.iter().filter_map(|form| form.tag).map(|(_, name)| name).collect();
            assert!(names.len() > 3 && names.iter().all(|name| record(name).is_some()), "{names:?}");
        }
    }
}
