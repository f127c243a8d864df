//! A value as the text of an override, understood as far as it is a number.

use std::cmp::Ordering;

use isrlab_sim::cluster::MetricValue;
use isrlab_sim::engine::SimDuration;

use crate::scalar;

/// What the text of a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity {
    /// A duration, in nanoseconds.
    Nanos(u64),
    /// A size with a unit, in bytes.
    Bytes(i64),
    /// A plain whole number.
    Whole(i64),
    /// Another plain number; finite.
    Real(f64),
    /// No number.
    Text,
}

impl Quantity {
    /// Understands a value of `key`. Kafka's settings that end in `.ms` count milliseconds when
    /// they have no unit.
    pub fn of(key: &str, text: &str) -> Quantity {
        if let Ok(whole) = text.parse::<i64>() {
            let millis = u64::try_from(whole).ok().filter(|_| key.ends_with(".ms"));
            return match millis.and_then(|millis| millis.checked_mul(1_000_000)) {
                Some(nanos) => Quantity::Nanos(nanos),
                None => Quantity::Whole(whole),
            };
        }
        let starts_plain = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        if let Some(real) = text.parse::<f64>().ok().filter(|real| real.is_finite() && starts_plain) {
            return Quantity::Real(real);
        }
        if let Ok(duration) = text.parse::<SimDuration>() {
            return Quantity::Nanos(duration.as_nanos());
        }
        scalar::size(text.strip_suffix("/s").unwrap_or(text)).map_or(Quantity::Text, Quantity::Bytes)
    }

    /// The number in the unit of its column: milliseconds, bytes, or as it is; none for a text.
    pub fn number(self) -> Option<f64> {
        match self {
            Quantity::Nanos(nanos) => Some(nanos as f64 / 1e6),
            Quantity::Bytes(whole) | Quantity::Whole(whole) => Some(whole as f64),
            Quantity::Real(real) => Some(real),
            Quantity::Text => None,
        }
    }

    /// The same as it stands in a column; none for a text.
    pub fn in_column(self) -> Option<String> {
        match self {
            Quantity::Nanos(nanos) => Some(MetricValue::Nanos(nanos).to_string()),
            Quantity::Bytes(whole) | Quantity::Whole(whole) => Some(whole.to_string()),
            Quantity::Real(real) => Some(real.to_string()),
            Quantity::Text => None,
        }
    }

    /// As `--set` takes it; none for a text.
    pub fn as_override(self) -> Option<String> {
        match self {
            Quantity::Nanos(nanos) => Some(SimDuration::from_nanos(nanos).to_string()),
            Quantity::Bytes(bytes) => Some(format!("{bytes}B")),
            Quantity::Whole(whole) => Some(whole.to_string()),
            Quantity::Real(real) => Some(real.to_string()),
            Quantity::Text => None,
        }
    }

    /// What kind of number it is, in words.
    pub fn kind(self) -> &'static str {
        match self {
            Quantity::Nanos(_) => "a duration",
            Quantity::Bytes(_) => "a size",
            Quantity::Whole(_) => "a whole number",
            Quantity::Real(_) => "a number",
            Quantity::Text => "a text",
        }
    }

    /// How two numbers of one kind compare; none if they are not of one kind. A size and a plain
    /// whole number of bytes are of one kind.
    pub fn compare(self, other: Quantity) -> Option<Ordering> {
        use Quantity::{Bytes, Nanos, Real, Whole};
        match (self, other) {
            (Nanos(a), Nanos(b)) => Some(a.cmp(&b)),
            (Bytes(a) | Whole(a), Bytes(b) | Whole(b)) => Some(a.cmp(&b)),
            (Real(_) | Whole(_), Real(_) | Whole(_)) => self.number()?.partial_cmp(&other.number()?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_understood_as_numbers_where_they_are() {
        for (key, text, wanted) in [
            ("replica.lag.time.max.ms", "5s", Quantity::Nanos(5_000_000_000)),
            ("replica.lag.time.max.ms", "5000", Quantity::Nanos(5_000_000_000)),
            ("link.follower.latency", "500us", Quantity::Nanos(500_000)),
            ("producer.p.record.bytes", "64KiB", Quantity::Bytes(65_536)),
            ("link.follower.bandwidth", "10MiB/s", Quantity::Bytes(10 << 20)),
            ("min.insync.replicas", "2", Quantity::Whole(2)),
            ("broker.2.clock.drift", "-0.5", Quantity::Real(-0.5)),
            ("producer.p.acks", "all", Quantity::Text),
            ("x", "nan", Quantity::Text),
            ("x", "inf", Quantity::Text),
        ] {
            assert_eq!(Quantity::of(key, text), wanted, "{key}={text}");
        }
    }

    #[test]
    fn only_numbers_of_one_kind_compare() {
        let of = |text| Quantity::of("k", text);
        assert_eq!(of("1s").compare(of("999ms")), Some(Ordering::Greater));
        assert_eq!(of("1KiB").compare(of("1024")), Some(Ordering::Equal));
        assert_eq!(of("1.5").compare(of("2")), Some(Ordering::Less));
        assert_eq!(of("1s").compare(of("1")), None);
        assert_eq!(of("a").compare(of("a")), None);
    }
}
