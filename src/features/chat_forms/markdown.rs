//! A conversation as a Markdown transcript: a role line before each message.

use std::sync::Arc;

use super::chat::{Chat, ChatPart};
use crate::call::ToolUse;
use crate::config::Settings;
use crate::convert::convert;
use crate::dialect::Dialect;
use crate::text::with_plain_line_ends;

/// Writes `chat` with its tool uses in the dialect `to`.
///
/// # Errors
///
/// The first tool use that the dialect cannot express.
pub(super) fn write<'c>(
    chat: &'c Chat,
    to: &Dialect,
    settings: &Arc<Settings>,
) -> Result<String, &'c ToolUse> {
    let mut blocks = Vec::new();
    for message in &chat.messages {
        blocks.push(format!("**{}:**", message.role.name()));
        for part in &message.parts {
            match part {
                ChatPart::Text(text) => blocks.push(with_plain_line_ends(text)),
                ChatPart::Use { tool_use, .. } => {
                    let written = convert(tool_use, to, settings).ok_or(&**tool_use)?;
                    blocks.push(written.text);
                }
                ChatPart::Thinking(_) | ChatPart::Attachment => {}
            }
        }
    }
    Ok(blocks.join("\n\n"))
}
