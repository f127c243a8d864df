//! Scenarios: what a cluster is like, what happens to it, and what must hold.
//!
//! A scenario is a TOML file with Kafka's own setting names. [`Scenario`] reads one, from a file or
//! from the [`library`], and makes the [`ClusterSpec`](isrlab_sim::cluster::ClusterSpec) of a run
//! under a Kafka version or ISR criterion; whatever is wrong with it comes back as
//! [`Diagnostics`], each with file, line, column, key, and what would be accepted.
//! [`ExpectationObserver`] watches a run, and [`Scenario::evaluate`] then says which of the
//! scenario's `[[expect]]` blocks held.
//!
//! The format is declared once, as tables of keys; the loader, the JSON Schema ([`schema`]) and
//! the reference ([`reference`](reference())) are made from that.
//!
//! ```
//! use isrlab_scenarios::Scenario;
//!
//! let scenario = Scenario::from_library("kafka-4485").unwrap();
//! let halved = [("replica.lag.time.max.ms".to_owned(), "5s".to_owned())];
//! let scenario = scenario.with_overrides(&halved).unwrap();
//! for profile in scenario.variants() {
//!     let spec = scenario.cluster_spec(profile).unwrap();
//!     assert_eq!(spec.replication.replica_lag_time_max.as_secs(), 5);
//! }
//!
//! let wrong = [("replica.lag.tme.max.ms".to_owned(), "5s".to_owned())];
//! let message = scenario.with_overrides(&wrong).unwrap_err().to_string();
//! assert!(message.contains("did you mean \"replica.lag.time.max.ms\"?"));
//! ```

mod build;
mod diagnostic;
mod expect;
mod fields;
mod key;
mod keys;
mod library;
mod model;
mod overrides;
mod read;
mod reference;
mod scalar;
mod scenario;
mod schema;
mod source;
mod suggest;
mod sweep;
mod tree;

pub use diagnostic::{DIAGNOSTICS_MAX, Diagnostic, Diagnostics};
pub use expect::{Expectation, ExpectationObserver, ShareRule, Verdict};
pub use library::{LibraryEntry, library};
pub use reference::reference;
pub use scenario::{FILE_BYTES_MAX, Scenario};
pub use schema::schema;
pub use source::{Position, Snippet};
pub use sweep::{Axis, AxisValue, SweepSpec, VaryError};
