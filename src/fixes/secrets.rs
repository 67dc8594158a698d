//! Redactions: a credential is redacted wherever it occurs, also as a part of a longer word.

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::DocumentEdit;
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::Document;
use crate::never::OrNever;
use crate::rules::secrets::{REDACTED, Secret, secrets};
use crate::text::Unescaped;

impl Document {
    /// The fix that redacts every copy of the secret that `problem` reports.
    pub(super) fn redaction(&self, problem: &Diagnostic) -> Fix<Range<usize>> {
        let edits = self.redactions(Some(std::slice::from_ref(&problem.range)));
        let title = match edits.len() {
            0 | 1 => "Redact it".to_owned(),
            count => format!("Redact it in all {count} places"),
        };
        Fix::new(title, edits).preferred()
    }

    /// The edits that redact every copy of the secrets that are reported, in several rounds: only
    /// the first secrets of a segment are reported.
    pub(super) fn redactions_of_reported(&self) -> Vec<DocumentEdit> {
        let reported: Vec<_> = self.diagnostics().into_iter().filter(|it| it.code == Code::Secret).collect();
        if reported.is_empty() {
            return Vec::new();
        }
        let places: Vec<_> = reported.into_iter().map(|problem| problem.range).collect();
        // Without suppression comments, secrets beyond the limit are redacted, too.
        let has_comments = self.tree().summary().attachment.directives;
        self.redactions(has_comments.then_some(&places))
    }

    /// The edits that redact every copy of the secrets at `places`, or of all.
    fn redactions(&self, places: Option<&[Range<usize>]>) -> Vec<DocumentEdit> {
        let text = self.text().to_string();
        let own = secrets(&text);
        let starts: Option<BTreeSet<_>> =
            places.map(|places| places.iter().map(|place| place.start).collect());
        let is_wanted = |start: usize| starts.as_ref().is_none_or(|starts| starts.contains(&start));
        let delta_text = self.delta_text().map(|delta_text| delta_text.text().to_string());
        let joined = delta_text.as_deref().map(secrets).unwrap_or_default();
        let joined_starts = self.ranges_of_delta_text(joined.iter().map(|secret| secret.range.clone()));
        let in_joined = joined.iter().zip(&joined_starts).filter(|(_, place)| is_wanted(place.start));
        let tokens: BTreeSet<&str> = (own.iter().filter(|secret| is_wanted(secret.range.start)))
            .chain(in_joined.map(|(secret, _)| secret))
            .map(|secret| secret.token.as_str())
            .collect();
        let is_meant = |secret: &&Secret| tokens.contains(secret.token.as_str());
        let wholes = own.iter().filter(is_meant).map(|secret| secret.whole.clone());
        let found = merged(wholes.chain(copies(&text, &tokens)).collect());
        let mut edits: Vec<DocumentEdit> =
            found.into_iter().map(|range| (range, REDACTED.to_owned())).collect();
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
}

/// The ranges of `tokens` in `text`, also inside of longer words.
fn copies(text: &str, tokens: &BTreeSet<&str>) -> Vec<Range<usize>> {
    let builder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(tokens);
    let Some(search) = builder.never_none().filter(|_| !tokens.is_empty()) else { return Vec::new() };
    let unescaped = Unescaped::new(text);
    let found = search.find_iter(unescaped.text()).filter(|found| !unescaped.begins_in_escape(found.start()));
    found.map(|found| unescaped.source_range(&found.range())).collect()
}

/// `ranges` in order, with overlapping ones joined.
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
