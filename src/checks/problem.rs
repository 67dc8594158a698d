//! Problems: diagnostics with their causes, which fixes are made from.

use std::ops::Range;

use crate::call::CallFault;
use crate::checks::lost_parents::LostParent;
use crate::checks::suppression::UnusedSuppression;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::links::CrossBlockFact;
use crate::rules::requests::{RequestFact, RequestIssue};
use crate::segments::MessageArray;

/// A diagnostic and its cause.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// The cause.
    pub cause: Cause,
}

/// The cause of a problem.
#[derive(Clone, Debug)]
pub enum Cause {
    /// A block or text by itself. Its rule or dialect proposes the fixes, if there are any.
    Own,
    /// An issue between blocks.
    Link {
        /// Its kind.
        fact: CrossBlockFact,
        /// The index of the segment of the block at which it is reported. A tool fence without an
        /// id has no key.
        segment: usize,
        /// The index of that block in its segment.
        block: usize,
    },
    /// An issue of the messages of an array, or of the lines of a log; on the heap, because the
    /// other causes, of which a document may have very many, are smaller.
    Request(Option<MessageArray>, Box<RequestIssue>),
    /// A number that is no weight of a message of a training example.
    Weight(f64),
    /// An empty text of a record: the document range of its part, or of a content without parts.
    EmptyText(Range<usize>),
    /// A result that a compaction parted from its call: the document range of the result, and the
    /// offset of the record with the call.
    CompactedResult(Range<usize>, usize),
    /// A record whose parent is missing.
    LostParent(LostParent),
    /// A comment, or a part of one, that suppresses nothing.
    UnusedSuppression(UnusedSuppression),
}

impl Problem {
    /// A problem of a block or text by itself.
    pub(super) fn own(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, cause: Cause::Own }
    }

    /// True if a call or a result has no id, which a fix may give it.
    pub fn lacks_id(&self) -> bool {
        let Cause::Request(_, issue) = &self.cause else { return false };
        matches!(issue.fact, RequestFact::NoId | RequestFact::CallFault(CallFault::NoId))
    }

    /// True if the text may be intended as it is.
    pub fn may_be_meant(&self) -> bool {
        matches!(&self.cause, Cause::Request(_, issue) if issue.most_severe() == Severity::Hint)
    }

    /// The place of the problem, by which problems are sorted.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.diagnostic.range.start, self.diagnostic.range.end)
    }
}
