//! A refutation as a scenario file: the simulator goes the same way, and the file's expectations
//! say what the model found after each step.
//!
//! One tick is one millisecond, the unit of the brokers' clocks; events of one tick are ordered by
//! microseconds, with the check at a fixed one. Records have one byte, so that a limit of records
//! is a limit of bytes; links take no time, and each fetch is answered at once.

use std::fmt::Write;

use isrlab_sim::protocol::{LeaderSettings, Offset, Profile, ReplicaSet};

use super::refutation::Refutation;
use super::schedule::{APART, CHECK_AT, Election, Event, Schedule, Snapshot, Timed};
use super::setting::Setting;

/// The topic of a saved scenario.
const TOPIC: &str = "records";

/// The scenario of a refutation, as TOML.
///
/// # Errors
/// No profile of the simulator has the rules and the reset of the setting, in words.
pub fn scenario(refutation: &Refutation) -> Result<String, String> {
    let setting = &refutation.setting;
    let schedule = refutation.schedule();
    let profile = profile_of(setting).ok_or_else(|| {
        format!("no Kafka version has {} and what a new leader remembers in [{setting}]", setting.criterion)
    })?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_head(&mut text, refutation, &schedule, profile.name);
    let _ = write_settings(&mut text, setting);
    let _ = write_brokers(&mut text, &schedule);
    let _ = write_topic(&mut text, &schedule);
    let _ = write_producer(&mut text, &schedule);
    let _ = write_expectations(&mut text, &schedule);
    Ok(text)
}

/// The profile that has the rules of a setting: a bare criterion before a version.
pub fn profile_of(setting: &Setting) -> Option<Profile> {
    let wanted = setting.leader();
    let bare = Profile::of_criterion(setting.criterion);
    std::iter::once(bare)
        .chain(Profile::VERSIONS)
        .find(|profile| LeaderSettings { lag: wanted.lag, ..LeaderSettings::of_profile(profile) } == wanted)
}

/// When an event happens in the simulator, in microseconds.
pub fn micros(timed: &Timed) -> u64 {
    1_000 * u64::from(timed.tick) + u64::from(timed.thousandths)
}

/// A time at which the state after an event can be seen, before the next one.
pub fn seen_micros(timed: &Timed) -> u64 {
    micros(timed) + u64::from(APART)
}

fn write_head(
    out: &mut String,
    refutation: &Refutation,
    schedule: &Schedule,
    profile: &str,
) -> std::fmt::Result {
    writeln!(out, "title = \"{}: refuted\"\n", refutation.claim)?;
    writeln!(out, "about = \"\"\"")?;
    for sentence in &refutation.story {
        writeln!(out, "{sentence}")?;
    }
    writeln!(
        out,
        "\nOne tick of the model is 1 ms here; what happens in one tick is ordered by microseconds."
    )?;
    writeln!(out, "\"\"\"\n")?;
    let end = schedule.events.last().map_or(u64::from(APART), seen_micros);
    writeln!(out, "duration = \"{end}us\"")?;
    writeln!(out, "sample.every = \"{APART}us\"")?;
    writeln!(out, "compare = [\"{profile}\"]\n")
}

fn write_settings(out: &mut String, setting: &Setting) -> std::fmt::Result {
    writeln!(out, "[settings]")?;
    writeln!(out, "\"replica.lag.time.max.ms\" = {}", setting.lag)?;
    writeln!(out, "\"replica.lag.max.messages\" = {}", setting.messages_max)?;
    writeln!(out, "\"isr.check.period\" = \"{}ms\"", setting.period)?;
    writeln!(out, "# Each fetch is answered at once.")?;
    writeln!(out, "\"replica.fetch.wait.max.ms\" = 0")?;
    writeln!(out, "\"replica.fetch.min.bytes\" = 0")?;
    if let Some(reads) = setting.reads {
        writeln!(out, "\"replica.fetch.max.bytes\" = {}", reads.records)?;
    }
    writeln!(out)
}

/// Broker 1 leads; the others are the followers, in order.
fn write_brokers(out: &mut String, schedule: &Schedule) -> std::fmt::Result {
    let period = u32::from(schedule.setting.period);
    let first_check = (period - u32::from(schedule.phase)) % period;
    writeln!(out, "[[broker]]\nid = 1")?;
    writeln!(out, "\"isr.check.first\" = \"{}us\"\n", 1_000 * first_check + CHECK_AT)?;
    for slot in 1..=schedule.setting.followers {
        let fetches = schedule.events.iter().filter(|timed| timed.event == Event::Fetch(slot));
        let times: Vec<String> = fetches.map(|timed| format!("\"{}us\"", micros(timed))).collect();
        writeln!(out, "[[broker]]\nid = {}", broker(slot.into()))?;
        writeln!(out, "fetches = [{}]\n", times.join(", "))?;
    }
    Ok(())
}

fn broker(slot: usize) -> usize {
    slot + 1
}

fn brokers(slots: ReplicaSet) -> String {
    list(slots.iter().map(broker))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// Of each replica, the leader's first.
fn log_ends(leader: Offset, followers: &[Offset]) -> String {
    list([leader].iter().chain(followers))
}

fn write_topic(out: &mut String, schedule: &Schedule) -> std::fmt::Result {
    let all = ReplicaSet::first(usize::from(schedule.setting.followers) + 1);
    writeln!(out, "[[topic]]\nname = \"{TOPIC}\"\nreplicas = {}", brokers(all))?;
    if let Some(Election { caught_up_age, fetched_at_log_end }) = &schedule.election {
        let Snapshot { log_end_offset, high_watermark, isr, held, .. } = &schedule.before;
        writeln!(out, "start = \"elected\"")?;
        writeln!(out, "\"earlier.isr\" = {}", brokers(*isr))?;
        writeln!(out, "\"earlier.log.ends\" = {}", log_ends(*log_end_offset, held))?;
        writeln!(out, "\"earlier.high.watermark\" = {high_watermark}")?;
        let ages = caught_up_age.iter().map(|age| format!("\"{age}ms\""));
        writeln!(out, "\"earlier.caught.up.before\" = {}", list(ages))?;
        let seen = fetched_at_log_end.iter().map(|&seen| if seen { *log_end_offset } else { -1 });
        writeln!(out, "\"earlier.fetched.at.log.ends\" = {}", list(seen))?;
    }
    writeln!(out)
}

fn write_producer(out: &mut String, schedule: &Schedule) -> std::fmt::Result {
    let appends = schedule.events.iter().filter_map(|timed| match timed.event {
        Event::Append(records) => Some((micros(timed), records)),
        _ => None,
    });
    let (times, records): (Vec<u64>, Vec<u8>) = appends.unzip();
    if !times.is_empty() {
        let times = list(times.iter().map(|at| format!("\"{at}us\"")));
        writeln!(
            out,
            "[[producer]]\nname = \"producer\"\ntopic = \"{TOPIC}\"\nacks = 1\n\"record.bytes\" = 1"
        )?;
        writeln!(
            out,
            "arrivals = {{ kind = \"recorded\", times = {times}, records = {} }}\n",
            list(records)
        )?;
    }
    writeln!(out, "[link.producer]\nlatency = \"0s\"\n")?;
    writeln!(out, "# When fetches arrive is said above; what a link takes matters to answers only.")?;
    writeln!(out, "[link.follower]\n\"request.latency\" = \"1us\"\n\"response.latency\" = \"0s\"\n")
}

/// First who leaves and joins when, if anyone does, then the state after each step.
fn write_expectations(out: &mut String, schedule: &Schedule) -> std::fmt::Result {
    for slot in 1..=usize::from(schedule.setting.followers) {
        let changes = |joins: bool| {
            let mut was = schedule.before.isr.contains(slot);
            let mut times = Vec::new();
            for timed in &schedule.events {
                let is = timed.after.isr.contains(slot);
                if was != is && is == joins {
                    times.push(format!("\"{}us\"", micros(timed)));
                }
                was = is;
            }
            times
        };
        let (leaves, joins) = (changes(false), changes(true));
        if leaves.is_empty() && joins.is_empty() {
            continue;
        }
        writeln!(out, "[[expect]]\nthat = \"follower {slot} leaves and joins the ISR as in the model\"")?;
        writeln!(out, "broker = {}", broker(slot))?;
        for (key, times) in [("shrinks", leaves), ("expands", joins)] {
            if !times.is_empty() {
                writeln!(out, "{key} = {}", list(times))?;
            }
        }
        writeln!(out)?;
    }
    for (number, timed) in schedule.events.iter().enumerate() {
        let Snapshot { log_end_offset, high_watermark, isr, known, held, .. } = &timed.after;
        writeln!(out, "[[expect]]")?;
        writeln!(out, "that = \"step {}, in tick {}: {}\"", number + 1, timed.tick, words(timed.event))?;
        writeln!(out, "when = \"{}us\"", seen_micros(timed))?;
        writeln!(out, "isr = {}", brokers(*isr))?;
        writeln!(out, "\"high.watermark\" = {high_watermark}")?;
        writeln!(out, "\"log.ends\" = {}", log_ends(*log_end_offset, held))?;
        writeln!(out, "\"known.log.ends\" = {}\n", log_ends(*log_end_offset, known))?;
    }
    Ok(())
}

fn words(event: Event) -> String {
    match event {
        Event::Append(1) => "1 record is appended".to_owned(),
        Event::Append(records) => format!("{records} records are appended"),
        Event::Fetch(slot) => format!("a fetch of follower {slot} arrives"),
        Event::Check { removed } if removed.is_empty() => "the check removes nobody".to_owned(),
        Event::Check { removed } => {
            let followers: Vec<String> = removed.iter().map(|slot| format!("follower {slot}")).collect();
            format!("the check removes {}", followers.join(" and "))
        }
    }
}
