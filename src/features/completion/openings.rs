//! Completions that begin a block: the language of a fence, a marker, a tag.
//!
//! In prose nothing is offered, only after the opener of a block, and only if inserting it creates
//! a block, which is tested.

use std::ops::Range;

use super::values::{ValueLayout, object};
use super::{
    Completion, CompletionBase, CompletionKind as Kind, CompletionRequest, ReplacedText, Snippet, calls,
    display,
};
use crate::call::shape::swallowed_fence;
use crate::dialect::draft::{Display, OpenerBody, Start};
use crate::dialect::{DIALECTS, Dialect};
use crate::document::{Document, Language};
use crate::features::completion::nearby::NearbyBlocks;
use crate::never::OrNever;
use crate::syntax::SegmentKind as Segment;
use crate::text::Span;

/// Maximum number of bytes that are examined before the position.
const MOST_BEFORE: usize = 256;
/// Maximum number of bytes that are examined in the content of an unclosed fence.
const MOST_TAKEN_IN: usize = 64 << 10;

/// The openers that can be completed at the byte `at` of `document`.
pub(super) fn offer(document: &Document, at: usize, request: CompletionRequest) -> Vec<Completion> {
    if matches!(document.language(), Language::Log | Language::Org) {
        return Vec::new();
    }
    // Spans are document offsets here.
    let edit = |span: Span, text: String| (span.range(), document.with_prefixes(span.range().start, &text));
    let near = NearbyBlocks::new(document, at, &document.settings().registry);
    let offer =
        CompletionBase { document, nearby: &near, request, edit: &edit, written: &|_, text| text.to_owned() };
    if let Some(offered) = languages(&offer, at) {
        return offered;
    }
    let starts =
        DIALECTS.iter().flat_map(|dialect| dialect.starts.iter().map(move |start| (*dialect, start)));
    for (dialect, start) in starts {
        if let Some(begun) = partial_opener_at(document, at, start) {
            let mut offered = begin(&offer, start, begun);
            let holds = offered.first().is_some_and(|first| is_read(document, dialect, &first.edit));
            offered.retain(|_| holds);
            return offered;
        }
    }
    Vec::new()
}

/// The languages of tool fences, if the position is in an info string.
fn languages(offer: &CompletionBase<'_>, at: usize) -> Option<Vec<Completion>> {
    let document = offer.document;
    let here = document.tree().segment_at(at)?;
    let Segment::Fence(head) = &here.segment.kind else { return None };
    let fence = here.absolute(head.fence);
    let line = document.text().line_content(document.text().line_of_byte(fence.start));
    if at < fence.end || at > line.end || offer.request.trigger.is_some() {
        return (at >= fence.start && at <= line.end).then(Vec::new);
    }
    let info = document.text().slice(fence.end..line.end).into_owned();
    let rest = info.trim_start_matches([' ', '\t']);
    let word = rest.split([' ', '\t']).next().unwrap_or_default();
    let start = if word.is_empty() { at } else { fence.end + info.len() - rest.len() };
    let end = start + word.len();
    if at < start || end < at || !word.chars().all(is_word) {
        return Some(Vec::new());
    }
    let view = document.tree().fence_at(&here)?;
    let content =
        document.text().slice(view.content.start..view.content.end.min(view.content.start + MOST_TAKEN_IN));
    let is_blank = |text: &str| text.trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty();
    // A fence being typed contains the following text, up to the next fence's end if it has no end
    // of its own.
    let closes_itself = view.closed && swallowed_fence(&content).is_none();
    let begins_blank = is_blank(content.split(['\n', '\r']).next().unwrap_or_default());
    let is_all = is_blank(rest.get(word.len()..).or_never());
    let is_new = is_all && (is_blank(&content) || (begins_blank && !closes_itself));
    let closer = document.text().slice(fence.clone()).into_owned();
    // Text after the fence on its line would open it again, so typing goes on in the next line.
    let close = if closes_itself { String::new() } else { format!("\n{closer}\n") };
    let typed = word.get(..at.saturating_sub(start)).or_never();
    let written = ReplacedText { span: Span::new(start, end), typed };
    let edit = |span: Span, text: String| (span.range(), document.with_prefixes(fence.start, &text));
    let offer = CompletionBase { edit: &edit, ..*offer };
    let item = |language: &str, is_log: bool| {
        let snippet = Snippet::text(language);
        let snippet = match (is_new, is_log) {
            (true, false) => snippet.and("\n{").then(Snippet::stop("")).and("}"),
            (true, true) if !close.is_empty() => snippet.and("\n").then(Snippet::stop("")),
            _ => snippet,
        };
        let snippet = match snippet.has_stops() && !close.is_empty() {
            true => snippet.and(close.as_str()).end(),
            false => snippet,
        };
        let detail = if is_log { "a stream log" } else { "a tool call" };
        offer.item(written, Kind::Language, language, &snippet).detail(detail)
    };
    let languages = DIALECTS.iter().flat_map(|dialect| {
        let languages = (dialect.languages)(document.settings());
        languages.into_iter().map(|language| (language, dialect.lines))
    });
    Some(languages.map(|(language, is_log)| item(&language, is_log)).collect())
}

/// An opener before the position, or a sufficient prefix of an opener: the replaced span, and
/// whether the opener is complete.
struct PartialOpener {
    written: Range<usize>,
    typed: usize,
    is_whole: bool,
}

fn partial_opener_at(document: &Document, at: usize, start: &Start) -> Option<PartialOpener> {
    let text = document.text();
    let line = text.line_content(text.line_of_byte(at));
    let from = text.floor_boundary(line.start.max(at.saturating_sub(MOST_BEFORE)));
    let before = text.slice(from..at);
    let behind = text.slice(at..text.floor_boundary(text.len().min(at + MOST_BEFORE)));
    let more = behind.len() - behind.trim_start_matches(is_word).len();
    let word = before.len() - before.trim_end_matches(is_word).len();
    let head = before.get(..before.len() - word).never_none()?.trim_end_matches([' ', '\t']);
    if let Some(rest) = head.strip_suffix(start.opener) {
        // `####:` is not an opener.
        let repeats = start.opener.chars().next().is_some_and(|first| rest.ends_with(first));
        // The body of a tag may begin on the next line, in a quote.
        let behind = behind.get(more..).never_none()?;
        let body = behind.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
        let has_body = body.starts_with(['{', '[']);
        let begun = PartialOpener { written: at - word..at + more, typed: word, is_whole: true };
        return (!repeats && !has_body).then_some(begun);
    }
    let len = (start.least..start.opener.len())
        .rev()
        .find(|len| start.opener.get(..*len).is_some_and(|part| before.ends_with(part)))?;
    let rest = before.get(..before.len() - len).never_none()?;
    let begins_line = rest.trim_start_matches([' ', '\t', '>', '-', '*', '+']).is_empty();
    // `a <b`: a single character counts only at the start of a block.
    let is_meant = if len == 1 { begins_line } else { !rest.ends_with(is_word) };
    is_meant.then(|| PartialOpener { written: at - len..at + more, typed: len, is_whole: false })
}

/// The calls that begin with `start`.
fn begin(offer: &CompletionBase<'_>, start: &Start, begun: PartialOpener) -> Vec<Completion> {
    // `:` ends a marker's opener, `<` begins a tag.
    let last =
        if begun.is_whole { start.opener.get(start.opener.len() - 1..) } else { start.opener.get(..1) };
    if !offer.is_triggered_by(last.unwrap_or_default()) {
        return Vec::new();
    }
    let text = offer.document.text();
    let typed = text.slice(begun.written.start..begun.written.start + begun.typed);
    let written = ReplacedText { span: Span::new(begun.written.start, begun.written.end), typed: &typed };
    let opener = if begun.is_whole { "" } else { start.opener };
    let with_opener = |item: Completion| match opener {
        "" => item,
        _ => {
            let (range, text) = item.edit;
            let filter = format!("{opener}{}", item.filter);
            Completion { edit: (range, format!("{opener}{text}")), filter, ..item }
        }
    };
    match &start.body {
        OpenerBody::Display(display) => {
            let document = offer.document;
            let start = begun.written.start - if begun.is_whole { start.opener.len() } else { 0 };
            let line = text.line_content(text.line_of_byte(begun.written.end));
            let has_lines = display::is_first_on_line(document, start)
                && text.slice(begun.written.end..line.end).trim().is_empty();
            let display = if has_lines { *display } else { Display { before_result: "", ..*display } };
            display::names(offer, written, Some(&display), "").into_iter().map(with_opener).collect()
        }
        OpenerBody::Object { form, before, closer } => {
            let item = |call: calls::CompleteCall<'_>| {
                let object = object(call.members(ValueLayout::Line, 0), ValueLayout::Line, 0);
                let snippet = Snippet::text(*before).then(object).and(*closer).end();
                let item = offer.item(written, Kind::Call, &call.label, &snippet).detail(call.detail);
                with_opener(Completion { subject: call.subject, ..item })
            };
            calls::all(offer, &[*form]).into_iter().map(item).collect()
        }
    }
}

/// True if the text of `edit` becomes a block of `dialect`, which it does not in code and comments.
fn is_read(document: &Document, dialect: &Dialect, edit: &(Range<usize>, String)) -> bool {
    let after = document.edited(std::slice::from_ref(edit));
    after
        .call_position_at(edit.0.start + 1, |position| position.dialect.name == dialect.name)
        .unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
