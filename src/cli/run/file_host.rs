//! The host of calls and answers in a file, with a terminal that shows them.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use super::{in_one_line, show_call, show_progress};
use crate::cli::common::ExitStatus;
use crate::cli::consent::answer_to;
use crate::cli::console::{
    print_error, print_to_stderr, print_warning, printable, printable_text, unless_reader_left,
};
use crate::cli::inputs::InputFile;
use crate::cli::rewrite::rewrite_file;
use crate::config::Files;
use crate::document::Document;
use crate::files::DiskFiles;
use crate::run::model::ModelAnswer;
use crate::run::turns::{AgreedSecrets, BegunCall, EditError, FoundSecret, TurnEvent, TurnHost};
use crate::text::{DocumentEdit, Text};

/// The file and the terminal.
pub(in crate::cli) struct FileHost<'f> {
    file: InputFile<'f>,
    document: Document,
    /// True if secrets may be sent.
    sends_secrets: bool,
    /// The secrets that the user agreed to send.
    agreed: AgreedSecrets,
    /// The part of the answer's text that was printed.
    shown: String,
    /// The place of the current call, `FILE:LINE`.
    call: Option<String>,
    status: ExitStatus,
}

impl<'f> FileHost<'f> {
    pub fn new(file: InputFile<'f>, document: Document, sends_secrets: bool) -> Self {
        let (agreed, shown) = (AgreedSecrets::default(), String::new());
        Self { file, document, sends_secrets, agreed, shown, call: None, status: ExitStatus::Clean }
    }

    /// The document after the turns, and the status of their answers.
    pub fn finish(self) -> (Document, ExitStatus) {
        (self.document, self.status)
    }

    fn name(&self) -> String {
        printable(self.file.display_name).into_owned()
    }

    /// Prints the new part of the answer. For standard input, the answer is printed with its
    /// document.
    fn show(&mut self, text: &str) {
        let stable = text.trim_end();
        let more = more_of(&self.shown, stable);
        if self.file.path.is_some() && !more.is_empty() {
            _ = write!(io::stdout(), "{}", printable_text(&more)).and_then(|()| io::stdout().flush());
        }
        stable.clone_into(&mut self.shown);
    }

    /// Ends the line of the answer.
    pub fn end_answer(&mut self) -> io::Result<()> {
        let shown = std::mem::take(&mut self.shown);
        if shown.is_empty() || self.file.path.is_none() {
            return Ok(());
        }
        unless_reader_left(writeln!(io::stdout()))
    }

    fn warn_of_calls(&mut self, answer: &ModelAnswer) {
        let Some(left_out) = answer.left_out() else { return };
        print_warning(&format!("`{}`: {left_out}", self.name()));
        self.status = ExitStatus::Found;
    }
}

/// The part of `text` to print after `shown`: all of it if `text` does not continue `shown`,
/// because the document has changed.
fn more_of<'t>(shown: &str, text: &'t str) -> Cow<'t, str> {
    match text.strip_prefix(shown) {
        Some(more) => more.into(),
        None if shown.starts_with(text) => "".into(),
        None => format!("\n{text}").into(),
    }
}

impl TurnHost for FileHost<'_> {
    async fn document(&mut self) -> Result<Document, String> {
        let Some(path) = self.file.path else { return Ok(self.document.clone()) };
        let now = DiskFiles.read(path).map_err(|error| error.to_string())?;
        if now != self.document.text().to_string() {
            let settings = Arc::clone(self.document.settings());
            self.document = Document::new(Text::new(&now), self.document.language(), settings);
        }
        Ok(self.document.clone())
    }

    async fn edit(&mut self, document: &Document, edits: Vec<DocumentEdit>) -> Result<(), EditError> {
        let after = document.edited(&edits);
        if let Some(path) = self.file.path {
            let before = document.text().to_string();
            let written = rewrite_file(self.file, path, &before, &after.text().to_string());
            written.map_err(|error| match DiskFiles.read(path) {
                Ok(now) if now != before => EditError::Changed,
                _ => EditError::Failed(error.to_string()),
            })?;
        }
        self.document = after;
        Ok(())
    }

    async fn may_send(&mut self, document: &Document, body: &str) -> Result<(), String> {
        let found = self.agreed.not_agreed_in(document, body);
        for FoundSecret { kind, line } in &found {
            print_warning(&match line {
                Some(line) => format!("line {}: this looks like {kind}", line + 1),
                None => format!("the conversation has what looks like {kind}, in escapes"),
            });
        }
        if !found.is_empty() && !self.sends_secrets {
            let refused = "it has secrets, and was not sent: redact them, or agree with --send-secrets";
            let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
            let agrees = || answer_to("Send them? [y/N] ").is_ok_and(|it| matches!(&*it, "y" | "yes"));
            if !(can_ask && agrees()) {
                return Err(refused.to_owned());
            }
        }
        self.agreed.agree(document, body);
        Ok(())
    }

    fn begin_call(&mut self, begun: BegunCall<'_>) -> Result<(), String> {
        let place = format!("{}:{}", self.file.display_name, begun.line + 1);
        show_call(begun.call, &place);
        self.call = Some(place);
        Ok(())
    }

    fn end_call(&mut self) {
        self.call = None;
    }

    fn on_event(&mut self, event: TurnEvent<'_>) {
        match event {
            TurnEvent::Warning(warning) => match &self.call {
                Some(place) => print_warning(&format!("{place}: {warning}")),
                None => print_warning(warning),
            },
            TurnEvent::Answering(text) => self.show(text),
            TurnEvent::Answered(answer) => {
                if let Err(error) = self.end_answer() {
                    print_error(&error.to_string());
                }
                self.warn_of_calls(answer);
            }
            TurnEvent::Progress(progress) => show_progress(progress),
            TurnEvent::Called(outcome) => print_to_stderr(&format!("  {}", in_one_line(outcome))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_an_answer_is_left_out() {
        for (shown, text, expected) in [
            ("", "\n**A:**\n\nI", "\n**A:**\n\nI"),
            ("\n**A:**\n\nI", "\n**A:**\n\nI lo", " lo"),
            ("\n**A:**\n\nI lo", "\n**A:**\n\nI lo", ""),
            ("\n**A:**\n\nI lo", "\n**B:**\n\nI look", "\n\n**B:**\n\nI look"),
            ("I look", "I lo", ""),
        ] {
            assert_eq!(more_of(shown, text), expected, "{shown:?}");
        }
    }
}
