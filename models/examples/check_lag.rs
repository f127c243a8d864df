//! `isrlab check mirror-lag` and `share-lag` without the rest of the command line, for profiling:
//!
//! ```text
//! cargo run --release --example check_lag -- share-lag --variant kip-1226
//! ```

use clap::Parser;
use isrlab_models::verb::lag_args::{MirrorLagArgs, ShareLagArgs};

#[derive(Parser)]
enum Command {
    MirrorLag(MirrorLagArgs),
    ShareLag(ShareLagArgs),
}

fn main() -> std::process::ExitCode {
    let (mut out, mut progress) = (std::io::stdout().lock(), std::io::stderr().lock());
    match Command::parse() {
        Command::MirrorLag(args) => args.run(None, &mut out, &mut progress, None),
        Command::ShareLag(args) => args.run(None, &mut out, &mut progress, None),
    }
    .into()
}
