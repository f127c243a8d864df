//! What `isrlab check isr` does, short of wiring it to the binary.

mod args;
mod claims;
mod explore;
mod json;
mod junit;
mod run;
mod text;

pub use args::IsrArgs;
pub use claims::{ClaimLine, claim_lines};
pub use explore::{IsrModelArgs, explore_isr};
pub use run::{CheckIsr, Extent, Findings, Row, Second, check_isr, findings};
