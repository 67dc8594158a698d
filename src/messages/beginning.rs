//! Distinguishes transcripts from other JSON by the first bytes of a text.

use super::objects::form_in;
use super::outline::{Container, MOST_NESTED, outline};
use crate::forms::form::FormRole;
use crate::forms::{FormTable, KnownKey};

/// The roles of messages that other JSON hardly has.
const ROLES: [&str; 6] =
    ["\"user\"", "\"assistant\"", "\"system\"", "\"developer\"", "\"tool\"", "\"model\""];

/// True if a message with a role or a part of a tool use begins in `text`, the beginning of a JSON
/// document that is read by `forms`.
pub fn begins_messages(text: &str, forms: &FormTable) -> bool {
    let outline = outline(text, forms);
    let mut objects = outline.containers.iter().filter(|it| it.is_object && it.depth <= MOST_NESTED);
    objects.any(|object| match form_in(forms, text, object).map(|(_, form)| &form.role) {
        Some(FormRole::Use(_)) => object.end().is_some(),
        Some(FormRole::Message | FormRole::Text) => has_role(text, object) || is_request(object),
        Some(FormRole::Blank | FormRole::Repetition) | None => false,
    })
}

/// True if an object has a member `role` with the name of a speaker.
fn has_role(text: &str, object: &Container) -> bool {
    let role = KnownKey::of(b"role");
    let mut values = object.members.known.iter().filter(|member| Some(member.key) == role);
    values.any(|member| {
        let value = text.get(member.value..).unwrap_or_default();
        ROLES.iter().any(|name| value.starts_with(name))
    })
}

/// True for a VS Code request with its response, which has no role.
fn is_request(object: &Container) -> bool {
    ["requestId", "response"].iter().all(|key| object.members.value_of(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_tool_uses_are_found() {
        for (text, expected) in [
            (r#"{"model": "m", "messages": [{"role": "user", "content": "Hi"}, {"rol"#, true),
            (r#"[{"content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}"#, true),
            (r#"[{"content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"#, false),
            (r#"{"name": "chatls", "version": "1.0.0", "scripts": {"test": "x"}}"#, false),
            (
                r#"{"requests": [{"requestId": "r", "message": {"text": "q"}, "response": [{"value": "a"}"#,
                true,
            ),
            (r#"{"users": [{"role": "admin", "content": "x"}]}"#, false),
            (r#"{"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]}"#, false),
            ("", false),
        ] {
            assert_eq!(begins_messages(text, FormTable::built_in()), expected, "{text}");
        }
    }
}
