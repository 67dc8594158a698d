//! The words of the arguments, and the names of groups.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::cli::console::printable;
use crate::features::statistics::groups::GroupBy;
use crate::features::statistics::report::Sort;

impl ValueEnum for GroupBy {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Tool, Self::Conversation, Self::Role, Self::Model]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self {
            Self::Tool => "Tools",
            Self::Conversation => "Conversations; several of one file are numbered",
            Self::Role => "Roles of messages: user, assistant, system, sub-agent",
            Self::Model => "Models that a message log names",
        }))
    }
}

impl ValueEnum for Sort {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Calls, Self::Name, Self::Failed, Self::FailureRate, Self::Pending, Self::Input, Self::Output]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Calls => ("calls", "Number of uses"),
            Self::Name => ("name", "Name"),
            Self::Failed => ("failed", "Number of failed uses"),
            Self::FailureRate => ("failure-rate", "Share of failed uses"),
            Self::Pending => ("pending", "Number of uses without a result"),
            Self::Input => ("input", "Total size of inputs"),
            Self::Output => ("output", "Total size of outputs"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The name of a group as shown to people.
pub(super) fn shown(by: GroupBy, name: Option<&str>) -> String {
    match name {
        None if by == GroupBy::Tool => "(no name)".to_owned(),
        None => format!("(no {})", by.name()),
        Some("") => "(empty name)".to_owned(),
        Some(name) => printable(name).into_owned(),
    }
}
