//! Everything that descends from a program. Finds descendants through `/proc`, adds up what they use, and ends those that
//! outlive the program: this process is their reaper (`PR_SET_CHILD_SUBREAPER`), so whatever a program leaves behind, daemons
//! included, comes back here, and is known by the tag in its environment.

use crate::{guard, os};
use rustix::process::{Pid, Signal, getpid, kill_process, kill_process_group};
use std::collections::BTreeSet;
use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The environment variable by which descendants are known.
pub(crate) const TAG: &str = "SOUNDLINE_RUN";

/// Names this process. Process numbers are given out again, so the time of the first use is a part of it.
pub(crate) fn id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{}-{:x}", getpid().as_raw_nonzero(), time.as_nanos())
    })
}

/// A value of [`TAG`] that no other program on this machine has. If we were started by this crate ourselves, our own tag stands
/// before it: who ends us then also ends what we started.
pub(crate) fn new_tag() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let outer = std::env::var(TAG).map(|tag| format!("{tag}/")).unwrap_or_default();
    format!("{outer}{}.{}", id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Makes this process the one that inherits the orphans of its descendants.
pub(crate) fn become_reaper() {
    static DONE: OnceLock<()> = OnceLock::new();
    // A kernel that refuses leaves orphans to init; the process group is ended all the same.
    DONE.get_or_init(|| rustix::process::set_child_subreaper(Some(getpid())).unwrap_or(()));
}

/// What a process says of itself in `/proc/PID/stat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stat {
    pid: Pid,
    /// It has ended, and its parent has not waited for it.
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
    numbers.into_iter().filter_map(|number| stat(Pid::from_raw(number)?)).filter(is_process).collect()
}

/// Whether this is a process and not one of its further threads. `/proc` lists processes only, but opens the folder of a thread
/// to whoever knows its number. A thread has its process's parent and group: taken for an orphan it would cost its process's life.
fn is_process(stat: &Stat) -> bool {
    let number = stat.pid.as_raw_nonzero();
    let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
    let leader = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    leader.is_some_and(|leader| leader.trim() == number.to_string())
}

/// What a program and its descendants use at the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// CPU time so far, that of ended descendants included.
    pub cpu: Duration,
    /// Resident memory in bytes.
    pub memory: u64,
}

/// What the program's own process uses: a few system calls.
pub(crate) fn usage_alone(leader: Pid) -> Usage {
    let cpu = os::cpu_time(leader).unwrap_or_default();
    let (children, memory) = stat(leader).map_or((Duration::ZERO, 0), |stat| (stat.children, stat.resident));
    Usage { cpu: cpu + children, memory }
}

/// What the program and its descendants use.
pub(crate) fn usage(leader: Pid) -> Usage {
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

/// Ends the program's process group and every descendant that is still below it. Those whose parents die come to us:
/// [`sweep`] ends them. The leader must not have been waited for, lest its number be another process's.
pub(crate) fn kill(leader: Pid) {
    let below = descendants(leader);
    // Errors mean that they are gone already.
    kill_process_group(leader, Signal::KILL).ok();
    for stat in below {
        kill_process(stat.pid, Signal::KILL).ok();
    }
}

/// Ends what a program left behind and takes it out of the process table. The leader must have ended and not been waited for.
///
/// What a program left behind is a child of ours that we did not start. It is this program's if it carries its tag or belongs to a
/// group or session that does. One without any tag of ours threw its environment away to escape: it is ended too.
pub(crate) fn sweep(leader: Pid, tag: &str) {
    // From `/proc`, which says 0 of a group or session whose leader is outside this process namespace, as in a container.
    let (own_group, own_session) = stat(getpid()).map_or((0, 0), |stat| (stat.group, stat.session));
    let own = getpid().as_raw_nonzero().get();
    let mut kin = BTreeSet::from([leader.as_raw_nonzero().get()]);
    // Ending one process hands its children to us, which the next round sees. Each round ends at least one process.
    loop {
        let started = started();
        let mut strays = Vec::new();
        for stat in since(leader).into_iter().filter(|stat| stat.parent == own) {
            let number = stat.pid.as_raw_nonzero().get();
            let related = [number, stat.group, stat.session].iter().any(|number| kin.contains(number));
            let stray = related
                || match tag_of(stat.pid) {
                    Some(other) => is_below(&other, tag),
                    None => !started.contains(&number) && ![own_group, 0].contains(&stat.group),
                };
            if stray {
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
            // It is our child and was ended: this does not wait long. Another thread may have been faster.
            os::reap(pid).ok();
        }
    }
}

/// Whether a process with this tag was started by the program with the other tag, or by a program below that one.
fn is_below(tag: &str, other: &str) -> bool {
    tag.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The tag with which a process was started. While a process executes a new program its environment reads as empty: it is asked
/// again until that has passed.
fn tag_of(pid: Pid) -> Option<String> {
    const PATIENCE: Duration = Duration::from_millis(50);
    let start = Instant::now();
    loop {
        let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
        if !environment.is_empty() {
            let value = |entry: &[u8]| {
                let value = entry.strip_prefix(TAG.as_bytes())?.strip_prefix(b"=")?;
                std::str::from_utf8(value).ok().map(str::to_string)
            };
            return environment.split(|&b| b == 0).find_map(value);
        }
        // One that has ended has no environment any more; one that was given none is not waited for long.
        if stat(pid).is_none_or(|stat| stat.ended) || start.elapsed() > PATIENCE {
            return None;
        }
        std::thread::yield_now();
    }
}

/// The processes that we started and have not waited for, by number. The lock is held while a process starts: until it executes
/// its program it cannot be told from an orphan.
pub(crate) fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    // The set is whole even if a thread died with the lock.
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    static GUARD: OnceLock<Option<Child>> = OnceLock::new();
    let guard = GUARD.get_or_init(guard::start);
    started.extend(guard.as_ref().and_then(|guard| i32::try_from(guard.id()).ok()));
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_programs_below() {
        for (tag, other, below) in [
            ("1-a.0", "1-a.0", true),
            ("1-a.0/2-b.7", "1-a.0", true),
            ("1-a.01", "1-a.0", false),
            ("2-b.7", "1-a.0", false),
            ("1-a.0", "1-a.0/2-b.7", false),
        ] {
            assert_eq!(is_below(tag, other), below, "{tag} {other}");
        }
        assert_ne!(new_tag(), new_tag());
    }
}
