//! Tells Zed how to start chatls, and which settings to send.
//!
//! The program is the one that the user's settings name, else the `chatls` on the PATH of the project. Nothing is
//! downloaded.

use zed_extension_api::serde_json::{json, Value};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Chatls;

impl zed::Extension for Chatls {
    fn new() -> Self {
        Chatls
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which("chatls")).ok_or_else(|| {
            "there is no `chatls` on your PATH; install it, or name it in the settings under `lsp.chatls.binary.path`"
                .to_owned()
        })?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["serve".to_owned()]),
            env: worktree.shell_env(),
        })
    }

    /// The server asks for the section `chatls`; what stands under `lsp.chatls.settings` is what it gets.
    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|settings| json!({ "chatls": settings })))
    }
}

zed::register_extension!(Chatls);
