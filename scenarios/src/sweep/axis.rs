//! One varied key with its values: `KEY=V1,V2,FIRST..LAST/COUNT`.

use std::fmt;
use std::str::FromStr;

use super::quantity::Quantity;
use super::range::{self, VALUES_MAX};
use crate::scalar::shown;

/// A key and the values that it takes in a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    key: String,
    given: String,
    values: Vec<AxisValue>,
    column: String,
    unit: Option<&'static str>,
}

/// One value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisValue {
    text: String,
    column_text: String,
    quantity: Quantity,
}

impl AxisValue {
    /// As `--set` takes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As it stands in the axis' column: a number in the column's unit, or the text.
    pub fn in_column(&self) -> &str {
        &self.column_text
    }

    /// The number in the column's unit; none for a text.
    pub fn number(&self) -> Option<f64> {
        self.quantity.number()
    }

    pub(super) fn quantity(&self) -> Quantity {
        self.quantity
    }
}

impl Axis {
    /// The key, one that `--set` takes.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The whole as it was given, `KEY=…`.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The values, at least one, in the order given, each once.
    pub fn values(&self) -> &[AxisValue] {
        &self.values
    }

    /// The name of its column in tables: the key, with the unit of durations and sizes where the
    /// key does not name it.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The unit of its column, `ms` or `bytes`; none for plain numbers and texts.
    pub fn unit(&self) -> Option<&'static str> {
        self.unit
    }

    /// Whether its column holds numbers.
    pub fn is_numeric(&self) -> bool {
        self.values.iter().all(|value| value.quantity != Quantity::Text)
    }
}

/// Why a text is no axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaryError {
    message: String,
}

impl VaryError {
    fn new(message: impl Into<String>) -> Self {
        VaryError { message: message.into() }
    }

    /// What would be accepted, as a phrase.
    pub const ACCEPTED: &'static str = "KEY=V1,V2,…, where a value may be a range FIRST..LAST/COUNT or \
                                        FIRST..LAST/COUNT/log, such as link.follower.latency=1ms..50ms/8";
}

impl fmt::Display for VaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VaryError {}

impl FromStr for Axis {
    type Err = VaryError;

    fn from_str(given: &str) -> Result<Self, VaryError> {
        let Some((key, list)) = given.split_once('=') else {
            return Err(VaryError::new(format!("\"{}\" has no `=`", shown(given))));
        };
        let key = key.trim();
        if key.is_empty() {
            return Err(VaryError::new(format!("\"{}\" names no key", shown(given))));
        }
        let mut values: Vec<AxisValue> = Vec::new();
        for item in split(list) {
            for (text, quantity) in item_values(key, item)? {
                if values.len() == VALUES_MAX {
                    return Err(VaryError::new(format!("{key} has more than {VALUES_MAX} values")));
                }
                let column_text = quantity.in_column().unwrap_or_else(|| text.clone());
                if values.iter().any(|known| known.column_text == column_text) {
                    return Err(VaryError::new(format!("{key} has the value {text} twice")));
                }
                values.push(AxisValue { text, column_text, quantity });
            }
        }
        let all = |fits: fn(&Quantity) -> bool| values.iter().all(|value| fits(&value.quantity));
        let unit = match () {
            () if all(|quantity| matches!(quantity, Quantity::Nanos(_))) => Some("ms"),
            () if all(|quantity| matches!(quantity, Quantity::Bytes(_) | Quantity::Whole(_)))
                && (key.ends_with(".bytes") || !all(|quantity| matches!(quantity, Quantity::Whole(_)))) =>
            {
                Some("bytes")
            }
            () if all(|quantity| matches!(quantity, Quantity::Whole(_) | Quantity::Real(_))) => None,
            () => {
                // Values of several kinds are words to a table, not numbers in one unit.
                for value in &mut values {
                    value.column_text.clone_from(&value.text);
                    value.quantity = Quantity::Text;
                }
                None
            }
        };
        let column = match unit {
            Some(unit) if !key.ends_with(&format!(".{unit}")) => format!("{key}_{unit}"),
            _ => key.to_owned(),
        };
        Ok(Axis { key: key.to_owned(), given: given.trim().to_owned(), values, column, unit })
    }
}

/// The values of one item of the list: itself, or those of a range.
fn item_values(key: &str, item: &str) -> Result<Vec<(String, Quantity)>, VaryError> {
    let item = item.trim();
    if item.is_empty() {
        return Err(VaryError::new(format!("{key} has an empty value")));
    }
    let quantity = Quantity::of(key, item);
    let bare = !item.starts_with(['{', '[', '"', '\'']);
    let Some((first, rest)) = item.split_once("..").filter(|_| bare) else {
        return Ok(vec![(item.to_owned(), quantity)]);
    };
    let wrong = |why: String| VaryError::new(format!("{key}: the range \"{}\" {why}", shown(item)));
    let mut parts = rest.split('/');
    let (last, count, scale) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let Some(count) = count.and_then(|count| count.trim().parse::<usize>().ok()) else {
        return Err(wrong("does not end in /COUNT, the number of its values".to_owned()));
    };
    let logarithmic = match (scale.map(str::trim), parts.next()) {
        (None, _) => false,
        (Some("log"), None) => true,
        _ => return Err(wrong("has something after its COUNT that is not /log".to_owned())),
    };
    let (first, last) = (Quantity::of(key, first.trim()), Quantity::of(key, last.trim()));
    let values = range::values(first, last, count, logarithmic).map_err(wrong)?;
    Ok(values
        .into_iter()
        .map(|quantity| (quantity.as_override().expect("ranges are of numbers"), quantity))
        .collect())
}

/// Splits a list at its commas, but for those within brackets, braces and quotes.
fn split(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (index, c) in list.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(&list[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(given: &str) -> (String, Vec<String>) {
        let axis: Axis = given.parse().unwrap();
        (axis.column().to_owned(), axis.values().iter().map(|value| value.in_column().to_owned()).collect())
    }

    #[test]
    fn columns_have_one_unit() {
        assert_eq!(
            columns("replica.lag.time.max.ms=5s,10000,0.5s"),
            ("replica.lag.time.max.ms".into(), vec!["5000".into(), "10000".into(), "500".into()])
        );
        assert_eq!(
            columns("link.follower.latency=500us,1ms..3ms/3"),
            ("link.follower.latency_ms".into(), vec!["0.5".into(), "1".into(), "2".into(), "3".into()])
        );
        assert_eq!(
            columns("replica.fetch.max.bytes=1KiB,4096"),
            ("replica.fetch.max.bytes".into(), vec!["1024".into(), "4096".into()])
        );
        assert_eq!(columns("link.follower.bandwidth=1MiB").0, "link.follower.bandwidth_bytes");
        let plain: Axis = "replica.fetch.max.bytes=1,2".parse().unwrap();
        assert_eq!((plain.column(), plain.unit()), ("replica.fetch.max.bytes", Some("bytes")));
        assert_eq!(columns("min.insync.replicas=1,2").0, "min.insync.replicas");
        assert_eq!(
            columns("producer.p.acks=1,all"),
            ("producer.p.acks".into(), vec!["1".into(), "all".into()])
        );
    }

    #[test]
    fn values_may_hold_commas_in_brackets() {
        let given = "link.follower.latency={ kind = \"uniform\", min = \"1ms\", max = \"2ms\" },3ms";
        assert_eq!(columns(given).1, ["{ kind = \"uniform\", min = \"1ms\", max = \"2ms\" }", "3ms"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (given, why) in [
            ("latency", "has no `=`"),
            ("=1", "names no key"),
            ("k=", "k has an empty value"),
            ("k=1,,2", "k has an empty value"),
            ("k=1s,1000ms", "k has the value 1000ms twice"),
            ("k=1..3/3,2", "k has the value 2 twice"),
            ("k=1..3", "does not end in /COUNT"),
            ("k=1..3/x", "does not end in /COUNT"),
            ("k=1..3/3/lin", "not /log"),
            ("k=a..b/3", "from a text to a text"),
            ("k=1..3/20", "twice"),
            ("k=1..100000/20000", "2 to 10000"),
        ] {
            let error = given.parse::<Axis>().unwrap_err().to_string();
            assert!(error.contains(why), "{given}: {error}");
        }
    }
}
