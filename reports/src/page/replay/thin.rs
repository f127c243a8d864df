//! Fewer points of a long series, chosen so that no extreme is lost.

/// Keeps of every so many points the first and, for each score, the one with the highest.
#[derive(Clone, Debug)]
pub struct Thinner<T, const SCORES: usize> {
    every: u64,
    in_bucket: u64,
    first: Option<T>,
    highest: [Option<(f64, u64, T)>; SCORES],
    kept: Vec<T>,
    seen: u64,
}

impl<T: Clone, const SCORES: usize> Thinner<T, SCORES> {
    /// Of about `expected` points keeps about `most`.
    pub fn new(expected: u64, most: u64) -> Self {
        let buckets = (most / (1 + SCORES as u64)).max(1);
        let every = if expected > most { expected.div_ceil(buckets) } else { 1 };
        Thinner {
            every,
            in_bucket: 0,
            first: None,
            highest: std::array::from_fn(|_| None),
            kept: Vec::new(),
            seen: 0,
        }
    }

    /// Adds a point with its scores; one without a score is not kept for it.
    pub fn push(&mut self, point: T, scores: [Option<f64>; SCORES]) {
        self.seen += 1;
        if self.every == 1 {
            self.kept.push(point);
            return;
        }
        for (highest, score) in self.highest.iter_mut().zip(scores) {
            let Some(score) = score else { continue };
            if highest.as_ref().is_none_or(|(known, ..)| score > *known) {
                *highest = Some((score, self.in_bucket, point.clone()));
            }
        }
        if self.in_bucket == 0 {
            self.first = Some(point);
        }
        self.in_bucket += 1;
        if self.in_bucket == self.every {
            self.end_bucket();
        }
    }

    fn end_bucket(&mut self) {
        self.kept.extend(self.first.take());
        let mut chosen: Vec<(u64, T)> =
            self.highest.iter_mut().filter_map(Option::take).map(|(_, at, point)| (at, point)).collect();
        chosen.sort_by_key(|(at, _)| *at);
        chosen.dedup_by_key(|(at, _)| *at);
        self.kept.extend(chosen.into_iter().filter(|(at, _)| *at > 0).map(|(_, point)| point));
        self.in_bucket = 0;
    }

    /// The points, and how many there were.
    pub fn finish(mut self) -> (Vec<T>, u64) {
        if self.in_bucket > 0 {
            self.end_bucket();
        }
        (self.kept, self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_all_stay() {
        let mut thinner = Thinner::<u64, 1>::new(10, 10);
        (0..10).for_each(|point| thinner.push(point, [None]));
        assert_eq!(thinner.finish(), ((0..10).collect(), 10));
    }

    #[test]
    fn extremes_of_many_points_stay_in_order() {
        let mut thinner = Thinner::<u64, 2>::new(1_000, 30);
        for point in 0..1_000 {
            let spike = if point == 777 { 9.0 } else { 0.0 };
            let dip = (point == 123).then_some(1.0);
            thinner.push(point, [Some(spike), dip]);
        }
        let (kept, seen) = thinner.finish();
        assert_eq!(seen, 1_000);
        assert!(kept.contains(&777) && kept.contains(&123) && kept.contains(&0), "{kept:?}");
        assert!(kept.len() <= 30 && kept.is_sorted(), "{kept:?}");
    }

    #[test]
    fn more_points_than_were_expected_still_are_thinned() {
        let mut thinner = Thinner::<u64, 1>::new(100, 10);
        (0..10_000).for_each(|point| thinner.push(point, [Some(point as f64)]));
        assert!(thinner.finish().0.len() <= 1_000);
    }
}
