//! The four rules.

use crate::protocol::{Offset, TimeMs};
use std::str::FromStr;

/// How the replication offset lag is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LagRule {
    /// KAFKA-14112's text: LEO − LRO, the LEO from the poll loop.
    Jira,
    /// LEO − LRO − 1, because the LRO is the offset of a record and the LEO the next one; unknown
    /// while either is not known or they cannot belong together.
    JiraCorrected,
    /// The LEO is the last polled record's offset, plus 1; an LRO that is not known is 0;
    /// negative values are not taken.
    LastPolled,
    /// KIP-971: end offsets are sampled on a timer; the LRO is forgotten when it is older than
    /// its time to live.
    EndOffsets,
}

impl LagRule {
    /// All rules, in the order of the reports.
    pub const ALL: [LagRule; 4] =
        [LagRule::Jira, LagRule::JiraCorrected, LagRule::LastPolled, LagRule::EndOffsets];

    /// The rule's name.
    pub fn name(self) -> &'static str {
        match self {
            LagRule::Jira => "jira",
            LagRule::JiraCorrected => "jira-corrected",
            LagRule::LastPolled => "last-polled",
            LagRule::EndOffsets => "end-offsets",
        }
    }
}

impl FromStr for LagRule {
    type Err = String;

    /// # Errors
    /// A message that lists the rules there are.
    fn from_str(name: &str) -> Result<Self, String> {
        LagRule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
            let known: Vec<&str> = LagRule::ALL.iter().map(|rule| rule.name()).collect();
            format!("no lag rule is called '{name}'; known are {}", known.join(", "))
        })
    }
}

/// A number, and when it was true at its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The offset.
    pub offset: Offset,
    /// When it was read: of an end offset, at the source; of the LRO, in the callback.
    pub at: TimeMs,
}

/// What a rule knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct MeterState {
    /// The end offset that it goes by.
    pub leo: Option<Reading>,
    /// The last replicated offset.
    pub lro: Option<Reading>,
    /// What it reports; none: unknown.
    pub reported: Option<i64>,
}

/// One rule at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LagMeter {
    rule: LagRule,
    /// Time after which `end-offsets` forgets an LRO; none: never (Kafka writes −1).
    lro_time_to_live: Option<TimeMs>,
    state: MeterState,
}

impl LagMeter {
    /// A rule that knows nothing. `lro_time_to_live` matters to `end-offsets` only.
    pub fn new(rule: LagRule, lro_time_to_live: Option<TimeMs>) -> LagMeter {
        LagMeter { rule, lro_time_to_live, state: MeterState::default() }
    }

    /// A rule in the middle of its work, for models.
    pub fn restored(rule: LagRule, lro_time_to_live: Option<TimeMs>, state: MeterState) -> LagMeter {
        LagMeter { rule, lro_time_to_live, state }
    }

    /// The rule.
    pub fn rule(&self) -> LagRule {
        self.rule
    }

    /// What it knows and reports.
    pub fn state(&self) -> &MeterState {
        &self.state
    }

    /// The task starts: the LRO is what the offset store has, nothing else is known.
    pub fn task_started(&mut self, stored: Option<Offset>, now: TimeMs) {
        let lro = stored.map(|offset| Reading { offset, at: now });
        self.state = MeterState { lro, ..MeterState::default() };
    }

    /// A poll returned: `log_end` is the source's end offset as its answer told, `first` and
    /// `last` the offsets of its first and last record, if it had any. Returns whether the rule
    /// goes by this end offset from now on.
    pub fn polled(&mut self, log_end: Reading, records: Option<(Offset, Offset)>) -> bool {
        match self.rule {
            LagRule::Jira => self.take_end(log_end),
            LagRule::JiraCorrected => {
                // What was replicated does not come again: this is another topic.
                if records.is_some_and(|(first, _)| self.state.lro.is_some_and(|lro| first <= lro.offset)) {
                    self.state.lro = None;
                }
                self.take_end(log_end);
            }
            LagRule::LastPolled => match records {
                Some((_, last)) => self.take_end(Reading { offset: last, at: log_end.at }),
                None => return false,
            },
            LagRule::EndOffsets => return false,
        }
        true
    }

    /// The producer's callback: the record of that source offset is in the target.
    pub fn replicated(&mut self, offset: Offset, now: TimeMs) {
        self.state.lro = Some(Reading { offset, at: now });
    }

    /// The timer's sample of the end offset was answered. Returns whether the rule goes by it
    /// from now on.
    pub fn sampled(&mut self, log_end: Reading, now: TimeMs) -> bool {
        if self.rule != LagRule::EndOffsets {
            return false;
        }
        if let (Some(lro), Some(limit)) = (self.state.lro, self.lro_time_to_live)
            && now - lro.at > limit
        {
            self.state.lro = None;
        }
        self.take_end(log_end);
        true
    }

    /// The metric is computed when the freshest end offset is there, and then stays.
    fn take_end(&mut self, leo: Reading) {
        self.state.leo = Some(leo);
        let lro = self.state.lro.map(|lro| lro.offset);
        self.state.reported = match self.rule {
            LagRule::Jira => lro.map(|lro| leo.offset - lro),
            LagRule::JiraCorrected => lro.map(|lro| leo.offset - lro - 1).filter(|&lag| lag >= 0),
            LagRule::LastPolled => {
                let lag = leo.offset - lro.unwrap_or(0) + 1;
                if lag >= 0 { Some(lag) } else { self.state.reported }
            }
            LagRule::EndOffsets => lro.map(|lro| leo.offset - lro - 1),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(offset: Offset) -> Reading {
        Reading { offset, at: 0 }
    }

    fn all(stored: Option<Offset>, act: impl Fn(&mut LagMeter)) -> Vec<Option<i64>> {
        let mut meters = LagRule::ALL.map(|rule| LagMeter::new(rule, Some(1000)));
        for meter in &mut meters {
            meter.task_started(stored, 0);
            act(meter);
        }
        meters.iter().map(|meter| meter.state().reported).collect()
    }

    #[test]
    fn names_come_back() {
        for rule in LagRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert!("lag".parse::<LagRule>().unwrap_err().contains("end-offsets"));
    }

    #[test]
    fn ten_records_polled_and_four_replicated_of_a_log_of_twelve() {
        let reported = all(None, |meter| {
            meter.polled(read(12), Some((0, 3)));
            meter.replicated(3, 5);
            meter.polled(read(12), Some((4, 9)));
            meter.sampled(read(12), 9);
        });
        assert_eq!(reported, [Some(9), Some(8), Some(7), Some(8)]);
    }

    #[test]
    fn nothing_replicated_is_unknown_but_to_last_polled() {
        let reported = all(None, |meter| {
            meter.polled(read(112), Some((100, 109)));
            meter.sampled(read(112), 9);
        });
        assert_eq!(reported, [None, None, Some(110), None]);
    }

    #[test]
    fn a_source_that_was_made_again_is_negative_unknown_or_old() {
        let reported = all(Some(50), |meter| {
            meter.polled(read(51), None);
            meter.polled(read(2), Some((0, 1)));
            meter.sampled(read(2), 9);
        });
        assert_eq!(reported, [Some(-48), None, None, Some(-49)]);
        let corrected = all(Some(50), |meter| {
            meter.polled(read(80), Some((0, 1)));
        });
        assert_eq!(corrected[1], None, "and it stays unknown when the new log is longer");
    }

    #[test]
    fn end_offsets_forgets_what_is_old() {
        let at = |now| {
            all(Some(5), |meter| {
                meter.sampled(read(8), now);
            })[3]
        };
        assert_eq!((at(1000), at(1001)), (Some(2), None));
    }
}
