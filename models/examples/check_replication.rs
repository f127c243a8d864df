//! `isrlab check replication` without the rest of the command line, for profiling:
//!
//! ```text
//! cargo run --release --example check_replication -- --variant kip-320
//! ```

use clap::Parser;
use isrlab_models::verb::args::ReplicationArgs;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    replication: ReplicationArgs,
}

fn main() -> std::process::ExitCode {
    let command = Command::parse();
    let (mut out, mut progress) = (std::io::stdout().lock(), std::io::stderr().lock());
    command.replication.run(None, &mut out, &mut progress, None).into()
}
