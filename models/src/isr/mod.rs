//! The models that settle what KAFKA-4485 claims.

pub mod answer;
pub mod bound;
pub mod expected;
pub mod graph;
pub mod grid;
mod lineage;
pub mod measure;
pub mod model;
pub mod question;
pub mod schedule;
pub mod setting;
pub mod state;
pub mod step;
pub mod verb;
pub mod verify;
