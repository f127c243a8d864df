//! The model: what can happen, and what it does.

use isrlab_sim::protocol::Offset;
use isrlab_sim::protocol::mirror::{LagMeter, LagRule, Reading, SourceTask};
use stateright::Model;

use super::claims;
use super::constants::{MirrorConstants, MirrorConstantsError, MirrorRule};
use super::state::{MirrorState, below, offsets, older};
use crate::checker::{Checkable, Claim, Judgement, Packed};
use crate::trace::{Message, Moment, Variable};

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are what the variants' words name")]
pub enum MirrorAction {
    /// A record is appended to the source.
    Produce,
    /// An offset of the source holds no record.
    Gap,
    /// The producers stop for good.
    Stop,
    /// The source answers a poll.
    AnswerPoll,
    /// The answer reaches the task.
    PollReturns,
    /// The producer's callback.
    Acknowledge { offset: u8 },
    /// The task's offsets are flushed.
    Flush,
    /// The task restarts; what was in flight reaches the target after all, or does not.
    Restart { written: bool },
    /// The source answers a sample of its end offset.
    AnswerSample,
    /// The sample reaches the rule.
    SampleReturns,
    /// The source topic is deleted and made again.
    Recreate,
    /// Time goes on.
    Tick,
}

/// The model of one rule within one bound.
#[derive(Clone, Debug)]
pub struct MirrorLag {
    pub(super) rule: MirrorRule,
    pub(super) constants: MirrorConstants,
}

impl MirrorLag {
    /// The model of `rule`.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn new(rule: MirrorRule, constants: MirrorConstants) -> Result<Self, MirrorConstantsError> {
        constants.validate()?;
        Ok(Self { rule, constants })
    }

    /// Its rule.
    pub fn rule(&self) -> MirrorRule {
        self.rule
    }

    /// Gives the rule something, and remembers what its report did.
    fn update(&self, state: &mut MirrorState, act: impl FnOnce(&mut LagMeter)) {
        let mut meter = state.meter(self.rule);
        act(&mut meter);
        state.set_meter(&meter, self.rule);
    }

    /// An answer with the end offset `end`, read `age` ticks ago, reaches the rule.
    fn take_end(&self, state: &mut MirrorState, end: u8, age: u8, records: Option<(u8, u8)>, sample: bool) {
        let before = *state;
        let log_end = Reading { offset: Offset::from(end), at: -i64::from(age) };
        self.update(state, |meter| {
            if sample {
                meter.sampled(log_end, 0);
            } else {
                let ends = records.map(|(first, last)| (Offset::from(first), Offset::from(last)));
                meter.polled(log_end, ends);
            }
        });
        let took = sample || !self.rule.samples();
        let computed = took && (self.rule.lag_rule() != LagRule::LastPolled || records.is_some());
        if computed {
            state.seen_end = end;
            // An answer does not say when it was read; one that shows the last end was read then
            // or later.
            state.seen_in_quiet = before.quiet && before.end == end;
            state.seen_this_topic = true;
            if state.seen_in_quiet && state.reported().is_some() {
                state.rose_in_quiet |= before.quiet_code != 0 && state.reported_code > before.quiet_code;
                state.quiet_code = state.reported_code;
            }
        }
        if took && state.quiet && state.is_done() {
            state.answers_since_done = (state.answers_since_done + 1).min(2);
        }
    }

    fn poll_returns(&self, state: &MirrorState, end: u8, age: u8) -> MirrorState {
        let mut next = *state;
        next.poll = None;
        next.since_poll = 0;
        let mut task = next.task();
        if end < next.position {
            // The position is beyond the log: it is another topic, or was truncated.
            task.reset(0);
        }
        let from = task.position() as u8;
        let polled = next.records & below(end) & !below(from);
        task.polled(offsets(polled).map(Offset::from), Offset::from(end));
        next.set_task(&task);
        let records = offsets(polled).next().zip(offsets(polled).last());
        if !next.is_done() {
            next.answers_since_done = 0;
        }
        self.take_end(&mut next, end, age, records, false);
        next
    }

    fn acknowledge(&self, state: &MirrorState, offset: u8) -> MirrorState {
        let mut next = *state;
        let mut task = next.task();
        task.acknowledged(Offset::from(offset));
        next.set_task(&task);
        next.in_target |= 1 << offset;
        self.update(&mut next, |meter| meter.replicated(Offset::from(offset), 0));
        next.lro_went_back |= state.lro.zip(next.lro).is_some_and(|(before, after)| after < before);
        next
    }

    fn restart(&self, state: &MirrorState, written: bool) -> MirrorState {
        let mut next = *state;
        if written {
            next.in_target |= state.in_flight;
        }
        next.restarts += 1;
        next.poll = None;
        next.since_poll = 0;
        next.sample = None;
        next.since_sample = 0;
        next.answers_since_done = 0;
        next.set_task(&SourceTask::start(state.stored.map(Offset::from), 0));
        self.update(&mut next, |meter| meter.task_started(state.stored.map(Offset::from), 0));
        next.seen_end = 0;
        next.seen_in_quiet = false;
        next.seen_this_topic = false;
        next
    }

    fn recreate(state: &MirrorState) -> MirrorState {
        MirrorState {
            end: 0,
            records: 0,
            in_target: 0,
            recreated: 1,
            poll: None,
            since_poll: 0,
            sample: None,
            seen_this_topic: false,
            ..*state
        }
    }

    /// Whether no answer is overdue: time goes on only then.
    fn may_tick(&self, state: &MirrorState) -> bool {
        let on_time = |answer: Option<(u8, u8)>, since: u8, period: u8| match answer {
            Some((_, age)) => age < MirrorConstants::ANSWER_TIME,
            None => since < period,
        };
        let sample = match state.sample {
            Some((_, age)) => {
                age < MirrorConstants::ANSWER_TIME && state.since_sample < MirrorConstants::SAMPLE_PERIOD
            }
            None => state.since_sample < MirrorConstants::SAMPLE_PERIOD,
        };
        on_time(state.poll, state.since_poll, MirrorConstants::POLL_PERIOD)
            && (!self.rule.samples() || sample)
    }

    fn tick(&self, state: &MirrorState) -> MirrorState {
        let mut next = *state;
        for answer in [&mut next.poll, &mut next.sample].into_iter().flatten() {
            answer.1 += 1;
        }
        if next.poll.is_none() {
            next.since_poll += 1;
        }
        if self.rule.samples() {
            next.since_sample += 1;
        }
        if next.leo.is_some() {
            older(&mut next.leo_age);
        }
        if next.lro.is_some() && self.rule.expires() {
            older(&mut next.lro_age);
        }
        next
    }

    fn gaps(state: &MirrorState) -> u32 {
        u32::from(state.end) - (state.records & below(state.end)).count_ones()
    }
}

impl Model for MirrorLag {
    type State = MirrorState;
    type Action = MirrorAction;

    /// An empty source, and a task that starts for the first time.
    fn init_states(&self) -> Vec<MirrorState> {
        vec![MirrorState::default()]
    }

    fn actions(&self, state: &MirrorState, actions: &mut Vec<MirrorAction>) {
        self.for_each_step(state, |action, _| actions.push(action));
    }

    fn next_state(&self, state: &MirrorState, action: MirrorAction) -> Option<MirrorState> {
        let mut outcome = None;
        self.for_each_step(state, |taken, next| {
            if taken == action {
                outcome = Some(next);
            }
        });
        outcome
    }
}

const KINDS: [&str; 12] = [
    "tick",
    "produce",
    "producers stop",
    "source answers poll",
    "poll returns",
    "acknowledge",
    "flush",
    "source answers sample",
    "sample returns",
    "offset without record",
    "restart",
    "source made again",
];

impl MirrorLag {
    fn kind_name(action: &MirrorAction) -> &'static str {
        let number = match action {
            MirrorAction::Tick => 0,
            MirrorAction::Produce => 1,
            MirrorAction::Stop => 2,
            MirrorAction::AnswerPoll => 3,
            MirrorAction::PollReturns => 4,
            MirrorAction::Acknowledge { .. } => 5,
            MirrorAction::Flush => 6,
            MirrorAction::AnswerSample => 7,
            MirrorAction::SampleReturns => 8,
            MirrorAction::Gap => 9,
            MirrorAction::Restart { .. } => 10,
            MirrorAction::Recreate => 11,
        };
        KINDS[number]
    }
}

impl Checkable for MirrorLag {
    fn title(&self) -> String {
        format!("mirror-lag {} {}", self.rule.name(), self.constants)
    }

    fn bound(&self) -> String {
        let MirrorConstants { offsets, gaps, restarts, recreations, any_order } = self.constants;
        format!(
            "{offsets} source offsets, at most {gaps} of them without a record, {restarts} restarts, \
             {recreations} recreations, callbacks in {} order; a poll within {} tick of the last, a sample \
             every {} ticks at most, answers within {} tick",
            if any_order { "any" } else { "the records'" },
            MirrorConstants::POLL_PERIOD,
            MirrorConstants::SAMPLE_PERIOD,
            MirrorConstants::ANSWER_TIME,
        )
    }

    fn action_kinds(&self) -> Vec<&'static str> {
        let has = |kind: &&str| match *kind {
            "source answers sample" | "sample returns" => self.rule.samples(),
            "offset without record" => self.constants.gaps > 0,
            "restart" => self.constants.restarts > 0,
            "flush" => self.constants.restarts > 0,
            "source made again" => self.constants.recreations > 0,
            _ => true,
        };
        KINDS.into_iter().filter(has).collect()
    }

    fn action_kind(&self, action: &MirrorAction) -> usize {
        let name = Self::kind_name(action);
        self.action_kinds().iter().position(|kind| *kind == name).expect("the model takes its own kinds only")
    }

    fn action_label(&self, from: &MirrorState, action: &MirrorAction) -> String {
        self.label(from, action)
    }

    fn message(&self, from: &MirrorState, action: &MirrorAction) -> Option<Message> {
        self.as_message(from, action)
    }

    fn participants(&self) -> Vec<String> {
        super::words::COLUMNS.map(str::to_owned).to_vec()
    }

    fn claims(&self) -> Vec<Claim> {
        claims::claims()
    }

    fn judge(&self, state: &MirrorState) -> Judgement {
        claims::judge(state, self.rule)
    }

    fn variables(&self, state: &MirrorState) -> Vec<Variable> {
        self.describe(state)
    }

    fn conclusion(&self, claim: usize, path: &[Moment<MirrorState, MirrorAction>]) -> Vec<String> {
        self.conclude(claim, &path[path.len() - 1].state)
    }

    fn for_each_step<F: FnMut(MirrorAction, MirrorState)>(&self, state: &MirrorState, mut visit: F) {
        let constants = self.constants;
        if !state.quiet {
            if u32::from(state.end) < constants.offsets {
                let longer = MirrorState { end: state.end + 1, ..*state };
                visit(
                    MirrorAction::Produce,
                    MirrorState { records: state.records | 1 << state.end, ..longer },
                );
                if Self::gaps(state) < constants.gaps {
                    visit(MirrorAction::Gap, longer);
                }
            }
            visit(MirrorAction::Stop, MirrorState { quiet: true, ..*state });
            if u32::from(state.recreated) < constants.recreations && state.in_flight == 0 && state.end > 0 {
                visit(MirrorAction::Recreate, Self::recreate(state));
            }
        }
        match state.poll {
            None => visit(MirrorAction::AnswerPoll, MirrorState { poll: Some((state.end, 0)), ..*state }),
            Some((end, age)) => visit(MirrorAction::PollReturns, self.poll_returns(state, end, age)),
        }
        let mut waiting = offsets(state.in_flight & !state.acknowledged);
        let first = waiting.next();
        for offset in first.into_iter().chain(waiting.filter(|_| constants.any_order)) {
            visit(MirrorAction::Acknowledge { offset }, self.acknowledge(state, offset));
        }
        if u32::from(state.restarts) < constants.restarts {
            if state.stored != state.committable {
                visit(MirrorAction::Flush, MirrorState { stored: state.committable, ..*state });
            }
            for written in [false, true].into_iter().take(if state.in_flight == 0 { 1 } else { 2 }) {
                visit(MirrorAction::Restart { written }, self.restart(state, written));
            }
        }
        if self.rule.samples() {
            match state.sample {
                None => {
                    let sampled = MirrorState { sample: Some((state.end, 0)), since_sample: 0, ..*state };
                    visit(MirrorAction::AnswerSample, sampled);
                }
                Some((end, age)) => {
                    let mut next = MirrorState { sample: None, ..*state };
                    self.take_end(&mut next, end, age, None, true);
                    visit(MirrorAction::SampleReturns, next);
                }
            }
        }
        if self.may_tick(state) {
            visit(MirrorAction::Tick, self.tick(state));
        }
    }
}

impl Packed for MirrorLag {
    type Word = u128;

    fn pack(&self, state: &MirrorState) -> u128 {
        state.pack()
    }

    fn unpack(&self, word: u128) -> MirrorState {
        MirrorState::unpack(word)
    }
}
