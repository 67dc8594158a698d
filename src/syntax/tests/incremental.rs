//! `reparse` equals `parse` after any edits, and reuses as much as it can.

use proptest::prelude::*;

use super::soup::{MARKDOWN, REGIONS, rules, soup};
use crate::syntax::{InlineRules, Segment, SegmentKind, Tree, parse, reparse};
use crate::text::{Splice, Text};

/// The segments of a tree with their offsets, with bodies joined to their heads: two trees of one
/// text may be split at different positions.
fn joined(tree: &Tree) -> Vec<(usize, Segment<()>)> {
    let mut all: Vec<(usize, Segment<()>)> = Vec::new();
    for located in tree.iter() {
        let segment = located.segment.clone();
        let (SegmentKind::Body { closing }, Some((_, last))) = (&segment.kind, all.last_mut()) else {
            all.push((located.offset, segment));
            continue;
        };
        match &mut last.kind {
            SegmentKind::Fence(head) => {
                let mut whole = **head;
                whole.closing = closing.map(|closing| closing + last.len);
                *head = whole.into();
            }
            SegmentKind::Html { closed, .. } => *closed = closing.is_some(),
            kind => panic!("a body behind {kind:?}"),
        }
        last.decides |= segment.decides;
        last.content_len = last.len + segment.content_len;
        last.len += segment.len;
        last.lines += segment.lines;
    }
    all
}

fn check_equal(text: &Text, tree: &Tree, rules: &InlineRules) {
    tree.assert_invariants();
    let fresh: Tree = parse(text, rules);
    fresh.assert_invariants();
    assert_eq!(joined(tree), joined(&fresh));
    for located in tree.iter() {
        assert_eq!(located.line, text.line_of_byte(located.offset));
    }
    assert_eq!(tree.summary().layout.lines + 1, text.line_count());
    for located in tree.iter().filter(|located| matches!(located.segment.kind, SegmentKind::Fence(_))) {
        let content = tree.fence_at(&located).map(|fence| tree.fence_content(text, &fence, usize::MAX));
        let same = fresh.segment_at(located.offset).and_then(|same| fresh.fence_at(&same));
        assert_eq!(content, same.map(|fence| fresh.fence_content(text, &fence, usize::MAX)));
    }
}

/// An edit of a text: its position (in 1/65536 of the text), the number of removed bytes, the
/// inserted text.
type RandomSplice = (u16, u8, String);

fn to_splice(text: &Text, (at, removed, inserted): &RandomSplice) -> Splice {
    let start = text.floor_boundary(text.len() * usize::from(*at) / 65_535);
    let end = text.floor_boundary(start + usize::from(*removed)).max(start);
    Splice { start, removed: end - start, inserted: inserted.len() }
}

/// Applies the changes one by one, then undoes them all, and compares with a fresh parse each time.
fn check(source: &str, changes: &[RandomSplice], rules: &InlineRules) {
    let mut text = Text::new(source);
    let mut tree: Tree = parse(&text, rules);
    let first = tree.clone();
    let mut undo = Vec::new();
    let edit = |text: &mut Text, tree: &mut Tree, splice: Splice, inserted: &str| {
        let removed = text.slice(splice.start..splice.old_end()).into_owned();
        text.apply(splice, inserted);
        let (new, damage) = reparse(tree, text, splice, rules);
        assert_eq!(new.len() + damage.old.len(), tree.len() + damage.new.len());
        assert_eq!(damage.old.start, damage.new.start);
        *tree = new;
        check_equal(text, tree, rules);
        (Splice { start: splice.start, removed: splice.inserted, inserted: splice.removed }, removed)
    };
    for change in changes {
        let splice = to_splice(&text, change);
        undo.push(edit(&mut text, &mut tree, splice, &change.2));
    }
    for (splice, inserted) in undo.into_iter().rev() {
        edit(&mut text, &mut tree, splice, &inserted);
    }
    assert_eq!(text.to_string(), source);
    assert_eq!(joined(&tree), joined(&first));
}

fn changes(pieces: &'static [&'static [&'static str]]) -> impl Strategy<Value = Vec<RandomSplice>> {
    let removed = prop_oneof![Just(0u8), 0u8..4, 0u8..40];
    proptest::collection::vec((any::<u16>(), removed, soup(pieces, 3)), 1..8)
}

/// A realistic transcript, with fences that are long enough to be split.
fn transcript(turns: usize) -> String {
    let mut out = String::from("\u{feff}# A chat\n\nSome words.\n\n");
    for turn in 0..turns {
        out += &format!("## Turn {turn}\n\nPlease read `file{turn}.txt` and say\r\nwhat is in it.\n\n");
        out += &format!("```tool\n{{\"toolName\": \"read\", \"input\": {{\"n\": {turn}}}}}\n```\n\n");
        out += &format!("- one\n  - two\n\n    ```json\n    {{\"a\": {turn}}}\n    ```\n- three\n\n");
        out += &format!("> ###: {{\"toolName\": \"x\",\n> \"n\": {turn}}}\n\n");
        out += &format!("<tool>read(n={turn})\n\n```\nresult\n```\n</tool>\n\n");
        if turn % 7 == 3 {
            out += "~~~~log\n";
            (0..700).for_each(|line| out += &format!("line {line} of the log\n"));
            out += "~~~~\n\n<!-- x\n\n";
            (0..700).for_each(|line| out += &format!("comment {line}\n\n"));
            out += "-->\n";
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn reparse_is_parse_on_markdown(source in soup(&[MARKDOWN], 60), changes in changes(&[MARKDOWN])) {
        check(&source, &changes, &InlineRules::markdown());
    }

    #[test]
    fn reparse_is_parse_with_regions(
        source in soup(&[MARKDOWN, REGIONS, REGIONS, REGIONS], 60),
        changes in changes(&[MARKDOWN, REGIONS, REGIONS, REGIONS]),
    ) {
        check(&source, &changes, &rules());
    }

    #[test]
    fn reparse_is_parse_on_logs(source in soup(&[MARKDOWN], 60), changes in changes(&[MARKDOWN])) {
        check(&source, &changes, &InlineRules::lines());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn reparse_is_parse_on_transcripts(turns in 1usize..12, changes in changes(&[MARKDOWN, REGIONS, REGIONS])) {
        check(&transcript(turns), &changes, &rules());
    }
}

/// The containers around the fences of [`long_lines`]: the prefixes of their first line and of the
/// others.
const CONTAINERS: [(&str, &str); 5] = [("", ""), ("> ", "> "), ("- ", "  "), ("- > ", "  >\t"), ("  ", " ")];

/// A fence with two lines of these words and more, in a container.
fn long_lines(words: &str, fence: &str, (first, other): (&str, &str)) -> String {
    let words = words.replace(['\n', '\r'], " ");
    let line = format!("{} {words} {}", "ab \"c\": ".repeat(10), "and more ".repeat(40));
    format!("Text\n\n{first}{fence}json\n{other}[{line}\n{other}{line}]\n{other}{fence}\n\nText\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]
    #[test]
    fn reparse_is_parse_in_long_lines(
        words in soup(&[MARKDOWN, REGIONS], 8),
        is_marked: bool,
        container in 0..CONTAINERS.len(),
        changes in changes(&[MARKDOWN, MARKDOWN, MARKDOWN, REGIONS]),
    ) {
        let fence = if is_marked { "~~~" } else { "```" };
        check(&long_lines(&words, fence, CONTAINERS[container]), &changes, &rules());
        let source = long_lines(&words, "#+begin_src ", ("", "")).replace("#+begin_src \n", "#+end_src\n");
        check(&source, &changes, &InlineRules::org());
    }
}

#[test]
fn a_keystroke_in_a_line_of_a_fence_damages_its_segment() {
    let source = long_lines("and words", "```", CONTAINERS[1]);
    assert_eq!(damaged(&source, "and words", "x"), 1);
    for inserted in ["\n", "\r", "</tool>"] {
        assert!(damaged(&source, "and words", inserted) > 1, "{inserted:?}");
    }
    assert!(damaged(&source, "> [ab ", "x") > 1);
}

/// Number of segments that an edit in the middle of a long transcript replaces.
fn damaged(source: &str, at: &str, inserted: &str) -> usize {
    let rules = rules();
    let mut text = Text::new(source);
    let tree: Tree = parse(&text, &rules);
    let start =
        source.match_indices(at).nth(source.matches(at).count() / 2).map_or(0, |(start, _)| start + at.len());
    let splice = Splice { start, removed: 0, inserted: inserted.len() };
    text.apply(splice, inserted);
    let (tree, damage) = reparse(&tree, &text, splice, &rules);
    check_equal(&text, &tree, &rules);
    damage.old.len().max(damage.new.len())
}

#[test]
fn a_keystroke_damages_a_few_segments() {
    let source = transcript(60);
    for (at, inserted) in [
        ("read `file", "x"),
        ("say\r\nwhat", "\n\n"),
        ("\"toolName\": \"re", "x"),
        ("\"a\": ", "1"),
        ("- thr", "e"),
        ("line 350 of", " "),
        ("comment 350", "\n\n"),
        ("<tool>read", "_"),
        ("</tool>", "\n"),
    ] {
        assert!(damaged(&source, at, inserted) <= 5, "{at}: {}", damaged(&source, at, inserted));
    }
}

#[test]
fn typing_below_an_open_fence_or_tag_damages_a_few_segments() {
    let (fence, tag) = (format!("````\n{}", transcript(60)), format!("x <tool>y\n\n{}", transcript(60)));
    for at in ["read `file", "say\r\nwhat", "line 350 of", "- thr"] {
        assert!(damaged(&fence, at, "x") <= 5, "{at}");
        assert!(damaged(&tag, at, "x") <= 5, "{at}");
    }
}

#[test]
fn a_distant_closer_is_found() {
    let rules = rules();
    let words = "word\n\n".repeat(1000);
    let mut text = Text::new(&format!("a <tool>b\n\n{words}# c\n"));
    let tree: Tree = parse(&text, &rules);
    assert_eq!(tree.len(), 1002);
    let splice = Splice { start: text.len() - 4, removed: 0, inserted: 8 };
    text.apply(splice, "</tool>\n");
    let (closed, damage) = reparse(&tree, &text, splice, &rules);
    check_equal(&text, &closed, &rules);
    assert_eq!((damage.old, closed.len()), (0..1002, 1));
    let splice = Splice { start: splice.start, removed: 8, inserted: 0 };
    text.apply(splice, "");
    let (open, _) = reparse(&closed, &text, splice, &rules);
    assert_eq!(joined(&open), joined(&tree));
}
