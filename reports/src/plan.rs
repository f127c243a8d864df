//! What a replay is to do.

use isrlab_scenarios::{Diagnostics, Scenario};
use isrlab_sim::cluster::ClusterSpec;
use isrlab_sim::engine::SimDuration;
use isrlab_sim::protocol::Profile;
use std::path::PathBuf;
use std::sync::Arc;

/// The scenario as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioSource {
    /// Its name.
    pub name: String,
    /// How the user called for it: a library name or a path. It is put into the commands that
    /// repeat a run.
    pub reference: String,
    /// The full text of the file.
    pub text: String,
}

/// One cluster to run: the scenario under one profile or criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The name in every row: the profile's or criterion's.
    pub name: Arc<str>,
    /// The option that asks for it on the command line, `--criterion` or `--profile`.
    pub option: &'static str,
    /// The cluster.
    pub spec: ClusterSpec,
}

impl Variant {
    /// The variant of a specification, called as its profile.
    pub fn of(spec: ClusterSpec) -> Self {
        let name = spec.profile.name;
        Variant { name: Arc::from(name), option: option_of(name), spec }
    }
}

/// A whole replay: each variant under each seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The scenario.
    pub scenario: ScenarioSource,
    /// What was changed in it, `KEY=VALUE` as `--set` takes them, in order; a `--duration` is one
    /// of them.
    pub overrides: Vec<String>,
    /// The variants, in the order of the output.
    pub variants: Vec<Variant>,
    /// The seeds, in the order of the output. The commands that repeat a replay take them for
    /// consecutive, as `--seed` and `--seeds` give them.
    pub seeds: Vec<u64>,
    /// How often `timeline.csv` and the plot look; never when absent.
    pub sample_every: Option<SimDuration>,
    /// Runs at the same time; at least 1.
    pub threads: usize,
    /// The run folder; nothing is written when absent.
    pub out: Option<PathBuf>,
    /// Whether a fault never applied or a premise never met makes the result inconclusive.
    pub strict: bool,
}

impl Plan {
    /// The plan of a scenario with its own duration, seed and sampling, overrides included:
    /// under `profiles`, or under those that the scenario compares. `reference` is how the user
    /// called for it. Nothing is written, on one thread, until the plan says so.
    ///
    /// # Errors
    /// What is wrong with the scenario under one of the profiles.
    pub fn of_scenario(
        scenario: &Scenario,
        reference: &str,
        profiles: Option<&[Profile]>,
    ) -> Result<Self, Diagnostics> {
        let profiles = profiles.unwrap_or(scenario.variants());
        let variants = profiles.iter().map(|profile| Ok(Variant::of(scenario.cluster_spec(profile)?)));
        Ok(Plan {
            scenario: ScenarioSource {
                name: scenario.name().to_owned(),
                reference: reference.to_owned(),
                text: scenario.source_text().to_owned(),
            },
            overrides: scenario.overrides().iter().map(|(key, value)| format!("{key}={value}")).collect(),
            variants: variants.collect::<Result<_, Diagnostics>>()?,
            seeds: vec![scenario.seed()],
            sample_every: Some(scenario.sample_every()),
            threads: 1,
            out: None,
            strict: false,
        })
    }

    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.variants.len() * self.seeds.len()
    }

    /// The variant and seed of a run, numbered from 0 in the order of the output: all seeds of
    /// the first variant, then all of the second.
    pub fn run(&self, run: usize) -> (&Variant, u64) {
        (&self.variants[run / self.seeds.len()], self.seeds[run % self.seeds.len()])
    }

    /// The command that repeats one run.
    pub fn repeat_command(&self, variant: &Variant, seed: u64) -> String {
        self.command_for(std::slice::from_ref(variant), &[seed])
    }

    /// The command that repeats the whole replay.
    pub fn command(&self) -> String {
        self.command_for(&self.variants, &self.seeds)
    }

    fn command_for(&self, variants: &[Variant], seeds: &[u64]) -> String {
        let mut words = vec!["isrlab".to_owned(), "replay".to_owned(), quoted(&self.scenario.reference)];
        for variant in variants {
            words.extend([variant.option.to_owned(), quoted(&variant.name)]);
        }
        for change in &self.overrides {
            words.extend(["--set".to_owned(), quoted(change)]);
        }
        if let Some(seed) = seeds.first() {
            words.extend(["--seed".to_owned(), seed.to_string()]);
        }
        if seeds.len() > 1 {
            words.extend(["--seeds".to_owned(), seeds.len().to_string()]);
        }
        words.join(" ")
    }
}

/// The option that asks for a profile or criterion of this name.
pub(crate) fn option_of(name: &str) -> &'static str {
    if name.starts_with("kafka-") { "--profile" } else { "--criterion" }
}

/// A word as a POSIX shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("replica.lag.time.max.ms=10s"), "replica.lag.time.max.ms=10s");
        assert_eq!(quoted("my file.toml"), "'my file.toml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
