//! The construct at an offset of a block, complete or not: the basis of completion and signature
//! help.
//!
//! A dialect determines the parts and how they are written, not the completions for them.

use crate::call::{CallPart, ObjectShape};
use crate::forms::element_forms::ElementForm;
use crate::text::Span;

/// The construct at an offset. Spans are bytes of the source's text.
#[derive(Clone, Debug)]
pub enum Draft {
    /// A JSON object.
    Object(DraftObject),
    /// A call in display form.
    Display(Display),
    /// A call as an element with parameters.
    Element(ElementCall),
    /// The name of a tool, in the result of its call or in an element.
    Name {
        /// The part written so far.
        span: Span,
        /// The missing text after it.
        closer: &'static str,
    },
}

/// A JSON object that exists or can be inserted.
#[derive(Clone, Debug)]
pub struct DraftObject {
    /// Its text, with everything that may become part of it.
    pub span: Span,
    /// The documented forms that it may have.
    pub forms: Vec<ObjectForm>,
    /// The form that it has, if that is known.
    pub form: Option<usize>,
    /// True if it must stay on one line, written without spaces.
    pub is_line: bool,
}

/// A documented form of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectForm {
    /// The key and value that distinguish it from other forms.
    pub tag: Option<(&'static str, &'static str)>,
    /// Its part of the tool use.
    pub part: CallPart,
    /// True if it means that the tool use failed.
    pub failed: bool,
    /// Its fields.
    pub shape: &'static ObjectShape,
    /// The text before a new object.
    pub prefix: &'static str,
}

/// A call in display form: `name(key=value, key=value)`.
#[derive(Clone, Copy, Debug)]
pub struct Display {
    /// The span of the call.
    pub call: Span,
    /// Escapes text for this position; `None` for text that cannot be written there.
    pub escape: fn(&str) -> Option<String>,
    /// The missing text after the call.
    pub closer: &'static str,
    /// The text between the call and the result that the block contains; empty if it has none.
    pub before_result: &'static str,
}

/// A call as an element: `<function=name><parameter=key>value</parameter></function>`.
#[derive(Clone, Debug)]
pub struct ElementCall {
    /// The texts around its names.
    pub form: &'static ElementForm,
    /// The name of the tool.
    pub tool: Span,
    /// The part at the offset.
    pub place: ElementPlace,
    /// The names of the other parameters.
    pub written: Vec<Span>,
}

/// A part of a call as an element.
#[derive(Clone, Copy, Debug)]
pub enum ElementPlace {
    /// A parameter's name.
    Name {
        /// The text that a parameter replaces: a name, or the part of an opener.
        span: Span,
        /// True if only the name is replaced.
        is_ended: bool,
    },
    /// A parameter's value.
    Value {
        /// The name.
        key: Span,
        /// The value, which may have several lines.
        span: Span,
    },
}

/// An opener of a block in running text.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The opener's text.
    pub opener: &'static str,
    /// The minimum number of bytes of the opener that identify it.
    pub least: usize,
    /// The content after the opener.
    pub body: OpenerBody,
}

/// The content after an opener.
#[derive(Clone, Copy, Debug)]
pub enum OpenerBody {
    /// An object of this form, with the text before and after it.
    Object {
        /// The form.
        form: ObjectForm,
        /// The text between the opener and the object.
        before: &'static str,
        /// The text after the object.
        closer: &'static str,
    },
    /// A call in display form; its span is empty.
    Display(Display),
}
