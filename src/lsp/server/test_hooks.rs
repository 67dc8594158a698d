//! Requests for tests: they sleep or panic. Release builds do not have them
//! ([`Options`](crate::lsp::server::options::Options)).

use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::server::LoopContext;
use crate::lsp::state::{PanicPoint, ServerState};
use crate::lsp::wire::pending::PendingRequest;

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

/// The params of `chatls/test/panic`.
#[derive(Deserialize)]
pub struct PanicParams {
    r#where: PanicPoint,
}

/// Handles `chatls/test/panic`.
pub fn panic(state: &mut ServerState, _: &LoopContext, pending: PendingRequest, params: PanicParams) {
    state.panics = Some(params.r#where);
    pending.answer(());
}
