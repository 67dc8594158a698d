//! Why a document is not rewritten: which call, and what would be lost or broken.

use std::fmt;

use super::new_errors;
use crate::call::{ToolUse, cut};
use crate::convert::{ConversionLoss, losses, words};
use crate::document::Document;
use crate::rules::Code;

/// Why a refactoring leaves a document as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionError {
    /// There is nothing that it could change.
    NothingToDo,
    /// No call can be written in the dialect; the first of them.
    Unwritable {
        /// The call.
        call: CallName,
        /// The dialect, for people.
        dialect: &'static str,
        /// What keeps it from being written.
        obstacle: ConversionObstacle,
    },
    /// A call would not say what it says.
    Loses {
        /// The call.
        call: CallName,
        /// What it would not say any more.
        losses: Vec<ConversionLoss>,
    },
    /// A call would be read as another one, or as none.
    Misread {
        /// The first such call.
        call: CallName,
        /// How many calls there are, and would be.
        count: (usize, usize),
    },
    /// There would be errors that are not there now.
    Errors(Vec<Code>),
}

/// What keeps a call from being written in another dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionObstacle {
    /// It has faults, or is a result without a call.
    HasErrors,
    /// Other lines of its fenced log cannot be converted with it.
    Log,
    /// The dialect has no form for it.
    Form,
}

/// A tool use, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallName {
    name: String,
    line: usize,
}

impl CallName {
    /// The name of `tool_use` of `document`.
    pub fn new(document: &Document, tool_use: &ToolUse) -> Self {
        let line = document.text().line_of_byte(tool_use.range.start) + 1;
        Self { name: cut(tool_use.name.as_deref().unwrap_or("tool"), 60), line }
    }
}

impl fmt::Display for CallName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the call of `{}` on line {}", self.name, self.line)
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToDo => write!(f, "there is nothing here to change"),
            Self::Unwritable { call, obstacle: ConversionObstacle::HasErrors, .. } => {
                write!(f, "{call} is incomplete or has faults: mend it first")
            }
            Self::Unwritable { call, obstacle: ConversionObstacle::Log, .. } => {
                write!(
                    f,
                    "{call} is part of a fenced log with other lines, which would be lost: convert all of the log"
                )
            }
            Self::Unwritable { call, dialect, obstacle: ConversionObstacle::Form } => {
                write!(f, "{call} cannot be written as {dialect}")
            }
            Self::Loses { call, losses } => {
                write!(f, "{call} would read differently: this {}", words::of_one(losses))
            }
            Self::Misread { call, count: (before, after) } if before == after => {
                write!(f, "{call} would be read as another call")
            }
            Self::Misread { call, count: (before, after) } => write!(
                f,
                "the document would have {after} tool calls instead of {before}: {call} is the first that would be \
                 read differently"
            ),
            Self::Errors(codes) => {
                let names: Vec<_> = codes.iter().map(|code| code.name()).collect();
                write!(f, "the document would have new errors: {}", names.join(", "))
            }
        }
    }
}

/// Whether `after` says of every tool use what `before` says, but for what `may_lose` says of its number, and has no error that
/// `before` has not.
///
/// # Errors
///
/// The first reason against it.
pub fn check_preserved(
    before: &Document,
    after: &Document,
    may_lose: &dyn Fn(usize, &ConversionLoss) -> bool,
) -> Result<(), ConversionError> {
    let all = |document: &Document| {
        let uses = document.paired_uses();
        document.tool_uses_of(&uses, &(0..uses.uses.len()).collect::<Vec<_>>())
    };
    let (uses, now) = (all(before), all(after));
    let count = (uses.len(), now.len());
    if count.0 != count.1 {
        let is_other =
            |(one, other): &(&ToolUse, &ToolUse)| one.name != other.name || one.has_call != other.has_call;
        let same = uses.iter().zip(&now).position(|pair| is_other(&pair)).unwrap_or(count.0.min(count.1));
        let first = uses.get(same).or(uses.last());
        return Err(first.map_or(ConversionError::NothingToDo, |first| ConversionError::Misread {
            call: CallName::new(before, first),
            count,
        }));
    }
    for (index, (old, new)) in uses.iter().zip(&now).enumerate() {
        let call = || CallName::new(before, old);
        let losses: Vec<ConversionLoss> =
            losses(old, new).into_iter().filter(|loss| !may_lose(index, loss)).collect();
        if !losses.is_empty() {
            return Err(ConversionError::Loses { call: call(), losses });
        }
    }
    match new_errors(before, after) {
        errors if errors.is_empty() => Ok(()),
        errors => Err(ConversionError::Errors(errors)),
    }
}
