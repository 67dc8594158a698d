//! Arguments that are codes: validated during parsing, and completed by shells.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};

use crate::cli::console::printable;
use crate::config::{Codes, Selection};
use crate::diagnostic::Code;
use crate::nearest::{did_you_mean, nearest};

/// The name that selects all codes.
const ALL: &str = "ALL";

/// The arguments that select codes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct CodeSelectionArgs {
    /// Report only these codes, even if the configuration disables them. `ALL` selects every code.
    /// Repeatable or comma-separated
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = CodeParser { takes_all: true }, hide_possible_values = true)]
    select: Vec<CodeOrAll>,
    /// Do not report these codes. `ALL` selects every code; named codes take precedence over `ALL`,
    /// and `--ignore` over `--select`
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = CodeParser { takes_all: true }, hide_possible_values = true)]
    ignore: Vec<CodeOrAll>,
}

impl CodeSelectionArgs {
    /// The selection that the arguments specify.
    pub fn selection(&self) -> Selection {
        let codes = |given: &[CodeOrAll]| Codes {
            all: given.iter().any(|it| it.code.is_none()),
            named: given.iter().filter_map(|it| it.code).collect(),
        };
        Selection { select: codes(&self.select), ignore: codes(&self.ignore) }
    }
}

/// A code, or `ALL`.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeOrAll {
    /// The code; `None` for `ALL`.
    pub code: Option<Code>,
}

/// Parses the name of a code.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeParser {
    /// True if `ALL` is accepted.
    pub takes_all: bool,
}

impl TypedValueParser for CodeParser {
    type Value = CodeOrAll;

    fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<CodeOrAll, Error> {
        let name = value.to_string_lossy();
        if self.takes_all && name == ALL {
            return Ok(CodeOrAll { code: None });
        }
        if let Some(code) = Code::from_name(&name) {
            return Ok(CodeOrAll { code: Some(code) });
        }
        let all = self.takes_all.then_some(ALL);
        let near = nearest(&name, Code::ALL.iter().map(|code| code.name()).chain(all));
        let meant = match did_you_mean(&near) {
            meant if meant.is_empty() => "; `chatls explain` lists them".to_owned(),
            meant => meant,
        };
        let message = format!("there is no code `{}`{meant}\n", printable(&name));
        Err(Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let all = self.takes_all.then(|| PossibleValue::new(ALL).help("Every code"));
        let codes = Code::ALL.iter().map(|code| PossibleValue::new(code.name()).help(code.summary()));
        Some(Box::new(codes.chain(all)))
    }
}
