//! The user at an editor, who is asked by `window/showMessageRequest`.
//!
//! Questions contain texts of others: names, command lines, inputs. These are escaped, so that they
//! cannot be taken for a part of the question.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::MessageType;

use super::preset_folders::PresetFolders;
use crate::lsp::peer::THINKING;
use crate::lsp::wire::client_requests::ClientRequests;
use crate::run::preset::ToolFolder;
use crate::run::user_settings::AskPolicy;
use crate::run::{
    CallEffect, CancellationToken, Consented, KnownRunner, NotRun, ReadyCall, RunPermission, Subject,
    TrustStore,
};
use crate::text::visible::visible;

/// The maximum length of a question, in UTF-16 code units: VS Code cuts off the rest.
const LONGEST: usize = 1000;

const AGREE: &str = "Agree";
const RUN: &str = "Run";
const RUN_ALL: &str = "Run All";
const ALWAYS: &str = "Always Allow This Tool";
const CANCEL: &str = "Cancel";

/// The user at an editor, for the calls of one command.
pub struct EditorUser {
    /// Sends questions; `None` if the editor cannot show them.
    pub client: Option<Arc<ClientRequests>>,
    /// The consents.
    pub store: TrustStore,
    /// The calls that need a question.
    pub policy: AskPolicy,
    /// Held while asking for consent.
    pub asking: Arc<tokio::sync::Mutex<()>>,
    /// Voids the questions: the run is cancelled, or its document closed.
    pub void: CancellationToken,
    /// The folder of the document, for the commands of a terminal.
    pub document_folder: Option<PathBuf>,
    /// The folders for the tools of presets.
    pub presets: PresetFolders,
    /// True if further calls of the command follow.
    pub has_more: bool,
    /// True if the user agreed to all calls of the command.
    pub allows_all: bool,
    /// The reason of the last refusal, if it is not the user's.
    pub refusal: Option<String>,
}

impl EditorUser {
    /// The folder for the tools of presets: a known folder, or the user's choice.
    ///
    /// # Errors
    ///
    /// The reason why there is none.
    pub async fn preset_folder(&mut self) -> Result<Arc<ToolFolder>, NotRun> {
        let folder = match self.presets.known() {
            Some(folder) => folder,
            None => self.chosen_folder().await?,
        };
        self.presets.open(folder)
    }

    /// Lets the user choose one of the open folders, or the folder of the document.
    async fn chosen_folder(&mut self) -> Result<PathBuf, NotRun> {
        if self.client.is_none() {
            return Err(NotRun::because(
                "name the folder in which it may work: the editor cannot ask for it",
            ));
        }
        let choices = self.presets.choices();
        if choices.is_empty() {
            return Err(NotRun::because("open the folder in which it may work"));
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| &**name).chain([CANCEL]).collect();
        let question = "In which folder may the tools of presets read and change files?".to_owned();
        let answer = self.ask(MessageType::INFO, question, &names).await.ok_or(NotRun::Refused)?;
        let chosen = choices.iter().find(|(name, _)| *name == answer);
        chosen.map(|(_, folder)| folder.clone()).ok_or(NotRun::Refused)
    }

    fn check(&mut self, runner: &KnownRunner) -> io::Result<Result<Consented, Subject>> {
        let subject = match &runner.subject {
            Ok(subject) => subject,
            Err(reason) => {
                let reason = shown(reason);
                return Err(io::Error::other(format!("{} cannot be started: {reason}", named(runner))));
            }
        };
        Ok(self.store.check(subject)?.ok_or_else(|| subject.clone()))
    }

    async fn ask(&mut self, kind: MessageType, question: String, answers: &[&str]) -> Option<String> {
        let answer = ask(self.client.as_ref(), kind, question, answers, &self.void).await;
        if answer.is_none() && self.void.is_cancelled() {
            self.refusal = Some("the document was closed".to_owned());
        }
        answer
    }
}

impl RunPermission for EditorUser {
    async fn consent(&mut self, runner: &KnownRunner) -> io::Result<Option<Consented>> {
        if let Ok(consented) = self.check(runner)? {
            return Ok(Some(consented));
        }
        let asking = Arc::clone(&self.asking);
        let _asking = asking.lock().await;
        // Another run may have asked meanwhile.
        let subject = match self.check(runner)? {
            Ok(consented) => return Ok(Some(consented)),
            Err(subject) => subject,
        };
        let facts = facts(&subject).join("\n");
        let file = shown(&runner.file.to_string_lossy());
        let question = format!("Agree to start {}, which `{file}` names?\n{facts}", named(runner));
        if self.client.is_none() || !is_shown_in_full(&question) {
            let reason = match self.client {
                None => "the editor cannot ask",
                Some(_) => "what it would start is too long for a question",
            };
            let folder = self.document_folder.as_ref().map(|folder| shown(&folder.to_string_lossy()));
            let folder = folder.map(|folder| format!(" in `{folder}`")).unwrap_or_default();
            self.refusal = Some(format!(
                "nobody agreed to start {}, and {reason}: look at it with `chatls trust` in a terminal{folder}, \
                 and agree with `chatls trust --allow {}`",
                named(runner),
                subject.hash()
            ));
            return Ok(None);
        }
        let answer = self.ask(MessageType::WARNING, question, &[AGREE, CANCEL]).await;
        if answer.as_deref() != Some(AGREE) {
            return Ok(None);
        }
        self.store.grant(&subject).map(Some)
    }

    async fn folder(&mut self, _: &ReadyCall) -> Result<Arc<ToolFolder>, NotRun> {
        self.preset_folder().await
    }

    async fn allows(&mut self, call: &ReadyCall, effect: CallEffect, consented: Option<&Consented>) -> bool {
        let has_secrets = !call.secrets().is_empty();
        if !has_secrets && (self.allows_all || !self.policy.asks(effect)) {
            return true;
        }
        let rememberable = consented.filter(|_| !has_secrets && self.policy != AskPolicy::Always);
        if rememberable.is_some_and(|consented| self.store.always_allows(consented, &call.tool)) {
            return true;
        }
        let question = question(call, effect);
        let reason = match self.client {
            None => Some("the editor cannot ask"),
            Some(_) if !is_shown_in_full(&question) => Some("its input is too long for a question"),
            Some(_) => None,
        };
        if let Some(reason) = reason {
            self.refusal =
                Some(format!("it needs your agreement, and {reason}: use `chatls run` in a terminal"));
            return false;
        }
        let all = self.has_more.then_some(RUN_ALL);
        let always = rememberable.map(|_| ALWAYS);
        let answers: Vec<&str> = [Some(RUN), all, always, Some(CANCEL)].into_iter().flatten().collect();
        let answer = self.ask(MessageType::INFO, question, &answers).await;
        self.allows_all |= answer.as_deref() == Some(RUN_ALL);
        if answer.as_deref() == Some(ALWAYS)
            && let Some(consented) = rememberable
            && let Err(error) = self.store.always_allow(consented, &call.tool)
        {
            self.refusal = Some(format!("your answer is not kept: {}", shown(&error.to_string())));
            return false;
        }
        matches!(answer.as_deref(), Some(RUN | RUN_ALL | ALWAYS))
    }
}

/// The user's answer to `question`, if there is any before `void` is cancelled.
pub async fn ask(
    client: Option<&Arc<ClientRequests>>,
    kind: MessageType,
    question: String,
    answers: &[&str],
    void: &CancellationToken,
) -> Option<String> {
    let asking = client?.ask(kind, question, answers);
    tokio::select! {
        biased;
        () = void.cancelled() => None,
        answer = tokio::time::timeout(THINKING, asking) => answer.ok()?,
    }
}

/// The question whether `call` is to run.
fn question(call: &ReadyCall, effect: CallEffect) -> String {
    let may = match effect {
        CallEffect::MayChange => "may change something",
        CallEffect::ReadOnly => "changes nothing",
    };
    let sends = match call.secrets().first() {
        Some(secret) => format!(", and gets what looks like {secret}"),
        None => String::new(),
    };
    let lines: Vec<_> = call.question_lines().iter().map(|line| without_links(line)).collect();
    format!("This call {may}{sends}. Run it?\n{}", lines.join("\n"))
}

/// True if no editor cuts the question off.
fn is_shown_in_full(question: &str) -> bool {
    let units = |character: char| if character > '\u{ffff}' { 2 } else { 1 };
    question.chars().map(units).sum::<usize>() <= LONGEST
}

/// The server or program with its name.
fn named(runner: &KnownRunner) -> String {
    format!("the {} `{}`", runner.kind.name(), shown(&runner.name))
}

/// The lines on a subject, for messages.
pub fn facts(subject: &Subject) -> Vec<String> {
    subject.lines().iter().map(|line| without_links(line)).collect()
}

/// A text of others in one line of a message.
pub fn shown(text: &str) -> String {
    without_links(&visible(text))
}

/// VS Code takes `[a](b)` in a message for a link.
fn without_links(line: &str) -> String {
    line.replace("](", "]\\u{28}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_others_are_one_line_without_links() {
        for (text, expected) in [
            ("a b é", "a b é"),
            ("a\nfolder: /\r\u{202e}x\u{1b}[m", "a\\nfolder: /\\r\\u{202e}x\\u{1b}[m"),
            ("[ls](command:x)", "[ls]\\u{28}command:x)"),
        ] {
            assert_eq!(shown(text), expected);
        }
    }
}
