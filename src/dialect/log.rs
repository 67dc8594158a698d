//! `log`: objects of messages in JSON documents, JSON Lines and fences of them.
//!
//! The session logs, transcripts and training sets of Anthropic (Claude Code included), OpenAI
//! (chat completions, responses, Codex, its Agents SDK), Gemini and its CLI, Bedrock, the AI SDK's
//! messages, claude.ai, ChatGPT, LM Studio, opencode, VS Code, Cline, Roo Code, Continue, Copilot
//! CLI, Cursor and its CLI, Kiro CLI, pi, Amp, goose, Grok Build, droid, Kimi Code, OpenClaw,
//! Antigravity, browser-use, ElevenLabs, Retell, Vapi, LibreChat, AG-UI, the Agent Client
//! Protocol, the Model Context Protocol, LangChain and LangChain4j, LlamaIndex, Letta, Genkit,
//! Semantic Kernel, Pydantic AI, Microsoft.Extensions.AI, AutoGen, Haystack, CAMEL, smolagents,
//! OpenTelemetry, Langfuse, ShareGPT, LLaMA-Factory, ToolBench, xLAM, API-Bank, tau2-bench,
//! Inspect, OpenHands, SWE-agent, trae-agent, jean-claude, ATIF, BFCL, AgentDojo, ToolTalk,
//! DeepEval, Amazon Q, Agno, n8n, Flowise, Langflow, Dify, Cherry Studio, Chatbox, SillyTavern,
//! TanStack AI, Agent TARS, Mistral, Cohere, Ultravox, LobeChat, Jan, AnythingLLM, Void, big-AGI,
//! HuggingChat, Crush, Zed, Hume, Agent2Agent, Spring AI, TapeAgents, Mastra, DSPy, agents of
//! Bedrock and Llama Stack; also in the bodies of HTTP cassettes.
//!
//! - An object is recognized by its own members, wherever it stands in a `*.json` or `*.jsonl`
//!   file, or in such a fence. Objects inside of a tool use are its data; objects with more than 64
//!   members, or in more than 128 arrays and objects, are not read.
//! - A conversation is the innermost array of messages, or else the document; in JSON Lines that is
//!   the whole log. An array that is an event of a stream (`data: [`) is no conversation. Ids and
//!   positions hold within a conversation.
//! - Sub-agents and sessions that share a log or an array have conversations of their own, by
//!   `isSidechain` with `agentId`, or without it in a log by `parentUuid` (Claude Code), by
//!   `parent_tool_use_id` (Claude Agent SDK), `parentToolCallId` (Copilot CLI), and by `sessionID`
//!   (events of opencode). In arrays and fences, sub-agents without `agentId` are one conversation,
//!   in which only results without a call are reported.
//! - A fence of Markdown with the language `json`, `jsonc`, `json5`, `jsonl` or `ndjson` is read
//!   like a file if it holds a whole conversation: at least two messages with a tool use, in an
//!   array or, in `jsonl`, `ndjson` and if they are messages of JSON-RPC, on lines. A conversation
//!   whose first tool use is a result is cut from a longer one, and a single call or message is
//!   documentation: neither is read. Each fence has conversations and tools of its own. Several
//!   messages of JSON-RPC show a transcript; other fences do not. Problems between messages are
//!   only reported in documents that are transcripts by name or `include`, because other texts show
//!   examples, and only while the JSON around them is valid: without `...` for what is left out,
//!   comments and trailing commas. Calls in JSON5 with unquoted keys are not read.
//! - A result without an id belongs to the first call of its conversation that has no result; a
//!   result with an id that no call has belongs to the first such call without an id.
//! - A call with the id of an earlier one is another tool use if its name or its arguments differ;
//!   in logs and lists of records, which are written in parts and may be written twice, only after
//!   the result. In an array of messages with roles, the same call after its result is another
//!   tool use, too.
//! - Objects that repeat others of the same file are ignored: progress records of Claude Code,
//!   events of Inspect, steps of SWE-agent, beginnings of items in streams of responses, and
//!   messages of tau2-bench as the API returned them. In a list of lists of messages, calls that
//!   begin a later list like an earlier one are the same tool uses. So are the calls that a request
//!   in an HTTP cassette repeats, if it has the same text before its first call; there a unique id
//!   is enough.
//! - The rounds of a request in VS Code name the tool invocations of its response by other ids, and
//!   by other names: an invocation with a similar name is the same tool use.
//! - A call repeats one of another conversation of the file if its id, its name and its arguments
//!   are the same, and either its id occurs once (16 characters or more, without the name of the
//!   tool), or the messages up to it are the same, or one of the two is a record and the other
//!   stands in an array. So do states of a run, spans of a trace, requests with all that came
//!   before, and the end of a stream of responses. It is the same tool use, with the first result.
//!   The examples of a training set and the fences of a text repeat nothing.
//! - Text of the assistant may have calls as elements: `<tool_call>`, `<function=…>`, `<invoke>`,
//!   `<|python_tag|>`, and the tools of Cline and Roo Code by their names; text of a user or a tool
//!   that begins with `<tool_response>`, `<function_results>` or `[read_file for 'a'] Result:` is
//!   their results, in order. An element counts if it is complete, outside of code; other text is
//!   text, and so is text beside calls of another form in the same message.
//! - In streams of chat completions, Anthropic, Bedrock and AG-UI, the input of a call is joined
//!   from its pieces. A piece without an id belongs to the last call before it. Pieces of text are
//!   one text, and so are pieces of reasoning.
//! - Arguments in a string of JSON are decoded and checked, with diagnostics and fixes at their
//!   place in the string. A string that is not an object of JSON is text.
//! - `tools`, `functions` or `toolConfig` in an object around calls list their tools, as objects in
//!   the forms of OpenAI, Anthropic, Gemini, Bedrock, MCP or the AI SDK, or as a string of JSON.
//!   They come before the tools of the configuration. If an item of the list has no name, no tool
//!   is unknown. A list beside `runId` (AG-UI), or beside `session_id` and `session_start` (Hermes
//!   Agent), does not have all tools, and is not used. An `mcp_list_tools` item among the first
//!   eight elements of an array adds the tools of its server for the `mcp_call` items in the array
//!   that have the same `server_label`, or none.
//! - The text of a message stands in its content, its reasoning and its parts; its time, its model
//!   and its sub-agent may stand in the record around it. The messages of the assistant up to the
//!   next one of another author are one turn, with the results between them.
//! - `[[dialect]]` tables of a configuration add forms; they precede the built-in ones.
//! - The JSON around arguments is not checked: that is left to the editor's JSON language server.

use super::draft::{Draft, DraftObject, ObjectForm};
use super::interface::{BlockSource, Dialect, ReadOutcome};
use crate::call::pairing::Pairing;
use crate::call::shape::{FieldRole, FieldType, ObjectShape, PatternEnd, field};
use crate::call::{CallPart, CallSink};
use crate::diagnostic::Code;
use crate::messages;
use crate::text::Span;

mod complete;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "log",
    form: "an object of a message, such as `{\"type\": \"tool_use\", …}`",
    pairing: Pairing::InConversation,
    complete: complete::complete,
    read,
    ..Dialect::BASE
};

/// The form in which completion and signature help see a call.
static SHAPE: ObjectShape = ObjectShape {
    description: "a call",
    fields: &[
        field("name", FieldRole::Name, FieldType::String),
        field("arguments", FieldRole::Input, FieldType::Object),
    ],
    needs_name: true,
    unclosed: Code::InvalidJson,
    extra_is_misplaced: false,
    pattern_end: PatternEnd::None,
};

/// The draft of a call that is all of `text`, in the form of `SHAPE`; `is_line` means that it is
/// inside of a JSON string, and written without spaces.
pub fn draft_of_call(text: &str, is_line: bool) -> Draft {
    let form = ObjectForm { tag: None, part: CallPart::Call, failed: false, shape: &SHAPE, prefix: "" };
    Draft::Object(DraftObject { span: Span::new(0, text.len()), forms: vec![form], form: Some(0), is_line })
}

/// Reads an object, whose form has the index `rule` of the source in the settings' table.
fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    if let Some(form) = source.settings.forms.form(source.rule) {
        messages::read::read(form, source.text, sink);
    }
    ReadOutcome::Done
}
