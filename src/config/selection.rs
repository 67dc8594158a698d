//! A selection of codes in addition to configurations: `--select` and `--ignore` of the command
//! line.
//!
//! As in ruff, a named code has precedence over `ALL`; with equal precedence, `--ignore` wins over
//! `--select`. A selected code that is off gets its default severity, or warning if the default is
//! off, too.

use std::collections::BTreeSet;

use super::Settings;
use crate::diagnostic::{Code, Severity};

/// The selected and ignored codes; the default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The only codes to report; if empty, all that the configuration enables.
    pub select: Codes,
    /// The codes not to report.
    pub ignore: Codes,
}

/// A set of codes, as named by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codes {
    /// True if all codes are included.
    pub all: bool,
    /// The named codes.
    pub named: BTreeSet<Code>,
}

impl Codes {
    fn is_empty(&self) -> bool {
        !self.all && self.named.is_empty()
    }
}

impl Selection {
    /// The severity of `code`, given its severity in the configuration; `None` is off.
    pub fn severity(&self, code: Code, configured: Option<Severity>) -> Option<Severity> {
        let on = || configured.or(code.default_severity()).or(Some(Severity::Warning));
        match () {
            () if self.ignore.named.contains(&code) => None,
            () if self.select.named.contains(&code) => on(),
            () if self.ignore.all => None,
            () if self.select.all => on(),
            () if self.select.is_empty() => configured,
            () => None,
        }
    }

    /// Changes the severities of `settings`.
    pub fn apply(&self, settings: &mut Settings) {
        if *self == Self::default() {
            return;
        }
        for code in Code::ALL.iter().copied() {
            let severity = self.severity(code, settings.severity(code));
            settings.lint.insert(code, severity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(names: &[&str]) -> Codes {
        let named = names.iter().filter_map(|name| Code::from_name(name)).collect();
        Codes { all: names.contains(&"ALL"), named }
    }

    #[track_caller]
    fn check(
        select: &[&str],
        ignore: &[&str],
        code: &str,
        configured: Option<Severity>,
        expected: Option<Severity>,
    ) {
        let selection = Selection { select: codes(select), ignore: codes(ignore) };
        let actual = selection.severity(Code::from_name(code).unwrap(), configured);
        assert_eq!(actual, expected, "{code}: --select {select:?} --ignore {ignore:?}");
    }

    #[test]
    fn named_codes_have_precedence_over_all() {
        let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
        check(&[], &[], "secret", error, error);
        check(&[], &[], "secret", None, None);
        check(&["secret"], &[], "secret", error, error);
        check(&["secret"], &[], "secret", None, warning);
        check(&["secret"], &[], "bad-state", error, None);
        check(&["first-brace"], &[], "first-brace", None, warning);
        check(&["ALL"], &[], "first-brace", None, warning);
        check(&["ALL"], &["secret"], "secret", warning, None);
        check(&["secret"], &["ALL"], "secret", warning, warning);
        check(&["secret"], &["ALL"], "bad-state", error, None);
        check(&["secret"], &["secret"], "secret", warning, None);
        check(&[], &["secret"], "secret", warning, None);
        check(&[], &["secret"], "bad-state", error, error);
        check(&[], &["ALL"], "bad-state", error, None);
        check(&["ALL"], &["ALL"], "bad-state", error, None);
    }
}
