//! Codes as arguments: checked when arguments are read, and completed by shells.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};

use super::names::printable;
use crate::config::{Codes, Selection};
use crate::nearest::{did_you_mean, nearest};
use crate::rules::Code;

/// The name of all codes together.
const ALL: &str = "ALL";

/// The arguments that select codes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct CodeSelectionArgs {
    /// Report only these codes, also where the configuration turns them off; `ALL` is every code. Repeatable, or
    /// separated by commas
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = CodeParser { takes_all: true }, hide_possible_values = true)]
    select: Vec<CodeOrAll>,
    /// Do not report these codes; `ALL` is every code. A code that is named counts more than `ALL`; of the same code in
    /// both, `--ignore` wins
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = CodeParser { takes_all: true }, hide_possible_values = true)]
    ignore: Vec<CodeOrAll>,
}

impl CodeSelectionArgs {
    /// What they come to.
    pub fn selection(&self) -> Selection {
        let codes = |given: &[CodeOrAll]| Codes {
            all: given.iter().any(|it| it.code.is_none()),
            named: given.iter().filter_map(|it| it.code).collect(),
        };
        Selection { select: codes(&self.select), ignore: codes(&self.ignore) }
    }
}

/// A code, or all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeOrAll {
    /// The code; `None` is `ALL`.
    pub code: Option<Code>,
}

/// Reads the name of a code.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeParser {
    /// Whether `ALL` is one.
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
