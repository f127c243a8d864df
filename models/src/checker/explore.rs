//! stateright's Explorer with labels and states that a person can read.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use stateright::{Model, Property};

use super::checkable::{Checkable, MAX_CLAIMS};
use crate::trace::Variable;

/// A state that carries its own description: the Explorer prints states without asking the model.
#[derive(Clone)]
pub struct ReadableState<S> {
    state: S,
    variables: Vec<Variable>,
}

impl<S: PartialEq> PartialEq for ReadableState<S> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<S: Hash> Hash for ReadableState<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl<S> fmt::Debug for ReadableState<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, variable) in self.variables.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{} = {}", variable.name, variable.value)?;
        }
        Ok(())
    }
}

/// A model whose states and actions are shown in words.
#[derive(Clone, Debug)]
pub struct Readable<M>(pub M);

/// An action with its label.
#[derive(Clone, PartialEq)]
pub struct ReadableAction<A> {
    action: A,
    label: String,
}

impl<A> fmt::Debug for ReadableAction<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl<M: Checkable> Readable<M> {
    fn describe(&self, state: M::State) -> ReadableState<M::State> {
        ReadableState { state, variables: self.0.variables(&state) }
    }

    /// stateright takes plain function pointers: one for each claim number.
    fn holds<const CLAIM: usize>(&self, state: &ReadableState<M::State>) -> bool {
        self.0.judge(&state.state).violated >> CLAIM & 1 == 0
    }
}

impl<M: Checkable> Model for Readable<M> {
    type State = ReadableState<M::State>;
    type Action = ReadableAction<M::Action>;

    fn init_states(&self) -> Vec<Self::State> {
        self.0.init_states().into_iter().map(|state| self.describe(state)).collect()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        self.0.for_each_step(&state.state, |action, _| {
            let label = self.0.action_label(&state.state, &action);
            actions.push(ReadableAction { action, label });
        });
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        self.0.next_state(&state.state, action.action).map(|next| self.describe(next))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        type Holds<M> = fn(&Readable<M>, &ReadableState<<M as Model>::State>) -> bool;
        let by_number: [Holds<M>; MAX_CLAIMS] = [
            Self::holds::<0>,
            Self::holds::<1>,
            Self::holds::<2>,
            Self::holds::<3>,
            Self::holds::<4>,
            Self::holds::<5>,
            Self::holds::<6>,
            Self::holds::<7>,
            Self::holds::<8>,
            Self::holds::<9>,
            Self::holds::<10>,
            Self::holds::<11>,
            Self::holds::<12>,
            Self::holds::<13>,
            Self::holds::<14>,
            Self::holds::<15>,
        ];
        let claims = self.0.claims().into_iter();
        claims.zip(by_number).map(|(claim, holds)| Property::always(claim.name, holds)).collect()
    }
}

/// Why the Explorer could not be started.
#[derive(Debug)]
pub struct ExploreError {
    /// The address it was to listen on.
    pub address: SocketAddr,
    /// What the system said.
    pub source: std::io::Error,
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, source } = self;
        write!(f, "cannot listen on {address}: {source}; give a free port with --port, 1 to 65535")
    }
}

impl std::error::Error for ExploreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Serves stateright's Explorer for `model` on the loopback address and `port`, for ever.
/// `ready` is called with the address just before.
///
/// # Errors
/// If the port cannot be had. Otherwise this does not return.
pub fn explore<M: Checkable>(
    model: M,
    port: u16,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ExploreError> {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // stateright panics when it cannot listen, so ask first; port 0 becomes the one found.
    let address = TcpListener::bind(wanted)
        .and_then(|listener| listener.local_addr())
        .map_err(|source| ExploreError { address: wanted, source })?;
    ready(address);
    Readable(model).checker().serve(address);
    Ok(())
}
