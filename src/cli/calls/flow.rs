//! Processes standard input as a stream: the tool uses of a log are written as soon as their
//! results are read.
//!
//! Only the records of tool uses without a result and the text of the current message are stored,
//! up to a limit, so that logs may be endless. Markdown is read completely first, because later
//! text can change the meaning of earlier text.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

use serde::Deserialize;

use super::super::inputs::StdinInput;
use super::line::{CallRecord, lines_of};
use super::writer::RecordWriter;
use super::{CallsArgs, rows_of};
use crate::call::{ToolUse, UseData, UseStatus};
use crate::cli::console::unless_reader_left;
use crate::cli::exit_status::ExitStatus;
use crate::dialect::stream;
use crate::document::{Document, Language, is_record};
use crate::text::Text;

/// Maximum number of bytes per read.
const CHUNK: usize = 1 << 16;
/// Maximum size in bytes of the stored unfinished tool uses, and of a message's text. Beyond it,
/// tool uses are written without waiting for their results. Small in debug builds, for tests.
const HELD_LIMIT: usize = if cfg!(debug_assertions) { 1 << 20 } else { 8 << 20 };

/// Writes the tool uses of `stdin` that `command` selects.
pub(super) fn run<W: RecordWriter>(
    mut stdin: StdinInput,
    command: &CallsArgs,
    mut out: W,
) -> io::Result<ExitStatus> {
    let mut input = io::stdin().lock();
    let (mut beginning, mut language) = (Vec::new(), stdin.language());
    let mut is_at_end = false;
    while language.is_none() && !is_at_end {
        is_at_end = read_some(&mut input, &mut beginning)? == 0;
        language = guess_language(&beginning, is_at_end);
    }
    let written = match language {
        Some(Language::Stream) => LogFlow::new(&stdin, command, &mut out).run(beginning, &mut input),
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
    let text = StdinInput::text(input)?;
    let language = stdin.language().unwrap_or_else(|| Language::of_text(&text));
    let document = stdin.document(text, language);
    stdin.report_guessed_language(&document);
    out.write(rows_of::<W>(command, &stdin.display_name, &document))
}

/// Detects the language by the start of a text; `None` if more of the text is needed.
fn guess_language(beginning: &[u8], is_whole: bool) -> Option<Language> {
    let mut lines = beginning.split_inclusive(|byte| *byte == b'\n');
    let is_record = lines.find_map(|line| {
        let is_cut = !line.ends_with(b"\n");
        match is_record(&String::from_utf8_lossy(line), is_cut) {
            // An incomplete line may become a record.
            Some(false) if is_cut && !is_whole && line.len() < CHUNK && may_become_record(line) => None,
            found => found,
        }
    });
    match is_record {
        Some(true) => Some(Language::Stream),
        Some(false) => Some(Language::Markdown),
        None => is_whole.then_some(Language::Markdown),
    }
}

/// True if `line`, the start of a line, may become a record.
fn may_become_record(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let data = b"data:";
    line.starts_with(b"{") || line.len() < 3 || line.starts_with(data) || data.starts_with(line)
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
    pending: PendingLines,
    /// The lines with text of the current message, and their size in bytes.
    message_lines: Vec<HeldLine>,
    message_size: usize,
    /// Number of lines read.
    lines: usize,
    /// Number of ids generated.
    generated: usize,
    has_calls: bool,
}

/// A tool use with its first and last line, from 0.
type LocatedUse = (ToolUse, (usize, usize));

/// The lines of tool uses without a result, by id.
#[derive(Default)]
struct PendingLines {
    by_id: HashMap<String, Vec<HeldLine>>,
    /// The ids, by their first line.
    order: BTreeMap<usize, String>,
    /// The size of the lines in bytes.
    size: usize,
}

impl PendingLines {
    fn add(&mut self, id: String, lines: Vec<HeldLine>) {
        let Some(first) = lines.first() else { return };
        self.order.insert(first.number, id.clone());
        self.size += size_of_lines(&lines);
        self.by_id.insert(id, lines);
    }

    fn take(&mut self, id: &str) -> Vec<HeldLine> {
        let lines = self.by_id.remove(id).unwrap_or_default();
        lines.first().and_then(|first| self.order.remove(&first.number));
        self.size -= size_of_lines(&lines);
        lines
    }

    fn take_oldest(&mut self) -> Vec<HeldLine> {
        match self.order.first_key_value().map(|(_, id)| id.clone()) {
            Some(id) => self.take(&id),
            None => Vec::new(),
        }
    }
}

fn size_of_lines(lines: &[HeldLine]) -> usize {
    lines.iter().map(|line| line.text.len()).sum()
}

impl<'a, W: RecordWriter> LogFlow<'a, W> {
    fn new(stdin: &'a StdinInput, command: &'a CallsArgs, out: &'a mut W) -> Self {
        let (pending, message_lines) = (PendingLines::default(), Vec::new());
        Self {
            stdin,
            command,
            out,
            pending,
            message_lines,
            message_size: 0,
            lines: 0,
            generated: 0,
            has_calls: false,
        }
    }

    /// Reads the log to its end; `buffer` holds its start.
    fn run(mut self, mut buffer: Vec<u8>, input: &mut impl Read) -> io::Result<()> {
        loop {
            if let Some(end) = memchr::memrchr(b'\n', &buffer) {
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
            self.stdin.report_guessed_language(&self.stdin.document(Text::new(" "), Language::Stream));
        }
        Ok(())
    }

    /// Parses the lines `bytes`, and writes the tool uses that end in them.
    fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        let text = String::from_utf8(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            if is_record(line, true).is_some() {
                lines.push(HeldLine { number: self.lines, text: line.to_owned() });
            }
            self.lines += 1;
        }
        let mut ready = self.uses_in_message_text(&lines);
        let mut document = self.document_of(&lines);
        let mut known = Vec::new();
        for found in uses_of(&document) {
            known.extend(found.id.map(|id| self.pending.take(&id)).unwrap_or_default());
        }
        if !known.is_empty() {
            known.append(&mut lines);
            lines = known;
            lines.sort_by_key(|line| line.number);
            document = self.document_of(&lines);
        }
        ready.extend(self.ended_in(&document, lines));
        while self.pending.size > HELD_LIMIT {
            let oldest = self.pending.take_oldest();
            ready.extend(self.all_in(&oldest));
        }
        self.write(ready)
    }

    /// Writes the tool uses without a result at the end of the log.
    fn finish(&mut self) -> io::Result<()> {
        let message_lines = std::mem::take(&mut self.message_lines);
        let mut ready = self.all_in(&message_lines);
        while !self.pending.order.is_empty() {
            let oldest = self.pending.take_oldest();
            ready.extend(self.all_in(&oldest));
        }
        self.write(ready)
    }

    fn write(&mut self, mut ready: Vec<LocatedUse>) -> io::Result<()> {
        // The order does not depend on how the input is split into reads.
        ready.sort_by_key(|(_, (start, end))| (*end, *start));
        let matching = ready.into_iter().filter(|(found, _)| self.command.filter.matches(found));
        let file = &self.stdin.display_name;
        let rows = W::rows(self.command, |visit| {
            matching.for_each(|(found, lines)| visit(CallRecord::of(file, found, lines)))
        });
        self.out.write(rows)?;
        self.out.flush()
    }

    /// Returns the tool uses that end in `document`, which consists of `lines`. The lines of other
    /// tool uses are stored.
    fn ended_in(&mut self, document: &Document, lines: Vec<HeldLine>) -> Vec<LocatedUse> {
        let uses = document.paired_uses();
        let (mut ready, mut held) = (Vec::new(), HashMap::new());
        for (index, found) in uses_of(document).into_iter().enumerate() {
            self.has_calls = true;
            if is_complete(&found) {
                ready.push(self.in_log(found, document, &lines));
                continue;
            }
            let parts = uses.uses.get(index).into_iter().flat_map(|tool_use| uses.parts(tool_use));
            for part in parts {
                let line = document.text().line_of_byte(document.range_of(&part).start);
                held.insert(line, found.id.clone().unwrap_or_default());
            }
        }
        let mut by_id: HashMap<String, Vec<HeldLine>> = HashMap::new();
        for (index, line) in lines.into_iter().enumerate() {
            if let Some(id) = held.remove(&index) {
                by_id.entry(id).or_default().push(line);
            }
        }
        by_id.into_iter().for_each(|(id, lines)| self.pending.add(id, lines));
        ready
    }

    /// Returns the tool uses in message text that end in `lines`.
    fn uses_in_message_text(&mut self, lines: &[HeldLine]) -> Vec<LocatedUse> {
        let mut ready = Vec::new();
        for line in lines {
            let is_end = match kind(&line.text).as_deref() {
                Some("text-delta") => {
                    self.message_size += line.text.len();
                    self.message_lines.push(HeldLine { number: line.number, text: line.text.clone() });
                    self.message_size > HELD_LIMIT
                }
                Some("finish" | "abort") => true,
                _ => false,
            };
            if is_end {
                self.message_size = 0;
                let message_lines = std::mem::take(&mut self.message_lines);
                ready.extend(self.all_in(&message_lines));
            }
        }
        ready
    }

    /// Returns all tool uses in `lines`.
    fn all_in(&mut self, lines: &[HeldLine]) -> Vec<LocatedUse> {
        let mut ready = Vec::new();
        if !lines.is_empty() {
            let document = self.document_of(lines);
            document.for_each_tool_use(|found| {
                self.has_calls = true;
                ready.push(self.in_log(found, &document, lines));
            });
        }
        ready
    }

    /// Converts the tool use `found` of `document`, which consists of `lines`, to positions in the
    /// whole log.
    fn in_log(&mut self, mut found: ToolUse, document: &Document, lines: &[HeldLine]) -> LocatedUse {
        let (start, end) = lines_of(&found, document.text());
        let number = |line: usize| lines.get(line).map_or(0, |held| held.number);
        // Not known yet: another tool use may follow.
        found.batch = None;
        if found.id_is_fallback {
            self.generated += 1;
            found.id = Some(format!("{}-call-{}", found.dialect, self.generated));
        }
        (found, (number(start), number(end)))
    }

    fn document_of(&self, lines: &[HeldLine]) -> Document {
        let mut text = String::with_capacity(size_of_lines(lines) + lines.len());
        for line in lines {
            text.push_str(line.text.trim_end_matches(['\n', '\r']));
            text.push('\n');
        }
        self.stdin.document(Text::new(&text), Language::Stream)
    }
}

/// Returns the complete data of the tool uses of `document`, without those in message text.
fn uses_of(document: &Document) -> Vec<ToolUse> {
    let uses = document.paired_uses();
    let all: Vec<_> = (0..uses.uses.len()).collect();
    document.tool_uses_of(&uses, &all)
}

/// True if no further record of `found` is expected.
fn is_complete(found: &ToolUse) -> bool {
    let is_preliminary = found.extra.iter().any(|(key, value)| {
        key == "preliminary" && matches!(value, UseData::Json(json) if json.trim() == "true")
    });
    // A result refers to its call by id.
    let has_id = found.id.as_deref().is_some_and(|id| !id.is_empty()) && !found.id_is_fallback;
    !has_id || (found.status != UseStatus::Pending && !is_preliminary)
}

/// Parses the `type` of the record `line`.
fn kind(line: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct FlowRecord {
        r#type: String,
    }
    // Most lines have none of these types, and need not be parsed.
    let may_be = |kind: &str| line.contains(kind);
    if !may_be("text-delta") && !may_be("finish") && !may_be("abort") {
        return None;
    }
    let stream::LogLine::Json { text, start, .. } = stream::LogLine::of(line) else { return None };
    serde_json::from_str::<FlowRecord>(text.get(start..)?).ok().map(|record| record.r#type)
}
