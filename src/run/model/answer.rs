//! The answer of a model, independent of its server.

use serde_json::{Map, Value};

/// The answer of a model, as far as it has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelAnswer {
    /// The parts, in order; the last one may be incomplete until there is an `end`.
    pub parts: Vec<AnswerPart>,
    /// The reason of its end.
    pub end: Option<AnswerEnd>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerPart {
    /// Text.
    Text(String),
    /// A call of a tool.
    Call(ModelCall),
}

/// A call of a tool in an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelCall {
    /// The id.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The input, as JSON text that the model wrote; empty for none.
    pub input: String,
    /// Its place in the stream of the server.
    pub(super) index: u64,
}

/// The reason why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerEnd {
    /// The answer is complete; if it has calls, their results are expected.
    Complete,
    /// The answer is complete, without text and calls.
    Empty,
    /// The maximum number of tokens was reached.
    Length,
    /// Another reason, as the server names it.
    Other(String),
}

impl ModelCall {
    /// True if it has a name, and the input is a JSON object; or empty, if the answer is complete.
    fn is_whole(&self, is_complete: bool) -> bool {
        let has_input = || {
            (is_complete && self.input.trim().is_empty())
                || serde_json::from_str::<Map<String, Value>>(&self.input).is_ok()
        };
        !self.name.trim().is_empty() && has_input()
    }
}

impl ModelAnswer {
    /// The calls.
    pub fn calls(&self) -> impl Iterator<Item = &ModelCall> {
        self.parts.iter().filter_map(|part| match part {
            AnswerPart::Call(call) => Some(call),
            AnswerPart::Text(_) => None,
        })
    }

    /// The parts that can be written. Of an incomplete answer, the parts before the first call with
    /// incomplete input; only the last of these may still grow, if it is a text. Of a complete
    /// answer, all parts except calls without a name, or whose input is not a JSON object.
    pub fn ready_parts(&self) -> Vec<&AnswerPart> {
        let is_ready = |part: &&AnswerPart| match part {
            AnswerPart::Text(_) => true,
            AnswerPart::Call(call) => call.is_whole(self.end == Some(AnswerEnd::Complete)),
        };
        match self.end {
            Some(_) => self.parts.iter().filter(is_ready).collect(),
            None => self.parts.iter().take_while(is_ready).collect(),
        }
    }

    /// A sentence without a full stop on the calls that are not written, if there are any. The
    /// answer has ended.
    pub fn left_out(&self) -> Option<String> {
        match self.parts.len() - self.ready_parts().len() {
            0 => None,
            1 => Some("1 call without a name, or without a JSON object as input, is left out".to_owned()),
            calls => {
                Some(format!("{calls} calls without names, or without JSON objects as inputs, are left out"))
            }
        }
    }

    /// True if it has neither text nor calls.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, AnswerPart::Text(text) if text.trim().is_empty()))
    }

    /// Adds a piece of text.
    pub(super) fn add_text(&mut self, piece: &str) {
        match self.parts.last_mut() {
            _ if piece.is_empty() => {}
            Some(AnswerPart::Text(text)) => text.push_str(piece),
            _ => self.parts.push(AnswerPart::Text(piece.to_owned())),
        }
    }

    /// The call at `index` of the server's stream, if it has begun.
    pub(super) fn call_at(&mut self, index: u64) -> Option<&mut ModelCall> {
        self.parts.iter_mut().rev().find_map(|part| match part {
            AnswerPart::Call(call) if call.index == index => Some(call),
            AnswerPart::Call(_) | AnswerPart::Text(_) => None,
        })
    }

    /// Begins the call at `index` of the server's stream.
    pub(super) fn begin_call(&mut self, index: u64, id: &str, name: &str) {
        let (id, name) = (id.to_owned(), name.to_owned());
        self.parts.push(AnswerPart::Call(ModelCall { id, name, input: String::new(), index }));
    }
}
