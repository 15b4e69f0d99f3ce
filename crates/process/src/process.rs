//! One process under limits: fed, read and watched by a single loop over `poll`, so that neither a full pipe nor a silent program
//! can block it. Used by fresh runs (input, then end of file) and by conversations (input, then a marker).
//!
//! CPU time is read from the kernel's clock of the process while it runs; `RLIMIT_CPU` is only the backstop for the case that
//! no process watches any more. Memory is the resident set, polled: `RLIMIT_AS` would break programs built with sanitizers, which
//! reserve terabytes of addresses.

use crate::family::{self, TAG, Usage};
use crate::limits::{End, Limits};
use crate::os::{self, Ended};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, pidfd_open, prlimit, waitid,
};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a watch may sleep: the first naps are short because most tests are.
const NAPS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(20));
/// How long it may sleep where the program gets little of a loaded machine: memory can grow for so long before it is looked at.
const LONGEST_NAP: Duration = Duration::from_millis(100);
/// How often descendants are looked for, where the program has the machine to itself.
const FAMILY_EVERY: Duration = Duration::from_millis(100);

/// A running program. Dropping it ends the program and everything that it started.
pub struct Process {
    leader: Pid,
    tag: String,
    /// Readable once the process has ended; without (old kernels) the watch finds out by itself.
    ended: Option<OwnedFd>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What was printed and not yet taken.
    out: Vec<u8>,
    /// What was printed on standard error and not yet taken.
    err: Vec<u8>,
    /// The most that was seen: CPU time since the start, memory since the last watch began.
    peak: Usage,
    reaped: bool,
}

/// Why a watch came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The process has ended by itself.
    Ended,
    /// The marker has come; the number of bytes of standard output before it.
    Marker(usize),
    /// A limit was reached or the flag went up.
    Limit(End),
}

/// What to give the process and what to wait for.
pub struct Watch<'a> {
    /// The text for standard input.
    pub input: &'a [u8],
    /// A line of standard output that ends the answer; without, standard input is closed after the text.
    pub marker: Option<&'a str>,
    /// CPU time that does not count: what the process had used before.
    pub used: Duration,
    /// What the process may use from now on, CPU time apart from `used`.
    pub limits: &'a Limits,
    /// Ends the watch when it is set.
    pub stop: &'a AtomicBool,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub(crate) fn start(command: &crate::Command) -> io::Result<Process> {
        family::become_reaper();
        let tag = family::new_tag();
        let mut builder = Command::new(&command.program);
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        let mut started = family::started();
        let mut child = builder
            .args(&command.arguments)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .env(TAG, &tag)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let leader = Pid::from_child(&child);
        started.insert(leader.as_raw_nonzero().get());
        drop(started);
        // From here on, dropping the process ends it.
        let process = Process {
            leader,
            tag,
            ended: pidfd_open(leader, PidfdFlags::empty()).ok(),
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            out: Vec::new(),
            err: Vec::new(),
            peak: Usage::default(),
            reaped: false,
        };
        process.stdin.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        process.stdout.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        process.stderr.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        Ok(process)
    }

    /// What the process has used since it started.
    pub fn usage(&self) -> Usage {
        family::usage_alone(self.leader)
    }

    /// The most resident memory that the last watch saw.
    pub fn peak_memory(&self) -> u64 {
        self.peak.memory
    }

    /// What was printed since it was last taken, on standard output and on standard error; what is no UTF-8 is replaced.
    pub fn take_output(&mut self) -> (String, String) {
        self.take_output_before(self.out.len())
    }

    /// The same, but of standard output only so many bytes: those before a marker ([`Halt::Marker`]). The rest is dropped.
    pub fn take_output_before(&mut self, at: usize) -> (String, String) {
        let taken = (lossy(&self.out[..at]), lossy(&self.err));
        self.out.clear();
        self.err.clear();
        taken
    }

    /// Feeds and reads the process until something ends the watch. A process that was halted by a limit still runs:
    /// [`Process::finish`] ends it.
    pub fn watch(&mut self, watch: &Watch<'_>) -> Halt {
        let start = Instant::now();
        self.set_backstop(watch.used + watch.limits.cpu);
        let (mut nap, longest) = NAPS;
        let (mut sent, mut scanned) = (0, 0);
        let (mut checked, mut family_checked) = (start, start);
        let mut crowd = 1;
        self.peak.memory = 0;
        loop {
            if watch.marker.is_none() && sent == watch.input.len() {
                self.stdin = None;
            }
            let progress = self.wait(sent < watch.input.len(), nap);
            sent += self.write(&watch.input[sent..]);
            self.read(watch.limits.output);
            if let Some(marker) = watch.marker
                && let Some(at) = find_marker(&self.out, marker, &mut scanned)
            {
                return Halt::Marker(at);
            }
            if self.out.len() + self.err.len() > watch.limits.output {
                self.out.truncate(watch.limits.output);
                self.err.truncate(watch.limits.output - self.out.len());
                return Halt::Limit(End::OutputLimit);
            }
            if self.has_ended() {
                // What it printed last may still be in the pipes. Whoever else holds them is not waited for.
                self.drain(watch.limits.output);
                return Halt::Ended;
            }
            if watch.stop.load(Ordering::Relaxed) {
                return Halt::Limit(End::Stopped);
            }
            let now = Instant::now();
            if progress && now - checked < nap {
                continue;
            }
            checked = now;
            let whole = now - family_checked >= FAMILY_EVERY * crowd;
            let usage = if whole { family::usage(self.leader) } else { family::usage_alone(self.leader) };
            if whole {
                family_checked = now;
            }
            self.peak.cpu = self.peak.cpu.max(usage.cpu);
            self.peak.memory = self.peak.memory.max(usage.memory);
            let used = self.peak.cpu.saturating_sub(watch.used);
            if used >= watch.limits.cpu {
                return Halt::Limit(End::CpuLimit);
            }
            if usage.memory > watch.limits.memory {
                return Halt::Limit(End::MemoryLimit);
            }
            if now - start >= watch.limits.wall {
                return Halt::Limit(End::WallLimit);
            }
            // One thread cannot use more CPU time than passes on the clock: the nap ends where the limit could be.
            crowd = crowding(now - start, used);
            let longest = (longest * crowd).min(LONGEST_NAP);
            nap = (nap * 2).min(longest).min(watch.limits.cpu - used).max(NAPS.0);
        }
    }

    /// Ends the process if it still runs, and everything that it started; says how it ended and what it used.
    pub fn finish(mut self, halt: Halt) -> io::Result<(End, Usage)> {
        let ended = self.bury()?;
        let end = match (halt, ended.status) {
            (Halt::Limit(end), _) => end,
            (_, Ok(code)) => End::Exited(code),
            (_, Err(signal)) if signal == Signal::XCPU.as_raw() => End::CpuLimit,
            (_, Err(signal)) => End::Signalled(signal),
        };
        let used = Usage { cpu: ended.cpu.max(self.peak.cpu), memory: ended.memory.max(self.peak.memory) };
        Ok((end, used))
    }

    fn bury(&mut self) -> io::Result<Ended> {
        self.reaped = true;
        family::kill(self.leader);
        // The leader stays in the process table while its kin are looked for, so that no number can be anybody else's.
        waitid(WaitId::Pid(self.leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
        family::sweep(self.leader, &self.tag);
        // Its number may be given out again as soon as it is waited for. The lock is held until then: another thread's sweep would
        // take a process that has ended and is not listed for an orphan, and reap it.
        let mut started = family::started();
        started.remove(&self.leader.as_raw_nonzero().get());
        os::reap(self.leader)
    }

    fn set_backstop(&self, cpu: Duration) {
        let maximum = rustix::process::getrlimit(Resource::Cpu).maximum;
        let seconds = cpu.as_secs().saturating_add(3);
        let current = Some(maximum.map_or(seconds, |maximum| seconds.min(maximum)));
        // A process that has ended already needs none.
        prlimit(Some(self.leader), Resource::Cpu, Rlimit { current, maximum }).ok();
    }

    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        !matches!(waitid(WaitId::Pid(self.leader), options), Ok(None))
    }

    /// Sleeps until something happens; whether something did.
    fn wait(&self, more: bool, nap: Duration) -> bool {
        let mut events = Vec::with_capacity(4);
        if let (Some(pipe), true) = (&self.stdin, more) {
            events.push(PollFd::new(pipe, PollFlags::OUT));
        }
        if let Some(pipe) = &self.stdout {
            events.push(PollFd::new(pipe, PollFlags::IN));
        }
        if let Some(pipe) = &self.stderr {
            events.push(PollFd::new(pipe, PollFlags::IN));
        }
        if let Some(ended) = &self.ended {
            events.push(PollFd::new(ended, PollFlags::IN));
        }
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(nap.subsec_nanos()) };
        // An interrupted sleep is a short one.
        poll(&mut events, Some(&timeout)).is_ok_and(|ready| ready > 0)
    }

    /// Writes what fits into the pipe. A program that closed its end gets no more.
    fn write(&mut self, rest: &[u8]) -> usize {
        let Some(pipe) = self.stdin.as_mut() else { return 0 };
        let mut sent = 0;
        while sent < rest.len() {
            match pipe.write(&rest[sent..]) {
                Ok(n) => sent += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => {
                    self.stdin = None;
                    break;
                }
            }
        }
        sent
    }

    /// Reads what is there, up to a little more than the limit.
    fn read(&mut self, limit: usize) {
        let room = (limit + 1).saturating_sub(self.out.len() + self.err.len());
        if read_some(&mut self.stdout, &mut self.out, room) {
            self.stdout = None;
        }
        let room = (limit + 1).saturating_sub(self.out.len() + self.err.len());
        if read_some(&mut self.stderr, &mut self.err, room) {
            self.stderr = None;
        }
    }

    /// Reads what is left in the pipes.
    fn drain(&mut self, limit: usize) {
        loop {
            let before = self.out.len() + self.err.len();
            self.read(limit);
            let after = self.out.len() + self.err.len();
            if after == before || after > limit {
                return;
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            // The caller is gone.
            self.bury().ok();
        }
    }
}

/// How many times longer a program has been watched than it had of the machine. Looking at it costs the same however little it gets
/// to do in between, so that it is looked at by its time rather than the clock's.
fn crowding(watched: Duration, used: Duration) -> u32 {
    const MOST: u32 = 10;
    let times = watched.as_micros() / used.as_micros().max(1);
    u32::try_from(times).unwrap_or(MOST).clamp(1, MOST)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads once from a pipe that does not block; whether it came to its end.
fn read_some(pipe: &mut Option<impl Read>, to: &mut Vec<u8>, room: usize) -> bool {
    const CHUNK: usize = 64 << 10;
    let Some(source) = pipe.as_mut() else { return false };
    if room == 0 {
        return false;
    }
    let before = to.len();
    to.resize(before + room.min(CHUNK), 0);
    let result = source.read(&mut to[before..]);
    to.truncate(before + result.as_ref().map_or(0, |n| *n));
    match result {
        Ok(n) => n == 0,
        Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
    }
}

/// Where a line that consists of the marker, in quotes or not, starts; the line must be complete.
fn find_marker(out: &[u8], marker: &str, scanned: &mut usize) -> Option<usize> {
    while let Some(length) = out[*scanned..].iter().position(|&b| b == b'\n') {
        let line = out[*scanned..*scanned + length].trim_ascii();
        let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
        if line == marker.as_bytes() {
            return Some(*scanned);
        }
        *scanned += length + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that has the machine to itself is looked at as often as ever, and one that gets a part of it by its own time.
    #[test]
    fn a_crowded_program_is_looked_at_by_its_own_time() {
        let ms = Duration::from_millis;
        for (watched, used, times) in [
            (100, 100, 1),
            (100, 60, 1),
            (100, 50, 2),
            (1000, 200, 5),
            (1000, 0, 10),
            (0, 0, 1),
            (100, 120, 1),
        ] {
            assert_eq!(crowding(ms(watched), ms(used)), times, "{watched} {used}");
        }
    }
}
