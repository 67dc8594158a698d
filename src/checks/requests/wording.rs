//! The messages of the diagnostics of requests.

use crate::call::{Block, CallFault, ChatApi};
use crate::json::Value;
use crate::rules::requests::{RequestFact, RequestIssue, is_name_character, most_characters};
use crate::text::cut;

/// Maximum number of characters of a name or role in a message.
const SHOWN: usize = 60;

/// The message for a problem of a block.
pub(super) fn of_block(issue: &RequestIssue, block: &Block) -> String {
    let name = block.name().unwrap_or_default();
    let shown = cut(name, SHOWN);
    match issue.fact {
        RequestFact::BadName if name.chars().all(is_name_character) => {
            let most = most_characters(issue.api);
            format!("`{shown}` is longer than the {most} characters that the API accepts in a tool's name")
        }
        RequestFact::BadName => {
            format!("`{shown}` is no name of a tool for servers: use letters, digits, `_` and `-` only")
        }
        RequestFact::BuriedResult => {
            "text precedes this result in its message: the API expects the results first".to_owned()
        }
        RequestFact::CallFault(CallFault::ObjectArguments) if !issue.is_sure => {
            "the arguments of this call are an object: OpenAI's api expects a string of JSON, templates of \
             models an object"
                .to_owned()
        }
        RequestFact::CallFault(CallFault::NoType) => {
            "this call has no `type`: the API rejects the conversation; add `\"type\": \"function\"`"
                .to_owned()
        }
        RequestFact::CallFault(CallFault::ObjectArguments) => {
            "the arguments of this call are an object: the API expects it as a string of JSON".to_owned()
        }
        RequestFact::CallFault(CallFault::NoId) => {
            "this call has no `id`: the API rejects the conversation; add one, which its result names"
                .to_owned()
        }
        RequestFact::CallFault(CallFault::NoArguments) => {
            "this call has no `arguments`: the API rejects the conversation; add `\"arguments\": \"{}\"`"
                .to_owned()
        }
        RequestFact::CallFault(CallFault::NoInput) => {
            "the `input` of this call is not an object: the API rejects the conversation; write one, or `{}`"
                .to_owned()
        }
        RequestFact::NoId if issue.api == ChatApi::Anthropic => {
            "this result has no `tool_use_id`: the API rejects the conversation; add the id of its call"
                .to_owned()
        }
        RequestFact::NoId => {
            "this result has no `tool_call_id`: the API rejects the conversation; add the id of its call"
                .to_owned()
        }
        RequestFact::ResultOfAssistant => {
            "this result is in a message of the assistant: the API expects results in messages of the user"
                .to_owned()
        }
        _ => "another message stands between this result and its call: servers reject the conversation"
            .to_owned(),
    }
}

/// The message for a problem of the message or text `object`.
pub(super) fn of_message(issue: &RequestIssue, object: Value<'_>) -> String {
    let role = object.get("role").and_then(Value::as_str).unwrap_or_default();
    let role = cut(&role, SHOWN);
    match issue.fact {
        RequestFact::UnknownRole => {
            let roles = match issue.api {
                ChatApi::Anthropic => "`user` or `assistant`",
                _ => "`system`, `developer`, `user`, `assistant`, `tool` or `function`",
            };
            format!("`{role}` is not a role: the API expects {roles}")
        }
        RequestFact::FirstRole if role == "system" => {
            "the first message has the role `system`: the API expects `system` beside `messages`".to_owned()
        }
        RequestFact::FirstRole => {
            format!("the first message has the role `{role}`: the API expects one of the user")
        }
        RequestFact::NoContent => {
            "this message has no content, which the API accepts beside calls only".to_owned()
        }
        RequestFact::EmptyCalls => {
            "`tool_calls` is empty: the API expects at least one call, or no such member".to_owned()
        }
        RequestFact::BlankText
            if object.get("text").and_then(Value::as_str).is_some_and(|it| !it.is_empty()) =>
        {
            "this text is white space: the API rejects the conversation".to_owned()
        }
        RequestFact::BlankText => "this text is empty: the API rejects the conversation".to_owned(),
        _ => "this message is empty: the API rejects the conversation".to_owned(),
    }
}

/// The member that a problem of a message is about.
pub(super) fn member_of(fact: RequestFact) -> &'static str {
    match fact {
        RequestFact::UnknownRole | RequestFact::FirstRole => "role",
        RequestFact::BlankText => "text",
        RequestFact::EmptyCalls => "tool_calls",
        _ => "content",
    }
}
