//! Which records a target has.

use crate::protocol::Offset;
use std::collections::BTreeSet;

/// Source offsets whose records are in the target.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// All below this one.
    pub(super) below: Offset,
    /// And these, which came out of order.
    out_of_order: BTreeSet<Offset>,
}

impl Target {
    /// The record of `offset` came.
    pub(super) fn add(&mut self, offset: Offset) {
        if offset >= self.below {
            self.out_of_order.insert(offset);
        }
        while self.out_of_order.remove(&self.below) {
            self.below += 1;
        }
    }

    /// How many of those that came out of order are below `end`.
    pub(super) fn beyond(&self, end: Offset) -> usize {
        self.out_of_order.range(..end).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_out_of_order_is_counted_until_the_gap_is_closed() {
        let mut target = Target::default();
        target.add(2);
        target.add(1);
        assert_eq!((target.below, target.beyond(2), target.beyond(3)), (0, 1, 2));
        target.add(0);
        assert_eq!((target.below, target.beyond(3)), (3, 0));
    }
}
