//! Tags as found by a reader's pattern and as parsed by `chatls`, in one form.

use chatls::call::ToolUse;
use chatls::document::Document;
use serde_json::{Map, Value, json};

/// The calls of `<tool>` and `<validation>` tags in `text` and the text around them, as the
/// client's pattern finds them.
pub fn said_in_tags(text: &str) -> Value {
    let (mut calls, mut around, mut rest) = (Vec::<Value>::new(), String::new(), text);
    while let Some((start, tag)) = ["tool", "validation"]
        .into_iter()
        .filter_map(|tag| Some((rest.find(&format!("<{tag}>"))?, tag)))
        .min()
        .filter(|(start, tag)| rest[*start..].contains(&format!("</{tag}>")))
    {
        around.push_str(&rest[..start]);
        let (inner, behind) = rest[start + tag.len() + 2..].split_once(&format!("</{tag}>")).unwrap();
        rest = behind;
        around.push(' ');
        if tag == "tool" {
            // Values in brackets may have several lines.
            let (call, result) = match inner.split_once('\n') {
                Some((call, result)) if !inner.ends_with(')') => (call, Some(result.into())),
                _ => (inner, None),
            };
            let (name, arguments) =
                call.strip_suffix(')').and_then(|it| it.split_once('(')).unwrap_or((call, ""));
            calls.push(entry(name, Some(arguments), result));
            continue;
        }
        let (name, result) = inner.split_once('\n').unwrap();
        let is_open = |call: &&mut Value| call["name"] == name && call.get("result").is_none();
        match calls.iter_mut().rev().find(is_open) {
            Some(call) => call["result"] = result.into(),
            None => calls.push(entry(name, None, Some(result.into()))),
        }
    }
    around.push_str(rest);
    json!({ "calls": calls, "text": words(&around) })
}

/// The same for a document parsed by `chatls`.
pub fn said(document: &Document) -> Value {
    let uses = document.paired_uses();
    let mut around: String = document.text().slice(0..document.text().len()).into();
    for at in uses.blocks().iter().rev() {
        around.replace_range(document.range_of(at), " ");
    }
    let call = |it: &ToolUse| {
        let result = it.output.as_ref().map(|output| output.to_text().into());
        entry(
            it.name.as_deref().unwrap(),
            it.has_call.then(|| it.arguments.as_deref().unwrap_or_default()),
            result,
        )
    };
    let calls: Vec<_> = document.tool_uses().iter().map(call).collect();
    json!({ "calls": calls, "text": words(&around) })
}

/// The words of the text around blocks, regardless of white space.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entry(name: &str, arguments: Option<&str>, result: Option<Value>) -> Value {
    let mut entry = Map::from_iter([("name".to_owned(), name.into())]);
    entry.extend(arguments.map(|arguments| ("arguments".to_owned(), arguments.into())));
    entry.extend(result.map(|result| ("result".to_owned(), result)));
    entry.into()
}
