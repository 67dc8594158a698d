//! The error-tolerant parser: its errors, prefixes, values, and its agreement with `serde_json`.

mod faults;
pub(super) mod oracle;
mod values;

use super::{JsonKind, JsonNode, JsonTape, MAX_FAULTS, parse, parse_prefix};

/// Parses `text` and checks the invariants of the tape.
fn check(text: &str) -> JsonTape {
    let json = parse(text);
    json.assert_invariants(text);
    parse_prefix(text).assert_invariants(text);
    json
}

impl JsonTape {
    /// All arrays and objects, parents before children.
    pub fn containers(&self) -> impl Iterator<Item = &JsonNode> {
        self.nodes.iter().filter(|node| node.kind.is_container())
    }

    /// Checks the invariants of the tape. `text` is the parsed text.
    ///
    /// # Panics
    ///
    /// If an invariant does not hold.
    pub fn assert_invariants(&self, text: &str) {
        // The open containers, each with the number of its children so far.
        let mut open: Vec<(JsonNode, usize)> = Vec::new();
        let mut behind = 0;
        for index in 0..=self.nodes.len() {
            while let Some((parent, children)) = open.pop_if(|(parent, _)| parent.next as usize <= index) {
                assert!(
                    parent.kind == JsonKind::Array || children % 2 == 0,
                    "a key without a value in {parent:?}"
                );
                behind = parent.span.end;
            }
            let Some(node) = self.nodes.get(index) else { break };
            assert!(text.get(node.span.range()).is_some(), "{node:?} is not inside of the text");
            assert!(behind <= node.span.start && node.span.end <= self.end, "{node:?} is out of order");
            let is_key = matches!(node.kind, JsonKind::Key { .. });
            match open.last_mut() {
                Some((parent, children)) => {
                    assert!(parent.span.start <= node.span.start && node.span.end <= parent.span.end);
                    assert!(node.next <= parent.next, "{node:?} outlives {parent:?}");
                    assert_eq!(is_key, parent.kind == JsonKind::Object && *children % 2 == 0, "{node:?}");
                    *children += 1;
                }
                None => assert!(index == 0 && node.next as usize == self.nodes.len() && !is_key),
            }
            behind = if node.kind.is_container() { node.span.start } else { node.span.end };
            if node.kind.is_container() {
                assert!(node.next as usize > index, "{node:?}");
                open.push((*node, 0));
            } else {
                assert_eq!(node.next as usize, index + 1, "{node:?} holds something");
            }
        }
        assert!(open.is_empty(), "{open:?} outlive the tape");
        assert!(self.errors.len() <= MAX_FAULTS);
        assert!(self.errors.is_sorted_by_key(|fault| fault.span.start));
        for fault in &self.errors {
            assert!(text.get(fault.span.range()).is_some(), "{fault:?} is not inside of the text");
        }
        assert!(text.is_char_boundary(self.end as usize));
        let ended = matches!(self.errors.as_slice(), [fault] if fault.kind.is_end());
        assert_eq!(self.beginning, ended && !self.gave_up);
    }
}
