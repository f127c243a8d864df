//! Broker timestamps (KIP-32, KAFKA-3026), driven through the protocol's own [`validate`].
//!
//! One partition on two brokers whose clocks go on independently, and so differ by anything within
//! the bound. Producers send batches of one or two records, compressed or not, with any times;
//! leadership moves to the other broker, which has everything. The history of each record (what was
//! sent, what the leader's clock read) stays in the state, so that the claims can be judged by it.
//!
//! [`validate`]: isrlab_sim::protocol::timestamp::validate

mod claims;
mod model;
mod state;
mod variant;
mod words;

pub use model::{TimestampAction, TimestampConstants, TimestampConstantsError, Timestamps};
pub use state::{Entry, TimestampState};
pub use variant::TimestampVariant;
