//! A discrete-event engine: a virtual clock, an event queue, cancellable
//! timers and reproducible random streams.
//!
//! It knows nothing of Kafka; anything that can be told as "at this time, do
//! this" can be driven by it. The same schedule calls and the same seed give
//! the same run on every machine: time is an integer, events at equal times run
//! in the order in which they were scheduled, and random draws use no operation
//! whose result depends on the platform.
//!
//! ```
//! use isrlab_sim::engine::{Scheduler, SimDuration, SimTime, Streams};
//!
//! #[derive(Clone, Copy)]
//! enum Event {
//!     Arrival,
//!     Timeout,
//! }
//!
//! let mut arrivals = Streams::new(42).stream("producer-1", "arrivals");
//! let mut scheduler = Scheduler::new();
//! let timeout = scheduler.schedule_timer(SimTime::from_secs(30), Event::Timeout);
//! scheduler.schedule_in(SimDuration::from_millis(1 + arrivals.below(9)), Event::Arrival);
//! while let Some(event) = scheduler.pop_before(SimTime::from_secs(60)) {
//!     match event {
//!         Event::Arrival => assert!(scheduler.cancel(timeout)),
//!         Event::Timeout => unreachable!("it was cancelled"),
//!     }
//! }
//! assert!(scheduler.now() < SimTime::from_millis(10));
//! ```

mod distribution;
mod queue;
mod random;
mod scheduler;
mod time;

pub use distribution::{Distribution, DistributionError};
pub use queue::EventQueue;
pub use random::{Stream, Streams};
pub use scheduler::{Scheduler, TimerId};
pub use time::{ParseDurationError, SimDuration, SimTime};
