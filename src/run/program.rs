//! Programs as tools: the input as JSON on stdin, the output as JSON or text on stdout.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::process::ProcessGroup;
use super::{Consented, Content, Environment, Limits, RunError, RunErrorKind, ToolOutput};

/// Runs the program that the user agreed to with `input`, until it ends or `cancelled` is ready.
/// A program that ends with another status than 0 has failed, and its output or else what it wrote
/// to stderr is the error.
///
/// # Errors
///
/// If it cannot be started, takes too long, or writes too much.
pub async fn run(
    consented: &Consented,
    environment: &Environment,
    input: &Value,
    limits: &Limits,
    cancelled: impl Future<Output = ()>,
) -> Result<ToolOutput, RunError> {
    let (mut group, mut pipes) = ProcessGroup::start(consented, environment, limits)?;
    let log = pipes.log.clone();
    let input = input.to_string() + "\n";
    let mut stdin = pipes.stdin;
    let write = async move {
        // A program that needs no input may have closed it.
        _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
    };
    let read = async {
        let mut output = Vec::new();
        let limit = limits.message as u64 + 1;
        let read = (&mut pipes.stdout).take(limit).read_to_end(&mut output).await;
        if output.len() > limits.message {
            let most = limits.message >> 20;
            return Err(RunError::new(RunErrorKind::Protocol, format!("it wrote more than {most} MiB")));
        }
        let failed = |error: std::io::Error| RunError::new(RunErrorKind::Ended, error.to_string());
        read.map_err(failed)?;
        let status = group.wait().await.map_err(failed)?;
        Ok((output, status))
    };
    let finished = async {
        let ((), read) = futures_util::future::join(write, read).await;
        read
    };
    let finished = tokio::time::timeout(limits.call, finished);
    let (output, status) = tokio::select! {
        finished = finished => finished.unwrap_or_else(|_| {
            let message = format!("it did not end within {} s", limits.call.as_secs_f32());
            Err(RunError::new(RunErrorKind::Timeout, message))
        }),
        () = cancelled => Err(RunError::new(RunErrorKind::Cancelled, "it was cancelled")),
    }
    .map_err(|error| error.with_log(log.text()))?;
    let mut output = output_of(&output);
    if !status.success() {
        group.settle().await;
        output.is_error = true;
        if output == (ToolOutput { is_error: true, ..ToolOutput::default() }) {
            let log = log.text();
            let text = if log.trim().is_empty() { status.to_string() } else { log.trim_end().to_owned() };
            output.content.push(Content::Text(text));
        }
    }
    Ok(output)
}

/// The output that a program wrote: JSON, or text.
fn output_of(written: &[u8]) -> ToolOutput {
    if let Ok(value) = serde_json::from_slice::<Value>(written) {
        return ToolOutput { structured: Some(value), ..ToolOutput::default() };
    }
    let text = String::from_utf8_lossy(written);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let content = (!text.is_empty()).then(|| Content::Text(text.to_owned()));
    ToolOutput { content: content.into_iter().collect(), ..ToolOutput::default() }
}
