//! `check --watch`: checks again after each change, and prints all diagnostics each time, in a
//! stable order.

use std::io::{self, Write};

use super::CheckArgs;
use super::report::{CheckOutcome, CheckReport};
use crate::cli::check::document::{CheckedDocument, check_document};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_to_stderr, print_warning, refused, stdout_has_escapes};
use crate::cli::file_watcher::{FileWatcher, PERIOD, WakeReason};
use crate::cli::inputs::InputCache;
use crate::files::stamp;
use crate::prose::counted;
use crate::text::Text;

/// Runs `check` after each change until the reader of stdout is gone.
pub(super) fn run(command: &CheckArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if let Some(reason) = not_watched(command) {
        return refused(reason);
    }
    let cache = InputCache::new(common, command.selected.selection());
    let mut watch =
        Watch { command, common, changes: FileWatcher::start(), cache, last_polling_reason: None };
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
        // Changes made before the watch was set up are not reported.
        if is_new {
            continue;
        }
        match watch.changes.wait() {
            WakeReason::Changed(files) => files.iter().for_each(|file| watch.cache.forget(file)),
            WakeReason::ReaderLeft => return Ok(status),
        }
    }
}

/// The reason why the inputs of `command` cannot be watched.
fn not_watched(command: &CheckArgs) -> Option<&'static str> {
    if command.paths.has_stdin() {
        return Some("standard input cannot be watched");
    }
    command.format.is_one_report().then_some(
        "a report in this format is only complete at the end, which `--watch` never reaches: use `--format jsonl`",
    )
}

struct Watch<'c> {
    command: &'c CheckArgs,
    common: &'c CommonArgs,
    changes: FileWatcher,
    cache: InputCache<CheckedDocument>,
    /// The last printed reason for polling.
    last_polling_reason: Option<String>,
}

impl Watch<'_> {
    /// Watches the inputs given by name and the folders above them, which may be deleted and
    /// created again.
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

    /// Watches the searched folders and the files of settings. Returns whether any of these is new.
    fn listen_inside(&mut self) -> bool {
        let (cache, changes) = (&self.cache, &mut self.changes);
        let mut is_new = false;
        for folder in cache.folders() {
            is_new |= changes.watch_folder(folder);
        }
        for file in cache.config_files().chain(cache.others()) {
            is_new |= changes.watch_file(file);
        }
        is_new
    }

    fn check_changed(&mut self) -> io::Result<bool> {
        let shows_fixes = self.command.format.shows_fixes();
        self.cache.read(&self.command.paths, self.common, |document| {
            let mut checked_document = check_document(document, self.command, shows_fixes);
            // The document's text is only needed for excerpts.
            if checked_document.diagnostics.is_empty() {
                checked_document.text = Text::default();
            }
            checked_document
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
        let (found, checked) = (counted(found, "diagnostic"), counted(checked, "file"));
        let listening = self.listening();
        print_to_stderr(&format!("{now}  {found} in {checked}; {listening}, press Ctrl+C to stop"));
        Ok(status)
    }

    /// The status line. The reason for polling is printed once.
    fn listening(&mut self) -> String {
        let Some(reason) = self.changes.polling_reason() else { return "watching for changes".to_owned() };
        if self.last_polling_reason.as_deref() != Some(reason) || stdout_has_escapes() {
            print_warning(reason);
            self.last_polling_reason = Some(reason.to_owned());
        }
        format!("checking for changes every {} seconds", PERIOD.as_secs())
    }
}

/// Clears the previous output from a terminal.
fn clear() -> io::Result<()> {
    if !stdout_has_escapes() {
        return Ok(());
    }
    let mut stdout = io::stdout();
    // CUP and ED (ECMA-48): moves the cursor home and erases the screen, but not the scrollback.
    stdout.write_all(b"\x1b[H\x1b[2J")?;
    stdout.flush()
}
