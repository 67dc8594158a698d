//! The table of `docs/families.md`: a row per family of transcripts, from its fixture in
//! `tests/data/families`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chatls::call::UseStatus;
use chatls::config::Settings;
use chatls::diagnostic::Code;
use chatls::dialect::DIALECTS;
use chatls::document::{Document, Language};
use chatls::features::chat_forms::{CHAT_FORMS, write_form};
use chatls::features::conversion::{ConversionScope, checked_plan, log_as_markdown, targets};
use chatls::features::folding::{FoldingCapabilities, folding_ranges};
use chatls::features::refactorings::outcomes::{CallAnchor, sample_edits};
use chatls::features::repair::needs_repair;
use chatls::forms::built_in::FORMS;
use chatls::forms::form::{Form, FormRole};
use chatls::json::{self, Value};
use chatls::registry::{Registry, read_source};
use chatls::text::Text;
use serde_json::json;

/// A family of transcripts.
struct Family {
    /// Its name for people.
    name: &'static str,
    /// The file of its fixture.
    fixture: &'static str,
    /// The commonness: the calls that were counted in public files, or a word.
    common: &'static str,
    /// The names of the tools that its fixture calls.
    calls: &'static [&'static str],
}

const CALLS: &[&str] = &["look", "ask"];

const fn family(name: &'static str, fixture: &'static str, common: &'static str) -> Family {
    Family { name, fixture, common, calls: CALLS }
}

/// The fixtures of Markdown come first; those of logs have the name of their family in the code.
const FAMILIES: &[Family] = &[
    family("SpecStory", "specstory.md", "17,389"),
    Family {
        calls: &["Listed directory", "Read file", "ask"],
        ..family("SpecStory, its first versions for Cursor", "specstory-cursor.md", "2,647")
    },
    family("ReAct", "react.md", "3,763"),
    family("exports of Claude Code", "claude-export.md", "152"),
    family("logs of agents with headings", "headed.md", "12,217"),
    family("ECA", "eca.md", "6,570"),
    family("Codex, as Markdown with times", "timed.md", "841"),
    family("transcripts with icons in quotes", "icons.md", "385"),
    family("transcripts with lines in italics", "italic.md", "common"),
    family("Claude Code and Codex, as Markdown with summaries", "summaries.md", "common"),
    family("goose, its sessions as Markdown", "goose-export.md", "306"),
    family("Claude Code, as Markdown with labels", "claude-labels.md", "110"),
    family("Amazon Q, its terminal", "amazon-q.md", "common"),
    family("Kilo Code, exported as Markdown", "kilo.md", "5,646"),
    family("AutoMaker", "automaker.md", "common"),
    family("Kimi Code, exported as Markdown", "kimi-export.md", "common"),
    Family { calls: &["edit", "edit"], ..family("aider", "aider.md", "125") },
    family("opencode, exported as Markdown", "opencode.md", "113"),
    Family {
        calls: &["Look", "Ask"],
        ..family("Claude Code, from the terminal", "claude-terminal.md", "89")
    },
    Family { calls: &["read_file", "list_files"], ..family("Cline, Roo Code", "cline.md", "26") },
    family("agent-shell", "agent-shell.md", "19"),
    family("Flemma", "flemma.md", "8"),
    family("gptel", "gptel.md", "8"),
    family("gptel, in Org", "gptel.org", "8"),
    family("Hermes, Qwen", "hermes.md", "common"),
    family("Llama", "llama.md", "rare"),
    family("gpt-oss, Kimi, DeepSeek, Mistral, GLM", "tokens.md", "rare"),
    family("Anthropic's elements", "invoke.md", "rare"),
    family("AutoGen, its console", "autogen.md", "rare"),
    Family {
        calls: &["Viewed", "Edited relevant file"],
        ..family("Windsurf, Antigravity, exported", "windsurf.md", "common")
    },
    Family {
        calls: &["Read", "Apply Patch"],
        ..family("VS Code chat, copied", "vscode-copied.md", "common")
    },
    family("Gemini CLI, shared as Markdown", "gemini-shared.md", "common"),
    family("Roo Code, exported", "roo-exported.md", "rare"),
    family("CrewAI, its console", "crewai.md", "rare"),
    family("LangChain, its console", "langchain.md", "rare"),
    family("Trae, copied", "trae.md", "17,105"),
    Family { calls: &["bash", "zsh"], ..family("`codex exec`", "codex-exec.md", "common") },
    Family { calls: &["Ran", "Edited"], ..family("Codex, its terminal", "codex-terminal.md", "common") },
    family("Gemini CLI, its terminal", "gemini-terminal.md", "8,082"),
    family("Copilot CLI, shared as Markdown", "copilot-shared.md", "common"),
    family("Zed, threads as Markdown", "zed.md", "rare"),
    family("goose, its terminal", "goose-terminal.md", "rare"),
    Family { calls: &["shell", "read"], ..family("Kiro, its terminal", "kiro-terminal.md", "rare") },
    family("Cursor, its transcripts as text", "cursor-text.md", "rare"),
    family("LlamaIndex, its console", "llamaindex.md", "rare"),
    family("AutoGPT, its console", "autogpt.md", "rare"),
    family("`tool` fences", "fence.md", "rare"),
    family("markers", "marker.md", "rare"),
    family("`<tool>` tags", "tag.md", "rare"),
    family("lines before `<tool>` tags", "legacy.md", "rare"),
    family("streams of the AI SDK", "stream.jsonl", "common"),
    family("tau2-bench", "tau2-bench.json", "1,626"),
    family("Codex", "codex.jsonl", "831"),
    family("Anthropic Messages API", "anthropic.json", "338"),
    family("xLAM", "xlam.jsonl", "270"),
    family("ShareGPT, LLaMA-Factory", "sharegpt.json", "211"),
    family("Hermes, Qwen, Llama in messages", "elements.json", "113"),
    family("gpt-oss, Kimi, DeepSeek, Mistral, GLM in messages", "tokens.json", "rare"),
    family("Gemini CLI, its stream", "gemini-cli.jsonl", "109"),
    Family { calls: &["look", "command"], ..family("Cline, `ui_messages.json`", "cline.json", "85") },
    family("Continue", "continue.jsonl", "76"),
    family("OpenInference", "openinference.jsonl", "30"),
    family("Kimi Code", "kimi.jsonl", "23"),
    Family { calls: &["read", "other"], ..family("Agent Client Protocol", "acp.jsonl", "20") },
    family("API-Bank", "api-bank.jsonl", "5"),
    family("Cursor", "cursor.jsonl", "5"),
    family("AG-UI", "ag-ui.json", "4"),
    family("LlamaIndex", "llamaindex.json", "4"),
    family("Claude Code", "claude-code.jsonl", "common"),
    family("OpenAI chat completions", "openai-chat.json", "common"),
    family("OpenAI responses", "openai-responses.json", "common"),
    family("AI SDK messages", "ai-sdk.json", "common"),
    family("Gemini API", "gemini.json", "common"),
    family("LangChain", "langchain.json", "common"),
    family("opencode", "opencode.json", "common"),
    family("OpenHands", "openhands.json", "common"),
    family("SWE-agent", "swe-agent.json", "common"),
    family("VS Code chat", "vscode-chat.json", "common"),
    family("Copilot CLI", "copilot.jsonl", "common"),
    family("Bedrock Converse", "bedrock.json", "common"),
    family("OpenTelemetry", "opentelemetry.json", "common"),
    family("Langfuse", "langfuse.json", "common"),
    family("flat calls of other programs", "flat.json", "common"),
    family("Cursor CLI, its stream", "cursor-cli.jsonl", "common"),
    family("OpenAI Agents SDK for JavaScript", "openai-agents-js.json", "common"),
    family("HTTP cassettes (`vcrpy`, `go-vcr`, Ruby's `vcr`)", "cassette.json", "common"),
    family("claude.ai, its data export", "claude-ai.json", "common"),
    family("ChatGPT, its data export", "chatgpt.json", "common"),
    family("Claude Code, logs of its hooks", "claude-hooks.jsonl", "common"),
    family("calls of other programs with a type", "typed-calls.jsonl", "common"),
    family("calls of other programs, logged with their results", "logged.jsonl", "4,703"),
    family("TanStack AI", "tanstack.json", "rare"),
    family("Agent TARS", "agent-tars.jsonl", "141"),
    family("Kiro CLI", "kiro.jsonl", "rare"),
    family("DSH", "dsh.jsonl", "rare"),
    family("AIMock", "aimock.json", "common"),
    family("LM Studio", "lm-studio.json", "rare"),
    family("Letta", "letta.json", "rare"),
    family("ElevenLabs", "elevenlabs.json", "rare"),
    family("Retell", "retell.json", "rare"),
    family("Genkit", "genkit.json", "rare"),
    family("Copilot, prompts exported by VS Code", "chatreplay.json", "rare"),
    family("browser-use", "browser-use.json", "rare"),
    family("StableToolBench", "stabletoolbench.json", "rare"),
    family("Inspect", "inspect.json", "rare"),
    family("ADK, its evaluation sets", "adk.json", "rare"),
    family("Amp", "amp.json", "rare"),
    family("Antigravity", "antigravity.jsonl", "rare"),
    family("ATIF (Harbor)", "atif.json", "rare"),
    family("AutoGen", "autogen.json", "rare"),
    family("Cohere, its stream", "cohere.jsonl", "rare"),
    family("droid", "droid.jsonl", "rare"),
    family("goose", "goose.jsonl", "rare"),
    family("Grok Build", "grok.jsonl", "rare"),
    family("Haystack", "haystack.json", "rare"),
    family("managed agents of Anthropic", "managed-agents.jsonl", "rare"),
    family("Microsoft.Extensions.AI", "microsoft-extensions-ai.json", "rare"),
    family("OpenClaw", "openclaw.jsonl", "rare"),
    family("pi", "pi.jsonl", "rare"),
    family("Pydantic AI", "pydantic-ai.json", "rare"),
    family("Open WebUI", "open-webui.json", "rare"),
    family("LibreChat", "librechat.json", "rare"),
    family("Vapi", "vapi.json", "rare"),
    family("servers of the Model Context Protocol", "mcp.jsonl", "rare"),
    family("Claude Desktop, its logs of such servers", "mcp-desktop.log", "common"),
    family("Semantic Kernel", "semantic-kernel.json", "rare"),
    family("LangChain4j", "langchain4j.json", "rare"),
    family("smolagents", "smolagents.json", "rare"),
    family("CAMEL, OWL", "camel.json", "rare"),
    family("trae-agent", "trae-agent.json", "rare"),
    family("jean-claude", "jean-claude.json", "rare"),
    family("oh-my-opencode", "oh-my-opencode.jsonl", "rare"),
    Family {
        calls: &["commandExecution", "ask"],
        ..family("Codex, its app server", "codex-server.jsonl", "rare")
    },
    Family {
        calls: &["exec_command", "ask"],
        ..family("Codex, its older events", "codex-events.jsonl", "rare")
    },
    family("Auggie", "auggie.json", "rare"),
    family("Cursor, bubbles of its database", "cursor-bubbles.json", "rare"),
    family("assistant-ui", "assistant-ui.json", "rare"),
    family("BFCL, results of models that call functions", "bfcl.jsonl", "28,438"),
    family("AgentDojo", "agentdojo.json", "1,364"),
    family("ToolTalk", "tooltalk.json", "87"),
    family("Amazon Q, saved conversations", "amazon-q.json", "common"),
    family("Agno", "agno.json", "rare"),
    family("n8n, steps of its agents", "n8n.json", "rare"),
    family("Flowise", "flowise.json", "rare"),
    family("Langflow", "langflow.json", "rare"),
    family("Dify", "dify.json", "rare"),
    family("Cherry Studio", "cherry-studio.json", "rare"),
    family("Chatbox", "chatbox.json", "rare"),
    family("SillyTavern", "sillytavern.jsonl", "rare"),
    family("Mistral, entries of conversations", "mistral.json", "rare"),
    family("Cohere, its first chat API", "cohere-chat.json", "rare"),
    family("Ultravox", "ultravox.json", "rare"),
    family("DeepEval", "deepeval.json", "rare"),
    family("LobeChat", "lobechat.json", "rare"),
    family("Jan", "jan.jsonl", "rare"),
    family("AnythingLLM", "anythingllm.json", "rare"),
    family("Void", "void.json", "rare"),
    family("big-AGI", "big-agi.json", "rare"),
    family("HuggingChat", "huggingchat.json", "rare"),
    family("Crush", "crush.json", "rare"),
    family("Zed, its threads", "zed.json", "rare"),
    family("Agent2Agent, from ADK", "a2a.json", "rare"),
    family("Spring AI", "spring-ai.json", "rare"),
    family("TapeAgents", "tapeagents.json", "rare"),
    family("Mastra, spans of its traces", "mastra.json", "rare"),
    family("LangChain, steps of its agents", "langchain-steps.json", "rare"),
    family("DSPy, trajectories of ReAct", "dspy.json", "rare"),
    family("agents of Bedrock, their traces", "bedrock-agents.jsonl", "rare"),
    family("Llama Stack, turns of its agents", "llama-stack.json", "rare"),
];

/// The dialects of several families that are written as one of them.
const WRITTEN: [(&str, &str); 2] = [("tagged", "gptel.md"), ("elements", "invoke.md")];

#[test]
fn families_are_generated() {
    let rows = FAMILIES.iter().map(Family::row);
    let head = [
        "family",
        "calls in public files",
        "calls",
        "found",
        "precision",
        "checked",
        "folded",
        "repaired",
        "results written",
        "converted from",
        "converted to",
    ];
    super::check_block("docs/families.md", "families", &super::table(head, rows));
}

/// Every family of the table of forms, every dialect and every fixture has a row.
#[test]
fn families_are_complete() {
    let stem = |name: &str| name.split('.').next().unwrap().to_owned();
    let shown: BTreeSet<_> = FAMILIES.iter().map(|family| stem(family.fixture)).collect();
    let of_forms = FORMS.iter().map(|form| form.family.to_string()).filter(|family| !family.is_empty());
    let missing: Vec<_> = of_forms.filter(|family| !shown.contains(family)).collect();
    assert!(missing.is_empty(), "{missing:?}: add fixtures to tests/data/families");
    let uses = FAMILIES.iter().flat_map(|family| family.document(&family.text(), &[]).tool_uses());
    let dialects: BTreeSet<_> = uses.map(|found| found.dialect).collect();
    assert_eq!(dialects, DIALECTS.iter().map(|dialect| dialect.name).collect());
    let listed = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(listed, FAMILIES.len(), "fixtures without a row");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families")
}

impl Family {
    fn text(&self) -> String {
        let path = folder().join(self.fixture);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        text.replace("\r\n", "\n")
    }

    /// A document of the family, whose tools need an argument that no call has.
    fn document(&self, text: &str, tools: &[&str]) -> Document {
        let schema = json!({"type": "object", "required": ["reason"]});
        let tools: Vec<_> = tools.iter().map(|name| json!({"name": name, "inputSchema": schema})).collect();
        let mut registry = Registry::default();
        registry.add(&read_source(&json!({"tools": tools}).to_string(), "tools.json"));
        let registry = if tools.is_empty() { Arc::default() } else { Arc::new(registry) };
        let settings = Settings { is_named: false, registry, ..Settings::default() };
        let text = Text::new(text);
        let language = Language::of("", self.fixture, &text);
        Document::new(text, language, Arc::new(settings))
    }

    fn row(&self) -> [String; 11] {
        let text = self.text();
        let document = self.document(&text, &[]);
        let uses = document.tool_uses();
        let found: Vec<_> = uses.iter().filter_map(|found| found.name.as_deref()).collect();
        let mut left = found.clone();
        let mut is_found =
            |call: &&&str| left.iter().position(|name| name == *call).map(|at| left.swap_remove(at));
        let known = self.calls.iter().filter(|call| is_found(call).is_some()).count();
        let codes: Vec<_> =
            self.document(&text, self.calls).diagnostics().iter().map(|problem| problem.code).collect();
        let folds = folding_ranges(&document, FoldingCapabilities::default());
        let shortened: Vec<_> = without_a_line(&text).map(|text| self.document(&text, &[])).collect();
        let mark = |works: bool| if works { "yes" } else { "–" }.to_owned();
        [
            self.name.to_owned(),
            self.common.to_owned(),
            self.calls.len().to_string(),
            known.to_string(),
            format!("{} %", 100 * known / uses.len().max(1)),
            mark(codes.contains(&Code::InvalidInput)),
            mark(folds.iter().any(|fold| fold.label.is_some())),
            mark(shortened.iter().any(needs_repair)),
            mark(shortened.iter().any(takes_result)),
            mark(is_convertible(&document)),
            self.targets(&document, uses.first().map_or("", |found| found.dialect)),
        ]
    }

    /// The names that `convert --to` has for the family.
    fn targets(&self, document: &Document, dialect: &str) -> String {
        let (family, _) = self.fixture.split_once('.').unwrap();
        let forms = CHAT_FORMS.iter().filter(|form| {
            let written = write_form(document, form).map(|written| written.text).unwrap_or_default();
            written.lines().any(|line| families_in(line).contains(family))
                || families_in(&written).contains(family)
        });
        let is_written = |target: &&str| {
            let written = WRITTEN.iter().find(|(name, _)| name == target);
            *target == dialect && written.is_none_or(|(_, written)| *written == self.fixture)
        };
        let dialects = targets().map(|(target, _)| target.name).filter(is_written);
        let names: Vec<_> =
            forms.map(|form| form.name).chain(dialects).map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "–".to_owned() } else { names.join(", ") }
    }
}

/// `text` without one of its lines, for each of them but the last one.
fn without_a_line(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    (0..lines.len() - 1).map(move |at| [&lines[..at], &lines[at + 1..]].concat().concat())
}

/// True if a result of a call without one can be written. One in the block of its call is written
/// like the one that is there.
fn takes_result(document: &Document) -> bool {
    let (uses, paired) = (document.tool_uses(), document.paired_uses());
    (0..uses.len())
        .filter(|index| uses[*index].status == UseStatus::Pending || paired.uses[*index].parts.len() == 1)
        .filter_map(|index| CallAnchor::of(&uses, index))
        .any(|anchor| sample_edits(document, &anchor).is_ok())
}

fn is_convertible(document: &Document) -> bool {
    CHAT_FORMS.iter().any(|form| write_form(document, form).is_ok())
        || targets().any(|(target, _)| {
            checked_plan(document, ConversionScope::Document, target).is_ok()
                || log_as_markdown(document, target).is_some()
        })
}

/// The families of the tool uses in a text of JSON.
fn families_in(text: &str) -> BTreeSet<String> {
    let json = json::parse(text);
    let mut values: Vec<Value<'_>> = json.root(text).into_iter().collect();
    let mut families = BTreeSet::new();
    while let Some(value) = values.pop() {
        let is_use = |form: &&Form| matches!(form.role, FormRole::Use(_)) && form.fits(value);
        families.extend(FORMS.iter().find(is_use).map(|form| form.family.to_string()));
        values.extend(value.items().chain(value.entries().map(|(_, member)| member)));
    }
    families
}
