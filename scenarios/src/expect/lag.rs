//! Lags at a time: what is seen, and how it is told.

use isrlab_sim::cluster::{LagParts, LagSample};
use isrlab_sim::engine::SimTime;

use super::{Check, Expectation, WantedLag};

/// A lag that one expectation looks at.
#[derive(Clone, Debug)]
pub(super) struct LagLook {
    pub at: SimTime,
    actor: String,
    rule: Option<String>,
    /// The number of the expectation.
    pub index: usize,
    /// What was seen, once it was.
    pub seen: Option<WantedLag>,
}

impl LagLook {
    /// The look that an expectation needs, if it is about a lag.
    pub fn of(index: usize, expectation: &Expectation) -> Option<LagLook> {
        let Check::Lag { actor, rule, at, .. } = &expectation.check else { return None };
        Some(LagLook { at: *at, actor: actor.clone(), rule: rule.clone(), index, seen: None })
    }

    /// Takes a sample, if it is the one.
    pub fn take(&mut self, sample: &LagSample<'_>) {
        let is_rule = self.rule.as_ref().is_none_or(|rule| rule == sample.rule);
        if self.at == sample.at && self.actor == sample.actor && is_rule {
            self.seen = Some(seen(sample));
        }
    }
}

fn seen(sample: &LagSample<'_>) -> WantedLag {
    let common = WantedLag {
        reported: Some(sample.reported),
        truth: Some(sample.truth),
        end_age_ms: Some(sample.end_age_ms),
        ..WantedLag::default()
    };
    match sample.parts {
        LagParts::Mirror { leo, lro, truth_then } => {
            WantedLag { then: Some(truth_then), leo: Some(leo), lro: Some(lro), ..common }
        }
        LagParts::Share { leader, persisted } => {
            let from = leader.start_offset();
            let runs = leader.runs().filter(|(run, _)| run.last >= from);
            let known = |value: i64| Some((value >= 0).then_some(value));
            WantedLag {
                start_offset: Some(from),
                end_offset: Some(leader.end_offset()),
                in_flight: Some(runs.flat_map(|(run, _)| run.first.max(from)..=run.last).collect()),
                persisted_start_offset: known(persisted.start_offset),
                persisted_count: known(persisted.delivery_complete_count),
                ..common
            }
        }
    }
}

impl WantedLag {
    /// Of what is seen, that which is asked for.
    pub fn asked_of(&self, seen: &WantedLag) -> WantedLag {
        WantedLag {
            reported: seen.reported.filter(|_| self.reported.is_some()),
            truth: seen.truth.filter(|_| self.truth.is_some()),
            then: seen.then.filter(|_| self.then.is_some()),
            leo: seen.leo.filter(|_| self.leo.is_some()),
            lro: seen.lro.filter(|_| self.lro.is_some()),
            end_age_ms: seen.end_age_ms.filter(|_| self.end_age_ms.is_some()),
            start_offset: seen.start_offset.filter(|_| self.start_offset.is_some()),
            end_offset: seen.end_offset.filter(|_| self.end_offset.is_some()),
            in_flight: seen.in_flight.clone().filter(|_| self.in_flight.is_some()),
            persisted_start_offset: seen
                .persisted_start_offset
                .filter(|_| self.persisted_start_offset.is_some()),
            persisted_count: seen.persisted_count.filter(|_| self.persisted_count.is_some()),
        }
    }

    /// In words.
    pub fn told(&self) -> String {
        let known = |name: &str, value: Option<Option<i64>>| {
            let value = value?.map_or("unknown".to_owned(), |value| value.to_string());
            Some(format!("{name} {value}"))
        };
        let parts = [
            known("reported lag", self.reported),
            known("true lag", self.truth.map(Some)),
            known("true lag of then", self.then),
            known("LEO", self.leo),
            known("LRO", self.lro),
            known("age in ms", self.end_age_ms),
            known("start offset", self.start_offset.map(Some)),
            known("end offset", self.end_offset.map(Some)),
            self.in_flight.as_ref().map(|offsets| format!("in flight {offsets:?}")),
            known("persisted start offset", self.persisted_start_offset),
            known("persisted count", self.persisted_count),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
