//! The APIs that conversations are sent to.

/// An API that rejects conversations whose calls and results do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatApi {
    /// Anthropic's Messages API: `tool_use` and `tool_result`.
    Anthropic,
    /// OpenAI's Chat Completions: `tool_calls` and messages with the role `tool`.
    OpenAi,
    /// OpenAI's Responses: `function_call` and `function_call_output`, and the items of custom
    /// tools.
    Responses,
}

/// A fault of a call by itself. OpenAI's types require both members
/// (`ChatCompletionMessageFunctionToolCallParam` of the package `openai`), and its server answers
/// `Missing required parameter: 'messages[2].tool_calls[0].type'` and `Invalid type for
/// 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead`.
/// Anthropic's server answers `messages.1.content.0.tool_use.id: Field required`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallFault {
    /// It has no `type`.
    NoType,
    /// It has no `id`, which Anthropic's server expects.
    NoId,
    /// It has no arguments, which OpenAI's server expects.
    NoArguments,
    /// Its arguments are an object instead of a string.
    ObjectArguments,
    /// Its input, which Anthropic's server expects as an object, is absent, `null` or a string.
    NoInput,
}
