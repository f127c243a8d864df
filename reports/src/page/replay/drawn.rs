//! Which runs and partitions of a replay are drawn on the page.

use super::super::csv_file::Row;
use super::super::error::PageError;
use crate::output::Manifest;

/// Seeds that are drawn; the tables have all.
pub const SEEDS_MAX: usize = 5;
/// Partitions that are drawn.
pub const PARTITIONS_MAX: usize = 6;

/// The runs that are drawn, numbered by criterion and then by seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnRuns {
    /// Every criterion of the replay.
    pub criteria: Vec<String>,
    /// The first seeds.
    pub seeds: Vec<u64>,
}

impl DrawnRuns {
    /// Those of a replay.
    pub fn of(manifest: &Manifest) -> Self {
        let seeds = manifest.seeds.iter().copied().take(SEEDS_MAX).collect();
        DrawnRuns { criteria: manifest.profiles.clone(), seeds }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.criteria.len() * self.seeds.len()
    }

    /// The number of a run, if it is drawn.
    pub fn find(&self, criterion: &str, seed: u64) -> Option<usize> {
        let criterion = self.criteria.iter().position(|known| known == criterion)?;
        let seed = self.seeds.iter().position(|known| *known == seed)?;
        Some(criterion * self.seeds.len() + seed)
    }

    /// The run that a row is of, if it is drawn.
    ///
    /// # Errors
    /// If the seed is no number.
    pub fn of_row(&self, row: Row<'_>, criterion: usize, seed: usize) -> Result<Option<usize>, PageError> {
        Ok(self.find(row.text(criterion), row.value(seed)?))
    }
}

/// A topic's partition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartitionKey {
    /// The topic.
    pub topic: String,
    /// The partition's number in it.
    pub number: u64,
}

impl std::fmt::Display for PartitionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.topic, self.number)
    }
}

/// The partitions that are drawn: those whose ISR changed most first, then as they come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnPartitions {
    /// Those chosen so far.
    pub chosen: Vec<PartitionKey>,
    /// Whether there are others.
    pub are_more: bool,
}

impl DrawnPartitions {
    /// The index of a partition, if it is drawn; it is while there is room.
    pub fn index(&mut self, topic: &str, number: u64) -> Option<usize> {
        let is_it = |known: &PartitionKey| known.number == number && known.topic == topic;
        if let Some(index) = self.chosen.iter().position(is_it) {
            return Some(index);
        }
        if self.chosen.len() == PARTITIONS_MAX {
            self.are_more = true;
            return None;
        }
        self.chosen.push(PartitionKey { topic: topic.to_owned(), number });
        Some(self.chosen.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_numbered_by_criterion_and_then_by_seed() {
        let runs = DrawnRuns { criteria: vec!["a".into(), "b".into()], seeds: vec![3, 4] };
        assert_eq!(runs.len(), 4);
        assert_eq!(runs.find("b", 3), Some(2));
        assert_eq!((runs.find("b", 5), runs.find("c", 3)), (None, None));
    }

    #[test]
    fn partitions_are_taken_while_there_is_room() {
        let mut drawn = DrawnPartitions::default();
        for number in 0..PARTITIONS_MAX as u64 {
            assert_eq!(drawn.index("t", number), Some(number as usize));
        }
        assert!(!drawn.are_more);
        assert_eq!((drawn.index("t", 0), drawn.index("u", 0)), (Some(0), None));
        assert!(drawn.are_more);
    }
}
