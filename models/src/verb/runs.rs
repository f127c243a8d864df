//! The models by name, and one check of one of them.

use std::fmt;

use crate::async_isr::{AsyncIsr, AsyncIsrConstants, AsyncIsrConstantsError, AsyncIsrVariant};
use crate::checker::{Options, Progress, Report, check};
use crate::replication::{Constants, ConstantsError, Replication, Variant};

/// A model that can be named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelName {
    /// A generation of log truncation and fencing.
    Replication(Variant),
    /// A way to change the ISR while requests are in flight.
    AsyncIsr(AsyncIsrVariant),
}

impl ModelName {
    /// All models, in the order of the answer.
    pub fn all() -> Vec<Self> {
        let replication = Variant::ALL.into_iter().map(Self::Replication);
        replication.chain(AsyncIsrVariant::ALL.into_iter().map(Self::AsyncIsr)).collect()
    }

    /// The model's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replication(variant) => variant.name(),
            Self::AsyncIsr(variant) => variant.name(),
        }
    }

    /// The model of that name.
    ///
    /// # Errors
    /// Lists the names there are.
    pub fn from_name(name: &str) -> Result<Self, RunError> {
        Self::all()
            .into_iter()
            .find(|model| model.name() == name)
            .ok_or_else(|| RunError::UnknownModel { name: name.to_owned() })
    }
}

/// Why a check could not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// No model has that name.
    UnknownModel {
        /// The name.
        name: String,
    },
    /// The bound of a replication model.
    Replication(ConstantsError),
    /// The bound of a model of ISR changes in flight.
    AsyncIsr(AsyncIsrConstantsError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownModel { name } => {
                let names: Vec<_> = ModelName::all().into_iter().map(ModelName::name).collect();
                write!(f, "no model is called \"{name}\"; accepted are {}", names.join(", "))
            }
            Self::Replication(error) => error.fmt(f),
            Self::AsyncIsr(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ConstantsError> for RunError {
    fn from(error: ConstantsError) -> Self {
        Self::Replication(error)
    }
}

impl From<AsyncIsrConstantsError> for RunError {
    fn from(error: AsyncIsrConstantsError) -> Self {
        Self::AsyncIsr(error)
    }
}

/// One check to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// A replication model, with or without the record of what was ever committed.
    Replication {
        /// The generation.
        variant: Variant,
        /// The bound.
        constants: Constants,
        /// Whether states remember what was ever committed.
        history: bool,
    },
    /// A model of ISR changes in flight.
    AsyncIsr {
        /// The variant.
        variant: AsyncIsrVariant,
        /// The bound.
        constants: AsyncIsrConstants,
    },
}

impl Run {
    /// Whether the model can be built.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn validate(self) -> Result<(), RunError> {
        match self {
            Self::Replication { constants, .. } => constants.validate()?,
            Self::AsyncIsr { constants, .. } => constants.validate()?,
        }
        Ok(())
    }

    /// Runs the check, in the narrowest word that a state fits in.
    ///
    /// # Errors
    /// If the constants are out of range.
    pub fn check(self, options: &Options, progress: &mut dyn FnMut(&Progress)) -> Result<Report, RunError> {
        match self {
            Self::Replication { variant, constants, history } => {
                match Replication::<u64>::new(variant, constants, history) {
                    Ok(model) => Ok(check(&model, options, progress)),
                    Err(ConstantsError::TooManyBits { .. }) => {
                        let model = Replication::<u128>::new(variant, constants, history)?;
                        Ok(check(&model, options, progress))
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Self::AsyncIsr { variant, constants } => {
                Ok(check(&AsyncIsr::new(variant, constants)?, options, progress))
            }
        }
    }
}
