//! Takes the rules of KIP-320 away one at a time, and puts one at a time on top of KIP-279: each is
//! needed, and none alone is enough. So a rule that is changed by mistake is noticed here.

use isrlab_models::checker::{Options, check};
use isrlab_models::replication::{Constants, Fencing, Replication, Rules, TruncateWhen, Variant};
use isrlab_sim::protocol::truncation::TruncationRule;

/// Lengths of the shortest counterexamples, in the order of the claims: weak ISR, strong ISR, no
/// divergence, committed is forever.
fn lengths(rules: Rules) -> [Option<usize>; 4] {
    let model = Replication::<u64>::with_rules("ablation", rules, Constants::new(3, 2, 2, 2), true);
    let options = Options { symmetry: true, ..Options::default() };
    let report = check(&model.expect("fits"), &options, &mut |_| ());
    assert!(report.is_whole());
    let lengths: Vec<_> = report.claims.iter().map(|claim| claim.counterexample_states()).collect();
    lengths.try_into().expect("four claims")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn each_rule_of_kip_320_is_needed() {
    let whole = Variant::Kip320.rules();
    assert_eq!(lengths(whole), [None; 4]);
    let without = [
        (Rules { fetch: Fencing::None, ..whole }, [Some(13), None, None, None]),
        (Rules { high_watermark: Fencing::None, ..whole }, [Some(13), Some(13), None, None]),
        (Rules { isr: Fencing::None, ..whole }, [Some(15), Some(15), None, None]),
        (Rules { expand_waits_for_own_epoch: false, ..whole }, [Some(14), Some(12), Some(18), Some(14)]),
        (Rules { truncate_when: TruncateWhen::BecomingFollower, ..whole }, [Some(14), Some(14), None, None]),
        (Rules { truncate_when: TruncateWhen::Fetching, ..whole }, [Some(10), Some(10), Some(14), Some(12)]),
        (
            Rules { truncation: TruncationRule::HighWatermark, ..whole },
            [Some(12), Some(12), Some(17), Some(14)],
        ),
        (Rules { truncation: TruncationRule::LeaderEpoch, ..whole }, [Some(14), Some(14), None, None]),
    ];
    for (rules, expected) in without {
        assert_eq!(lengths(rules), expected, "{rules:?}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of states: run with --release")]
fn no_rule_of_kip_320_alone_mends_kip_279() {
    let before = Variant::Kip279.rules();
    let with = [
        Rules { fetch: Fencing::LeaderEpoch, ..before },
        Rules { high_watermark: Fencing::LeaderEpoch, ..before },
        Rules { isr: Fencing::LeaderEpoch, ..before },
        Rules { expand_waits_for_own_epoch: true, ..before },
        Rules { truncate_when: TruncateWhen::BecomingFollowerOfSameEpoch, ..before },
    ];
    for rules in with {
        let [weak, strong, ..] = lengths(rules);
        assert!(weak.is_some() && strong.is_some(), "{rules:?}");
    }
}
