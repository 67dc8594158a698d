//! A persistent sorted set: clones share their data; finding, inserting and removing cost O(log n).

use crate::syntax::sum_tree::{Iter, SumTree, SumTreeItem, SumTreeSummary};

/// From this number of changes on, rebuilding the set is cheaper than single changes.
const MANY: usize = 64;

/// A sorted set of small values.
#[derive(Clone, Debug)]
pub(super) struct SortedSet<T: Copy + Ord + std::fmt::Debug> {
    values: SumTree<SortedItem<T>>,
}

/// A value as an item of a tree.
#[derive(Clone, Copy, Debug)]
struct SortedItem<T>(T);

/// The last of some values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LastItem<T>(Option<T>);

impl<T> Default for LastItem<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Copy + Ord + std::fmt::Debug> SumTreeItem for SortedItem<T> {
    type Summary = LastItem<T>;

    fn summary(&self) -> LastItem<T> {
        LastItem(Some(self.0))
    }
}

impl<T: Copy + Ord + std::fmt::Debug> SumTreeSummary for LastItem<T> {
    fn add(&mut self, behind: &Self) {
        self.0 = behind.0.or(self.0);
    }
}

impl<T: Copy + Ord + std::fmt::Debug> Default for SortedSet<T> {
    fn default() -> Self {
        Self { values: SumTree::default() }
    }
}

impl<T: Copy + Ord + std::fmt::Debug> SortedSet<T> {
    /// The set of `values`, which are sorted and unique.
    pub fn from_sorted(values: impl IntoIterator<Item = T>) -> Self {
        Self { values: values.into_iter().map(SortedItem).collect() }
    }

    /// True if both are the same set in memory.
    pub fn is_shared(&self, other: &Self) -> bool {
        self.values.is_shared(&other.values)
    }

    /// All values, in order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.values.iter_from(0).map(|entry| entry.0)
    }

    /// The values from the first on for which `is_before` does not hold, in order.
    pub fn iter_from(&self, is_before: impl Fn(&T) -> bool) -> impl Iterator<Item = T> {
        let values: Iter<'_, SortedItem<T>> = self.values.iter_from(self.partition_point(is_before));
        values.map(|entry| entry.0)
    }

    /// Number of leading values for which `is_before` holds; it must be monotonic.
    pub fn partition_point(&self, is_before: impl Fn(&T) -> bool) -> usize {
        self.values
            .find(|sum: &LastItem<T>| sum.0.is_some_and(|last| !is_before(&last)))
            .map_or(self.values.len(), |(index, _)| index)
    }

    /// Removes `removed` and inserts `added`, both sorted.
    pub fn change(&mut self, removed: &[T], added: &[T]) {
        if removed.len() + added.len() > MANY {
            let mut values: Vec<T> = self
                .iter()
                .filter(|value| removed.binary_search(value).is_err())
                .chain(added.iter().copied())
                .collect();
            values.sort_unstable();
            values.dedup();
            *self = Self::from_sorted(values);
            return;
        }
        for value in removed {
            let at = self.partition_point(|known| known < value);
            if self.values.get(at).is_some_and(|entry| entry.0 == *value) {
                self.values.splice(at..at + 1, SumTree::default());
            }
        }
        for value in added {
            let at = self.partition_point(|known| known < value);
            if self.values.get(at).is_none_or(|entry| entry.0 != *value) {
                self.values.splice(at..at, std::iter::once(SortedItem(*value)).collect());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_matches_a_btree_set(
            first in prop::collection::btree_set(0u32..400, 0..200),
            changes in prop::collection::vec(
                (prop::collection::btree_set(0u32..400, 0..80), prop::collection::btree_set(0u32..400, 0..80)), 0..6),
        ) {
            let mut expected: BTreeSet<u32> = first;
            let mut set = SortedSet::from_sorted(expected.iter().copied());
            for (removed, added) in changes {
                let removed: Vec<u32> = removed.into_iter().collect();
                let added: Vec<u32> = added.into_iter().collect();
                set.change(&removed, &added);
                expected.retain(|value| !removed.contains(value));
                expected.extend(added);
                prop_assert!(set.iter().eq(expected.iter().copied()));
                for from in [0, 7, 200, 400] {
                    prop_assert!(set.iter_from(|value| *value < from).eq(expected.range(from..).copied()));
                    prop_assert_eq!(set.partition_point(|value| *value < from), expected.range(..from).count());
                }
            }
        }
    }
}
