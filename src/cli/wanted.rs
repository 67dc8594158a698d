//! Which tool uses a command is about.

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::call::ToolUse;
use crate::dialect::DIALECTS;

/// The arguments that choose among tool uses.
#[derive(Args, Debug, Default)]
pub(super) struct Wanted {
    /// Only calls of this tool; may be said several times
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// Only calls in this state, written or implied: input-available, output-available, output-error …; may be said several times
    #[arg(long, value_name = "STATE")]
    state: Vec<String>,
    /// Only calls in this dialect; may be said several times
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    dialect: Vec<String>,
}

fn dialects() -> PossibleValuesParser {
    DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>().into()
}

impl Wanted {
    /// Whether `tool_use` is one of them.
    pub fn wants(&self, tool_use: &ToolUse) -> bool {
        let is_of = |wanted: &[String], value: &str| wanted.is_empty() || wanted.iter().any(|it| it == value);
        is_of(&self.tool, tool_use.name.as_deref().unwrap_or_default())
            && is_of(&self.state, tool_use.state_or_implied())
            && is_of(&self.dialect, tool_use.dialect)
    }
}
