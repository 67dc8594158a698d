//! What is being written at a place of a block, or can be begun there: what editors complete and show while one types.
//!
//! A dialect says where the pieces are and how they are written; what is offered for them is not its business.

use crate::call::{CallPart, ObjectShape};
use crate::text::Span;

/// What is being written at a place. Spans are bytes of the source's text.
#[derive(Clone, Debug)]
pub enum Draft {
    /// A JSON object.
    Object(DraftObject),
    /// A call as display text.
    Display(Display),
    /// The name of a tool, by itself: that of the call whose result this is.
    Name {
        /// What is written of it.
        span: Span,
        /// What is missing behind it.
        closer: &'static str,
    },
}

/// A JSON object that is being written, or can be.
#[derive(Clone, Debug)]
pub struct DraftObject {
    /// Its own text, with all that may become a part of it.
    pub span: Span,
    /// The documented forms that it may have.
    pub forms: Vec<ObjectForm>,
    /// Which of these it has, as far as that can be told.
    pub form: Option<usize>,
    /// Whether it has to stay on its line, and is written without spaces.
    pub is_line: bool,
}

/// A documented form of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectForm {
    /// The key that tells it from others, and what that has here.
    pub tag: Option<(&'static str, &'static str)>,
    /// Which part of a tool use it is.
    pub part: CallPart,
    /// Whether it says that the tool use failed.
    pub failed: bool,
    /// Its fields.
    pub shape: &'static ObjectShape,
    /// What stands before a new one.
    pub prefix: &'static str,
}

/// A call that is being written as display text: `name(key=value, key=value)`.
#[derive(Clone, Copy, Debug)]
pub struct Display {
    /// The call.
    pub call: Span,
    /// How text is written there; `None` of what cannot be.
    pub escape: fn(&str) -> Option<String>,
    /// What is missing behind the call.
    pub closer: &'static str,
    /// What stands between the call and a result that the block holds, too; empty where it holds none.
    pub before_result: &'static str,
}

/// What opens a block inside of text, where none is yet.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// What it begins with.
    pub opener: &'static str,
    /// How many bytes of that say that it is meant.
    pub least: usize,
    /// What follows.
    pub body: OpenerBody,
}

/// What follows an opener.
#[derive(Clone, Copy, Debug)]
pub enum OpenerBody {
    /// An object of this form.
    Object(ObjectForm),
    /// A call as display text; its span is empty.
    Display(Display),
}

/// For dialects that nothing in running text opens.
pub const NO_STARTS: &[Start] = &[];
