//! MirrorMaker 2's replication offset lag: four rules, what each can be trusted with.
//!
//! One source partition, one source task, one rule. The task polls, hands records to the producer
//! and is told of each by a callback; the end offset reaches the rule in the answer to a poll, or,
//! for `end-offsets`, in the answer to a sample on a timer. Answers take time, which is counted in
//! ticks, so that the age of what a rule goes by has a bound. The task and the rule are those of
//! [`isrlab_sim::protocol::mirror`].

mod claims;
mod constants;
mod model;
mod state;
mod words;

pub use claims::claims;
pub use constants::{MirrorConstants, MirrorConstantsError, MirrorRule};
pub use model::{MirrorAction, MirrorLag};
pub use state::MirrorState;
