//! Requests for tests: they sleep or panic. Release builds do not have them
//! ([`Options`](crate::lsp::server::options::Options)).

use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::server::context::LoopEvent;
use crate::lsp::server::routes::EventBuilder;
use crate::lsp::wire::message::parse;

/// The method of the request that panics.
pub const PANIC: &str = "chatls/test/panic";

/// The method of the request that sleeps.
pub const SLEEP: &str = "chatls/test/sleep";

/// The params of `chatls/test/sleep`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SleepParams {
    millis: u64,
    #[serde(default)]
    panics: bool,
}

/// Handles `chatls/test/sleep`: sleeps in the pool of requests, then may panic there.
pub fn sleep(params: SleepParams, request: &ActiveRequest) -> HandlerResult {
    let end = Instant::now() + Duration::from_millis(params.millis);
    while request.is_wanted() && Instant::now() < end {
        thread::sleep(Duration::from_millis(5).min(end.saturating_duration_since(Instant::now())));
    }
    assert!(!params.panics, "requested by a test");
    request.respond(())
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PanicPoint {
    /// The transport.
    Request,
    /// The next edit.
    Edit,
    /// The next computation of diagnostics.
    Diagnostics,
    /// The main loop, outside of the events.
    Loop,
}

#[derive(Deserialize)]
struct PanicParams {
    r#where: PanicPoint,
}

/// Handles `chatls/test/panic`.
///
/// # Errors
///
/// `InvalidParams`
pub fn panic(params: Option<Value>) -> Result<EventBuilder, Error> {
    let PanicParams { r#where: point } = parse(params)?;
    assert!(!matches!(point, PanicPoint::Request), "requested by a test");
    Ok(Box::new(move |pending| {
        LoopEvent::new(PANIC, move |state, context| {
            match point {
                PanicPoint::Request => {}
                PanicPoint::Edit => state.panic_on_edit = true,
                PanicPoint::Diagnostics => state.panic_on_diagnostics = true,
                PanicPoint::Loop => state.panic_in_loop = true,
            }
            if let Ok(frame) = pending.response::<serde_json::Error>(())
                && pending.respond()
            {
                context.outbox.send_frame(frame);
            }
        })
    }))
}
