//! Names of families, and lists of names that signatures of forms refer to.

/// The Messages API of Anthropic.
pub const ANTHROPIC: &str = "anthropic";
/// Chat Completions of OpenAI.
pub const OPENAI: &str = "openai-chat";
/// The Responses API of OpenAI.
pub const RESPONSES: &str = "openai-responses";
pub(super) const AI_SDK: &str = "ai-sdk";
pub(super) const VSCODE: &str = "vscode-chat";
pub(super) const OPENHANDS: &str = "openhands";
pub(super) const GEMINI: &str = "gemini";
pub(super) const BEDROCK: &str = "bedrock";

/// Actions of OpenHands that are not tool uses (`openhands/core/schema/action.py`).
pub(super) const NO_ACTIONS: &[&str] = &[
    "message",
    "system",
    "recall",
    "change_agent_state",
    "null",
    "start",
    "pause",
    "resume",
    "stop",
    "condensation",
    "condensation_request",
];
/// Observations that are not results (`openhands/core/schema/observation.py`).
pub(super) const NO_OBSERVATIONS: &[&str] = &["null", "agent_state_changed", "recall", "message", "condense"];
/// Built-in tools of the Responses API whose calls hold their own output.
pub(super) const OWN_OUTPUT: &[&str] =
    &["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"];
/// Built-in tools of the Responses API whose outputs are items of their own.
pub(super) const SEPARATE_OUTPUT: &[&str] =
    &["computer_call", "local_shell_call", "shell_call", "apply_patch_call", "tool_search_call"];
