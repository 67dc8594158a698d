//! The conversation of a document in another form: `chatls/conversation` has it as a text
//! (docs/extensions.md), and the command `chatls.convertConversation` writes the messages of a JSON
//! document in that form.
//!
//! A single edit replaces the document by the converted one. Losses are confirmed first.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::features::chat_forms::{CHAT_FORMS, ChatForm, WrittenChats, write_form, write_markdown};
use crate::features::conversion::{RewrittenLog, log_as_markdown, targets};
use crate::lsp::conversions::edits::workspace_edit;
use crate::lsp::handlers::execute_command::no_choice;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::name_of;
use crate::lsp::wire::message::failed;
use crate::places::line_end;

/// The params of `chatls/conversation`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConversationParams {
    to: String,
}

/// Handles `chatls/conversation`.
pub fn conversation(params: ConversationParams, request: &ActiveRequest) -> HandlerResult {
    let (text, losses, language_id) = text_of(&request.document, &params.to)?;
    let version = request.version;
    request.respond(json!({"version": version, "languageId": language_id, "text": text, "losses": losses}))
}

/// The text of the conversation in the form named `to`, or as Markdown in the dialect named `to`;
/// its losses in words, and its language id.
fn text_of(document: &Document, to: &str) -> Result<(String, String, &'static str), Error> {
    if let Some(form) = CHAT_FORMS.iter().find(|form| form.name == to) {
        let WrittenChats { text, losses, .. } =
            write_form(document, form).map_err(|refusal| refused(&refusal.to_string()))?;
        // Several conversations are lines.
        let is_json = !form.lines && serde_json::from_str::<IgnoredAny>(&text).is_ok();
        return Ok((text, losses.words(), if is_json { "json" } else { "jsonl" }));
    }
    let dialect = markdown_dialects().find(|dialect| dialect.name == to);
    let dialect = dialect.ok_or_else(|| Error::invalid_params(unknown(to)))?;
    if document.language() == Language::Log && !document.has_messages() {
        let RewrittenLog { text, plan } = log_as_markdown(document, dialect)
            .ok_or_else(|| refused("its text would change how its tool calls are parsed"))?;
        return Ok((text, plan.losses(), "markdown"));
    }
    let WrittenChats { text, losses, .. } =
        write_markdown(document, dialect).map_err(|refusal| refused(&refusal.to_string()))?;
    Ok((text, losses.words(), "markdown"))
}

fn refused(reason: &str) -> Error {
    failed(&format!("not converted: {reason}"))
}

fn markdown_dialects() -> impl Iterator<Item = &'static Dialect> {
    targets().map(|(dialect, _)| dialect).filter(|dialect| !dialect.lines)
}

fn unknown(name: &str) -> String {
    let forms = CHAT_FORMS.iter().map(|form| form.name);
    let names: Vec<_> = markdown_dialects().map(|dialect| dialect.name).chain(forms).collect();
    format!("`to` must be {}, not `{name}`", names.join(", "))
}

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
pub fn run(to: Option<&str>, request: &ActiveRequest<'_>) -> Result<Value, Error> {
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
    let text = laid_out_like(&request.document, written.text);
    let edit = json!(workspace_edit(request, vec![(whole, text)]));
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
