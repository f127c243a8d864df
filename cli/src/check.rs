//! `isrlab check` and `isrlab explore`: the models.

use crate::args::CheckCommand;
use crate::{interrupt, output};
use isrlab_models::isr::verb::IsrArgs;
use isrlab_models::verb::Kept;
use isrlab_models::verb::args::{ExploreArgs, ReplicationArgs};
use isrlab_reports::output::{Folder, write_check};
use isrlab_reports::plan::quoted;
use std::io::{ErrorKind, IsTerminal, Write};

/// Runs a check; returns the exit code.
pub fn check(command: &CheckCommand) -> u8 {
    let (name, folder) = match command {
        CheckCommand::Isr(args) => ("isr", &args.out),
        CheckCommand::Replication(args) => ("replication", &args.out),
        CheckCommand::Timestamps(args) => ("timestamps", &args.out),
        CheckCommand::MirrorLag(args) => ("mirror-lag", &args.search.out),
        CheckCommand::ShareLag(args) => ("share-lag", &args.search.out),
    };
    // A folder that must not be written to is to be known before minutes of work.
    let folder = match folder.as_deref().map(Folder::prepare).transpose() {
        Ok(folder) => folder,
        Err(error) => {
            output::error(&error.to_string());
            return error.exit_code() as u8;
        }
    };
    let mut kept = folder.is_some().then(Kept::default);
    let code = answer(command, kept.as_mut());
    let (Some(folder), Some(kept)) = (folder, kept) else { return code };
    let files = kept.files.into_iter().map(|file| (file.name, file.content.into_bytes())).collect();
    match write_check(&folder, name, &asked(), code, files) {
        Ok(()) => {
            output::note(&format!(
                "Files in {path}; `isrlab report {path}` makes a page of them",
                path = folder.path().display()
            ));
            code
        }
        Err(error) => {
            output::error(&error.to_string());
            error.exit_code() as u8
        }
    }
}

fn answer(command: &CheckCommand, kept: Option<&mut Kept>) -> u8 {
    let interrupt = Some(interrupt::catch());
    let mut out = Answer { out: std::io::stdout().lock() };
    let mut progress = std::io::stderr().lock();
    let terminal = progress.is_terminal();
    match command {
        CheckCommand::Isr(args) => {
            IsrArgs { terminal, ..args.clone() }.run(interrupt, &mut out, &mut progress, kept)
        }
        CheckCommand::Replication(args) => {
            ReplicationArgs { terminal, ..args.clone() }.run(interrupt, &mut out, &mut progress, kept)
        }
        CheckCommand::Timestamps(args) => {
            let mut args = args.clone();
            args.search.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress, kept)
        }
        CheckCommand::MirrorLag(args) => {
            let mut args = args.clone();
            args.search.common.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress, kept)
        }
        CheckCommand::ShareLag(args) => {
            let mut args = args.clone();
            args.search.common.terminal = terminal;
            args.run(interrupt, &mut out, &mut progress, kept)
        }
    }
}

/// What was asked on the command line, without what no answer depends on: where it is written, and
/// with how many threads.
fn asked() -> String {
    let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    command_of(args)
}

fn command_of(args: impl IntoIterator<Item = String>) -> String {
    const WITH_VALUE: [&str; 6] = ["--out", "--threads", "--junit", "--traces", "--save", "--format"];
    let mut words = vec!["isrlab".to_owned()];
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if WITH_VALUE.contains(&arg.as_str()) {
            args.next();
        } else if !matches!(arg.as_str(), "--quiet" | "-q")
            && !WITH_VALUE
                .iter()
                .any(|option| arg.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
        {
            words.push(quoted(&arg));
        }
    }
    words.join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_what_was_asked_and_not_how() {
        let words = "check isr --criterion pre-4485 --out a --threads=2 -q --strict --format json";
        let command = command_of(words.split(' ').map(str::to_owned));
        assert_eq!(command, "isrlab check isr --criterion pre-4485 --strict");
    }
}
