//! Counters: offsets, lags, and the size of the ISR.

use super::Chrome;
use super::tracks::Process;
use crate::trace::export::Header;
use crate::trace::state::State;
use isrlab_sim::cluster::happening::{Happening, virtual_ms};
use isrlab_sim::engine::SimTime;
use std::io::{self, Write};

impl Chrome {
    pub(super) fn counter(
        &mut self,
        process: Process,
        name: &str,
        (at, value): (SimTime, i64),
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = self.tracks.place(process, "", header, out)?;
        self.tracks.event("C", at, place, name, &format!("\"args\":{{\"value\":{value}}}"), out)
    }

    /// The first line of a partition: its counters as they were at the start of the window.
    pub(super) fn meet_partition(
        &mut self,
        partition: usize,
        header: &Header,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.partitions.insert(partition) {
            return Ok(());
        }
        let (at, process) = (header.window.from, Process::Partition(partition));
        let known = state.partition(partition);
        self.counter(process, "LEO", (at, known.leo_of(known.leader)), header, out)?;
        self.counter(process, "HW", (at, known.high_watermark), header, out)?;
        self.counter(process, "ISR size", (at, known.isr_size() as i64), header, out)?;
        for (slot, &broker) in header.names.layout().partitions[partition].brokers.iter().enumerate() {
            if broker != known.leader {
                let behind = known.leo_of(known.leader) - known.replicas[slot].leo;
                self.counter(process, &behind_track(broker), (at, behind), header, out)?;
            }
        }
        Ok(())
    }

    /// Counters of the logs of a partition, after a line that moves one of them.
    pub(super) fn count_log(
        &mut self,
        happening: &Happening<'_>,
        at: SimTime,
        header: &Header,
        state: &State,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match *happening {
            Happening::Appended { partition, broker, to, .. }
            | Happening::Truncated { partition, broker, to, .. } => {
                let (process, known) = (Process::Partition(partition), state.partition(partition));
                if broker != known.leader {
                    let behind = known.leo_of(known.leader) - to;
                    return self.counter(process, &behind_track(broker), (at, behind), header, out);
                }
                self.counter(process, "LEO", (at, to), header, out)?;
                let brokers = &header.names.layout().partitions[partition].brokers;
                for (slot, &follower) in brokers.iter().enumerate().filter(|(_, id)| **id != broker) {
                    let behind = to - known.replicas[slot].leo;
                    self.counter(process, &behind_track(follower), (at, behind), header, out)?;
                }
                Ok(())
            }
            Happening::HighWatermark { partition, leads: true, to, .. } => {
                self.counter(Process::Partition(partition), "HW", (at, to), header, out)
            }
            Happening::Elected { partition, leo, high_watermark, .. } => {
                let process = Process::Partition(partition);
                self.counter(process, "LEO", (at, leo), header, out)?;
                self.counter(process, "HW", (at, high_watermark), header, out)
            }
            Happening::FetchRead { ref fetch, partition, before, after, .. } => {
                let (process, name) = (Process::Partition(partition), lag_track(fetch.follower));
                let moved = before.last_caught_up != after.last_caught_up;
                for known in [before, after].into_iter().take(1 + usize::from(moved)) {
                    if let Some(caught_up) = virtual_ms(known.last_caught_up) {
                        let lag = at.as_millis() as i64 - caught_up;
                        self.counter(process, &name, (at, lag), header, out)?;
                    }
                }
                Ok(())
            }
            Happening::Judged { partition, follower, lag_ms: Some(lag), .. } => {
                let process = Process::Partition(partition);
                self.counter(process, &lag_track(follower), (at, lag), header, out)
            }
            _ => Ok(()),
        }
    }
}

fn behind_track(broker: i32) -> String {
    format!("broker {broker} behind (records)")
}

fn lag_track(broker: i32) -> String {
    format!("broker {broker} not caught up for (ms)")
}
