//! `tagged`: tool uses in the Markdown of other programs, each form a row of a table.
//!
//! Nothing is reported about their form but `leaked-markup`, at a `<tool-use>` without an end. A
//! form that is not complete is text. Each form begins a line. Names and inputs are checked where
//! the input is JSON. Conversion writes the form of gptel.
//!
//! - SpecStory: `<tool-use data-tool-type="shell" data-tool-name="Bash">` and `</tool-use>`, each
//!   on a line without other text than `<details>` and its summary. The last fenced code block
//!   inside is the result. A thought, `<think><details>` … `</think>`, is text, and so is a fenced
//!   code block that begins in it. Of other versions the line `Tool use: **Bash**`, with text after
//!   the name or below it as input, and the result below `Result:`, in the last fenced code block,
//!   or below a summary; in histories of Cursor also `Read file: a.py` alone, and elements with the
//!   summary `Listed directory src • **2** results` and others.
//! - ReAct: `Action: search` above `Action Input: …`, or `Action 1: Search[…]` or `Search(…)`, and
//!   `Observation:` up to the next such line or a blank one. The labels may be bold. Below
//!   `Action:` a fenced code block may have an object with `action` and `action_input`; the action
//!   `Final Answer` is text.
//! - opencode: `**Tool: read**`, with a fenced code block below `**Input:**`, and below
//!   `**Output:**`, `**Output:** (pruned)` or `**Error:**`.
//! - Exports of Claude Code's sessions: `🔧 **Tool Use: Read** (ID: …)`, and
//!   `📊 **Tool Result:**` or `**Tool Result** (ID: …)`, each above a fenced code block. Several
//!   calls and then several results are paired by their ids, or in order where these are missing.
//!   Also `🔧 Using tool: Read` above `Input: {…}`, of AutoMaker `🔧 Tool: Read`;
//!   `### Tool Use: Read` and `## Tool Result`; `**Tool call: Read**` or
//!   `**Tool call → Read**`, `` **Tool call:** `Read` `` and `` 🔧 **Tool Use:** `Read` ``, with
//!   `**Tool result:**` or `` 📋 **Tool Result:** `…` ``;
//!   `**[tool_use: Read]**` and `**[tool_result]**`; `**[Tool Use: Read]**` and
//!   `**[Tool Result]**`, each above `` Tool ID: `…` ``; and
//!   `<details><summary>Tool: Read</summary>` around a fenced code block.
//! - Logs of agents, among them Deep Agents: `### Tool Call: read`, also `### Tool call: …` and
//!   `### TOOL CALL: …`, above `Args: {…}`, an object or a fenced code block, and `#### Result` or
//!   `Result:` below it, or `### Tool Result` (`### Tool result`, `### TOOL RESULT`) above a fenced
//!   code block; with an object in one `` **Tool Call: `bash`** `` and `**[Tool: bash]**`;
//!   `<details><summary>Tool result</summary>`;
//!   `<details><summary>Tool call #1: <code>find</code> …` with `**Parameters**` and
//!   `**Response**`; `**-> tool: read**`, or `**-> read**` with an object, and `**<- result**`;
//!   `[Tool: read]` above `Input: {…}`, with `[Tool Result] …` and `[Tool Error] …`;
//!   `[tool_use] read {…}` and `[tool_result] …`; and in quotes `**[tool: read]** {…}` and
//!   `**[result]** …`.
//! - Transcripts that scripts write: lines `_[tool: Bash]_`, `_[tool: **Bash** — ls]_` and
//!   `_[tool use: Bash]_`, also after the speaker, and there `[tool: Bash]`, all of calls that are
//!   done, if one of them has an input or the file is a transcript anyway; `[tool_use: Read]` with
//!   `[tool_result] …`; `[Tool call: bash]` above an object; headings with a time,
//!   `### Tool Call: run (2026-…)`, `### Tool Call: run - 2026-…` or
//!   `## Tool call: run · 2026-…`, with `### Tool Output: …` or `### Command Result - 2026-…`;
//!   `### tool_use: Bash` with `### tool_result`; `### Tool: read` with fenced code blocks below
//!   it, or below `Input:` and `Output:`; `**tool call: bash**` with `## [3] tool`;
//!   `<summary>Tool: <code>Read</code></summary>` with `<summary>Tool Result</summary>`, each above
//!   a fenced code block; `**Tool — Bash**: …` with `Result:`; `> **Tool: Edit** — a.py`;
//!   `` **tool call:** `read` {…} `` with `> tool result: …`; `> 🔧 *Bash* — ls` with
//!   `> ↳ *tool result:* …`.
//! - ECA: `### Tool Call: read (succeeded)`, with fenced code blocks below it and `**Output:**`.
//! - goose, `goose session export`: `` #### Tool Call: `shell` (namespace: `developer`) `` above
//!   `**Arguments:**` and a list, and `#### Tool Response:`, both up to the next `---`.
//! - Claude Code's sessions with labels: `` **Tool:** `Bash` `` above `**Input:**`, and
//!   `**Result:**`, each above a fenced code block.
//! - Kilo Code: `` **tool `read`** completed `` above ` ```input ` and ` ```output `; a list of
//!   opencode's messages: `### Tool: read (completed)` above two fenced code blocks.
//! - Flemma: `` **Tool Use:** `read` (`id`) `` and `` **Tool Result:** `id` ``.
//! - Kimi Code, `/export`: `#### Tool Call: ReadFile` above `<!-- call_id: … -->` and a fenced code
//!   block, and `<details><summary>Tool Result: ReadFile</summary>`, the same comment and text.
//! - Copilot CLI, `/share`: `` ### ✅ `view` `` or `` ### ❌ `view` ``, up to the next `---`. The
//!   last fenced code block is the result, one below `Arguments` the input.
//! - Zed: `**Tool Use**: read (ID: …)` above a fenced code block, and
//!   `**Tool Result**: read (ID: …)`; of agents `**Tool Call: …**`, a title, above
//!   `Status: Completed`.
//! - Exports of Amp's threads: `` **Tool Use:** `Bash` `` and `` **Tool Result:** `…` ``, each
//!   above a fenced code block.
//! - agent-shell: `### Tool Call [completed]: …` with `**Tool:**` and other labels, and a fenced
//!   code block below them.
//! - aider: `Applied edit to a.py` in a quote, and `Running npm test` with two spaces at its end.
//! - The terminal of Claude Code: `⏺ Read(a.py)` or `● Read(a.py)`, whose lines may be wrapped,
//!   and `⎿ …`.
//! - Codex: of `codex exec` the lines `/bin/bash -lc '…' in … succeeded in 1ms:`, or of another
//!   shell, with what the command prints, also with ` succeeded in 1ms:` further below or after a
//!   time in brackets, `apply patch` or `file update` above the changes; of its terminal `• Ran …`
//!   above `└ …`, `• Edited … (+1 -0)`, `• Explored` and others.
//! - The terminal of Gemini CLI: frames that begin with `│ ✓  ReadFile a.py │`.
//! - Chats that Trae copies: `toolName: view_files` with `status: success` and others below blank
//!   lines.
//! - The terminals of goose, `─── shell | developer ───`, or a line and `▸ shell`, above
//!   `command: ls`, and of Kiro, `I will run the following command: ls (using tool: shell)`,
//!   `Running tool a with the param` and others; of Amazon Q `🛠️  Using tool: fs_read`, up to
//!   `● Completed in 0.1s`.
//! - The consoles of LlamaIndex, `Calling function: search with args: {…}` with
//!   `=== Function Output ===` or `Got output:`, and of AutoGPT, `NEXT ACTION:  COMMAND = search …`
//!   with `SYSTEM:  Command search returned: …`.
//! - The console of AutoGen: `[FunctionCall(id='…', arguments='{…}', name='find')]`, also several
//!   in one list; `***** Suggested tool call (…): a *****` or `***** Suggested function call: …`;
//!   and their results.
//! - Chats that VS Code copies: `Read [](file:///a.py)`, `Using "Apply Patch"`, `Ran terminal
//!   command: …` and others, also after `GitHub Copilot:`, and `Completed with input:` below
//!   some of them.
//! - Chats that Windsurf and Antigravity export: `*Viewed [a.py](file:///a.py) *`,
//!   `*User accepted the command `…`*`, `*Edited relevant file*` and others.
//! - Gemini CLI, `/chat share` as Markdown: `**Tool Command**:` with a fenced object of `name` and
//!   `args`, also after text, and `**Tool Response**:`.
//! - Cursor's transcripts as text: `[Tool call] Read` above lines such as `path: a.py`, and
//!   `[Tool result] Read`.
//! - LangChain: ``Invoking: `search` with `{…}` ``, whose result is the text below a blank line, up
//!   to the next one or to `> Finished chain.`; and messages that it prints, each below a line
//!   such as `==== Ai Message ====` and up to the next one: `Tool Calls:` above the calls, and the
//!   results below `==== Tool Message ====`.
//! - Exports of Roo Code's tasks: `[Tool Use: read_file]` and `[Tool]`, up to a blank line.
//! - CrewAI: `## Using tool: search` above `## Tool Input:` and `## Tool Output:`; OpenManus:
//!   `🔧 Activating tool: 'search'...` and `🎯 Tool 'search' completed its mission! Result: …`.
//! - gptel: a fenced code block ` ``` tool (read_file :filepath "a.py") ` with
//!   `(:name "read_file" :args (:filepath "a.py"))`, a blank line and the result; in Org a block
//!   `#+begin_tool (read_file :filepath "a.py")`.
//!
//! SpecStory, ReAct, agents of LangChain, aider, the terminal, and the chats of VS Code and Roo
//! Code show a transcript only beside a result of its own, `> Finished chain.` of LangChain, or a
//! line that names a speaker. A paragraph of ReAct with a block of another dialect belongs to that
//! dialect. In ReAct, in `Invoking:`, in the consoles of CrewAI and AutoGen, and in the
//! terminals of Kiro and goose, the colours are no text.

use std::borrow::Cow;

use super::inline_of;
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome, shared_spans, unclosed_element};
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::{Call, CallData, CallPart, CallSink, Field, UseStatus};
use crate::json;
use crate::never::OrNever;
use crate::syntax::Colours;

mod body;
mod elisp;
mod exports;
mod gptel;
mod kiro;
mod objects;
mod own;
mod row;
mod scripts;
mod specstory;
mod table;
mod terminals;
mod values;

use body::{
    Part, arguments_of, bare_json, blank_line_of, decoded_of, details_of, json_of, pairs_of, parts_of,
    prose_of, split_line, text_from, unboxed, unquoted, wrapped,
};
use objects::read_objects;
pub use own::{row_of_fence, rows_of, rules_of};
pub use row::Row;
use row::{End, Head, Piece, Place, Strength};
use table::ROWS;
use values::{Outcome, set_input, set_outcome};

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "tagged",
    form: "tool uses in the Markdown of SpecStory, ReAct, opencode, gptel and others",
    fence: Some(|language, info, _| gptel::is_block(language, info)),
    colours: |rule| ROWS.get(rule).map_or(Colours::Kept, |row| row.colours),
    pairing: pairing(PairingOrder::NearestFirst),
    is_of_other_programs: true,
    writer: Some(DialectWriter { description: "a gptel block", write: gptel::write }),
    read,
    ..Dialect::BASE
};

/// The labels of a status.
const STATUS: [&str; 2] = ["Status:", "status:"];

const fn pairing(order: PairingOrder) -> Pairing {
    Pairing::EarlierCall { order, orphans_are_text: true }
}

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    let own = source.language.and_then(|language| row_of_fence(source.text, language, source.settings));
    if source.language.is_some() && own.is_none() {
        return gptel::read(source, sink);
    }
    if own.is_some() && source.cut {
        return ReadOutcome::MoreText;
    }
    let rows = || inline_of(source.settings).own.get(source.rule.checked_sub(ROWS.len())?);
    if let Some(row) = own.or_else(|| ROWS.get(source.rule).or_else(rows)).never_none()
        && source.closed
        && let (line, below) = split_line(source.text)
        && let Some(heads) = row.behind_opener(line).and_then(|behind| row.heads(behind))
    {
        if let Some(item) = row.items {
            return read_items(source, item, below, sink);
        }
        let Some((heads, below)) = with_last_line(source, row, heads, below) else {
            sink.text();
            return ReadOutcome::Done;
        };
        let starts: Vec<_> = heads.iter().map(|head| source.span_of(head.text).start as usize).collect();
        for (mut head, span) in heads.into_iter().zip(shared_spans(starts.into_iter(), source.text.len())) {
            head.span = span;
            if let Some(Piece::Named(opener)) = row.head.first() {
                head.name = line.get(..opener.len()).map(|name| name.trim_matches(['*', '•', ' ']));
            }
            read_form(source, row, &head, below, sink);
        }
    } else {
        sink.text();
        if !source.closed && source.text.starts_with("<tool-use") {
            sink.diagnostic(unclosed_element(source.text));
        }
    }
    ReadOutcome::Done
}

/// The values of a form whose input may have several lines, and the text below these; `None` if
/// their end is missing.
fn with_last_line<'a>(
    source: &BlockSource<'a>,
    row: &Row,
    mut heads: Vec<Head<'a>>,
    below: &'a str,
) -> Option<(Vec<Head<'a>>, &'a str)> {
    if row.last.is_empty() {
        return Some((heads, below));
    }
    let head = heads.first_mut()?;
    let quote = if row.is_quoted() { head.input?.get(..1)? } else { "" };
    let (last, below) = row.last_line(below, quote)?;
    head.name = head.name.or(last.name);
    let input = source.span_of(head.input?).start..source.span_of(last.input?).end;
    (head.input, head.status) = (source.text.get(input.start as usize..input.end as usize), last.status);
    Some((heads, below))
}

/// Reads the calls in `below`, each with the row `item`.
fn read_items(source: &BlockSource<'_>, item: &Row, below: &str, sink: &mut dyn CallSink) -> ReadOutcome {
    let mut texts: Vec<&str> = Vec::new();
    let mut rest = below;
    while !rest.is_empty() {
        texts.extend(item.begins_item(rest).then_some(rest));
        rest = split_line(rest).1;
    }
    let start = |text: &&str| source.span_of(text).start as usize;
    let ends = texts.iter().skip(1).map(|next| next.len()).chain([0]);
    let spans = shared_spans(texts.iter().map(start), source.text.len());
    for ((text, end), span) in texts.iter().zip(ends).zip(spans) {
        let (line, below) = split_line(text.get(..text.len() - end).or_never());
        let Some(head) = item.behind_opener(line).and_then(|behind| item.heads(behind)?.pop()) else {
            continue;
        };
        read_form(source, item, &Head { span, ..head }, below, sink);
    }
    ReadOutcome::Done
}

/// Reads a form; `below` are the lines after its first one.
fn read_form<'a>(
    source: &BlockSource<'a>,
    row: &Row,
    head: &Head<'a>,
    below: &'a str,
    sink: &mut dyn CallSink,
) {
    let below = match row.end {
        End::Closer { closer, .. } => below.strip_suffix(closer).unwrap_or(below),
        _ => below,
    };
    let found = row.id_below(below);
    if row.id.is_some() && found.is_none() {
        return sink.text();
    }
    let (id, below) = found.map_or((head.id, below), |(id, below)| (Some(id), below));
    let parts = parts_of(below, row.labels(), row.fences());
    let form = Form { source, row, head, below, parts: &parts };
    if let Place::Object(name, input) = row.input {
        return read_objects(&form, (name, input), sink);
    }
    let name = form.name();
    let (input, outcome) = (form.input(name), form.outcome());
    if form.is_empty(input.is_some(), outcome.is_some()) {
        return sink.text();
    }
    let json = json::parse(json_of(&input));
    let decoded = decoded_of(&input);
    let decoded_json = json::parse(&decoded);
    let mut call = Call::new(row.part, source.text);
    call.pairing = Some(match source.language {
        Some(_) => Pairing::SelfContained,
        None => pairing(row.order),
    });
    let field = |text: &'a str| Field { text: text.into(), span: source.span_of(text) };
    call.name = name.map(field);
    call.id = id.map(field);
    set_input(&mut call, source, input, &json);
    let quoted = decoded_json.root(&decoded).map(CallData::Json);
    let is_quoted = quoted.is_some();
    call.input = quoted.or(call.input);
    let in_head = row.input == Place::Head && call.input.is_some();
    let has_input = call.payload.is_some() || call.arguments.is_some() || is_quoted || in_head;
    let is_evidence = match row.evidence {
        Strength::Own => has_input || outcome.is_some(),
        Strength::Sure => has_input && (outcome.is_some() || row.part == CallPart::Call),
        Strength::Example => false,
    };
    match outcome {
        None => call.part = if row.part == CallPart::Both { CallPart::Call } else { row.part },
        Some(outcome) => set_outcome(&mut call, source, outcome),
    }
    (call.is_evidence, call.is_example) = (is_evidence, true);
    call.span = head.span;
    sink.call(call);
}

/// A form in a text.
struct Form<'f, 'a> {
    source: &'f BlockSource<'a>,
    row: &'f Row,
    head: &'f Head<'a>,
    /// The lines after the first one.
    below: &'a str,
    parts: &'f [Part<'a>],
}

impl<'a> Form<'_, 'a> {
    /// The name, which is not empty.
    fn name(&self) -> Option<&'a str> {
        let labelled = || self.line_under(self.row.name?)?.split(' ').next();
        self.head.name.or_else(labelled).filter(|name| !name.is_empty())
    }

    /// The first line of the text of a label.
    fn line_under(&self, label: &str) -> Option<&'a str> {
        let part = self.parts.iter().find(|part| part.label == label)?;
        Some(split_line(part.text).0.trim_end())
    }

    /// True if it is text whose first line only looks like a form.
    fn is_empty(&self, has_input: bool, has_outcome: bool) -> bool {
        let is_bare = || self.parts.iter().all(|part| part.label.is_empty() && part.fence.is_none());
        match (self.row.part, self.row.end) {
            (CallPart::Result, _) => !has_outcome,
            _ if self.row.may_be_bare => false,
            (_, End::Parts(_)) if matches!(self.row.input, Place::UnderOrObject(_) | Place::ObjectOnly) => {
                !has_input
            }
            (_, End::Parts(_)) => is_bare() || !has_input && !has_outcome,
            _ => !has_input && !has_outcome,
        }
    }

    fn input(&self, name: Option<&str>) -> Option<CallData<'a>> {
        let text = match self.row.input {
            Place::Keys(keys) => return self.arguments(keys),
            Place::Lead => {
                let lead = blank_line_of(self.below).map_or(self.below, |(lead, _)| lead).trim();
                let is_named = self.row.name.is_some_and(|label| lead.starts_with(label));
                let lead = if is_named { split_line(lead).1.trim() } else { lead };
                // A value may have several lines.
                return pairs_of(lead)
                    .or_else(|| Some(CallData::Text(lead.into())).filter(|_| !lead.is_empty()));
            }
            Place::Prose(without) => {
                let text = self.parts.first()?.text;
                let labels = self.row.labels().iter().chain(self.row.fences());
                let (results, text) = match self.row.output {
                    Place::Details(results) => (results, details_of(text).0),
                    _ => (&[][..], text),
                };
                let is_input = |label: &&&str| !results.contains(*label) && !self.row.errors.contains(*label);
                if let Some(text) = labels.filter(is_input).find_map(|label| self.under(label)) {
                    return Some(CallData::Text(text.into()));
                }
                let prose = prose_of(text, without, name.unwrap_or_default());
                return Some(CallData::Text(prose.into())).filter(|_| self.row.part == CallPart::Both);
            }
            Place::Head => match self.row.end {
                End::Paragraph { labels: [], .. } if self.head.output.is_none() => {
                    self.head.input.map(|start| text_from(start, self.source.text).trim_end())
                }
                _ => self.under("`").or(self.head.input),
            }
            .filter(|input| !input.is_empty()),
            Place::Boxed => return Some(CallData::Text(unboxed(self.below).trim().to_owned().into())),
            Place::Wrapped => self.head.input.and_then(|start| wrapped(text_from(start, self.source.text))),
            place => self.text_at(place),
        };
        text.map(|text| CallData::Text(text.into()))
    }

    fn outcome(&self) -> Option<Outcome<'a>> {
        let row = self.row;
        if row.is_quoted() && self.head.status.is_none() {
            return None;
        }
        let error = row.errors.iter().find_map(|label| self.under(label));
        let output = match row.output {
            Place::Head if row.list.is_some() => self.head.output.map(unquoted),
            Place::Head => self.head.output.map(|start| text_from(start, self.source.text).trim()),
            place => self.text_at(place),
        };
        let fails = |text: &str| row.failures.iter().any(|start| text.starts_with(start));
        let labelled = || STATUS.iter().find_map(|label| self.line_under(label));
        let written = self.head.status.or_else(labelled).unwrap_or_default();
        let failed = error.is_some() || output.is_some_and(fails) || row.failed.contains(&written);
        let always = matches!(row.end, End::Closer { .. }) || matches!(row.output, Place::None);
        let is_done = always && row.part == CallPart::Both || row.done.contains(&written);
        let is_over = output.is_some() || failed || is_done;
        let status = if failed { UseStatus::Failed } else { UseStatus::Done };
        let text = match row.output {
            Place::Boxed => Some(unboxed(self.below).into()),
            _ => error.or(output).map(Cow::Borrowed),
        };
        (is_over && row.part != CallPart::Call).then_some(Outcome { status, text })
    }

    /// The code block or text at a place.
    fn text_at(&self, place: Place) -> Option<&'a str> {
        match place {
            Place::Under(labels) => labels.iter().find_map(|label| self.under(label)),
            Place::UnderOrNext(label) => self.under(label).or_else(|| {
                let follows = self.below.trim_start_matches(' ').starts_with(['`', '~']);
                if follows { self.under("") } else { None }
            }),
            Place::Rest => Some(self.parts.first()?.text).filter(|text| !text.is_empty()),
            Place::Body => {
                // Amazon Q writes `⋮` below its results.
                let body = blank_line_of(self.below)?.1.trim_end_matches('⋮').trim_end();
                Some(body).filter(|text| !text.is_empty())
            }
            Place::Below => Some(bare_json(self.below.trim())),
            Place::From(label) => {
                let part = self.parts.iter().find(|part| part.label == label)?;
                Some(text_from(part.text, self.below).trim()).filter(|text| !text.is_empty())
            }
            Place::UnderOrObject(label) => {
                self.under(label).or_else(|| self.under("")).or_else(|| self.object())
            }
            Place::UnderOrShown(labels) => labels.iter().find_map(|label| self.under(label)).or_else(|| {
                let is_shown = |text: &&str| text.starts_with('{') || self.outcome().is_some();
                self.under("").filter(is_shown)
            }),
            Place::ObjectOnly => self.under("").or(self.head.input).filter(|text| text.starts_with('{')),
            Place::LastFence => self.parts.iter().rev().find_map(|part| part.fence),
            Place::Details(labels) => {
                let is_other = |part: &&Part<'_>| !self.row.fences().contains(&part.label);
                let fence = || self.parts.iter().rev().filter(is_other).find_map(|part| part.fence);
                let below = || Some(details_of(self.parts.first()?.text).1).filter(|it| !it.is_empty());
                labels.iter().find_map(|label| self.under(label)).or_else(fence).or_else(below)
            }
            _ => None,
        }
    }

    /// The text from the label `{` on.
    fn object(&self) -> Option<&'a str> {
        let part = self.parts.iter().find(|part| part.label == "{")?;
        let behind = text_from(part.text, self.below);
        let start = self.below.get(..self.below.len() - behind.len())?.rfind('{')?;
        self.below.get(start..self.below.len() - behind.len() + part.text.len())
    }

    /// The text of a label, or else its code block; below the first line the code block alone. A
    /// backtick is the label of a code span.
    fn under(&self, label: &str) -> Option<&'a str> {
        let part = self.parts.iter().find(|part| part.label == label)?;
        let text = if label == "`" { part.text.trim_end_matches('`') } else { part.text };
        let text = Some(text).filter(|text| !text.is_empty() && !label.is_empty());
        text.or(part.fence)
    }

    fn arguments(&self, keys: &[(&'static str, &'static str)]) -> Option<CallData<'a>> {
        let under = |label: &str| self.parts.iter().find(|part| part.label == label);
        let found = keys.iter().find_map(|(label, key)| Some((*key, under(label)?.text)));
        let Some((key, text)) = found else {
            return self.head.input.map(|title| CallData::Text(title.into()));
        };
        if !key.is_empty() {
            return Some(CallData::Arguments(vec![(key.into(), text.into())]));
        }
        Some(CallData::Arguments(arguments_of(text)))
    }
}

#[cfg(test)]
mod tests;
