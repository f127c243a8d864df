//! The bound of a check.

use std::fmt;

use super::layout::Layout;

/// How large the model is. With these bounds the state space is finite, and all of it is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constants {
    /// Replicas, 1 to 8.
    pub replicas: u32,
    /// Most records in a log, 1 to 8.
    pub log_size: u32,
    /// Records ever written, 0 to 14.
    pub max_records: u32,
    /// The highest leader epoch, 0 to 14; the first is 0.
    pub max_leader_epoch: u32,
}

impl Constants {
    /// Most replicas.
    pub const MAX_REPLICAS: usize = 8;
    /// Largest log.
    pub const MAX_LOG_SIZE: usize = 8;
    /// Most records.
    pub const MAX_RECORDS: usize = 14;
    /// Most epochs (the highest is one less).
    pub const MAX_EPOCHS: usize = 15;
    /// Bits that a packed state may take: one less than there are, so that all ones is no state.
    pub(super) const MAX_BITS: u32 = 127;

    /// Constants in the order in which the tables name them: R, L, M, E.
    pub const fn new(replicas: u32, log_size: u32, max_records: u32, max_leader_epoch: u32) -> Self {
        Self { replicas, log_size, max_records, max_leader_epoch }
    }

    /// Whether the model can be built.
    ///
    /// # Errors
    /// Names the constant that is out of range, or says that the state does not fit.
    pub fn validate(self) -> Result<(), ConstantsError> {
        let in_range = |name, value, least, most: usize| {
            if (least..=most as u32).contains(&value) {
                Ok(())
            } else {
                Err(ConstantsError::OutOfRange { name, value, least, most: most as u32 })
            }
        };
        in_range("replicas", self.replicas, 1, Self::MAX_REPLICAS)?;
        in_range("log-size", self.log_size, 1, Self::MAX_LOG_SIZE)?;
        in_range("max-records", self.max_records, 0, Self::MAX_RECORDS)?;
        in_range("max-leader-epoch", self.max_leader_epoch, 0, Self::MAX_EPOCHS - 1)?;
        let bits = Layout::new(self, true).bits();
        if bits > Self::MAX_BITS {
            return Err(ConstantsError::TooManyBits { bits });
        }
        Ok(())
    }
}

impl fmt::Display for Constants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { replicas, log_size, max_records, max_leader_epoch } = self;
        write!(f, "R{replicas} L{log_size} M{max_records} E{max_leader_epoch}")
    }
}

/// Why the model cannot be built with some constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantsError {
    /// A constant is out of its range.
    OutOfRange {
        /// The constant, as on the command line without the dashes.
        name: &'static str,
        /// What it was.
        value: u32,
        /// The least that is accepted.
        least: u32,
        /// The most that is accepted.
        most: u32,
    },
    /// Each is in range, but a state does not fit in a word of 128 bits.
    TooManyBits {
        /// Bits that a state would take.
        bits: u32,
    },
}

impl fmt::Display for ConstantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { name, value, least, most } => {
                write!(f, "--{name} {value} is out of range; accepted are {least} to {most}")
            }
            Self::TooManyBits { bits } => write!(
                f,
                "a state would take {bits} bits and {} are there; lower --replicas, --log-size, \
                 --max-records or --max-leader-epoch",
                Constants::MAX_BITS
            ),
        }
    }
}

impl std::error::Error for ConstantsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_constant_and_what_is_accepted() {
        let text = |constants: Constants| constants.validate().expect_err("invalid").to_string();
        assert_eq!(text(Constants::new(0, 2, 2, 2)), "--replicas 0 is out of range; accepted are 1 to 8");
        assert_eq!(
            text(Constants::new(2, 2, 2, 15)),
            "--max-leader-epoch 15 is out of range; accepted are 0 to 14"
        );
        assert!(text(Constants::new(8, 8, 14, 14)).contains("bits"));
        assert_eq!(Constants::new(3, 3, 3, 3).validate(), Ok(()));
    }
}
