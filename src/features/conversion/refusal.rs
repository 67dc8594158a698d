//! Reasons for not rewriting a document: the affected call, and the loss or error.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;

use super::{MESSAGES, errors_of, more_frequent, words_of};
use crate::call::{ToolUse, UseStatus};
use crate::convert::{ConversionLoss, loss_text, losses};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::document::{Document, LocatedBlock, PairedUses};
use crate::text::cut;

/// The reason for not applying a refactoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// There is nothing to change.
    NothingToDo,
    /// The dialect can express no call; the first of them.
    Unwritable {
        /// The call, by its name in messages.
        call: String,
        /// The display name of the dialect.
        dialect: &'static str,
        /// The reason.
        obstacle: ConversionObstacle,
    },
    /// A call would lose data.
    Loses {
        /// The call, by its name in messages.
        call: String,
        /// The losses.
        losses: Vec<ConversionLoss>,
    },
    /// A call would be parsed as a different call, or not at all.
    Misread {
        /// The first such call.
        call: String,
        /// Number of calls before and after.
        count: (usize, usize),
    },
    /// The call is in a list, and its batch can be converted only as a whole.
    OfList,
    /// A call without a result would get one.
    Completes(String),
    /// Results cannot be written in the form of the call.
    NoForm,
    /// There is no known place for the result of the call.
    NoPlace,
    /// The result would belong to an earlier call without one.
    EarlierPending,
    /// New errors would appear.
    Errors(Vec<Code>),
    /// The document would be no transcript any more, so that nothing in it would be read.
    NoTranscript,
    /// Its calls are not converted one by one, because it is no Markdown.
    NoMarkdown,
}

/// The reason why a call cannot be written in another dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionObstacle {
    /// It has errors, or is a result without a call.
    HasErrors,
    /// Other lines of its fenced log cannot be converted with it.
    Log,
    /// It is part of messages in a fence.
    Message,
    /// The dialect has no form for it.
    Form,
}

impl ConversionObstacle {
    /// The obstacle that `tool_use` itself shows.
    pub(super) fn of(tool_use: &ToolUse) -> Self {
        match () {
            () if tool_use.dialect == MESSAGES.name => Self::Message,
            () if tool_use.has_errors || !tool_use.has_call => Self::HasErrors,
            () => Self::Form,
        }
    }
}

impl ConversionError {
    /// `tool_use` of `document` cannot be written in the dialect `to`.
    pub(super) fn unwritable(
        document: &Document,
        tool_use: &ToolUse,
        to: &Dialect,
        obstacle: ConversionObstacle,
    ) -> Self {
        Self::Unwritable { call: named(document, tool_use), dialect: words_of(to), obstacle }
    }
}

/// The name of `tool_use` of `document` in messages.
pub fn named(document: &Document, tool_use: &ToolUse) -> String {
    let line = document.text().line_of_byte(tool_use.range.start) + 1;
    format!("the call of `{}` on line {line}", cut(tool_use.shown_name(), 60))
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToDo => write!(f, "there is nothing to change here"),
            Self::Unwritable { call, obstacle: ConversionObstacle::HasErrors, .. } => {
                write!(f, "{call} is incomplete or has errors: fix it first")
            }
            Self::Unwritable { call, obstacle: ConversionObstacle::Log, .. } => {
                write!(
                    f,
                    "{call} is part of a fenced log with other lines, which would be lost: convert the whole log"
                )
            }
            Self::Unwritable { call, obstacle: ConversionObstacle::Message, .. } => {
                write!(f, "{call} is part of messages in JSON: convert them in a file of their own")
            }
            Self::Unwritable { call, dialect, obstacle: ConversionObstacle::Form } => {
                write!(f, "{call} cannot be written as {dialect}, which has no form for its name or input")
            }
            Self::Loses { call, losses } => {
                write!(f, "{call} would be parsed differently: this {}", loss_text::of_one(losses))
            }
            Self::OfList => write!(f, "this call is in a list with others: convert the whole batch"),
            Self::Completes(call) => write!(f, "{call} would get a result"),
            Self::NoForm => write!(f, "results cannot be written in the form of this call"),
            Self::NoPlace => write!(f, "there is no known place for the result of this call"),
            Self::EarlierPending => write!(f, "an earlier call without a result comes first"),
            Self::Misread { call, count: (before, after) } if before == after => {
                write!(f, "{call} would be parsed as another call")
            }
            Self::Misread { call, count: (before, after) } => write!(
                f,
                "the document would have {after} tool call{} instead of {before}: {call} is the first that would \
                 be read differently",
                if *after == 1 { "" } else { "s" }
            ),
            Self::NoTranscript => write!(
                f,
                "the document would no longer be read as a transcript: name it `*.chat.md`, or add it to `include`"
            ),
            Self::NoMarkdown => {
                write!(
                    f,
                    "single calls are converted in Markdown only: convert the whole conversation instead"
                )
            }
            Self::Errors(codes) => {
                let names: Vec<_> = codes.iter().map(|code| code.name()).collect();
                write!(f, "the document would have new errors: {}", names.join(", "))
            }
        }
    }
}

/// The tool uses and errors of a document, which edits of it must keep. For several edits they are
/// found once.
pub struct Unedited<'d> {
    document: &'d Document,
    uses: OnceCell<PairedUses<'d>>,
    errors: OnceCell<BTreeMap<Code, usize>>,
}

impl<'d> Unedited<'d> {
    /// The tool uses and errors of `document`, computed on first use.
    pub fn of(document: &'d Document) -> Self {
        Self { document, uses: OnceCell::new(), errors: OnceCell::new() }
    }

    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// Checks that every tool use is the same in `after`, except for the losses that `may_lose`
    /// returns for its index, and that `after` has no new error. A call that may lose its state may
    /// get a result.
    ///
    /// # Errors
    ///
    /// The first violation.
    pub fn check_preserved(
        &self,
        after: &Document,
        may_lose: &dyn Fn(usize, &ConversionLoss) -> bool,
    ) -> Result<(), ConversionError> {
        let before = self.document;
        if before.has_evidence() && !after.has_evidence() {
            return Err(ConversionError::NoTranscript);
        }
        let (uses, uses_after) = (self.uses.get_or_init(|| before.paired_uses()), after.paired_uses());
        let count = (uses.uses.len(), uses_after.uses.len());
        if count.0 != count.1 {
            let (uses, now) = (before.all_tool_uses_of(uses), after.all_tool_uses_of(&uses_after));
            let is_other = |(one, other): &(&ToolUse, &ToolUse)| {
                one.name != other.name || one.has_call != other.has_call
            };
            let same = uses.iter().zip(&now).position(|pair| is_other(&pair)).unwrap_or(count.0.min(count.1));
            let first = uses.get(same).or(uses.last());
            return Err(first.map_or(ConversionError::NothingToDo, |first| ConversionError::Misread {
                call: named(before, first),
                count,
            }));
        }
        let is_new = |index: &usize| !is_same((before, uses), (after, &uses_after), *index);
        let changed: Vec<usize> = (0..count.0).filter(is_new).collect();
        let (old, new) = (before.tool_uses_of(uses, &changed), after.tool_uses_of(&uses_after, &changed));
        for ((old, new), index) in old.iter().zip(&new).zip(changed) {
            let call = || named(before, old);
            let losses: Vec<ConversionLoss> =
                losses(old, new).into_iter().filter(|loss| !may_lose(index, loss)).collect();
            if !losses.is_empty() {
                return Err(ConversionError::Loses { call: call(), losses });
            }
            let is_completed = old.status == UseStatus::Pending && new.status != UseStatus::Pending;
            if is_completed && !may_lose(index, &ConversionLoss::State(String::new())) {
                return Err(ConversionError::Completes(call()));
            }
        }
        let known = self.errors.get_or_init(|| errors_of(before));
        match more_frequent(known, errors_of(after)) {
            errors if errors.is_empty() => Ok(()),
            errors => Err(ConversionError::Errors(errors)),
        }
    }
}

/// True if the tool use at `index` was not read anew: both documents store the same blocks of it,
/// with the same text.
fn is_same(before: (&Document, &PairedUses<'_>), after: (&Document, &PairedUses<'_>), index: usize) -> bool {
    let (Some(old), Some(new)) = (before.1.uses.get(index), after.1.uses.get(index)) else { return false };
    let is_kept = |(old, new): (LocatedBlock<'_>, LocatedBlock<'_>)| {
        let (place, new_place) = (before.0.range_of(&old), after.0.range_of(&new));
        std::ptr::eq(old.block, new.block) && before.0.text().slice(place) == after.0.text().slice(new_place)
    };
    let pairs = before.1.parts(old).zip(after.1.parts(new));
    old.status == new.status && old.parts.len() == new.parts.len() && { pairs }.all(is_kept)
}
