//! Every action that is enabled in a state, and the state that it leads to.

use isrlab_sim::protocol::truncation::needs_truncation;

use super::action::Action;
use super::model::{Replication, State};
use super::variant::TruncateWhen;
use super::view::View;
use crate::checker::Word;

impl<W: Word> Replication<W> {
    /// Calls `visit` with each enabled action and its outcome, always in the same order.
    #[inline]
    pub(super) fn steps<F: FnMut(Action, State<W>)>(&self, state: State<W>, visit: F) {
        self.steps_from(state, &self.view(state), visit);
    }

    /// As [`Replication::steps`], for a state that is already taken apart.
    #[inline]
    pub(super) fn steps_from<F: FnMut(Action, State<W>)>(
        &self,
        state: State<W>,
        view: &View<'_>,
        mut visit: F,
    ) {
        let mut visit = |action, word| visit(action, State(self.remember(word)));
        self.controller_steps(state.0, view, &mut visit);
        self.request_steps(state.0, view, &mut visit);
        self.replication_steps(state.0, view, &mut visit);
        if let Some(leader) = view.true_leader() {
            self.leader_isr_steps(state.0, view, leader, &mut visit);
        }
    }

    /// With history, notes what the true leader has committed.
    #[inline]
    fn remember(&self, word: W) -> W {
        if self.layout.committed.mask == 0 { word } else { self.note_committed(word) }
    }

    #[inline(never)]
    fn note_committed(&self, word: W) -> W {
        let layout = &self.layout;
        let view = self.view(State(word));
        let Some(leader) = view.true_leader() else {
            return word;
        };
        let leader = &view.replicas()[leader];
        let mut committed = view.committed;
        for offset in 0..leader.high_watermark.min(leader.end_offset) {
            committed |= 1 << (layout.slot(leader.log, offset) - 1);
        }
        layout.committed.set(word, committed)
    }

    /// The controller takes the next epoch and writes the quorum's state and a request.
    #[inline]
    fn decide(&self, word: W, view: &View<'_>, leader: u32, isr: u32) -> W {
        let layout = &self.layout;
        let request = &layout.requests[view.quorum_epoch as usize];
        let word = layout.quorum_epoch.set(word, view.quorum_epoch + 1);
        let word = layout.quorum_isr.set(word, isr);
        request.isr.set(request.leader.set(word, leader), isr)
    }

    #[inline]
    fn controller_steps(&self, word: W, view: &View<'_>, visit: &mut impl FnMut(Action, W)) {
        if view.quorum_epoch > self.constants.max_leader_epoch {
            return;
        }
        let isr = view.quorum_isr;
        for replica in 0..view.count {
            let bit = 1 << replica;
            let leads = view.quorum_leader as usize == replica + 1;
            let next = if leads {
                // The last member stays in the ISR: someone must be able to lead again.
                Some((0, if isr == bit { isr } else { isr & !bit }))
            } else if isr & bit != 0 {
                Some((view.quorum_leader, isr & !bit))
            } else {
                None
            };
            if let Some((leader, isr)) = next {
                let action = Action::ControllerShrinkIsr { replica: replica as u8 };
                visit(action, self.decide(word, view, leader, isr));
            }
        }
        for leader in 0..view.count {
            if isr >> leader & 1 == 1 && view.quorum_leader as usize != leader + 1 {
                let action = Action::ElectLeader { leader: leader as u8 };
                visit(action, self.decide(word, view, leader as u32 + 1, isr));
            }
        }
    }

    /// Replicas take requests: any that has an epoch above their own and names a leader.
    #[inline]
    fn request_steps(&self, word: W, view: &View<'_>, visit: &mut impl FnMut(Action, W)) {
        for (replica, believes) in view.replicas().iter().enumerate() {
            let requests = view.requests().iter().enumerate();
            for (epoch, request) in requests.skip(believes.epoch as usize) {
                let Some(leader) = (request.leader as usize).checked_sub(1) else {
                    continue;
                };
                let fields = &self.layout.replicas[replica];
                let taken = fields.epoch.set(word, epoch as u32 + 1);
                let taken = fields.isr.set(taken, request.isr.into());
                let (epoch, replica) = (epoch as u8, replica as u8);
                if leader == usize::from(replica) {
                    visit(Action::BecomeLeader { replica, epoch }, taken);
                } else if let Some(next) = self.truncate_on_request(taken, view, replica, leader, epoch) {
                    visit(Action::BecomeFollower { replica, epoch }, next);
                }
            }
        }
    }

    /// What taking a request to follow does to the log; `None` if the request cannot be taken.
    #[inline]
    fn truncate_on_request(
        &self,
        word: W,
        view: &View<'_>,
        replica: u8,
        leader: usize,
        epoch: u8,
    ) -> Option<W> {
        match self.rules.truncate_when {
            TruncateWhen::Fetching => return Some(word),
            TruncateWhen::BecomingFollower => {}
            TruncateWhen::BecomingFollowerOfSameEpoch => {
                let leads =
                    view.presumes_leadership(leader) && view.replicas()[leader].epoch == u32::from(epoch) + 1;
                if !leads {
                    return None;
                }
            }
        }
        self.truncate(word, view, usize::from(replica), leader)
    }

    /// Cuts a follower's log by the variant's rule; `None` if the rule names an offset beyond the
    /// log's end (a log is never extended, and the offset is not lowered either).
    #[inline]
    fn truncate(&self, word: W, view: &View<'_>, follower: usize, leader: usize) -> Option<W> {
        let f = &view.replicas()[follower];
        let fields = &self.layout.replicas[follower];
        let own = u64::from(f.high_watermark);
        let offset = self.rules.truncation.offset(&view.log(follower), own, &view.log(leader));
        let offset = u32::try_from(offset).ok().filter(|&offset| offset <= f.end_offset)?;
        let mut word = fields.log.set(word, self.layout.first_records(f.log, offset));
        for gone in offset..f.end_offset {
            word = self.forget_if_nowhere(word, view, follower, gone);
        }
        Some(fields.high_watermark.set(word, f.high_watermark.min(offset)))
    }

    /// Clears the epoch of the record that `replica` loses at `offset`, if no other log has it.
    /// What has left no trace must leave none in the state: else states that are the same would
    /// count as different.
    #[inline]
    fn forget_if_nowhere(&self, word: W, view: &View<'_>, replica: usize, offset: u32) -> W {
        let slot = |replica: usize| self.layout.slot(view.replicas()[replica].log, offset);
        // A record is at the same offset wherever it is: it is copied only to where it was.
        let record = slot(replica);
        if (0..view.count).any(|other| other != replica && slot(other) == record) {
            return word;
        }
        self.layout.record_epochs[record as usize - 1].set(word, 0)
    }

    /// What goes on between replicas that presume leadership and those that follow them.
    #[inline]
    fn replication_steps(&self, word: W, view: &View<'_>, visit: &mut impl FnMut(Action, W)) {
        for leader in 0..view.count {
            if !view.presumes_leadership(leader) {
                continue;
            }
            self.write(word, view, leader, visit);
            for follower in 0..view.count {
                if view.replicas()[follower].leader as usize == leader + 1 && follower != leader {
                    self.fetch(word, view, leader, follower, visit);
                }
            }
            self.raise_high_watermark(word, view, leader, visit);
        }
    }

    #[inline]
    fn write(&self, word: W, view: &View<'_>, leader: usize, visit: &mut impl FnMut(Action, W)) {
        let layout = &self.layout;
        let l = &view.replicas()[leader];
        let id = view.next_record;
        if l.end_offset == self.constants.log_size || id == self.constants.max_records {
            return;
        }
        let log = l.log | (id + 1) << (l.end_offset * layout.slot_bits);
        let word = layout.replicas[leader].log.set(word, log);
        let word = layout.record_epochs[id as usize].set(word, l.epoch - 1);
        visit(Action::Write { leader: leader as u8 }, layout.next_record.set(word, id + 1));
    }

    /// A follower copies one record; or truncates, in the variant in which a fetch shows the need.
    #[inline]
    fn fetch(
        &self,
        word: W,
        view: &View<'_>,
        leader: usize,
        follower: usize,
        visit: &mut impl FnMut(Action, W),
    ) {
        let layout = &self.layout;
        let (l, f) = (&view.replicas()[leader], &view.replicas()[follower]);
        let (from, to) = (leader as u8, follower as u8);
        let offset = f.end_offset;
        if l.end_offset > offset && view.is_caught_up(self.rules.fetch, leader, follower, offset) {
            let record = layout.slot(l.log, offset) << (offset * layout.slot_bits);
            let fields = &layout.replicas[follower];
            let next = fields.log.set(word, f.log | record);
            // The minimum, even if that is lower than what the follower had.
            let next = fields.high_watermark.set(next, l.high_watermark.min(offset + 1));
            visit(Action::Fetch { follower: to, leader: from }, next);
        }
        if self.rules.truncate_when == TruncateWhen::Fetching
            && needs_truncation(&view.log(follower), &view.log(leader))
            && let Some(next) = self.truncate(word, view, follower, leader)
        {
            visit(Action::Truncate { follower: to, leader: from }, next);
        }
    }

    #[inline]
    fn raise_high_watermark(
        &self,
        word: W,
        view: &View<'_>,
        leader: usize,
        visit: &mut impl FnMut(Action, W),
    ) {
        let l = &view.replicas()[leader];
        let raised = l.high_watermark + 1;
        let everyone_has_it = || {
            members(l.isr).all(|member| view.is_caught_up(self.rules.high_watermark, leader, member, raised))
        };
        if l.end_offset >= raised && everyone_has_it() {
            let next = self.layout.replicas[leader].high_watermark.set(word, raised);
            visit(Action::RaiseHighWatermark { leader: leader as u8 }, next);
        }
    }

    /// The true leader changes its own and the quorum's ISR: no new epoch, no request.
    #[inline]
    fn leader_isr_steps(&self, word: W, view: &View<'_>, leader: usize, visit: &mut impl FnMut(Action, W)) {
        let layout = &self.layout;
        let l = &view.replicas()[leader];
        let set = |isr| layout.quorum_isr.set(layout.replicas[leader].isr.set(word, isr), isr);
        let may_expand =
            !self.rules.expand_waits_for_own_epoch || view.high_watermark_reached_own_epoch(leader);
        let (by, fencing) = (leader as u8, self.rules.isr);
        for replica in (0..view.count).filter(|&replica| replica != leader) {
            let bit = 1 << replica;
            let caught_up = |offset| view.is_caught_up(fencing, leader, replica, offset);
            let replica = replica as u8;
            if l.isr & bit != 0 {
                if !caught_up(l.end_offset) {
                    visit(Action::LeaderShrinkIsr { leader: by, replica }, set(l.isr & !bit));
                }
            } else if may_expand && caught_up(l.high_watermark) {
                visit(Action::LeaderExpandIsr { leader: by, replica }, set(l.isr | bit));
            }
        }
    }
}

/// The members of an ISR.
#[inline]
pub(super) fn members(mut isr: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = isr.trailing_zeros() as usize;
        let any = isr != 0;
        isr &= isr.wrapping_sub(1);
        any.then_some(member)
    })
}
