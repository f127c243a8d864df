//! Processes and threads of a trace: numbered and named as they are met.

use crate::trace::export::Header;
use crate::trace::line::{decimal, write_json_text};
use crate::trace::names::Actor;
use isrlab_sim::engine::SimTime;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What is shown as a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Process {
    /// A broker: its fetchers and its checks.
    Broker(i32),
    /// A producer: its requests.
    Producer(usize),
    /// A partition: its offsets and lags, its ISR.
    Partition(usize),
    /// A mirror.
    Mirror(usize),
    /// A share group.
    ShareGroup(usize),
    /// The faults.
    Faults,
}

impl Process {
    fn name(self, header: &Header) -> String {
        let names = &header.names;
        match self {
            Process::Broker(id) => names.actor(Actor::Broker(id)),
            Process::Producer(producer) => names.actor(Actor::Producer(producer)),
            Process::Partition(partition) => format!("partition {}", names.partition(partition)),
            Process::Mirror(mirror) => names.actor(Actor::Mirror(mirror)),
            Process::ShareGroup(group) => names.actor(Actor::ShareGroup(group)),
            Process::Faults => "faults".to_owned(),
        }
    }

    /// Partitions stand first, then who acts on them.
    fn rank(self) -> u32 {
        match self {
            Process::Partition(_) => 0,
            Process::Producer(_) => 1,
            Process::Broker(_) => 2,
            Process::Mirror(_) | Process::ShareGroup(_) => 3,
            Process::Faults => 4,
        }
    }
}

/// A process's and a thread's number.
pub type Place = (usize, usize);

/// All that were met. Numbers start at 1, in the order in which they were met; no thread has the
/// number of another, or of a process, which viewers would take for the same.
#[derive(Debug, Default)]
pub struct Tracks {
    numbers: usize,
    processes: BTreeMap<Process, (usize, BTreeMap<String, usize>)>,
    /// An event was written, so that the next needs a comma before it.
    any: bool,
}

impl Tracks {
    /// The numbers of a thread, which is named to the viewer when it is new; the thread `""` is
    /// that of a process's counters.
    pub fn place(
        &mut self,
        process: Process,
        thread: &str,
        header: &Header,
        out: &mut dyn Write,
    ) -> io::Result<Place> {
        let new_process = !self.processes.contains_key(&process);
        if new_process {
            self.numbers += 1;
        }
        let (pid, threads) = self.processes.entry(process).or_insert((self.numbers, BTreeMap::new()));
        let pid = *pid;
        if let Some(&tid) = threads.get(thread) {
            return Ok((pid, tid));
        }
        self.numbers += 1;
        let tid = self.numbers;
        threads.insert(thread.to_owned(), tid);
        if new_process {
            let name = process.name(header);
            self.metadata("process_name", (pid, tid), &text_argument("name", &name), out)?;
            let rank = format!("\"sort_index\":{}", process.rank());
            self.metadata("process_sort_index", (pid, tid), &rank, out)?;
        }
        let name = if thread.is_empty() { "counters" } else { thread };
        self.metadata("thread_name", (pid, tid), &text_argument("name", name), out)?;
        Ok((pid, tid))
    }

    fn metadata(&mut self, name: &str, place: Place, argument: &str, out: &mut dyn Write) -> io::Result<()> {
        self.event("M", SimTime::ZERO, place, name, &format!("\"args\":{{{argument}}}"), out)
    }

    /// Writes an event; `rest` is what its phase needs beside time, place and name, as JSON.
    pub fn event(
        &mut self,
        phase: &str,
        at: SimTime,
        (pid, tid): Place,
        name: &str,
        rest: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut event = String::from(if self.any { ",\n" } else { "\n" });
        self.any = true;
        event.push_str(&format!(
            "{{\"ph\":\"{phase}\",\"ts\":{},\"pid\":{pid},\"tid\":{tid},\"name\":",
            micros(at.as_nanos())
        ));
        write_json_text(name, &mut event);
        event.push(',');
        event.push_str(rest);
        event.push('}');
        out.write_all(event.as_bytes())
    }
}

fn text_argument(name: &str, value: &str) -> String {
    let mut text = format!("\"{name}\":");
    write_json_text(value, &mut text);
    text
}

/// Nanoseconds as microseconds, the format's unit, with decimals where they are needed.
pub fn micros(ns: u64) -> String {
    decimal(ns, 3)
}
