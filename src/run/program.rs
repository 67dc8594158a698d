//! Programs as tools: the input as JSON on stdin, the output as JSON or text on stdout.

use std::pin::pin;
use std::process::ExitStatus;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::outcome::outcome_of_json;
use super::process::{Pipes, ProcessGroup, SETTLE};
use super::{Consented, Environment, Limits, RunError, RunErrorKind};
use crate::call::{UseData, UseOutcome, json_of_argument};

/// Runs the program that the user agreed to with the JSON `input`, until it ends or `cancelled` is
/// ready. Processes of its group that it left behind are not waited for: they are ended with it.
/// A program that ends with another status than 0 has failed: the end of what it wrote to stderr is
/// the error, or else the end of its output, or else the status.
///
/// # Errors
///
/// If it cannot be started, takes too long, or writes too much.
pub async fn run(
    consented: &Consented,
    environment: &Environment,
    input: &str,
    limits: &Limits,
    cancelled: impl Future<Output = ()>,
) -> Result<UseOutcome, RunError> {
    let (mut group, pipes) = ProcessGroup::start(consented, environment, limits)?;
    let log = pipes.log.clone();
    let finished = tokio::time::timeout(limits.call, finish(&mut group, pipes, input, limits));
    let (written, status) = tokio::select! {
        finished = finished => finished.unwrap_or_else(|_| {
            let message = format!("it did not end within {} s", limits.call.as_secs_f32());
            Err(RunError::new(RunErrorKind::Timeout, message))
        }),
        () = cancelled => Err(RunError::new(RunErrorKind::Cancelled, "it was cancelled")),
    }
    .map_err(|error| error.with_log(&log))?;
    if status.success() {
        return Ok(outcome_of(&written, false));
    }
    group.settle().await;
    let end = written.get(written.len().saturating_sub(limits.log)..).unwrap_or_default();
    let log = log.text();
    Ok(match log.trim_end() {
        "" if end.trim_ascii().is_empty() => UseOutcome::Error(status.to_string()),
        "" => outcome_of(end, true),
        message => UseOutcome::Error(message.to_owned()),
    })
}

/// The text that the program writes to stdout until it has ended, and its exit status.
async fn finish(
    group: &mut ProcessGroup,
    mut pipes: Pipes,
    input: &str,
    limits: &Limits,
) -> Result<(Vec<u8>, ExitStatus), RunError> {
    let failed = |error: std::io::Error| RunError::new(RunErrorKind::Ended, error.to_string());
    let input = input.to_owned() + "\n";
    let mut stdin = pipes.stdin;
    let write = async move {
        // A program that needs no input may have closed it.
        _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        Ok(())
    };
    let mut output = Vec::new();
    let read = async {
        while pipes.stdout.read_buf(&mut output).await.map_err(failed)? > 0 {
            if output.len() > limits.message {
                let most = limits.message >> 20;
                return Err(RunError::new(RunErrorKind::Protocol, format!("it wrote more than {most} MiB")));
            }
        }
        Ok(())
    };
    let status = {
        let mut transfer = pin!(futures_util::future::try_join(write, read));
        tokio::select! {
            transferred = &mut transfer => {
                transferred?;
                group.wait().await
            }
            status = group.wait() => {
                // The program's output is in the pipe, which a remaining process may keep open.
                if let Ok(transferred) = tokio::time::timeout(SETTLE, transfer).await {
                    transferred?;
                }
                status
            }
        }
    };
    Ok((output, status.map_err(failed)?))
}

/// The outcome of a program that wrote JSON, or text.
fn outcome_of(written: &[u8], is_error: bool) -> UseOutcome {
    let text = String::from_utf8_lossy(written);
    if let Some(json) = json_of_argument(&text) {
        return outcome_of_json(json, is_error);
    }
    match text.strip_suffix('\n').unwrap_or(&text) {
        text if is_error => UseOutcome::Error(text.to_owned()),
        "" => UseOutcome::Empty,
        text => UseOutcome::Output(UseData::Text(text.to_owned())),
    }
}
