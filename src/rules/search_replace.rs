//! Blocks of search and replacement texts, as `edit_file` gets them.
//!
//! Lines `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, in this order, any number of times. The
//! texts may contain further dividers.

/// The first line of a block.
pub const SEARCH: &str = "<<<<<<< SEARCH";
const DIVIDER: &str = "=======";
const REPLACE: &str = ">>>>>>> REPLACE";

/// One block: its lines between the first marker and the last, with at least one divider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReplace<'a> {
    lines: Vec<&'a str>,
    /// The indices of the dividers.
    dividers: Vec<usize>,
}

impl SearchReplace<'_> {
    /// The number of dividers, at least one.
    pub fn divider_count(&self) -> usize {
        self.dividers.len()
    }

    /// The search and the replacement text for each divider, with `\n` between lines.
    pub fn splits(&self) -> impl Iterator<Item = (String, String)> {
        let lines = |range: std::ops::Range<usize>| self.lines.get(range).unwrap_or_default().join("\n");
        self.dividers.iter().map(move |at| (lines(0..*at), lines(at + 1..self.lines.len())))
    }
}

/// The blocks of `text`.
///
/// # Errors
///
/// The first marker that is missing or out of order.
pub fn blocks(text: &str) -> Result<Vec<SearchReplace<'_>>, &'static str> {
    let mut due = SEARCH;
    let mut blocks = Vec::new();
    let mut block = SearchReplace::default();
    for line in text.split('\n').flat_map(without_return) {
        due = match (due, line.trim_end()) {
            (SEARCH, SEARCH) => DIVIDER,
            (REPLACE, REPLACE) => {
                blocks.push(std::mem::take(&mut block));
                SEARCH
            }
            // The search and replacement texts may contain dividers.
            (_, SEARCH | REPLACE) => return Err(due),
            (SEARCH, _) => SEARCH,
            (_, DIVIDER) => {
                block.dividers.push(block.lines.len());
                block.lines.push(line);
                REPLACE
            }
            _ => {
                block.lines.push(line);
                due
            }
        };
    }
    if due != SEARCH || blocks.is_empty() { Err(due) } else { Ok(blocks) }
}

/// Splits a line that ends in `\n`: a carriage return before the line end belongs to it, any other
/// carriage return ends a line itself.
fn without_return(line: &str) -> impl Iterator<Item = &str> {
    line.strip_suffix('\r').unwrap_or(line).split('\r')
}

/// The message for the marker `missing`.
pub fn message(missing: &str) -> String {
    format!(
        "`{missing}` is missing or out of order: the block needs the lines `{SEARCH}`, `{DIVIDER}` and `{REPLACE}`, in this order"
    )
}
