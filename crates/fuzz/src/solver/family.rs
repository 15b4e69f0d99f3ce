//! Everything that descends from a solver's process. Finds descendants through `/proc`, adds up what they use, and ends those
//! that outlive the solver: this process is their reaper (`PR_SET_CHILD_SUBREAPER`), so whatever a solver leaves behind,
//! daemons included, comes back here, and is known by the tag in its environment.

use super::os;
use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The environment variable by which descendants are known.
pub(super) const TAG: &str = "SOUNDLINE_RUN";

/// A value of [`TAG`] that no other run on this machine has.
pub(super) fn new_tag() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}.{}", getpid().as_raw_nonzero(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Makes this process the one that inherits the orphans of its descendants.
pub(super) fn become_reaper() {
    static DONE: OnceLock<()> = OnceLock::new();
    // A kernel that refuses leaves orphans to init; the process group is ended all the same.
    DONE.get_or_init(|| rustix::process::set_child_subreaper(Some(getpid())).unwrap_or(()));
}

/// What a process says of itself in `/proc/PID/stat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stat {
    pid: Pid,
    /// It has ended and nobody has waited for it.
    ended: bool,
    parent: i32,
    group: i32,
    session: i32,
    /// CPU time of the children that it waited for.
    children: Duration,
    /// Resident memory in bytes.
    resident: u64,
}

/// Whether `/proc` counts processes as we do. It does not in a process namespace whose `/proc` is the parent's: there the
/// numbers mean other processes, and nothing is read from it.
fn has_proc() -> bool {
    static SAME: OnceLock<bool> = OnceLock::new();
    *SAME.get_or_init(|| {
        std::fs::read_link("/proc/self")
            .is_ok_and(|own| own.as_os_str() == getpid().as_raw_nonzero().to_string().as_str())
    })
}

fn stat(pid: Pid) -> Option<Stat> {
    if !has_proc() {
        return None;
    }
    let text = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<i64>().ok();
    let ticks = u64::try_from(number(13)? + number(14)?).ok()?;
    Some(Stat {
        pid,
        ended: fields.first() == Some(&"Z"),
        parent: number(1)? as i32,
        group: number(2)? as i32,
        session: number(3)? as i32,
        children: Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()),
        resident: u64::try_from(number(21)?).ok()? * rustix::param::page_size() as u64,
    })
}

/// The processes that started after `first`. Numbers are given out in order, so that only the few since then are looked at,
/// unless they went round.
fn since(first: Pid) -> Vec<Stat> {
    const FEW: i32 = 4000;
    let first = first.as_raw_nonzero().get();
    let last = std::fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| text.split_ascii_whitespace().last()?.parse::<i32>().ok());
    let numbers: Vec<i32> = match last {
        Some(last) if (first..first.saturating_add(FEW)).contains(&last) => (first + 1..=last).collect(),
        _ => std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(|&number| number != first)
            .collect(),
    };
    numbers.into_iter().filter_map(|number| stat(Pid::from_raw(number)?)).collect()
}

/// What a solver and its descendants use at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    /// CPU time so far, that of ended descendants included.
    pub(super) cpu: Duration,
    /// Resident memory in bytes.
    pub(super) memory: u64,
}

/// What the solver's own process uses: a few system calls.
pub(super) fn usage_alone(leader: Pid) -> Usage {
    let cpu = os::cpu_time(leader).unwrap_or_default();
    let (children, memory) = stat(leader).map_or((Duration::ZERO, 0), |stat| (stat.children, stat.resident));
    Usage { cpu: cpu + children, memory }
}

/// What the solver and its descendants use.
pub(super) fn usage(leader: Pid) -> Usage {
    let mut total = usage_alone(leader);
    for stat in descendants(leader) {
        total.cpu += os::cpu_time(stat.pid).unwrap_or_default() + stat.children;
        total.memory += stat.resident;
    }
    total
}

fn descendants(leader: Pid) -> Vec<Stat> {
    let processes = since(leader);
    let mut family = BTreeSet::from([leader.as_raw_nonzero().get()]);
    let mut found = Vec::new();
    // Numbers can go round, so a parent may come after its child.
    loop {
        let before = found.len();
        for stat in &processes {
            if family.contains(&stat.parent) && family.insert(stat.pid.as_raw_nonzero().get()) {
                found.push(*stat);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Ends the solver's process group and every descendant that is still below it. Those whose parents die come to us:
/// [`sweep`] ends them. The leader must not have been waited for, lest its number be somebody else's.
pub(super) fn kill(leader: Pid) {
    let below = descendants(leader);
    // Errors mean that they are gone already.
    kill_process_group(leader, Signal::KILL).ok();
    for stat in below {
        kill_process(stat.pid, Signal::KILL).ok();
    }
}

/// Ends what a solver left behind and takes it out of the process table. The leader must have ended and not been waited for.
pub(super) fn sweep(leader: Pid, tag: &str) {
    // From `/proc`, which says 0 of a group or session whose leader is outside this process namespace, as in a container.
    let (own_group, own_session) = stat(getpid()).map_or((0, 0), |stat| (stat.group, stat.session));
    let own = getpid().as_raw_nonzero().get();
    let mut kin = BTreeSet::from([leader.as_raw_nonzero().get()]);
    let marker = format!("{TAG}={tag}");
    // Ending one process hands its children to us, which the next round sees. Each round ends at least one process.
    loop {
        let mut strays = Vec::new();
        for stat in since(leader).into_iter().filter(|stat| stat.parent == own) {
            let number = stat.pid.as_raw_nonzero().get();
            let related = [number, stat.group, stat.session].iter().any(|number| kin.contains(number));
            if related || has_tag(stat.pid, &marker) {
                kin.insert(number);
                kin.extend(
                    [stat.group, stat.session].iter().filter(|n| ![own_session, own_group].contains(n)),
                );
                strays.push(stat.pid);
            }
        }
        if strays.is_empty() {
            return;
        }
        for pid in strays {
            kill_process(pid, Signal::KILL).ok();
            // It is our child and was ended: this does not wait long. Somebody else may have been faster.
            os::reap(pid).ok();
        }
    }
}

/// Whether the process was started with the tag. While a process executes a new program its environment reads as empty: it is
/// asked again until that has passed.
fn has_tag(pid: Pid, marker: &str) -> bool {
    const PATIENCE: Duration = Duration::from_millis(50);
    let start = Instant::now();
    loop {
        let Ok(environment) = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())) else {
            return false;
        };
        if !environment.is_empty() {
            return environment.split(|&b| b == 0).any(|entry| entry == marker.as_bytes());
        }
        // One that has ended has no environment any more; one that was given none is not waited for long.
        if stat(pid).is_none_or(|stat| stat.ended) || start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::yield_now();
    }
}
