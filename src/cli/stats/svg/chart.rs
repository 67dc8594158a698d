//! The rows of the chart: a tool's name, a bar of its results, and its output sizes.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::scale::Scale;
use super::shapes::{Anchor, SvgWriter, circle, group, line, rectangle, text};
use super::{CHARACTER, MARGIN, NAME, ROW};
use crate::cli::columns::cut_to;
use crate::cli::stats::words::shown;
use crate::features::statistics::counts::{GroupStats, OutcomeCounts};
use crate::features::statistics::report::{StatsReport, bytes, grouped, others};

/// The x coordinates of the end of counts, and of the start and end of the size scale.
const COUNTS: f64 = 578.0;
const SIZES: std::ops::Range<f64> = 600.0..822.0;
/// The gap between a name and its bar, and between a bar and its counts.
const GAP: f64 = 8.0;
const BAR: f64 = 14.0;

/// The chart.
pub(super) struct Chart<'a> {
    rows: Vec<Row<'a>>,
    /// The x coordinate at which names end.
    names: f64,
    /// The number of uses of the longest bar, and its length.
    longest: (u64, f64),
    scale: Option<Scale>,
}

struct Row<'a> {
    name: String,
    tool: &'a GroupStats,
    /// True if the row sums up several tools. It has no bar, which might be longer than all others.
    is_rest: bool,
}

impl<'a> Chart<'a> {
    /// Creates the chart of the tools of `report`.
    pub fn new(report: &'a StatsReport<'_>) -> Self {
        let tools = report.groups.iter().map(|(name, tool)| Row {
            name: shown(report.counts.by, *name),
            tool,
            is_rest: false,
        });
        let rest =
            report.other_groups.iter().map(|(count, tool)| Row { name: others(*count), tool, is_rest: true });
        let rows: Vec<_> = tools.chain(rest).collect();
        let label = rows.iter().map(|row| row.label_len()).max().unwrap_or_default();
        let outputs = || rows.iter().map(|row| &row.tool.output).filter(|output| output.count > 0);
        let smallest = outputs().filter_map(|output| output.median()).min();
        let largest = outputs().map(|output| output.max).max();
        let name = rows.iter().map(|row| cut_to(&row.name, NAME).width()).max().unwrap_or_default();
        let names = MARGIN + CHARACTER * name as f64;
        let room = COUNTS - names - 2.0 * GAP - CHARACTER * label as f64;
        let scale = smallest.zip(largest).map(|(from, to)| Scale::new(&(from..to), SIZES));
        Self { rows, names, longest: (report.most_uses(), room.max(60.0)), scale }
    }

    /// The height, including the axis above and the space below the rows.
    pub fn height(&self) -> f64 {
        let axis = if self.scale.is_some() { 22.0 } else { 0.0 };
        ROW * (self.rows.len() as f64 + 1.0) + axis
    }

    /// The text alternatives of the rows, one line each.
    pub fn words(&self) -> impl Iterator<Item = String> {
        self.rows.iter().map(Row::words)
    }

    /// Draws the chart below `top`.
    pub fn draw(&self, xml: &mut SvgWriter<'_>, top: f64) -> io::Result<()> {
        legend(xml, self.names + GAP, top + 12.0)?;
        let rows = top + ROW;
        if let Some(scale) = &self.scale {
            axis(xml, scale, top, rows + ROW * self.rows.len() as f64)?;
        }
        for (row, index) in self.rows.iter().zip(0_u32..) {
            let middle = rows + ROW * (f64::from(index) + 0.5);
            group(xml, &row.words(), |xml| {
                let class = if row.is_rest { "dim" } else { "mono" };
                text(xml, (self.names, middle + 4.0), Anchor::End, &[(class, &cut_to(&row.name, NAME))])?;
                self.bar(xml, row, middle)?;
                self.sizes(xml, row, middle)
            })?;
        }
        Ok(())
    }

    fn bar(&self, xml: &mut SvgWriter<'_>, row: &Row<'_>, middle: f64) -> io::Result<()> {
        let (most, room) = self.longest;
        let mut x = self.names + GAP;
        for (count, class) in row.tool.outcomes.by_status().filter(|_| !row.is_rest) {
            // Counts above zero are always visible.
            let length = (count as f64 / most.max(1) as f64 * room).max(2.0);
            rectangle(xml, class, (x, middle - BAR / 2.0), (length, BAR), 1.0)?;
            x += length;
        }
        let [all, failed] = row.labels();
        let place = (if row.is_rest { x } else { x + GAP }, middle + 4.0);
        text(xml, place, Anchor::Start, &[("", &all), ("bad", &failed)])
    }

    fn sizes(&self, xml: &mut SvgWriter<'_>, row: &Row<'_>, middle: f64) -> io::Result<()> {
        let output = &row.tool.output;
        if let (Some(scale), Some(median), Some(p95)) = (&self.scale, output.median(), output.p95()) {
            let place = |size| scale.x_of(size);
            line(xml, "whisker", (place(p95), middle), (place(output.max), middle))?;
            line(xml, "range", (place(median), middle), (place(p95), middle))?;
            line(xml, "max", (place(output.max), middle - 5.0), (place(output.max), middle + 5.0))?;
            circle(xml, "median", (place(median), middle), 4.5)?;
        }
        Ok(())
    }
}

impl Row<'_> {
    fn labels(&self) -> [String; 2] {
        let OutcomeCounts { failed, .. } = self.tool.outcomes;
        let failed = if failed > 0 { format!("{} failed", grouped(failed)) } else { String::new() };
        [grouped(self.tool.outcomes.all()), failed]
    }

    fn label_len(&self) -> usize {
        self.labels().iter().map(|label| label.chars().count()).sum::<usize>() + 1
    }

    /// The text alternative of a row, such as `read_file: 1,204 calls, 1,190 done, 12 failed, 2
    /// pending; outputs: median 2.3KB, p95 10KB, largest 1MB`.
    fn words(&self) -> String {
        let all = self.tool.outcomes.all();
        let mut words = format!("{}: {} call{}", self.name, grouped(all), if all == 1 { "" } else { "s" });
        for (count, word) in self.tool.outcomes.by_status() {
            words.push_str(&format!(", {} {word}", grouped(count)));
        }
        let output = &self.tool.output;
        if let (Some(median), Some(p95)) = (output.median(), output.p95()) {
            let (median, p95, max) = (bytes(median), bytes(p95), bytes(output.max));
            words.push_str(&format!("; outputs: median {median}, p95 {p95}, largest {max}"));
        }
        words
    }
}

fn legend(xml: &mut SvgWriter<'_>, x: f64, y: f64) -> io::Result<()> {
    for (class, word, from) in
        [("done", "done", 0.0), ("failed", "failed", 64.0), ("pending", "pending", 132.0)]
    {
        rectangle(xml, class, (x + from, y - 9.0), (10.0, 10.0), 1.0)?;
        text(xml, (x + from + 16.0, y), Anchor::Start, &[("dim", word)])?;
    }
    Ok(())
}

/// Draws the ticks of the size scale from `top` to `bottom`, with a legend above them.
fn axis(xml: &mut SvgWriter<'_>, scale: &Scale, top: f64, bottom: f64) -> io::Result<()> {
    for tick in &scale.ticks {
        let x = scale.x_of(*tick);
        line(xml, "grid", (x, top + ROW), (x, bottom))?;
        text(xml, (x, bottom + 16.0), Anchor::Middle, &[("dim", &bytes(*tick))])?;
    }
    let (x, y) = (SIZES.start, top + 12.0);
    let middle = y - 4.0;
    text(xml, (x, y), Anchor::Start, &[("", "outputs")])?;
    circle(xml, "median", (x + 60.0, middle), 4.5)?;
    text(xml, (x + 69.0, y), Anchor::Start, &[("dim", "median")])?;
    line(xml, "range", (x + 122.0, middle), (x + 136.0, middle))?;
    text(xml, (x + 141.0, y), Anchor::Start, &[("dim", "p95")])?;
    line(xml, "max", (x + 175.0, middle - 5.0), (x + 175.0, middle + 5.0))?;
    text(xml, (x + 181.0, y), Anchor::Start, &[("dim", "largest")])
}
