//! Annotations that GitHub shows beside the lines of a scenario file.

use super::cases::{Case, Outcome};
use std::fmt::Write;

/// GitHub shows no more than ten errors of a step.
const SHOWN_MAX: usize = 10;

/// What failed, and what could not be told, as workflow commands, a line each; failures first.
pub fn annotations(name: &str, cases: &[Case]) -> String {
    let mut out = String::new();
    let failed = cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Failed { message, .. } => Some(("error", case, message)),
        _ => None,
    });
    let skipped = cases.iter().filter_map(|case| match &case.outcome {
        Outcome::Skipped(why) => Some(("warning", case, why)),
        _ => None,
    });
    for found in [failed.collect::<Vec<_>>(), skipped.collect()] {
        for (level, case, message) in found.iter().take(SHOWN_MAX) {
            let place = match case.place.rsplit_once(':') {
                // A scenario of the library is no file of the repository that is tested.
                Some((file, line)) if !file.starts_with("library/") => {
                    format!("file={},line={},", property(file), property(line))
                }
                _ => String::new(),
            };
            let title = property(&format!("{name} under {}: {}", case.suite, case.name));
            writeln!(out, "::{level} {place}title={title}::{}", data(message))
                .expect("a String takes everything");
        }
        if let Some((level, ..)) = found.get(SHOWN_MAX) {
            writeln!(out, "::{level} title={}::and {} more like it", property(name), found.len() - SHOWN_MAX)
                .expect("a String takes everything");
        }
    }
    out
}

/// A message as a workflow command takes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as a workflow command takes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, place: &str, outcome: Outcome) -> Case {
        Case { suite: "pre-4485".into(), name: name.into(), place: place.into(), outcome }
    }

    #[test]
    fn texts_cannot_break_out_of_a_command() {
        let failed = Outcome::Failed { message: "100 %\n::error::x".into(), details: String::new() };
        let cases = [
            case("a, b: c", "my:dir/s.toml:12", failed.clone()),
            case("fine", "s.toml:1", Outcome::Passed),
            case("never", "library/x.toml:3", Outcome::Skipped("no fault".into())),
        ];
        assert_eq!(
            annotations("s", &cases),
            "::error file=my%3Adir/s.toml,line=12,title=s under pre-4485%3A a%2C b%3A c::100 %25%0A::error::x\n\
             ::warning title=s under pre-4485%3A never::no fault\n"
        );
        let many = vec![case("n", "", failed); 25];
        let text = annotations("s", &many);
        assert_eq!(text.lines().count(), 11);
        assert!(text.ends_with("and 15 more like it\n"), "{text}");
    }
}
