//! The APIs that conversations are sent to.

/// An API that rejects conversations whose calls and results do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatApi {
    /// Anthropic's Messages API: `tool_use` and `tool_result`.
    Anthropic,
    /// OpenAI's Chat Completions: `tool_calls` and messages with the role `tool`.
    OpenAi,
    /// OpenAI's Responses: `function_call` and `function_call_output`, and those of custom tools.
    Responses,
}
