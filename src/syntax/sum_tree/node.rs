//! The nodes of a [`SumTree`](super::SumTree): joined, split, searched and changed.

use std::ops::Range;
use std::sync::Arc;

use super::{MAX, MIN, NodeChildren, SumTreeItem, SumTreeNode, SumTreePart, SumTreeSummary};
use crate::never::OrNever;

impl<T: SumTreeItem> SumTreeNode<T> {
    pub(super) fn leaf(items: Vec<T>) -> Arc<Self> {
        let mut summary = T::Summary::default();
        items.iter().for_each(|item| summary.add(&item.summary()));
        Arc::new(Self { count: items.len(), summary, below: NodeChildren::Items(items) })
    }

    pub(super) fn branch(nodes: Vec<Arc<Self>>) -> Arc<Self> {
        let mut summary = T::Summary::default();
        nodes.iter().for_each(|node| summary.add(&node.summary));
        let height = nodes.first().map_or(0, |node| node.height()) + 1;
        let count = nodes.iter().map(|node| node.count).sum();
        Arc::new(Self { count, summary, below: NodeChildren::Nodes { height, nodes } })
    }

    /// The parent of these nodes: a branch, or the only node itself.
    pub(super) fn of(mut nodes: Vec<Arc<Self>>) -> Arc<Self> {
        match (nodes.len(), nodes.pop()) {
            (1, Some(node)) => node,
            (_, Some(last)) => {
                nodes.push(last);
                Self::branch(nodes)
            }
            (_, None) => Self::leaf(Vec::new()),
        }
    }

    pub(super) fn height(&self) -> usize {
        match &self.below {
            NodeChildren::Items(_) => 0,
            NodeChildren::Nodes { height, .. } => *height,
        }
    }

    pub(super) fn nodes(&self) -> &[Arc<Self>] {
        match &self.below {
            NodeChildren::Items(_) => &[],
            NodeChildren::Nodes { nodes, .. } => nodes,
        }
    }

    pub(super) fn size(&self) -> usize {
        match &self.below {
            NodeChildren::Items(items) => items.len(),
            NodeChildren::Nodes { nodes, .. } => nodes.len(),
        }
    }

    /// The first item at or after `from` that `stops`: it gets the part of a node, or of an item,
    /// and must stop at a node exactly if it would stop at one of its items.
    pub(super) fn find_from<P: SumTreePart<T>>(
        &self,
        from: usize,
        stops: &mut impl FnMut(P) -> bool,
    ) -> Option<usize> {
        if from >= self.count || from == 0 && !stops(P::of_summary(&self.summary)) {
            return None;
        }
        match &self.below {
            NodeChildren::Items(items) => {
                (from..items.len()).find(|&at| items.get(at).is_some_and(|item| stops(P::of_item(item))))
            }
            NodeChildren::Nodes { nodes, .. } => {
                let mut end = 0;
                nodes.iter().find_map(|child| {
                    let start = end;
                    end += child.count;
                    Some(start + child.find_from(from.saturating_sub(start), stops)?)
                })
            }
        }
    }

    /// Like [`Self::find_from`], for the last item before `before`.
    pub(super) fn find_back<P: SumTreePart<T>>(
        &self,
        before: usize,
        stops: &mut impl FnMut(P) -> bool,
    ) -> Option<usize> {
        if before == 0 || before >= self.count && !stops(P::of_summary(&self.summary)) {
            return None;
        }
        match &self.below {
            NodeChildren::Items(items) => (0..items.len().min(before))
                .rev()
                .find(|&at| items.get(at).is_some_and(|item| stops(P::of_item(item)))),
            NodeChildren::Nodes { nodes, .. } => {
                let mut start = self.count;
                nodes.iter().rev().find_map(|child| {
                    start -= child.count;
                    Some(start + child.find_back(before.saturating_sub(start), stops)?)
                })
            }
        }
    }

    pub(super) fn join(left: &Arc<Self>, right: &Arc<Self>) -> Arc<Self> {
        let (tall_left, tall_right) = (left.height(), right.height());
        if tall_left == tall_right {
            return Self::join_equals(left, right);
        }
        if tall_left < tall_right {
            let (Some(first), rest) = (right.nodes().first(), right.nodes().get(1..).or_never()) else {
                return left.clone();
            };
            if tall_left + 1 == tall_right && left.size() >= MIN {
                return Self::merge(std::slice::from_ref(left), right.nodes());
            }
            let joined = Self::join(left, first);
            if joined.height() + 1 == tall_right {
                return Self::merge(&[joined], rest);
            }
            return Self::merge(joined.nodes(), rest);
        }
        let Some((last, rest)) = left.nodes().split_last() else {
            return right.clone();
        };
        if tall_right + 1 == tall_left && right.size() >= MIN {
            return Self::merge(left.nodes(), std::slice::from_ref(right));
        }
        let joined = Self::join(last, right);
        if joined.height() + 1 == tall_left {
            return Self::merge(rest, &[joined]);
        }
        Self::merge(rest, joined.nodes())
    }

    pub(super) fn join_equals(left: &Arc<Self>, right: &Arc<Self>) -> Arc<Self> {
        if left.size() >= MIN && right.size() >= MIN {
            return Self::branch(vec![left.clone(), right.clone()]);
        }
        match (&left.below, &right.below) {
            (NodeChildren::Items(a), NodeChildren::Items(b)) => {
                Self::of(halves(a, b).into_iter().filter(|half| !half.is_empty()).map(Self::leaf).collect())
            }
            _ => Self::merge(left.nodes(), right.nodes()),
        }
    }

    pub(super) fn merge(left: &[Arc<Self>], right: &[Arc<Self>]) -> Arc<Self> {
        Self::of(halves(left, right).into_iter().filter(|half| !half.is_empty()).map(Self::of).collect())
    }

    /// `index` is inside: neither part is empty.
    pub(super) fn split(&self, index: usize) -> (Arc<Self>, Arc<Self>) {
        let nodes = match &self.below {
            NodeChildren::Items(items) => {
                let (left, right) = items.split_at(index.min(items.len()));
                return (Self::leaf(left.to_vec()), Self::leaf(right.to_vec()));
            }
            NodeChildren::Nodes { nodes, .. } => nodes,
        };
        let (mut at, mut rest) = (0, index);
        while let Some(node) = nodes.get(at)
            && rest >= node.count
        {
            rest -= node.count;
            at += 1;
        }
        let (before, behind) = nodes.split_at(at.min(nodes.len()));
        let Some((middle, behind)) = behind.split_first().filter(|_| rest > 0) else {
            return (Self::of(before.to_vec()), Self::of(behind.to_vec()));
        };
        let (mut left, mut right) = middle.split(rest);
        if !before.is_empty() {
            left = Self::join(&Self::of(before.to_vec()), &left);
        }
        if !behind.is_empty() {
            right = Self::join(&right, &Self::of(behind.to_vec()));
        }
        (left, right)
    }

    /// `range` is not empty and begins below this node.
    pub(super) fn update(this: &mut Arc<Self>, range: Range<usize>, change: &mut impl FnMut(&mut T)) {
        let node = Arc::make_mut(this);
        let mut summary = T::Summary::default();
        match &mut node.below {
            NodeChildren::Items(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if range.contains(&index) {
                        change(item);
                    }
                    summary.add(&item.summary());
                }
            }
            NodeChildren::Nodes { nodes, .. } => {
                let mut start = 0;
                for child in nodes {
                    let below = range.start.saturating_sub(start)..range.end.saturating_sub(start);
                    if below.start < below.end.min(child.count) {
                        Self::update(child, below, change);
                    }
                    start += child.count;
                    summary.add(&child.summary);
                }
            }
        }
        node.summary = summary;
    }
}

pub(super) fn child_of_index<T: SumTreeItem>(
    nodes: &[Arc<SumTreeNode<T>>],
    mut index: usize,
) -> Option<(&Arc<SumTreeNode<T>>, usize)> {
    for child in nodes {
        if index < child.count {
            return Some((child, index));
        }
        index -= child.count;
    }
    None
}

/// Both runs as one, or as two that are each large enough for a node.
fn halves<T: Clone>(left: &[T], right: &[T]) -> [Vec<T>; 2] {
    let all: Vec<T> = left.iter().chain(right).cloned().collect();
    if all.len() <= MAX {
        return [all, Vec::new()];
    }
    let mut first = all;
    let second = first.split_off(first.len() / 2);
    [first, second]
}
