//! `isrlab explore`.

use std::io::Write;

use super::exit;
use super::runs::ModelName;
use crate::async_isr::{AsyncIsr, AsyncIsrConstants};
use crate::checker::{Checkable, explore as serve};
use crate::replication::{Constants, Replication};

/// Which model to explore, and where.
#[derive(Clone, Debug)]
pub struct Explore {
    /// The model.
    pub model: ModelName,
    /// The bound of a replication model.
    pub constants: Constants,
    /// Whether the states of a replication model remember what was ever committed.
    pub history: bool,
    /// The bound of a model of ISR changes in flight.
    pub async_isr_constants: AsyncIsrConstants,
    /// The port on the loopback address; 0 for any that is free.
    pub port: u16,
}

/// Serves the model until the process ends; says where on `progress`. Returns only on an error,
/// with the exit code.
pub fn explore(args: &Explore, progress: &mut dyn Write) -> u8 {
    let model = match args.model {
        ModelName::Replication(variant) => {
            // One word is wide enough for every bound that is accepted; speed does not matter here.
            Replication::<u128>::new(variant, args.constants, args.history)
                .map_err(|error| error.to_string())
                .map(|model| serve_model(model, args.port, progress))
        }
        ModelName::AsyncIsr(variant) => AsyncIsr::new(variant, args.async_isr_constants)
            .map_err(|error| error.to_string())
            .map(|model| serve_model(model, args.port, progress)),
    };
    match model {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(progress, "error: {error}");
            exit::USAGE
        }
    }
}

fn serve_model<M: Checkable>(model: M, port: u16, progress: &mut dyn Write) -> u8 {
    let title = model.title();
    let served = serve(model, port, |address| {
        let _ = writeln!(progress, "exploring {title} at http://{address}/ (end with Ctrl-C)");
        let _ = progress.flush();
    });
    match served {
        Ok(()) => exit::OK,
        Err(error) => {
            let _ = writeln!(progress, "error: {error}");
            exit::USAGE
        }
    }
}
