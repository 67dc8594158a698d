//! Outcomes of calls, written into message logs.

use std::ops::Range;

use super::MessageEditor;
use crate::call::pairing::Pairing;
use crate::call::{ChatApi, UseOutcome};
use crate::document::{Document, LocatedBlock};
use crate::forms::names::{ANTHROPIC, OPENAI, RESPONSES};
use crate::forms::result_form;
use crate::json::{Value, quote};
use crate::messages::exchange::inner_message;
use crate::segments::conversations::Conversations;
use crate::text::edit::{DocumentEdit, sorted};

impl Document {
    /// True if `call` is in a message log, in a form whose results can be written.
    pub fn has_outcome_form(&self, call: &LocatedBlock<'_>) -> bool {
        let has_template = || self.template_of(&self.range_of(call)).is_some();
        let is_of_api = call.block.api.is_some() && call.block.id().is_some();
        call.block.pairing == Pairing::InConversation && (is_of_api || has_template())
    }

    /// The edits that add the result `outcome` to `call`, a call of a message log, after the
    /// results that follow its message (in OpenAI's Responses, after the calls that follow it, and
    /// their results), or where else its form has them; in document order. `None` if results of its
    /// form cannot be written.
    pub fn added_outcome(&self, call: &LocatedBlock<'_>, outcome: &UseOutcome) -> Option<Vec<DocumentEdit>> {
        let editor =
            MessageEditor::new(self, self.conversation_in(&mut Conversations::default(), call).array);
        if call.block.pairing != Pairing::InConversation {
            return None;
        }
        let range = self.range_of(call);
        let message = editor.message_at(range.start)?;
        let of_api = || {
            let behind = editor.last_result(editor.last_call(message, call.block.api));
            editor.result_after(message, behind, call.block, outcome)
        };
        editor.added_by_template(message, (call.block, &range), outcome).or_else(of_api).map(sorted)
    }

    /// The edits that write `outcome` over the result `block` of `call`, in a message log. `None`
    /// if its form is not known.
    pub fn replaced_outcome(
        &self,
        block: &LocatedBlock<'_>,
        call: &LocatedBlock<'_>,
        outcome: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        if block.block.pairing != Pairing::InConversation {
            return None;
        }
        let range = self.range_of(block);
        let call = (call.block, &self.range_of(call));
        let edits = self.with_json(range.clone(), |root| {
            let root = Some(root).filter(|root| root.is_object())?;
            let of_template = self.replaced_by_template((root, range.start), call, outcome);
            of_template.or_else(|| replaced_of_api(root, range.start, outcome))
        });
        edits.map(sorted)
    }
}

/// The edits that replace `result`, an object of an API at `start`, by `outcome`.
fn replaced_of_api(result: Value<'_>, start: usize, outcome: &UseOutcome) -> Option<Vec<DocumentEdit>> {
    let api = api_of_result(result)?;
    let value = result.get(if api == ChatApi::Responses { "output" } else { "content" })?;
    let place = |value: Value<'_>| value.span().range_at(start);
    let mut edits = vec![(place(value), quote(&outcome.to_text()))];
    let is_error = matches!(outcome, UseOutcome::Error(_));
    match result.get("is_error") {
        Some(flag) if (flag.raw() == "true") != is_error => edits.push((place(flag), is_error.to_string())),
        None if is_error && api == ChatApi::Anthropic => {
            let end = place(value).end;
            edits.push((end..end, ",\"is_error\":true".to_owned()));
        }
        _ => {}
    }
    Some(edits)
}

/// The protocol of a result; `None` for results of other programs, which may have the same members.
fn api_of_result(root: Value<'_>) -> Option<ChatApi> {
    match result_form(root)?.0 {
        ANTHROPIC => Some(ChatApi::Anthropic),
        OPENAI => Some(ChatApi::OpenAi),
        RESPONSES => Some(ChatApi::Responses),
        _ => None,
    }
}

impl MessageEditor<'_> {
    /// The index of the last of the messages with results that follow the message at `index`, or
    /// `index`.
    pub(super) fn last_result(&self, index: usize) -> usize {
        let is_result = |index: &usize| {
            self.is_of_results(*index)
                || self
                    .with_message(*index, |root, _| {
                        let inner = inner_message(root);
                        let is_output = inner
                            .get("type")
                            .and_then(Value::as_str)
                            .is_some_and(|kind| kind.ends_with("_output"));
                        let is_tool = inner.get("tool_call_id").is_some();
                        Some(is_tool || is_output || result_form(inner).is_some())
                    })
                    .unwrap_or_default()
        };
        (index + 1..self.messages().len()).take_while(is_result).last().unwrap_or(index)
    }

    /// The index of the last of the calls that follow the call at `index` at once, if each call of
    /// `api` is an item of its own; else `index`.
    fn last_call(&self, index: usize, api: Option<ChatApi>) -> usize {
        let is_call = |index: &usize| {
            let of_item = |root: Value<'_>, _: usize| {
                let kind = inner_message(root).get("type")?.as_str()?;
                Some(kind.ends_with("_call"))
            };
            self.with_message(*index, of_item).unwrap_or_default()
        };
        let following = (index + 1..self.messages().len()).take_while(is_call);
        if api == Some(ChatApi::Responses) { following.last().unwrap_or(index) } else { index }
    }

    /// The end of the last result in the content of the message at `index`.
    pub(super) fn last_result_part(&self, index: usize) -> Option<Range<usize>> {
        let is_result = |part: &&Range<usize>| {
            let is_result = |part: Value<'_>| Some(part.get("tool_use_id").is_some());
            self.document.with_json((*part).clone(), is_result) == Some(true)
        };
        let parts = self.parts(index);
        parts.iter().rfind(is_result).cloned()
    }
}
