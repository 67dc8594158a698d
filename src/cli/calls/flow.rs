//! Processes standard input as a stream: the tool uses of a log are written as soon as their
//! results are read.
//!
//! Only the tool uses without a result and the text of the current message are stored, up to a
//! limit, and hashes of all others, so that logs may be very long. Markdown is read completely
//! first, because later text can change the meaning of earlier text.

use std::io::{self, Read};

use super::super::inputs::StdinInput;
use super::writer::RecordWriter;
use super::{CallsArgs, rows_of};
use crate::cli::common::ExitStatus;
use crate::cli::console::unless_reader_left;
use crate::dialect::stream::{is_record_of, lines};
use crate::document::fallback_ids::{CallNumbers, fallback_id};
use crate::document::log_uses::{LineUse, LogUses};
use crate::document::{Document, Language, begins_laid_out, is_record};
use crate::features::call_records::{CallRecord, lines_of};
use crate::text::Text;

/// Maximum number of bytes per read.
const CHUNK: usize = 1 << 16;
/// Maximum size in bytes of the stored unfinished tool uses, and of a message's text. Beyond it,
/// tool uses are written without waiting for their results.
const HELD_LIMIT: usize = 8 << 20;

/// Writes the tool uses of `stdin` that `command` selects.
pub(super) fn run<W: RecordWriter>(
    mut stdin: StdinInput,
    command: &CallsArgs,
    mut out: W,
) -> io::Result<ExitStatus> {
    let mut input = io::stdin().lock();
    let (mut beginning, mut is_at_end) = (Vec::new(), false);
    let mut is_flow = is_log(stdin.language(), &beginning, is_at_end);
    while is_flow.is_none() && !is_at_end {
        is_at_end = read_some(&mut input, &mut beginning)? == 0;
        is_flow = is_log(stdin.language(), &beginning, is_at_end);
    }
    let written = match is_flow {
        Some(true) => LogFlow::new(&stdin, command, &mut out).run(beginning, &mut input),
        _ => write_document(&stdin, command, &mut out, io::Read::chain(&*beginning, input)),
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ExitStatus::Clean),
        Err(error) => stdin.report_not_utf8(error)?,
        Ok(()) => {}
    }
    unless_reader_left(out.finish())?;
    Ok(if stdin.failed { ExitStatus::Failed } else { ExitStatus::Clean })
}

/// Writes the tool uses of a document that cannot be processed as a stream.
fn write_document<W: RecordWriter>(
    stdin: &StdinInput,
    command: &CallsArgs,
    out: &mut W,
    input: impl Read,
) -> io::Result<()> {
    out.write(rows_of::<W>(command, stdin.display_name(), &stdin.read(input)?))
}

/// True if a text that begins with `beginning` can be read as a log, line by line; `None` if that
/// needs more of the text. `language` is the language of its name.
fn is_log(language: Option<Language>, beginning: &[u8], is_whole: bool) -> Option<bool> {
    let beginning = String::from_utf8_lossy(beginning);
    let mut lines = lines(&beginning).map(|(_, line)| (line, !line.ends_with(['\n', '\r'])));
    match language {
        Some(Language::Log) => {
            let (first, is_cut) = lines.next()?;
            // The only record of a log may be laid out.
            let may_be_document = begins_laid_out(&Text::new(first));
            (!may_be_document || !is_cut).then_some(!may_be_document)
        }
        Some(_) => Some(false),
        None => lines.find_map(|(line, is_cut)| match is_record(line, is_cut) {
            // An incomplete line may become a record.
            Some(false) if is_cut && !is_whole && line.len() < CHUNK && may_become_record(line) => None,
            found => found,
        }),
    }
}

/// True if `line`, the start of a line, may become a record.
fn may_become_record(line: &str) -> bool {
    let line = line.trim_ascii_start();
    let data = "data:";
    line.starts_with('{') || line.len() < 3 || line.starts_with(data) || data.starts_with(line)
}

/// Reads available bytes, or blocks until there are some. Returns their number; 0 at the end.
fn read_some(input: &mut impl Read, to: &mut Vec<u8>) -> io::Result<usize> {
    let before = to.len();
    to.resize(before + CHUNK, 0);
    let read = loop {
        match input.read(&mut to[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    to.truncate(before + *read.as_ref().unwrap_or(&0));
    read
}

/// A line of the log, with its line number from 0.
struct HeldLine {
    number: usize,
    text: String,
}

/// A log that is being read.
struct LogFlow<'a, W> {
    stdin: &'a StdinInput,
    command: &'a CallsArgs,
    out: &'a mut W,
    uses: LogUses,
    /// The lines with text of the current message, and their size in bytes.
    message_lines: Vec<HeldLine>,
    message_size: usize,
    /// Number of lines read.
    lines: usize,
    /// The numbers of the calls in the text of messages.
    numbers: CallNumbers,
    has_calls: bool,
}

impl<'a, W: RecordWriter> LogFlow<'a, W> {
    fn new(stdin: &'a StdinInput, command: &'a CallsArgs, out: &'a mut W) -> Self {
        let (uses, message_lines) = (LogUses::default(), Vec::new());
        Self {
            stdin,
            command,
            out,
            uses,
            message_lines,
            message_size: 0,
            lines: 0,
            numbers: CallNumbers::default(),
            has_calls: false,
        }
    }

    /// Reads the log to its end; `buffer` holds its start.
    fn run(mut self, mut buffer: Vec<u8>, input: &mut impl Read) -> io::Result<()> {
        loop {
            // A line feed may follow a carriage return.
            let read = buffer.strip_suffix(b"\r").unwrap_or(&buffer);
            if let Some(end) = memchr::memrchr2(b'\n', b'\r', read) {
                let rest = buffer.split_off(end + 1);
                self.take(std::mem::replace(&mut buffer, rest))?;
            }
            if read_some(input, &mut buffer)? == 0 {
                break;
            }
        }
        self.take(buffer)?;
        self.finish()?;
        if !self.has_calls && self.lines > 0 {
            self.stdin.report_guessed_language(&self.stdin.document(Text::new(" "), Language::Log));
        }
        Ok(())
    }

    /// Parses the lines `bytes`, and writes the tool uses that end in them.
    fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        let text = String::from_utf8(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let mut records = Vec::new();
        for (_, line) in lines(&text) {
            if is_record(line, true).is_some() {
                records.push(HeldLine { number: self.lines, text: line.to_owned() });
            }
            self.lines += 1;
        }
        let mut ready = self.uses_in_message_text(&records);
        let document = self.document_of(&records);
        let number = |line: usize| records.get(line).map_or(0, |held| held.number);
        ready.extend(self.uses.add(&document, number));
        while self.uses.size() > HELD_LIMIT {
            ready.extend(self.uses.take_first());
        }
        self.write(ready)
    }

    /// Writes the tool uses without a result at the end of the log.
    fn finish(&mut self) -> io::Result<()> {
        let message_lines = std::mem::take(&mut self.message_lines);
        let mut ready = self.all_in(&message_lines);
        ready.extend(std::iter::from_fn(|| self.uses.take_first()));
        self.write(ready)
    }

    fn write(&mut self, mut ready: Vec<LineUse>) -> io::Result<()> {
        // The order does not depend on how the input is split into reads.
        ready.sort_by_key(|(_, (start, end))| (*end, *start));
        self.has_calls |= !ready.is_empty();
        let matching = ready.into_iter().filter(|(found, _)| self.command.filter.matches(found));
        let file = self.stdin.display_name();
        let rows = W::rows(self.command, |visit| {
            matching.for_each(|(found, lines)| visit(CallRecord::of(file, found, lines)))
        });
        self.out.write(rows)?;
        self.out.flush()
    }

    /// Returns the tool uses in message text that end in `lines`.
    fn uses_in_message_text(&mut self, lines: &[HeldLine]) -> Vec<LineUse> {
        let mut ready = Vec::new();
        for line in lines {
            let is_of_type = |name: &str| is_record_of(&line.text, name);
            if is_of_type("text-delta") {
                self.message_size += line.text.len();
                self.message_lines.push(HeldLine { number: line.number, text: line.text.clone() });
            }
            if self.message_size > HELD_LIMIT || is_of_type("finish") || is_of_type("abort") {
                self.message_size = 0;
                let message_lines = std::mem::take(&mut self.message_lines);
                ready.extend(self.all_in(&message_lines));
            }
        }
        ready
    }

    /// Returns all tool uses in `lines`, with the ids that they have in the whole log.
    fn all_in(&mut self, lines: &[HeldLine]) -> Vec<LineUse> {
        let mut ready = Vec::new();
        if !lines.is_empty() {
            let document = self.document_of(lines);
            let number = |line: usize| lines.get(line).map_or(0, |held| held.number);
            document.for_each_tool_use(|mut found| {
                let (start, end) = lines_of(&found, document.text());
                // Not known yet: another tool use may follow.
                found.batch = None;
                if !found.is_orphan() {
                    let number = self.numbers.next(found.dialect);
                    if found.id_is_fallback {
                        found.id = Some(fallback_id(found.dialect, number));
                    }
                }
                ready.push((found, (number(start), number(end))));
            });
        }
        ready
    }

    fn document_of(&self, lines: &[HeldLine]) -> Document {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.text.trim_end_matches(['\n', '\r']));
            text.push('\n');
        }
        self.stdin.document(Text::new(&text), Language::Log)
    }
}
