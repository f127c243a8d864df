//! Counterexamples of the lag models as scenario files: the simulator's mirror or share group goes
//! the same way, step by step, and the file's expectations say what the model found after each.

mod mirror;
mod page;
mod share;

pub use mirror::mirror_scenario;
pub use share::share_scenario;
