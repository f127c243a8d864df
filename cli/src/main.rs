//! The `isrlab` command: it parses the command line and wires the crates together.

mod annotate;
mod args;
mod check;
mod interrupt;
mod library;
mod output;
mod progress;
mod replay;
mod report;
mod sweep;
mod trace;
mod trace_args;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use isrlab_reports::ExitCode;

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    let code = match cli.command {
        Command::Check(command) => return check::check(&command).into(),
        Command::Explore(args) => return check::explore(&args).into(),
        Command::Replay(args) => replay::replay(&args),
        Command::Report(args) => report::report(&args),
        Command::Sweep(args) => sweep::sweep(&args),
        Command::Merge(args) => sweep::merge(&args),
        Command::Trace(args) => trace::trace(&args),
        Command::List(args) => library::list(&args),
        Command::Show(args) => library::show(&args),
        Command::Validate(args) => library::validate(&args),
        Command::Schema => library::print_schema(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "isrlab", &mut script);
            output::result(&String::from_utf8_lossy(&script), ExitCode::Held)
        }
    };
    std::process::ExitCode::from(code as u8)
}
