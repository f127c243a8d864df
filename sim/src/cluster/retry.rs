//! Requests that are sent again, and those that wait for them.

use super::Cluster;
use super::event::Event;
use super::happening::Happening;
use super::observer::Observer;
use super::produce::RequestState;
use crate::engine::SimTime;

/// A producer and a partition.
type Place = (u32, u32);

/// While a request is in its backoff, its producer sends no newer one to the same partition: in
/// Kafka the request stands at the head of the partition's queue, and the sender passes over a
/// partition whose head is in backoff. What was in flight already may still overtake it.
#[derive(Debug, Default)]
pub(super) struct Holds {
    holds: Vec<Hold>,
}

#[derive(Debug)]
struct Hold {
    place: Place,
    /// Requests in backoff.
    retries: u32,
    /// What arose since, in order.
    waiting: Vec<u32>,
}

impl Holds {
    fn add(&mut self, place: Place) {
        match self.holds.iter_mut().find(|hold| hold.place == place) {
            Some(hold) => hold.retries += 1,
            None => self.holds.push(Hold { place, retries: 1, waiting: Vec::new() }),
        }
    }

    /// Keeps a request if it has to wait; returns whether it does.
    pub(super) fn keep(&mut self, place: Place, request: u32) -> bool {
        let hold = self.holds.iter_mut().find(|hold| hold.place == place);
        hold.map(|hold| hold.waiting.push(request)).is_some()
    }

    /// A backoff is over: returns what waited, if it was the last one.
    fn release(&mut self, place: Place) -> Vec<u32> {
        let Some(index) = self.holds.iter().position(|hold| hold.place == place) else { return Vec::new() };
        self.holds[index].retries -= 1;
        if self.holds[index].retries > 0 {
            return Vec::new();
        }
        self.holds.swap_remove(index).waiting
    }
}

impl Cluster {
    /// Sends a request again after its backoff, unless it has no retries or no time left.
    pub(super) fn retry_later<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let request = self.requests.get_mut(number);
        let producer = &self.producers[request.producer as usize];
        let due = now + producer.spec.retry_backoff;
        if request.retries >= producer.spec.retries || producer.is_expired(request.created, due) {
            self.give_up(number, now, observer);
            return;
        }
        request.retries += 1;
        request.state = RequestState::AtProducer;
        self.holds.add((request.producer, request.partition));
        self.producers[request.producer as usize].in_backoff += 1;
        self.stats.request_retries += 1;
        self.scheduler.schedule(due, Event::RetryDue { request: number });
        self.tell(observer, now, |cluster| Happening::RequestRetries {
            request: cluster.request_view(number),
            due,
        });
    }

    /// A request's backoff is over: it goes before all that have not been sent yet.
    pub(super) fn retry_due<O: Observer>(&mut self, number: u32, now: SimTime, observer: &mut O) {
        let request = *self.requests.get(number);
        let connection = self.connection_to_leader(request.producer, request.partition);
        self.producers[request.producer as usize].in_backoff -= 1;
        let waited = self.holds.release((request.producer, request.partition));
        for &request in waited.iter().rev().chain([&number]) {
            // Leadership may have moved since it arose.
            self.requests.get_mut(request).connection = connection;
            self.connections[connection as usize].backlog.push_front(&mut self.requests, request);
        }
        self.send_from_backlog(connection, now, observer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_waits_for_all_its_retries_and_no_other_one_does() {
        let mut holds = Holds::default();
        let (here, there) = ((0, 3), (0, 4));
        holds.add(here);
        holds.add(here);
        assert!(holds.keep(here, 7) && holds.keep(here, 8) && !holds.keep(there, 9));
        assert!(holds.release(here).is_empty());
        assert_eq!(holds.release(here), [7, 8]);
        assert!(!holds.keep(here, 9));
    }
}
