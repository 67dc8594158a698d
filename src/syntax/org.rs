//! Scans Org: headings, blocks whose content is not Org, and other text.
//!
//! A heading ends a block: in Org, a block without an end is text.

use super::container::{Leaf, ScannerState};
use super::scanner::{LineKind, ScannedLine};
use crate::never::OrNever;

/// The beginnings of the lines that open and close a block.
const BEGIN: &[u8] = b"#+begin_";
const END: &[u8] = b"#+end_";
/// The length of the mark before the info string, which is `begin_tool (…)`.
const MARK: u32 = 2;
/// The deepest level of headings that is distinguished.
const DEEPEST: usize = 6;
/// The kinds of blocks whose content is not Org; the first kind is gptel's.
const BLOCKS: [&[u8]; 5] = [b"tool", b"src", b"example", b"export", b"comment"];

impl ScannerState {
    /// Updates the state by `line` of Org, without its line end.
    pub(super) fn read_org_line(&mut self, line: &[u8]) -> ScannedLine {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let start = line.iter().take_while(is_space).count();
        let (kind, leaf) = match self.leaf {
            _ if heading_level(line).is_some() => (LineKind::Atx(heading_level(line).or_never()), Leaf::None),
            Leaf::Org(block) if block_of(line, start, END) == Some(block) => (LineKind::FenceEnd, Leaf::None),
            Leaf::Org(_) => (LineKind::FenceContent, self.leaf),
            _ if start == line.len() => (LineKind::Blank, Leaf::None),
            leaf => match block_of(line, start, BEGIN) {
                Some(block) => {
                    (LineKind::FenceStart { marker: b'#', indent: 0, length: MARK }, Leaf::Org(block))
                }
                None if leaf == Leaf::Paragraph => (LineKind::Continued, leaf),
                None => (LineKind::Paragraph, Leaf::Paragraph),
            },
        };
        self.leaf = leaf;
        ScannedLine { kind, text: start, matched: 0 }
    }
}

/// The level of `line` if it is a heading: stars at its start, and a space.
fn heading_level(line: &[u8]) -> Option<u8> {
    let stars = line.iter().take_while(|byte| **byte == b'*').count();
    let is_heading = stars > 0 && line.get(stars) == Some(&b' ');
    is_heading.then_some(stars.min(DEEPEST) as u8)
}

/// The kind of the block that `line` opens or closes at its byte `start`.
fn block_of(line: &[u8], start: usize, beginning: &[u8]) -> Option<u8> {
    let text = line.get(start..)?;
    let (mark, behind) = text.split_at_checked(beginning.len())?;
    let len = behind.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(behind.len());
    let (name, behind) = behind.split_at_checked(len)?;
    let is_whole = beginning == BEGIN || behind.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    let kind = BLOCKS.iter().zip(0..).find(|(known, _)| known.eq_ignore_ascii_case(name));
    kind.filter(|_| is_whole && mark.eq_ignore_ascii_case(beginning)).map(|(_, kind)| kind)
}
