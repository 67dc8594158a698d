//! The description of a form: the signature of an object, and the positions of its values.

use std::borrow::Cow;

use super::markup::Markup;
use super::results::ResultTemplate;
use crate::call::message_header::{behind_space, is_blank_text, is_empty_list};
use crate::call::{CallPart, MessageRole};
use crate::json::{Value, decode_content};

/// A path, name or value in a form.
pub type FormText = Cow<'static, str>;

/// A form of an object in a log: one row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The family of logs that writes it.
    pub family: FormText,
    /// The role of such objects.
    pub role: FormRole,
    /// The members that identify it: paths of keys, joined by `.`.
    pub signature: Vec<(FormText, ValueTest)>,
    /// True if it is a message of its own: an element of a conversation.
    pub is_message: bool,
    /// The author in whose messages it is recognized; `None` for any. In other messages such an
    /// object is text.
    pub author: Option<MessageRole>,
    /// True if it only counts inside of another container: a line of a log may be a record of a
    /// stream.
    pub is_nested: bool,
    /// True if it is not searched for other forms, whatever its role.
    pub hides_content: bool,
    /// The key of a member with messages of others, such as a sub-agent: a tool use ends before it,
    /// and it is searched for forms.
    pub inner: Option<&'static str>,
    /// The path of a member that the signature does not ask for, but that servers or readers need:
    /// its absence is reported.
    pub needs: Option<FormText>,
    /// For calls: the template of a result; `None` if results cannot be written.
    pub result: Option<&'static ResultTemplate>,
    /// The paths of its texts; empty if they stand where messages have them.
    pub texts: Vec<(Speech, FormText)>,
    /// The conversation of such a message.
    pub scope: MessageScope,
}

/// The conversation of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageScope {
    /// The array that it is an element of.
    Array,
    /// The conversation of the object around this array or message: a version of a message.
    Around,
    /// The message alone: a record of a data set.
    Own,
    /// The object around it, in which a recorded request and its response stand. The request
    /// repeats the messages of earlier ones.
    Exchange,
}

/// The kind of a text in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// A text of the system.
    System,
    /// A text of the user.
    User,
    /// A text of the assistant.
    Assistant,
    /// Reasoning of the assistant.
    Reasoning,
    /// A text of the assistant after the calls of the object.
    Answer,
}

/// The role of an object in a log.
#[derive(Clone, Debug, PartialEq)]
pub enum FormRole {
    /// A part of a tool use.
    Use(UsePaths),
    /// A message without a tool use of its own.
    Message,
    /// Text of a message, or a message that consists of text.
    Text,
    /// An empty text of a message.
    Blank,
    /// A repetition of what stands elsewhere in the log: it is not searched for forms.
    Repetition,
}

/// The positions of the values of a tool use: paths of keys, joined by `.`.
#[derive(Clone, Debug, PartialEq)]
pub struct UsePaths {
    /// The part of a tool use that such an object is.
    pub part: CallPart,
    /// The path of the JSON string in which the other paths begin, or of the list of calls in whose
    /// items they begin; empty if they begin in the object itself.
    pub encoded: FormText,
    /// The form of the tool uses in the object, or in that string.
    pub layout: Layout,
    /// The id: a string or a number. Of several paths the first with a value.
    pub id: Vec<FormText>,
    /// The tool name.
    pub name: NamePath,
    /// The input. Of several paths the first with a value.
    pub input: Vec<InputPath>,
    /// The output. Of several paths the first with a value.
    pub output: Vec<FormText>,
    /// The signs of a failure.
    pub failure: Vec<Failure>,
    /// True for a result of the last call, which further results may follow, and for a call that
    /// may stand in the same message under another id.
    pub is_of_last: bool,
}

/// The form of the tool uses in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One tool use at the other paths, or one in each item of a list.
    Paths,
    /// Markup in a text.
    Elements(Markup),
    /// JSON strings with messages, in which the objects of other forms are read.
    Messages,
    /// Keys that contain the paths.
    Flat,
    /// Requests to a model with calls, and an object with their results by id.
    Rounds,
}

/// The position of a tool name.
#[derive(Clone, Debug, PartialEq)]
pub enum NamePath {
    /// There is no name.
    None,
    /// A string.
    At(FormText),
    /// A string for people in place of a name: the first path with a value.
    Shown(Vec<FormText>),
    /// The part of a string after a prefix.
    After(FormText, FormText),
    /// The part of a string before a suffix.
    Before(FormText, FormText),
    /// The first key of the object at a path, without a suffix.
    Key(FormText, FormText),
}

/// The position of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum InputPath {
    /// A value as it is.
    Value(FormText),
    /// A string of JSON, or a value as it is.
    Encoded(FormText),
    /// The same, but the string may also be text for people.
    Display(FormText),
    /// A string with a piece of JSON that the pieces after it complete.
    Piece(FormText),
    /// A value that is shown as the input, but need not be the tool's own input.
    Other(FormText),
    /// The whole object.
    Object,
}

/// A sign of a failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A member that is `true`; the output is the error.
    Flag(FormText),
    /// A member that is `false`; the output is the error.
    NoSuccess(FormText),
    /// A member with a certain string; the output is the error.
    Is(FormText, FormText),
    /// A member with a value other than `null` and `false`: the error.
    Error(FormText),
}

/// A test of a member's value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueTest {
    /// Any value.
    Any,
    /// No such member, or `null`.
    Absent,
    /// No such member, `null`, or an empty list or string.
    Empty,
    /// A string.
    Text,
    /// A string that contains tool uses as markup.
    Markup(Markup),
    /// A string that is not empty.
    Prose,
    /// A string that is empty or has nothing but white space.
    Blank,
    /// One of these strings.
    Is(Vec<FormText>),
    /// A string other than these.
    IsNot(Vec<FormText>),
    /// A string that begins with this one, or with white space before it.
    Starts(FormText),
    /// A string that ends with this one.
    Ends(FormText),
    /// An object.
    Object,
    /// An array.
    Array,
    /// A number.
    Number,
    /// A string that is not a whole object of JSON.
    Piece,
    /// `true` or `false`.
    Boolean,
    /// This boolean.
    Flag(bool),
}

impl Form {
    /// A form that is only limited by its signature.
    pub fn new(family: FormText, role: FormRole, signature: Vec<(FormText, ValueTest)>) -> Self {
        Self {
            family,
            role,
            signature,
            is_message: false,
            author: None,
            is_nested: false,
            hides_content: false,
            inner: None,
            needs: None,
            result: None,
            texts: Vec::new(),
            scope: MessageScope::Array,
        }
    }

    /// True if the content of such an object is not searched: parts of a tool use are read as a
    /// whole, and repetitions are ignored.
    pub fn is_opaque(&self) -> bool {
        self.hides_content || matches!(self.role, FormRole::Use(_) | FormRole::Repetition)
    }

    /// The markup to read in the text of such an object.
    pub fn markup(&self) -> Option<Markup> {
        match &self.role {
            FormRole::Use(UsePaths { layout: Layout::Elements(markup), .. }) => Some(*markup),
            _ => None,
        }
    }

    /// True if such an object has the attributes of a trace: it may have very many members.
    pub(super) fn is_of_attributes(&self) -> bool {
        self.signature.iter().any(|(path, _)| path.starts_with(ONE_KEY))
    }

    /// True if the members and their beginnings do not show that an object has this form.
    pub fn needs_text(&self) -> bool {
        self.signature.iter().any(|(path, test)| test.needs_text(path))
    }

    /// True if `object` has the signature.
    pub fn fits(&self, object: Value<'_>) -> bool {
        object.is_object()
            && self.signature.iter().all(|(path, test)| test.accepts(at(object, path).map(Value::raw)))
    }
}

/// The prefix of a path that is a single key, in which `.` is literal.
const ONE_KEY: char = '=';

/// The first key of `path`.
pub(super) fn first_key(path: &str) -> &str {
    path.strip_prefix(ONE_KEY).unwrap_or_else(|| path.split(['.', '[']).next().unwrap_or(path))
}

/// The value at `path`: keys of objects and indices of arrays, joined by `.`, with `*` for the
/// first key; or `=` and one key; or `list[key]`, an attribute in a list. `root` if it is empty.
pub fn at<'a>(root: Value<'a>, path: &str) -> Option<Value<'a>> {
    if let Some(key) = path.strip_prefix(ONE_KEY) {
        return root.get(key);
    }
    if let Some((list, key)) = path.strip_suffix(']').and_then(|path| path.split_once('[')) {
        return attribute(root.get(list)?, key);
    }
    if path.is_empty() {
        return Some(root);
    }
    path.split('.').try_fold(root, |value, step| match (step, step.parse()) {
        (_, Ok(index)) if !value.is_object() => value.items().nth(index),
        ("*", _) => value.entries().next().map(|(_, value)| value),
        _ => value.get(step),
    })
}

/// The value of `key` in `list`, whose items are `{"key": …, "value": {"stringValue": …}}`: OTLP
/// (<https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>).
fn attribute<'a>(list: Value<'a>, key: &str) -> Option<Value<'a>> {
    let is_it = |item: &Value<'_>| item.get("key").and_then(Value::as_str).is_some_and(|name| name == key);
    list.items().find(is_it)?.get("value")?.entries().next().map(|(_, value)| value)
}

impl ValueTest {
    /// True if it needs more than the beginning of a member of the object.
    pub fn needs_text(&self, path: &str) -> bool {
        path.contains('.') && !path.starts_with(ONE_KEY) || matches!(self, Self::Markup(_) | Self::Piece)
    }

    /// True if it accepts a value by its source text, which may be cut off after some bytes;
    /// `None` for a missing member. An approximation for escaped strings only.
    pub fn accepts(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return matches!(self, Self::Absent | Self::Empty) };
        let text = || value.strip_prefix('"').and_then(|text| text.split_once('"')).map(|(text, _)| text);
        match self {
            Self::Any => true,
            Self::Absent => value.starts_with("null"),
            Self::Empty => {
                ["null", "\"\""].iter().any(|empty| value.starts_with(empty)) || is_empty_list(value)
            }
            Self::Text => value.starts_with('"'),
            Self::Markup(markup) => {
                let content = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                content.is_some_and(|content| markup.is_in(&decode_content(content)))
            }
            Self::Prose => value.starts_with('"') && !value.starts_with("\"\""),
            Self::Blank => is_blank_text(value),
            Self::Is(texts) => text().is_some_and(|text| texts.iter().any(|known| known == text)),
            Self::IsNot(texts) => {
                value.starts_with('"') && text().is_none_or(|text| texts.iter().all(|known| known != text))
            }
            Self::Starts(prefix) => value.strip_prefix('"').map(behind_space).is_some_and(|text| {
                // A long blank beginning may be all of the preview.
                text.is_empty() || text.starts_with(&**prefix)
            }),
            Self::Ends(suffix) => text().is_some_and(|text| text.ends_with(&**suffix)),
            Self::Piece => value.starts_with('"') && !(value.starts_with("\"{") && value.ends_with("}\"")),
            Self::Object => value.starts_with('{'),
            Self::Array => value.starts_with('['),
            Self::Number => value.starts_with(|first: char| first == '-' || first.is_ascii_digit()),
            Self::Boolean => value.starts_with("true") || value.starts_with("false"),
            Self::Flag(flag) => value.starts_with(if *flag { "true" } else { "false" }),
        }
    }
}
