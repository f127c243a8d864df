//! Events and states in words, for those who read a violation.

use super::Cluster;
use super::broker::CLOCK_AT_START_MS;
use super::event::Event;
use crate::engine::SimTime;
use crate::protocol::TimeMs;
use std::fmt::Write;

/// A reading of a broker's clock as virtual time; 0 and −1 mean never.
fn clock_time(clock: TimeMs) -> String {
    match clock - CLOCK_AT_START_MS {
        _ if clock <= 0 => "never".to_owned(),
        before if before < 0 => format!("{} ms before the run", -before),
        since => format!("at {}", SimTime::from_millis(since as u64)),
    }
}

impl Cluster {
    /// A partition as Kafka writes it: `topic-3`.
    fn partition_name(&self, index: usize) -> String {
        let partition = &self.partitions[index];
        format!("{}-{}", self.topics[partition.topic as usize], partition.number)
    }

    /// What an event is, in words.
    pub(super) fn describe_event(&self, event: Event) -> String {
        let broker = |index: u32| self.brokers[index as usize].id;
        let fetch = |fetcher: u32, what: &str| {
            let state = &self.fetchers[fetcher as usize];
            format!(
                "the fetch of broker {} {what} broker {}",
                broker(state.follower_broker),
                broker(state.leader_broker)
            )
        };
        let produce = |request: u32, what: &str| {
            let request = self.requests.get(request);
            let producer = &self.producers[request.producer as usize].spec.name;
            format!(
                "the request of producer {producer} to {} {what}",
                self.partition_name(request.partition as usize)
            )
        };
        match event {
            Event::RequestArises { producer } => {
                format!("a request arises at producer {}", self.producers[producer as usize].spec.name)
            }
            Event::ProduceArrives { request } => produce(request, "reaches the broker"),
            Event::ProduceServed { request } => produce(request, "is handled"),
            Event::ProduceAnswered { request } => produce(request, "is answered"),
            Event::RetryDue { request } => produce(request, "is sent again"),
            Event::RequestTimeout { connection } => {
                let producer = self.connections[connection as usize].at_broker.producer;
                format!("producer {} looks for timeouts", self.producers[producer as usize].spec.name)
            }
            Event::FetcherStarts { fetcher } => fetch(fetcher, "starts towards"),
            Event::FetchArrives { fetcher } => fetch(fetcher, "reaches"),
            Event::FetchServed { fetcher } => fetch(fetcher, "is handled by"),
            Event::FetchExpires { fetcher } => fetch(fetcher, "may have waited long enough at"),
            Event::FetchAnswered { fetcher } => fetch(fetcher, "is answered by"),
            Event::IsrCheck { broker: index } => format!("the ISR check of broker {}", broker(index)),
            Event::MirrorStep { mirror } => {
                format!("a step of mirror {}", self.spec.lag.mirrors[mirror as usize].name)
            }
            Event::ShareStep { group } => {
                format!("a step of share group {}", self.spec.lag.share_groups[group as usize].name)
            }
            Event::FaultStarts { fault } => format!("fault {} begins", self.faults[fault as usize].spec.name),
            Event::FaultEnds { fault } => format!("fault {} ends", self.faults[fault as usize].spec.name),
        }
    }

    /// The state of a partition, one fact a line.
    pub(super) fn describe_partition(&self, index: usize) -> String {
        let partition = &self.partitions[index];
        let leader = &partition.leader;
        let broker = |slot: usize| self.brokers[partition.replica(slot).broker as usize].id;
        let isr: Vec<i32> = leader.isr().iter().map(broker).collect();
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "partition {}", self.partition_name(index));
        let _ = writeln!(
            text,
            "leader broker {}: LEO {}, HW {}, epoch start {}, ISR {isr:?}",
            broker(leader.slot()),
            leader.log_end_offset(),
            leader.high_watermark(),
            leader.epoch_start_offset(),
        );
        for slot in leader.follower_slots() {
            let known = leader.follower(slot);
            let held = partition.logs[slot];
            let _ = writeln!(
                text,
                "follower broker {}: holds LEO {}, HW {}; the leader knows LEO {}, last caught up {}, \
                 last fetch {}, its own LEO then {}",
                broker(slot),
                held.log_end_offset,
                held.high_watermark,
                known.log_end_offset,
                clock_time(known.last_caught_up),
                clock_time(known.last_fetch_time),
                known.last_fetch_leader_leo,
            );
        }
        let memory = &partition.memory;
        let _ = write!(
            text,
            "acknowledged with acks=all: all below {}; under this leader, all below {}",
            memory.lost_below, memory.acknowledged_end,
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_readings_become_virtual_time() {
        assert_eq!(clock_time(-1), "never");
        assert_eq!(clock_time(0), "never");
        assert_eq!(clock_time(CLOCK_AT_START_MS + 4_013), "at 4.013 s");
        assert_eq!(clock_time(CLOCK_AT_START_MS - 5), "5 ms before the run");
    }
}
