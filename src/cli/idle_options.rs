//! The options that do nothing in a command: its help omits them, and they are refused.
//!
//! Commands share their options on documents, and all share the global ones.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

/// Options of many documents; these commands read one document, or change each document that they
/// are given.
const OF_MANY: &[&str] = &["jobs", "exclude", "error_on_no_files"];
/// Options of documents and their configurations.
const OF_DOCUMENTS: &[&str] = &["config", "no_outside"];
/// All global options except `--color`, which also affects errors.
const GLOBAL: &[&str] = &["config", "no_outside", "log_file"];

/// The options, by their command.
const IDLE: &[(&str, &[&str])] = &[
    ("run", OF_MANY),
    ("continue", OF_MANY),
    ("request", OF_MANY),
    ("sessions", OF_DOCUMENTS),
    ("explain", GLOBAL),
    ("init", GLOBAL),
    ("schema", GLOBAL),
    ("completions", GLOBAL),
    ("man", GLOBAL),
];

/// `command`, the whole program, without these options in its help.
pub(super) fn hidden(mut command: Command) -> Command {
    // Global options only get into the commands here.
    command.build();
    IDLE.iter().fold(command, |command, (name, options)| {
        if command.find_subcommand(name).is_none() {
            return command;
        }
        command.mut_subcommand(name, |sub| {
            sub.mut_args(|argument| {
                let is_idle = options.contains(&argument.get_id().as_str());
                if is_idle { argument.hide(true) } else { argument }
            })
        })
    })
}

/// An error if one of these options is given to its command.
pub(super) fn refuse(command: &mut Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((name, given)) = matches.subcommand() else { return Ok(()) };
    let idle = IDLE.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, options)| options);
    let is_given = |option: &&&str| given.value_source(option) == Some(ValueSource::CommandLine);
    let Some(option) = idle.iter().find(is_given) else { return Ok(()) };
    let message =
        format!("`chatls {name}` has no option `--{}`: it would do nothing", option.replace('_', "-"));
    match command.find_subcommand_mut(name) {
        Some(sub) => Err(sub.error(ErrorKind::UnknownArgument, message)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::CliArguments;

    fn parse(arguments: &[&str]) -> Result<(), String> {
        let mut command = hidden(CliArguments::command());
        let matches = command.clone().try_get_matches_from(arguments).map_err(|error| error.to_string())?;
        refuse(&mut command, &matches).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_exists_and_is_hidden() {
        let command = hidden(CliArguments::command());
        for (name, options) in IDLE {
            let Some(sub) = command.find_subcommand(name) else { continue };
            for option in *options {
                let argument = sub.get_arguments().find(|argument| argument.get_id() == option);
                assert!(argument.is_some_and(|argument| argument.is_hide_set()), "{name} {option}");
            }
        }
    }

    #[test]
    fn an_option_that_would_do_nothing_is_refused() {
        let refused = parse(&["chatls", "request", "--to", "openai", "--jobs", "2", "a.md"]).unwrap_err();
        assert!(refused.contains("`chatls request` has no option `--jobs`"), "{refused}");
        assert!(refused.contains("Usage: chatls request"), "{refused}");
        for place in [&["chatls", "--config", "a.toml", "man"], &["chatls", "man", "--config", "a.toml"]] {
            let refused = parse(place).unwrap_err();
            assert!(refused.contains("`chatls man` has no option `--config`"), "{refused}");
        }
        assert_eq!(parse(&["chatls", "man", "--color", "never"]), Ok(()));
        assert_eq!(parse(&["chatls", "--config", "a.toml", "check", "--jobs", "2"]), Ok(()));
    }
}
