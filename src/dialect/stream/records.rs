//! The table of record types, and the keys that distinguish their protocols.

use crate::call::shape::{FieldRole, FieldShape, FieldType, ObjectShape, PatternEnd, field};
use crate::call::{CallPart, StreamProtocol};
use crate::diagnostic::Code;
use crate::nearest::one_letter_apart;

/// One type of record in one protocol.
pub struct RecordType {
    /// Its `type`.
    pub name: &'static str,
    /// Its protocol.
    pub protocol: StreamProtocol,
    /// Its part of the tool use.
    pub part: CallPart,
    /// True if it means that the tool use failed.
    pub failed: bool,
    /// Its fields.
    pub shape: &'static ObjectShape,
}

const TYPE: FieldShape = field("type", FieldRole::PassedOver, FieldType::String);
const ID: FieldShape = field("toolCallId", FieldRole::Id, FieldType::String);
const NAME: FieldShape = field("toolName", FieldRole::Name, FieldType::String);
const INPUT: FieldShape = field("input", FieldRole::Input, FieldType::Any);
const INPUT_AGAIN: FieldShape = field("input", FieldRole::PassedOver, FieldType::Any);
const OUTPUT: FieldShape = field("output", FieldRole::Output, FieldType::Any);
const ERROR_TEXT: FieldShape = field("errorText", FieldRole::Error, FieldType::String);

macro_rules! records {
    ($($name:literal $protocol:ident $part:ident $outcome:ident [$($field:expr),*])*) => {
        /// All types of records, as in formats.md §3.4.
        static TABLE: &[RecordType] = &[$(RecordType {
            name: $name,
            protocol: StreamProtocol::$protocol,
            part: CallPart::$part,
            failed: records!(@failed $outcome),
            shape: &ObjectShape {
                description: concat!("a `", $name, "` record"),
                fields: &[TYPE, $($field),*],
                needs_name: records!(@named $part),
                unclosed: Code::UnclosedFence,
                extra_is_misplaced: false,
                pattern_end: PatternEnd::None,
            },
        }),*];
    };
    (@failed ok) => { false };
    (@failed failed) => { true };
    (@named Call) => { true };
    (@named Start) => { true };
    (@named $part:ident) => { false };
}

records! {
    "tool-input-start" Full Start ok [field("id", FieldRole::Id, FieldType::String), NAME]
    "tool-input-delta" Full Delta ok [field("id", FieldRole::Id, FieldType::String), field("delta", FieldRole::Delta, FieldType::String)]
    "tool-input-end" Full End ok [field("id", FieldRole::Id, FieldType::String)]
    "tool-call" Full Call ok [ID, NAME, INPUT]
    "tool-result" Full Result ok [ID, NAME, INPUT_AGAIN, OUTPUT]
    "tool-error" Full Result failed [ID, NAME, INPUT_AGAIN, field("error", FieldRole::Error, FieldType::Any)]
    "tool-output-denied" Full Result failed [ID, NAME]
    "tool-approval-request" Full Notice ok [ID, field("approvalId", FieldRole::Other, FieldType::String)]
    "tool-input-start" Ui Start ok [ID, NAME]
    "tool-input-delta" Ui Delta ok [ID, field("inputTextDelta", FieldRole::Delta, FieldType::String)]
    "tool-input-available" Ui Call ok [ID, NAME, INPUT]
    "tool-input-error" Ui Call failed [ID, NAME, INPUT, ERROR_TEXT]
    "tool-output-available" Ui Result ok [ID, OUTPUT]
    "tool-output-error" Ui Result failed [ID, ERROR_TEXT]
    "tool-output-denied" Ui Result failed [ID]
    "tool-approval-request" Ui Notice ok [ID, field("approvalId", FieldRole::Other, FieldType::String)]
    "tool-call-streaming-start" V4 Start ok [ID, NAME]
    "tool-call-delta" V4 Delta ok [ID, NAME, field("argsTextDelta", FieldRole::Delta, FieldType::String)]
    "tool-call" V4 Call ok [ID, NAME, field("args", FieldRole::Input, FieldType::Any)]
    "tool-result" V4 Result ok [ID, NAME, field("args", FieldRole::PassedOver, FieldType::Any), field("result", FieldRole::Output, FieldType::Any)]
}

/// The other record types of the three protocols, which are not part of a tool use.
const OTHERS: [&str; 33] = [
    "abort",
    "custom",
    "error",
    "file",
    "finish",
    "finish-message",
    "finish-step",
    "message-metadata",
    "object",
    "raw",
    "reasoning",
    "reasoning-delta",
    "reasoning-end",
    "reasoning-file",
    "reasoning-part-finish",
    "reasoning-signature",
    "reasoning-start",
    "redacted-reasoning",
    "response-metadata",
    "source",
    "source-document",
    "source-url",
    "start",
    "start-step",
    "step-finish",
    "step-start",
    "stream-start",
    "text",
    "text-delta",
    "text-end",
    "text-start",
    "tool-output",
    "tool-approval-response",
];

/// True if records of this type are known but not part of a tool use.
pub fn is_other(name: &str) -> bool {
    OTHERS.contains(&name)
}

/// The known type that differs from the unknown type `name` in one letter.
pub fn similar_type(name: &str) -> Option<&'static str> {
    // Applications define names in `data-*`.
    if is_known(name) || is_other(name) || name.starts_with("data-") {
        return None;
    }
    let known = TABLE.iter().map(|record| record.name).chain(OTHERS);
    one_letter_apart(name, known)
}

/// True if any protocol has records of this type.
pub fn is_known(name: &str) -> bool {
    name.starts_with("tool-") && TABLE.iter().any(|record| record.name == name)
}

/// True if `protocol` has records of this type.
pub fn has(protocol: StreamProtocol, name: &str) -> bool {
    TABLE.iter().any(|record| record.name == name && record.protocol == protocol)
}

/// The record types of `protocol`; if it is unknown, one of each name.
pub fn of(protocol: Option<StreamProtocol>) -> Vec<&'static RecordType> {
    let is_first = |record: &RecordType| {
        TABLE.iter().find(|it| it.name == record.name).is_some_and(|it| std::ptr::eq(it, record))
    };
    TABLE
        .iter()
        .filter(|record| protocol.map_or_else(|| is_first(record), |protocol| record.protocol == protocol))
        .collect()
}

/// The prefix code of AI SDK 4 for records of type `name`.
pub fn code_of(name: &str) -> Option<&'static str> {
    ["b:", "c:", "9:", "a:"].into_iter().find(|code| code.bytes().next().and_then(type_of_code) == Some(name))
}

/// The protocol whose records have this shape.
pub fn protocol_of_record(shape: &ObjectShape) -> Option<StreamProtocol> {
    TABLE.iter().find(|record| std::ptr::eq(record.shape, shape)).map(|record| record.protocol)
}

/// The record type for a prefix code of AI SDK 4.
pub fn type_of_code(code: u8) -> Option<&'static str> {
    match code {
        b'b' => Some("tool-call-streaming-start"),
        b'c' => Some("tool-call-delta"),
        b'9' => Some("tool-call"),
        b'a' => Some("tool-result"),
        _ => None,
    }
}

/// The record type for `name` in a log of `protocol`: the type of that protocol if it has one,
/// otherwise the type of the protocol `shown` by the record's keys.
pub fn find(
    name: &str,
    protocol: Option<StreamProtocol>,
    shown: Option<StreamProtocol>,
) -> Option<&'static RecordType> {
    let of = |protocol: Option<StreamProtocol>| {
        TABLE.iter().find(|record| record.name == name && Some(record.protocol) == protocol)
    };
    of(protocol).or_else(|| of(shown)).or_else(|| TABLE.iter().find(|record| record.name == name))
}

/// The protocol that a record of type `name` shows by its keys; `has` tests for a key.
pub fn protocol_shown_by(name: &str, has: impl Fn(&str) -> bool) -> Option<StreamProtocol> {
    let by_keys = |of_full: &str, other: StreamProtocol, of_other: &str| {
        if has(of_full) {
            Some(StreamProtocol::Full)
        } else if has(of_other) {
            Some(other)
        } else {
            None
        }
    };
    match name {
        "tool-input-start" => by_keys("id", StreamProtocol::Ui, "toolCallId"),
        "tool-input-delta" => by_keys("delta", StreamProtocol::Ui, "inputTextDelta")
            .or_else(|| by_keys("id", StreamProtocol::Ui, "toolCallId")),
        "tool-call" => by_keys("input", StreamProtocol::V4, "args"),
        "tool-result" => by_keys("output", StreamProtocol::V4, "result"),
        // These are equal in both.
        "tool-output-denied" | "tool-approval-request" => None,
        _ => TABLE.iter().find(|record| record.name == name).map(|record| record.protocol),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_types_are_distinguished_by_their_keys() {
        let check = |name: &str, keys: &[&str], expected: Option<StreamProtocol>| {
            assert_eq!(protocol_shown_by(name, |key| keys.contains(&key)), expected, "{name} {keys:?}");
        };
        check("tool-call", &["toolCallId", "toolName", "input"], Some(StreamProtocol::Full));
        check("tool-call", &["toolCallId", "toolName", "args"], Some(StreamProtocol::V4));
        check("tool-call", &["toolCallId"], None);
        check("tool-input-start", &["id", "toolName"], Some(StreamProtocol::Full));
        check("tool-input-start", &["toolCallId", "toolName"], Some(StreamProtocol::Ui));
        check("tool-call-delta", &[], Some(StreamProtocol::V4));
        check("text-delta", &["textDelta"], None);
    }

    #[test]
    fn types_may_be_one_letter_apart() {
        let check = |name: &str, expected: Option<&str>| assert_eq!(similar_type(name), expected, "{name}");
        check("tool-input-avialable", Some("tool-input-available"));
        check("text-detla", Some("text-delta"));
        check("finishs", Some("finish"));
        check("text-delta", None);
        check("tool-call", None);
        check("data-start", None);
        check("tool-search", None);
        check("message", None);
        check("", None);
    }

    #[test]
    fn a_record_is_parsed_in_the_protocol_of_its_log() {
        let check = |name: &str,
                     protocol: Option<StreamProtocol>,
                     shown: Option<StreamProtocol>,
                     expected: Option<StreamProtocol>| {
            assert_eq!(find(name, protocol, shown).map(|record| record.protocol), expected, "{name}");
        };
        check("tool-call", Some(StreamProtocol::Full), Some(StreamProtocol::V4), Some(StreamProtocol::Full));
        check("tool-call", Some(StreamProtocol::Ui), Some(StreamProtocol::V4), Some(StreamProtocol::V4));
        check("tool-call", None, None, Some(StreamProtocol::Full));
        check("tool-result", Some(StreamProtocol::V4), None, Some(StreamProtocol::V4));
        check("nothing", None, None, None);
    }
}
