//! Of which cells of a sweep an expectation speaks.

use std::cmp::Ordering;
use std::str::FromStr;

use super::axis::Axis;
use super::quantity::Quantity;
use crate::scalar::shown;

/// The cells that an expectation speaks of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Cells {
    /// Those in which the cluster is as the scenario has it: what is said of it was said of that.
    #[default]
    AsWritten,
    /// All.
    Every,
    /// Those that meet all of these conditions.
    Where(Vec<Condition>),
}

/// `KEY OPERATOR VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    key: String,
    operator: Operator,
    text: String,
    value: Quantity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

const OPERATORS: [(&str, Operator); 6] = [
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    ("=", Operator::Equal),
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    (">", Operator::Greater),
];

impl Condition {
    /// The key that it is about.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether it is met where each axis has the value of that number; not where its key is not
    /// varied, or where its value is of another kind.
    pub fn is_met<'a>(&self, mut point: impl Iterator<Item = (&'a Axis, usize)>) -> bool {
        let Some((axis, index)) = point.find(|(axis, _)| axis.key() == self.key) else { return false };
        let found = &axis.values()[index];
        let order = match (found.quantity(), self.value) {
            (Quantity::Text, _) | (_, Quantity::Text) if found.text() == self.text => Some(Ordering::Equal),
            (found, wanted) => found.compare(wanted),
        };
        match self.operator {
            Operator::Less => order == Some(Ordering::Less),
            Operator::LessOrEqual => order.is_some_and(Ordering::is_le),
            Operator::Equal => order == Some(Ordering::Equal),
            Operator::NotEqual => order != Some(Ordering::Equal),
            Operator::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Operator::Greater => order == Some(Ordering::Greater),
        }
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_whitespace();
        let (Some(key), Some(operator), Some(value), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(format!("is \"{}\"", shown(text)));
        };
        let Some((_, operator)) = OPERATORS.iter().find(|(name, _)| *name == operator) else {
            return Err(format!("is \"{}\"", shown(text)));
        };
        let quantity = Quantity::of(key, value);
        let ordered = !matches!(operator, Operator::Equal | Operator::NotEqual);
        if ordered && quantity == Quantity::Text {
            return Err(format!("is \"{}\", but a text is neither more nor less than another", shown(text)));
        }
        Ok(Condition { key: key.to_owned(), operator: *operator, text: value.to_owned(), value: quantity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(condition: &str, axis: &str) -> Vec<bool> {
        let (condition, axis): (Condition, Axis) = (condition.parse().unwrap(), axis.parse().unwrap());
        (0..axis.values().len()).map(|index| condition.is_met([(&axis, index)].into_iter())).collect()
    }

    #[test]
    fn conditions_choose_values() {
        assert_eq!(met("a.b <= 2ms", "a.b=1ms,2ms,3ms"), [true, true, false]);
        assert_eq!(met("a.b < 2ms", "a.b=1ms,2ms,3ms"), [true, false, false]);
        assert_eq!(met("a.b > 2ms", "a.b=1ms,2ms,3ms"), [false, false, true]);
        assert_eq!(met("a.b >= 2000us", "a.b=1ms,2ms,3ms"), [false, true, true]);
        assert_eq!(met("a.b = all", "a.b=1,all"), [false, true]);
        assert_eq!(met("a.b != all", "a.b=1,all"), [true, false]);
        assert_eq!(met("a.b = 1", "a.b=1,all"), [true, false]);
        assert_eq!(met("a.c != 1", "a.b=1,2"), [false, false], "a key that is not varied");
    }

    #[test]
    fn what_is_no_condition() {
        for text in ["", "a", "a <", "a < 1 2", "a ~ 1", "a < b", "a<1"] {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
