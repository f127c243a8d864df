//! The grid of a sweep: what the cell of a number is.

use super::cells::Cells;
use crate::plan::{option_of, quoted};
use crate::sweep::{SweepManifest, point_of};
use serde::Serialize;

/// The grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// By key: the number that each value stands for, where it is one.
    pub numbers: Vec<Vec<Option<f64>>>,
    /// What the commands are made of that repeat a cell.
    pub commands: CommandParts,
    lengths: Vec<usize>,
    criteria: usize,
}

/// The parts of a command that repeats a cell: first, then the criterion, then what was changed,
/// then a value of each key, then the seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandParts {
    first: String,
    criteria: Vec<String>,
    overrides: String,
    values: Vec<Vec<String>>,
    seeds: String,
}

impl Grid {
    /// The grid of a sweep.
    pub fn of(manifest: &SweepManifest, cells: Option<&Cells>) -> Self {
        let lengths: Vec<usize> = manifest.vary.iter().map(|key| key.values.len()).collect();
        let mut grid = Grid {
            numbers: lengths.iter().map(|&length| vec![None; length]).collect(),
            commands: commands(manifest),
            lengths,
            criteria: manifest.profiles.len().max(1),
        };
        for (number, values) in cells.iter().flat_map(|cells| cells.cells.iter().zip(&cells.values)) {
            for (key, at) in grid.point(*number).into_iter().enumerate() {
                let value = values.get(key).and_then(|text| text.parse().ok());
                if let Some(place) = grid.numbers[key].get_mut(at) {
                    *place = value.filter(|value: &f64| value.is_finite());
                }
            }
        }
        grid
    }

    /// The number of the value of each key in a cell.
    pub fn point(&self, cell: usize) -> Vec<usize> {
        point_of(cell, self.criteria, &self.lengths)
    }

    /// The number of the criterion of a cell.
    pub fn criterion(&self, cell: usize) -> usize {
        cell % self.criteria
    }

    /// The command that repeats a cell.
    pub fn command(&self, cell: usize) -> String {
        let parts = &self.commands;
        let mut command = parts.first.clone();
        command += parts.criteria.get(self.criterion(cell)).map_or("", String::as_str);
        command += &parts.overrides;
        for (values, at) in parts.values.iter().zip(self.point(cell)) {
            command += values.get(at).map_or("", String::as_str);
        }
        command + &parts.seeds
    }
}

fn commands(manifest: &SweepManifest) -> CommandParts {
    let set = |text: &str| format!(" --set {}", quoted(text));
    let criterion = |name: &String| format!(" {} {}", option_of(name), quoted(name));
    let seeds =
        if manifest.seeds.count > 1 { format!(" --seeds {}", manifest.seeds.count) } else { String::new() };
    CommandParts {
        first: format!("isrlab replay {}", quoted(&manifest.scenario_reference)),
        criteria: manifest.profiles.iter().map(criterion).collect(),
        overrides: manifest.overrides.iter().map(|text| set(text)).collect(),
        values: manifest
            .vary
            .iter()
            .map(|key| key.values.iter().map(|value| set(&format!("{}={value}", key.key))).collect())
            .collect(),
        seeds: format!(" --seed {}{seeds}", manifest.seeds.first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> SweepManifest {
        serde_json::from_value(serde_json::json!({
            "made_by": "isrlab", "version": "0.1.0", "kind": "sweep", "state": "complete", "command": "",
            "scenario": "s", "scenario_reference": "my file.toml", "scenario_text": "", "overrides": ["a=1"],
            "vary": [
                { "key": "x", "given": "x=1ms,2ms", "column": "x_ms", "unit": "ms", "values": ["1ms", "2ms"] },
                { "key": "y", "given": "y=a,b,c", "column": "y", "unit": null, "values": ["a", "b", "c"] },
            ],
            "profiles": ["pre-4485", "kafka-2.6"], "seeds": { "first": 7, "count": 3 },
            "shard": { "index": 1, "count": 1 }, "plots": [], "strict": false, "cells": 12, "runs": 36,
            "runs_finished": 36, "files": [],
        }))
        .unwrap()
    }

    #[test]
    fn the_criterion_varies_fastest_and_then_the_last_key() {
        let grid = Grid::of(&manifest(), None);
        assert_eq!((grid.criterion(9), grid.point(9)), (1, vec![1, 1]));
        assert_eq!((grid.criterion(4), grid.point(4)), (0, vec![0, 2]));
        let wanted = "isrlab replay 'my file.toml' --profile kafka-2.6 --set a=1 --set x=2ms --set y=b --seed 7 --seeds 3";
        assert_eq!(grid.command(9), wanted);
    }

    #[test]
    fn values_that_are_numbers_have_their_place_on_an_axis() {
        let cells = Cells {
            cells: vec![0, 9],
            values: vec![vec!["1".into(), "a".into()], vec!["2".into(), "b".into()]],
            ..Cells::default()
        };
        let grid = Grid::of(&manifest(), Some(&cells));
        assert_eq!(grid.numbers, [vec![Some(1.0), Some(2.0)], vec![None, None, None]]);
    }
}
