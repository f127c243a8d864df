//! The fast engine: an exact, level-synchronous breadth-first search over packed states.
//!
//! The visited states are spread over 64 shards by their hash, and kept in the order found, each
//! with its parent. A level is expanded in chunks of the order of its states; what each chunk
//! reaches is put in one bucket for every shard, and every shard then takes its buckets in the
//! order of the chunks. That order does not depend on which thread did what, so neither does any
//! count, verdict or counterexample.

mod search;
mod shard;
mod word;

pub use search::check;
pub use word::Word;
