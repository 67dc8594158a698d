//! Fingerprints, which identify diagnostics across edits elsewhere in the file: they consist of the
//! file, the code, the text of the line, and a counter for diagnostics that share all of these.

use std::collections::HashMap;
use std::hash::Hasher;

use fnv::FnvHasher;

use crate::diagnostic::Diagnostic;
use crate::text::Text;

/// Counts diagnostics with equal hashes.
#[derive(Debug, Default)]
pub(in crate::cli) struct Fingerprints {
    seen: HashMap<u64, u32>,
}

impl Fingerprints {
    /// Returns the fingerprint of `problem`, the next diagnostic of the file `file`. It is the same
    /// in all versions and on all machines.
    pub fn of(&mut self, file: &str, text: Option<&Text>, problem: &Diagnostic) -> String {
        let line = text.map(|text| text.slice(text.line_content(text.line_of_byte(problem.range.start))));
        let mut hasher = FnvHasher::default();
        for part in [file, problem.code.name(), line.as_deref().unwrap_or_default().trim()] {
            hasher.write(part.as_bytes());
            hasher.write_u8(0xff);
        }
        let hash = hasher.finish();
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        format!("{hash:016x}:{number}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Severity};

    #[test]
    fn fingerprints_do_not_depend_on_lines_above() {
        let prints = |text: &str| {
            let mut fingerprints = Fingerprints::default();
            let at: Vec<_> = text.match_indices('x').map(|(at, _)| at).collect();
            let problem = |at: &usize| Diagnostic::new(Code::BadState, Severity::Error, *at..*at + 1, "m");
            at.iter()
                .map(|at| fingerprints.of("a.md", Some(&Text::new(text)), &problem(at)))
                .collect::<Vec<_>>()
        };
        let before = prints("a x\nb x\na x\n");
        assert_eq!(before, prints("\nnew\n  a x\r\nb x\na x"));
        assert!(before[0] != before[1] && before[0] != before[2], "{before:?}");
        // Fingerprints are stored in baselines, so they must not change between versions.
        assert_eq!(before[0], "4d3fec4b6b816554:1");
    }
}
