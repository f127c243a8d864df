//! What must hold.

use isrlab_sim::cluster::MetricValue;
use isrlab_sim::cluster::metric::{Metric, Unit};
use isrlab_sim::engine::SimTime;
use isrlab_sim::protocol::Profile;

use super::{Compared, Context, World, lag_states, states};
use crate::expect::{Bounds, Check, Expectation, ShareRule};
use crate::fields::{Datum, Field, Fields};
use crate::read;
use crate::suggest::did_you_mean;
use crate::sweep::{Axis, Cells, Condition};

const COMPARISONS: [&str; 4] = ["equals", "at.least", "at.most", "between"];
const OF_TIMES: [&str; 6] = ["shrinks", "expands", "within", "broker", "partition", "topic"];

const EITHER: &str = "a `metric` with equals, at.least, at.most or between, or the times of `shrinks` and \
                      `expands`, or the state `when`";

/// Reads the `[[expect]]` tables.
pub(crate) fn expectations(
    top: &Fields,
    world: &World<'_>,
    compared: &Compared<'_>,
    context: &mut Context<'_>,
) -> Vec<Expectation> {
    let fault_names: Vec<String> = top.tables("fault").filter_map(|fields| fields.text("name")).collect();
    let mut expectations = Vec::new();
    for (index, fields) in top.tables("expect").enumerate() {
        let cells = cells(fields, top, context);
        if !context.scope.reads(&cells) {
            continue;
        }
        let judged = context.scope.judges(&cells);
        let share = share(fields, context);
        let under = under(fields, compared, context);
        let given_faults = given_faults(fields, &fault_names, context);
        let check = check(fields, world, context);
        let (Some(that), Some(check)) = (fields.text("that"), check) else { continue };
        if that.trim().contains(['\n', '\r']) {
            context
                .problems
                .add(fields.span_of("that"), fields.path_of("that"), "has a line break")
                .accepted("a sentence on one line");
        }
        expectations.push(Expectation {
            index,
            cells,
            judged,
            share,
            that,
            under,
            given_faults,
            check,
            span: fields.span,
        });
    }
    expectations
}

/// The cells of a sweep that it speaks of.
fn cells(fields: &Fields, top: &Fields, context: &mut Context<'_>) -> Cells {
    const ACCEPTED: &str = "\"every\", or conditions such as \"link.follower.latency <= 20ms\", with an operator of \
                            <, <=, =, !=, >=, > and blanks around it";
    let list = fields.list("cells").unwrap_or_default();
    let mut conditions = Vec::new();
    for field in list {
        let Some(Datum::Text(text)) = &field.datum else { continue };
        if text == "every" && list.len() == 1 {
            return Cells::Every;
        }
        match text.parse::<Condition>() {
            Ok(condition) => {
                check_varied(&condition, field, fields, top, context);
                conditions.push(condition);
            }
            Err(message) => {
                context.problems.add(field.span, fields.path_of("cells"), message).accepted(ACCEPTED);
            }
        }
    }
    if list.is_empty() { Cells::AsWritten } else { Cells::Where(conditions) }
}

/// A condition is about a key that the scenario's own sweep varies, if it has one.
fn check_varied(
    condition: &Condition,
    field: &Field,
    fields: &Fields,
    top: &Fields,
    context: &mut Context<'_>,
) {
    let Some(sweep) = top.table("sweep") else { return };
    let varied = sweep.list("vary").unwrap_or_default().iter().filter_map(|field| match &field.datum {
        Some(Datum::Text(text)) => text.split_once('=').map(|(key, _)| key.trim()),
        _ => None,
    });
    let varied: Vec<&str> = varied.collect();
    if !varied.contains(&condition.key()) {
        let message = format!("speaks of {}, which the sweep does not vary", condition.key());
        context
            .problems
            .add(field.span, fields.path_of("cells"), message)
            .accepted(format!("what `vary` of [sweep] names: {}", varied.join(", ")))
            .help = did_you_mean(condition.key(), varied.iter().copied());
        return;
    }
    // What is wrong with the axis itself is said where it stands.
    let given = sweep.list("vary").unwrap_or_default().iter().filter_map(|field| match &field.datum {
        Some(Datum::Text(text)) => text.parse::<Axis>().ok(),
        _ => None,
    });
    // Values of several kinds may well be a mistake, which is found where they are set.
    for axis in given.filter(|axis| axis.key() == condition.key() && axis.is_numeric()) {
        let meets = |value| condition.is_met([(&axis, value)].into_iter());
        if !(0..axis.values().len()).any(meets) {
            let values: Vec<&str> = axis.values().iter().map(|value| value.text()).collect();
            context
                .problems
                .add(field.span, fields.path_of("cells"), "is met by no value of the sweep")
                .accepted(format!("a condition that one of its values meets: {}", values.join(", ")));
        }
    }
}

fn share(fields: &Fields, context: &mut Context<'_>) -> Option<ShareRule> {
    if fields.has("confidence") && !fields.has("share") {
        context
            .problems
            .add(fields.span_of("confidence"), fields.path_of("confidence"), "is given without `share`")
            .accepted("`confidence` beside `share`: how sure to be of it");
    }
    let share = fields.number("share")?;
    Some(ShareRule { share, confidence: fields.number("confidence").unwrap_or(0.95) })
}

/// The profiles under which it must hold.
fn under(fields: &Fields, compared: &Compared<'_>, context: &mut Context<'_>) -> Vec<Profile> {
    if !fields.has("under") {
        return compared.profiles.to_vec();
    }
    let mut under = Vec::new();
    for field in fields.list("under").unwrap_or_default() {
        let Some(Datum::Text(name)) = &field.datum else { continue };
        let Some(profile) = read::profile(name) else { continue };
        if compared.complete && !compared.profiles.contains(&profile) {
            let names: Vec<&str> = compared.profiles.iter().map(|profile| profile.name).collect();
            context
                .problems
                .add(field.span, fields.path_of("under"), format!("\"{name}\" is not compared"))
                .accepted(format!("what `compare` lists: {}", names.join(", ")));
        }
        under.push(profile);
    }
    under
}

fn given_faults(fields: &Fields, known: &[String], context: &mut Context<'_>) -> Vec<String> {
    let mut given = Vec::new();
    for field in fields.list("given.fault").unwrap_or_default() {
        let Some(Datum::Text(name)) = &field.datum else { continue };
        if !known.contains(name) {
            context
                .problems
                .add(field.span, fields.path_of("given.fault"), format!("no fault is called \"{name}\""))
                .accepted(if known.is_empty() { "there is none".to_owned() } else { known.join(", ") })
                .help = did_you_mean(name, known.iter().map(String::as_str));
        }
        given.push(name.clone());
    }
    given
}

fn check(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<Check> {
    if fields.has("when") {
        return at_a_time(fields, world, context);
    }
    let of_times = OF_TIMES.into_iter().find(|key| fields.has(key));
    let comparison = COMPARISONS.into_iter().find(|key| fields.has(key));
    let has_times = fields.has("shrinks") || fields.has("expands");
    let mut stray = |key: &str, message: &str| {
        context.problems.add(fields.span_of(key), fields.path_of(key), message).accepted(EITHER);
        None
    };
    let at_times = states::KEYS.into_iter().chain(lag_states::ACTORS).chain(lag_states::keys());
    if let Some(key) = at_times.into_iter().find(|key| fields.has(key)) {
        return stray(key, "is given without `when`");
    }
    match (fields.has("metric"), of_times, comparison) {
        (true, Some(key), _) if key != "topic" => stray(key, "does not go with `metric`"),
        (true, _, _) => metric(fields, world, context),
        (false, _, Some(key)) => stray(key, "is given without a `metric`"),
        (false, Some(key), None) if !has_times => stray(key, "is given without `shrinks` or `expands`"),
        (false, Some(_), None) => isr_times(fields, world, context),
        (false, None, None) => stray("metric", "is missing: the expectation checks nothing"),
    }
}

/// The state at a time; nothing else goes with it.
fn at_a_time(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<Check> {
    let others = ["metric", "shrinks", "expands", "within", "broker"].into_iter().chain(COMPARISONS);
    if let Some(key) = others.into_iter().find(|key| fields.has(key)) {
        context
            .problems
            .add(fields.span_of(key), fields.path_of(key), "does not go with `when`")
            .accepted(EITHER);
        return None;
    }
    states::state(fields, world, context)
}

fn metric(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<Check> {
    let metric = read::metric(&fields.text("metric")?)?;
    let topic = topic_of_metric(metric, fields, world, context)?;
    let given: Vec<&str> = COMPARISONS.into_iter().filter(|key| fields.has(key)).collect();
    let one = |key: &str, context: &mut Context<'_>| {
        let span = fields.span_of(key);
        quantity(metric, &Field { span, datum: fields.any(key) }, fields, key, context)
    };
    let (least, most) = match given.as_slice() {
        ["equals"] => {
            let value = one("equals", context)?;
            (Some(value), Some(value))
        }
        ["at.least"] => (Some(one("at.least", context)?), None),
        ["at.most"] => (None, Some(one("at.most", context)?)),
        ["at.least", "at.most"] => (Some(one("at.least", context)?), Some(one("at.most", context)?)),
        ["between"] => {
            let [first, second] = fields.list("between")? else { return None };
            let first = quantity(metric, first, fields, "between", context);
            let second = quantity(metric, second, fields, "between", context);
            (Some(first?), Some(second?))
        }
        _ => {
            let what = if given.is_empty() { "is compared with nothing" } else { "has several comparisons" };
            context
                .problems
                .add(fields.span_of("metric"), fields.path_of("metric"), what)
                .accepted("equals, at.least, at.most, at.least with at.most, or between");
            return None;
        }
    };
    if let (Some(least), Some(most)) = (least, most)
        && least.as_f64() > most.as_f64()
    {
        let key = given[0];
        context
            .problems
            .add(
                fields.span_of(key),
                fields.path_of(key),
                format!("asks for {least} or more and {most} or less"),
            )
            .accepted("the lower bound first");
        return None;
    }
    Some(Check::Metric { metric, topic, bounds: Bounds { least, most } })
}

/// The topic that a metric is asked of: `Some(None)`: all of them; none: something is wrong,
/// which has been noted.
fn topic_of_metric(
    metric: &Metric,
    fields: &Fields,
    world: &World<'_>,
    context: &mut Context<'_>,
) -> Option<Option<(String, usize)>> {
    if !fields.has("topic") {
        return Some(None);
    }
    if !metric.per_topic {
        let message = format!("does not go with the metric {}, which is of the whole cluster", metric.name);
        context
            .problems
            .add(fields.span_of("topic"), fields.path_of("topic"), message)
            .accepted("no topic, or a metric about timestamps");
        return None;
    }
    let topic = world.topics.resolve(fields, "topic", context)?;
    Some(Some((world.topics.list[topic].name.clone(), topic)))
}

/// A number in the unit of the metric; none: it is wrong, which has been noted.
fn quantity(
    metric: &Metric,
    field: &Field,
    fields: &Fields,
    key: &str,
    context: &mut Context<'_>,
) -> Option<MetricValue> {
    let datum = field.datum.clone()?;
    let value = match (metric.unit, &datum) {
        (Unit::Count, Datum::Integer(value)) => Some(MetricValue::Count(*value)),
        (Unit::Milliseconds, Datum::Duration(value)) => Some(MetricValue::Nanos(value.as_nanos())),
        (Unit::Milliseconds, Datum::Integer(value)) => {
            let nanos = u64::try_from(*value).ok().map(|ms| ms.checked_mul(1_000_000));
            nanos.map(|nanos| nanos.map_or(MetricValue::Millis(*value), MetricValue::Nanos))
        }
        (Unit::Milliseconds, Datum::Number(value)) => {
            let nanos = (value * 1e6).round();
            (0.0..1.8e19).contains(&nanos).then_some(MetricValue::Nanos(nanos as u64))
        }
        (Unit::PerSecond, Datum::Integer(value)) => Some(MetricValue::PerSecond(*value as f64)),
        (Unit::PerSecond, Datum::Number(value)) => Some(MetricValue::PerSecond(*value)),
        _ => None,
    };
    if value.is_none() {
        let accepted = match metric.unit {
            Unit::Count => "an integer",
            Unit::Milliseconds => "a duration such as \"20s\", or a number of milliseconds of 0 or more",
            Unit::PerSecond => "a finite number per second",
        };
        let message = format!("does not suit the metric {}", metric.name);
        context.problems.add(field.span, fields.path_of(key), message).accepted(accepted);
    }
    value
}

fn isr_times(fields: &Fields, world: &World<'_>, context: &mut Context<'_>) -> Option<Check> {
    let shrinks = times(fields, "shrinks", world, context);
    let expands = times(fields, "expands", world, context);
    let topic = world.topics.resolve(fields, "topic", context)?;
    let partitions = &world.topics.list[topic].partitions;
    // With more partitions than the file gives it, a topic's first one is the one that is meant.
    if partitions.len() > 1 && !fields.has("partition") && !world.topics.resized[topic] {
        context
            .problems
            .add(fields.span, fields.path_of("partition"), "is missing, and the topic has several partitions")
            .accepted(format!("0 to {}", partitions.len() - 1));
        return None;
    }
    let partition: usize = if fields.has("partition") { fields.integer("partition")? } else { 0 };
    let partition = world.topics.check_partition(topic, partition, fields, context)?;
    let broker: Option<i32> = fields.integer("broker");
    let replicas = &partitions[partition].replicas;
    if let Some(broker) = broker
        && !replicas.contains(&broker)
    {
        let ids: Vec<String> = replicas.iter().map(i32::to_string).collect();
        context
            .problems
            .add(fields.span_of("broker"), fields.path_of("broker"), format!("is {broker}"))
            .accepted(format!("a broker with a replica of the partition: {}", ids.join(", ")));
        return None;
    }
    if replicas.len() == 1 {
        context.problems.add(
            fields.span,
            &fields.path,
            "speaks of the ISR of a partition with one replica, which never changes",
        );
        return None;
    }
    Some(Check::IsrTimes {
        topic: world.topics.list[topic].name.clone(),
        partition,
        global_partition: world.topics.global_partition(topic, partition),
        broker,
        shrinks: shrinks?,
        expands: expands?,
        within: fields.duration("within")?,
    })
}

/// The times under `key`, in rising order and within the run: `Some(None)` when it is not given;
/// none: they are wrong, which has been noted.
fn times(
    fields: &Fields,
    key: &str,
    world: &World<'_>,
    context: &mut Context<'_>,
) -> Option<Option<Vec<SimTime>>> {
    if !fields.has(key) {
        return Some(None);
    }
    let end = SimTime::ZERO + world.end;
    let mut times: Vec<SimTime> = Vec::new();
    let mut sound = true;
    for field in fields.list(key)? {
        let Some(Datum::Duration(since)) = field.datum else {
            sound = false;
            continue;
        };
        let at = SimTime::ZERO + since;
        let problem = if at > end {
            Some(format!("{since} is after the end of the run at {}", world.end))
        } else if times.last().is_some_and(|last| *last > at) {
            Some(format!("{since} is before the time that precedes it"))
        } else {
            None
        };
        if let Some(message) = problem {
            context
                .problems
                .add(field.span, fields.path_of(key), message)
                .accepted("times within the run in rising order");
            sound = false;
        }
        times.push(at);
    }
    sound.then_some(Some(times))
}
