//! `isrlab check` and `isrlab explore`: the models.

use crate::args::CheckCommand;
use crate::interrupt;
use isrlab_models::isr::verb::IsrArgs;
use isrlab_models::verb::args::{ExploreArgs, ReplicationArgs};
use std::io::{ErrorKind, IsTerminal, Write};

/// Runs a check; returns the exit code.
pub fn check(command: &CheckCommand) -> u8 {
    let interrupt = Some(interrupt::catch());
    let mut out = Answer { out: std::io::stdout().lock() };
    let mut progress = std::io::stderr().lock();
    let terminal = progress.is_terminal();
    match command {
        CheckCommand::Isr(args) => {
            IsrArgs { terminal, ..args.clone() }.run(interrupt, &mut out, &mut progress)
        }
        CheckCommand::Replication(args) => {
            ReplicationArgs { terminal, ..args.clone() }.run(interrupt, &mut out, &mut progress)
        }
        CheckCommand::Timestamps(args) => {
            let mut args = args.clone();
            args.search.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress)
        }
        CheckCommand::MirrorLag(args) => {
            let mut args = args.clone();
            args.search.common.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress)
        }
        CheckCommand::ShareLag(args) => {
            let mut args = args.clone();
            args.search.common.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress)
        }
    }
}

/// Serves a model to a browser; returns the exit code, on an error.
pub fn explore(args: &ExploreArgs) -> u8 {
    args.run(&mut std::io::stderr().lock())
}

/// Standard output whose reader may leave early: that is no error.
struct Answer<'a> {
    out: std::io::StdoutLock<'a>,
}

impl Write for Answer<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.out.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            result => result,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self.out.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}
