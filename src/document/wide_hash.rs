//! Hashes that stand for ids, names and calls where these are not held.

use std::hash::Hash;

use crate::call::fixed_hash;

/// A hash of 128 bits, by which values are compared. Of a hash of 64 bits, a hostile file could
/// have two values with the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WideHash([u64; 2]);

impl WideHash {
    pub fn of(value: &(impl Hash + ?Sized)) -> Self {
        Self([0u8, 1].map(|half| fixed_hash(&(half, value))))
    }

    /// Half of the hash, for values that are only compared together with others.
    pub fn half(self) -> u64 {
        self.0[0]
    }
}
