//! Makes the inline rules of all rows, and converts the forms of a configuration to rows.

use super::row::{End, Piece, Place, Row, Strength};
use super::table::{EMPTY, LOOSE, ROWS};
use crate::call::CallPart;
use crate::config::Settings;
use crate::dialect::inline_of;
use crate::forms::{OwnText, TextPiece, TextValue};
use crate::syntax::{InlineRule, PartLabels, RegionEnd};

/// The rows of `texts`. Like the rules of a parse, they live as long as the program.
pub fn rows_of(texts: &[OwnText]) -> &'static [Row] {
    let openers = leaked_all(texts.iter().map(|text| leaked(text.opener())));
    leaked_all(texts.iter().map(|text| row_of(text, openers)))
}

/// The rules of all rows that stand in text: first the rules of the rows of `texts`, then the rules
/// of the table. Each has the index of its row, counted through the table and then through `own`.
pub fn rules_of(own: &'static [Row], texts: &[OwnText]) -> impl Iterator<Item = (usize, InlineRule)> {
    let in_text = own.iter().zip(texts).map(|(row, text)| text.languages.is_empty().then_some(row));
    let rows = ROWS.iter().map(Some).chain(in_text).enumerate();
    let rules = rows.filter_map(|(at, row)| Some((at, rule_of(row?))));
    let (known, own): (Vec<_>, Vec<_>) = rules.partition(|(at, _)| *at < ROWS.len());
    own.into_iter().chain(known)
}

/// The row of the configuration that describes the code block `text` of `language`.
pub fn row_of_fence(text: &str, language: &str, settings: &Settings) -> Option<&'static Row> {
    let is_meant = |form: &OwnText| form.languages.iter().any(|known| known == language);
    if !settings.texts.iter().any(is_meant) {
        return None;
    }
    let rows = inline_of(settings).own;
    let mut found = settings.texts.iter().zip(rows).filter(|(form, _)| is_meant(form)).map(|(_, row)| row);
    let fits = |row: &&Row| text.strip_prefix(row.opener()).is_some_and(|behind| row.accepts(behind));
    found.find(fits)
}

fn rule_of(row: &'static Row) -> InlineRule {
    let len: &'static _ = Box::leak(Box::new(move |rest: &str| Some(row.len_in(rest))));
    let openers = leaked_all(row.openers());
    InlineRule {
        openers,
        place: row.place,
        accept: Box::leak(Box::new(move |_: Option<char>, behind: &str| row.accepts(behind))),
        end: match &row.end {
            End::Line => RegionEnd::Line(len),
            End::Paragraph { .. } | End::Object(_) => RegionEnd::Paragraph(len),
            End::Parts(parts) => RegionEnd::Parts(parts),
            End::Closer { closer, before } => {
                RegionEnd::Closer { closer, before: *before, barred_by: openers }
            }
        },
    }
}

fn row_of(text: &OwnText, openers: &'static [&'static str]) -> Row {
    let label = |label: &Option<String>| label.as_deref().map(leaked);
    let (input, output, error) = (label(&text.input), label(&text.output), label(&text.error));
    let labels = leaked_all([input, output, error].into_iter().flatten());
    let is_fence = !text.languages.is_empty();
    let under = |label: &'static str| Place::Under(leaked_all([label]));
    let place = |value: TextValue, label: Option<&'static str>| match label {
        _ if text.has(value) => Place::Head,
        Some(label) => under(label),
        None => Place::None,
    };
    let has_result = text.has(TextValue::Output) || output.is_some();
    Row {
        head: leaked_all(text.first.iter().map(piece_of)),
        end: match labels {
            [] if text.has(TextValue::Output) => End::Paragraph { stops: openers, labels: &[] },
            [] if !is_fence => End::Line,
            labels => {
                End::Parts(PartLabels { labels, with_text: labels, with_both: &[], stops: openers, ..LOOSE })
            }
        },
        part: match text.part {
            CallPart::Call if has_result => CallPart::Both,
            part => part,
        },
        input: match place(TextValue::Input, input) {
            Place::None if is_fence => Place::Rest,
            place => place,
        },
        output: place(TextValue::Output, output),
        errors: leaked_all(error),
        failures: &[],
        evidence: Strength::Own,
        may_be_bare: true,
        ..EMPTY
    }
}

fn piece_of(piece: &TextPiece) -> Piece {
    match piece {
        TextPiece::Text(text) => Piece::Text(leaked(text)),
        TextPiece::Value(TextValue::Name) => Piece::Name,
        TextPiece::Value(TextValue::Id) => Piece::Id,
        TextPiece::Value(TextValue::Input) => Piece::Input,
        TextPiece::Value(TextValue::Output) => Piece::Output,
        TextPiece::Value(TextValue::Any) => Piece::Skip,
    }
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leaked_all<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(items.into_iter().collect())
}
