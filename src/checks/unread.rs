//! Transcripts of programs whose tool calls are not read: an empty report would look like a
//! successful check.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic};
use crate::document::Document;

impl Document {
    /// The program that wrote this transcript in a form whose tool calls are not read, if its
    /// settings do not exclude it.
    pub fn unread_program(&self) -> Option<&'static str> {
        self.tree().summary().attachment.program_lines.unread_program().filter(|_| self.settings().enabled)
    }

    /// The diagnostic at the first call that is not read.
    pub(super) fn unread_diagnostic(&self) -> Option<Diagnostic> {
        let program = self.unread_program()?;
        let severity = self.settings().severity(Code::NotChecked)?;
        let message = format!("this is a transcript of {program}, whose tool calls are not read");
        Some(Diagnostic::new(Code::NotChecked, severity, self.first_unread_call()?, message))
    }

    /// The line of the first call that is not read.
    fn first_unread_call(&self) -> Option<Range<usize>> {
        let calls = self.tree().summary().attachment.program_lines.unread_calls();
        let segment = self.tree().next_attached(0, |summary| summary.program_lines.shares(calls))?;
        let located = self.tree().locate(segment)?;
        Some(located.absolute(calls.first_in(&self.text().slice(located.content()))?))
    }
}
