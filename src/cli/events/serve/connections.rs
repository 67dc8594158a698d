//! Accepts the connections of `events --serve`, with limits on their number and on the time for
//! headers.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Maximum number of open connections; further ones wait to be accepted.
const MAX_CONNECTIONS: usize = 256;

/// Timeout for the headers of a request, from the end of the previous request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves each connection to `listener` with `router`, until the process ends.
pub(super) async fn accept(mut listener: TcpListener, router: Router) -> Infallible {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // Fails only if the semaphore is closed, which does not happen.
        let place = Arc::clone(&places).acquire_owned().await;
        let (stream, _) = Listener::accept(&mut listener).await;
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
            // Errors are ignored: the client left or timed out.
            drop(builder.serve_connection(TokioIo::new(stream), service).await);
            drop(place);
        });
    }
}
