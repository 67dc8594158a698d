//! `--format svg`: a chart of the results and output sizes of each tool, or other group, and of
//! frequent failures.
//!
//! The chart is self-contained, has no scripts, and supports light and dark pages.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesText, Event};
use unicode_width::UnicodeWidthStr;

use super::words::shown;
use crate::cli::columns::cut_to;
use crate::cli::console::printable;
use crate::features::statistics::groups::GroupBy;
use crate::features::statistics::report::{StatsReport, grouped};
use chart::Chart;
use shapes::{Anchor, SvgWriter, rectangle, text, text_element};

mod chart;
mod scale;
mod shapes;

/// The width; all lengths are in user units.
const WIDTH: f64 = 860.0;
const MARGIN: f64 = 24.0;
/// The height of a chart row, and of a line of text.
const ROW: f64 = 24.0;
const LINE: f64 = 20.0;
/// The top of the chart, below the title.
const TOP: f64 = 80.0;
/// An upper estimate of the width of a character.
const CHARACTER: f64 = 7.3;
/// Maximum number of columns of a tool's name.
const NAME: usize = 30;
/// Maximum number of columns of a failure.
const FAILURE: usize = 100;
const TITLE: &str = "chatls-stats-title";
const ABOUT: &str = "chatls-stats-about";

const STYLE: &str = "
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#1f2328}
.card{fill:#ffffff;stroke:#d1d9e0}
.title{font-size:18px;font-weight:600}
.head{font-weight:600}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.dim{fill:#59636e}
.bad{fill:#c2362c}
.done{fill:#3b7dd8}
.failed{fill:#d1453b}
.pending{fill:#dea11b}
.grid{stroke:#e4e8ec}
.range{stroke:#7a8794;stroke-width:5}
.whisker,.max{stroke:#7a8794;stroke-width:1.5}
.median{fill:#1f2328}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}
.card{fill:#0d1117;stroke:#3d444d}
.dim{fill:#9198a1}
.bad{fill:#ff7b72}
.done{fill:#4c8fe8}
.failed{fill:#f0605a}
.pending{fill:#e3b341}
.grid{stroke:#262c34}
.range,.whisker,.max{stroke:#8b949e}
.median{fill:#e6edf3}
}
";

/// Writes `report` as an SVG document.
pub(super) fn write(report: &StatsReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Writer::new(out);
    let chart = (report.counts.outcomes.all() > 0).then(|| Chart::new(report));
    let below = chart.as_ref().map_or(40.0, |chart| TOP + chart.height()) + MARGIN;
    let failures = report.failures.len() + usize::from(report.other_failures > 0);
    let height = if failures == 0 { below } else { below + LINE * (failures as f64 + 0.4) + MARGIN };
    let title = report.headline().replacen("no ", "No ", 1);
    let (width, height_text) = (WIDTH.to_string(), height.to_string());
    let view = format!("0 0 {width} {height_text}");
    let root = xml.create_element("svg").with_attributes([
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("viewBox", &view),
        ("width", &width),
        ("height", &height_text),
        ("role", "img"),
        ("aria-labelledby", &[TITLE, ABOUT].join(" ")),
    ]);
    root.write_inner_content(|xml| {
        text_element(xml, "title", Some(TITLE), &title)?;
        text_element(xml, "desc", Some(ABOUT), &about(report, chart.as_ref()))?;
        xml.create_element("style").write_text_content(BytesText::from_escaped(STYLE))?;
        rectangle(xml, "card", (0.5, 0.5), (WIDTH - 1.0, height - 1.0), 8.0)?;
        text(xml, (MARGIN, 40.0), Anchor::Start, &[("title", &title)])?;
        if let Some(chart) = &chart {
            text(xml, (MARGIN, 62.0), Anchor::Start, &[("dim", &outcomes(report))])?;
            chart.draw(xml, TOP)?;
        }
        draw_failures(xml, report, below)
    })?;
    xml.write_event(Event::Text(BytesText::new("\n")))
}

/// The line of totals, such as `44 done · 8 failed · 10 pending · 5 tools · 11 batches`.
fn outcomes(report: &StatsReport<'_>) -> String {
    let counts = report.counts;
    let (groups, batches) = (counts.groups.len() as u64, counts.batches.count);
    let found = [
        (groups, format!("{}{}", counts.by.name(), if groups == 1 { "" } else { "s" })),
        (batches, (if batches == 1 { "batch" } else { "batches" }).to_owned()),
    ];
    let outcomes = counts.outcomes.by_status().map(|(count, word)| (count, word.to_owned()));
    let parts = outcomes.chain(found.into_iter().filter(|(count, _)| *count > 0));
    parts.map(|(count, word)| format!("{} {word}", grouped(count))).collect::<Vec<_>>().join(" · ")
}

/// The text alternative for assistive technology.
fn about(report: &StatsReport<'_>, chart: Option<&Chart<'_>>) -> String {
    let rows = chart.into_iter().flat_map(Chart::words);
    std::iter::once(outcomes(report))
        .filter(|line| !line.is_empty())
        .chain(rows)
        .collect::<Vec<_>>()
        .join(". ")
}

fn draw_failures(xml: &mut SvgWriter<'_>, report: &StatsReport<'_>, top: f64) -> io::Result<()> {
    if report.failures.is_empty() {
        return Ok(());
    }
    text(xml, (MARGIN, top + 8.0), Anchor::Start, &[("head", "Most frequent failures")])?;
    let rows = &report.failures;
    let names: Vec<_> = rows.iter().map(|(tool, ..)| cut_to(&shown(GroupBy::Tool, *tool), NAME)).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or_default();
    for (((_, kind, failure), name), index) in rows.iter().zip(&names).zip(1_u32..) {
        let (x, y) = (MARGIN + 60.0, top + 8.0 + LINE * f64::from(index));
        text(xml, (x - 12.0, y), Anchor::End, &[("bad", &grouped(failure.count))])?;
        text(xml, (x, y), Anchor::Start, &[("mono", name)])?;
        let kind = cut_to(&printable(kind), FAILURE.saturating_sub(widest));
        text(xml, (x + CHARACTER * widest as f64 + 12.0, y), Anchor::Start, &[("mono dim", &kind)])?;
    }
    if report.other_failures > 0 {
        let y = top + 8.0 + LINE * (rows.len() as f64 + 1.0);
        text(xml, (MARGIN + 48.0, y), Anchor::End, &[("bad", &grouped(report.other_failures))])?;
        text(xml, (MARGIN + 60.0, y), Anchor::Start, &[("mono dim", "others")])?;
    }
    Ok(())
}
