//! `isrlab report`.

use crate::args::ReportArgs;
use crate::progress::Bar;
use crate::{interrupt, output};
use isrlab_reports::replay::Control;
use isrlab_reports::{ExitCode, page};
use serde_json::json;

use crate::args::Format;

/// Writes the report of a folder, says where it is and how it went.
pub fn report(args: &ReportArgs) -> ExitCode {
    let bar = Bar::new(!args.quiet);
    let stop = interrupt::catch();
    let control = Control { stop: &stop, progress: &|progress| bar.update(progress) };
    let written = page::write(&args.folder, args.out.as_deref(), control);
    bar.finish();
    match written {
        Ok(written) => {
            let text = match args.format {
                Format::Json => format!(
                    "{:#}\n",
                    json!({ "report": written.path.display().to_string(), "kind": written.kind, "bytes": written.bytes })
                ),
                Format::Text if args.quiet => String::new(),
                Format::Text => format!("{}\n", written.path.display()),
            };
            output::result(&text, ExitCode::Held)
        }
        Err(error) => {
            output::error(&error.to_string());
            error.exit_code()
        }
    }
}
