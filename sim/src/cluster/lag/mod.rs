//! Actors whose lag is watched: mirrors of one partition to another, and share groups.
//!
//! A cluster without them has none of their events; each of theirs is one small event, and what
//! is to be done stands in the actor's own agenda.

mod agenda;
mod mirror;
mod mirror_script;
mod share;
mod share_script;
pub mod spec;
pub mod summary;
mod target;
pub mod writes;

use super::Cluster;
use super::broker::clock_ms;
use super::event::Event;
use super::happening::{AppendSource, Happening};
use super::observer::{LagParts, LagSample, Observer};
use crate::engine::SimTime;
use crate::protocol::{Acks, Offset};
use mirror::{Mirror, Then};
use share::ShareGroup;
use spec::{LagSpec, PartitionRef};

/// The rule's name under which a share group's lag is reported.
pub const SHARE_RULE: &str = "kip-1226";

/// Milliseconds since the start, as the protocols of lags count them.
fn millis(at: SimTime) -> i64 {
    at.as_millis() as i64
}

/// Whether an offset is one of every so many: the last of each so many; none: no offset is.
fn is_each(every: Option<u32>, offset: Offset) -> bool {
    every.is_some_and(|every| offset % Offset::from(every) == Offset::from(every) - 1)
}

/// All such actors of a cluster.
#[derive(Debug, Default)]
pub(super) struct LagActors {
    mirrors: Vec<Mirror>,
    share_groups: Vec<ShareGroup>,
}

impl LagActors {
    /// What a mirror does next, and the partition that it reads.
    pub(super) fn next_mirror_step(&self, mirror: u32) -> (&'static str, usize) {
        let mirror = &self.mirrors[mirror as usize];
        (mirror.agenda.peek().map_or("nothing", mirror::Step::name), mirror.source)
    }

    /// What a share group does next, and the partition that it reads.
    pub(super) fn next_share_step(&self, group: u32) -> (&'static str, usize) {
        let group = &self.share_groups[group as usize];
        (group.agenda.peek().map_or("nothing", share::Step::name), group.partition)
    }
}

impl Cluster {
    /// Makes the actors and schedules their first steps.
    pub(super) fn add_lag_actors(&mut self, spec: &LagSpec, first_partitions: &[u32]) {
        let global = |(topic, partition): PartitionRef| first_partitions[topic] as usize + partition;
        let watch = spec.watch_interval;
        let mirrors = spec.mirrors.iter();
        self.lag.mirrors =
            mirrors.map(|spec| Mirror::new(spec, global(spec.source), global(spec.target), watch)).collect();
        let groups = spec.share_groups.iter();
        self.lag.share_groups =
            groups.map(|spec| ShareGroup::new(spec, global(spec.partition), watch)).collect();
        for mirror in 0..self.lag.mirrors.len() as u32 {
            self.schedule_mirror_steps(mirror);
        }
        for group in 0..self.lag.share_groups.len() as u32 {
            self.schedule_share_steps(group);
        }
    }

    fn schedule_mirror_steps(&mut self, mirror: u32) {
        for at in self.lag.mirrors[mirror as usize].agenda.fresh.drain(..) {
            self.scheduler.schedule(at, Event::MirrorStep { mirror });
        }
    }

    fn schedule_share_steps(&mut self, group: u32) {
        for at in self.lag.share_groups[group as usize].agenda.fresh.drain(..) {
            self.scheduler.schedule(at, Event::ShareStep { group });
        }
    }

    /// A step of one of them. Out of line: most clusters have none.
    #[cold]
    #[inline(never)]
    pub(super) fn lag_step<O: Observer>(&mut self, event: Event, now: SimTime, observer: &mut O) {
        match event {
            Event::MirrorStep { mirror } => self.mirror_step(mirror, now, observer),
            Event::ShareStep { group } => self.share_step(group, now, observer),
            _ => unreachable!("no other event is a step of a mirror or a share group"),
        }
    }

    fn mirror_step<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let mirror = &mut self.lag.mirrors[number as usize];
        let high_watermark = self.partitions[mirror.source].leader.high_watermark();
        let (target, bytes) = (mirror.target, u64::from(mirror.spec.record_bytes));
        match mirror.step(now, high_watermark) {
            Then::Nothing => {}
            Then::Append(records) => {
                self.append_from_mirror(number as usize, target, records, bytes, now, observer)
            }
            Then::Watch => {
                mirror.agenda.add(now + self.spec.lag.watch_interval, mirror::Step::Watch);
                self.watch_mirror(number as usize, high_watermark, now, observer);
            }
        }
        self.schedule_mirror_steps(number);
    }

    /// A mirror's records are appended at their leader, with acks=1.
    fn append_from_mirror<O: Observer>(
        &mut self,
        mirror: usize,
        index: usize,
        records: i64,
        record_bytes: u64,
        now: SimTime,
        observer: &mut O,
    ) {
        let partition = &mut self.partitions[index];
        let settings = &self.settings[partition.settings as usize];
        let base = partition.leader.log_end_offset();
        let high_watermark = partition.leader.high_watermark();
        let appended = partition.leader.append(settings, records, Acks::Leader, clock_ms(now));
        let rose = appended.expect("a partition of the simulator always has a leader");
        partition.note_append(base, record_bytes, rose, now, &mut self.stats);
        self.stats.records_appended += records as u64;
        self.stats.bytes_appended += records as u64 * record_bytes;
        self.tell(observer, now, |cluster| Happening::Appended {
            partition: index,
            broker: cluster.partitions[index].leader_id(),
            source: AppendSource::Mirror(mirror),
            from: base,
            to: base + records,
        });
        if rose {
            self.tell_high_watermark(index, high_watermark, now, observer);
            self.complete_waiters(index, now, observer);
        }
        self.wake_fetches(index, records as u64 * record_bytes, now, observer);
        self.check_partition(index);
    }

    fn share_step<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let group = &mut self.lag.share_groups[number as usize];
        let high_watermark = self.partitions[group.partition].leader.high_watermark();
        if group.step(now, high_watermark) {
            group.agenda.add(now + self.spec.lag.watch_interval, share::Step::Watch);
            self.watch_share_group(number as usize, high_watermark, now, observer);
        }
        self.schedule_share_steps(number);
    }

    fn watch_mirror<O: Observer>(
        &mut self,
        number: usize,
        high_watermark: Offset,
        at: SimTime,
        observer: &mut O,
    ) {
        let mirror = &self.lag.mirrors[number];
        let millis = at.as_millis() as i64;
        let truth = mirror.truth(high_watermark);
        for (rule, meter) in mirror.meters.iter().enumerate() {
            let state = meter.state();
            self.stats.lag.mirror[rule].note(state.reported, truth);
            observer.lag_sampled(&LagSample {
                at,
                partition: mirror.source,
                actor: &mirror.spec.name,
                rule: meter.rule().name(),
                reported: state.reported,
                truth,
                end_age_ms: state.leo.map(|leo| millis - leo.at),
                progress_age_ms: state.lro.map(|lro| millis - lro.at),
                parts: LagParts::Mirror {
                    leo: state.leo.map(|leo| leo.offset),
                    lro: state.lro.map(|lro| lro.offset),
                    truth_then: mirror.truth_then(rule),
                },
            });
        }
        self.count_script_steps();
    }

    fn count_script_steps(&mut self) {
        let (mirrors, groups) = (&self.lag.mirrors, &self.lag.share_groups);
        let of_mirrors = mirrors.iter().map(|mirror| (mirror.script_steps, mirror.script_steps_skipped));
        let of_groups = groups.iter().map(|group| (group.script_steps, group.script_steps_skipped));
        let all = of_mirrors.chain(of_groups);
        let (taken, skipped) = all.fold((0, 0), |sum, steps| (sum.0 + steps.0, sum.1 + steps.1));
        (self.stats.lag.script_steps, self.stats.lag.script_steps_skipped) = (taken, skipped);
    }

    fn watch_share_group<O: Observer>(&mut self, number: usize, end: Offset, at: SimTime, observer: &mut O) {
        let group = &self.lag.share_groups[number];
        let truth = group.truth(end);
        let answered = &group.answered;
        let age = |read: Option<SimTime>| read.map(|read| (at - read).as_millis() as i64);
        self.stats.lag.share.note(answered.lag, truth);
        let mut counts = summary::ShareCounts::default();
        self.lag.share_groups.iter().for_each(|group| counts.add(&group.counts));
        self.stats.lag.groups = counts;
        observer.lag_sampled(&LagSample {
            at,
            partition: group.partition,
            actor: &group.spec.name,
            rule: SHARE_RULE,
            reported: answered.lag,
            truth,
            end_age_ms: age(answered.end_at),
            progress_age_ms: age(answered.summary_at),
            parts: LagParts::Share { leader: &group.leader, persisted: group.persisted.summary() },
        });
        self.count_script_steps();
    }

    /// A fault of a share group's writes to its share coordinator begins or ends.
    pub(super) fn set_share_write_fault(&mut self, group: usize, fault: writes::WriteFault, lasts: bool) {
        self.lag.share_groups[group].set_write_fault(fault, lasts);
    }
}
