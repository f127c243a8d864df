//! Virtual time: integer nanoseconds since the start of the run.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};
use std::str::FromStr;

const NANOS_PER_MICRO: u64 = 1_000;
const NANOS_PER_MILLI: u64 = 1_000_000;
const NANOS_PER_SEC: u64 = 1_000_000_000;

/// A point of virtual time, in nanoseconds since the start of the run.
///
/// Arithmetic saturates: a time past the end is [`SimTime::MAX`], some 584 years
/// after the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

/// A length of virtual time, in nanoseconds; never negative.
///
/// Arithmetic saturates at zero and at [`SimDuration::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimDuration(u64);

macro_rules! units {
    ($name:ident) => {
        impl $name {
            /// The smallest value, 0.
            pub const ZERO: Self = Self(0);
            /// The largest value, `u64::MAX` nanoseconds.
            pub const MAX: Self = Self(u64::MAX);

            /// From nanoseconds.
            #[inline]
            pub const fn from_nanos(nanos: u64) -> Self {
                Self(nanos)
            }

            /// From microseconds; saturates.
            #[inline]
            pub const fn from_micros(micros: u64) -> Self {
                Self(micros.saturating_mul(NANOS_PER_MICRO))
            }

            /// From milliseconds; saturates.
            #[inline]
            pub const fn from_millis(millis: u64) -> Self {
                Self(millis.saturating_mul(NANOS_PER_MILLI))
            }

            /// From seconds; saturates.
            #[inline]
            pub const fn from_secs(secs: u64) -> Self {
                Self(secs.saturating_mul(NANOS_PER_SEC))
            }

            /// In nanoseconds.
            #[inline]
            pub const fn as_nanos(self) -> u64 {
                self.0
            }

            /// In whole microseconds, rounded down.
            #[inline]
            pub const fn as_micros(self) -> u64 {
                self.0 / NANOS_PER_MICRO
            }

            /// In whole milliseconds, rounded down.
            #[inline]
            pub const fn as_millis(self) -> u64 {
                self.0 / NANOS_PER_MILLI
            }

            /// In whole seconds, rounded down.
            #[inline]
            pub const fn as_secs(self) -> u64 {
                self.0 / NANOS_PER_SEC
            }
        }
    };
}

units!(SimTime);
units!(SimDuration);

impl SimDuration {
    /// Whether the duration is 0.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add<SimDuration> for SimTime {
    type Output = SimTime;

    /// The time `rhs` later; saturates at [`SimTime::MAX`].
    #[inline]
    fn add(self, rhs: SimDuration) -> SimTime {
        SimTime(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign<SimDuration> for SimTime {
    #[inline]
    fn add_assign(&mut self, rhs: SimDuration) {
        *self = *self + rhs;
    }
}

impl Sub<SimDuration> for SimTime {
    type Output = SimTime;

    /// The time `rhs` earlier; saturates at the start of the run.
    #[inline]
    fn sub(self, rhs: SimDuration) -> SimTime {
        SimTime(self.0.saturating_sub(rhs.0))
    }
}

impl Sub for SimTime {
    type Output = SimDuration;

    /// How much later `self` is than `rhs`; 0 if it is not later.
    #[inline]
    fn sub(self, rhs: SimTime) -> SimDuration {
        SimDuration(self.0.saturating_sub(rhs.0))
    }
}

impl Add for SimDuration {
    type Output = SimDuration;

    /// The sum; saturates at [`SimDuration::MAX`].
    #[inline]
    fn add(self, rhs: SimDuration) -> SimDuration {
        SimDuration(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign for SimDuration {
    #[inline]
    fn add_assign(&mut self, rhs: SimDuration) {
        *self = *self + rhs;
    }
}

impl Sub for SimDuration {
    type Output = SimDuration;

    /// The difference; 0 if `rhs` is longer.
    #[inline]
    fn sub(self, rhs: SimDuration) -> SimDuration {
        SimDuration(self.0.saturating_sub(rhs.0))
    }
}

impl SubAssign for SimDuration {
    #[inline]
    fn sub_assign(&mut self, rhs: SimDuration) {
        *self = *self - rhs;
    }
}

impl Mul<u64> for SimDuration {
    type Output = SimDuration;

    /// `rhs` times as long; saturates at [`SimDuration::MAX`].
    #[inline]
    fn mul(self, rhs: u64) -> SimDuration {
        SimDuration(self.0.saturating_mul(rhs))
    }
}

impl Div<u64> for SimDuration {
    type Output = SimDuration;

    /// The `rhs`-th part, rounded down; panics if `rhs` is 0.
    #[inline]
    fn div(self, rhs: u64) -> SimDuration {
        SimDuration(self.0 / rhs)
    }
}

impl Sum for SimDuration {
    /// The sum; saturates at [`SimDuration::MAX`].
    fn sum<I: Iterator<Item = SimDuration>>(durations: I) -> SimDuration {
        durations.fold(SimDuration::ZERO, Add::add)
    }
}

/// `20.030 s`: seconds with milliseconds, and with micro- or nanoseconds where
/// the time has them. No digit is lost.
impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.as_secs();
        let nanos = self.0 % NANOS_PER_SEC;
        let text = if nanos.is_multiple_of(NANOS_PER_MILLI) {
            format!("{secs}.{:03} s", nanos / NANOS_PER_MILLI)
        } else if nanos.is_multiple_of(NANOS_PER_MICRO) {
            format!("{secs}.{:06} s", nanos / NANOS_PER_MICRO)
        } else {
            format!("{secs}.{nanos:09} s")
        };
        f.pad(&text)
    }
}

/// `500us`, `25ms`, `1.5s`, `10s`: what [`SimDuration::from_str`] reads back
/// exactly. Minutes and hours are written in seconds.
impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, nanos_per_unit, digits) = match self.0 {
            0 | NANOS_PER_SEC.. => ("s", NANOS_PER_SEC, 9),
            NANOS_PER_MILLI.. => ("ms", NANOS_PER_MILLI, 6),
            NANOS_PER_MICRO.. => ("us", NANOS_PER_MICRO, 3),
            _ => ("ns", 1, 0),
        };
        let whole = self.0 / nanos_per_unit;
        let rest = self.0 % nanos_per_unit;
        let text = if rest == 0 {
            format!("{whole}{unit}")
        } else {
            let decimals = format!("{rest:0digits$}");
            format!("{whole}.{}{unit}", decimals.trim_end_matches('0'))
        };
        f.pad(&text)
    }
}

/// Why a text is not a duration. The message says what would be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDurationError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    NotANumber,
    UnknownUnit,
    NoUnit,
    TooFine,
    TooLong,
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            Problem::NotANumber => "does not start with a plain decimal number",
            Problem::UnknownUnit => "has an unknown unit",
            Problem::NoUnit => "has no unit",
            Problem::TooFine => "is not a whole number of nanoseconds",
            Problem::TooLong => "is longer than the longest duration, 18446744073.709551615s",
        };
        write!(
            f,
            "duration {:?} {problem}; expected a number and one of the units ns, us, ms, s, m, h \
             without a space, such as \"500us\", \"25ms\" or \"1.5s\"",
            self.text
        )
    }
}

impl std::error::Error for ParseDurationError {}

impl FromStr for SimDuration {
    type Err = ParseDurationError;

    /// Reads a decimal number and a unit: `10ns`, `500us`, `25ms`, `1.5s`, `2m`,
    /// `1h`. Decimals are read exactly; what is not a whole number of
    /// nanoseconds, or does not fit, is an error.
    fn from_str(text: &str) -> Result<SimDuration, ParseDurationError> {
        parse_nanos(text)
            .map(SimDuration)
            .map_err(|problem| ParseDurationError { text: text.to_owned(), problem })
    }
}

fn parse_nanos(text: &str) -> Result<u64, Problem> {
    let unit_start = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_start);
    let (whole, decimals) = match number.split_once('.') {
        Some((_, "")) => return Err(Problem::NotANumber),
        Some(parts) => parts,
        None => (number, ""),
    };
    if whole.is_empty() || decimals.contains('.') {
        return Err(Problem::NotANumber);
    }
    let nanos_per_unit = match unit {
        "ns" => 1,
        "us" => NANOS_PER_MICRO,
        "ms" => NANOS_PER_MILLI,
        "s" => NANOS_PER_SEC,
        "m" => 60 * NANOS_PER_SEC,
        "h" => 3600 * NANOS_PER_SEC,
        "" => return Err(Problem::NoUnit),
        _ => return Err(Problem::UnknownUnit),
    };
    let whole: u64 = whole.parse().map_err(|_| Problem::TooLong)?;
    let whole_nanos = whole.checked_mul(nanos_per_unit).ok_or(Problem::TooLong)?;
    let part_nanos = decimal_part(decimals.trim_end_matches('0'), nanos_per_unit)?;
    whole_nanos.checked_add(part_nanos).ok_or(Problem::TooLong)
}

/// `0.decimals` of a unit, in nanoseconds; exact or an error.
fn decimal_part(decimals: &str, nanos_per_unit: u64) -> Result<u64, Problem> {
    // An hour is 36 × 10^11 ns: with more decimals than 11 that end in no zero
    // the part may still be whole (36 has the factors 2 and 3), but never with 14.
    if decimals.len() > 14 {
        return Err(Problem::TooFine);
    }
    let numerator = decimals.bytes().fold(0, |n, digit| n * 10 + u128::from(digit - b'0'));
    let denominator = 10u128.pow(decimals.len() as u32);
    let scaled = numerator * u128::from(nanos_per_unit);
    if scaled % denominator != 0 {
        return Err(Problem::TooFine);
    }
    Ok((scaled / denominator) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_seconds_without_losing_digits() {
        assert_eq!(SimTime::from_millis(20_030).to_string(), "20.030 s");
        assert_eq!(SimTime::ZERO.to_string(), "0.000 s");
        assert_eq!(SimTime::from_micros(500).to_string(), "0.000500 s");
        assert_eq!(SimTime::from_nanos(1_000_000_001).to_string(), "1.000000001 s");
        assert_eq!(format!("{:>10}", SimTime::from_secs(3)), "   3.000 s");
    }

    #[test]
    fn durations_are_shown_as_they_are_written() {
        for text in ["0s", "10ns", "500us", "25ms", "1.5s", "10s", "3600s", "1.000000001s", "2.5us"] {
            assert_eq!(text.parse::<SimDuration>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn durations_are_read_exactly() {
        let nanos = |text: &str| text.parse::<SimDuration>().unwrap().as_nanos();
        assert_eq!(nanos("2m"), 120 * NANOS_PER_SEC);
        assert_eq!(nanos("1h"), 3600 * NANOS_PER_SEC);
        assert_eq!(nanos("0.1s"), 100_000_000);
        assert_eq!(nanos("1.50s"), 1_500_000_000);
        assert_eq!(nanos("1.0000000000000000000000s"), NANOS_PER_SEC);
        assert_eq!(nanos("0.0000000000025h"), 9);
        assert_eq!(nanos("18446744073.709551615s"), u64::MAX);
        assert_eq!(nanos("007ms"), 7_000_000);
    }

    #[test]
    fn what_is_not_a_duration_is_refused_with_a_reason() {
        let problem = |text: &str| text.parse::<SimDuration>().unwrap_err().problem;
        for text in ["", "ms", "-1ms", "+1ms", ".5s", "1.s", "1.2.3s", " 1s", "٣s"] {
            assert_eq!(problem(text), Problem::NotANumber, "{text:?}");
        }
        for text in ["10", "1.5"] {
            assert_eq!(problem(text), Problem::NoUnit, "{text:?}");
        }
        for text in ["1 s", "1sec", "1S", "1e3s", "1d", "1s "] {
            assert_eq!(problem(text), Problem::UnknownUnit, "{text:?}");
        }
        for text in ["0.5ns", "1.0000000001s", "0.000000000000000000001h"] {
            assert_eq!(problem(text), Problem::TooFine, "{text:?}");
        }
        for text in ["18446744073.709551616s", "99999999999999999999999ns", "5124096h"] {
            assert_eq!(problem(text), Problem::TooLong, "{text:?}");
        }
        assert_eq!(
            "10".parse::<SimDuration>().unwrap_err().to_string(),
            "duration \"10\" has no unit; expected a number and one of the units ns, us, ms, s, \
             m, h without a space, such as \"500us\", \"25ms\" or \"1.5s\""
        );
    }

    #[test]
    fn arithmetic_saturates() {
        let early = SimTime::from_millis(1);
        let late = SimTime::from_millis(3);
        assert_eq!(late - early, SimDuration::from_millis(2));
        assert_eq!(early - late, SimDuration::ZERO);
        assert_eq!(SimTime::MAX + SimDuration::from_nanos(1), SimTime::MAX);
        assert_eq!(early - SimDuration::from_secs(1), SimTime::ZERO);
        assert_eq!(SimDuration::from_secs(u64::MAX), SimDuration::MAX);
        assert_eq!(SimDuration::from_micros(1_999).as_millis(), 1);
    }
}
