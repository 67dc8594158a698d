//! `check --watch`: checks again whenever something changes, and says all that it finds each time, in its order.

use std::io::{self, IsTerminal, Write};

use super::judged::{CheckedDocument, check_document};
use super::report::{CheckOutcome, CheckReport};
use super::{CheckArgs, CommonArgs, ExitStatus};
use crate::cli::changes::{FileWatcher, PERIOD, WakeReason};
use crate::cli::inputs::InputCache;
use crate::cli::{print_error, print_to_stderr, print_warning};
use crate::files::stamp;
use crate::text::Text;

/// Checks all that is named, again and again, until nobody reads what it says.
pub(super) fn run(command: &CheckArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if let Some(reason) = not_watched(command) {
        print_error(reason);
        return Ok(ExitStatus::Failed);
    }
    let kept = InputCache::new(common, command.selected.selection());
    let mut watch =
        Watch { command, common, changes: FileWatcher::start(), cache: kept, last_polling_reason: None };
    let mut status = ExitStatus::Clean;
    let mut baseline = None;
    loop {
        watch.listen_around()?;
        let is_other = watch.check_changed()?;
        let is_new = watch.listen_inside();
        let known = command.baseline.as_deref().map(stamp);
        if is_other || baseline != Some(known) {
            baseline = Some(known);
            match watch.print() {
                Ok(now) => status = now,
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(status),
                Err(error) => return Err(error),
            }
        }
        // What changed before it was watched is not told.
        if is_new {
            continue;
        }
        match watch.changes.wait() {
            WakeReason::Changed(files) => files.iter().for_each(|file| watch.cache.forget(file)),
            WakeReason::ReaderLeft => return Ok(status),
        }
    }
}

/// Why what was asked for cannot be watched.
fn not_watched(command: &CheckArgs) -> Option<&'static str> {
    if command.paths.has_stdin() {
        return Some("standard input cannot be watched: it is read once");
    }
    command.format.is_one_report().then_some(
        "`--watch` never ends, and a report in this format is whole at the end: take `--format jsonl`",
    )
}

struct Watch<'c> {
    command: &'c CheckArgs,
    common: &'c CommonArgs,
    changes: FileWatcher,
    cache: InputCache<CheckedDocument>,
    /// What was said last of why files are looked at every few seconds.
    last_polling_reason: Option<String>,
}

impl Watch<'_> {
    /// Watches what is named and where it lies: it may go, and come back, and so may what is above it.
    fn listen_around(&mut self) -> io::Result<()> {
        for named in self.command.paths.named() {
            let named = std::path::absolute(named)?;
            for folder in named.ancestors().skip(1).filter(|folder| folder.is_dir()) {
                self.changes.watch_above(folder);
            }
            match named.is_dir() {
                true => self.changes.watch_tree(&named),
                false => _ = self.changes.watch_file(&named),
            }
        }
        for file in self.command.baseline.iter().chain(&self.common.config) {
            self.changes.watch_file(&std::path::absolute(file)?);
        }
        Ok(())
    }

    /// Watches the folders that were looked through, and all that settings come from. Whether any of it is new.
    fn listen_inside(&mut self) -> bool {
        let (kept, changes) = (&self.cache, &mut self.changes);
        let mut is_new = false;
        for folder in kept.folders() {
            is_new |= changes.watch_folder(folder);
        }
        for file in kept.config_files().chain(kept.others()) {
            is_new |= changes.watch_file(file);
        }
        is_new
    }

    fn check_changed(&mut self) -> io::Result<bool> {
        let shows_fixes = self.command.format.shows_fixes();
        self.cache.read(&self.command.paths, self.common, |document| {
            let mut judged = check_document(document, self.command, shows_fixes);
            // Only what is pointed at is kept.
            if judged.diagnostics.is_empty() {
                judged.text = Text::default();
            }
            judged
        })
    }

    fn print(&mut self) -> io::Result<ExitStatus> {
        clear()?;
        let baseline = self.command.baseline().unwrap_or_else(|error| {
            print_error(&error.to_string());
            None
        });
        let mut report = CheckReport::new(self.command, baseline)?;
        let summary = self.cache.replay(&self.command.paths, |input| report.add(input))?;
        let CheckOutcome { status, found, checked, is_read } = report.finish(summary)?;
        if !is_read {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let now = jiff::Zoned::now().strftime("%H:%M:%S");
        let count = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let (found, checked) = (count(found, "finding"), count(checked, "file"));
        let listening = self.listening();
        print_to_stderr(&format!("{now}  {found} in {checked}; {listening}, Ctrl+C ends"));
        Ok(status)
    }

    /// How it comes to know of changes; why it is not the usual way is said once.
    fn listening(&mut self) -> String {
        let Some(reason) = self.changes.polling_reason() else { return "watching for changes".to_owned() };
        if self.last_polling_reason.as_deref() != Some(reason) || is_cleared() {
            print_warning(reason);
            self.last_polling_reason = Some(reason.to_owned());
        }
        format!("looking for changes every {} seconds", PERIOD.as_secs())
    }
}

/// Whether what was printed before goes when something is printed anew.
fn is_cleared() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Takes away what was printed before, from a terminal.
fn clear() -> io::Result<()> {
    if !is_cleared() {
        return Ok(());
    }
    let mut stdout = io::stdout();
    // The cursor goes home, and what is on the screen goes away; what has scrolled out stays.
    stdout.write_all(b"\x1b[H\x1b[2J")?;
    stdout.flush()
}
