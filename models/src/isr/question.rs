//! The questions, by number and by name, and the measures that answer them.

use super::measure::Measure;

/// A question about the criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// 1: was each member at or above the HW lately, and how far behind can it be?
    G1,
    /// 2: can a diligent follower be removed at all?
    Removal,
    /// 3: how long before a removal did it last read up to the LEO, and can it stay outside?
    G2,
    /// 4: is a replica removed that could join at once, and can it flap for ever?
    Flap,
    /// 5: is what is committed safe, and does it stay uncommitted without need?
    Invariants,
    /// 6: do lags rise by appends and time only, and fall to 0 within a bound?
    Lag,
}

impl Question {
    /// All of them. Question 7, slow followers, is 2 and 3 in settings with limited reads.
    pub const ALL: [Question; 6] =
        [Question::G1, Question::Removal, Question::G2, Question::Flap, Question::Invariants, Question::Lag];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Question::G1 => "g1",
            Question::Removal => "removal",
            Question::G2 => "g2",
            Question::Flap => "flap",
            Question::Invariants => "invariants",
            Question::Lag => "lag",
        }
    }

    /// The question of that name, or number (1 to 6).
    ///
    /// # Errors
    /// Lists what is accepted.
    pub fn from_name(name: &str) -> Result<Question, String> {
        let numbered = Question::ALL.into_iter().zip(1..);
        numbered
            .into_iter()
            .find(|(question, number)| question.name() == name || number.to_string() == name)
            .map(|(question, _)| question)
            .ok_or_else(|| {
                let names: Vec<_> = Question::ALL.into_iter().map(Question::name).collect();
                format!("no question is called '{name}'; known are {}, or 1 to 6", names.join(", "))
            })
    }

    /// The measures that answer it.
    pub fn measures(self) -> &'static [Measure] {
        match self {
            Question::G1 => {
                &[Measure::KnownBelowHighWatermark, Measure::BehindByHeld, Measure::BehindByKnown]
            }
            Question::Removal => &[Measure::DiligentRemoved],
            Question::G2 => &[Measure::ReadBeforeRemoval, Measure::Outside],
            Question::Flap => &[
                Measure::LastFetchWouldJoin,
                Measure::NextFetchWouldJoin,
                Measure::NextFetchJoinsAfter,
                Measure::Removals,
            ],
            Question::Invariants => &[Measure::Broken, Measure::AloneUncommitted],
            Question::Lag => &[Measure::LagRises, Measure::QuietByHeld, Measure::QuietByKnown],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_answers_one_question() {
        for measure in Measure::ALL {
            let asked = Question::ALL.into_iter().filter(|question| question.measures().contains(&measure));
            assert_eq!(asked.count(), 1, "{measure}");
        }
    }

    #[test]
    fn names_and_numbers_are_understood() {
        assert_eq!(Question::from_name("flap"), Ok(Question::Flap));
        assert_eq!(Question::from_name("6"), Ok(Question::Lag));
        assert!(Question::from_name("7").unwrap_err().contains("invariants"));
    }
}
