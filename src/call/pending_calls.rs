//! The calls that wait for a result where a result belongs to the nearest earlier call without one.

use std::collections::HashMap;

/// The calls of one dialect that have no result yet, each by a `C` of its own.
#[derive(Debug)]
pub struct PendingCalls<'d, C> {
    by_name: HashMap<&'d str, Vec<C>>,
    /// All, in order; those that got their result by name are passed over later.
    all: Vec<(C, &'d str)>,
}

impl<C> Default for PendingCalls<'_, C> {
    fn default() -> Self {
        Self { by_name: HashMap::new(), all: Vec::new() }
    }
}

impl<'d, C: Copy + PartialEq> PendingCalls<'d, C> {
    /// Adds the next call.
    pub fn add(&mut self, call: C, name: &'d str) {
        self.by_name.entry(name).or_default().push(call);
        self.all.push((call, name));
    }

    /// Takes the nearest call of that name, or of any name where there is none.
    pub fn take(&mut self, name: Option<&str>) -> Option<C> {
        if let Some(name) = name {
            return self.by_name.get_mut(name)?.pop();
        }
        while let Some((call, name)) = self.all.pop() {
            let of_name = self.by_name.get_mut(name)?;
            if of_name.last() == Some(&call) {
                return of_name.pop();
            }
        }
        None
    }

    /// Those that are left, in no order.
    pub fn into_remaining(self) -> impl Iterator<Item = C> {
        self.by_name.into_values().flatten()
    }
}
