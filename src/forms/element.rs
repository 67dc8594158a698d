//! An element in the text of a message, and what its readers share.

use std::ops::Range;

use crate::json::{self, JsonKind, Value};

/// An element. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its full range.
    pub range: Range<usize>,
    /// The tool name, unless that is in JSON.
    pub name: Option<Range<usize>>,
    /// Its content.
    pub body: ElementBody,
}

/// The content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementBody {
    /// An object with the name and the arguments of a call, or a list of such objects: see
    /// [`calls_of`].
    Call(Range<usize>),
    /// An object with the arguments of a call.
    Arguments(Range<usize>),
    /// The names and the values of parameters.
    Parameters(Vec<(Range<usize>, Range<usize>)>),
    /// Code that is the input.
    Text(Range<usize>),
    /// The input of a call of ReAct, and its observation.
    Step(Range<usize>, Option<Range<usize>>),
    /// A call with its result, in attributes.
    Escaped(EscapedUse),
    /// A result.
    Output(Range<usize>),
}

/// The values of a tool use, escaped. Ranges are bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscapedUse {
    /// The id.
    pub id: Option<Range<usize>>,
    /// The input.
    pub input: Option<Range<usize>>,
    /// The output, unless it is pending.
    pub output: Option<Range<usize>>,
}

/// The end of a model's thoughts at the start of `text`: calls in thoughts do not count.
pub(super) fn behind_thoughts(text: &str) -> usize {
    let end = Some(text).filter(|text| text.trim_start().starts_with("<think>"));
    end.and_then(|text| text.find("</think>")).unwrap_or(0)
}

/// True if `line` opens or closes a fenced code block.
pub(super) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// `range` of `text` without white space around it.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inner.len() - inner.trim_start().len();
    start..start + inner.trim().len()
}

/// The object or list of JSON that `range` of `text` begins with, if it is whole and has no errors.
pub(super) fn whole_value(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = text.get(range.clone())?;
    let tape = json::parse_prefix(text);
    let root = tape.root(text).filter(|root| tape.errors.is_empty() && root.is_closed())?;
    Some(range.start..range.start + root.span().end as usize)
}

/// True if a tool or a parameter may have this name.
pub(super) fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    !name.is_empty() && name.len() <= 128 && name.chars().all(is_part)
}

/// The calls in the JSON of a `<tool_call>`: an object, or several in a list. A call may stand in
/// the member `function`.
pub fn calls_of<'j>(root: Value<'j>) -> impl Iterator<Item = Value<'j>> {
    let one = (root.kind() != JsonKind::Array).then_some(root);
    let of_item = |item: Value<'j>| item.get("function").filter(|it| it.is_object()).unwrap_or(item);
    one.into_iter().chain(one.is_none().then(|| root.items()).into_iter().flatten()).map(of_item)
}

/// True if a tool may have this name; unlike [`is_name`], also accepts several capitalized words.
fn is_title(name: &str) -> bool {
    let mut words = name.split(' ');
    is_name(name) || words.all(|word| is_name(word) && !word.starts_with(char::is_lowercase))
}

/// True if `text` has calls that all name a tool: prompts write `{"name": <function-name>, …}`.
pub(super) fn names_tool(text: &str) -> bool {
    if !text.starts_with(['{', '[']) {
        return false;
    }
    let tape = json::parse(text);
    let Some(root) = tape.root(text) else { return false };
    let is_named = |call: Value<'_>| call.get("name").and_then(Value::as_str).is_some_and(|it| is_title(&it));
    calls_of(root).next().is_some() && calls_of(root).all(is_named)
}
