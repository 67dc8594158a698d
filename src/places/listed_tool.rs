//! The lists of tools in the text of conversations, and the declaration of a tool in one.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use crate::call::pairing::Pairing;
use crate::document::Document;
use crate::forms::FormTable;
use crate::json::{self, Value};
use crate::messages::objects::preview_of;
use crate::messages::outline::{Outline, outline};
use crate::messages::tool_lists::{ServerLabel, ToolList, list_in};
use crate::places::name_occurrences::NameOccurrence;
use crate::registry::{ToolDeclaration, declarations};
use crate::segments::ReadContext;
use crate::segments::json_objects::listing_items;
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
        let preview = |value: usize| preview_of(&text, value);
        let call = outline.containers.iter().find(|it| it.start as usize == at);
        let call = call.or_else(|| outline.around(at).next());
        let server = call.and_then(|call| ServerLabel::of_call(&call.members, &preview));
        let lists_for = |server: &ServerLabel, array: usize| {
            listing_items(self.context(), &text, array)
                .filter(|item| item.applies_to(server))
                .map(|item| item.list)
                .collect::<Vec<_>>()
        };
        let lists = outline.around(at).flat_map(|container| match container.is_object {
            true => list_in(&container.members).into_iter().collect::<Vec<_>>(),
            false => server.iter().flat_map(|server| lists_for(server, container.start as usize)).collect(),
        });
        let found = lists.into_iter().find_map(|list| {
            let declared = declared_in(text.get(list..)?);
            let found = declared.into_iter().rfind(|found| found.name == name)?;
            Some(moved(found, |span| list + span.start..list + span.end))
        })?;
        Some(moved(found, |span| range.start + span.start..range.start + span.end))
    }

    /// The declarations of the tool that `mentions` name in the lists of tools that apply to them,
    /// in document order.
    pub fn declarations_of(&self, mentions: &[NameOccurrence<'_>]) -> Vec<ToolDeclaration> {
        let mut conversations = HashSet::new();
        let of_log = mentions.iter().filter(|mention| mention.at.block.pairing == Pairing::InConversation);
        let firsts = of_log.filter(|mention| conversations.insert(self.conversation_of(mention)));
        let declared = firsts.filter_map(|mention| self.listed_tool(mention.range.start, mention.text));
        let places: BTreeMap<_, _> = declared.map(|tool| (tool.written.start, tool)).collect();
        places.into_values().collect()
    }

    /// The tools that the text lists for the messages at each of the bytes `starts`, which ascend.
    /// Takes time linear in the length of the document if it is JSON, else of the lines of these
    /// messages.
    pub fn tools_listed_at(&self, starts: &[usize]) -> Vec<ToolList> {
        let mut read: Option<(Range<usize>, Cow<'_, str>, Outline)> = None;
        let mut last: Option<(Vec<usize>, ToolList)> = None;
        let mut found = Vec::new();
        for start in starts {
            let range = self.json_range(*start);
            if read.as_ref().is_none_or(|(known, ..)| *known != range) {
                let text = self.json_slice(range.clone());
                let outline = outline(&text, FormTable::built_in());
                (read, last) = (Some((range, text, outline)), None);
            }
            let Some((range, text, outline)) = &read else { continue };
            let lists = lists_around(self.context(), text, outline, start.saturating_sub(range.start));
            if last.as_ref().is_none_or(|(known, _)| *known != lists) {
                let mut tools = ToolList::default();
                lists.iter().for_each(|list| tools.extend(tool_list(text, *list)));
                last = Some((lists, tools));
            }
            found.extend(last.as_ref().map(|(_, tools)| tools.clone()));
        }
        found
    }
}

/// The offsets of the lists of tools around the byte `at` of `text`, outermost first: the list of
/// the innermost object that lists tools, then the lists of the items of arrays inside of it.
fn lists_around(context: ReadContext<'_>, text: &str, outline: &Outline, at: usize) -> Vec<usize> {
    let mut lists = Vec::new();
    for container in outline.around(at) {
        if !container.is_object {
            let items = listing_items(context, text, container.start as usize).map(|item| item.list);
            lists.extend(items.collect::<Vec<_>>().into_iter().rev());
        } else if let Some(list) = list_in(&container.members)
            && !tool_list(text, list).is_empty()
        {
            lists.push(list);
            break;
        }
    }
    lists.reverse();
    lists
}

/// The list of tools at the byte `at` of `text`.
fn tool_list(text: &str, at: usize) -> ToolList {
    let list = text.get(at..).unwrap_or_default();
    ToolList::read(list.get(..json::parse_prefix(list).end as usize).unwrap_or_default())
}

/// The tools of the list at the start of `text`.
fn declared_in(text: &str) -> Vec<ToolDeclaration> {
    let json = json::parse_prefix(text);
    let Some(root) = json.root(text) else { return Vec::new() };
    if let Some((decoded, map)) = root.as_str_with_map() {
        let place = |range: &Range<usize>| map.to_source_span(range.start, range.end).range();
        return declarations(&decoded).into_iter().map(|found| moved(found, place)).collect();
    }
    // Gemini groups its functions in nested lists.
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
