//! isrlab: models.
