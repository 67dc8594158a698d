//! The secrets in all text of a document: prose, code, messages, results and their copies.
//!
//! Each segment is searched by itself when it is read, so an edit costs what its segment costs. No
//! credential but a private key has line ends, at which segments are cut, so none is missed. In a
//! log of streamed text, the delta text is searched, too: a credential may be parted by records.
//!
//! A credential is redacted in all places that have it, also where it is part of a longer word.

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::Document;
use super::block_unit::ReadContext;
use super::segment_data::{RareSegmentData, SegmentAttachment, SegmentData};
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::json::MAX_FAULTS;
use crate::never::OrNever;
use crate::rules::secrets::{REDACTED, first_secrets, message, secrets};
use crate::syntax::{LocatedSegment, SegmentKind};
use crate::text::{Span, Unescaped};

/// A secret in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretSpan {
    /// Its span in the segment; of a private key, that of the header.
    pub span: Span,
    /// The kind of credential that it looks like.
    pub description: &'static str,
}

/// The secrets in the text of a segment.
pub(super) fn secrets_of(
    context: ReadContext<'_>,
    located: &LocatedSegment<'_, SegmentAttachment>,
) -> Box<[SecretSpan]> {
    if matches!(located.segment.kind, SegmentKind::Blank | SegmentKind::Condensed) {
        return Box::default();
    }
    secrets_in_range(context, located.offset, 0..located.segment.len as usize).into()
}

/// The secrets in `range` of the segment that begins at `offset`.
pub(super) fn secrets_in_range(
    context: ReadContext<'_>,
    offset: usize,
    range: Range<usize>,
) -> Vec<SecretSpan> {
    let text = context.text.slice(offset + range.start..offset + range.end);
    let place = |found: Range<usize>| Span::new(range.start + found.start, range.start + found.end);
    let found = first_secrets(&text, MAX_FAULTS).into_iter();
    found.map(|(description, found)| SecretSpan { span: place(found), description }).collect()
}

/// `attachment` with the secrets of its segment.
pub(super) fn with_secrets(attachment: SegmentAttachment, secrets: Box<[SecretSpan]>) -> SegmentAttachment {
    if secrets.is_empty() {
        return attachment;
    }
    let plain = || SegmentData { ends_in_text: true, has_text: true, ..SegmentData::default() };
    let data = attachment.data.as_deref().cloned().unwrap_or_else(plain);
    let rare = data.rare.as_deref().cloned().unwrap_or_default();
    let rare = RareSegmentData { secrets, ..rare }.shared();
    SegmentAttachment { data: Some(SegmentData { rare, ..data }.into()), ..attachment }
}

/// The diagnostics of the secrets in a segment.
pub(super) fn diagnostics(
    located: &LocatedSegment<'_, SegmentAttachment>,
    severity: Severity,
) -> impl Iterator<Item = Diagnostic> {
    let secrets = located.segment.attachment.data.as_deref().map_or(&[][..], SegmentData::secrets);
    secrets.iter().map(move |secret| {
        let range = located.absolute(secret.span);
        Diagnostic::new(Code::Secret, severity, range, message(secret.description))
    })
}

/// Edits in document offsets.
type Edits = Vec<(Range<usize>, String)>;

impl Document {
    /// The fix that redacts every copy of the secret that `problem` reports.
    pub(super) fn redaction(&self, problem: &Diagnostic) -> Fix<Range<usize>> {
        let edits = self.redactions(Some(std::slice::from_ref(&problem.range)));
        let title = match edits.len() {
            0 | 1 => "Redact it".to_owned(),
            count => format!("Redact it in all {count} places"),
        };
        Fix { title, edits, is_preferred: true, is_safe: false }
    }

    /// True if there is text that looks like a secret, reported or not.
    pub fn has_secrets(&self) -> bool {
        self.tree.summary().attachment.secrets || self.delta_text().is_some_and(Self::has_secrets)
    }

    /// The edits that redact every copy of the secrets that are reported, in several rounds: of a
    /// segment, only the first ones are reported.
    pub(super) fn redactions_of_reported(&self) -> Edits {
        let reported: Vec<_> = self.diagnostics().into_iter().filter(|it| it.code == Code::Secret).collect();
        if reported.is_empty() {
            return Vec::new();
        }
        let places: Vec<_> = reported.into_iter().map(|problem| problem.range).collect();
        // Without suppression comments, those beyond the limit are meant, too.
        let has_comments = self.tree.summary().attachment.directives;
        self.redactions(has_comments.then_some(&places))
    }

    /// The edits that redact every copy of the secrets at `places`, or of all.
    fn redactions(&self, places: Option<&[Range<usize>]>) -> Edits {
        let text = self.text.to_string();
        let own = secrets(&text);
        let starts: Option<BTreeSet<_>> =
            places.map(|places| places.iter().map(|place| place.start).collect());
        let is_wanted = |start: usize| starts.as_ref().is_none_or(|starts| starts.contains(&start));
        let delta_text = self.delta_text.as_deref().map(|delta_text| delta_text.text.to_string());
        let joined = delta_text.as_deref().map(secrets).unwrap_or_default();
        let joined_starts = self.ranges_of_delta_text(joined.iter().map(|secret| secret.range.clone()));
        let in_joined = joined.iter().zip(&joined_starts).filter(|(_, place)| is_wanted(place.start));
        let tokens: BTreeSet<&str> = (own.iter().filter(|secret| is_wanted(secret.range.start)))
            .chain(in_joined.map(|(secret, _)| secret))
            .map(|secret| secret.token.as_str())
            .collect();
        let is_meant = |secret: &&_| tokens.contains(token_of(secret));
        let wholes = own.iter().filter(is_meant).map(|secret| secret.whole.clone());
        let found = merged(wholes.chain(copies(&text, &tokens)).collect());
        let mut edits: Edits = found.into_iter().map(|range| (range, REDACTED.to_owned())).collect();
        if let Some(delta_text) = &delta_text {
            let wholes = joined.iter().filter(is_meant).map(|secret| secret.whole.clone());
            let parted = merged(wholes.chain(copies(delta_text, &tokens)).collect());
            // A copy in one record is found in its text.
            let locations = self.delta_text_locations();
            let parted = parted.iter().filter(|range| !locations.is_in_one_record(range));
            edits.extend(parted.flat_map(|range| self.edits_in_delta_text(range, REDACTED)));
            edits.sort_by_key(|(range, _)| (range.start, range.end));
        }
        edits
    }

    /// The edits that replace `range` of the delta text by `new`: the part in the first record, and
    /// nothing remains of it in the others.
    pub fn edits_in_delta_text(&self, range: &Range<usize>, new: &str) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        let mut at = range.start;
        while at < range.end
            && let Some((record, offset, literal)) = self.record_of_delta_text(at)
            && at < record.end
        {
            let end = range.end.min(record.end);
            let span = literal.span_of(at - record.start..end - record.start);
            let text = if edits.is_empty() { new } else { "" };
            edits.push((offset + span.start as usize..offset + span.end as usize, text.to_owned()));
            at = end;
        }
        edits
    }
}

fn token_of(secret: &crate::rules::secrets::Secret) -> &str {
    &secret.token
}

/// The ranges of `tokens` in `text`, also inside of longer words.
fn copies(text: &str, tokens: &BTreeSet<&str>) -> Vec<Range<usize>> {
    let builder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(tokens);
    let Some(search) = builder.never_none().filter(|_| !tokens.is_empty()) else { return Vec::new() };
    let unescaped = Unescaped::new(text);
    let found = search.find_iter(unescaped.text()).filter(|found| !unescaped.begins_in_escape(found.start()));
    found.map(|found| unescaped.source_range(&found.range())).collect()
}

/// `ranges` in order, with those that overlap as one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
