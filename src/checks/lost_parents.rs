//! Records of Claude Code's sessions whose parents are missing.
//!
//! The `parentUuid` of a record is the `uuid` of its parent. Claude Code resumes a session from its
//! last record along this chain, so a missing parent loses everything before it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::call::Thread;
use crate::checks::problem::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Document;
use crate::document::links::{group_of_record, locate_key};
use crate::json::Value;
use crate::rules::links::CrossBlockFact;

/// A record whose parent is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostParent {
    /// The document range of the id of its parent.
    pub place: Range<usize>,
    /// The index of the segment with the record before it in its thread.
    pub before: Option<usize>,
}

/// The last record of a thread: the hash of its id, its segment, and the segment with the record
/// before it.
struct LastRecord {
    own: u32,
    index: usize,
    before: Option<usize>,
}

impl Document {
    /// The records of a session whose parents are missing.
    ///
    /// The first record of a thread may continue another file, and so may other records with the
    /// same parent. Nothing is reported of an excerpt, in which most parents are missing.
    pub fn lost_parents(&self) -> Vec<LostParent> {
        let issues = self.links().group_issues().filter(|issue| issue.fact == CrossBlockFact::LostParent);
        let keys = issues.map(|issue| issue.block.segment);
        let mut lost: Vec<usize> =
            keys.filter_map(|key| locate_key(self.tree(), key)).map(|located| located.index).collect();
        if lost.is_empty() || !self.is_message_log() || self.is_training_set() {
            return Vec::new();
        }
        let records = self.tree().summary().attachment.records as usize;
        let is_excerpt = |lost: usize| lost * 2 > records;
        lost.sort_unstable();
        if self.is_summarized() {
            // Records that may continue another file are not in `lost`.
            lost.truncate(if is_excerpt(lost.len()) { 0 } else { lost.len() });
            return lost.into_iter().filter_map(|index| self.lost_parent(index, None)).collect();
        }
        let (mut last, mut elsewhere) = (HashMap::<Option<Thread>, LastRecord>::new(), HashSet::new());
        let mut found = Vec::new();
        let mut left = lost.into_iter().peekable();
        for located in self.tree().attached(|sum| sum.records > 0) {
            if left.peek().is_none() {
                break;
            }
            let index = located.index;
            let Some(link) = located.data().log().record_link else { continue };
            // A record that is written twice does not follow itself.
            let before = match last.get(&link.thread) {
                Some(last) if last.own == link.own => last.before,
                other => other.map(|last| last.index),
            };
            last.insert(link.thread, LastRecord { own: link.own, index, before });
            let is_lost = left.next_if_eq(&index).is_some();
            let parent = link.before.map(group_of_record);
            if before.is_none() {
                elsewhere.extend(parent);
            } else if is_lost {
                found.push((parent, index, before));
            }
        }
        found.retain(|(parent, ..)| parent.is_none_or(|parent| !elsewhere.contains(&parent)));
        found.truncate(if is_excerpt(found.len()) { 0 } else { found.len() });
        found.into_iter().filter_map(|(_, index, before)| self.lost_parent(index, before)).collect()
    }

    fn lost_parent(&self, index: usize, before: Option<usize>) -> Option<LostParent> {
        let offset = self.tree().offset_of(index);
        let place = self.with_record(index, |root| {
            let span = root.get("parentUuid")?.span();
            Some(span.range_at(offset))
        });
        Some(LostParent { place: place?, before })
    }

    /// Passes the record in the line at `index` to `read`.
    pub(crate) fn with_record<T>(
        &self,
        index: usize,
        read: impl FnOnce(Value<'_>) -> Option<T>,
    ) -> Option<T> {
        self.with_json(self.tree().locate(index)?.content(), read)
    }

    /// The problems of records whose parents are missing.
    pub(super) fn lost_parent_problems(&self) -> Vec<Problem> {
        let Some(severity) = self.settings().severity(Code::LostParent) else { return Vec::new() };
        let problem = |lost: LostParent| {
            let message = "no line has this id: a session that is resumed loses everything before this line; \
                           link it to the line before it, as `chatls repair` does";
            let diagnostic = Diagnostic::new(Code::LostParent, severity, lost.place.clone(), message);
            Problem { diagnostic, cause: Cause::LostParent(lost) }
        };
        self.lost_parents().into_iter().map(problem).collect()
    }
}
