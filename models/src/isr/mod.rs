//! What KAFKA-4485 claims about the ISR criteria, settled in discrete time with exact bounds.
//!
//! - [`setting`], [`state`], [`step`]: one model. A compact state is expanded into the protocol's
//!   own [`PartitionLeader`](isrlab_sim::protocol::PartitionLeader) for each step and compressed
//!   again; nothing that a rule can see is lost, so runs need no bound on their length.
//! - [`measure`]: the questions as counters along a run; [`question`]: which answer which.
//! - [`graph`], [`bound`](mod@bound): all reachable states, and the exact extreme of a counter over
//!   all runs, or a cycle that shows that it has none.
//! - [`model`], [`verify`]: the same as claims for the checker, as a second opinion.
//! - [`expected`]: the table of formulas that every answer is held to; [`grid`]: for which settings.
//! - [`refutation`], [`schedule`], [`scenario`]: a counterexample as what happens when, and as a
//!   scenario that the simulator replays.
//! - [`verb`]: what `isrlab check isr` does.
//!
//! `docs/isr.md` tells what came of it.

pub mod answer;
pub mod bound;
pub mod expected;
pub mod graph;
pub mod grid;
mod lineage;
pub mod measure;
pub mod model;
pub mod question;
pub mod refutation;
pub mod scenario;
pub mod schedule;
pub mod setting;
pub mod state;
pub mod step;
pub mod verb;
pub mod verify;
