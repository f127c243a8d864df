//! Exhaustive checking with verdicts that say what they rest on.
//!
//! A model implements stateright's [`Model`](stateright::Model) and, beside it, [`Checkable`]:
//! what its actions are called, how its state reads, which claims it makes and when their premise
//! is true. [`check`] then runs it on one of two engines:
//!
//! - [`Engine::Stateright`]: the reference. Its search is stateright's; the verdict is ours,
//!   because a stateright search that was cut short counts as passed.
//! - [`Engine::Fast`]: our own breadth-first search over packed states ([`Packed`]). It compares
//!   whole states (no fingerprints), and its answer does not depend on the number of threads.
//!
//! Either way the [`Report`] holds a [`Verdict`] for each claim, the states and the depth reached,
//! how often each action was taken and each premise was true, and a shortest counterexample.
//!
//! No `eventually` properties: stateright checks them on acyclic paths only and can miss a case
//! where two paths join. Write a bounded response as a counter in the state and a claim about it.

mod checkable;
mod explore;
pub mod fast;
mod instrumented;
mod limits;
mod options;
mod reference;
mod report;
mod witness;

pub use checkable::{Checkable, Claim, Judgement, MAX_ACTION_KINDS, MAX_CLAIMS, Packed};
pub use explore::{ExploreError, Readable, ReadableState, explore};
pub use fast::Word;
pub(crate) use limits::resident_memory;
pub use limits::{Limits, StopReason, default_memory_limit};
pub use options::{Engine, Options, Progress};
pub use report::{ActionCount, ClaimReport, Report, Verdict};
pub use witness::retrace;

/// Checks every claim of `model` as `options` say.
///
/// `progress` is called from the calling thread every now and then with the count so far; it gets
/// all that depends on the clock, the report has none of it.
///
/// # Panics
/// If the model breaks its contract (see [`Checkable`] and [`Packed`]) or itself panics.
pub fn check<M: Packed>(model: &M, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Report {
    match options.engine {
        Engine::Stateright => check_with_stateright(model, options, progress),
        Engine::Fast => fast::check(model, options, progress),
    }
}

/// As [`check`], for a model that has no packed state: stateright whatever the options say.
///
/// # Panics
/// As [`check`].
pub fn check_with_stateright<M: Checkable>(
    model: &M,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Report {
    reference::check(model, options, progress)
}
