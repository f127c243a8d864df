//! States that differ by the replicas' names only.

use super::layout::Field;
use super::model::{Replication, State};
use crate::checker::Word;

/// All orders of `count` replicas: `order[old] = new`.
pub(crate) fn orders(count: usize) -> Vec<Vec<u8>> {
    let mut orders = vec![vec![]];
    for next in 0..count {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<u8>| {
                (0..=next).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, next as u8);
                    order
                })
            })
            .collect();
    }
    orders
}

impl<W: Word> Replication<W> {
    /// The least of the words that the renamings of a state give.
    pub(super) fn least_renaming(&self, state: State<W>) -> State<W> {
        self.renamings(state).min().unwrap_or(state)
    }

    /// A state under all names that the replicas can have.
    pub(super) fn renamings(&self, state: State<W>) -> impl Iterator<Item = State<W>> {
        self.orders.iter().map(move |order| State(self.rename(state.0, order)))
    }

    fn rename(&self, word: W, order: &[u8]) -> W {
        let layout = &self.layout;
        let mut next = word;
        let rename_set = |next: &mut W, from: Field, to: Field| {
            *next = to.set(*next, renamed_set(from.get(word), order));
        };
        for (old, &new) in order.iter().enumerate() {
            let (from, to) = (&layout.replicas[old], &layout.replicas[usize::from(new)]);
            for (from, to) in
                [(from.log, to.log), (from.high_watermark, to.high_watermark), (from.epoch, to.epoch)]
            {
                next = to.set(next, from.get(word));
            }
            rename_set(&mut next, from.isr, to.isr);
        }
        rename_set(&mut next, layout.quorum_isr, layout.quorum_isr);
        let requests = layout.quorum_epoch.get(word) as usize;
        for request in &layout.requests[..requests] {
            rename_set(&mut next, request.isr, request.isr);
            let leader = match (request.leader.get(word) as usize).checked_sub(1) {
                None => 0,
                Some(leader) => u32::from(order[leader]) + 1,
            };
            next = request.leader.set(next, leader);
        }
        next
    }
}

fn renamed_set(set: u32, order: &[u8]) -> u32 {
    order.iter().enumerate().fold(0, |renamed, (old, &new)| renamed | (set >> old & 1) << new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_orders_as_there_should_be() {
        let mut all = orders(4);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn sets_are_renamed_member_by_member() {
        assert_eq!(renamed_set(0b011, &[2, 0, 1]), 0b101);
    }
}
