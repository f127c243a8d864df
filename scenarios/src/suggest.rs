//! The nearest known name to one that is not known.

/// The most similar of `known`, if it is similar enough to be what was meant.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Long texts are no misspelt names, and comparing them takes long.
    if name.len() > 300 {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], ".");
    let wanted = plain(name);
    known
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&wanted, &plain(candidate)), candidate))
        .filter(|(similarity, _)| *similarity >= 0.55)
        .fold(None, |best: Option<(f64, &str)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        })
        .map(|(_, candidate)| candidate)
}

/// `did you mean "x"?`, if there is something near.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean \"{near}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_found_and_strange_ones_are_not() {
        let known = ["replica.lag.time.max.ms", "replica.lag.max.messages", "duration"];
        let near = |name: &str| nearest(name, known.into_iter());
        assert_eq!(near("replica.lag.tme.max.ms"), Some("replica.lag.time.max.ms"));
        assert_eq!(near("replica_lag_max_messages"), Some("replica.lag.max.messages"));
        assert_eq!(near("Duration"), Some("duration"));
        assert_eq!(near("colour"), None);
        assert_eq!(near(""), None);
        assert_eq!(near(&"x".repeat(1_000_000)), None);
    }
}
