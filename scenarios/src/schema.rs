//! The JSON Schema of the format.

/// The JSON Schema.
pub fn schema() -> serde_json::Value {
    serde_json::Value::Null
}
