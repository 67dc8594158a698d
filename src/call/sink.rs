//! The receiver of the calls in a text.

use crate::call::{Call, StreamProtocol};
use crate::diagnostic::CallDiagnostic;
use crate::text::Span;

/// The receiver of parsed data. Spans are bytes of the source's text.
pub trait CallSink {
    /// Adds one part of a tool use. Parts come in document order.
    fn call(&mut self, call: Call<'_>);
    /// Adds a diagnostic that only the dialect can detect.
    fn diagnostic(&mut self, _diagnostic: CallDiagnostic) {}
    /// Reports text that is not part of any tool use.
    fn text(&mut self) {}
    /// Adds the decoded text of a `text-delta` record, with the span of its JSON string.
    fn text_delta(&mut self, _text: &str, _literal: Span) {}
    /// Reports the protocol that the source reveals about its log.
    fn stream_protocol(&mut self, _protocol: StreamProtocol) {}
}

/// A function receives the calls alone.
impl<F: FnMut(Call<'_>)> CallSink for F {
    fn call(&mut self, call: Call<'_>) {
        self(call);
    }
}
