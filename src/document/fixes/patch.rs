//! Edits one after the other, as edits of the text that was there at first.

use std::ops::Range;

/// What a text has become.
#[derive(Debug)]
pub(super) struct Patch {
    pieces: Vec<Piece>,
    /// The length of the text at first.
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// These bytes of the text at first.
    Old(Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Old(range) => range.len(),
            Self::New(text) => text.len(),
        }
    }

    fn split(self, at: usize) -> (Self, Self) {
        match self {
            Self::Old(range) => {
                let middle = range.start + at;
                (Self::Old(range.start..middle), Self::Old(middle..range.end))
            }
            Self::New(mut text) => {
                let behind = text.get(at..).unwrap_or_default().to_owned();
                text.truncate(text.len() - behind.len());
                (Self::New(text), Self::New(behind))
            }
        }
    }
}

impl Patch {
    /// No edit yet of a text of `len` bytes.
    pub(super) fn new(len: usize) -> Self {
        Self { pieces: vec![Piece::Old(0..len)], len }
    }

    /// Puts `text` in the place of the bytes `range` of what the text has become.
    pub(super) fn replace(&mut self, range: Range<usize>, text: &str) {
        let start = self.boundary(range.start);
        let end = self.boundary(range.end).max(start);
        self.pieces.splice(start..end, [Piece::New(text.to_owned())]);
        self.pieces.retain(|piece| piece.len() > 0);
    }

    /// The piece that begins at `offset`, which is made to.
    fn boundary(&mut self, offset: usize) -> usize {
        let mut before = 0;
        for index in 0..self.pieces.len() {
            let Some(piece) = self.pieces.get(index) else { break };
            if offset <= before {
                return index;
            }
            if offset < before + piece.len() {
                let (front, behind) = piece.clone().split(offset - before);
                self.pieces.splice(index..=index, [front, behind]);
                return index + 1;
            }
            before += piece.len();
        }
        self.pieces.len()
    }

    /// Edits of the text at first that make it what it has become, in order and not even touching.
    pub(super) fn into_edits(self) -> Vec<(Range<usize>, String)> {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let (mut at, mut new) = (0, String::new());
        for piece in self.pieces.into_iter().chain([Piece::Old(self.len..self.len)]) {
            match piece {
                Piece::New(text) => new.push_str(&text),
                Piece::Old(range) => {
                    if at < range.start || !new.is_empty() {
                        edits.push((at..range.start, std::mem::take(&mut new)));
                    }
                    at = range.end;
                }
            }
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_comes_out_makes_what_went_in(
            start in "[a-zé]{0,20}",
            changes in prop::collection::vec((0usize..30, 0usize..8, "[A-Zü]{0,4}"), 0..12),
        ) {
            let mut text = start.clone();
            let mut patch = Patch::new(text.len());
            for (at, removed, inserted) in changes {
                let floor = |at: usize, text: &str| {
                    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
                };
                let at = floor(at, &text);
                let end = floor(at + removed, &text).max(at);
                patch.replace(at..end, &inserted);
                text.replace_range(at..end, &inserted);
            }
            let edits = patch.into_edits();
            prop_assert!(edits.windows(2).all(|two| two[0].0.end < two[1].0.start), "{:?}", edits);
            let mut again = start;
            for (range, inserted) in edits.iter().rev() {
                again.replace_range(range.clone(), inserted);
            }
            prop_assert_eq!(again, text);
        }
    }
}
