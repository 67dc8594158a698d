//! Constructors for the rows of the table of forms.

use super::form::{
    Failure, Form, FormRole, FormText, InputPath, Layout, MessageScope, NamePath, Speech, UsePaths, ValueTest,
};
use super::results::ResultTemplate;
use crate::call::{CallPart, MessageRole};

type Signature<'a> = &'a [(&'static str, ValueTest)];
type Paths<'a> = &'a [&'static str];

/// A row of a part of a tool use.
pub(super) fn part(
    family: &'static str,
    part: CallPart,
    signature: Signature<'_>,
    (id, name): (Paths<'_>, NamePath),
    input: &[InputPath],
    output: Paths<'_>,
    failure: &[Failure],
) -> Form {
    let role = FormRole::Use(UsePaths {
        part,
        encoded: FormText::default(),
        layout: Layout::Paths,
        id: texts(id),
        name,
        input: input.to_vec(),
        output: texts(output),
        failure: failure.to_vec(),
        is_of_last: false,
    });
    row(family, role, signature)
}

/// A row of a call.
pub(super) fn call(
    family: &'static str,
    signature: Signature<'_>,
    id: Paths<'_>,
    name: NamePath,
    input: &[InputPath],
) -> Form {
    part(family, CallPart::Call, signature, (id, name), input, &[], &[])
}

/// A row of a result.
pub(super) fn result(
    family: &'static str,
    signature: Signature<'_>,
    id: Paths<'_>,
    output: Paths<'_>,
) -> Form {
    part(family, CallPart::Result, signature, (id, NamePath::None), &[], output, &[])
}

/// A row of a message.
pub(super) fn message(signature: Signature<'_>) -> Form {
    row("", FormRole::Message, signature).into_message()
}

/// A row of text.
pub(super) fn text(signature: Signature<'_>) -> Form {
    row("", FormRole::Text, signature)
}

/// A row of empty text.
pub(super) fn blank(signature: Signature<'_>) -> Form {
    row("", FormRole::Blank, signature).inside()
}

/// A row of repetitions.
pub(super) fn repetition(family: &'static str, signature: Signature<'_>) -> Form {
    row(family, FormRole::Repetition, signature)
}

fn row(family: &'static str, role: FormRole, signature: Signature<'_>) -> Form {
    let signature = signature.iter().map(|(path, test)| ((*path).into(), test.clone())).collect();
    Form::new(family.into(), role, signature)
}

impl Form {
    pub(super) fn into_message(self) -> Self {
        Self { is_message: true, ..self }
    }

    pub(super) fn inside(self) -> Self {
        Self { is_nested: true, ..self }
    }

    /// This row, with a content that is not searched.
    pub(super) fn opaque(self) -> Self {
        Self { hides_content: true, ..self }
    }

    /// The same row of a tool use with messages of others in the member `key`.
    pub(super) fn around(self, key: &'static str) -> Self {
        Self { inner: Some(key), ..self }
    }

    /// The same row of objects that servers reject without the member at `path`.
    pub(super) fn needing(self, path: &'static str) -> Self {
        Self { needs: Some(path.into()), ..self }
    }

    /// This row, with a template for results.
    pub(super) fn with_result(self, template: &'static ResultTemplate) -> Self {
        Self { result: Some(template), ..self }
    }

    /// This row, with texts at these paths.
    pub(super) fn saying(self, texts: &[(Speech, &'static str)]) -> Self {
        Self { texts: texts.iter().map(|(speech, path)| (*speech, (*path).into())).collect(), ..self }
    }

    /// This row of messages of the conversation `scope`.
    pub(super) fn within(self, scope: MessageScope) -> Self {
        Self { scope, ..self.into_message() }
    }

    /// This row, recognized only in messages of `author`.
    pub(super) fn of(self, author: MessageRole) -> Self {
        Self { author: Some(author), ..self }
    }

    /// This row, with the path of a name.
    pub(super) fn named(self, name: NamePath) -> Self {
        self.with(|paths| paths.name = name)
    }

    /// This row, with members that indicate a failure.
    pub(super) fn failing(self, failure: &[Failure]) -> Self {
        self.with(|paths| paths.failure = failure.to_vec())
    }

    /// This row, for results that belong to the preceding call, or calls that may have a second id.
    pub(super) fn of_last(self) -> Self {
        self.with(|paths| paths.is_of_last = true)
    }

    /// This row, with another layout.
    pub(super) fn laid_out(self, layout: Layout) -> Self {
        self.with(|paths| paths.layout = layout)
    }

    /// This row, with all paths relative to the JSON string, or to the items of the list, at
    /// `path`.
    pub(super) fn encoded_in(self, path: &'static str) -> Self {
        self.with(|paths| paths.encoded = path.into())
    }

    fn with(mut self, change: impl FnOnce(&mut UsePaths)) -> Self {
        if let FormRole::Use(paths) = &mut self.role {
            change(paths);
        }
        self
    }
}

pub(super) fn at(path: &'static str) -> NamePath {
    NamePath::At(path.into())
}

pub(super) fn shown(paths: Paths<'_>) -> NamePath {
    NamePath::Shown(texts(paths))
}

pub(super) fn after(path: &'static str, prefix: &'static str) -> NamePath {
    NamePath::After(path.into(), prefix.into())
}

pub(super) fn before(path: &'static str, suffix: &'static str) -> NamePath {
    NamePath::Before(path.into(), suffix.into())
}

pub(super) fn key(path: &'static str, suffix: &'static str) -> NamePath {
    NamePath::Key(path.into(), suffix.into())
}

pub(super) fn value(path: &'static str) -> InputPath {
    InputPath::Value(path.into())
}

pub(super) fn encoded(path: &'static str) -> InputPath {
    InputPath::Encoded(path.into())
}

pub(super) fn display(path: &'static str) -> InputPath {
    InputPath::Display(path.into())
}

pub(super) fn piece(path: &'static str) -> InputPath {
    InputPath::Piece(path.into())
}

pub(super) fn other(path: &'static str) -> InputPath {
    InputPath::Other(path.into())
}

pub(super) fn is(values: &[&'static str]) -> ValueTest {
    ValueTest::Is(texts(values))
}

pub(super) fn is_not(values: &[&'static str]) -> ValueTest {
    ValueTest::IsNot(texts(values))
}

pub(super) fn starts(prefix: &'static str) -> ValueTest {
    ValueTest::Starts(prefix.into())
}

pub(super) fn ends(suffix: &'static str) -> ValueTest {
    ValueTest::Ends(suffix.into())
}

pub(super) fn flag(path: &'static str) -> Failure {
    Failure::Flag(path.into())
}

pub(super) fn no_success(path: &'static str) -> Failure {
    Failure::NoSuccess(path.into())
}

pub(super) fn fails_is(path: &'static str, text: &'static str) -> Failure {
    Failure::Is(path.into(), text.into())
}

pub(super) fn error(path: &'static str) -> Failure {
    Failure::Error(path.into())
}

fn texts(texts: &[&'static str]) -> Vec<FormText> {
    texts.iter().copied().map(FormText::from).collect()
}
