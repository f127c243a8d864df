//! Limits that end a search, and the reason they give.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What may end a search before the whole space is visited. All hold on any number of threads.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most distinct states to visit, exactly.
    pub max_states: Option<u64>,
    /// Longest wall-clock time. A search notices within about 50 ms.
    pub timeout: Option<Duration>,
    /// Most memory in bytes: of the search's own tables in the fast engine, of the whole process
    /// under stateright (Linux only there). `None` is [`default_memory_limit`].
    pub max_memory: Option<u64>,
    /// Set from outside (a signal handler) to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// [`Limits::max_states`].
    MaxStates,
    /// [`Limits::timeout`].
    Timeout,
    /// [`Limits::max_memory`], or the engine's own limit of 2³² − 1 states.
    Memory,
    /// [`Limits::interrupt`].
    Interrupt,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MaxStates => "the limit on states",
            Self::Timeout => "the time limit",
            Self::Memory => "the memory limit",
            Self::Interrupt => "an interrupt",
        })
    }
}

/// The memory a search may take when nobody said: four fifths of what the system (and the control
/// group, if there is one) has free, so that a search stops rather than be killed. In bytes; 2 GiB
/// where the system does not tell.
pub fn default_memory_limit() -> u64 {
    const UNKNOWN: u64 = 2 << 30;
    let system = available_in_system();
    let group = available_in_control_group();
    let free = match (system, group) {
        (Some(a), Some(b)) => a.min(b),
        (Some(a), None) | (None, Some(a)) => a,
        (None, None) => return UNKNOWN,
    };
    free / 5 * 4
}

fn available_in_system() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn available_in_control_group() -> Option<u64> {
    let read = |name: &str| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    Some(read("memory.max")?.saturating_sub(read("memory.current")?))
}

/// Resident memory of this process in bytes, where the system tells.
pub(crate) fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}
