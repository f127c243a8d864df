//! A source task of MirrorMaker 2 at work, and the four rules that watch it.

use super::agenda::Agenda;
use super::spec::{MirrorSpec, MirrorStep};
use super::target::Target;
use super::{is_each, millis};
use crate::engine::{SimDuration, SimTime};
use crate::protocol::Offset;
use crate::protocol::mirror::{LagMeter, LagRule, Reading, SourceTask};

/// What a task or its surroundings do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    PollArrives { life: u32 },
    PollReturns { life: u32, end: Offset, read_at: SimTime },
    WriteArrives { life: u32, base: Offset, from: Offset, to: Offset },
    Callback { life: u32, from: Offset, to: Offset },
    Flush { life: u32 },
    SampleLeaves,
    SampleArrives,
    SampleReturns { end: Offset, read_at: SimTime },
    Restart,
    Recreate,
    Scripted(MirrorStep),
    Watch,
}

/// An end offset of the source on its way.
type Answer = Option<(Offset, SimTime)>;

impl Step {
    /// Its name in traces.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Step::PollArrives { .. } => "poll-arrives",
            Step::PollReturns { .. } => "poll-returns",
            Step::WriteArrives { .. } => "write-arrives",
            Step::Callback { .. } => "producer-callback",
            Step::Flush { .. } => "offset-flush",
            Step::SampleLeaves => "end-offset-asked",
            Step::SampleArrives => "end-offset-read",
            Step::SampleReturns { .. } => "end-offset-returns",
            Step::Restart => "restart",
            Step::Recreate => "source-recreated",
            Step::Scripted(step) => match step {
                MirrorStep::AnswerPoll => "scripted-poll-answered",
                MirrorStep::PollReturns => "scripted-poll-returns",
                MirrorStep::Callback(_) => "scripted-producer-callback",
                MirrorStep::Flush => "scripted-offset-flush",
                MirrorStep::Restart { .. } => "scripted-restart",
                MirrorStep::AnswerSample => "scripted-end-offset-read",
                MirrorStep::SampleReturns => "scripted-end-offset-returns",
                MirrorStep::Recreate => "scripted-source-recreated",
            },
            Step::Watch => "lag-looked-at",
        }
    }
}

/// A mirror under way.
#[derive(Debug)]
pub(super) struct Mirror {
    pub(super) spec: MirrorSpec,
    /// Numbers of the partitions through all topics.
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) agenda: Agenda<Step>,
    pub(super) task: SourceTask,
    /// Which start of the task this is; what belongs to an earlier one is ignored.
    life: u32,
    pub(super) stored: Option<Offset>,
    pub(super) meters: [LagMeter; 4],
    /// By rule: whether its end offset was read of the source topic that is there now.
    of_this_topic: [bool; 4],
    /// The simulator's offset at which the source's own offsets start: above 0 when it was made
    /// again.
    base: Offset,
    pub(super) in_target: Target,
    /// Of a mirror that goes by a script: the answers under way, and steps so far.
    pub(super) poll: Answer,
    pub(super) sample: Answer,
    pub(super) script_steps: u64,
    pub(super) script_steps_skipped: u64,
}

/// What the cluster is to do after a step.
pub(super) enum Then {
    /// Nothing.
    Nothing,
    /// So many records are appended to the target.
    Append(Offset),
    /// The lag is looked at.
    Watch,
}

impl Mirror {
    pub(super) fn new(spec: &MirrorSpec, source: usize, target: usize, watch: SimDuration) -> Mirror {
        let time_to_live = spec.lro_time_to_live.map(|limit| limit.as_millis() as i64);
        let mut mirror = Mirror {
            spec: spec.clone(),
            source,
            target,
            agenda: Agenda::new(),
            task: SourceTask::start(None, 0),
            life: 0,
            stored: None,
            meters: LagRule::ALL.map(|rule| LagMeter::new(rule, time_to_live)),
            of_this_topic: [false; 4],
            base: 0,
            in_target: Target::default(),
            poll: None,
            sample: None,
            script_steps: 0,
            script_steps_skipped: 0,
        };
        mirror.agenda.add(SimTime::ZERO + watch, Step::Watch);
        for &(at, step) in &spec.script {
            mirror.agenda.add(at, Step::Scripted(step));
        }
        if mirror.is_scripted() {
            return mirror;
        }
        mirror.start(SimTime::ZERO);
        mirror.agenda.add(SimTime::ZERO, Step::SampleLeaves);
        for &at in &spec.restarts {
            mirror.agenda.add(at, Step::Restart);
        }
        if let Some(at) = spec.source_recreated {
            mirror.agenda.add(at, Step::Recreate);
        }
        mirror
    }

    fn is_scripted(&self) -> bool {
        !self.spec.script.is_empty()
    }

    /// The task starts, from what was flushed last.
    pub(super) fn begin(&mut self, now: SimTime) {
        self.life += 1;
        self.task = SourceTask::start(self.stored, 0);
        for meter in &mut self.meters {
            meter.task_started(self.stored, millis(now));
        }
        self.of_this_topic = [false; 4];
    }

    fn start(&mut self, now: SimTime) {
        self.begin(now);
        let life = self.life;
        self.agenda.add(now + self.spec.source_latency, Step::PollArrives { life });
        self.agenda.add(now + self.spec.flush_interval, Step::Flush { life });
    }

    /// The offsets from `from` up to `to` that hold a record.
    fn records_in(&self, from: Offset, to: Offset) -> Vec<Offset> {
        (from..to).filter(|&offset| !self.is_gap(offset)).collect()
    }

    fn is_gap(&self, offset: Offset) -> bool {
        is_each(self.spec.gap_every, offset) || self.spec.gaps.binary_search(&offset).is_ok()
    }

    /// Records below a source offset.
    fn records_below(&self, end: Offset) -> Offset {
        let every = self.spec.gap_every;
        let listed = self.spec.gaps.iter().filter(|&&gap| gap < end);
        let listed = listed.filter(|&&gap| !is_each(every, gap));
        end - every.map_or(0, |every| end / Offset::from(every)) - listed.count() as Offset
    }

    /// The source's end offset, when the simulator's high watermark of it is this.
    fn end_of(&self, high_watermark: Offset) -> Offset {
        high_watermark - self.base
    }

    /// Records of the source that are still to be replicated.
    pub(super) fn truth(&self, high_watermark: Offset) -> Offset {
        self.missing_below(self.end_of(high_watermark))
    }

    /// Records below a source offset that are not in the target.
    fn missing_below(&self, end: Offset) -> Offset {
        let Target { below, .. } = self.in_target;
        let beyond = self.in_target.beyond(end) as Offset;
        self.records_below(end) - self.records_below(below.min(end)) - beyond
    }

    /// Of the records that were below the end offset that a rule goes by when it was read, those
    /// that are still to be replicated; none: it knows no end offset of the topic that is there.
    pub(super) fn truth_then(&self, rule: usize) -> Option<Offset> {
        let leo = self.meters[rule].state().leo.filter(|_| self.of_this_topic[rule])?;
        // `last-polled` takes the last record's own offset: nothing else was below the end.
        let past = Offset::from(LagRule::ALL[rule] == LagRule::LastPolled);
        Some(self.missing_below(leo.offset + past))
    }

    /// Tells every rule of a poll, and remembers which took its end offset.
    fn tell_polled(&mut self, reading: Reading, ends: Option<(Offset, Offset)>) {
        for (meter, known) in self.meters.iter_mut().zip(&mut self.of_this_topic) {
            *known |= meter.polled(reading, ends);
        }
    }

    pub(super) fn tell_sampled(&mut self, reading: Reading, now: SimTime) {
        for (meter, known) in self.meters.iter_mut().zip(&mut self.of_this_topic) {
            *known |= meter.sampled(reading, millis(now));
        }
    }

    /// The source is made again when its high watermark is this.
    pub(super) fn recreate(&mut self, high_watermark: Offset) {
        self.base = high_watermark;
        self.in_target = Target::default();
        self.of_this_topic = [false; 4];
    }

    /// Takes the next step; `high_watermark` is the source's.
    pub(super) fn step(&mut self, now: SimTime, high_watermark: Offset) -> Then {
        let Some(step) = self.agenda.next() else { return Then::Nothing };
        let end = self.end_of(high_watermark);
        let spec = &self.spec;
        let (source_latency, target_latency) = (spec.source_latency, spec.target_latency);
        match step {
            Step::PollArrives { life } if life == self.life => {
                self.agenda.add(now + source_latency, Step::PollReturns { life, end, read_at: now });
            }
            Step::PollReturns { life, end, read_at } if life == self.life => {
                self.poll_returned(end, read_at, now);
            }
            Step::WriteArrives { life, base, from, to } => {
                if base == self.base {
                    self.in_target.below = self.in_target.below.max(to);
                }
                self.agenda.add(now + target_latency, Step::Callback { life, from, to });
                return Then::Append(self.records_below(to) - self.records_below(from));
            }
            Step::Callback { life, from, to } if life == self.life => {
                for offset in self.records_in(from, to) {
                    self.task.acknowledged(offset);
                    self.meters.iter_mut().for_each(|meter| meter.replicated(offset, millis(now)));
                }
            }
            Step::Flush { life } if life == self.life => {
                self.stored = self.task.committable();
                self.agenda.add(now + self.spec.flush_interval, Step::Flush { life });
            }
            Step::SampleLeaves => {
                self.agenda.add(now + source_latency, Step::SampleArrives);
                self.agenda.add(now + self.spec.sample_interval, Step::SampleLeaves);
            }
            Step::SampleArrives => {
                self.agenda.add(now + source_latency, Step::SampleReturns { end, read_at: now });
            }
            Step::SampleReturns { end, read_at } => {
                let reading = Reading { offset: end, at: millis(read_at) };
                self.tell_sampled(reading, now);
            }
            Step::Restart => self.start(now),
            Step::Recreate => self.recreate(high_watermark),
            Step::Scripted(step) => return self.scripted(step, now, high_watermark, end),
            Step::Watch => return Then::Watch,
            // Of an earlier life of the task.
            Step::PollArrives { .. }
            | Step::PollReturns { .. }
            | Step::Callback { .. }
            | Step::Flush { .. } => {}
        }
        Then::Nothing
    }

    /// The task takes what a poll brought; returns where it was, and whether there were records.
    pub(super) fn take_poll(&mut self, end: Offset, read_at: SimTime) -> (Offset, bool) {
        if end < self.task.position() {
            self.task.reset(0);
        }
        let from = self.task.position();
        let polled = self.records_in(from, end);
        let ends = polled.first().copied().zip(polled.last().copied());
        self.task.polled(polled, end);
        self.tell_polled(Reading { offset: end, at: millis(read_at) }, ends);
        (from, ends.is_some())
    }

    fn poll_returned(&mut self, end: Offset, read_at: SimTime, now: SimTime) {
        let (from, any) = self.take_poll(end, read_at);
        let life = self.life;
        if any {
            let write = Step::WriteArrives { life, base: self.base, from, to: end };
            self.agenda.add(now + self.spec.target_latency, write);
        }
        let next = now + self.spec.poll_interval + self.spec.source_latency;
        self.agenda.add(next, Step::PollArrives { life });
    }
}
