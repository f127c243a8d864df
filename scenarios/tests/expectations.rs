//! Every library scenario comes out as it says, under every profile that it compares.

use isrlab_scenarios::{ExpectationObserver, Scenario, Verdict, library};
use isrlab_sim::cluster::{Cluster, RunOptions};
use isrlab_sim::protocol::Profile;

fn replay(scenario: &Scenario, profile: &Profile) -> Vec<Verdict> {
    let spec = scenario.cluster_spec(profile).unwrap_or_else(|error| panic!("{error}"));
    let mut cluster = Cluster::new(&spec, scenario.seed()).unwrap_or_else(|error| panic!("{error}"));
    let mut observer = ExpectationObserver::new(scenario, profile);
    let (_, summary) = cluster
        .run(&RunOptions::default(), &mut observer, &mut |_| true)
        .unwrap_or_else(|violation| panic!("{violation}"));
    scenario.evaluate(profile, &observer, &summary)
}

#[test]
fn every_expectation_of_the_library_holds_and_so_does_its_premise() {
    let mut wrong = String::new();
    for entry in library() {
        let scenario = Scenario::from_library(entry.name).unwrap_or_else(|error| panic!("{error}"));
        for profile in scenario.variants() {
            for verdict in replay(&scenario, profile) {
                if verdict.held && verdict.premise_held {
                    continue;
                }
                wrong += &format!(
                    "{} under {}: {}\n  got:    {}\n  wanted: {}\n  premise ({}): {}\n",
                    entry.name,
                    profile.name,
                    verdict.expectation,
                    verdict.got,
                    verdict.wanted,
                    if verdict.premise_held { "held" } else { "did not hold" },
                    verdict.premise,
                );
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
