//! Writes the table of expected answers of the lag models anew, from what they say now:
//!
//! ```text
//! cargo run --release --example lag_table > models/expected/lag.csv
//! ```
//!
//! Read the difference before committing it: every changed line is a changed answer.

use isrlab_models::checker::Options;
use isrlab_models::expected::as_row;
use isrlab_models::verb::LagModel;

fn main() {
    println!("model; distinct_states; depth; claim; verdict; counterexample_states");
    let models = [
        LagModel::Mirror { offsets: 2 },
        LagModel::Mirror { offsets: 3 },
        LagModel::Share { records: 1 },
        LagModel::Share { records: 2 },
    ];
    for model in models {
        for condition in model.conditions() {
            for row in model.rows() {
                let run = model.run(row, condition).expect("its own rows and conditions");
                let report = run.check(&Options::default(), &mut |_| ()).expect("the bounds are valid");
                report.claims.iter().for_each(|claim| println!("{}", as_row(&report, claim)));
            }
        }
    }
}
