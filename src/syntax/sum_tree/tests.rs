//! The tree against a `Vec`: same items, same results, and its invariants after every step.

use proptest::prelude::*;

use super::{MAX, MIN, NodeChildren, SumTree, SumTreeItem, SumTreeNode, SumTreeSummary};

#[derive(Clone, Debug, PartialEq)]
struct Word(u8);

#[derive(Clone, Debug, Default, PartialEq)]
struct Sum {
    total: usize,
    has_seven: bool,
}

impl SumTreeItem for Word {
    type Summary = Sum;
    fn summary(&self) -> Sum {
        Sum { total: self.0 as usize, has_seven: self.0 % 64 == 7 }
    }
}

impl SumTreeSummary for Sum {
    fn add(&mut self, behind: &Self) {
        self.total += behind.total;
        self.has_seven |= behind.has_seven;
    }
}

fn check(tree: &SumTree<Word>, model: &[Word], probe: usize) {
    tree.assert_invariants();
    assert_eq!(tree.len(), model.len());
    assert_eq!(tree.summary().total, model.iter().map(|word| word.0 as usize).sum::<usize>());
    let from = probe % (model.len() + 2);
    let behind = model.get(from..).unwrap_or_default();
    assert_eq!(tree.iter_from(from).cloned().collect::<Vec<_>>(), behind);
    assert_eq!(tree.get(from), model.get(from));
    let sum = |words: &[Word]| words.iter().map(|word| word.0 as usize).sum::<usize>();
    assert_eq!(tree.sum_before::<Sum>(from).total, sum(&model[..from.min(model.len())]));
    let seven = |word: &Word| word.0 % 64 == 7;
    let next = (from..model.len()).find(|&at| seven(&model[at]));
    assert_eq!(tree.next_matching(from, |sum: &Sum| sum.has_seven), next);
    let previous = (0..from.min(model.len())).rev().find(|&at| seven(&model[at]));
    assert_eq!(tree.previous_matching(from, |sum: &Sum| sum.has_seven), previous);
    let wanted = probe % 20_000;
    let found = (0..model.len()).find(|&at| sum(&model[..=at]) > wanted);
    assert_eq!(
        tree.find(|sum: &Sum| sum.total > wanted).map(|(at, before)| (at, before.total)),
        found.map(|at| (at, sum(&model[..at])))
    );
}

proptest! {
    #[test]
    fn agrees_with_a_vec(
        first in proptest::collection::vec(any::<u8>(), 0..2000),
        splices in proptest::collection::vec(
            (any::<usize>(), any::<usize>(), proptest::collection::vec(any::<u8>(), 0..90), any::<usize>()),
            1..20
        ),
    ) {
        let mut model: Vec<Word> = first.into_iter().map(Word).collect();
        let mut tree: SumTree<Word> = model.iter().cloned().collect();
        check(&tree, &model, 3);
        for (start, len, words, probe) in splices {
            let start = start % (model.len() + 1);
            let end = start + len % (model.len() - start + 1).min(100);
            let mut words: Vec<Word> = words.into_iter().map(Word).collect();
            if probe.is_multiple_of(3) {
                words.resize(end - start, Word(7));
            }
            let (before, old) = (tree.clone(), model.clone());
            model.splice(start..end, words.iter().cloned());
            tree.splice(start..end, words.into_iter().collect());
            check(&tree, &model, probe);
            check(&before, &old, probe);
            let changed = start..end.max(start + 1);
            tree.update(changed.clone(), |word| word.0 ^= 7);
            model.iter_mut().skip(start).take(changed.len()).for_each(|word| word.0 ^= 7);
            check(&tree, &model, start);
        }
    }
}

#[test]
fn a_clone_keeps_its_items() {
    let tree: SumTree<Word> = (0..200).map(Word).collect();
    let mut other = tree.clone();
    other.splice(10..150, SumTree::default());
    assert_eq!((tree.len(), other.len()), (200, 60));
}

impl<T: SumTreeItem> SumTree<T> {
    /// Panics if an invariant of the tree does not hold.
    pub fn assert_invariants(&self)
    where
        T::Summary: PartialEq + std::fmt::Debug,
    {
        self.root.assert_invariants(true);
    }
}

impl<T: SumTreeItem> SumTreeNode<T> {
    fn assert_invariants(&self, is_root: bool)
    where
        T::Summary: PartialEq + std::fmt::Debug,
    {
        assert!(is_root || self.size() >= MIN, "a node of {}", self.size());
        assert!(self.size() <= MAX, "a node of {}", self.size());
        let mut summary = T::Summary::default();
        match &self.below {
            NodeChildren::Items(items) => {
                assert_eq!(self.count, items.len());
                items.iter().for_each(|item| summary.add(&item.summary()));
            }
            NodeChildren::Nodes { height, nodes } => {
                assert!(nodes.len() > 1);
                assert_eq!(self.count, nodes.iter().map(|node| node.count).sum::<usize>());
                for node in nodes {
                    assert_eq!(node.height() + 1, *height);
                    node.assert_invariants(false);
                    summary.add(&node.summary);
                }
            }
        }
        assert_eq!(self.summary, summary);
    }
}
