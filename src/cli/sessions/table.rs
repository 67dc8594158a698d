//! `--format table`: for people.

use super::*;

use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthStr;

use crate::cli::console::terminal_width;
use crate::prose::counted;
use crate::text::shared_prefix;

const DIM: Style = AnsiColor::BrightBlack.on_default();
const FAILED: Style = AnsiColor::Red.on_default();
const ID: Style = AnsiColor::Cyan.on_default();
/// Line width if the output is not a terminal.
const WIDTH: usize = 120;
/// Maximum width of a folder.
const FOLDER: usize = 26;

/// Writes `rows`, and the number of sessions that are not shown. Ids are as short as they can be
/// among `all`.
pub(super) fn write(
    rows: &[SessionRow<'_>],
    all: &[Session],
    places: &Places,
    hidden: usize,
) -> io::Result<()> {
    let mut ids: Vec<_> = all.iter().map(|session| session.id.as_str()).collect();
    ids.sort_unstable();
    let mut header: Vec<_> = ["date", "agent", "id"].map(|word| uncut(word, Style::new())).into();
    header.extend(["calls", "failed"].map(TableCell::number));
    header.extend([uncut("folder", Style::new()), TableCell::text("title")]);
    let mut columns = Columns::new(header);
    for row in rows {
        columns.push(cells(row, short_id(&row.session.id, &ids), places));
    }
    let mut out = anstream::stdout();
    write!(out, "{}", columns.draw(terminal_width().unwrap_or(WIDTH)))?;
    if hidden > 0 {
        let sessions = counted(hidden, "older session");
        writeln!(out, "{DIM}{sessions}: --limit 0 lists all{DIM:#}")?;
    }
    out.flush()
}

fn cells(row: &SessionRow<'_>, id: &str, places: &Places) -> Vec<TableCell> {
    let number = |count: Option<usize>, style: Style| match count {
        None => TableCell::number("–").styled(DIM),
        Some(count) => TableCell::number(count.to_string()).styled(if count == 0 { DIM } else { style }),
    };
    vec![
        uncut(date(row.session), Style::new()),
        uncut(row.session.agent.name, Style::new()),
        uncut(printable(id), ID),
        number(row.counts.map(|counts| counts.uses), Style::new()),
        number(row.counts.map(|counts| counts.failed), FAILED),
        uncut(folder(row.head.folder.as_deref().unwrap_or_default(), places), Style::new()),
        TableCell::text(printable(row.head.title.as_deref().unwrap_or_default())),
    ]
}

/// A cell that is never cut.
fn uncut(text: impl Into<String>, style: Style) -> TableCell {
    TableCell::bar(vec![(text.into(), style)])
}

/// The time of the last change, in the local time zone.
fn date(session: &Session) -> String {
    let time = Timestamp::try_from(session.changed).unwrap_or_default();
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// The path of a folder, with `~` for the home folder; of a long path the end.
fn folder(folder: &str, places: &Places) -> String {
    let home = places.home.as_deref().map(|home| home.to_string_lossy().into_owned()).unwrap_or_default();
    let shown = match folder.strip_prefix(&home) {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with(['/', '\\'])) => {
            format!("~{rest}")
        }
        _ => folder.to_owned(),
    };
    let shown = printable(&shown).into_owned();
    if shown.width() <= FOLDER {
        return shown;
    }
    let reversed: String = shown.chars().rev().collect();
    cut_to(&reversed, FOLDER).chars().rev().collect()
}

/// The shortest beginning of `id` that no other id in `ids`, which are sorted, has.
fn short_id<'i>(id: &'i str, ids: &[&str]) -> &'i str {
    let at = ids.partition_point(|other| *other < id);
    let others = ids.get(at.saturating_sub(1)..).unwrap_or_default().iter().take(3);
    let shared =
        others.filter(|other| **other != id).map(|other| shared_prefix(id.bytes(), other.bytes())).max();
    let length = shared.map_or(0, |shared| shared + 1).max(SHORTEST_ID);
    // An id twice, of two agents, is shown whole.
    let is_twice = ids.get(at + 1).is_some_and(|other| *other == id);
    if is_twice { id } else { id.get(..length).unwrap_or(id) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ids_are_unique() {
        let ids = ["00000000-aaaa", "00000000-abbb", "1", "22222222-x", "22222222-x", "33333333-x"];
        let short = ids.map(|id| short_id(id, &ids));
        assert_eq!(short, ["00000000-aa", "00000000-ab", "1", "22222222-x", "22222222-x", "33333333"]);
    }

    #[test]
    fn folders_are_cut_at_their_beginning() {
        let places = Places { home: Some("/home/a".into()), ..Places::default() };
        assert_eq!(folder("/home/a/work", &places), "~/work");
        assert_eq!(folder("/home/ab", &places), "/home/ab");
        let long = folder(&format!("/x/{}/end", "y".repeat(60)), &places);
        assert!(long.starts_with("…y") && long.ends_with("y/end") && long.width() == FOLDER, "{long}");
    }
}
