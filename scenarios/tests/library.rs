//! Every scenario of the library is sound.

use isrlab_scenarios::{Scenario, library};

#[test]
fn every_library_scenario_reads_and_makes_a_cluster() {
    for entry in library() {
        let scenario = Scenario::from_library(entry.name).unwrap_or_else(|error| panic!("{error}"));
        assert!(!scenario.about().is_empty(), "{}", entry.name);
        assert!(!scenario.expectations().is_empty(), "{}", entry.name);
        for profile in scenario.variants() {
            let spec = scenario.cluster_spec(profile).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.profile, *profile);
            assert!(
                scenario.expectations().iter().any(|expectation| expectation.applies_to(profile)),
                "{}: nothing is expected under {}",
                entry.name,
                profile.name
            );
        }
    }
}
