//! The calls that wait for a result where a result belongs to the nearest earlier call without one.

use std::collections::HashMap;

/// The calls of one dialect that have no result yet, each with its index.
#[derive(Debug, Default)]
pub struct OpenCalls<'d> {
    by_name: HashMap<&'d str, Vec<usize>>,
    /// All, in order; those that got their result by name are passed over later.
    all: Vec<(usize, &'d str)>,
}

impl<'d> OpenCalls<'d> {
    /// Adds the next call.
    pub fn add(&mut self, call: usize, name: &'d str) {
        self.by_name.entry(name).or_default().push(call);
        self.all.push((call, name));
    }

    /// Takes the nearest call of that name, or of any name where there is none.
    pub fn take(&mut self, name: Option<&str>) -> Option<usize> {
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
    pub fn into_rest(self) -> impl Iterator<Item = usize> {
        self.by_name.into_values().flatten()
    }
}
