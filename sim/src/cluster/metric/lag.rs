//! The numbers of lags: the same for each rule of a mirror, and for share groups.

use super::{Metric, MetricValue, Premise, Unit::Count, count, joined, metric};

/// The metrics of the samples of one rule: `$of` is its place in the summary's lags.
macro_rules! of_rule {
    ([$($of:tt)+], $prefix:literal, $who:literal, $premise:expr) => {
        [
            metric(concat!($prefix, "_last"), Count, $premise, |s| known(s.lag.$($of)+.last),
                concat!("The last lag reported by ", $who, ", in records; no value if it is unknown.")),
            metric(concat!($prefix, "_min"), Count, $premise, |s| known(s.lag.$($of)+.min),
                concat!("The lowest lag reported by ", $who, "; no value if none was.")),
            metric(concat!($prefix, "_max"), Count, $premise, |s| known(s.lag.$($of)+.max),
                concat!("The highest lag reported by ", $who, "; no value if none was.")),
            metric(concat!($prefix, "_below_max"), Count, $premise, |s| signed(s.lag.$($of)+.below_max),
                concat!("The most by which ", $who, " was below the true number of records.")),
            metric(concat!($prefix, "_above_max"), Count, $premise, |s| signed(s.lag.$($of)+.above_max),
                concat!("The most by which ", $who, " was above the true number of records.")),
            metric(concat!($prefix, "_unknown"), Count, $premise, |s| count(s.lag.$($of)+.unknown),
                concat!("Looks at which ", $who, " reported nothing.")),
        ]
    };
}
/// All of them, in the order of the columns of `summary.csv`.
pub(super) const METRICS: &[Metric] = &joined::<{ 4 * 6 + 6 + GROUPS.len() + SCRIPTS.len() }>(&[
    &of_rule!([mirror[0]], "mirror_lag_jira", "the rule `jira`", Premise::MIRRORED),
    &of_rule!([mirror[1]], "mirror_lag_jira_corrected", "the rule `jira-corrected`", Premise::MIRRORED),
    &of_rule!([mirror[2]], "mirror_lag_last_polled", "the rule `last-polled`", Premise::MIRRORED),
    &of_rule!([mirror[3]], "mirror_lag_end_offsets", "the rule `end-offsets`", Premise::MIRRORED),
    &of_rule!([share], "share_lag", "the group coordinator (KIP-1226)", Premise::SHARED),
    GROUPS,
    SCRIPTS,
]);

#[rustfmt::skip]
const GROUPS: &[Metric] = {
    type P = Premise;
    &[
        metric("share_lag_quiet_rises", Count, P::SHARED, |s| count(s.lag.groups.quiet_rises),
            "Answers of the group coordinator with a higher lag than the one before, though nothing was produced and no offset altered between the two."),
        metric("share_lag_quiet_rise_max", Count, P::SHARED, |s| signed(s.lag.groups.quiet_rise_max),
            "The most by which one of those was higher, in records."),
        metric("share_records_acknowledged", Count, P::SHARED, |s| count(s.lag.groups.acknowledged),
            "Records that members of share groups have accepted or rejected."),
        metric("share_writes", Count, P::SHARED, |s| count(s.lag.groups.writes),
            "Writes to the share coordinator that share-partition leaders sent."),
        metric("share_writes_failed", Count, P::SHARED, |s| count(s.lag.groups.writes_failed),
            "Those that a fault kept from arriving, or whose answer it kept back."),
        metric("share_writes_late", Count, P::SHARED, |s| count(s.lag.groups.writes_late),
            "Those that a fault made late."),
    ]
};

#[rustfmt::skip]
const SCRIPTS: &[Metric] = &[
    metric("lag_script_steps", Count, Premise::LAG, |s| count(s.lag.script_steps),
        "Scripted steps of mirrors and share groups that were taken."),
    metric("lag_script_steps_skipped", Count, Premise::LAG, |s| count(s.lag.script_steps_skipped),
        "Scripted steps that were not possible when their time came."),
];

fn known(value: Option<i64>) -> Option<MetricValue> {
    value.map(MetricValue::Count)
}

fn signed(value: i64) -> Option<MetricValue> {
    Some(MetricValue::Count(value))
}
