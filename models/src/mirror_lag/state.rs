//! The state, and how it is packed. Offsets are small; sets of offsets are bits.

use isrlab_sim::protocol::Offset;
use isrlab_sim::protocol::mirror::{LagMeter, MeterState, Reading, SourceTask};

use super::constants::{MirrorConstants, MirrorRule};
use crate::checker::Word;

/// An answer under way: what its end offset was, and for how many ticks it has been so.
pub type Answer = Option<(u8, u8)>;

/// Source, target, task and rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MirrorState {
    /// The source log's end offset.
    pub end: u8,
    /// Offsets of the source log that hold a record.
    pub records: u8,
    /// Offsets whose records are in the target.
    pub in_target: u8,
    /// The producers have stopped for good.
    pub quiet: bool,
    /// The source topic was made again.
    pub recreated: u8,
    /// Restarts so far.
    pub restarts: u8,
    /// The task's next offset.
    pub position: u8,
    /// Records handed to the producer, from the first that is not acknowledged on.
    pub in_flight: u8,
    /// Those among them that are acknowledged.
    pub acknowledged: u8,
    /// What a flush would store.
    pub committable: Option<u8>,
    /// What the offset store has.
    pub stored: Option<u8>,
    /// A poll's answer under way.
    pub poll: Answer,
    /// Ticks since the last poll was answered.
    pub since_poll: u8,
    /// A sample's answer under way.
    pub sample: Answer,
    /// Ticks since the last sample was taken.
    pub since_sample: u8,
    /// The rule's end offset; none: not known. For `last-polled` the last polled offset.
    pub leo: Option<u8>,
    /// Its age in ticks.
    pub leo_age: u8,
    /// The source's end offset when that was read.
    pub seen_end: u8,
    /// It was read after the producers had stopped.
    pub seen_in_quiet: bool,
    /// It was read of the topic that is there now.
    pub seen_this_topic: bool,
    /// The rule's last replicated offset.
    pub lro: Option<u8>,
    /// Its age in ticks, where that matters.
    pub lro_age: u8,
    /// What the rule reports, plus 8; 0: unknown.
    pub(super) reported_code: u8,
    /// The last report by an end offset read in the quiet, coded as `reported_code`; it outlives
    /// a restart.
    pub(super) quiet_code: u8,
    /// The report has risen between two end offsets that were both read in the quiet.
    pub rose_in_quiet: bool,
    /// The LRO has gone back within a task's life.
    pub lro_went_back: bool,
    /// Answers that came since everything was in the target and acknowledged, up to 2.
    pub answers_since_done: u8,
}

/// Reports from −8 to 7 fit.
const REPORT_ZERO: i64 = 8;

impl MirrorState {
    /// What the rule reports; none: unknown.
    pub fn reported(&self) -> Option<i64> {
        (self.reported_code != 0).then(|| i64::from(self.reported_code) - REPORT_ZERO)
    }

    /// Records of the source log below `end` that are not in the target.
    pub fn missing_below(&self, end: u8) -> i64 {
        i64::from((self.records & !self.in_target & below(end)).count_ones())
    }

    /// Everything is in the target, and the task knows it.
    pub fn is_done(&self) -> bool {
        self.position >= self.end && self.in_flight == 0 && self.missing_below(self.end) == 0
    }

    pub(super) fn task(&self) -> SourceTask {
        let flight = offsets(self.in_flight).map(|at| (Offset::from(at), self.acknowledged >> at & 1 == 1));
        SourceTask::restored(Offset::from(self.position), self.committable.map(Offset::from), flight)
    }

    pub(super) fn set_task(&mut self, task: &SourceTask) {
        self.position = task.position() as u8;
        self.committable = task.committable().map(|at| at as u8);
        (self.in_flight, self.acknowledged) = (0, 0);
        for (at, acknowledged) in task.in_flight_records() {
            self.in_flight |= 1 << at;
            self.acknowledged |= u8::from(acknowledged) << at;
        }
    }

    /// The rule at work; the time now is 0, readings were made before.
    pub(super) fn meter(&self, rule: MirrorRule) -> LagMeter {
        let reading = |offset: Option<u8>, age: u8| {
            offset.map(|offset| Reading { offset: Offset::from(offset), at: -i64::from(age) })
        };
        let state = MeterState {
            leo: reading(self.leo, self.leo_age),
            lro: reading(self.lro, self.lro_age),
            reported: self.reported(),
        };
        let time_to_live = rule.expires().then_some(i64::from(MirrorRule::TIME_TO_LIVE));
        LagMeter::restored(rule.lag_rule(), time_to_live, state)
    }

    pub(super) fn set_meter(&mut self, meter: &LagMeter, rule: MirrorRule) {
        let state = meter.state();
        let age = |reading: Option<Reading>| reading.map_or(0, |reading| (-reading.at) as u8);
        self.leo = state.leo.map(|leo| leo.offset as u8);
        self.leo_age = age(state.leo);
        self.lro = state.lro.map(|lro| lro.offset as u8);
        self.lro_age = if rule.expires() { age(state.lro) } else { 0 };
        self.reported_code = state.reported.map_or(0, |lag| (lag + REPORT_ZERO) as u8);
    }

    fn for_each_field(&mut self, mut field: impl FnMut(&mut u8, u32)) {
        field(&mut self.end, 3);
        field(&mut self.records, 4);
        field(&mut self.in_target, 4);
        flag(&mut self.quiet, &mut field);
        field(&mut self.recreated, 1);
        field(&mut self.restarts, 2);
        field(&mut self.position, 3);
        field(&mut self.in_flight, 4);
        field(&mut self.acknowledged, 4);
        optional(&mut self.committable, &mut field);
        optional(&mut self.stored, &mut field);
        answer(&mut self.poll, &mut field);
        field(&mut self.since_poll, 3);
        answer(&mut self.sample, &mut field);
        field(&mut self.since_sample, 3);
        optional(&mut self.leo, &mut field);
        field(&mut self.leo_age, 3);
        field(&mut self.seen_end, 3);
        flag(&mut self.seen_in_quiet, &mut field);
        flag(&mut self.seen_this_topic, &mut field);
        optional(&mut self.lro, &mut field);
        field(&mut self.lro_age, 3);
        field(&mut self.reported_code, 4);
        field(&mut self.quiet_code, 4);
        flag(&mut self.rose_in_quiet, &mut field);
        flag(&mut self.lro_went_back, &mut field);
        field(&mut self.answers_since_done, 2);
    }

    pub(super) fn pack(mut self) -> u128 {
        let (mut word, mut shift) = (0u128, 0);
        self.for_each_field(|value, width| {
            debug_assert!(u32::from(*value) < 1 << width, "{value} in {width} bits at {shift}");
            word = word.with_field(shift, (1 << width) - 1, u32::from(*value));
            shift += width;
        });
        debug_assert!(shift < u128::BITS);
        word
    }

    pub(super) fn unpack(word: u128) -> Self {
        let (mut state, mut shift) = (Self::default(), 0);
        state.for_each_field(|value, width| {
            *value = word.field(shift, (1 << width) - 1) as u8;
            shift += width;
        });
        state
    }
}

/// The bits below an offset.
pub(super) fn below(end: u8) -> u8 {
    ((1u16 << end) - 1) as u8
}

/// The offsets of a set, rising.
pub(super) fn offsets(set: u8) -> impl Iterator<Item = u8> {
    (0..8).filter(move |at| set >> at & 1 == 1)
}

/// One more tick of age.
pub(super) fn older(age: &mut u8) {
    *age = (*age + 1).min(MirrorConstants::AGE_MAX);
}

fn flag(value: &mut bool, field: &mut impl FnMut(&mut u8, u32)) {
    let mut bit = u8::from(*value);
    field(&mut bit, 1);
    *value = bit == 1;
}

fn optional(value: &mut Option<u8>, field: &mut impl FnMut(&mut u8, u32)) {
    let mut number = value.map_or(0, |value| value + 1);
    field(&mut number, 3);
    *value = number.checked_sub(1);
}

fn answer(value: &mut Answer, field: &mut impl FnMut(&mut u8, u32)) {
    let (mut end, mut age) = value.map_or((7, 0), |answer| answer);
    field(&mut end, 3);
    field(&mut age, 2);
    *value = (end != 7).then_some((end, age));
}
