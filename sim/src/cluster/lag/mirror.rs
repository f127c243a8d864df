//! A source task of MirrorMaker 2 at work, and the four rules that watch it.

use super::agenda::Agenda;
use super::spec::MirrorSpec;
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
    Watch,
}

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
    task: SourceTask,
    /// Which start of the task this is; what belongs to an earlier one is ignored.
    life: u32,
    stored: Option<Offset>,
    pub(super) meters: [LagMeter; 4],
    /// The simulator's offset at which the source's own offsets start: above 0 when it was made
    /// again.
    base: Offset,
    /// One above the last source offset whose record is in the target.
    in_target: Offset,
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

fn millis(at: SimTime) -> i64 {
    at.as_millis() as i64
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
            base: 0,
            in_target: 0,
        };
        mirror.start(SimTime::ZERO);
        mirror.agenda.add(SimTime::ZERO, Step::SampleLeaves);
        mirror.agenda.add(SimTime::ZERO + watch, Step::Watch);
        for &at in &spec.restarts {
            mirror.agenda.add(at, Step::Restart);
        }
        if let Some(at) = spec.source_recreated {
            mirror.agenda.add(at, Step::Recreate);
        }
        mirror
    }

    /// The task starts, from what was flushed last.
    fn start(&mut self, now: SimTime) {
        self.life += 1;
        self.task = SourceTask::start(self.stored, 0);
        for meter in &mut self.meters {
            meter.task_started(self.stored, millis(now));
        }
        let life = self.life;
        self.agenda.add(now + self.spec.source_latency, Step::PollArrives { life });
        self.agenda.add(now + self.spec.flush_interval, Step::Flush { life });
    }

    /// The offsets from `from` up to `to` that hold a record.
    fn records_in(&self, from: Offset, to: Offset) -> Vec<Offset> {
        let is_gap = |offset: Offset| {
            self.spec.gap_every.is_some_and(|every| offset % Offset::from(every) == Offset::from(every) - 1)
        };
        (from..to).filter(|&offset| !is_gap(offset)).collect()
    }

    /// Records below a source offset.
    fn records_below(&self, end: Offset) -> Offset {
        end - self.spec.gap_every.map_or(0, |every| end / Offset::from(every))
    }

    /// The source's end offset, when the simulator's high watermark of it is this.
    fn end_of(&self, high_watermark: Offset) -> Offset {
        high_watermark - self.base
    }

    /// Records of the source that are still to be replicated.
    pub(super) fn truth(&self, high_watermark: Offset) -> Offset {
        let end = self.end_of(high_watermark);
        self.records_below(end) - self.records_below(self.in_target.min(end))
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
                    self.in_target = self.in_target.max(to);
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
                self.meters.iter_mut().for_each(|meter| meter.sampled(reading, millis(now)));
            }
            Step::Restart => self.start(now),
            Step::Recreate => {
                self.base = high_watermark;
                self.in_target = 0;
            }
            Step::Watch => return Then::Watch,
            // Of an earlier life of the task.
            Step::PollArrives { .. }
            | Step::PollReturns { .. }
            | Step::Callback { .. }
            | Step::Flush { .. } => {}
        }
        Then::Nothing
    }

    fn poll_returned(&mut self, end: Offset, read_at: SimTime, now: SimTime) {
        if end < self.task.position() {
            self.task.reset(0);
        }
        let from = self.task.position();
        let polled = self.records_in(from, end);
        let ends = polled.first().copied().zip(polled.last().copied());
        self.task.polled(polled, end);
        let reading = Reading { offset: end, at: millis(read_at) };
        self.meters.iter_mut().for_each(|meter| meter.polled(reading, ends));
        let life = self.life;
        if ends.is_some() {
            let write = Step::WriteArrives { life, base: self.base, from, to: end };
            self.agenda.add(now + self.spec.target_latency, write);
        }
        let next = now + self.spec.poll_interval + self.spec.source_latency;
        self.agenda.add(next, Step::PollArrives { life });
    }
}
