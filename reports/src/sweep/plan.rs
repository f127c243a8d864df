//! What a sweep is to do.

use super::cell::EVENTS;
use super::plot;
use crate::VERSION;
use crate::plan::{ScenarioSource, option_of, quoted};
use isrlab_scenarios::{Axis, Scenario};
use isrlab_sim::cluster::METRICS;
use isrlab_sim::protocol::Profile;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One of several machines' parts of a sweep: every `count`-th cell, from the `index`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Shard {
    /// From 1 to `count`.
    pub index: usize,
    /// At least 1.
    pub count: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected K/N with 1 ≤ K ≤ N, such as 1/4 for the first of four shards".to_owned();
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let shard = Shard { index: number(index)?, count: number(count)? };
        if (1..=shard.count).contains(&shard.index) { Ok(shard) } else { Err(wrong()) }
    }
}

/// A whole sweep, or one shard of it.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The scenario with its overrides.
    pub scenario: Scenario,
    /// The same as the user gave it.
    pub source: ScenarioSource,
    /// The profiles and criteria, in the order of the output.
    pub profiles: Vec<Profile>,
    /// The varied keys; the last varies fastest.
    pub axes: Vec<Axis>,
    /// The first seed; the others follow it.
    pub seed_first: u64,
    /// Seeds of each cell; at least 1.
    pub seeds: u64,
    /// Which of the cells.
    pub shard: Shard,
    /// Runs at the same time; at least 1.
    pub threads: usize,
    /// The folder.
    pub out: PathBuf,
    /// The metrics, or shares, that are drawn.
    pub plots: Vec<String>,
    /// Whether an earlier sweep in that folder may be thrown away unfinished.
    pub restart: bool,
    /// Whether an expectation whose premise never held makes the result inconclusive.
    pub strict: bool,
}

impl SweepPlan {
    /// Combinations of values; 1 where nothing is varied.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.values().len()).fold(1, usize::saturating_mul)
    }

    /// Cells of the whole sweep: points × criteria.
    pub fn cells_in_all(&self) -> usize {
        self.points().saturating_mul(self.profiles.len())
    }

    /// Cells of this shard.
    pub fn cells(&self) -> usize {
        self.cells_in_all().saturating_sub(self.shard.index - 1).div_ceil(self.shard.count)
    }

    /// Runs of this shard.
    pub fn runs(&self) -> usize {
        self.cells().saturating_mul(self.seeds as usize)
    }

    /// The cell of a run, as its number in the whole sweep, and the seed. Runs are numbered from
    /// 0 within the shard: all seeds of its first cell, then of its second.
    pub fn run(&self, run: usize) -> (usize, u64) {
        let seeds = self.seeds as usize;
        (self.cell(run / seeds), self.seed_first + (run % seeds) as u64)
    }

    /// The number in the whole sweep of a cell of this shard.
    pub fn cell(&self, ordinal: usize) -> usize {
        (self.shard.index - 1).saturating_add(ordinal.saturating_mul(self.shard.count))
    }

    /// The criterion of a cell: they vary faster than any key.
    pub fn profile(&self, cell: usize) -> &Profile {
        &self.profiles[cell % self.profiles.len()]
    }

    /// The axes of a cell, each with the number of its value.
    pub fn point(&self, cell: usize) -> Vec<(&Axis, usize)> {
        let lengths: Vec<usize> = self.axes.iter().map(|axis| axis.values().len()).collect();
        self.axes.iter().zip(point_of(cell, self.profiles.len(), &lengths)).collect()
    }

    /// The values of a cell, `KEY=VALUE` as `--set` takes them.
    pub fn settings(&self, cell: usize) -> Vec<String> {
        let point = self.point(cell);
        point.iter().map(|(axis, value)| format!("{}={}", axis.key(), axis.values()[*value].text())).collect()
    }

    /// The command that repeats one run of a cell.
    pub fn repeat_command(&self, cell: usize, seed: u64) -> String {
        let mut words = vec!["isrlab replay".to_owned(), quoted(&self.source.reference)];
        words.extend(profile_words(self.profile(cell)));
        for setting in self.overrides().into_iter().chain(self.settings(cell)) {
            words.extend(["--set".to_owned(), quoted(&setting)]);
        }
        words.extend(["--seed".to_owned(), seed.to_string()]);
        words.join(" ")
    }

    /// The command that repeats the sweep, its shard excepted: what all shards share.
    pub fn command(&self) -> String {
        let mut words = vec!["isrlab sweep".to_owned(), quoted(&self.source.reference)];
        words.extend(self.profiles.iter().flat_map(profile_words));
        for setting in self.overrides() {
            words.extend(["--set".to_owned(), quoted(&setting)]);
        }
        for axis in &self.axes {
            words.extend(["--vary".to_owned(), quoted(axis.given())]);
        }
        words.extend(["--seed".to_owned(), self.seed_first.to_string()]);
        words.extend(["--seeds".to_owned(), self.seeds.to_string()]);
        if self.plots != default_plots() {
            words.extend(self.plots.iter().flat_map(|metric| ["--plot".to_owned(), quoted(metric)]));
        }
        words.join(" ")
    }

    /// The first line of the journal: which sweep it is of, and how its scenario was.
    pub(super) fn journal_header(&self) -> String {
        // FNV-1a: enough to tell one text from another, and the same everywhere.
        let hash = self.source.text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        let header = serde_json::json!({
            "isrlab": VERSION,
            "sweep": self.command(),
            "shard": self.shard.to_string(),
            "scenario_fnv1a": format!("{hash:016x}"),
        });
        header.to_string()
    }

    /// The expectations that name cells of which the whole sweep has none, `file:line: sentence`.
    pub fn unjudged(&self) -> Vec<String> {
        let known = self.scenario.expectations().iter();
        known
            .filter(|known| known.names_no_cell_of(&self.axes, &self.profiles))
            .map(|known| format!("{}: {}", self.scenario.place(known), known.that()))
            .collect()
    }

    /// What was changed in the scenario, `KEY=VALUE`.
    pub fn overrides(&self) -> Vec<String> {
        self.scenario.overrides().iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}

/// What is drawn when nobody says.
pub fn default_plots() -> Vec<String> {
    plot::METRICS.map(str::to_owned).to_vec()
}

/// Whether something can be drawn: a metric or a share.
///
/// # Errors
/// What would be accepted.
pub fn plottable(name: &str) -> Result<String, String> {
    let names = || EVENTS.iter().map(|event| event.name).chain(METRICS.iter().map(|metric| metric.name));
    if names().any(|known| known == name) {
        Ok(name.to_owned())
    } else {
        Err(format!("expected a metric or a share: {}", names().collect::<Vec<_>>().join(", ")))
    }
}

/// The number of the value of each key in a cell: the criterion varies fastest, then the last key.
/// `lengths` are the numbers of values.
pub(crate) fn point_of(cell: usize, criteria: usize, lengths: &[usize]) -> Vec<usize> {
    let mut rest = cell / criteria.max(1);
    let mut point = vec![0; lengths.len()];
    for (place, &length) in point.iter_mut().zip(lengths).rev() {
        *place = rest % length.max(1);
        rest /= length.max(1);
    }
    point
}

fn profile_words(profile: &Profile) -> [String; 2] {
    [option_of(profile.name).to_owned(), quoted(profile.name)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(shard: &str) -> SweepPlan {
        let scenario = Scenario::from_library("kafka-4485").unwrap();
        SweepPlan {
            source: ScenarioSource {
                name: "kafka-4485".into(),
                reference: "kafka-4485".into(),
                text: scenario.source_text().into(),
            },
            profiles: scenario.variants()[..2].to_vec(),
            scenario,
            axes: vec![
                "replica.lag.time.max.ms=5s,10s,30s".parse().unwrap(),
                "link.far.latency=1ms..50ms/8".parse().unwrap(),
            ],
            seed_first: 7,
            seeds: 3,
            shard: shard.parse().unwrap(),
            threads: 1,
            out: PathBuf::new(),
            plots: default_plots(),
            restart: false,
            strict: false,
        }
    }

    #[test]
    fn the_last_axis_varies_fastest_and_criteria_faster() {
        let plan = plan("1/1");
        assert_eq!((plan.points(), plan.cells(), plan.runs()), (24, 48, 144));
        assert_eq!(plan.run(0), (0, 7));
        assert_eq!(plan.run(5), (1, 9));
        assert_eq!(plan.settings(0), ["replica.lag.time.max.ms=5s", "link.far.latency=1ms"]);
        assert_eq!(plan.settings(1), plan.settings(0));
        assert_eq!(plan.settings(2), ["replica.lag.time.max.ms=5s", "link.far.latency=8ms"]);
        assert_eq!(plan.settings(47), ["replica.lag.time.max.ms=30s", "link.far.latency=50ms"]);
        assert_eq!(
            plan.repeat_command(2, 8),
            "isrlab replay kafka-4485 --criterion pre-4485 --set replica.lag.time.max.ms=5s --set \
             link.far.latency=8ms --seed 8"
        );
    }

    #[test]
    fn shards_share_the_cells_out() {
        for count in [1, 2, 5, 48, 60] {
            let mut all: Vec<usize> = (1..=count)
                .flat_map(|index| {
                    let plan = plan(&format!("{index}/{count}"));
                    (0..plan.cells()).map(|ordinal| plan.cell(ordinal)).collect::<Vec<_>>()
                })
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..48).collect::<Vec<_>>(), "{count}");
        }
        for wrong in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
