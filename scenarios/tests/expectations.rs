//! Every library scenario comes out as it says, under every profile that it compares.

use isrlab_scenarios::{ExpectationObserver, Scenario, Verdict, library};
use isrlab_sim::cluster::{Cluster, RunOptions};
use isrlab_sim::protocol::Profile;

fn replay(scenario: &Scenario, profile: &Profile, seed: u64) -> Vec<Verdict> {
    let spec = scenario.cluster_spec(profile).unwrap_or_else(|error| panic!("{error}"));
    let mut cluster = Cluster::new(&spec, seed).unwrap_or_else(|error| panic!("{error}"));
    let mut observer = ExpectationObserver::new(scenario, profile);
    let (_, summary) = cluster
        .run(&RunOptions::default(), &mut observer, &mut |_| true)
        .unwrap_or_else(|violation| panic!("{violation}"));
    scenario.evaluate(profile, &observer, &summary)
}

/// What did not hold, in words; empty if all did.
fn shortcomings(scenario: &Scenario, profile: &Profile, seed: u64) -> String {
    let wrong =
        replay(scenario, profile, seed).into_iter().filter(|verdict| !verdict.held || !verdict.premise_held);
    let told = wrong.map(|verdict| {
        format!(
            "{} under {}, seed {seed}: {}\n  got:    {}\n  wanted: {}\n  premise ({}): {}\n",
            scenario.name(),
            profile.name,
            verdict.expectation,
            verdict.got,
            verdict.wanted,
            if verdict.premise_held { "held" } else { "did not hold" },
            verdict.premise,
        )
    });
    told.collect()
}

#[test]
fn every_expectation_of_the_library_holds_and_so_does_its_premise() {
    let mut wrong = String::new();
    for entry in library() {
        let scenario = Scenario::from_library(entry.name).unwrap_or_else(|error| panic!("{error}"));
        for profile in scenario.variants() {
            wrong += &shortcomings(&scenario, profile, scenario.seed());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_one_scenario_with_chance_in_it_does_not_depend_on_its_seed() {
    let scenario = Scenario::from_library("healthy").unwrap_or_else(|error| panic!("{error}"));
    let profile = scenario.variants().last().unwrap();
    let wrong: String = (1..=20).map(|seed| shortcomings(&scenario, profile, seed)).collect();
    assert!(wrong.is_empty(), "\n{wrong}");
}
