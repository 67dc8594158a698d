//! Pending calls, for dialects whose results are paired with calls by position.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use crate::call::pairing::PairingOrder;

/// The calls of one dialect in order, each represented by a `C`, and its name and id by an `N`.
#[derive(Debug, Default)]
pub struct PendingCalls<N, C> {
    /// `None` for a call that has its result.
    calls: Vec<Option<C>>,
    by_id: HashMap<N, VecDeque<usize>>,
    /// The indices of the calls that may still get a result without an id: all of them, and by
    /// name. Calls that already have a result are skipped later.
    all: VecDeque<usize>,
    by_name: HashMap<N, VecDeque<usize>>,
    /// True if the next call begins a new run of calls in [`PairingOrder::OldestFirst`].
    is_run_over: bool,
    /// The index of the first call of the run.
    run: usize,
    /// True if a call of the run has an id.
    has_ids: bool,
}

impl<N: Copy + Eq + Hash, C> PendingCalls<N, C> {
    /// Adds the next call.
    pub fn add(&mut self, call: C, id: Option<N>, name: N) {
        if self.is_run_over {
            self.by_name.clear();
            self.all.clear();
            self.is_run_over = false;
            self.run = self.calls.len();
            self.has_ids = false;
        }
        let index = self.calls.len();
        self.calls.push(Some(call));
        if let Some(id) = id {
            self.by_id.entry(id).or_default().push_back(index);
            self.has_ids = true;
        }
        self.by_name.entry(name).or_default().push_back(index);
        self.all.push_back(index);
    }

    /// Returns the call that the next result belongs to, if any: the first one, according to
    /// `order`, with the id `id`, of earlier runs the last one; where no call of the run has an id,
    /// or for `None`, the first one with the name `name`; any call for `None`.
    pub fn take(&mut self, id: Option<N>, name: Option<N>, order: PairingOrder) -> Option<C> {
        self.is_run_over = order == PairingOrder::OldestFirst;
        let run = self.run;
        let next = |calls: &mut VecDeque<usize>| match calls.partition_point(|call| *call < run) {
            first if order == PairingOrder::OldestFirst && first < calls.len() => calls.remove(first),
            _ => calls.pop_back(),
        };
        let of_id = id.and_then(|id| self.by_id.get_mut(&id));
        if let Some(call) = of_id.and_then(|calls| take(&mut self.calls, || next(calls))) {
            return Some(call);
        }
        if id.is_some() && self.has_ids {
            return None;
        }
        let queue = match name {
            Some(name) => self.by_name.get_mut(&name)?,
            None => &mut self.all,
        };
        take(&mut self.calls, || match order {
            PairingOrder::NearestFirst => queue.pop_back(),
            PairingOrder::OldestFirst => queue.pop_front(),
        })
    }

    /// The calls without a result, in order.
    pub fn into_remaining(self) -> impl Iterator<Item = C> {
        self.calls.into_iter().flatten()
    }
}

/// Takes the first of the calls with the indices `next` that has no result yet.
fn take<C>(calls: &mut [Option<C>], next: impl FnMut() -> Option<usize>) -> Option<C> {
    std::iter::from_fn(next).find_map(|index| calls.get_mut(index)?.take())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `blocks` are calls (`a1`, or `a1#` with their text as id) and results (`=`, `=a` with a
    /// name, or `=#a1#` with an id); `expected` are the calls of the results, in order, then those
    /// without a result.
    #[track_caller]
    fn check(order: PairingOrder, blocks: &str, expected: &str) {
        let mut pending = PendingCalls::default();
        let mut found = Vec::new();
        for block in blocks.split(' ') {
            match block.strip_prefix('=') {
                Some(name) => {
                    let id = name.strip_prefix('#');
                    let name = Some(name).filter(|name| !name.is_empty() && id.is_none());
                    found.push(pending.take(id, name, order).unwrap_or("-"));
                }
                None => pending.add(block, Some(block).filter(|it| it.ends_with('#')), &block[..1]),
            }
        }
        let left: Vec<_> = pending.into_remaining().collect();
        assert_eq!(format!("{} | {}", found.join(" "), left.join(" ")), expected);
    }

    #[test]
    fn the_nearest_call_gets_the_result() {
        let check = |blocks, expected| check(PairingOrder::NearestFirst, blocks, expected);
        check("a1 a2 b1 = = =", "b1 a2 a1 | ");
        check("a1 b1 =a b2 = =", "a1 b2 b1 | ");
        check("a1 =b", "- | a1");
    }

    #[test]
    fn results_come_in_the_order_of_their_calls() {
        let check = |blocks, expected| check(PairingOrder::OldestFirst, blocks, expected);
        check("a1 a2 b1 = = = =", "a1 a2 b1 - | ");
        check("a1 b1 a2 =b = =", "b1 a1 a2 | ");
        // A call that never got its result takes none of a later run.
        check("a1 a2 = b1 = =", "a1 b1 - | a2");
        check("a1 =b a2 =a", "- a2 | a1");
    }

    #[test]
    fn results_with_ids_belong_to_the_calls_with_them() {
        for order in [PairingOrder::NearestFirst, PairingOrder::OldestFirst] {
            check(order, "a1# b1# =#b1# =#a1#", "b1# a1# | ");
            // A call of an earlier run that got no result then.
            check(order, "a1# b1# =#b1# a2# =#a1# =#a2#", "b1# a1# a2# | ");
            check(order, "a1# =#c1# a2# =#a2# =#a2#", "- a2# - | a1#");
        }
        // An id of several calls.
        check(PairingOrder::OldestFirst, "a# a# =#a# =#a# a# =#a#", "a# a# a# | ");
        // Ids of results alone, and of calls alone, say nothing.
        check(PairingOrder::OldestFirst, "a1 b1 =#c1# =#c2#", "a1 b1 | ");
        check(PairingOrder::OldestFirst, "a1# b1# = =a a2# b2# =#b2# =", "a1# - b2# a2# | b1#");
    }
}
