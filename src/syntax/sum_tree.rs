//! A persistent B+-tree of items with summaries: clones share their data; finding, splicing and
//! searching cost O(log n).
//!
//! Invariants: all leaves have the same depth, every node but the root is at least half full, and
//! each node's summary is the sum of its items (the tests assert that).

mod cursor;
mod node;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

pub use cursor::Iter;

use node::child_of_index;

/// Maximum number of items in a leaf, and of children in a branch.
const MAX: usize = 24;
/// Minimum number in any node but the root.
const MIN: usize = MAX / 2;

/// An item of a [`SumTree`].
pub trait SumTreeItem: Clone {
    /// The summary of a run of items.
    type Summary: SumTreeSummary;

    /// The summary of this item.
    fn summary(&self) -> Self::Summary;
}

/// A monoid: the default is the summary of no items.
pub trait SumTreeSummary: Clone + Default + std::fmt::Debug {
    /// Adds the summary of the following items.
    fn add(&mut self, behind: &Self);
}

impl SumTreeSummary for () {
    fn add(&mut self, (): &()) {}
}

/// A part of the summary of items, which is added up alone where nothing else is needed; also the
/// whole summary.
pub trait SumTreePart<T: SumTreeItem>: SumTreeSummary {
    /// The part of the summary of an item.
    fn of_item(item: &T) -> Self;

    /// The part of a summary.
    fn of_summary(summary: &T::Summary) -> Self;
}

impl<T: SumTreeItem<Summary = S>, S: SumTreeSummary> SumTreePart<T> for S {
    #[inline]
    fn of_item(item: &T) -> Self {
        item.summary()
    }

    #[inline]
    fn of_summary(summary: &S) -> Self {
        summary.clone()
    }
}

/// A sequence of items; cloning is cheap.
#[derive(Clone, Debug)]
pub struct SumTree<T: SumTreeItem> {
    root: Arc<SumTreeNode<T>>,
}

#[derive(Clone, Debug)]
struct SumTreeNode<T: SumTreeItem> {
    count: usize,
    summary: T::Summary,
    below: NodeChildren<T>,
}

#[derive(Clone, Debug)]
enum NodeChildren<T: SumTreeItem> {
    Items(Vec<T>),
    Nodes { height: usize, nodes: Vec<Arc<SumTreeNode<T>>> },
}

impl<T: SumTreeItem> Default for SumTree<T> {
    fn default() -> Self {
        Self { root: SumTreeNode::leaf(Vec::new()) }
    }
}

impl<T: SumTreeItem> FromIterator<T> for SumTree<T> {
    /// Takes linear time.
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut builder = Builder::default();
        items.into_iter().for_each(|item| builder.push(item));
        builder.finish()
    }
}

/// Builds a tree from single items, in linear time.
#[derive(Debug)]
pub struct Builder<T: SumTreeItem> {
    leaves: Vec<Arc<SumTreeNode<T>>>,
    /// The next leaf's items; never empty after the first item.
    items: Vec<T>,
}

impl<T: SumTreeItem> Default for Builder<T> {
    fn default() -> Self {
        Self { leaves: Vec::new(), items: Vec::new() }
    }
}

impl<T: SumTreeItem> Builder<T> {
    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        if self.items.len() == MAX {
            let full = std::mem::replace(&mut self.items, Vec::with_capacity(MAX));
            self.leaves.push(SumTreeNode::leaf(full));
        }
        self.items.push(item);
    }

    /// The tree of all items.
    pub fn finish(self) -> SumTree<T> {
        let last = SumTreeNode::leaf(self.items);
        let before = up(self.leaves).map(|root| SumTree { root });
        let last = SumTree { root: last };
        before.map_or(last.clone(), |before| before.join(last))
    }
}

/// The root above a level of nodes that are large enough.
fn up<T: SumTreeItem>(mut level: Vec<Arc<SumTreeNode<T>>>) -> Option<Arc<SumTreeNode<T>>> {
    while level.len() > 1 {
        level = groups(level).into_iter().map(SumTreeNode::branch).collect();
    }
    level.pop()
}

impl<T: SumTreeItem> SumTree<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.root.count
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if both are the same tree in memory.
    pub fn is_shared(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
    }

    /// The summary of all items.
    pub fn summary(&self) -> &T::Summary {
        &self.root.summary
    }

    /// The item at `index`.
    pub fn get(&self, index: usize) -> Option<&T> {
        let (mut node, mut index) = (&self.root, index);
        loop {
            match &node.below {
                NodeChildren::Items(items) => return items.get(index),
                NodeChildren::Nodes { nodes, .. } => (node, index) = child_of_index(nodes, index)?,
            }
        }
    }

    /// The sum of all items before `index`.
    pub fn sum_before<P: SumTreePart<T>>(&self, index: usize) -> P {
        let mut sum = P::default();
        if index >= self.len() {
            return P::of_summary(self.summary());
        }
        let (mut node, mut index) = (&self.root, index);
        loop {
            match &node.below {
                NodeChildren::Items(items) => {
                    items.iter().take(index).for_each(|item| sum.add(&P::of_item(item)));
                    return sum;
                }
                NodeChildren::Nodes { nodes, .. } => {
                    for child in nodes {
                        node = child;
                        if index < child.count {
                            break;
                        }
                        index -= child.count;
                        sum.add(&P::of_summary(&child.summary));
                    }
                }
            }
        }
    }

    /// Like [`SumTree::find_from`], from the first item on.
    pub fn find<P: SumTreePart<T>>(&self, reached: impl FnMut(&P) -> bool) -> Option<(usize, P)> {
        self.find_from(0, reached)
    }

    /// The first item at or after `from` that `wanted` accepts. `wanted` must accept the sum of a
    /// run exactly if it accepts one of its items.
    pub fn next_matching<P: SumTreePart<T>>(
        &self,
        from: usize,
        wanted: impl Fn(&P) -> bool,
    ) -> Option<usize> {
        self.root.find_from(from, &mut |part: P| wanted(&part))
    }

    /// The last item before `before` that `wanted` accepts; see [`SumTree::next_matching`].
    pub fn previous_matching<P: SumTreePart<T>>(
        &self,
        before: usize,
        wanted: impl Fn(&P) -> bool,
    ) -> Option<usize> {
        self.root.find_back(before, &mut |part: P| wanted(&part))
    }

    /// The first item at or after `from` for which `reached` holds of the sum of the items from
    /// `from` up to and including it: its index, and the sum of the items before it, from `from`.
    /// `reached` must not change from true to false as items are added.
    pub fn find_from<P: SumTreePart<T>>(
        &self,
        from: usize,
        mut reached: impl FnMut(&P) -> bool,
    ) -> Option<(usize, P)> {
        let mut sum = P::default();
        let mut stops = |part: P| {
            let mut with = sum.clone();
            with.add(&part);
            let is_reached = reached(&with);
            if !is_reached {
                sum = with;
            }
            is_reached
        };
        self.root.find_from(from, &mut stops).map(|index| (index, sum))
    }

    /// The last item before `before` for which `reached` holds of the sum of the items from it up
    /// to `before`: its index, and the sum of those after it. `reached` must not change from true
    /// to false as items are added.
    pub fn find_back<P: SumTreePart<T>>(
        &self,
        before: usize,
        mut reached: impl FnMut(&P) -> bool,
    ) -> Option<(usize, P)> {
        let mut sum = P::default();
        let mut stops = |mut with: P| {
            with.add(&sum);
            let is_reached = reached(&with);
            if !is_reached {
                sum = with;
            }
            is_reached
        };
        self.root.find_back(before, &mut stops).map(|index| (index, sum))
    }

    /// The items from `index` on.
    pub fn iter_from(&self, index: usize) -> Iter<'_, T> {
        Iter::new(self, index)
    }

    /// Changes each item of `range` (clamped to the length), in order; in place if no clone shares
    /// it.
    pub fn update(&mut self, range: Range<usize>, mut change: impl FnMut(&mut T)) {
        if range.start < range.end.min(self.len()) {
            SumTreeNode::update(&mut self.root, range, &mut change);
        }
    }

    /// Replaces the items of `range` (clamped to the length) by all of `other`.
    pub fn splice(&mut self, range: Range<usize>, other: Self) {
        if range.len() == other.len() && range.end <= self.len() {
            // Most edits damage as many segments as they create: nothing moves.
            let mut items = other.iter_from(0);
            return self.update(range, |item| {
                if let Some(new) = items.next() {
                    item.clone_from(new);
                }
            });
        }
        let (before, rest) = self.split(range.start);
        let (_, behind) = rest.split(range.end.saturating_sub(range.start));
        *self = before.join(other).join(behind);
    }

    fn split(&self, index: usize) -> (Self, Self) {
        if index == 0 {
            return (Self::default(), self.clone());
        }
        if index >= self.len() {
            return (self.clone(), Self::default());
        }
        let (left, right) = self.root.split(index);
        (Self { root: left }, Self { root: right })
    }

    fn join(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self { root: SumTreeNode::join(&self.root, &other.root) },
        }
    }
}

/// Splits a sequence into groups of a node's size, none smaller than [`MIN`] unless it is the only
/// one.
fn groups<T>(items: Vec<T>) -> Vec<Vec<T>> {
    let count = items.len().div_ceil(MAX);
    let (size, larger) = (items.len() / count.max(1), items.len() % count.max(1));
    let mut items = items.into_iter();
    (0..count).map(|group| items.by_ref().take(size + usize::from(group < larger)).collect()).collect()
}
