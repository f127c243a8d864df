//! Single values: durations, sizes, numbers, names.

use isrlab_sim::cluster::METRICS;
use isrlab_sim::engine::{Distribution, SimDuration};
use isrlab_sim::protocol::Profile;

use crate::fields::Datum;
use crate::key::Kind;
use crate::suggest::did_you_mean;
use crate::tree::Value;

/// The word for a number that is not known.
pub(crate) const UNKNOWN: &str = "unknown";

/// Reads a value that is no array or table.
///
/// # Errors
/// What is wrong with it, to follow the key.
pub(crate) fn read(value: &Value, kind: &Kind) -> Result<Datum, String> {
    match (kind, value) {
        (Kind::Text, Value::Text(text)) if text.trim().is_empty() => Err("is an empty string".into()),
        (Kind::Text, Value::Text(text)) if text.chars().any(is_unprintable) => {
            Err(format!("is \"{}\", which has control characters", shown(text)))
        }
        (Kind::Text, Value::Text(text)) => Ok(Datum::Text(text.clone())),
        (Kind::Name, Value::Text(text)) if is_name(text) => Ok(Datum::Text(text.clone())),
        (Kind::Count { min, max }, Value::Integer(value)) => integer(*value, *min, *max),
        (Kind::Number { min, max }, Value::Integer(Some(value))) => number(*value as f64, *min, *max),
        (Kind::Number { min, max }, Value::Float(value)) => number(*value, *min, *max),
        (Kind::Bytes { min, max }, Value::Integer(value)) => integer(*value, *min, *max),
        (Kind::Bytes { min, max }, Value::Text(text)) => integer(Some(size(text)?), *min, *max),
        (Kind::Bandwidth, Value::Integer(value)) => integer(*value, 1, i64::MAX),
        (Kind::Bandwidth, Value::Text(text)) => {
            integer(Some(size(text.strip_suffix("/s").unwrap_or(text))?), 1, i64::MAX)
        }
        (Kind::Duration { zero }, Value::Text(text)) => {
            let duration = duration(text)?;
            if duration.is_zero() && !zero {
                return Err("is 0".into());
            }
            Ok(Datum::Duration(duration))
        }
        (Kind::SignedDuration, Value::Text(text)) => signed_duration(text),
        (Kind::Millis { min, max }, value) => millis(value, *min, *max),
        (Kind::Choice(words), Value::Text(text)) if words.contains(&text.as_str()) => {
            Ok(Datum::Text(text.clone()))
        }
        (Kind::Acks, Value::Text(text)) => acks(text),
        (Kind::Acks, Value::Integer(Some(value))) => acks(&value.to_string()),
        (Kind::Partition, Value::Integer(value)) => integer(*value, 0, i64::from(i32::MAX)),
        (Kind::Partition, Value::Text(text)) if ["round-robin", "by-clone"].contains(&text.as_str()) => {
            Ok(Datum::Text(text.clone()))
        }
        (Kind::Distribution, Value::Text(text)) => {
            Ok(Datum::Distribution(Distribution::Constant(duration(text)?)))
        }
        (Kind::Profile, Value::Text(text)) if Profile::all().any(|profile| profile.name == text) => {
            Ok(Datum::Text(text.clone()))
        }
        (Kind::Metric, Value::Text(text)) if METRICS.iter().any(|metric| metric.name == text) => {
            Ok(Datum::Text(text.clone()))
        }
        (Kind::Quantity, Value::Text(text)) => Ok(Datum::Duration(duration(text)?)),
        (Kind::Quantity, Value::Integer(Some(value))) => Ok(Datum::Integer(*value)),
        (Kind::Quantity, Value::Float(value)) => number(*value, f64::MIN, f64::MAX),
        (Kind::Known, Value::Integer(value)) => integer(*value, i64::MIN, i64::MAX),
        (Kind::Known, Value::Text(text)) if text == UNKNOWN => Ok(Datum::Text(text.clone())),
        (_, Value::Integer(None)) => Err("does not fit into 64 bits".into()),
        (kind, Value::Text(text)) if wants_text(kind) => Err(format!("is \"{}\"", shown(text))),
        (_, value) => Err(format!("is {}", value.kind())),
    }
}

/// What to do about a value that [`read`] refused.
pub(crate) fn help(value: &Value, kind: &Kind) -> Option<String> {
    match (kind, value) {
        (Kind::Duration { .. } | Kind::SignedDuration | Kind::Distribution, Value::Integer(Some(number))) => {
            Some(format!("a duration has a unit: \"{number}ms\" or \"{number}s\""))
        }
        (Kind::Profile, Value::Text(text)) => {
            let all = Profile::all().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
            let near = did_you_mean(text, Profile::all().map(|profile| profile.name));
            Some(near.unwrap_or_else(|| format!("known are {all}")))
        }
        (Kind::Metric, Value::Text(text)) => {
            let names = || METRICS.iter().map(|metric| metric.name);
            Some(
                did_you_mean(text, names())
                    .unwrap_or_else(|| format!("known are {}", names().collect::<Vec<_>>().join(", "))),
            )
        }
        (Kind::Choice(words), Value::Text(text)) => did_you_mean(text, words.iter().copied()),
        _ => None,
    }
}

/// Whether a text can be the name of something: what Kafka allows for topics.
pub(crate) fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=249).contains(&text.len()) && text.bytes().all(allowed) && text != "." && text != ".."
}

/// Whether a character would do something to a terminal instead of standing there.
fn is_unprintable(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// A text as it can be shown in one line of a message: not too long, without control characters.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut short: String = text.chars().take(CHARS_MAX).map(plain).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        short.push('…');
    }
    short
}

fn wants_text(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Name | Kind::Choice(_) | Kind::Partition | Kind::Profile | Kind::Metric | Kind::Known
    )
}

fn integer(value: Option<i64>, min: i64, max: i64) -> Result<Datum, String> {
    match value {
        None => Err("does not fit into 64 bits".into()),
        Some(value) if value < min || value > max => Err(format!("is {value}")),
        Some(value) => Ok(Datum::Integer(value)),
    }
}

fn number(value: f64, min: f64, max: f64) -> Result<Datum, String> {
    if value.is_finite() && (min..=max).contains(&value) {
        Ok(Datum::Number(value))
    } else {
        Err(format!("is {value}"))
    }
}

/// Reads a duration; what the engine says of its units and digits is already in `accepted`.
fn duration(text: &str) -> Result<SimDuration, String> {
    text.parse::<SimDuration>().map_err(|error| {
        let full = error.to_string();
        let reason = full.split(';').next().unwrap_or_default();
        let reason = reason.rsplit_once("\" ").map_or("is no duration", |(_, reason)| reason);
        format!("is \"{}\", which {reason}", shown(text))
    })
}

/// A duration, or a minus sign and a duration, in nanoseconds.
fn signed_duration(text: &str) -> Result<Datum, String> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let nanos = duration(digits)?.as_nanos();
    let nanos = i64::try_from(nanos).map_err(|_| {
        format!(
            "is \"{}\", which is longer than the longest of its kind, {} s",
            shown(text),
            i64::MAX / 1_000_000_000
        )
    })?;
    Ok(Datum::Integer(sign * nanos))
}

fn millis(value: &Value, min: i64, max: i64) -> Result<Datum, String> {
    let millis = match value {
        Value::Integer(value) => match integer(*value, min, max)? {
            Datum::Integer(value) => value,
            _ => return Err("is no integer".into()),
        },
        Value::Text(text) => {
            let duration = duration(text)?;
            if duration.as_nanos() % 1_000_000 != 0 {
                return Err(format!("is \"{}\", which is not a whole number of milliseconds", shown(text)));
            }
            let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
            if millis < min || millis > max {
                return Err(format!("is \"{}\", {millis} ms", shown(text)));
            }
            millis
        }
        other => return Err(format!("is {}", other.kind())),
    };
    Ok(Datum::Duration(SimDuration::from_millis(millis.unsigned_abs())))
}

fn acks(text: &str) -> Result<Datum, String> {
    match text {
        "0" => Ok(Datum::Integer(0)),
        "1" => Ok(Datum::Integer(1)),
        "all" | "-1" => Ok(Datum::Integer(-1)),
        other => Err(format!("is \"{}\"", shown(other))),
    }
}

/// `64KiB`, `1MiB`, `500kB`, `10B`: a whole number and a unit.
pub(crate) fn size(text: &str) -> Result<i64, String> {
    const UNITS: [(&str, i64); 8] = [
        ("B", 1),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let wrong = |what: &str| Err(format!("is \"{}\", which {what}", shown(text)));
    if number.is_empty() {
        return wrong("does not start with a whole number");
    }
    let Some((_, bytes)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return wrong("has no unit of B, kB, MB, GB, KiB, MiB, GiB, TiB");
    };
    match number.parse::<i64>().ok().and_then(|number| number.checked_mul(*bytes)) {
        Some(size) => Ok(size),
        None => wrong("does not fit into 64 bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1MiB"), Ok(1 << 20));
        assert_eq!(size("500kB"), Ok(500_000));
        for bad in
            ["", "MiB", "1.5MiB", "-1B", "1mib", "1 MiB", "99999999999TiB", "99999999999999999999B", "10"]
        {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn kafka_milliseconds_are_whole_in_either_form() {
        let kind = Kind::Millis { min: 1, max: 100_000 };
        for value in [text("10s"), Value::Integer(Some(10_000))] {
            let datum = read(&value, &kind).unwrap();
            assert!(matches!(datum, Datum::Duration(d) if d == SimDuration::from_secs(10)));
        }
        assert_eq!(
            read(&text("500us"), &kind).unwrap_err(),
            "is \"500us\", which is not a whole number of milliseconds"
        );
        assert_eq!(read(&text("0s"), &kind).unwrap_err(), "is \"0s\", 0 ms");
        assert_eq!(read(&text("10"), &kind).unwrap_err(), "is \"10\", which has no unit");
        assert_eq!(read(&Value::Integer(Some(-1)), &kind).unwrap_err(), "is -1");
        assert_eq!(read(&Value::Integer(None), &kind).unwrap_err(), "does not fit into 64 bits");
        assert_eq!(read(&Value::Float(1.5), &kind).unwrap_err(), "is a float");
        assert_eq!(
            read(&text("99999999999999999999s"), &kind).unwrap_err(),
            "is \"99999999999999999999s\", which is longer than the longest duration, 18446744073.709551615s"
        );
    }

    #[test]
    fn a_clock_can_be_slow() {
        let read = |value: &str| match read(&text(value), &Kind::SignedDuration) {
            Ok(Datum::Integer(nanos)) => Ok(nanos),
            Ok(other) => panic!("{other:?}"),
            Err(message) => Err(message),
        };
        assert_eq!((read("1.5s"), read("-20ms")), (Ok(1_500_000_000), Ok(-20_000_000)));
        assert_eq!(read("--2s").unwrap_err(), "is \"-2s\", which does not start with a plain decimal number");
        assert!(read("-2").unwrap_err().contains("no unit"));
        assert!(read("18446744073s").unwrap_err().contains("longest of its kind, 9223372036 s"));
    }

    #[test]
    fn numbers_are_finite_and_in_range() {
        let kind = Kind::Number { min: 0.0, max: f64::MAX };
        assert!(read(&Value::Integer(Some(3)), &kind).is_ok());
        for bad in [f64::NAN, f64::INFINITY, -0.5] {
            assert!(read(&Value::Float(bad), &kind).is_err());
        }
    }

    #[test]
    fn texts_are_shown_short_and_harmless() {
        assert_eq!(shown("a\u{1b}[31m\n"), "a\u{FFFD}[31m\u{FFFD}");
        assert_eq!(shown(&"x".repeat(1_000)).chars().count(), 61);
    }
}
