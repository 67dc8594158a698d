//! `chatls`: arguments to command to exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    chatls::cli::main()
}
