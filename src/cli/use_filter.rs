//! Filters of tool uses.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::ArgValueCandidates;

use crate::call::{ToolUse, UseStatus};
use crate::cli::completions::tools;
use crate::dialect::DIALECTS;
use crate::guide::state_names;

/// The arguments that filter tool uses.
#[derive(Args, Debug, Default)]
pub(super) struct UseFilterArgs {
    /// Only calls of this tool. Repeatable
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(tools))]
    tool: Vec<String>,
    /// Only calls in this state, written or implied, or done, failed or pending. Repeatable
    #[arg(long, value_name = "STATE", value_parser = states(), ignore_case = true)]
    state: Vec<String>,
    /// Only calls in this dialect. Repeatable
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    dialect: Vec<String>,
}

fn dialects() -> PossibleValuesParser {
    DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>().into()
}

/// The statuses, and the states of all dialects; other values are rejected, because they would
/// match nothing.
fn states() -> PossibleValuesParser {
    let statuses = [UseStatus::Done, UseStatus::Failed, UseStatus::Pending].map(UseStatus::name);
    statuses.into_iter().chain(state_names()).collect::<Vec<_>>().into()
}

impl UseFilterArgs {
    /// True if `tool_use` matches the filter.
    pub fn matches(&self, tool_use: &ToolUse) -> bool {
        let is_of =
            |accepted: &[String], value: &str| accepted.is_empty() || accepted.iter().any(|it| it == value);
        let state = tool_use.state_or_implied();
        let status = tool_use.status.name();
        let is_state =
            |accepted: &String| [state, status].iter().any(|name| accepted.eq_ignore_ascii_case(name));
        is_of(&self.tool, tool_use.name.as_deref().unwrap_or_default())
            && (self.state.is_empty() || self.state.iter().any(is_state))
            && is_of(&self.dialect, tool_use.dialect)
    }
}
