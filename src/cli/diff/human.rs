//! `--format human` of `diff`.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::DiffSide;
use crate::call::ToolUse;
use crate::cli::console::printable;
use crate::features::compare::{Comparison, Difference, UsePair, id_of, label_of};
use crate::text::{cut, shared_prefix};

const HEAD: Style = Style::new().bold();
const PLACE: Style = AnsiColor::Cyan.on_default();
const LEFT: Style = AnsiColor::Red.on_default();
const RIGHT: Style = AnsiColor::Green.on_default();

/// Maximum number of characters of a printed value.
const WIDTH: usize = 160;
/// Number of common characters that are printed before the first difference.
const SHARED: usize = 30;

/// Writes the differences between `left` and `right`.
pub(super) fn write(
    out: &mut dyn Write,
    left: &DiffSide,
    right: &DiffSide,
    found: &Comparison,
) -> io::Result<()> {
    if !found.is_same() {
        writeln!(out, "{LEFT}--- {}{LEFT:#}", printable(&left.shown))?;
        writeln!(out, "{RIGHT}+++ {}{RIGHT:#}\n", printable(&right.shown))?;
    }
    for pair in found.differing() {
        write_pair(out, left, right, pair)?;
    }
    alone(out, '-', LEFT, left, &found.only_left)?;
    alone(out, '+', RIGHT, right, &found.only_right)?;
    writeln!(out, "{}", sentence(found))
}

fn write_pair(out: &mut dyn Write, left: &DiffSide, right: &DiffSide, pair: &UsePair) -> io::Result<()> {
    let id = id_of(&pair.left).filter(|_| pair.by_id).map(|id| format!(" {}", printable(id)));
    let lines = (left.line(pair.left.range.start), right.line(pair.right.range.start));
    let (label, id) = (label_of(&pair.left), id.unwrap_or_default());
    let label = printable(&label);
    writeln!(out, "{HEAD}{label}{HEAD:#}{id} {PLACE}@ {} | {}{PLACE:#}", lines.0, lines.1)?;
    for Difference { path, left, right } in &pair.differences {
        writeln!(out, "  {}", printable(path))?;
        let (one, other) = excerpts(left.as_deref(), right.as_deref());
        if let Some(one) = one {
            writeln!(out, "    {LEFT}- {}{LEFT:#}", printable(&one))?;
        }
        if let Some(other) = other {
            writeln!(out, "    {RIGHT}+ {}{RIGHT:#}", printable(&other))?;
        }
    }
    if pair.more > 0 {
        writeln!(out, "  … {} more differences", pair.more)?;
    }
    writeln!(out)
}

fn alone(out: &mut dyn Write, sign: char, style: Style, side: &DiffSide, list: &[ToolUse]) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    writeln!(out, "{HEAD}only in {}{HEAD:#}", printable(&side.shown))?;
    for one in list {
        let (label, line) = (label_of(one), side.line(one.range.start));
        let label = printable(&label);
        writeln!(out, "  {style}{sign} {label}{style:#} {PLACE}@ {line}{PLACE:#}")?;
    }
    writeln!(out)
}

/// Shortens two values to one line each. If both are long, the excerpts start shortly before the
/// first difference.
fn excerpts(left: Option<&str>, right: Option<&str>) -> (Option<String>, Option<String>) {
    let shared = match (left, right) {
        (Some(left), Some(right)) => shared_prefix(left.chars(), right.chars()),
        _ => 0,
    };
    let skipped = shared.saturating_sub(SHARED);
    let excerpt = |value: &str| match skipped {
        0 => cut(value, WIDTH),
        _ => format!("…{}", cut(&value.chars().skip(skipped).take(WIDTH + 1).collect::<String>(), WIDTH)),
    };
    (left.map(excerpt), right.map(excerpt))
}

/// The summary, such as `2 tool uses differ, 3 are the same, 1 only in the first, 1 only in the
/// second`.
fn sentence(found: &Comparison) -> String {
    let differing = found.differing().count();
    let same = found.pairs.len() - differing;
    if found.is_same() {
        return match same {
            0 => "no tool uses in either".to_owned(),
            1 => "no differences in 1 tool use".to_owned(),
            _ => format!("no differences in {same} tool uses"),
        };
    }
    let counted = [
        (differing, "differs", "differ"),
        (same, "is the same", "are the same"),
        (found.only_left.len(), "is only in the first", "are only in the first"),
        (found.only_right.len(), "is only in the second", "are only in the second"),
    ];
    let counted = counted.into_iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<_> = counted
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    format!("tool uses: {}", parts.join(", "))
}
