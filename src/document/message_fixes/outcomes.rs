//! Outcomes of calls, written into message logs.

use std::cell::OnceCell;
use std::ops::Range;

use super::parts::PartForm;
use super::written::WrittenResult;
use super::{DocumentEdit, MessageFixer, NewIds};
use crate::call::pairing::Pairing;
use crate::call::{ChatApi, UseOutcome};
use crate::dialect::log::turn::inner_message;
use crate::document::Document;
use crate::document::message_links::ConversationMembers;
use crate::document::paired_uses::LocatedUseBlock;
use crate::json::{self, Value, quote};

impl Document {
    /// The edits that add the result `outcome` to `call`, a call of a message log, behind the
    /// results that follow its message; in document order. `None` if its form has no results that
    /// stand alone.
    pub fn added_outcome(
        &self,
        call: &LocatedUseBlock<'_>,
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let group = ConversationMembers { conversation: call.conversation, members: Vec::new() };
        let messages = self.messages_of(call.conversation.array);
        let fixer = MessageFixer {
            document: self,
            group: &group,
            messages: &messages,
            links: &OnceCell::new(),
            paired: OnceCell::new(),
            new_ids: &mut NewIds::default(),
        };
        let range = self.range_of(call);
        let message = fixer.message_at(range.start)?;
        let of_api = || {
            let behind = fixer.last_result(message);
            fixer.result_after(message, behind, call.block, &WrittenResult::of(outcome))
        };
        let mut edits = fixer.added_part(message, &range, outcome).or_else(of_api)?;
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        Some(edits)
    }

    /// The edits that write `outcome` over the result `block` of a message log. `None` if its form
    /// is not known.
    pub fn replaced_outcome(
        &self,
        block: &LocatedUseBlock<'_>,
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let range = self.range_of(block);
        let text = self.json_slice(range.clone());
        let json = json::parse_prefix(&text);
        let root = json.root(&text).filter(|root| root.is_object())?;
        // A record of a stream looks like such a part.
        let is_message = block.block.pairing == Pairing::InConversation;
        let form = PartForm::of_result(root).filter(|_| is_message);
        let (value, written, failure_key, adds_failure) = match form {
            Some(form) => {
                let key = form.failure_key();
                (form.value_in(root)?, form.value_of(outcome), key.unwrap_or("isError"), key.is_some())
            }
            None => {
                let api = api_of_result(root)?;
                let name = if api == ChatApi::Responses { "output" } else { "content" };
                (root.get(name)?, quote(&outcome.to_text()), "is_error", api == ChatApi::Anthropic)
            }
        };
        let place = |value: Value<'_>| {
            range.start + value.span().start as usize..range.start + value.span().end as usize
        };
        let mut edits = vec![(place(value), written)];
        let is_error = matches!(outcome, UseOutcome::Error(_));
        match root.get(failure_key) {
            Some(flag) if (flag.raw() == "true") != is_error => {
                edits.push((place(flag), is_error.to_string()))
            }
            None if is_error && adds_failure => {
                let end = place(value).end;
                edits.push((end..end, format!(",\"{failure_key}\":true")));
            }
            _ => {}
        }
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        Some(edits)
    }
}

/// The protocol of a result.
fn api_of_result(root: Value<'_>) -> Option<ChatApi> {
    match () {
        () if root.get("tool_use_id").is_some() => Some(ChatApi::Anthropic),
        () if root.get("tool_call_id").is_some() => Some(ChatApi::OpenAi),
        () if root.get("call_id").is_some() => Some(ChatApi::Responses),
        () => None,
    }
}

impl MessageFixer<'_, '_> {
    /// The index of the last of the messages with results that follow the message at `index`, or
    /// `index`.
    fn last_result(&self, index: usize) -> usize {
        let is_result = |index: &usize| {
            self.is_of_results(*index)
                || self
                    .with_message(*index, |root, _| {
                        let inner = inner_message(root);
                        let is_output = inner
                            .get("type")
                            .and_then(Value::as_str)
                            .is_some_and(|kind| kind.ends_with("_output"));
                        Some(inner.get("tool_call_id").is_some() || is_output)
                    })
                    .unwrap_or_default()
        };
        (index + 1..self.messages.len()).take_while(is_result).last().unwrap_or(index)
    }

    /// The end of the last result in the content of the message at `index`.
    pub(super) fn last_result_part(&self, index: usize) -> Option<Range<usize>> {
        let is_result = |part: &&Range<usize>| {
            let text = self.document.json_slice((*part).clone());
            let json = json::parse_prefix(&text);
            json.root(&text).is_some_and(|part| part.get("tool_use_id").is_some())
        };
        let parts = self.parts(index);
        parts.iter().rfind(is_result).cloned()
    }
}
