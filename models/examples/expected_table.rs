//! Writes the table of expected answers anew, from what the models say now:
//!
//! ```text
//! cargo run --release --example expected_table > models/expected/replication.csv
//! ```
//!
//! Read the difference before committing it: every changed line is a changed answer.

use isrlab_models::async_isr::{AsyncIsrConstants, AsyncIsrVariant};
use isrlab_models::checker::Options;
use isrlab_models::expected::as_row;
use isrlab_models::replication::{COMMITTED_IS_FOREVER, Constants, Variant};
use isrlab_models::verb::Run;

const BOUNDS: [Constants; 5] = [
    Constants::new(2, 2, 2, 1),
    Constants::new(2, 2, 2, 2),
    Constants::new(2, 3, 3, 2),
    Constants::new(3, 2, 2, 1),
    Constants::new(3, 2, 2, 2),
];

const ASYNC_ISR_BOUNDS: [AsyncIsrConstants; 3] =
    [AsyncIsrConstants::new(2, 2, 2), AsyncIsrConstants::new(2, 3, 3), AsyncIsrConstants::new(3, 3, 3)];

fn main() {
    println!("model; distinct_states; depth; claim; verdict; counterexample_states");
    let mut runs = Vec::new();
    for constants in BOUNDS {
        for variant in Variant::ALL {
            runs.extend([false, true].map(|history| Run::Replication { variant, constants, history }));
        }
    }
    // One more epoch is what the first draft of KIP-320 needs to lose what a true leader committed.
    let constants = Constants::new(3, 1, 1, 3);
    for variant in [Variant::Kip320FirstTry, Variant::Kip320] {
        runs.extend([false, true].map(|history| Run::Replication { variant, constants, history }));
    }
    let larger = Constants::new(3, 3, 3, 2);
    runs.push(Run::Replication { variant: Variant::Kip320, constants: larger, history: false });
    for constants in ASYNC_ISR_BOUNDS {
        runs.extend(AsyncIsrVariant::ALL.map(|variant| Run::AsyncIsr { variant, constants }));
    }
    for run in runs {
        let report = run.check(&Options::default(), &mut |_| ()).expect("the bounds are valid");
        let with_history = matches!(run, Run::Replication { history: true, .. });
        for claim in report.claims.iter().filter(|claim| !with_history || claim.name == COMMITTED_IS_FOREVER)
        {
            println!("{}", as_row(&report, claim));
        }
    }
}
