//! Results for continuous integration: test cases, as JUnit XML and as annotations of GitHub.

mod cases;
mod github;
mod junit;

pub use cases::{Case, Outcome};
pub use github::annotations;
pub use junit::{write, xml};
