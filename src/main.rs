//! The `chatls` program: runs [`chatls::cli::main`].

use std::process::ExitCode;

fn main() -> ExitCode {
    chatls::cli::main()
}
