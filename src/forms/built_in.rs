//! The built-in forms: a row per form, by kinds of programs, with its source.
//!
//! Of several rows that fit an object, the first one counts. The families of each file:
//!
//! | file | families |
//! |---|---|
//! | `apis` | Anthropic, OpenAI, Gemini, Bedrock, the AI SDK, LangChain; repetitions |
//! | `streams` | the streams of Anthropic, OpenAI, Gemini, Bedrock, Cohere and AG-UI |
//! | `damaged` | the families of `apis`, with a member missing |
//! | `programs` | opencode, VS Code, Inspect, OpenHands |
//! | `agents` | Copilot CLI, pi, Amp, goose, Grok Build, trae-agent, jean-claude, MCP |
//! | `apps` | Codex, Cursor, Kiro CLI, Auggie, browser-use, Chatbox, TanStack AI, Agent TARS, the |
//! | | Agents SDK of OpenAI, claude.ai, the Live API of Gemini |
//! | `chats` | ChatGPT, Letta, LM Studio, LibreChat, ElevenLabs, Retell, Vapi |
//! | `clients` | LobeChat, Jan, AnythingLLM, Void, big-AGI, HuggingChat, Crush, Zed |
//! | `cline` | Cline, Roo Code |
//! | `events` | Gemini CLI, hooks of Claude Code, managed agents of Anthropic, Continue, DSH, |
//! | | droid, Kimi Code, OpenClaw, Antigravity, AG-UI, the Agent Client Protocol |
//! | `frameworks` | OpenTelemetry, Langfuse, Pydantic AI, ADK, Microsoft.Extensions.AI, |
//! | | AutoGen, Semantic Kernel, LangChain4j, CAMEL, Haystack, LlamaIndex, Genkit, smolagents |
//! | `platforms` | Cherry Studio, SillyTavern, Amazon Q, Dify, Flowise, Langflow, Agno, Mistral, |
//! | | Cohere, Ultravox, BFCL, AgentDojo, DeepEval, ToolTalk |
//! | `runs` | agents of LangChain and Bedrock, Spring AI, TapeAgents, Mastra, DSPy, Llama Stack |
//! | `datasets` | ShareGPT, xLAM, StableToolBench, API-Bank, ATIF, AIMock |
//! | `traces` | attributes of OpenTelemetry and OpenInference, HTTP cassettes |
//!
//! `elements`, `flat` and `messages` have forms that many families share. The calls of Claude Code
//! have Anthropic's form; `crate::messages` reads the records around them.

mod agents;
mod apis;
mod apps;
mod chats;
mod clients;
mod cline;
mod damaged;
mod datasets;
mod elements;
mod events;
mod flat;
mod frameworks;
mod messages;
mod platforms;
mod programs;
mod runs;
mod streams;
pub mod traces;

use std::sync::LazyLock;

use self::agents::agents;
use self::apis::{apis, other_apis};
use self::apps::apps;
use self::chats::chats;
use self::clients::{client_messages, clients};
use self::cline::cline;
use self::damaged::damaged;
use self::datasets::datasets;
use self::elements::elements;
use self::events::events;
use self::flat::flat;
use self::frameworks::frameworks;
use self::messages::messages;
use self::platforms::{platform_messages, platforms};
use self::programs::programs;
use self::runs::{run_messages, runs};
use self::streams::streams;
use self::traces::traces;
use super::form::Form;

/// All built-in forms.
pub static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    [
        elements(),
        streams(),
        apps(),
        apis(),
        programs(),
        other_apis(),
        platforms(),
        clients(),
        runs(),
        damaged(),
        agents(),
        events(),
        datasets(),
        frameworks(),
        traces(),
        chats(),
        flat(),
        messages(),
        platform_messages(),
        client_messages(),
        run_messages(),
        cline(),
    ]
    .concat()
});
