//! A sequence diagram for Mermaid: messages at the times at which they arrive, and notes of what
//! they do.

use super::export::{Exporter, Footer, Header, Told};
use super::line::Line;
use super::names::Actor;
use super::state::State;
use crate::report::human;
use isrlab_sim::engine::SimTime;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The most messages of a diagram, unless told otherwise: renderers choke on many more.
pub const MESSAGES_MAX: u64 = 200;

/// Kinds that are no messages and are told in a note.
const NOTES: [&str; 15] = [
    "request-refused",
    "request-timed-out",
    "request-failed",
    "timestamps-rejected",
    "appended",
    "hw-moved",
    "caught-up",
    "fetch-waits",
    "isr-judged",
    "elected",
    "election-refused",
    "truncated",
    "put-aside",
    "lag",
    "violation",
];

/// One statement of the diagram.
#[derive(Debug)]
enum Statement {
    Message { from: Actor, to: Actor, arrow: &'static str, text: String },
    Note { over: Vec<Actor>, at: SimTime, lines: Vec<String> },
}

/// Keeps a diagram until it is whole: who takes part is known only then.
#[derive(Debug)]
pub struct Mermaid {
    messages_max: u64,
    messages: u64,
    leaders: BTreeSet<i32>,
    statements: Vec<Statement>,
}

impl Mermaid {
    /// A diagram of at most so many messages.
    pub fn new(messages_max: u64) -> Self {
        Mermaid { messages_max, messages: 0, leaders: BTreeSet::new(), statements: Vec::new() }
    }

    fn message(&mut self, from: Actor, to: Actor, arrow: &'static str, text: String) {
        self.messages += 1;
        if self.messages <= self.messages_max {
            self.statements.push(Statement::Message { from, to, arrow, text });
        } else {
            self.statements.clear();
        }
    }

    /// Adds to the note before, if it is over the same actors; the time is told when it is new.
    fn note(&mut self, over: Vec<Actor>, line: &Line) {
        if self.messages > self.messages_max {
            return;
        }
        match self.statements.last_mut() {
            Some(Statement::Note { over: known, at, lines }) if *known == over => {
                lines.push(if *at == line.at { line.words.clone() } else { timed(line) });
                *at = line.at;
            }
            _ => self.statements.push(Statement::Note { over, at: line.at, lines: vec![timed(line)] }),
        }
    }

    /// Who takes part: producers, leaders, other brokers, then the rest.
    fn participants(&self, header: &Header) -> Vec<Actor> {
        let mut used = BTreeSet::new();
        for statement in &self.statements {
            match statement {
                Statement::Message { from, to, .. } => used.extend([*from, *to]),
                Statement::Note { over, .. } => used.extend(over),
            }
        }
        let rank = |actor: &Actor| match actor {
            Actor::Producer(_) => 0,
            Actor::Broker(id) if self.leaders.contains(id) => 1,
            Actor::Broker(_) => 2,
            Actor::Mirror(_) | Actor::ShareGroup(_) | Actor::Faults => 3,
        };
        let mut actors: Vec<Actor> =
            header.names.actors().iter().copied().filter(|actor| used.contains(actor)).collect();
        actors.sort_by_key(rank);
        actors
    }
}

fn timed(line: &Line) -> String {
    format!("{}: {}", line.at, line.words)
}

/// What the diagram calls an actor.
fn id(actor: Actor) -> String {
    match actor {
        Actor::Producer(producer) => format!("P{producer}"),
        Actor::Broker(broker) => format!("B{broker}"),
        Actor::Mirror(mirror) => format!("M{mirror}"),
        Actor::ShareGroup(group) => format!("G{group}"),
        Actor::Faults => "F".to_owned(),
    }
}

/// Text in which nothing is Mermaid's or HTML's own: `#59;` is how Mermaid writes a semicolon.
fn escaped(text: &str) -> String {
    let mut into = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | ';' | '<' | '>' | '&' | '"' | '%' | '{' | '}' | '\\' | '`' | '$' => {
                into.push_str(&format!("#{};", u32::from(c)));
            }
            c if c.is_control() => into.push(' '),
            c => into.push(c),
        }
    }
    into
}

impl Exporter for Mermaid {
    fn begin(&mut self, _: &Header, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn line(
        &mut self,
        header: &Header,
        state: &State,
        line: &Line,
        _: Told<'_>,
        _: &mut dyn Write,
    ) -> io::Result<()> {
        self.leaders.extend(line.partitions.iter().map(|&partition| state.partition(partition).leader));
        match (line.kind.name, line.to) {
            ("fault-starts" | "fault-ends", to) => self.note(vec![to.unwrap_or(Actor::Faults)], line),
            // Over all whom it concerns, so that it stands out.
            ("isr-shrink" | "isr-expand", None) => {
                let last = line.brokers.last().map(|&id| Actor::Broker(id));
                self.note([line.from].into_iter().chain(last).collect(), line);
            }
            (kind, Some(to)) => {
                let answer = matches!(kind, "produce-answered" | "fetch-answered");
                self.message(line.from, to, if answer { "-->>" } else { "->>" }, timed(line));
            }
            // What arrives after the window would not be seen at all.
            (_, None) if line.departs.is_some_and(|(_, arrives)| arrives > header.window.until) => {
                if let Some((to, _)) = line.departs {
                    self.message(line.from, to, "-)", timed(line));
                }
            }
            (kind, None) if NOTES.contains(&kind) => self.note(vec![line.from], line),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, header: &Header, _: &State, footer: &Footer, out: &mut dyn Write) -> io::Result<()> {
        if self.refusal().is_some() {
            return Ok(());
        }
        writeln!(out, "sequenceDiagram")?;
        let title = format!(
            "{} under {}, seed {}: {} to {}",
            header.scenario, header.criterion, header.seed, header.window.from, header.window.until
        );
        writeln!(out, "    title {}", escaped(&title))?;
        let participants = self.participants(header);
        for &actor in &participants {
            let leads = matches!(actor, Actor::Broker(id) if self.leaders.contains(&id));
            let role = if leads { " (leader)" } else { "" };
            let name = escaped(&header.names.actor(actor));
            writeln!(out, "    participant {} as {name}{role}", id(actor))?;
        }
        for statement in &self.statements {
            match statement {
                Statement::Message { from, to, arrow, text } => {
                    writeln!(out, "    {}{arrow}{}: {}", id(*from), id(*to), escaped(text))?;
                }
                Statement::Note { over, lines, .. } => {
                    let over: Vec<String> = over.iter().map(|&actor| id(actor)).collect();
                    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
                    writeln!(out, "    Note over {}: {}", over.join(","), lines.join("<br/>"))?;
                }
            }
        }
        if footer.run != "complete"
            && let Some(&first) = participants.first()
        {
            let last = participants[participants.len() - 1];
            writeln!(
                out,
                "    Note over {},{}: {}: the run was {}",
                id(first),
                id(last),
                footer.until,
                footer.run
            )?;
        }
        Ok(())
    }

    fn refusal(&self) -> Option<String> {
        (self.messages > self.messages_max).then(|| {
            format!(
                "the window has {} messages, and a Mermaid diagram is kept to {}, since renderers choke on many \
                 more: narrow it with --from and --to, or --around with a smaller --window; keep fewer with \
                 --partition, --broker or --kind; or raise --limit",
                human::count(self.messages as f64),
                human::count(self.messages_max as f64)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_mermaids_own() {
        assert_eq!(escaped("a;b#c\n<b>%%{x}"), "a#59;b#35;c #60;b#62;#37;#37;#123;x#125;");
        assert_eq!(escaped("20.000 s: LEO 1 → 2"), "20.000 s: LEO 1 → 2");
    }
}
