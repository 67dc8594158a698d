//! `man`: prints the manual page, generated from the definitions of the arguments.

use std::io::{self, Write};

use clap_mangen::Man;

use super::program;
use crate::cli::common::ExitStatus;
use crate::cli::console::unless_reader_left;

/// The exit statuses of all commands.
const EXIT_STATUS: [(&str, &str); 3] = [
    ("0", "Success: no diagnostic at or above `--fail-on`, nothing to format, no difference."),
    ("1", "Diagnostics, unformatted payloads or differences were found."),
    ("2", "Error: wrong arguments, an unreadable file, or an invalid chatls.toml."),
];

/// The environment variables.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("NO_COLOR", "If set and not empty: no colors. `--color` takes precedence."),
    (
        "FORCE_COLOR",
        "If set, not empty and not 0: colors even if the output is not a terminal, unless NO_COLOR is set.",
    ),
    ("CLICOLOR_FORCE", "As FORCE_COLOR."),
    ("CHATLS_LOG", "The level of the log: error, warn, info, debug or trace."),
];

/// Prints the manual page of the program with sections for its commands.
pub(super) fn run() -> io::Result<ExitStatus> {
    let command = program();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    let head = [
        Man::render_title,
        Man::render_name_section,
        Man::render_synopsis_section,
        Man::render_description_section,
        Man::render_options_section,
    ];
    // The list of commands is omitted: it refers to pages that do not exist. Commands are described
    // below.
    head.iter().try_for_each(|part| part(&man, &mut page))?;
    writeln!(page, ".PP\nThese options can also stand after the name of a command.")?;
    write_examples(&mut page, ".SH EXAMPLES", &command)?;
    write_list(&mut page, ".SH \"EXIT STATUS\"", &EXIT_STATUS)?;
    write_list(&mut page, ".SH ENVIRONMENT", &ENVIRONMENT)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let own = sub.clone().mut_args(|argument| {
            let is_shared = argument.is_global_set() || argument.get_id() == "help";
            let is_hidden = is_shared || argument.is_hide_set();
            argument.hide(is_hidden)
        });
        let man = Man::new(own.display_name(format!("chatls-{}", sub.get_name())));
        writeln!(page, ".SH CHATLS {}", sub.get_name().to_uppercase())?;
        for part in
            [Man::render_synopsis_section, Man::render_description_section, Man::render_options_section]
        {
            let mut text = Vec::new();
            part(&man, &mut text)?;
            // Sections of a command become subsections.
            page.extend(String::from_utf8_lossy(&text).replace(".SH ", ".SS ").into_bytes());
        }
        write_examples(&mut page, ".SS EXAMPLES", sub)?;
    }
    unless_reader_left(io::stdout().write_all(&page))?;
    Ok(ExitStatus::Clean)
}

/// Writes the examples of a command under `heading`, line by line.
fn write_examples(page: &mut Vec<u8>, heading: &str, command: &clap::Command) -> io::Result<()> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let examples: Vec<_> = examples.take_while(|line| !line.is_empty()).collect();
    if examples.is_empty() {
        return Ok(());
    }
    writeln!(page, "{heading}\n.nf")?;
    for line in examples {
        writeln!(page, "{}", escaped(line.strip_prefix("  ").unwrap_or(line)))?;
    }
    writeln!(page, ".fi")
}

fn write_list(page: &mut Vec<u8>, heading: &str, list: &[(&str, &str)]) -> io::Result<()> {
    writeln!(page, "{heading}")?;
    list.iter()
        .try_for_each(|(name, text)| writeln!(page, ".TP\n\\fB{}\\fR\n{}", escaped(name), escaped(text)))
}

/// Escapes a line for roff.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}
