//! `--format table`: for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::words;
use crate::cli::columns::{Columns, TableCell, cut_to};
use crate::features::statistics::counts::{GroupStats, OutcomeCounts};
use crate::features::statistics::groups::GroupBy;
use crate::features::statistics::report::{StatsReport, bytes, grouped, others};
use crate::features::statistics::sizes::SizeHistogram;

const DONE: Style = AnsiColor::Blue.on_default();
const FAILED: Style = AnsiColor::Red.on_default();
const PENDING: Style = AnsiColor::Yellow.on_default();
const DIM: Style = AnsiColor::BrightBlack.on_default();
const TITLE: Style = Style::new().bold();
/// Maximum width of a group's name.
const NAME: usize = 40;
/// Minimum and maximum length of bars.
const BAR: std::ops::RangeInclusive<usize> = 8..=40;

/// Writes `report` in lines of at most `room` columns, if possible.
pub(super) fn write(report: &StatsReport<'_>, room: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", headline(report))?;
    if !report.groups.is_empty() {
        writeln!(out, "\n{}", groups(report, room))?;
        writeln!(out, "{}", sizes(report, room))?;
        if report.counts.outcomes.failed > 0 {
            writeln!(out, "{}", failures(report, room))?;
        }
        if report.counts.dialects.len() > 1 {
            writeln!(out, "{}", dialects(report, room))?;
        }
        write!(out, "{}", documents(report, room))?;
    }
    Ok(())
}

fn headline(report: &StatsReport<'_>) -> String {
    let outcomes = &report.counts.outcomes;
    let mut line = format!("{TITLE}{}{TITLE:#}", report.headline());
    let parts = [
        (outcomes.done, "done", Style::new()),
        (outcomes.failed, "failed", FAILED),
        (outcomes.pending, "pending", PENDING),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<_> =
        parts.map(|(count, word, style)| format!("{style}{} {word}{style:#}", grouped(count))).collect();
    if !parts.is_empty() {
        line.push_str(&format!(": {}", parts.join(", ")));
    }
    match outcomes.without_call {
        0 => {}
        1 => line.push_str("; 1 is a result without a call"),
        some => line.push_str(&format!("; {} are results without a call", grouped(some))),
    }
    line
}

fn groups(report: &StatsReport<'_>, room: usize) -> String {
    let drawn = columns_of_groups(report, None);
    let spare = room.saturating_sub(drawn.width() + 2).min(*BAR.end());
    let drawn = if spare < *BAR.start() { drawn } else { columns_of_groups(report, Some(spare)) };
    drawn.draw(room)
}

fn columns_of_groups(report: &StatsReport<'_>, bar: Option<usize>) -> Columns {
    let by = report.counts.by;
    let mut header = outcomes_header(by.name());
    // Tools have no turns.
    let has_turns = by != GroupBy::Tool;
    if has_turns {
        header.insert(1, TableCell::number("turns"));
    }
    let turns = |group: &GroupStats| has_turns.then(|| TableCell::number(grouped(group.turns)));
    if bar.is_some() {
        header.push(TableCell::bar(Vec::new()));
    }
    let mut columns = Columns::new(header);
    for (name, tool) in &report.groups {
        let mut row = vec![name_cell(report, *name)];
        row.extend(turns(tool));
        row.extend(outcomes(&tool.outcomes));
        row.extend(bar.map(|room| TableCell::bar(bar_of(&tool.outcomes, report.most_uses(), room))));
        columns.push(row);
    }
    if let Some((count, all)) = &report.other_groups {
        let mut row = vec![others_cell(*count)];
        row.extend(turns(all));
        row.extend(outcomes(&all.outcomes));
        columns.push(row);
    }
    columns
}

fn outcomes_header(subject: &str) -> Vec<TableCell> {
    let numbers = ["calls", "done", "failed", "", "pending"].map(TableCell::number);
    std::iter::once(TableCell::text(subject)).chain(numbers).collect()
}

/// The cells of calls, done, failed, failure rate, pending.
fn outcomes(outcomes: &OutcomeCounts) -> [TableCell; 5] {
    let of = |count: u64, style: Style| {
        TableCell::number(grouped(count)).styled(if count == 0 { DIM } else { style })
    };
    let part = match (outcomes.failed, outcomes.failed * 100 / outcomes.all().max(1)) {
        (0, _) => String::new(),
        (_, 0) => "<1%".to_owned(),
        (_, percent) => format!("{percent}%"),
    };
    [
        of(outcomes.all(), Style::new()),
        of(outcomes.done, Style::new()),
        of(outcomes.failed, FAILED),
        TableCell::number(part).styled(FAILED),
        of(outcomes.pending, PENDING),
    ]
}

/// The bar of a group, where `most` uses take `room` columns. Counts above zero are always visible.
fn bar_of(outcomes: &OutcomeCounts, most: u64, room: usize) -> Vec<(String, Style)> {
    let parts =
        [(outcomes.done, '█', DONE), (outcomes.failed, '▓', FAILED), (outcomes.pending, '░', PENDING)];
    let length = |count: u64| {
        let part = u128::from(count) * room as u128 * 2 / u128::from(most.max(1));
        usize::try_from(part.div_ceil(2)).unwrap_or(room)
    };
    let some = parts.iter().filter(|(count, ..)| *count > 0).count();
    let mut rest = length(outcomes.all()).max(some);
    let mut others = some;
    let parts = parts.into_iter().rev().filter(|(count, ..)| *count > 0).map(|(count, sign, style)| {
        others -= 1;
        let cells = if others == 0 { rest } else { length(count).clamp(1, rest - others) };
        rest -= cells;
        (sign.to_string().repeat(cells), style)
    });
    let mut parts: Vec<_> = parts.collect();
    parts.reverse();
    parts
}

/// A measured size of a group: its label, and the histogram.
type Measure = (&'static str, fn(&GroupStats) -> &SizeHistogram);

const MEASURES: [Measure; 2] = [("inputs", |tool| &tool.input), ("outputs", |tool| &tool.output)];

/// Formats the sizes of inputs and outputs: side by side if there is enough room for most names,
/// else one below the other.
fn sizes(report: &StatsReport<'_>, room: usize) -> String {
    let both = columns_of_sizes(report, &MEASURES);
    if both.width() <= room + NAME / 2 {
        return both.draw(room);
    }
    MEASURES.map(|measure| columns_of_sizes(report, &[measure]).draw(room)).join("\n")
}

fn columns_of_sizes(report: &StatsReport<'_>, measures: &[Measure]) -> Columns {
    let mut header = vec![TableCell::text("bytes")];
    for (word, _) in measures {
        header.extend([word, "median", "p95", "max"].map(TableCell::number));
    }
    let mut columns = Columns::new(header);
    let names = report.groups.iter().map(|(name, tool)| (name_cell(report, *name), *tool));
    let rest = report.other_groups.iter().map(|(count, all)| (others_cell(*count), all));
    for (name, tool) in names.chain(rest) {
        let sizes = measures.iter().flat_map(|(_, measure)| in_bytes(measure(tool)));
        columns.push(std::iter::once(name).chain(sizes).collect());
    }
    columns
}

fn name_cell(report: &StatsReport<'_>, name: Option<&str>) -> TableCell {
    TableCell::text(cut_to(&words::shown(report.counts.by, name), NAME))
}

/// The cells of sum, median, 95th percentile, maximum.
fn in_bytes(sizes: &SizeHistogram) -> [TableCell; 4] {
    let shown = |size: Option<u64>| match size {
        Some(size) => TableCell::number(bytes(size)),
        None => TableCell::number("–").styled(DIM),
    };
    let some = (sizes.count > 0).then_some(());
    [some.map(|()| sizes.sum), sizes.median(), sizes.p95(), some.map(|()| sizes.max)].map(shown)
}

fn failures(report: &StatsReport<'_>, room: usize) -> String {
    let mut columns =
        Columns::new(vec![TableCell::number("failed"), TableCell::text("tool"), TableCell::text("with")]);
    for (tool, kind, failure) in &report.failures {
        let name = cut_to(&words::shown(GroupBy::Tool, *tool), NAME / 2);
        columns.push(vec![
            TableCell::number(grouped(failure.count)).styled(FAILED),
            TableCell::text(name),
            TableCell::text(crate::cli::console::printable(kind)),
        ]);
    }
    if report.other_failures > 0 {
        let count = TableCell::number(grouped(report.other_failures)).styled(FAILED);
        columns.push(vec![count, TableCell::text("others").styled(DIM)]);
    }
    columns.draw(room)
}

fn dialects(report: &StatsReport<'_>, room: usize) -> String {
    let mut columns = Columns::new(outcomes_header("dialect"));
    for (dialect, of) in &report.counts.dialects {
        let mut row = vec![TableCell::text(*dialect)];
        row.extend(outcomes(of));
        columns.push(row);
    }
    columns.draw(room)
}

fn documents(report: &StatsReport<'_>, room: usize) -> String {
    let counts = report.counts;
    let mut header = vec![TableCell::text("")];
    header.extend(["number", "all", "median", "p95", "max"].map(TableCell::number));
    let mut columns = Columns::new(header);
    let mut push = |name: &str, sizes: &SizeHistogram, shown: fn(u64) -> String| {
        if sizes.count > 0 {
            let numbers = [Some(sizes.sum), sizes.median(), sizes.p95(), Some(sizes.max)];
            let mut row = vec![TableCell::text(name), TableCell::number(grouped(sizes.count))];
            row.extend(numbers.map(|number| TableCell::number(number.map(shown).unwrap_or_default())));
            columns.push(row);
        }
    };
    push("documents, in bytes", &counts.documents, bytes);
    push("documents with calls, in calls", &counts.calls, grouped);
    push("batches, in calls", &counts.batches, grouped);
    columns.draw(room)
}

fn others_cell(count: usize) -> TableCell {
    TableCell::text(others(count)).styled(DIM)
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::features::statistics::counts::StatsCounts;
    use crate::features::statistics::report::Sort;

    #[track_caller]
    fn check_bar((done, failed, pending): (u64, u64, u64), most: u64, expected: &str) {
        let bar = bar_of(&OutcomeCounts { done, failed, pending, without_call: 0 }, most, 10);
        assert_eq!(bar.into_iter().map(|(text, _)| text).collect::<String>(), expected);
    }

    #[test]
    fn bars_show_all_counts_above_zero() {
        check_bar((10, 0, 0), 10, "██████████");
        check_bar((5, 3, 2), 10, "█████▓▓▓░░");
        check_bar((1, 0, 0), 1000, "█");
        check_bar((1, 1, 1), 1_000_000, "█▓░");
        check_bar((999_998, 1, 1), 1_000_000, "████████▓░");
        check_bar((1, 999_998, 1), 1_000_000, "█▓▓▓▓▓▓▓▓░");
        check_bar((u64::MAX / 2, 0, 0), u64::MAX, "█████");
        check_bar((0, 0, 0), 0, "");
    }

    #[test]
    fn lines_fit_the_width() {
        let mut counts = StatsCounts::default();
        for (number, name) in
            ["a", &"漢字".repeat(30), "mcp__server__with_a_long_name"].into_iter().enumerate()
        {
            let failed = 99 * number as u64;
            let outcomes = OutcomeCounts { done: 1_234_567, failed, pending: 1, without_call: 1 };
            let mut tool = GroupStats { outcomes, ..GroupStats::default() };
            tool.input.add(123_456_789);
            tool.output.add(1_023 * 1024);
            counts.outcomes.done += tool.outcomes.done;
            counts.outcomes.failed += tool.outcomes.failed;
            counts.groups.insert(Some(name.to_owned()), tool);
        }
        counts.failures.add(Some("a"), Some(&"very long ".repeat(100)), "", 1);
        for room in [60, 70, 80, 100, 200] {
            let mut drawn = Vec::new();
            write(&StatsReport::of(&counts, Sort::Calls, 2), room, &mut drawn).unwrap();
            let drawn = String::from_utf8(drawn).unwrap();
            let drawn = anstream::adapter::strip_str(&drawn).to_string();
            // The headline may be longer.
            for line in drawn.lines().skip(1) {
                assert!(line.width() <= room, "{room}: {line}\n{drawn}");
            }
            assert!(drawn.contains("1 other "), "{drawn}");
        }
    }
}
