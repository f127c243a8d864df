//! Numbers as text, the same on every machine.

use std::fmt;

/// Nanoseconds, written as milliseconds with all six decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Millis(pub u64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_keep_every_nanosecond() {
        assert_eq!(Millis(20_030_000_000).to_string(), "20030.000000");
        assert_eq!(Millis(1).to_string(), "0.000001");
        assert_eq!(Millis(u64::MAX).to_string(), "18446744073709.551615");
    }
}
