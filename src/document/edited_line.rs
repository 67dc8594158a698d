//! Reads of a long line of a log what an edit inside of one message changes.

use std::sync::Arc;

use crate::call::Block;
use crate::diagnostic::SegmentDiagnostic;
use crate::document::block_unit::{BlockUnit, ReadContext};
use crate::document::json_objects::{EditedUse, InnerEdit, LONG_LINE};
use crate::document::segment_data::{BlankText, LogMessage, RareSegmentData, SegmentAttachment, SegmentData};
use crate::document::segment_reader::SegmentReader;
use crate::syntax::{Damage, LocatedSegment, SegmentKind, Tree};
use crate::text::{Span, Splice};

/// True if edits in `line` need not read all of it.
pub(super) fn is_long_line(line: &LocatedSegment<'_, SegmentAttachment>) -> bool {
    line.segment.kind == SegmentKind::Line && line.segment.len as usize >= LONG_LINE
}

/// `damage` of a log without the line before the edit, which was only scanned again because its end
/// might have changed.
pub(super) fn without_line_before(
    old: &Tree<SegmentAttachment>,
    new: &mut Tree<SegmentAttachment>,
    mut damage: Damage,
    splice: Splice,
) -> Damage {
    let (start, new_start) = (damage.old.start, damage.new.start);
    let line_lens = |tree: &Tree<SegmentAttachment>, index: usize| {
        let segment = tree.get(index).filter(|segment| segment.kind == SegmentKind::Line);
        segment.map(|segment| (segment.len, segment.content_len))
    };
    let is_same = line_lens(old, start).is_some_and(|lens| line_lens(new, new_start) == Some(lens));
    if is_same && damage.old.len() > 1 && old.offset_of(start + 1) <= splice.start {
        let attachment = old.get(start).map(|line| line.attachment.clone());
        new.attach(new_start, attachment.into_iter().collect());
        damage.old.start += 1;
        damage.new.start += 1;
    }
    damage
}

/// The data of the line `line` of `old` after `splice`, an edit in it; `None` if all of the line
/// must be read.
pub(super) fn edited_line(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    line: &LocatedSegment<'_, SegmentAttachment>,
    splice: Splice,
) -> Option<SegmentAttachment> {
    let data = line.segment.attachment.data.as_deref()?;
    let rare = data.rare.as_deref().filter(|rare| rare.containers.is_empty())?;
    // Blocks without spans are records of streams.
    if data.protocol.is_some() || data.blocks.is_empty() || data.blocks.iter().any(|it| it.span.is_none()) {
        return None;
    }
    let edit = InnerEdit::find(old, new, line, splice)?;
    let mut blocks = data.blocks.clone();
    let mut diagnostics = rare.diagnostics.to_vec();
    let reread = match &edit.tool_use {
        Some(_) if rare.has_lists => return None,
        Some(tool_use) => Some(reread(old, new, data, tool_use)?),
        None => None,
    };
    let is_outside = |span: Span| !edit.tool_use.as_ref().is_some_and(|tool_use| tool_use.contains(span));
    let at = blocks.iter().position(|block| !block.span.is_none_or(is_outside)).unwrap_or(0);
    blocks.retain(|block| block.span.is_none_or(is_outside));
    for block in &mut blocks {
        *block = block.placed(|span| edit.placed(span));
        block.conversation = edit.conversation(block.conversation);
    }
    diagnostics.retain(|diagnostic| is_outside(diagnostic.span));
    diagnostics.iter_mut().for_each(|it| *it = it.moved(|span| edit.placed(span)));
    if let Some((new_blocks, new_diagnostics)) = reread {
        blocks.insert_many(at, new_blocks);
        diagnostics.extend(new_diagnostics);
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    }
    let message = |old: &LogMessage| LogMessage {
        start: edit.moved(old.start),
        conversation: edit.conversation(old.conversation),
        ..*old
    };
    let blank = |old: &BlankText| BlankText {
        start: edit.moved(old.start),
        conversation: edit.conversation(old.conversation),
    };
    let rare = RareSegmentData {
        diagnostics: diagnostics.into(),
        messages: rare.messages.iter().map(message).collect(),
        blank_texts: rare.blank_texts.iter().map(blank).collect(),
        ..rare.clone()
    };
    let data = SegmentData { blocks, rare: rare.shared(), ..data.clone() };
    Some(SegmentAttachment { data: Some(Arc::new(data)), delta_text_len: 0, key: 0 })
}

/// The blocks and diagnostics of a tool use after an edit in it; `None` if the edit changes what
/// rules on the messages around it read.
fn reread(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    data: &SegmentData,
    tool_use: &EditedUse,
) -> Option<(Vec<Block>, Vec<SegmentDiagnostic>)> {
    let is_inside = |block: &&Block| block.span.is_some_and(|span| tool_use.contains(span));
    let known = data.diagnostics().iter().filter(|diagnostic| tool_use.contains(diagnostic.span));
    let first = data.blocks.iter().find(is_inside)?;
    let read = |context: ReadContext<'_>, text: &str| {
        let mut reader = SegmentReader::default();
        let visit = &mut |unit: &BlockUnit<'_>| reader.read(context, unit);
        tool_use.visit(context, text, first.conversation, visit);
        reader.finish(false).data
    };
    let (before, after) = (read(old, &tool_use.old)?, read(new, &tool_use.new)?);
    let is_same = before.ends_in_text == after.ends_in_text
        && before.blocks.len() == data.blocks.iter().filter(is_inside).count()
        && before.diagnostics().iter().eq(known)
        && before.blocks.len() == after.blocks.len()
        && before.blocks.iter().zip(&after.blocks).all(|(one, other)| is_same_part(one, other));
    if !is_same {
        return None;
    }
    let mut blocks = after.blocks.to_vec();
    if let Some(block) = blocks.first_mut() {
        block.after_text = first.after_text;
    }
    Some((blocks, after.diagnostics().to_vec()))
}

/// True if both are the same part of a request.
fn is_same_part(one: &Block, other: &Block) -> bool {
    let names = |block: &Block| [block.id(), block.name()].map(|name| name.map(|name| name.text.to_owned()));
    let marks = |block: &Block| (block.part, block.api, block.after_text);
    marks(one) == marks(other) && names(one) == names(other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::Settings;
    use crate::document::{Document, Language};
    use crate::text::Text;

    const MESSAGES: [&str; 9] = [
        r#"{"role":"user","content":"What does it do?"}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"a","name":"read","input":{"path":"src/part.rs","lines":[1,{"to":2}]}}]}"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"fn \"main\"() {}"}]}"#,
        r#"{"role":"assistant","content":"","tool_calls":[{"id":"b","type":"function","function":{"name":"x","arguments":"{\"q\": [1,]}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"b","content":"ok"}"#,
        r#"{"type":"function_call","call_id":"c","name":"y","arguments":"{}"}"#,
        r#"{"type":"assistant","isSidechain":true,"agentId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"d","name":"z.z","input":1}]}}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":""}],"weight":1}"#,
        r#"{"type":"progress","toolUseID":"a","data":{"type":"tool_use","id":"e","name":"n","input":{}}}"#,
    ];

    fn document(text: &str) -> Document {
        Document::new(Text::new(text), Language::Stream, Arc::new(Settings::default()))
    }

    /// A log whose second line is a conversation of `messages`.
    fn log(messages: &[usize], is_member: bool) -> String {
        let all: Vec<_> = messages.iter().map(|at| MESSAGES[at % MESSAGES.len()]).collect();
        let array = format!("[{}]", all.join(","));
        let line = if is_member { format!(r#"{{"messages":{array}}}"#) } else { array };
        format!("{{\"role\":\"user\",\"content\":\"q\"}}\n{line}\n[{}]\n", MESSAGES[4])
    }

    fn data_of(document: &Document) -> Vec<Option<Arc<SegmentData>>> {
        document.tree().iter().map(|located| located.segment.attachment.data.clone()).collect()
    }

    /// Applies an edit, and asserts that the document equals a fresh one. Returns whether the line
    /// was not read as a whole.
    #[track_caller]
    fn check(text: &str, splice: Splice, inserted: &str) -> bool {
        let before = document(text);
        let mut after = before.clone();
        after.apply(splice, inserted);
        let fresh = document(&after.text().to_string());
        assert_eq!(data_of(&after), data_of(&fresh), "{text}\n{splice:?} {inserted:?}");
        assert_eq!(after.diagnostics(), fresh.diagnostics());
        let line = before.tree().segment_at(splice.start);
        line.is_some_and(|line| edited_line(before.context(), after.context(), &line, splice).is_some())
    }

    #[test]
    fn edits_in_texts_and_inputs_read_one_message() {
        let text = log(&[0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 0, 0, 0, 0], true);
        for (mark, is_inner) in [
            ("does it", true),
            ("Let me", true),
            ("src/part", true),
            ("fn \\", true),
            ("\\\"q", true),
            ("ok", true),
            ("main", true),
            // These change what rules on the messages around read.
            ("call_id\":\"c", false),
            ("\"assist", false),
            ("tool_u", false),
        ] {
            let at = text.find(mark).expect("the mark") + mark.len();
            let is_reread = check(&text, Splice { start: at, removed: 0, inserted: 1 }, "x");
            assert_eq!(is_reread, is_inner, "{mark}");
        }
        let end = text.find(",{\"role\":\"assistant\"").expect("a comma");
        assert!(!check(&text, Splice { start: end, removed: 0, inserted: 1 }, "{"));
    }

    proptest! {
        #[test]
        fn edits_equal_a_fresh_parse(
            messages in prop::collection::vec(0..MESSAGES.len(), 4..12),
            is_member: bool,
            share in 0.0..1.0f64,
            removed in 0..12usize,
            inserted in "[\\[\\]{},:\"\\\\a ]{0,3}",
        ) {
            let text = log(&messages, is_member);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share")]
            let start = (text.len() as f64 * share) as usize;
            let removed = removed.min(text.len() - start);
            check(&text, Splice { start, removed, inserted: inserted.len() }, &inserted);
        }
    }
}
