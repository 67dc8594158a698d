//! The declaration of a tool in the text of its own calls.

use std::borrow::Cow;
use std::ops::Range;

use super::Document;
use super::json_objects::item_lists;
use super::tool_lists::list_in;
use crate::dialect::log::outline::{Container, PREVIEW, outline};
use crate::forms::FormTable;
use crate::json::{self, Value};
use crate::registry::{ToolDeclaration, declarations};
use crate::text::Span;

impl Document {
    /// The declaration of the tool `name` in the list that applies to the call at the byte `at`.
    /// Takes time linear in the length of the document, of the line of a log, or of
    /// the fence.
    pub fn listed_tool(&self, at: usize, name: &str) -> Option<ToolDeclaration> {
        let range = self.json_range(at);
        let text = self.json_slice(range.clone());
        let outline = outline(&text, FormTable::built_in());
        let at = at.checked_sub(range.start)?;
        let is_around = |container: &Container| {
            (container.start as usize) < at && container.end().is_none_or(|end| at < end)
        };
        let preview = |value: usize| {
            let end = text.floor_char_boundary((value + PREVIEW).min(text.len()));
            Cow::Borrowed(text.get(value..end).unwrap_or_default())
        };
        let around = outline.containers.iter().enumerate().rev().filter(|(_, it)| is_around(it));
        let lists = around.flat_map(|(index, container)| match container.is_object {
            true => list_in(&container.members).into_iter().collect(),
            false => item_lists(&outline, index, &preview),
        });
        let found = lists.into_iter().find_map(|list| {
            let declared = declared_in(text.get(list..)?);
            let found = declared.into_iter().rfind(|found| found.name == name)?;
            Some(moved(found, |span| list + span.start..list + span.end))
        })?;
        Some(moved(found, |span| range.start + span.start..range.start + span.end))
    }
}

/// The tools of the list at the start of `text`.
fn declared_in(text: &str) -> Vec<ToolDeclaration> {
    let json = json::parse_prefix(text);
    let Some(root) = json.root(text) else { return Vec::new() };
    if let Some((decoded, map)) = root.as_str_with_map() {
        let place = |range: &Range<usize>| map.to_source_span(range.start, range.end).range();
        return declarations(&decoded).into_iter().map(|found| moved(found, place)).collect();
    }
    // The functions of Gemini stand in lists of their own.
    let functions = |item: Value<'_>| {
        let list = item.get("functionDeclarations").or_else(|| item.get("function_declarations"))?;
        Some(list.span())
    };
    let lists: Vec<Span> = root.items().filter_map(functions).collect();
    let lists = if lists.is_empty() { vec![root.span()] } else { lists };
    let declared = lists.into_iter().flat_map(|list| {
        let place =
            move |range: &Range<usize>| list.start as usize + range.start..list.start as usize + range.end;
        declarations(list.of(text)).into_iter().map(move |found| moved(found, place))
    });
    declared.collect()
}

fn moved(found: ToolDeclaration, place: impl Fn(&Range<usize>) -> Range<usize>) -> ToolDeclaration {
    ToolDeclaration { range: place(&found.range), written: place(&found.written), ..found }
}
