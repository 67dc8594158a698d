//! Forms of configurations: `[[dialect]]` in `chatls.toml`.

use super::form::{Failure, Form, FormRole, FormText, InputPath, Layout, NamePath, UsePaths, ValueTest};
use crate::call::CallPart;

/// A form as a configuration describes it. Paths are keys joined by `.`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserForm {
    /// Its name, which is unique.
    pub name: String,
    /// The part of a tool use that such an object is.
    pub part: CallPart,
    /// The members that identify it, by path.
    pub signature: Vec<(String, UserTest)>,
    /// True if it is a message of its own: an element of a conversation.
    pub is_message: bool,
    /// The string of JSON that the paths begin in; empty if they begin in the object itself.
    pub encoded: String,
    /// The paths of the id.
    pub id: Vec<String>,
    /// The path of the tool name.
    pub tool: Option<String>,
    /// The paths of the input. True: it may be a string of JSON.
    pub input: Vec<(String, bool)>,
    /// The paths of the output.
    pub output: Vec<String>,
    /// The paths of the error.
    pub error: Vec<String>,
    /// The paths of the state.
    pub state: Vec<String>,
    /// The states that mean a failure, besides `false`.
    pub failed: Vec<String>,
}

/// A test of a member in a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UserTest {
    /// A value of a type.
    Type(UserType),
    /// One of these strings.
    OneOf(Vec<String>),
    /// This boolean.
    Flag(bool),
}

/// A type of values, as signatures of configurations name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserType {
    /// Any value.
    Any,
    /// A string.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// An object.
    Object,
    /// An array.
    Array,
    /// No value, or `null`.
    Absent,
}

impl UserType {
    /// The text on it, for completion.
    pub fn description(self) -> &'static str {
        match self {
            Self::Any => "The member exists.",
            Self::String => "The member is a string.",
            Self::Number => "The member is a number.",
            Self::Boolean => "The member is `true` or `false`.",
            Self::Object => "The member is an object.",
            Self::Array => "The member is an array.",
            Self::Absent => "There is no such member, or it is `null`.",
        }
    }
}

impl UserTest {
    /// The names of types.
    pub const TYPES: [(&'static str, UserType); 7] = [
        ("any", UserType::Any),
        ("string", UserType::String),
        ("number", UserType::Number),
        ("boolean", UserType::Boolean),
        ("object", UserType::Object),
        ("array", UserType::Array),
        ("absent", UserType::Absent),
    ];

    fn test(&self) -> ValueTest {
        match self {
            Self::OneOf(texts) => ValueTest::Is(owned(texts)),
            Self::Flag(flag) => ValueTest::Flag(*flag),
            Self::Type(UserType::Any) => ValueTest::Any,
            Self::Type(UserType::String) => ValueTest::Text,
            Self::Type(UserType::Number) => ValueTest::Number,
            Self::Type(UserType::Boolean) => ValueTest::Boolean,
            Self::Type(UserType::Object) => ValueTest::Object,
            Self::Type(UserType::Array) => ValueTest::Array,
            Self::Type(UserType::Absent) => ValueTest::Absent,
        }
    }
}

impl UserForm {
    /// Converts it to a [`Form`].
    pub fn form(&self) -> Form {
        let signature = self.signature.iter().map(|(path, test)| (path.clone().into(), test.test()));
        let input = self.input.iter().map(|(path, is_encoded)| match is_encoded {
            true => InputPath::Encoded(path.clone().into()),
            false => InputPath::Value(path.clone().into()),
        });
        let paths = UsePaths {
            part: self.part,
            encoded: self.encoded.clone().into(),
            layout: Layout::Paths,
            id: owned(&self.id),
            name: self.tool.as_ref().map_or(NamePath::None, |path| NamePath::At(path.clone().into())),
            input: input.collect(),
            output: owned(&self.output),
            failure: self.failure(),
            is_of_last: false,
        };
        Form {
            family: self.name.clone().into(),
            signature: signature.collect(),
            role: FormRole::Use(paths),
            is_message: self.is_message,
            author: None,
            is_nested: false,
            is_whole: false,
            inner: None,
            needs: None,
            result: None,
        }
    }

    fn failure(&self) -> Vec<Failure> {
        // An error with the value `true` marks the output as the error.
        let errors = owned(&self.error).into_iter();
        let errors = errors.flat_map(|path| [Failure::Flag(path.clone()), Failure::Error(path)]);
        let states = owned(&self.state).into_iter().flat_map(|path| {
            let failed = owned(&self.failed).into_iter();
            let failed: Vec<_> = failed.map(|state| Failure::Is(path.clone(), state)).collect();
            std::iter::once(Failure::NoSuccess(path)).chain(failed)
        });
        errors.chain(states).collect()
    }
}

fn owned(texts: &[String]) -> Vec<FormText> {
    texts.iter().cloned().map(FormText::from).collect()
}
