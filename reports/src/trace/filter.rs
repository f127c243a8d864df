//! Which lines of a run are shown.

use super::kinds::{self, Kind};
use super::line::Line;
use super::names::Names;
use isrlab_sim::engine::{SimDuration, SimTime};

/// A stretch of a run, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its start.
    pub from: SimTime,
    /// Its end: what happens at this very time is in it.
    pub until: SimTime,
}

impl Window {
    /// A window in a run of `duration`, by default the whole of it.
    ///
    /// # Errors
    /// A message: it ends before it starts, or is not within the run.
    pub fn new(from: Option<SimTime>, until: Option<SimTime>, duration: SimDuration) -> Result<Self, String> {
        let end = SimTime::ZERO + duration;
        for (option, time) in [("--from", from), ("--to", until)] {
            if let Some(time) = time.filter(|&time| time > end) {
                return Err(format!(
                    "{option} {}: is after the end of the run; accepted: up to {duration}, or a longer run with \
                     --duration",
                    time - SimTime::ZERO
                ));
            }
        }
        let (from, until) = (from.unwrap_or(SimTime::ZERO), until.unwrap_or(end));
        if from > until {
            return Err(format!(
                "--from {} --to {}: the window ends before it starts; accepted: --from at --to or before",
                from - SimTime::ZERO,
                until - SimTime::ZERO
            ));
        }
        Ok(Window { from, until })
    }

    /// The window `around` a time, within a run of `duration`.
    pub fn around(at: SimTime, around: SimDuration, duration: SimDuration) -> Self {
        let until = (at + around).min(SimTime::ZERO + duration);
        Window { from: at - around, until }
    }

    /// Whether a time is in it.
    pub fn contains(&self, at: SimTime) -> bool {
        self.from <= at && at <= self.until
    }
}

/// Keeps the lines that speak of what is asked for. What is not asked for keeps all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    partitions: Vec<usize>,
    brokers: Vec<i32>,
    kinds: Vec<&'static Kind>,
}

impl Filter {
    /// Keeps lines of any of these partitions, brokers and kinds, by name.
    ///
    /// # Errors
    /// A message that says what is unknown, and what there is.
    pub fn new(
        names: &Names,
        partitions: &[String],
        brokers: &[i32],
        kinds: &[String],
    ) -> Result<Self, String> {
        let partition = |name: &String| {
            names.find_partition(name).ok_or_else(|| {
                format!(
                    "--partition {name}: the scenario has no such partition; accepted: {}",
                    some_of(names.partitions())
                )
            })
        };
        let broker = |id: &i32| {
            let known = names.brokers();
            known.contains(id).then_some(*id).ok_or_else(|| {
                let known: Vec<String> = known.iter().map(i32::to_string).collect();
                format!("--broker {id}: the scenario has no such broker; accepted: {}", some_of(&known))
            })
        };
        let kind = |name: &String| kinds::find(name).map_err(|message| format!("--kind {name}: {message}"));
        Ok(Filter {
            partitions: partitions.iter().map(partition).collect::<Result<_, _>>()?,
            brokers: brokers.iter().map(broker).collect::<Result<_, _>>()?,
            kinds: kinds.iter().map(kind).collect::<Result<_, _>>()?,
        })
    }

    /// Whether it keeps every line.
    pub fn keeps_all(&self) -> bool {
        self.partitions.is_empty() && self.brokers.is_empty() && self.kinds.is_empty()
    }

    /// The partitions asked for; none: all.
    pub fn partitions(&self) -> &[usize] {
        &self.partitions
    }

    /// The brokers asked for; none: all.
    pub fn brokers(&self) -> &[i32] {
        &self.brokers
    }

    /// Whether it keeps a line.
    pub fn keeps(&self, line: &Line) -> bool {
        (self.kinds.is_empty() || self.kinds.iter().any(|kind| kind.name == line.kind.name))
            && (self.partitions.is_empty()
                || line.partitions.iter().any(|partition| self.partitions.contains(partition)))
            && (self.brokers.is_empty() || self.brokers.iter().any(|&id| line.names_broker(id)))
    }
}

/// The first of many names, and how many more there are.
fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let listed = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_within_the_run() {
        let at = |ms| Some(SimTime::from_millis(ms));
        let run = SimDuration::from_secs(10);
        let whole = Window::new(None, None, run).unwrap();
        assert!(whole.contains(SimTime::ZERO) && whole.contains(SimTime::from_secs(10)));
        assert!(Window::new(at(10_000), at(10_000), run).is_ok());
        let wrong = |from, until| Window::new(from, until, run).unwrap_err();
        assert!(wrong(at(3), at(2)).contains("--from 3ms --to 2ms: the window ends before it starts"));
        assert!(wrong(at(10_001), None).starts_with("--from 10.001s: is after the end of the run"));
        assert!(wrong(None, at(10_001)).contains("accepted: up to 10s"));
        let near = Window::around(SimTime::from_millis(20), SimDuration::from_millis(50), run);
        assert_eq!((near.from, near.until), (SimTime::ZERO, SimTime::from_millis(70)));
        let end = Window::around(SimTime::from_secs(10), SimDuration::from_millis(50), run);
        assert_eq!(end.until, SimTime::from_secs(10));
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let names: Vec<String> = (0..14).map(|number| format!("t-{number}")).collect();
        assert!(some_of(&names).ends_with("t-11 and 2 more"));
        assert_eq!(some_of(&names[..2]), "t-0, t-1");
    }
}
