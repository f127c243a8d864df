//! `docs/isr.md` against the program: each row of its tables of formulas is held to the table of
//! expectations over the whole grid.

use isrlab_models::checker::Limits;
use isrlab_models::isr::expected::{Predicted, expected, table};
use isrlab_models::isr::graph::Graph;
use isrlab_models::isr::grid::{default_settings, grid_settings};
use isrlab_models::isr::measure::Measure;
use isrlab_models::isr::setting::{Behaviour, Setting, Start};
use isrlab_sim::protocol::IsrCriterion::{
    self, EpochStart, EqualLeo, MaxMessages, Post4485, Pre4485, Proposed4485,
};
use isrlab_sim::protocol::NewLeaderReset;

const PAGE: &str = include_str!("../../docs/isr.md");

const MERGED: &[IsrCriterion] = &[Post4485, EpochStart, EqualLeo];

/// A cell of the page: what it says of whom.
struct Cell {
    /// The row as the page has it.
    row: &'static str,
    measure: Measure,
    criteria: &'static [IsrCriterion],
    start: Start,
    behaviour: Behaviour,
    /// What else the row is about.
    only_if: fn(&Setting) -> bool,
    says: fn(Numbers) -> Predicted,
}

/// D, P, F, w, M and n.
#[derive(Clone, Copy)]
struct Numbers {
    d: u32,
    p: u32,
    f: u32,
    w: u32,
    m: u32,
    n: u32,
}

fn numbers(setting: &Setting) -> Numbers {
    let Setting { lag, period, gap, writes, messages_max, followers, .. } = *setting;
    let [d, p, f, w, m, n] = [lag, period, gap, writes, messages_max, followers].map(u32::from);
    Numbers { d, p, f, w, m, n }
}

fn exactly(value: u32) -> Predicted {
    Predicted::Exactly(u8::try_from(value).expect("small"))
}

fn yes(condition: bool) -> Predicted {
    exactly(condition.into())
}

fn any(_: &Setting) -> bool {
    true
}

fn one(setting: &Setting) -> bool {
    setting.followers == 1
}

const REMOVED: &str =
    "| a diligent follower is removed if | F > D or w(2F + 1) > M | always | F > D | 2F > D |";
const HELD: &str = "| oldest record a member lacks | D + P | D + P | D + P | D + P |";
const HELD_DILIGENT: &str = "| … a diligent one | min(F, D + P) | the same | the same | the same |";
const KNOWN: &str =
    "| … as the leader knows | D + P + n·P·(⌊D/P⌋ + 1) | D + P | D + P + n·P·(⌊D/P⌋ + 1) | unbounded |";
const KNOWN_DILIGENT: &str = "| … a diligent one (n = 1) | min(2F, D + P + P·(⌊D/P⌋ + 1)) | min(2F, D + P) | as \
                              max-messages | min(2F, max(D, F) + P) |";
const LAST_READ: &str = "| last read to the LEO before a removal, diligent | least t₃ − t₂, below | 0 | D + 1 | \
                         max(0, D + 1 − F) |";
const BACK: &str = "| back in the ISR after | unbounded | unbounded | unbounded | 2F if 2F ≤ D |";
const BACK_ELECTED: &str =
    "| … after an election, diligent | unbounded | unbounded | unbounded | 3F − 1 if 2F ≤ D |";
const QUIET: &str =
    "| nothing appended: it holds all after / the leader knows after | F / 2F | F / 2F | F / 2F | F / 2F |";
const ALONE: &str =
    "| records uncommitted though the ISR is the leader alone | 0 | 0 | 0 | unbounded; diligent (n = 1): F |";

fn cells() -> Vec<Cell> {
    use Behaviour::{Any, Diligent, Returning};
    use Measure as M;
    use Start::{Election, Established};
    let cell = |row, measure, criteria, start, behaviour, only_if, says| Cell {
        row,
        measure,
        criteria,
        start,
        behaviour,
        only_if,
        says,
    };
    let all: &[IsrCriterion] = &IsrCriterion::ALL;
    let alone: &[IsrCriterion] = &[MaxMessages, Pre4485, Proposed4485];
    let counted: &[IsrCriterion] = &[MaxMessages, Proposed4485];
    vec![
        cell(REMOVED, M::DiligentRemoved, &[MaxMessages], Established, Diligent, any, |x| {
            yes(x.f > x.d || x.w * (2 * x.f + 1) > x.m)
        }),
        cell(REMOVED, M::DiligentRemoved, &[Pre4485], Established, Diligent, any, |_| yes(true)),
        cell(REMOVED, M::DiligentRemoved, &[Proposed4485], Established, Diligent, any, |x| yes(x.f > x.d)),
        cell(REMOVED, M::DiligentRemoved, MERGED, Established, Diligent, any, |x| yes(2 * x.f > x.d)),
        cell(HELD, M::BehindByHeld, all, Established, Any, any, |x| exactly(x.d + x.p)),
        cell(HELD_DILIGENT, M::BehindByHeld, all, Established, Diligent, any, |x| {
            exactly(x.f.min(x.d + x.p))
        }),
        cell(KNOWN, M::BehindByKnown, counted, Established, Any, any, |x| {
            exactly(x.d + x.p + x.n * x.p * (x.d / x.p + 1))
        }),
        cell(KNOWN, M::BehindByKnown, &[Pre4485], Established, Any, any, |x| exactly(x.d + x.p)),
        cell(KNOWN, M::BehindByKnown, MERGED, Established, Any, any, |_| Predicted::Unbounded),
        cell(KNOWN_DILIGENT, M::BehindByKnown, counted, Established, Diligent, one, |x| {
            exactly((2 * x.f).min(x.d + x.p + x.p * (x.d / x.p + 1)))
        }),
        cell(KNOWN_DILIGENT, M::BehindByKnown, &[Pre4485], Established, Diligent, one, |x| {
            exactly((2 * x.f).min(x.d + x.p))
        }),
        cell(KNOWN_DILIGENT, M::BehindByKnown, MERGED, Established, Diligent, one, |x| {
            exactly((2 * x.f).min(x.d.max(x.f) + x.p))
        }),
        cell(LAST_READ, M::ReadBeforeRemoval, &[Pre4485], Established, Diligent, any, |_| exactly(0)),
        cell(LAST_READ, M::ReadBeforeRemoval, &[Proposed4485], Established, Diligent, any, |x| {
            if x.f > x.d { exactly(x.d + 1) } else { Predicted::Never }
        }),
        cell(LAST_READ, M::ReadBeforeRemoval, MERGED, Established, Diligent, any, |x| {
            if 2 * x.f > x.d { exactly((x.d + 1).saturating_sub(x.f)) } else { Predicted::Never }
        }),
        cell(BACK, M::Outside, alone, Established, Returning, any, |_| Predicted::Unbounded),
        cell(BACK, M::Outside, MERGED, Established, Returning, any, |x| {
            if 2 * x.f > x.d { Predicted::Unbounded } else { exactly(2 * x.f) }
        }),
        cell(BACK_ELECTED, M::Outside, alone, Election, Diligent, any, |_| Predicted::Unbounded),
        cell(BACK_ELECTED, M::Outside, MERGED, Election, Diligent, any, |x| {
            if 2 * x.f > x.d { Predicted::Unbounded } else { exactly(3 * x.f - 1) }
        }),
        cell(QUIET, M::QuietByHeld, all, Established, Returning, any, |x| exactly(x.f)),
        cell(QUIET, M::QuietByKnown, all, Established, Returning, any, |x| exactly(2 * x.f)),
        cell(ALONE, M::AloneUncommitted, alone, Established, Any, any, |_| exactly(0)),
        cell(ALONE, M::AloneUncommitted, MERGED, Established, Any, any, |_| Predicted::Unbounded),
        cell(
            ALONE,
            M::AloneUncommitted,
            MERGED,
            Established,
            Diligent,
            |setting| one(setting) && 2 * setting.gap > setting.lag,
            |x| exactly(x.f),
        ),
    ]
}

#[test]
fn the_formulas_of_the_page_are_those_of_the_table() {
    let plain: Vec<Setting> = grid_settings().into_iter().filter(|setting| setting.reads.is_none()).collect();
    for cell in cells() {
        assert!(PAGE.contains(cell.row), "docs/isr.md should have the row\n{}", cell.row);
        let about = plain.iter().filter(|setting| {
            cell.criteria.contains(&setting.criterion)
                && setting.start == cell.start
                && setting.behaviour == cell.behaviour
                && (cell.only_if)(setting)
        });
        let mut compared = 0;
        for setting in about {
            // A special line may speak before a formula: of an election, or of F far above D.
            let line = expected(setting, cell.measure).expect("the table speaks of the grid");
            assert_eq!(
                (cell.says)(numbers(setting)),
                (line.value)(setting),
                "{setting}: {}: {}",
                cell.row,
                line.formula
            );
            compared += 1;
        }
        assert!(compared > 20, "{}: {compared} settings", cell.row);
    }
}

#[test]
fn the_claims_of_the_page_are_those_of_the_table() {
    let says = |text: &str| assert!(PAGE.contains(text), "docs/isr.md should say: {text}");
    let value = |criterion, reset, start, behaviour, measure| {
        let setting = Setting { start, behaviour, reset, ..Setting::of(criterion) };
        (expected(&setting, measure).expect("in the table").value)(&setting)
    };
    let as_written = |criterion, reset, start| {
        value(criterion, reset, start, Behaviour::Any, Measure::KnownBelowHighWatermark)
    };
    // D = 4 and P = 2.
    assert_eq!(as_written(Post4485, NewLeaderReset::ForgetAll, Start::Election), exactly(1));
    assert_eq!(as_written(Post4485, NewLeaderReset::IsrNow, Start::Election), exactly(6));
    assert_eq!(as_written(Proposed4485, NewLeaderReset::KeepTimes, Start::Election), exactly(6));
    assert_eq!(as_written(Proposed4485, NewLeaderReset::KeepTimes, Start::Established), exactly(0));
    says("as merged: holds with bound P − 1; as released: D + P");
    let at_removal = |criterion, behaviour| {
        value(criterion, NewLeaderReset::IsrNow, Start::Established, behaviour, Measure::ReadBeforeRemoval)
    };
    assert_eq!(at_removal(Proposed4485, Behaviour::Any), exactly(5));
    says("**holds exactly**: its last read up to the LEO was D + 1 ticks ago or more");
    assert_eq!(at_removal(Post4485, Behaviour::Any), exactly(0));
    says("refuted: 0 ticks. After a pause");
    let returning = |criterion, measure| {
        value(criterion, NewLeaderReset::IsrNow, Start::Established, Behaviour::Returning, measure)
    };
    assert_eq!(returning(Proposed4485, Measure::Outside), Predicted::Unbounded);
    assert_eq!(returning(Post4485, Measure::Outside), exactly(4));
    says("**refuted by a cycle**: it reads up to the LEO for ever and never gets back, for any F");
    assert_eq!(returning(Pre4485, Measure::Removals), Predicted::Unbounded);
    assert_eq!(returning(Proposed4485, Measure::Removals), exactly(0));
    assert_eq!(returning(Post4485, Measure::Removals), exactly(1));
    says(
        "| removals after a follower is back for good | for ever, for every F | none, if F ≤ D | at most 1, if 2F ≤ D; else for ever |",
    );
}

#[test]
fn the_page_names_the_size_of_the_grid_and_every_formula_of_slow_followers() {
    let settings = grid_settings().len();
    assert!((11_500..12_500).contains(&settings) && PAGE.contains("some 12,000 settings"), "{settings}");
    let back = "F·(2 + ⌈(K + w − b)/(b − wF)⌉)";
    assert!(PAGE.contains(back) && table().iter().any(|line| line.formula.starts_with(back)));
    assert!(PAGE.contains("`max-messages` keeps it only if w(2F + 1) ≤ M"));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the largest state spaces take a while")]
fn the_page_names_the_smallest_and_the_largest_state_space() {
    let size =
        |setting: &Setting| Graph::explore(setting, &Limits::default()).expect("no limit").states().len();
    let sizes: Vec<usize> = default_settings().iter().map(size).collect();
    let (least, most) = (sizes.iter().min().expect("some"), sizes.iter().max().expect("some"));
    let said = format!("({least} to {},{:03} states at D = 4)", most / 1_000, most % 1_000);
    assert!(PAGE.contains(&said), "docs/isr.md should say {said}");
}
