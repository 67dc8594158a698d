//! A repair in one sentence, for messages of editors.

use super::{Repair, RepairStep};

/// Maximum number of lines that are named for one kind of change.
const MOST_LINES: usize = 4;

impl Repair {
    /// The changes to make: `3 changes: …`.
    pub fn plan(&self) -> String {
        format!("{}: {}", changes(self.steps.len()), listed(&self.steps))
    }

    /// The titles of the changes to make, each with the lines of its changes.
    pub fn kinds(&self) -> Vec<(&str, Vec<usize>)> {
        kinds_of(&self.steps)
    }

    /// The changes that were made, and the problems that remain.
    pub fn outcome(&self) -> String {
        let made = match (self.steps.len(), self.left.len()) {
            (0, 0) => return "nothing to repair".to_owned(),
            (0, _) => "nothing was changed".to_owned(),
            (count, _) => format!("{} made: {}", changes(count), listed(&self.steps)),
        };
        if self.left.is_empty() { made } else { format!("{made}; {}", listed(&self.left)) }
    }
}

/// `1 change`, `2 changes`.
pub fn changes(count: usize) -> String {
    format!("{count} {}", if count == 1 { "change" } else { "changes" })
}

/// The titles of `steps`, each with its lines: `Remove the result (lines 3, 8)`.
fn listed(steps: &[RepairStep]) -> String {
    let of_kind = |(title, lines): (&str, Vec<usize>)| format!("{title} ({})", lines_in_words(&lines));
    kinds_of(steps).into_iter().map(of_kind).collect::<Vec<_>>().join("; ")
}

/// The titles of `steps`, each with the lines of its steps.
fn kinds_of(steps: &[RepairStep]) -> Vec<(&str, Vec<usize>)> {
    let mut kinds: Vec<(&str, Vec<usize>)> = Vec::new();
    for step in steps {
        match kinds.iter_mut().find(|(title, _)| *title == step.title) {
            Some((_, lines)) => lines.push(step.line),
            None => kinds.push((&step.title, vec![step.line])),
        }
    }
    kinds
}

/// `line 3`, `lines 3, 8`.
pub fn lines_in_words(lines: &[usize]) -> String {
    let named = lines.iter().take(MOST_LINES).map(usize::to_string).collect::<Vec<_>>().join(", ");
    match lines.len() {
        1 => format!("line {named}"),
        count if count > MOST_LINES => format!("lines {named} and {} more", count - MOST_LINES),
        _ => format!("lines {named}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_one_kind_are_counted_together() {
        let step = |line, title: &str| RepairStep { line, code: None, title: title.to_owned() };
        let steps = [step(3, "Remove"), step(1, "Add"), step(8, "Remove")];
        assert_eq!(listed(&steps), "Remove (lines 3, 8); Add (line 1)");
        let many: Vec<_> = (1..=7).map(|line| step(line, "Add")).collect();
        assert_eq!(listed(&many), "Add (lines 1, 2, 3, 4 and 3 more)");
    }
}
