//! `isrlab trace`: one file for what it shows, and one for each way in which it can go wrong.

#[path = "../common/mod.rs"]
mod common;

mod around;
mod filter;
mod limit;
mod output;
mod shown;
mod violation;
mod window;

use common::{Got, Lab};

/// A refusal: nothing on standard output, and a message that says what is wrong.
#[track_caller]
fn refused(lab: &Lab, code: i32, args: &[&str], wanted: &str) -> Got {
    let args: Vec<&str> = ["trace"].iter().chain(args).copied().collect();
    lab.run(&args).code(code).out_is("").err_has(wanted)
}
