//! Pending calls, for dialects whose results are paired with calls by position.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use crate::call::pairing::PairingOrder;

/// The calls of one dialect that have no result yet, each represented by a `C`, and its name by an
/// `N`.
#[derive(Debug)]
pub struct PendingCalls<N, C> {
    by_name: HashMap<N, VecDeque<C>>,
    /// All calls, in order; calls that got their result by name are skipped later.
    all: VecDeque<(C, N)>,
    /// True if the next call begins a new run of calls in [`PairingOrder::OldestFirst`].
    is_run_over: bool,
    /// The calls of earlier runs, which get no result any more.
    left: Vec<C>,
}

impl<N, C> Default for PendingCalls<N, C> {
    fn default() -> Self {
        Self { by_name: HashMap::new(), all: VecDeque::new(), is_run_over: false, left: Vec::new() }
    }
}

impl<N: Copy + Eq + Hash, C: Copy + PartialEq> PendingCalls<N, C> {
    /// Adds the next call.
    pub fn add(&mut self, call: C, name: N) {
        if self.is_run_over {
            self.left.extend(self.by_name.drain().flat_map(|(_, calls)| calls));
            self.all.clear();
            self.is_run_over = false;
        }
        self.by_name.entry(name).or_default().push_back(call);
        self.all.push_back((call, name));
    }

    /// Removes and returns the first call, according to `order`, with the name `name`; any call for
    /// `None`.
    pub fn take(&mut self, name: Option<N>, order: PairingOrder) -> Option<C> {
        self.is_run_over = order == PairingOrder::OldestFirst;
        if let Some(name) = name {
            return pop(self.by_name.get_mut(&name)?, order);
        }
        while let Some((call, name)) = pop(&mut self.all, order) {
            let of_name = self.by_name.get_mut(&name)?;
            let next = match order {
                PairingOrder::NearestFirst => of_name.back(),
                PairingOrder::OldestFirst => of_name.front(),
            };
            if next == Some(&call) {
                return pop(of_name, order);
            }
        }
        None
    }

    /// The remaining calls, in any order.
    pub fn into_remaining(self) -> impl Iterator<Item = C> {
        self.by_name.into_values().flatten().chain(self.left)
    }
}

fn pop<T>(calls: &mut VecDeque<T>, order: PairingOrder) -> Option<T> {
    match order {
        PairingOrder::NearestFirst => calls.pop_back(),
        PairingOrder::OldestFirst => calls.pop_front(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `blocks` are calls (`a1`) and results (`=`, or `=a` with a name); `expected` are the calls
    /// of the results, in order, then those without a result.
    #[track_caller]
    fn check(order: PairingOrder, blocks: &str, expected: &str) {
        let mut pending = PendingCalls::default();
        let mut found = Vec::new();
        for block in blocks.split(' ') {
            match block.strip_prefix('=') {
                Some(name) => {
                    let name = Some(name).filter(|name| !name.is_empty());
                    found.push(pending.take(name, order).unwrap_or("-"));
                }
                None => pending.add(block, &block[..1]),
            }
        }
        let mut left: Vec<_> = pending.into_remaining().collect();
        left.sort_unstable();
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
}
