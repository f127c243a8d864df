//! Values of variables, as all trace formats can write them.

use std::fmt;

use serde::{Serialize, Serializer};

/// A value in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A word or two; "none" and the like too.
    Text(String),
    /// A sequence: a log, a list of requests.
    Seq(Vec<Value>),
    /// A set, in the order it is to be shown in.
    Set(Vec<Value>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, open, values: &[Self], close| {
            f.write_str(open)?;
            for (i, value) in values.iter().enumerate() {
                write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
            }
            f.write_str(close)
        };
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
            Self::Seq(values) => list(f, "[", values, "]"),
            Self::Set(values) => list(f, "{", values, "}"),
        }
    }
}

/// Plain JSON: sequences and sets are both arrays.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Seq(values) | Self::Set(values) => serializer.collect_seq(values),
        }
    }
}
