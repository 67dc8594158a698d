//! Runs calls with the servers and programs of a configuration, and with the presets in a folder.
//!
//! The user decides, by [`RunPermission`]: what is started at all, and each call that may change
//! something.

use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};

use serde_json::Value;
use tokio::task::JoinError;

use super::connections::{ConnectedServer, Connections};
use super::mcp::Listing;
use super::preset::{ChartIndex, NO_CHARTS, PresetTool, ToolFolder};
use super::{
    CallRunner, Consented, Environment, KnownRunner, Limits, Progress, ReadyCall, RunError, RunErrorKind,
    RunnerKind, cache, known_runners, listing_places, program,
};
use crate::call::{UseData, UseOutcome};
use crate::config::RunSettings;

/// The decisions of the user.
pub trait RunPermission {
    /// The consent to start `runner`; `None` if the user does not agree.
    fn consent(&mut self, runner: &KnownRunner)
    -> impl Future<Output = io::Result<Option<Consented>>> + Send;

    /// The folder in which `call`, of the tool of a preset, may work, if the host has none.
    ///
    /// # Errors
    ///
    /// The reason why there is none.
    fn folder(&mut self, call: &ReadyCall) -> impl Future<Output = Result<Arc<ToolFolder>, NotRun>> + Send;

    /// Asks whether `call` may run. `consented` is its runner; `None` for tools of presets.
    fn allows(
        &mut self,
        call: &ReadyCall,
        effect: CallEffect,
        consented: Option<&Consented>,
    ) -> impl Future<Output = bool> + Send;
}

/// The effect of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallEffect {
    /// It is known to change nothing (MCP: `readOnlyHint`).
    ReadOnly,
    /// It may change something.
    MayChange,
}

/// The reason why a call did not run. The document must stay unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The user does not want it.
    Refused,
    /// It cannot be run, with the reason in words, and the end of what a server or program wrote
    /// to stderr.
    Impossible {
        /// The reason.
        reason: String,
        /// The log; may be empty.
        log: String,
    },
}

impl NotRun {
    /// It cannot be run, for this reason.
    pub fn because(reason: impl Into<String>) -> Self {
        Self::Impossible { reason: reason.into(), log: String::new() }
    }

    fn of(runner: &CallRunner, error: RunError) -> Self {
        Self::Impossible { reason: format!("{runner}: {}", error.message), log: error.log }
    }
}

/// The means to run calls. Connections to servers are kept open between calls.
pub struct ToolHost {
    /// The variables of this process.
    pub environment: Environment,
    /// The limits of servers and programs.
    pub limits: Limits,
    /// The folders that are open.
    pub workspace: Vec<PathBuf>,
    /// The folder in which tools of presets work, once the user has named one.
    pub folder: Option<Arc<ToolFolder>>,
    /// The index of charts, if the user has named one.
    pub charts: Option<Arc<ChartIndex>>,
    /// The connections to servers, which hosts may share.
    pub connections: Arc<Connections>,
}

impl ToolHost {
    /// Without a folder and an index of charts.
    pub fn new(environment: Environment, workspace: Vec<PathBuf>) -> Self {
        Self {
            environment,
            limits: Limits::default(),
            workspace,
            folder: None,
            charts: None,
            connections: Arc::default(),
        }
    }

    /// Runs `call`, unless the user declines. `run` are the settings of its document. `on_progress`
    /// gets the progress that a server reports. When `cancelled` completes, the call is ended.
    ///
    /// # Errors
    ///
    /// The reason why it did not run to its end. A tool that fails is no error, but an outcome.
    pub async fn run(
        &mut self,
        call: &ReadyCall,
        run: &RunSettings,
        user: &mut impl RunPermission,
        on_progress: impl FnMut(Progress),
        cancelled: impl Future<Output = ()>,
    ) -> Result<UseOutcome, NotRun> {
        tokio::pin!(cancelled);
        match &call.runner {
            CallRunner::Preset(tool, _) => {
                if tool.needs_folder() && self.folder.is_none() {
                    self.folder = Some(unless(cancelled.as_mut(), call, user.folder(call)).await?);
                }
                if *tool == PresetTool::LatestSubchartVersion && self.charts.is_none() {
                    return Err(NotRun::because(NO_CHARTS));
                }
                let is_read_only = tool.is_read_only(&call.input);
                unless(cancelled.as_mut(), call, permit(user, call, is_read_only, None)).await?;
                self.run_preset(*tool, call, cancelled).await
            }
            CallRunner::Program(name) => {
                let consented = self.consent(run, RunnerKind::Program, name, user);
                let consented = unless(cancelled.as_mut(), call, consented).await?;
                let mut stopped = self.connections.stops(consented.subject());
                let ended = async {
                    tokio::select! {
                        () = cancelled => {}
                        // Its sender lives as long as the host.
                        _ = stopped.changed() => {}
                    }
                };
                tokio::pin!(ended);
                unless(ended.as_mut(), call, permit(user, call, false, Some(&consented))).await?;
                let ran = program::run(&consented, &self.environment, &call.json, &self.limits, ended).await;
                ran.map_err(|error| NotRun::of(&call.runner, error))
            }
            CallRunner::Server(name) => {
                let connected = self.connect(&call.runner, name, run, user);
                let (consented, mut server) = unless(cancelled.as_mut(), call, connected).await?;
                let listed = server.listing().tools.iter().find(|tool| tool.name == call.tool);
                let Some(is_read_only) = listed.map(|tool| tool.is_read_only) else {
                    return Err(NotRun::because(format!(
                        "{} has no tool `{}` any more",
                        call.runner, call.tool
                    )));
                };
                let ended = async {
                    tokio::select! {
                        () = cancelled.as_mut() => {}
                        () = server.stopped() => {}
                    }
                };
                unless(ended, call, permit(user, call, is_read_only, Some(&consented))).await?;
                let Value::Object(input) = call.input.clone() else {
                    return Err(NotRun::because("servers take objects as input"));
                };
                keep_listing(run, name, server.listing());
                let ran = server.call(&call.tool, input, on_progress, cancelled).await;
                if let Some(listing) = server.changed_listing(&self.limits).await {
                    keep_listing(run, name, &listing);
                }
                ran.map_err(|error| NotRun::of(&call.runner, error))
            }
        }
    }

    /// Asks the server `name` for its tools, unless the user does not want it, and keeps their
    /// list. Returns their number. `run` are the settings of the document.
    ///
    /// # Errors
    ///
    /// The reason why there is no list.
    pub async fn pull_tools(
        &self,
        name: &str,
        run: &RunSettings,
        user: &mut impl RunPermission,
        cancelled: impl Future<Output = ()>,
    ) -> Result<usize, NotRun> {
        let runner = CallRunner::Server(name.to_owned());
        let pulled = async {
            let (consented, connected) = self.connect(&runner, name, run, user).await?;
            let listing = connected.listing();
            let unknown = || NotRun::because("the configuration does not name it any more");
            let server = run.servers.get(name).ok_or_else(unknown)?;
            cache::keep_for_project(server, consented.subject(), &listing.to_text())
                .map_err(|error| NotRun::because(format!("{runner}: its tools are not kept: {error}")))?;
            Ok(listing.tools.len())
        };
        tokio::select! {
            biased;
            () = cancelled => Err(NotRun::because("it was cancelled")),
            pulled = pulled => pulled,
        }
    }

    /// Runs the tool of a preset. Once it is reported as ended, it writes nothing more.
    async fn run_preset(
        &self,
        tool: PresetTool,
        call: &ReadyCall,
        cancelled: impl Future<Output = ()>,
    ) -> Result<UseOutcome, NotRun> {
        let (folder, writes) = self.folder.as_deref().map(ToolFolder::for_call).unzip();
        let (input, charts) = (call.input.clone(), self.charts.clone());
        let work = move || tool.run(&input, folder.as_ref(), charts.as_deref());
        // The files may be on a disk that does not answer.
        let mut result = tokio::task::spawn_blocking(work);
        let (kind, reason) = tokio::select! {
            biased;
            result = &mut result => return outcome_of(result),
            () = tokio::time::sleep(self.limits.call) => {
                let seconds = self.limits.call.as_secs();
                (RunErrorKind::Timeout, format!("it did not end within {seconds} s"))
            }
            () = cancelled => (RunErrorKind::Cancelled, "it was cancelled".to_owned()),
        };
        if writes.is_none_or(|writes| writes.close()) {
            return Err(NotRun::of(&call.runner, RunError::new(kind, reason)));
        }
        // A write in progress takes only a moment.
        tokio::time::timeout(self.limits.end, result).await.map_or_else(
            |_| {
                let reason = "a file that it writes does not get done: look at it".to_owned();
                Err(NotRun::of(&call.runner, RunError::new(RunErrorKind::Timeout, reason)))
            },
            outcome_of,
        )
    }

    /// Closes all connections.
    pub async fn close(self) {
        self.connections.stop_all().await;
    }

    /// Connects to the server `name`. Its consent is checked each time.
    async fn connect(
        &self,
        runner: &CallRunner,
        name: &str,
        run: &RunSettings,
        user: &mut impl RunPermission,
    ) -> Result<(Consented, ConnectedServer), NotRun> {
        let consented = self.consent(run, RunnerKind::Server, name, user).await?;
        let connected = self.connections.connect(&consented, &self.environment, &self.limits).await;
        let connected = connected.map_err(|error| NotRun::of(runner, error))?;
        Ok((consented, connected))
    }

    async fn consent(
        &self,
        run: &RunSettings,
        kind: RunnerKind,
        name: &str,
        user: &mut impl RunPermission,
    ) -> Result<Consented, NotRun> {
        let runners = known_runners(run, &self.workspace, &self.environment);
        let runner = runners.iter().find(|runner| runner.kind == kind && runner.name == name);
        let runner = runner.ok_or_else(|| NotRun::because("the configuration does not name it any more"))?;
        let consent = user.consent(runner).await;
        let consent = consent.map_err(|error| NotRun::because(error.to_string()))?;
        consent.ok_or(NotRun::Refused)
    }
}

fn outcome_of(result: Result<Result<UseData, String>, JoinError>) -> Result<UseOutcome, NotRun> {
    Ok(match result.map_err(|error| NotRun::because(error.to_string()))? {
        Ok(output) => UseOutcome::Output(output),
        Err(message) => UseOutcome::Error(message),
    })
}

/// Caches the tools of the server `name` for documents that are read later, if they changed. A
/// listing file in the project is not touched.
fn keep_listing(run: &RunSettings, name: &str, listing: &Listing) {
    let (Some(places), Some(server)) = (listing_places(), run.servers.get(name)) else { return };
    let known = fs::read_to_string(places.file(server));
    let text = listing.to_text();
    if server.listing.is_none() && known.is_ok_and(|known| known != text) {
        // Without it, the old one counts.
        _ = cache::keep(&places, server, &text);
    }
}

/// Runs `work`, unless `cancelled` completes first. Consent that is given at the moment of the
/// cancellation, or later, starts nothing.
async fn unless<T>(
    cancelled: impl Future<Output = ()>,
    call: &ReadyCall,
    work: impl Future<Output = Result<T, NotRun>>,
) -> Result<T, NotRun> {
    tokio::select! {
        biased;
        () = cancelled => {
            let error = RunError::new(RunErrorKind::Cancelled, "it was cancelled");
            Err(NotRun::of(&call.runner, error))
        }
        done = work => done,
    }
}

async fn permit(
    user: &mut impl RunPermission,
    call: &ReadyCall,
    is_read_only: bool,
    consented: Option<&Consented>,
) -> Result<(), NotRun> {
    let effect = if is_read_only { CallEffect::ReadOnly } else { CallEffect::MayChange };
    if user.allows(call, effect, consented).await { Ok(()) } else { Err(NotRun::Refused) }
}
