//! Which settings are answered: the default ones, and the grid that the formulas are held against.

use isrlab_sim::protocol::{IsrCriterion, NewLeaderReset};

use super::setting::{Behaviour, LimitedReads, Setting, Start};

/// The settings of `check isr` without arguments: D = 4, the criterion's own P, w = 1, M = 4; gaps
/// up to D / 2, up to D, and above; both starts; one and two followers; and limited reads (faster than, as fast as and slower than the producer).
pub fn default_settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for criterion in IsrCriterion::ALL {
        for (followers, gaps) in [(1, &[2, 3, 5][..]), (2, &[2][..])] {
            for &gap in gaps {
                let base = Setting { followers, gap, ..Setting::of(criterion) };
                settings.extend(with_starts_and_behaviours(base, gap == gaps[0]));
            }
        }
        for (writes, reads) in [(1, 3), (1, 1), (2, 1)] {
            for behaviour in [Behaviour::Diligent, Behaviour::Returning] {
                let reads = Some(LimitedReads { records: reads, backlog: 8 });
                settings.push(Setting { behaviour, reads, writes, gap: 1, ..Setting::of(criterion) });
            }
        }
    }
    settings
}

/// The grid: D from 1, P up to D + 1 (so that P need not divide D), F up to D + 2, several w and M;
/// limited reads slower than, as fast as, and faster than the producer.
pub fn grid_settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for criterion in IsrCriterion::ALL {
        for (followers, largest_lag) in [(1, 5), (2, 3)] {
            for (writes, messages_max) in loads(criterion, followers) {
                for lag in 1..=largest_lag {
                    let base = Setting { followers, writes, messages_max, lag, ..Setting::of(criterion) };
                    settings.extend(periods_and_gaps(base));
                }
            }
        }
        settings.extend(limited_grid(criterion));
    }
    settings
}

/// w and M. Only `max-messages` counts records; for the rest w = 2 shows that it does not matter.
fn loads(criterion: IsrCriterion, followers: u8) -> Vec<(u8, u8)> {
    match (criterion, followers) {
        (IsrCriterion::MaxMessages, 1) => {
            vec![(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 7), (2, 2), (2, 5), (2, 8), (3, 7)]
        }
        (IsrCriterion::MaxMessages, _) => vec![(1, 1), (1, 3)],
        (_, 1) => vec![(1, 4), (2, 4)],
        _ => vec![(1, 4)],
    }
}

fn periods_and_gaps(base: Setting) -> Vec<Setting> {
    let mut settings = Vec::new();
    for period in 1..=base.lag + 1 {
        for gap in 1..=base.lag + 2 {
            let base = Setting { period, gap, ..base };
            settings.extend(with_starts_and_behaviours(base, gap == 1));
        }
    }
    settings
}

/// Both starts and all behaviours; [`Behaviour::Any`] only `with_any`, as F does not matter to it.
fn with_starts_and_behaviours(base: Setting, with_any: bool) -> Vec<Setting> {
    let mut settings = Vec::new();
    for start in Start::ALL {
        for reset in resets(base.criterion, start) {
            for behaviour in Behaviour::ALL {
                if behaviour != Behaviour::Any || with_any {
                    settings.push(Setting { start, reset, behaviour, ..base });
                }
            }
        }
    }
    settings
}

/// What new leaders of the criterion's versions did. KAFKA-4485 was merged with a reset that never
/// shipped (KAFKA-4441 mended it before 0.10.2.0): both are asked.
pub(super) fn resets(criterion: IsrCriterion, start: Start) -> Vec<NewLeaderReset> {
    match (criterion, start) {
        (IsrCriterion::Post4485, Start::Election) => vec![NewLeaderReset::ForgetAll, NewLeaderReset::IsrNow],
        _ => vec![criterion.reset_as_recorded()],
    }
}

fn limited_grid(criterion: IsrCriterion) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (followers, lags, backlogs) in [(1, 2..=4, &[8, 12][..]), (2, 2..=2, &[6][..])] {
        for lag in lags {
            for &backlog in backlogs {
                for (records, writes, gap) in [
                    (4, 1, 1),
                    (3, 1, 1),
                    (2, 1, 1),
                    (1, 1, 1),
                    (4, 1, 2),
                    (3, 1, 2),
                    (2, 1, 2),
                    (1, 1, 2),
                    (4, 2, 1),
                    (2, 2, 1),
                    (1, 2, 1),
                ] {
                    for behaviour in [Behaviour::Diligent, Behaviour::Returning] {
                        let reads = Some(LimitedReads { records, backlog });
                        let base = Setting {
                            followers,
                            alike: true,
                            behaviour,
                            reads,
                            writes,
                            gap,
                            ..Setting::of(criterion)
                        };
                        settings.push(base.with_lag(lag));
                    }
                }
            }
        }
    }
    settings
}
