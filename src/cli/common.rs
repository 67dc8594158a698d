//! The options that every command takes, and the exit status that it returns.

use std::io;
use std::path::PathBuf;

use clap::{Args, ColorChoice, ValueEnum};

use crate::config::{Loader, TrustSettings};

/// The options that all commands share.
#[derive(Args, Clone, Debug)]
pub(crate) struct CommonArgs {
    /// Path to the configuration file. Default: the nearest chatls.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not read tool registries and configurations outside the project. Use it for untrusted
    /// repositories, as in CI
    #[arg(long, global = true)]
    pub(crate) no_outside: bool,
    /// When to use colors. `auto` respects NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and the terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Write the log to this file instead of stderr. CHATLS_LOG sets the level, for example `debug`
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,
}

/// The exit status of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// No diagnostic at or above the severity of `--fail-on`, and no other difference to report.
    #[default]
    Clean = 0,
    /// At least one diagnostic or difference was reported.
    Found = 1,
    /// An error prevented the command from doing its work.
    Failed = 2,
}

impl CommonArgs {
    /// The absolute path of the configuration file, if one is given.
    pub(crate) fn config_path(&self) -> io::Result<Option<PathBuf>> {
        self.config.as_deref().map(std::path::absolute).transpose()
    }

    /// The loader of configurations, with the trust settings of this run.
    pub(crate) fn loader(&self) -> Loader {
        Loader::new(self.trust())
    }

    /// The trust settings of this run.
    pub(crate) fn trust(&self) -> TrustSettings {
        let home = std::env::home_dir();
        // The root folder and the home folder are no projects.
        let is_project = |folder: &PathBuf| folder.parent().is_some() && home.as_ref() != Some(folder);
        let working_folder = std::env::current_dir().ok().filter(is_project);
        TrustSettings { working_folder, refuses_outside: self.no_outside, listings: listings() }
    }
}

/// The places of cached listings.
#[cfg(feature = "run")]
fn listings() -> Option<crate::config::ListingPlaces> {
    crate::run::listing_places()
}

/// Without servers there are no listings.
#[cfg(not(feature = "run"))]
fn listings() -> Option<crate::config::ListingPlaces> {
    None
}

/// Sets the colors of everything that is printed.
pub(crate) fn set_color(color: ColorChoice) {
    match color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Finds the value of `--color` before the arguments are parsed: help and usage errors are
/// colored, too. Without the option, `FORCE_COLOR` applies unless `NO_COLOR` is set.
pub(crate) fn color_from_arguments() -> ColorChoice {
    let arguments: Vec<_> = std::env::args_os().take_while(|argument| argument != "--").collect();
    let given = arguments.iter().enumerate().rev().find_map(|(at, argument)| {
        match argument.to_str()?.strip_prefix("--color")? {
            "" => arguments.get(at + 1)?.to_str(),
            rest => rest.strip_prefix('='),
        }
    });
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_forced =
        is_set("FORCE_COLOR") && std::env::var_os("FORCE_COLOR").is_some_and(|value| value != "0");
    match given.and_then(|given| ColorChoice::from_str(given, false).ok()) {
        Some(ColorChoice::Auto) | None if is_forced && !is_set("NO_COLOR") => ColorChoice::Always,
        given => given.unwrap_or(ColorChoice::Auto),
    }
}
