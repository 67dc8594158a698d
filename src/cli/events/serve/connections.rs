//! The connections of `events --serve`: how many there are at a time, and how long a client may take.

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

/// How many connections are open at the same time; further ones wait to be accepted.
const MAX_CONNECTIONS: usize = 256;

/// How long the headers of a request may take, from the end of the request before it on.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Answers each connection to `listener` with `router`, until the process ends.
pub(super) async fn accept(mut listener: TcpListener, router: Router) -> Infallible {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // Fails only where the semaphore is closed, which nothing does.
        let place = Arc::clone(&places).acquire_owned().await;
        let (stream, _) = Listener::accept(&mut listener).await;
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
            // A client that left, or was too slow, gets no answer.
            drop(builder.serve_connection(TokioIo::new(stream), service).await);
            drop(place);
        });
    }
}
