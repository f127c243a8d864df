//! Five generations of log truncation and fencing, from truncating to the high watermark to
//! KIP-320.
//!
//! One partition, no time. The controller elects leaders and shrinks the ISR; each of its
//! decisions is a LeaderAndIsr request that any replica may take late, again, or never. So two
//! replicas may think themselves leader at once, and that is where the generations differ: in
//! where a new follower truncates its log ([`isrlab_sim::protocol::truncation`]), and in what a
//! leader asks of a follower before it counts it ([`Fencing`]).
//!
//! The state spaces are those of the specification that Kafka's committers published for these
//! generations, state for state: the tests hold the counts that TLC gives for it.
//!
//! | file | holds |
//! |---|---|
//! | `constants` | the bound |
//! | `variant` | the generations as sets of rules |
//! | `layout`, `view` | how a state is packed in one word, and read |
//! | `steps` | every action, and what it does |
//! | `claims` | the properties |
//! | `symmetry` | states that differ by the replicas' names only |
//! | `words` | labels, variables, and a counterexample's end in words |

mod action;
mod claims;
mod constants;
mod layout;
mod model;
mod steps;
mod symmetry;
mod variant;
mod view;
mod words;

pub(crate) use symmetry::orders;

pub use action::Action;
pub use claims::{COMMITTED_IS_FOREVER, NO_DIVERGENCE, STRONG_ISR, WEAK_ISR};
pub use constants::{Constants, ConstantsError};
pub use model::{Replication, State};
pub use variant::{Fencing, Rules, TruncateWhen, Variant};
