//! Broken invariants: they panic in debug builds and tests, and are logged in release builds.
//!
//! For values that cannot be missing, in code that must go on without them for users: a silent
//! default there would hide the bug from tests and fuzzers. A default that can occur stays
//! `unwrap_or_default`. Messages never contain document text.

use std::panic::Location;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Evaluates to whether `condition` holds, which would be a bug in chatls: panics in debug builds,
/// and logs the site once in release builds. Without a condition: code that is never reached.
macro_rules! never {
    ($message:literal) => {
        $crate::never::never!(true, $message)
    };
    ($condition:expr, $message:literal) => {{
        let is_broken: bool = $condition;
        if is_broken {
            $crate::never::report($message);
        }
        is_broken
    }};
}

pub(crate) use never;

/// Values that are only missing if there is a bug in chatls.
pub(crate) trait OrNever: Sized {
    /// The type of the value.
    type Value;

    /// The value; if it is missing, reports a bug like [`never!`] and returns the default.
    #[track_caller]
    fn or_never(self) -> Self::Value
    where
        Self::Value: Default;

    /// The value; if it is missing, reports a bug like [`never!`] and returns `fallback`.
    #[track_caller]
    fn or_never_but(self, fallback: Self::Value) -> Self::Value;

    /// The value as an option; if it is missing, reports a bug like [`never!`].
    #[track_caller]
    fn never_none(self) -> Option<Self::Value>;
}

impl<T> OrNever for Option<T> {
    type Value = T;

    #[inline(always)]
    fn or_never(self) -> T
    where
        T: Default,
    {
        match self {
            Some(value) => value,
            None => {
                report(MISSING);
                T::default()
            }
        }
    }

    #[inline(always)]
    fn or_never_but(self, fallback: T) -> T {
        match self {
            Some(value) => value,
            None => {
                report(MISSING);
                fallback
            }
        }
    }

    #[inline(always)]
    fn never_none(self) -> Self {
        if self.is_none() {
            report(MISSING);
        }
        self
    }
}

impl<T, E> OrNever for Result<T, E> {
    type Value = T;

    #[inline(always)]
    fn or_never(self) -> T
    where
        T: Default,
    {
        self.ok().or_never()
    }

    #[inline(always)]
    fn or_never_but(self, fallback: T) -> T {
        self.ok().or_never_but(fallback)
    }

    #[inline(always)]
    fn never_none(self) -> Option<T> {
        self.ok().never_none()
    }
}

/// Locks `mutex`, also after a thread panicked with it: that bug was reported by the panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const MISSING: &str = "a value is missing";

/// Reports a broken invariant at the caller's location.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn report(message: &'static str) {
    let location = Location::caller();
    if cfg!(debug_assertions) {
        panic!("bug in chatls: {message}");
    }
    if is_first(location) {
        tracing::error!("bug in chatls: {message}, at {location}");
    }
}

/// True if `location` is reported for the first time in this process.
fn is_first(location: &'static Location<'static>) -> bool {
    static REPORTED: Mutex<Vec<&Location<'_>>> = Mutex::new(Vec::new());
    let mut reported = lock(&REPORTED);
    let is_first = !reported.contains(&location);
    if is_first {
        reported.push(location);
    }
    is_first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_conditions_pass() {
        assert_eq!(Some(3).or_never(), 3);
        assert_eq!(Ok::<_, ()>("a").or_never_but("b"), "a");
        assert!(!never!(1 > 2, "numbers are ordered"));
    }

    #[test]
    #[should_panic(expected = "bug in chatls: numbers are not ordered")]
    fn a_condition_that_holds_panics_in_debug_builds() {
        never!(1 < 2, "numbers are not ordered");
    }

    #[test]
    #[should_panic(expected = "bug in chatls: unreachable")]
    fn code_that_is_reached_panics_in_debug_builds() {
        never!("unreachable");
    }

    #[test]
    #[should_panic(expected = "bug in chatls: a value is missing")]
    fn a_missing_value_panics_in_debug_builds() {
        None::<u8>.or_never();
    }

    #[test]
    #[should_panic(expected = "bug in chatls: a value is missing")]
    fn an_error_panics_in_debug_builds() {
        Err::<u8, _>("text").or_never_but(3);
    }

    #[test]
    #[should_panic(expected = "bug in chatls: a value is missing")]
    fn a_missing_option_panics_in_debug_builds() {
        None::<u8>.never_none();
    }

    #[test]
    fn a_site_is_first_once() {
        let site = Location::caller();
        assert!(is_first(site));
        assert!(!is_first(site));
        assert!(is_first(Location::caller()));
    }
}
