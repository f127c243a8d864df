//! What both kinds of scenario have in common.

use std::fmt::Write;

use crate::trace::Trace;

/// From one step to the next, microseconds.
const APART: u64 = 20;
/// Lags are looked at at multiples of this, between the steps, microseconds.
const LOOKED_AT: u64 = 10;
/// One tick of a model, microseconds: the unit of the brokers' clocks.
const TICK: u64 = 1_000;

/// When the steps happen. In one tick they are ordered by microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    tick: u64,
    steps: u64,
}

impl Clock {
    /// The next tick begins.
    pub(super) fn tick(&mut self) {
        (self.tick, self.steps) = (self.tick + 1, 0);
    }

    /// The time of the next step, microseconds.
    ///
    /// # Errors
    /// There are more steps than fit into a tick.
    pub(super) fn step(&mut self) -> Result<u64, String> {
        self.steps += 1;
        let within = self.steps * APART;
        if within + LOOKED_AT >= TICK {
            return Err(format!("more than {} steps in one tick do not fit into 1 ms", TICK / APART - 1));
        }
        Ok(self.tick * TICK + within)
    }

    /// A time at which the state after the last step can be seen.
    pub(super) fn look(self) -> u64 {
        self.tick * TICK + self.steps * APART + LOOKED_AT
    }
}

/// One step of a script.
pub(super) struct ScriptStep {
    pub(super) at: u64,
    pub(super) kind: &'static str,
    pub(super) offset: Option<u8>,
}

/// What is to be seen at a time.
pub(super) struct Look {
    pub(super) at: u64,
    /// The step before it, in words.
    pub(super) after: String,
    /// Keys and values as TOML has them.
    pub(super) values: Vec<(&'static str, String)>,
}

/// A scenario under way.
pub(super) struct Page<'a> {
    pub(super) trace: &'a Trace,
    /// `mirror`, or `share-group`.
    pub(super) actor: &'static str,
    pub(super) topics: &'a [&'a str],
    /// The actor's own keys, as TOML has them.
    pub(super) keys: Vec<(&'static str, String)>,
    /// When something is appended to the first topic.
    pub(super) appends: Vec<u64>,
    pub(super) script: Vec<ScriptStep>,
    pub(super) looks: Vec<Look>,
}

/// A number, or that it is not known.
pub(super) fn known(value: Option<impl Into<i64>>) -> String {
    value.map_or("\"unknown\"".to_owned(), |value| value.into().to_string())
}

/// A list of numbers.
pub(super) fn list(values: impl IntoIterator<Item = u8>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}

impl Page<'_> {
    /// The scenario, as TOML.
    pub(super) fn written(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_head(&mut out);
        let _ = self.write_actor(&mut out);
        let _ = self.write_looks(&mut out);
        out
    }

    fn write_head(&self, out: &mut String) -> std::fmt::Result {
        let Trace { model, violated, conclusion, .. } = self.trace;
        writeln!(out, "title = \"{model}: {} is violated\"\n", violated.name)?;
        writeln!(out, "about = \"\"\"\nIt is claimed: {}.\nIt is not so:", violated.statement)?;
        for sentence in conclusion {
            writeln!(out, "{sentence}.")?;
        }
        writeln!(
            out,
            "\nA tick of the model, if it has any, is 1 ms here; what happens in one tick is ordered by microseconds."
        )?;
        writeln!(out, "\"\"\"\n")?;
        let end = self.looks.last().map_or(LOOKED_AT, |look| look.at);
        writeln!(out, "duration = \"{}us\"\n\"sample.every\" = \"{LOOKED_AT}us\"", end + LOOKED_AT)?;
        writeln!(out, "compare = [\"kafka-3.9\"]\n\n[[broker]]\nid = 1\n")?;
        for topic in self.topics {
            writeln!(out, "[[topic]]\nname = \"{topic}\"\nreplicas = [1]\n")?;
        }
        if let (Some(topic), false) = (self.topics.first(), self.appends.is_empty()) {
            let times: Vec<String> = self.appends.iter().map(|at| format!("\"{at}us\"")).collect();
            writeln!(out, "[[producer]]\nname = \"producer\"\ntopic = \"{topic}\"")?;
            writeln!(out, "arrivals = {{ kind = \"recorded\", times = [{}] }}\n", times.join(", "))?;
        }
        writeln!(out, "[link.producer]\nlatency = \"0s\"\n")
    }

    fn write_actor(&self, out: &mut String) -> std::fmt::Result {
        let actor = self.actor;
        writeln!(out, "[[{actor}]]\nname = \"{actor}\"")?;
        for (key, value) in &self.keys {
            writeln!(out, "\"{key}\" = {value}")?;
        }
        for ScriptStep { at, kind, offset } in &self.script {
            writeln!(out, "\n[[{actor}.step]]\nat = \"{at}us\"\nkind = \"{kind}\"")?;
            if let Some(offset) = offset {
                writeln!(out, "offset = {offset}")?;
            }
        }
        writeln!(out)
    }

    fn write_looks(&self, out: &mut String) -> std::fmt::Result {
        for (metric, value) in [("lag_script_steps", self.script.len()), ("lag_script_steps_skipped", 0)] {
            let words = if value == 0 { "no step is passed over" } else { "every step is taken" };
            writeln!(out, "[[expect]]\nthat = \"{words}\"\nmetric = \"{metric}\"\nequals = {value}\n")?;
        }
        let last = self.looks.len().saturating_sub(1);
        for (number, look) in self.looks.iter().enumerate() {
            writeln!(out, "[[expect]]")?;
            let violated = self.trace.violated.name;
            let here = if number == last { format!("; {violated} is violated") } else { String::new() };
            writeln!(out, "that = \"step {}: {}{here}\"", number + 1, look.after)?;
            writeln!(out, "when = \"{}us\"\n{} = \"{}\"", look.at, self.actor, self.actor)?;
            for (key, value) in &look.values {
                writeln!(out, "\"{key}\" = {value}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
