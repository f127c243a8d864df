//! Clocks that are not quite right.

use super::broker::CLOCK_AT_START_MS;
use crate::engine::SimTime;
use crate::protocol::TimeMs;
use crate::protocol::timestamp::NO_TIMESTAMP;
use std::str::FromStr;

/// How a clock differs from the true one. It never steps back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ClockSpec {
    /// What it shows beyond the true time at the start of the run, nanoseconds; negative: it is
    /// slow.
    pub offset_ns: i64,
    /// What it gains, millionths of the time that goes by; above −1,000,000, at which it would
    /// stand still.
    pub drift_ppm: i64,
}

impl ClockSpec {
    /// The slowest drift that is still a clock.
    pub const DRIFT_PPM_MIN: i64 = -999_999;
    /// The fastest: twice the true speed. Even so, no reading of a run overflows.
    pub const DRIFT_PPM_MAX: i64 = 1_000_000;

    /// What it reads at `now`: nanoseconds since the epoch of all clocks here.
    pub fn read_ns(self, now: SimTime) -> i128 {
        let elapsed = i128::from(now.as_nanos());
        let gained = (elapsed * i128::from(self.drift_ppm)).div_euclid(1_000_000);
        i128::from(CLOCK_AT_START_MS) * 1_000_000 + i128::from(self.offset_ns) + elapsed + gained
    }

    /// The same in whole milliseconds, as brokers read it.
    pub fn read_ms(self, now: SimTime) -> TimeMs {
        clamped(self.read_ns(now).div_euclid(1_000_000))
    }
}

/// In which unit a producer writes times, where milliseconds are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TimestampUnit {
    /// It writes none: −1.
    None,
    /// Seconds.
    Seconds,
    /// Milliseconds: as it should.
    #[default]
    Milliseconds,
    /// Microseconds.
    Microseconds,
    /// Nanoseconds.
    Nanoseconds,
}

impl TimestampUnit {
    /// All of them.
    pub const ALL: [TimestampUnit; 5] = [
        TimestampUnit::None,
        TimestampUnit::Seconds,
        TimestampUnit::Milliseconds,
        TimestampUnit::Microseconds,
        TimestampUnit::Nanoseconds,
    ];

    /// `none`, `s`, `ms`, `us` or `ns`.
    pub fn name(self) -> &'static str {
        match self {
            TimestampUnit::None => "none",
            TimestampUnit::Seconds => "s",
            TimestampUnit::Milliseconds => "ms",
            TimestampUnit::Microseconds => "us",
            TimestampUnit::Nanoseconds => "ns",
        }
    }

    /// The timestamp that is written for a reading in nanoseconds; at the ends of 64 bits it
    /// stays there.
    pub fn timestamp(self, reading_ns: i128) -> TimeMs {
        let unit_ns = match self {
            TimestampUnit::None => return NO_TIMESTAMP,
            TimestampUnit::Seconds => 1_000_000_000,
            TimestampUnit::Milliseconds => 1_000_000,
            TimestampUnit::Microseconds => 1_000,
            TimestampUnit::Nanoseconds => 1,
        };
        clamped(reading_ns.div_euclid(unit_ns))
    }
}

impl FromStr for TimestampUnit {
    type Err = String;

    /// # Errors
    /// A message that lists the units there are.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = TimestampUnit::ALL.into_iter().find(|unit| unit.name() == text);
        found.ok_or_else(|| format!("a timestamp has no unit '{text}'; there are none, s, ms, us and ns"))
    }
}

fn clamped(value: i128) -> i64 {
    value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_off_and_gain() {
        let clock = |offset_ns, drift_ppm| ClockSpec { offset_ns, drift_ppm };
        let read = |clock: ClockSpec, s| clock.read_ms(SimTime::from_secs(s)) - CLOCK_AT_START_MS;
        assert_eq!(read(clock(0, 0), 7), 7_000);
        assert_eq!(read(clock(-2_500_000_000, 0), 7), 4_500);
        assert_eq!(read(clock(0, 200), 10), 10_002);
        assert_eq!(read(clock(0, -200), 10), 9_998);
        // A half of a millisecond slow: it still shows the one before.
        assert_eq!(read(clock(-500_000, 0), 1), 999);
        let slowest = clock(0, ClockSpec::DRIFT_PPM_MIN);
        assert!(slowest.read_ns(SimTime::MAX) > slowest.read_ns(SimTime::ZERO));
        assert!(clock(i64::MAX, ClockSpec::DRIFT_PPM_MAX).read_ms(SimTime::MAX) > CLOCK_AT_START_MS);
    }

    #[test]
    fn units_come_back_by_name_and_scale() {
        for unit in TimestampUnit::ALL {
            assert_eq!(unit.name().parse(), Ok(unit));
        }
        assert!("min".parse::<TimestampUnit>().is_err());
        let times = TimestampUnit::ALL.map(|unit| unit.timestamp(1_600_000_000_123_456_789));
        assert_eq!(
            times,
            [-1, 1_600_000_000, 1_600_000_000_123, 1_600_000_000_123_456, 1_600_000_000_123_456_789]
        );
        assert_eq!(TimestampUnit::Nanoseconds.timestamp(i128::MAX), i64::MAX);
    }
}
