//! The loop: one event after the other, the invariants after each.

use super::Cluster;
use super::broker::clock_ms;
use super::event::Event;
use super::happening::Happening;
use super::observer::{Observer, ReplicaSample, Sample, Step, StepKind};
use super::summary::{Exercised, RunSummary};
use crate::engine::{SimDuration, SimTime};
use crate::invariants::Invariant;

/// How a run is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RunOptions {
    /// Time from one sample to the next, the first at 0; none: no samples.
    pub sample_every: Option<SimDuration>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It reached the end of its duration.
    Finished,
    /// It was told to stop before.
    Interrupted,
}

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// When.
    pub at: SimTime,
    /// How many events had been handled, this one included.
    pub event_number: u64,
    /// The event after which it did not hold, in words.
    pub event: String,
    /// The invariant.
    pub invariant: Invariant,
    /// The partition and its leader's state, one fact a line.
    pub state: String,
    /// The run's seed.
    pub seed: u64,
    /// The numbers of the run up to there.
    pub summary: RunSummary,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "invariant violated at {} by event {}: {}", self.at, self.event_number, self.event)?;
        writeln!(f, "  it must hold that {}", self.invariant)?;
        for line in self.state.lines() {
            writeln!(f, "  {line}")?;
        }
        write!(f, "  seed {}", self.seed)
    }
}

/// Events, or samples of a partition, between two looks at whether to go on.
const EVENTS_PER_LOOK: u64 = 1 << 15;

impl Cluster {
    /// Runs the cluster to the end of its duration: events at that very time are handled.
    ///
    /// `keep_going` is asked now and then with the virtual time; false interrupts the run.
    ///
    /// # Errors
    /// The first violation of an invariant; the run stops there.
    pub fn run<O: Observer>(
        &mut self,
        options: &RunOptions,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> Result<(RunEnd, RunSummary), Box<Violation>> {
        let mut sampler = SampleClock::new(options.sample_every);
        let mut events = 0u64;
        let mut end = RunEnd::Finished;
        while let Some(event) = self.scheduler.pop_before(self.end) {
            let now = self.scheduler.now();
            if sampler.next <= now && !self.take_samples(&mut sampler, now, observer, keep_going) {
                end = RunEnd::Interrupted;
                break;
            }
            events += 1;
            observer.event(now, events);
            self.dispatch(event, now, observer);
            if let Some((partition, invariant)) = self.broken {
                self.stats.events = events;
                return Err(Box::new(self.violation(event, now, partition, invariant)));
            }
            if events.is_multiple_of(EVENTS_PER_LOOK) && !keep_going(now) {
                end = RunEnd::Interrupted;
                break;
            }
        }
        if end == RunEnd::Finished && !self.take_samples(&mut sampler, self.end, observer, keep_going) {
            end = RunEnd::Interrupted;
        }
        let now = match end {
            RunEnd::Finished => self.end,
            RunEnd::Interrupted => self.scheduler.now(),
        };
        self.stats.events = events;
        Ok((end, self.finish(now)))
    }

    /// Handles an event that was put aside in a pause.
    #[inline(never)]
    pub(super) fn dispatch_deferred<O: Observer>(&mut self, event: Event, now: SimTime, observer: &mut O) {
        self.dispatch(event, now, observer);
    }

    /// Handles an event, or, while its broker is paused, puts it aside.
    // In the loop itself, which is the only busy caller.
    #[inline(always)]
    fn dispatch<O: Observer>(&mut self, event: Event, now: SimTime, observer: &mut O) {
        if self.paused_brokers > 0
            && let Some(broker) = self.broker_of(event)
            && self.brokers[broker as usize].is_paused()
        {
            if let Event::IsrCheck { broker } = event {
                self.schedule_next_check(broker);
            }
            self.tell(observer, now, |cluster| Happening::PutAside {
                kind: Event::KINDS[event.kind()],
                subject: cluster.subject_of(event),
                broker: cluster.brokers[broker as usize].id,
            });
            self.brokers[broker as usize].defer(event);
            return;
        }
        self.tell(observer, now, |cluster| Happening::Handled {
            kind: Event::KINDS[event.kind()],
            subject: cluster.subject_of(event),
        });
        self.event_counts[event.kind()] += 1;
        match event {
            Event::RequestArises { producer } => self.request_arises(producer, now, observer),
            Event::ProduceArrives { request } => self.produce_arrives(request, now, observer),
            Event::ProduceServed { request } => self.produce_served(request, now, observer),
            Event::ProduceAnswered { request } => self.produce_answered(request, now, observer),
            Event::RetryDue { request } => self.retry_due(request, now, observer),
            Event::RequestTimeout { connection } => self.request_timeout(connection, now, observer),
            Event::FetcherStarts { fetcher } => self.fetcher_starts(fetcher, now, observer),
            Event::FetchArrives { fetcher } => self.fetch_arrives(fetcher, now, observer),
            Event::FetchServed { fetcher } => self.fetch_served(fetcher, now, observer),
            Event::FetchExpires { fetcher } => self.fetch_expires(fetcher, now, observer),
            Event::FetchAnswered { fetcher } => self.fetch_answered(fetcher, now, observer),
            Event::IsrCheck { broker } => self.isr_check(broker, now, observer),
            Event::FaultStarts { fault } => self.fault_starts(fault, now, observer),
            Event::FaultEnds { fault } => self.fault_ends(fault, now, observer),
            Event::MirrorStep { .. } | Event::ShareStep { .. } => self.lag_step(event, now, observer),
        }
        if !self.ready.is_empty() {
            self.serve_ready_connections(now, observer);
        }
    }

    /// The broker that is to handle an event, if one is.
    #[inline]
    fn broker_of(&self, event: Event) -> Option<u32> {
        match event {
            Event::FetchArrives { fetcher }
            | Event::FetchServed { fetcher }
            | Event::FetchExpires { fetcher } => Some(self.fetchers[fetcher as usize].leader_broker),
            Event::FetchAnswered { fetcher } | Event::FetcherStarts { fetcher } => {
                Some(self.fetchers[fetcher as usize].follower_broker)
            }
            Event::ProduceArrives { request } | Event::ProduceServed { request } => {
                let connection = self.requests.get(request).connection;
                Some(self.connections[connection as usize].at_broker.broker)
            }
            Event::IsrCheck { broker } => Some(broker),
            _ => None,
        }
    }

    /// Checks the invariants of a partition after a step; the first that is broken stays.
    #[inline(never)]
    pub(super) fn check_partition(&mut self, index: usize) {
        self.check_partition_here(index);
    }

    /// The same, in the paths of appends and fetches.
    #[inline(always)]
    pub(super) fn check_partition_here(&mut self, index: usize) {
        self.stats.exercised.invariant_checks += 1;
        if let Err(invariant) = self.partitions[index].check() {
            self.note_broken(index, invariant);
        }
    }

    #[cold]
    #[inline(never)]
    fn note_broken(&mut self, index: usize, invariant: Invariant) {
        self.broken.get_or_insert((index, invariant));
    }

    fn schedule_next_check(&mut self, broker: u32) {
        let state = &mut self.brokers[broker as usize];
        state.next_check += state.check_period;
        self.scheduler.schedule(state.next_check, Event::IsrCheck { broker });
    }

    /// The periodic check of all partitions that a broker leads.
    fn isr_check<O: Observer>(&mut self, broker: u32, now: SimTime, observer: &mut O) {
        if self.brokers[broker as usize].next_check <= now {
            self.schedule_next_check(broker);
        }
        let clock = clock_ms(now);
        for index in 0..self.partitions.len() {
            if self.partitions[index].leader_broker() != broker {
                continue;
            }
            self.tell_judgements(index, now, observer);
            let partition = &mut self.partitions[index];
            let settings = &self.settings[partition.settings as usize];
            let old_isr = partition.leader.isr();
            self.stats.exercised.isr_checks += u64::from(old_isr.len() > 1);
            let high_watermark = partition.leader.high_watermark();
            if partition.leader.check_isr(settings, clock).is_empty() {
                self.tell_step(index, now, StepKind::Checked, observer);
                continue;
            }
            let change = partition.note_isr_change(old_isr, settings, now, &mut self.stats);
            observer.isr_changed(&change);
            if partition.leader.high_watermark() > high_watermark {
                partition.note_high_watermark(now, &mut self.stats);
                self.tell_high_watermark(index, high_watermark, now, observer);
                self.complete_waiters(index, now, observer);
            }
            self.check_partition(index);
            self.tell_step(index, now, StepKind::Checked, observer);
        }
    }

    /// Tells the observer what a partition's leader has just done.
    #[inline]
    pub(super) fn tell_step<O: Observer>(
        &self,
        index: usize,
        now: SimTime,
        kind: StepKind,
        observer: &mut O,
    ) {
        let leader = &self.partitions[index].leader;
        observer.stepped(&Step { at: now, clock_ms: clock_ms(now), partition: index, kind, leader });
    }

    /// Takes the samples that are due by `now`; false: the run is to stop. Between two events
    /// there may be any number of samples, so that they too must ask.
    fn take_samples<O: Observer>(
        &mut self,
        sampler: &mut SampleClock,
        now: SimTime,
        observer: &mut O,
        keep_going: &mut dyn FnMut(SimTime) -> bool,
    ) -> bool {
        while sampler.next <= now {
            let at = sampler.next;
            if sampler.is_look_due(self.partitions.len()) && !keep_going(at) {
                return false;
            }
            for (index, partition) in self.partitions.iter().enumerate() {
                partition.sample(clock_ms(at), &mut sampler.replicas);
                observer.sampled(&Sample {
                    at,
                    partition: index,
                    leader: partition.leader_id(),
                    leo: partition.leader.log_end_offset(),
                    high_watermark: partition.leader.high_watermark(),
                    isr_size: partition.leader.isr().len(),
                    replicas: &sampler.replicas,
                });
            }
            if at == SimTime::MAX {
                break;
            }
            sampler.advance();
        }
        true
    }

    fn violation(&mut self, event: Event, now: SimTime, partition: usize, invariant: Invariant) -> Violation {
        Violation {
            at: now,
            event_number: self.stats.events,
            event: self.describe_event(event),
            invariant,
            state: self.describe_partition(partition),
            seed: self.seed,
            summary: self.finish(now),
        }
    }

    /// Closes what is still open, and gives the numbers of the run.
    fn finish(&mut self, now: SimTime) -> RunSummary {
        for partition in &mut self.partitions {
            partition.finish(&self.settings[partition.settings as usize], now, &mut self.stats);
        }
        self.stats.duration_ns = (now - SimTime::ZERO).as_nanos();
        self.stats.produce_latency = self.latency.quantiles();
        let Exercised { events, faults, .. } = &mut self.stats.exercised;
        *events = Event::KINDS.into_iter().zip(self.event_counts).collect();
        *faults = self.faults.iter().map(|fault| (fault.spec.name.clone(), fault.applied)).collect();
        self.stats.clone()
    }
}

/// When the next sample is due.
struct SampleClock {
    next: SimTime,
    every: SimDuration,
    replicas: Vec<ReplicaSample>,
    /// Samples of a partition since the last look at whether to go on.
    since_look: u64,
}

impl SampleClock {
    fn new(every: Option<SimDuration>) -> Self {
        let next = if every.is_some() { SimTime::ZERO } else { SimTime::MAX };
        SampleClock { next, every: every.unwrap_or(SimDuration::MAX), replicas: Vec::new(), since_look: 0 }
    }

    fn is_look_due(&mut self, samples: usize) -> bool {
        self.since_look += samples as u64;
        let due = self.since_look >= EVENTS_PER_LOOK;
        if due {
            self.since_look = 0;
        }
        due
    }

    fn advance(&mut self) {
        self.next += self.every.max(SimDuration::from_nanos(1));
    }
}
