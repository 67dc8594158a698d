//! `textDocument/completion` and `completionItem/resolve`.
//!
//! Descriptions are made when an item is resolved: they depend on its subject, not on the document.

use std::ops::Range;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, InsertTextFormat, InsertTextMode,
    TextEdit,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::features::completion::documentation::describe;
use crate::features::completion::while_typing::{TypedCompletions, completions_while_typing};
use crate::features::completion::{Completion, CompletionKind, CompletionRequest, CompletionSubject};

use crate::lsp::conversions::markup::documentation;
use crate::lsp::handlers::config_file;
use crate::lsp::request::{ActiveRequest, HandlerResult, ResolveParams};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::workspace::settings::is_config;

/// The params of `textDocument/completion`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionParams {
    position: lsp_types::Position,
    #[serde(default)]
    context: Option<CompletionContext>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CompletionContext {
    trigger_kind: u32,
    trigger_character: Option<String>,
}

/// LSP 3.17, `CompletionTriggerKind.TriggerCharacter`.
const BY_CHARACTER: u32 = 2;

/// The data of an item, sent back by the client.
#[derive(Deserialize)]
pub struct ResolvedData {
    /// The subject of the documentation; `null` without one.
    #[serde(default)]
    subject: Value,
}

/// Handles `textDocument/completion`.
pub fn completion(params: CompletionParams, request: &ActiveRequest) -> HandlerResult {
    let context = params.context.unwrap_or_default();
    let trigger = context.trigger_character.filter(|_| context.trigger_kind == BY_CHARACTER);
    let client = request.client.completion;
    let asked = CompletionRequest {
        trigger: trigger.and_then(|it| it.chars().next()),
        snippets: client.snippets,
        indents: !client.as_is,
    };
    let at = request.byte(params.position);
    let found = match is_config(&request.uri) {
        true => TypedCompletions { items: config_file::completions(request.text(), at), may_change: false },
        false => completions_while_typing(&request.document, at, asked),
    };
    let is_incomplete = found.may_change;
    let items = found.items.iter().enumerate().map(|(index, item)| lsp_item(index, item, request));
    request.respond(CompletionList { is_incomplete, items: items.collect() })
}

/// Handles `completionItem/resolve`: the same item, with its documentation.
pub fn resolve(params: ResolveParams<ResolvedData>, request: &ActiveRequest) -> HandlerResult {
    let ResolveParams { mut item, data } = params;
    let subject = CompletionSubject::deserialize(&data.subject).ok();
    let page = subject.map(|subject| describe(request.document.settings(), &subject));
    if let Some(page) = documentation(&page.unwrap_or_default(), request.client.completion.markdown) {
        item["documentation"] = json!(page);
    }
    request.respond(item)
}

fn lsp_item(index: usize, item: &Completion, snapshot: &Snapshot) -> CompletionItem {
    let client = snapshot.client.completion;
    let edit = |(range, new_text): &(Range<usize>, String)| TextEdit {
        range: snapshot.range(range),
        new_text: new_text.clone(),
    };
    let has_lines = item.edit.1.contains(['\n', '\r']);
    let mut data = json!({"uri": snapshot.uri});
    if let Some(subject) = &item.subject {
        data["subject"] = json!(subject);
    }
    CompletionItem {
        label: item.label.clone(),
        kind: Some(lsp_kind(item.kind)),
        detail: item.detail.clone(),
        documentation: documentation(&item.page, client.markdown),
        tags: (item.is_deprecated && client.tags).then(|| vec![CompletionItemTag::DEPRECATED]),
        deprecated: (item.is_deprecated && !client.tags).then_some(true),
        // The order of the list; clients compare this as text.
        sort_text: Some(format!("{index:05}")),
        filter_text: Some(item.filter.clone()),
        insert_text_format: item.is_snippet.then_some(InsertTextFormat::SNIPPET),
        insert_text_mode: (has_lines && client.as_is).then_some(InsertTextMode::AS_IS),
        text_edit: Some(edit(&item.edit).into()),
        additional_text_edits: item.more.as_ref().map(|more| vec![edit(more)]),
        data: Some(data),
        ..CompletionItem::default()
    }
}

fn lsp_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Call | CompletionKind::Tool => CompletionItemKind::FUNCTION,
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Parameter => CompletionItemKind::PROPERTY,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Language => CompletionItemKind::KEYWORD,
        CompletionKind::Id => CompletionItemKind::REFERENCE,
        CompletionKind::Choice => CompletionItemKind::ENUM_MEMBER,
    }
}
