//! What a trace has to know of the run before its window, and of what is under way in it. It grows
//! with the cluster and what is under way, never with the run.

use isrlab_sim::cluster::happening::{AppendSource, Happening, RequestView, Subject};
use isrlab_sim::cluster::spec::PartitionStart;
use isrlab_sim::cluster::{ClusterSpec, IsrChange};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::{Offset, ReplicaSet};

/// A request that is somewhere.
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest {
    /// Its number through the whole run, from 1.
    pub serial: u64,
    /// What it is.
    pub view: RequestView,
    /// The producer has given its connection up, and goes on with a copy.
    pub given_up: bool,
}

/// One partition of a fetch, as the leader first read it.
#[derive(Clone, Copy, Debug)]
pub struct FirstRead {
    /// Which partition, through all topics.
    pub partition: usize,
    /// The fetch offset.
    pub offset: Offset,
}

/// A fetcher's latest fetch.
#[derive(Clone, Debug, Default)]
pub struct OpenFetch {
    /// Its number among those of its fetcher, from 1.
    pub number: u64,
    /// When it was sent.
    pub sent: SimTime,
    /// When the leader first read for it.
    pub read: Option<SimTime>,
    /// What it asked for.
    pub reads: Vec<FirstRead>,
    /// When the answer was sent, and its bytes.
    pub answered: Option<(SimTime, u64)>,
    /// The answer has arrived. What still speaks of the fetch then is a timer, or a fetcher that
    /// starts anew.
    pub over: bool,
}

/// One replica of a partition.
#[derive(Clone, Copy, Debug)]
pub struct ReplicaState {
    /// The log end offset of its own log.
    pub leo: Offset,
    /// Since when it has been in the ISR; none: it is not.
    pub in_isr_since: Option<SimTime>,
}

/// One partition.
#[derive(Clone, Debug)]
pub struct PartitionState {
    /// The leader's broker.
    pub leader: i32,
    /// The leader's high watermark.
    pub high_watermark: Offset,
    /// Each replica, by slot.
    pub replicas: Vec<ReplicaState>,
    brokers: Vec<i32>,
}

impl PartitionState {
    fn slot(&self, broker: i32) -> Option<usize> {
        self.brokers.iter().position(|known| *known == broker)
    }

    /// The log end offset of a broker's log.
    pub fn leo_of(&self, broker: i32) -> Offset {
        self.slot(broker).map_or(0, |slot| self.replicas[slot].leo)
    }

    fn set_leo(&mut self, broker: i32, leo: Offset) {
        if let Some(slot) = self.slot(broker) {
            self.replicas[slot].leo = leo;
        }
    }

    /// Number of ISR members.
    pub fn isr_size(&self) -> usize {
        self.replicas.iter().filter(|replica| replica.in_isr_since.is_some()).count()
    }
}

/// All of it.
#[derive(Clone, Debug)]
pub struct State {
    requests: Vec<Option<OpenRequest>>,
    serials: u64,
    fetches: Vec<OpenFetch>,
    partitions: Vec<PartitionState>,
    /// Since when each fault has lasted.
    faults: Vec<Option<SimTime>>,
}

impl State {
    /// As it is when the run starts.
    pub fn of(spec: &ClusterSpec) -> Self {
        let partitions = spec.topics.iter().flat_map(|topic| &topic.partitions).map(|partition| {
            let count = partition.replicas.len();
            let start = |isr: ReplicaSet, slot, leo| ReplicaState {
                leo,
                in_isr_since: isr.contains(slot).then_some(SimTime::ZERO),
            };
            let (high_watermark, replicas) = match &partition.start {
                PartitionStart::Established | PartitionStart::Elected => {
                    (0, (0..count).map(|slot| start(ReplicaSet::first(count), slot, 0)).collect())
                }
                PartitionStart::ElectedAfter(earlier) => {
                    let leo = |slot: usize| match slot {
                        0 => earlier.log_end_offset,
                        _ => earlier.followers[slot].log_end_offset,
                    };
                    let replicas = (0..count).map(|slot| start(earlier.isr, slot, leo(slot))).collect();
                    (earlier.high_watermark, replicas)
                }
            };
            let brokers = partition.replicas.clone();
            PartitionState { leader: brokers[0], high_watermark, replicas, brokers }
        });
        State {
            requests: Vec::new(),
            serials: 0,
            fetches: Vec::new(),
            partitions: partitions.collect(),
            faults: vec![None; spec.faults.len()],
        }
    }

    /// The number of a request through the whole run; 0 for one that was never seen, of which
    /// there is none.
    pub fn serial(&self, request: &RequestView) -> u64 {
        self.request(request).map_or(0, |open| open.serial)
    }

    /// A request that is somewhere.
    pub fn request(&self, request: &RequestView) -> Option<&OpenRequest> {
        self.requests.get(request.number as usize)?.as_ref()
    }

    /// All requests that are somewhere, in the order in which they arose.
    pub fn requests(&self) -> Vec<OpenRequest> {
        let mut open: Vec<OpenRequest> =
            self.requests.iter().flatten().filter(|open| !open.given_up).copied().collect();
        open.sort_by_key(|open| open.serial);
        open
    }

    /// A fetcher's latest fetch.
    pub fn fetch(&self, fetcher: usize) -> Option<&OpenFetch> {
        self.fetches.get(fetcher)
    }

    /// A partition, by its number through all topics.
    pub fn partition(&self, partition: usize) -> &PartitionState {
        &self.partitions[partition]
    }

    /// Since when each fault has lasted, by index.
    pub fn faults(&self) -> &[Option<SimTime>] {
        &self.faults
    }

    /// Takes in what a line of it needs: who has appeared, what is under way.
    pub fn before(&mut self, at: SimTime, happening: &Happening<'_>) {
        match happening {
            Happening::RequestWaits(request) | Happening::RequestSent { request, .. } => {
                let place = self.request_slot(request.number);
                if self.requests[place].is_none() {
                    self.serials += 1;
                    let serial = self.serials;
                    self.requests[place] = Some(OpenRequest { serial, view: *request, given_up: false });
                }
            }
            Happening::RequestTimedOut { request, again } => {
                let place = self.request_slot(*again);
                if let Some(open) = &mut self.requests[request.number as usize] {
                    let copy = *open;
                    open.given_up = true;
                    self.requests[place] = Some(copy);
                }
            }
            Happening::FetchSent { fetch, .. } => {
                if self.fetches.len() <= fetch.fetcher {
                    self.fetches.resize_with(fetch.fetcher + 1, OpenFetch::default);
                }
                let open = &mut self.fetches[fetch.fetcher];
                open.reads.clear();
                open.number = fetch.number;
                (open.sent, open.read, open.answered, open.over) = (at, None, None, false);
            }
            Happening::FetchRead { fetch, partition, offset, .. } => {
                let open = &mut self.fetches[fetch.fetcher];
                open.read = Some(at);
                open.reads.push(FirstRead { partition: *partition, offset: *offset });
            }
            Happening::FetchAnswered { fetch, bytes, .. } => {
                self.fetches[fetch.fetcher].answered = Some((at, *bytes));
            }
            _ => {}
        }
    }

    /// Takes in the rest, after the line.
    pub fn after(&mut self, happening: &Happening<'_>) {
        match happening {
            Happening::Handled { kind: "produce-answered", subject: Subject::Request(request) } => {
                let given_up = self.request(request).is_some_and(|open| open.given_up);
                if request.error.is_none() || given_up {
                    self.forget(request);
                }
            }
            Happening::Handled { kind: "fetch-answered", subject: Subject::Fetch(fetch) } => {
                self.fetches[fetch.fetcher].over = true;
            }
            Happening::RequestFailed(request)
            | Happening::RequestDropped(request)
            | Happening::RequestAnswered { request, arrives: None } => self.forget(request),
            Happening::Appended { partition, broker, to, source, .. } => {
                let state = &mut self.partitions[*partition];
                debug_assert!(*source == AppendSource::Fetch || state.leader == *broker);
                state.set_leo(*broker, *to);
            }
            Happening::Truncated { partition, broker, to, .. } => {
                self.partitions[*partition].set_leo(*broker, *to);
            }
            Happening::HighWatermark { partition, leads: true, to, .. } => {
                self.partitions[*partition].high_watermark = *to;
            }
            Happening::Elected { partition, leader, high_watermark, leo, .. } => {
                let state = &mut self.partitions[*partition];
                state.leader = *leader;
                state.high_watermark = *high_watermark;
                state.set_leo(*leader, *leo);
            }
            _ => {}
        }
    }

    /// Takes in an ISR change, after its line.
    pub fn isr_changed(&mut self, change: &IsrChange) {
        for (slot, replica) in self.partitions[change.partition].replicas.iter_mut().enumerate() {
            let member = change.new_isr.contains(slot);
            if member != replica.in_isr_since.is_some() {
                replica.in_isr_since = member.then_some(change.at);
            }
        }
    }

    /// Takes in that a fault begins or ends, after its line.
    pub fn fault(&mut self, at: SimTime, fault: usize, started: bool) {
        self.faults[fault] = started.then_some(at);
    }

    fn request_slot(&mut self, number: u32) -> usize {
        let place = number as usize;
        if self.requests.len() <= place {
            self.requests.resize(place + 1, None);
        }
        place
    }

    fn forget(&mut self, request: &RequestView) {
        if let Some(open) = self.requests.get_mut(request.number as usize) {
            *open = None;
        }
    }
}
