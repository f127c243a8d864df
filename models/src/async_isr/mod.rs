//! ISR changes in flight between leader and controller (KIP-497, AlterIsr / AlterPartition).
//!
//! One leader that never changes. It asks the controller for a change of the ISR and goes on
//! working; the controller may shrink the ISR by itself meanwhile. Requests and updates carry the
//! version of the ISR they were made for; they may arrive late, again, or never. Until the leader
//! knows, it must count every replica that may be in the ISR: its high watermark is the lowest
//! offset over the ISR *and* the pending ISR.

mod constants;
mod model;
mod state;
mod words;

pub use constants::{AsyncIsrConstants, AsyncIsrConstantsError};
pub use model::{AsyncIsr, AsyncIsrAction, AsyncIsrVariant, VALID_HIGH_WATERMARK};
pub use state::AsyncIsrState;
