//! `chatls/conversation`: the document's conversation in another form (docs/extensions.md).

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use tower_lsp::jsonrpc::Error;

use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::features::chat_forms::{CHAT_FORMS, WrittenChats, write_form, write_markdown};
use crate::features::conversion::{RewrittenLog, log_as_markdown, targets};

use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::failed;

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConversationParams {
    to: String,
}

/// Handles `chatls/conversation`.
pub fn conversation(params: ConversationParams, request: &ActiveRequest) -> HandlerResult {
    let (text, losses, language_id) = written(&request.document, &params.to)?;
    let version = request.version;
    request.respond(json!({"version": version, "languageId": language_id, "text": text, "losses": losses}))
}

/// The text of the conversation in the form named `to`, or as Markdown in the dialect named `to`;
/// its losses in words, and its language id.
fn written(document: &Document, to: &str) -> Result<(String, String, &'static str), Error> {
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
