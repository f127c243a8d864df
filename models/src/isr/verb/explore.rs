//! Walking through an ISR model in a browser.

use std::io::Write;

use clap::Args;
use isrlab_sim::protocol::IsrCriterion;

use super::args::{parse_behaviour, parse_criterion, parse_start};
use crate::checker::explore;
use crate::isr::measure::Measure;
use crate::isr::model::Watch;
use crate::isr::setting::{Behaviour, LimitedReads, Setting, Start};
use crate::verb::exit;

/// Which ISR model is explored, and the claim that is looked at in each state.
#[derive(Args, Clone, Debug)]
pub struct IsrModelArgs {
    /// The criterion.
    #[arg(long, default_value = "pre-4485", value_name = "CRITERION", value_parser = parse_criterion)]
    pub criterion: IsrCriterion,
    /// Followers: 1 or 2.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub followers: u8,
    /// D, replica.lag.time.max in ticks.
    #[arg(long, default_value_t = 4, value_name = "TICKS")]
    pub lag: u8,
    /// P, the period of the check in ticks [default: the criterion's, D or D/2].
    #[arg(long, value_name = "TICKS")]
    pub period: Option<u8>,
    /// F, the longest gap between two fetches of a diligent follower, in ticks.
    #[arg(long, default_value_t = 2, value_name = "TICKS")]
    pub gap: u8,
    /// w, the most records appended in a tick.
    #[arg(long, default_value_t = 1, value_name = "RECORDS")]
    pub writes: u8,
    /// b, the most records in an answer to a fetch [default: all there are].
    #[arg(long, value_name = "RECORDS")]
    pub reads: Option<u8>,
    /// K: with --reads, the producer waits while a follower lacks this many records.
    #[arg(long, default_value_t = 8, value_name = "RECORDS")]
    pub backlog: u8,
    /// M, replica.lag.max.messages; only max-messages reads it.
    #[arg(long, default_value_t = 4, value_name = "RECORDS")]
    pub messages: u8,
    /// How the first follower behaves: diligent, any or returning.
    #[arg(long, default_value = "diligent", value_parser = parse_behaviour)]
    pub behaviour: Behaviour,
    /// Where runs begin: established or election.
    #[arg(long, default_value = "established", value_parser = parse_start)]
    pub start: Start,
    /// What is measured, as `check isr` names it.
    #[arg(long, default_value = "diligent-removed", value_parser = parse_measure)]
    pub measure: Measure,
    /// The bound that is claimed for it.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub bound: u8,
}

impl IsrModelArgs {
    /// The claim.
    pub fn watch(&self) -> Watch {
        // A lag time that is refused later is no reason to calculate a period from it.
        let base = Setting::of(self.criterion).with_lag(self.lag.max(1));
        let setting = Setting {
            followers: self.followers,
            lag: self.lag,
            period: self.period.unwrap_or(base.period),
            gap: self.gap,
            writes: self.writes,
            reads: self.reads.map(|records| LimitedReads { records, backlog: self.backlog }),
            messages_max: self.messages,
            behaviour: self.behaviour,
            start: self.start,
            ..base
        };
        Watch { setting, measure: self.measure, bound: self.bound }
    }
}

fn parse_measure(text: &str) -> Result<Measure, String> {
    let found = Measure::ALL.into_iter().find(|measure| measure.name() == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = Measure::ALL.into_iter().map(Measure::name).collect();
        format!("accepted are {}", names.join(", "))
    })
}

/// Serves the model of one claim on the loopback address until the process ends; says where on
/// `progress`. Port 0 is any that is free. Returns only on an error, with the exit code.
pub fn explore_isr(watch: Watch, port: u16, progress: &mut dyn Write) -> u8 {
    use crate::checker::Checkable;
    if let Err(error) = watch.setting.validate() {
        let _ = writeln!(progress, "error: {error}");
        return exit::USAGE;
    }
    let title = watch.title();
    let served = explore(watch, port, |address| {
        let _ = writeln!(progress, "exploring {title} at http://{address}/ (end with Ctrl-C)");
        let _ = progress.flush();
    });
    match served {
        Ok(()) => exit::OK,
        Err(error) => {
            let _ = writeln!(progress, "error: {error}");
            exit::USAGE
        }
    }
}
