//! Numbers for people.

/// A length of time of so many milliseconds: `0`, `0.12 ms`, `150 ms`, `40.03 s`, `1 h 2 min`.
pub fn duration(ms: f64) -> String {
    let rounded = ms.round();
    if ms == 0.0 {
        "0".to_owned()
    } else if ms < 100.0 {
        format!("{} ms", trimmed(ms, 2))
    } else if rounded < 1_000.0 {
        format!("{rounded} ms")
    } else if rounded < 600_000.0 {
        format!("{} s", trimmed(ms / 1_000.0, if rounded < 100_000.0 { 3 } else { 1 }))
    } else {
        let minutes = (ms / 60_000.0).round() as u64;
        match (minutes / 60, minutes % 60) {
            (0, minutes) => format!("{minutes} min"),
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        }
    }
}

/// A point of virtual time, in seconds with all milliseconds: `20.000 s`.
pub fn time(ms: f64) -> String {
    format!("{:.3} s", ms / 1_000.0)
}

/// A count or a mean of counts: `6`, `6.25`, `12,000`.
pub fn count(value: f64) -> String {
    let text = trimmed(value, 2);
    let (whole, decimals) = text.split_once('.').map_or((text.as_str(), None), |(w, d)| (w, Some(d)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match decimals {
        Some(decimals) => format!("{sign}{grouped}.{decimals}"),
        None => format!("{sign}{grouped}"),
    }
}

/// A share as per cent: `30 %`, `0.3 %`.
pub fn share(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = match percent {
        p if p == 0.0 || p >= 10.0 => 0,
        p if p >= 1.0 => 1,
        p if p >= 0.1 => 2,
        _ => 3,
    };
    if percent > 0.0 && percent < 0.001 {
        "< 0.001 %".to_owned()
    } else {
        format!("{} %", trimmed(percent, decimals))
    }
}

/// `value` with at most so many decimals, and none that say nothing.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// `1 replica`, `2 replicas`.
pub fn plural(value: f64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1.0 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_keep_what_matters() {
        let cases = [
            (0.0, "0"),
            (0.1234, "0.12 ms"),
            (30.03, "30.03 ms"),
            (150.4, "150 ms"),
            (999.9, "1 s"),
            (40_030.0, "40.03 s"),
            (123_456.0, "123.5 s"),
            (3_600_000.0, "1 h"),
            (3_725_000.0, "1 h 2 min"),
            (720_000.0, "12 min"),
        ];
        for (ms, expected) in cases {
            assert_eq!(duration(ms), expected);
        }
    }

    #[test]
    fn counts_are_grouped() {
        for (value, expected) in
            [(0.0, "0"), (6.25, "6.25"), (999.0, "999"), (12_000.0, "12,000"), (-1_234_567.5, "-1,234,567.5")]
        {
            assert_eq!(count(value), expected);
        }
        assert_eq!(plural(1.0, "replica", "replicas"), "1 replica");
    }

    #[test]
    fn shares_keep_their_size() {
        for (value, expected) in [
            (0.0, "0 %"),
            (0.3, "30 %"),
            (0.0257, "2.6 %"),
            (0.0025, "0.25 %"),
            (1.0, "100 %"),
            (1e-9, "< 0.001 %"),
        ] {
            assert_eq!(share(value), expected);
        }
    }
}
