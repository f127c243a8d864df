//! The bound of a check.

use std::fmt;

/// How large the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AsyncIsrConstants {
    /// Replicas, 1 to 4; the first is the leader.
    pub replicas: u32,
    /// The highest log end offset, 0 to 7.
    pub max_offset: u32,
    /// The highest version of the ISR, 0 to 6; the first is 0.
    pub max_version: u32,
}

impl AsyncIsrConstants {
    /// Most replicas.
    pub const MAX_REPLICAS: usize = 4;
    /// Highest offset.
    pub const MAX_OFFSET: u32 = 7;
    /// Highest version.
    pub const MAX_VERSION: usize = 6;

    /// Constants in the order of the fields.
    pub const fn new(replicas: u32, max_offset: u32, max_version: u32) -> Self {
        Self { replicas, max_offset, max_version }
    }

    /// Whether the model can be built.
    ///
    /// # Errors
    /// Names the constant that is out of range.
    pub fn validate(self) -> Result<(), AsyncIsrConstantsError> {
        let checks = [
            ("replicas", self.replicas, 1, Self::MAX_REPLICAS as u32),
            ("max-offset", self.max_offset, 0, Self::MAX_OFFSET),
            ("max-version", self.max_version, 0, Self::MAX_VERSION as u32),
        ];
        for (name, value, least, most) in checks {
            if !(least..=most).contains(&value) {
                return Err(AsyncIsrConstantsError { name, value, least, most });
            }
        }
        Ok(())
    }
}

impl fmt::Display for AsyncIsrConstants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{} O{} V{}", self.replicas, self.max_offset, self.max_version)
    }
}

/// A constant out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsyncIsrConstantsError {
    /// The constant, as on the command line without the dashes.
    pub name: &'static str,
    /// What it was.
    pub value: u32,
    /// The least that is accepted.
    pub least: u32,
    /// The most that is accepted.
    pub most: u32,
}

impl fmt::Display for AsyncIsrConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, least, most } = self;
        write!(f, "--{name} {value} is out of range for an ISR in flight; accepted are {least} to {most}")
    }
}

impl std::error::Error for AsyncIsrConstantsError {}
