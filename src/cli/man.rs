//! `man`: the manual page, made from what the arguments say of themselves.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Arguments, Status, unless_reader_left};

/// Prints the manual page of the program, and below it those of its commands.
pub(super) fn run() -> io::Result<Status> {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    let head = [
        Man::render_title,
        Man::render_name_section,
        Man::render_synopsis_section,
        Man::render_description_section,
        Man::render_options_section,
        Man::render_extra_section,
    ];
    // Without the list of commands, which names pages that are not there: they are told below.
    head.iter().try_for_each(|part| part(&man, &mut page))?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let man = Man::new(sub.clone().display_name(format!("chatls-{}", sub.get_name())));
        writeln!(page, ".SH CHATLS {}", sub.get_name().to_uppercase())?;
        for part in
            [Man::render_synopsis_section, Man::render_description_section, Man::render_options_section]
        {
            let mut text = Vec::new();
            part(&man, &mut text)?;
            // Its sections are below that of the command.
            page.extend(String::from_utf8_lossy(&text).replace(".SH ", ".SS ").into_bytes());
        }
    }
    unless_reader_left(io::stdout().write_all(&page))?;
    Ok(Status::Clean)
}
