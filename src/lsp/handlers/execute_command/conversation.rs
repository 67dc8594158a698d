//! `chatls.convertConversation`: writes the messages of a JSON document in another form.
//!
//! A single edit replaces the document by the converted one. Losses are confirmed first.

use serde::de::IgnoredAny;
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use super::no_choice;
use crate::document::{Document, Language, line_end};
use crate::features::chat_forms::{CHAT_FORMS, ChatForm, WrittenChats, write_form};
use crate::lsp::conversions::edits::workspace_edit;
use crate::lsp::handlers::export::name_of;
use crate::lsp::request::ActiveRequest;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;

/// Title of the code action that lets the user choose the form.
pub const TITLE: &str = "Convert the conversation…";

/// Title of the code action for one form.
pub fn title_of(form: &ChatForm) -> String {
    format!("Convert the conversation to {}", form.description)
}

/// True if the messages of the document are one conversation, which may be written in another form.
pub fn is_convertible(document: &Document) -> bool {
    let is_one = || {
        let messages = document.messages().of_log();
        messages.first().is_some_and(|first| messages.iter().all(|it| it.conversation == first.conversation))
    };
    has_json_messages(document) && is_one()
}

fn has_json_messages(document: &Document) -> bool {
    document.language() == Language::Json && document.is_active() && document.has_messages()
}

/// Writes the document in the form with the name `to`, or in a form that the user chooses.
///
/// # Errors
///
/// The reason why it cannot be written, or the editor does not apply the edit.
pub(super) fn run(to: Option<&str>, request: &ActiveRequest<'_>) -> Result<Value, Error> {
    if !has_json_messages(&request.document) {
        return Err(failed("only JSON documents with messages are converted in place"));
    }
    let form = match to {
        Some(name) => CHAT_FORMS.iter().find(|form| form.name == name),
        None => chosen(request),
    };
    let form = match (form, to) {
        (Some(form), _) => form,
        (None, Some(name)) => return Err(failed(&format!("there is no form `{name}`"))),
        (None, None) => return no_choice(request, CHAT_FORMS.iter().map(|form| form.name)),
    };
    let written = written(&request.document, form)?;
    let losses = written.losses.words();
    let asks = !losses.is_empty() && request.client.actions.show_message_request;
    if asks && !confirms(form, &losses, request) {
        return Ok(Value::Null);
    }
    let whole = 0..request.document.text().len();
    let edit = workspace_edit(request, vec![(whole, laid_out_like(&request.document, written.text))]);
    if !request.client.applies_edits {
        return Ok(edit);
    }
    if !request.is_wanted() {
        return Ok(Value::Null);
    }
    request.peer.apply_edit(&edit)?;
    if !losses.is_empty() && !asks {
        request.peer.show_message(format!("{}: the conversion {losses}", name_of(&request.uri)));
    }
    Ok(Value::Null)
}

fn chosen(snapshot: &Snapshot) -> Option<&'static ChatForm> {
    snapshot.peer.choose("Convert the conversation to which form?", CHAT_FORMS, |form| form.description)
}

fn confirms(form: &ChatForm, losses: &str, snapshot: &Snapshot) -> bool {
    let question = format!("Converting the conversation to {} {losses}", form.description);
    snapshot.peer.agrees(&question, "Convert")
}

/// The document in `form`, as one value of JSON.
fn written(document: &Document, form: &ChatForm) -> Result<WrittenChats, Error> {
    let refused = |reason: &str| failed(&format!("not converted to {}: {reason}", form.description));
    let written = write_form(document, form).map_err(|refusal| refused(&refusal.to_string()))?;
    // Several conversations are lines.
    match serde_json::from_str::<IgnoredAny>(&written.text) {
        Ok(_) => Ok(written),
        Err(_) => Err(refused(
            "it has several conversations, which become lines: `chatls convert` prints them for a `.jsonl` file",
        )),
    }
}

/// `text` with the byte order mark and the line ends of `document`.
fn laid_out_like(document: &Document, text: String) -> String {
    let mark = document.text().slice(0..document.text().mark_len());
    let is_crlf = line_end(document.text(), 0) == "\r\n";
    format!("{mark}{}", if is_crlf { text.replace('\n', "\r\n") } else { text })
}
