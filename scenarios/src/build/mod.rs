//! Makes a [`Model`] of a checked document: what one key says about another is checked here.

mod arrivals;
mod brokers;
mod clock;
mod expectations;
mod faults;
mod lag;
mod lag_states;
mod links;
mod producers;
mod recorded;
mod scripts;
mod settings;
mod states;
mod sweep;
mod terms;
mod times;
mod timestamps;
mod topics;

pub(crate) use settings::replication;

use std::path::Path;

use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::Profile;

use crate::diagnostic::Problems;
use crate::fields::{Datum, Fields};
use crate::model::Model;
use crate::read;
use crate::suggest::did_you_mean;
use crate::sweep::{Axis, Cells};

/// What the checks of one section need to know of the others.
pub(crate) struct Context<'a> {
    /// The folder that files are relative to; none: there is none.
    pub folder: Option<&'a Path>,
    pub problems: Problems,
    /// What the expectations are read for.
    pub scope: Scope<'a>,
}

/// What the expectations of a scenario are to judge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'a> {
    /// The scenario by itself.
    Replay,
    /// A cell of a sweep.
    Cell {
        /// The varied keys and the numbers of their values.
        point: &'a [(&'a Axis, usize)],
        /// Whether the cluster is as the scenario has it.
        as_written: bool,
    },
}

impl Scope<'_> {
    /// Whether an expectation about these cells is to be read. One that speaks of other cells may
    /// not even make sense in this one.
    pub fn reads(self, cells: &Cells) -> bool {
        matches!(self, Scope::Replay) || self.judges(cells)
    }

    /// Whether it is to be judged.
    pub fn judges(self, cells: &Cells) -> bool {
        match (self, cells) {
            (_, Cells::Every) | (Scope::Replay, Cells::AsWritten) => true,
            (Scope::Replay, Cells::Where(_)) => false,
            (Scope::Cell { as_written, .. }, Cells::AsWritten) => as_written,
            (Scope::Cell { point, .. }, Cells::Where(conditions)) => {
                conditions.iter().all(|condition| condition.is_met(point.iter().copied()))
            }
        }
    }
}

/// Makes the model; none: something is wrong, and that has been noted.
pub(crate) fn model(top: &Fields, context: &mut Context<'_>) -> Option<Model> {
    let duration = top.duration("duration");
    let compare = compare(top, context);
    let brokers = brokers::brokers(top, context);
    let topics = topics::topics(top, &brokers, context);
    let producers = producers::producers(top, &topics, context);
    check_connections(top, &brokers, &producers, context);
    let links = links::links(top, &brokers, &producers, context);
    // What an override leaves out of a run, or of the comparison, is no mistake of the file.
    let own = |key: &str| !top.entries.get(key).is_some_and(|field| field.span.is_override());
    let end = duration.filter(|_| own("duration")).unwrap_or(SimDuration::MAX);
    let sample_every = match top.duration("sample.every") {
        Some(every) => every,
        None => rounded_up(duration.unwrap_or(SimDuration::ZERO) / 1_000),
    };
    let names = |key: &str| top.tables(key).filter_map(|fields| fields.text("name")).collect();
    let world = World {
        brokers: &brokers,
        topics: &topics,
        producers: &producers,
        mirrors: names("mirror"),
        share_groups: names("share-group"),
        end,
        sample_every,
    };
    let faults = faults::faults(top, &world, context);
    let compared = Compared { profiles: &compare, complete: compare_is_sound(top) && own("compare") };
    let expectations = expectations::expectations(top, &world, &compared, context);
    let settings = settings::settings(top);
    let sweep = sweep::sweep(top, context);
    let duration = duration?;
    let sample_every = match top.duration("sample.every") {
        Some(every) => every,
        None => rounded_up(duration / 1_000),
    };
    let lag = lag::lag(top, &topics, sample_every, context);
    Some(Model {
        title: top.text("title")?,
        about: top.text("about").unwrap_or_default().trim().to_owned(),
        duration,
        seed: top.integer("seed")?,
        sample_every,
        compare,
        settings,
        brokers: brokers.list,
        topics: topics.list,
        producers: producers.list,
        links: links?,
        faults,
        lag: lag?,
        expectations,
        sweep,
    })
}

/// What faults and expectations may speak of.
pub(crate) struct World<'a> {
    pub brokers: &'a brokers::Brokers,
    pub topics: &'a topics::Topics,
    pub producers: &'a producers::Producers,
    /// Names, in the order of the file.
    pub mirrors: Vec<String>,
    pub share_groups: Vec<String>,
    /// The length of the run; the longest there is when no time is to be held against it.
    pub end: SimDuration,
    /// Time from one sample to the next; above 0.
    pub sample_every: SimDuration,
}

/// The profiles that are compared.
pub(crate) struct Compared<'a> {
    pub profiles: &'a [Profile],
    /// Whether naming another one is a mistake.
    pub complete: bool,
}

impl World<'_> {
    /// The actor that a key names, of those of one kind; without the key the only one there is.
    /// None: there is no such, which has been noted.
    pub fn actor(
        &self,
        of: &[String],
        what: &str,
        fields: &Fields,
        context: &mut Context<'_>,
    ) -> Option<usize> {
        if !fields.has(what) {
            if of.len() == 1 {
                return Some(0);
            }
            let accepted = if of.is_empty() { "there is none".to_owned() } else { of.join(", ") };
            let message = format!("is missing, and there are {} to choose from", of.len());
            context.problems.add(fields.span, fields.path_of(what), message).accepted(accepted);
            return None;
        }
        let name = fields.text(what)?;
        let found = of.iter().position(|known| *known == name);
        if found.is_none() {
            unknown_reference(fields, what, what, &name, of.iter().map(String::as_str), context);
        }
        found
    }
}

/// The most connections from producers to brokers; each producer has one to each broker.
const CONNECTIONS_MAX: usize = 1_000_000;

/// Many producers and many brokers are possible, but not both: their connections take memory.
fn check_connections(
    top: &Fields,
    brokers: &brokers::Brokers,
    producers: &producers::Producers,
    context: &mut Context<'_>,
) {
    let (producers, brokers) = (producers.list.len(), brokers.list.len());
    if producers * brokers > CONNECTIONS_MAX {
        let message =
            format!("{producers} producers and {brokers} brokers make {} connections", producers * brokers);
        context
            .problems
            .add(top.span_of("producer"), "producer", message)
            .accepted(format!("at most {CONNECTIONS_MAX}"));
    }
}

/// Whether every name in `compare` is known.
fn compare_is_sound(top: &Fields) -> bool {
    !top.has("compare")
        || top.list("compare").is_some_and(|list| list.iter().all(|field| field.datum.is_some()))
}

/// The compared profiles, in order, each once.
fn compare(top: &Fields, context: &mut Context<'_>) -> Vec<Profile> {
    const DEFAULT: [&str; 3] = ["pre-4485", "post-4485", "equal-leo"];
    let Some(list) = top.list("compare") else {
        return DEFAULT.into_iter().filter_map(read::profile).collect();
    };
    let mut profiles: Vec<Profile> = Vec::new();
    for field in list {
        let Some(Datum::Text(name)) = &field.datum else { continue };
        let Some(profile) = read::profile(name) else { continue };
        if profiles.contains(&profile) {
            context.problems.add(field.span, top.path_of("compare"), format!("names \"{name}\" twice"));
        } else {
            profiles.push(profile);
        }
    }
    profiles
}

/// The smallest of 1, 2 and 5 times a power of ten nanoseconds that is not below `duration`.
fn rounded_up(duration: SimDuration) -> SimDuration {
    let wanted = u128::from(duration.as_nanos().max(1));
    let mut power = 1u128;
    loop {
        for step in [power, 2 * power, 5 * power] {
            if step >= wanted {
                return SimDuration::from_nanos(u64::try_from(step).unwrap_or(u64::MAX));
            }
        }
        power *= 10;
    }
}

/// Notes a reference to something that is not there.
fn unknown_reference<'a>(
    fields: &Fields,
    key: &str,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    context: &mut Context<'_>,
) {
    let mut names: Vec<&str> = known.clone().take(20).collect();
    if known.clone().nth(20).is_some() {
        names.push("…");
    }
    let accepted = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
    let message = format!("no {what} is called \"{name}\"");
    context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(accepted).help =
        did_you_mean(name, known);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_periods_are_round() {
        let rounded = |text: &str| rounded_up(text.parse().unwrap()).to_string();
        assert_eq!(rounded("70ms"), "100ms");
        assert_eq!(rounded("120ms"), "200ms");
        assert_eq!(rounded("20ms"), "20ms");
        assert_eq!(rounded("0s"), "1ns");
        assert_eq!(rounded_up(SimDuration::MAX), SimDuration::MAX);
    }
}
