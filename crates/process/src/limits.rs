//! What a run may use, how it ended and what it left: the plain data around a process.

use std::time::Duration;

/// What one run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// CPU time of the program and its descendants. The limit that counts: a loaded machine makes a run longer, not dearer.
    pub cpu: Duration,
    /// Time on the clock: the outer limit, for programs that wait for something that never comes.
    pub wall: Duration,
    /// Resident memory of the program and its descendants, in bytes.
    pub memory: u64,
    /// What standard output and standard error may hold together, in bytes.
    pub output: usize,
}

impl Limits {
    /// The usual limits with another CPU time; the clock gets what a heavily loaded machine needs for it.
    pub fn with_cpu(cpu: Duration) -> Limits {
        Limits { cpu, wall: cpu * 12 + Duration::from_secs(10), memory: 8 << 30, output: 16 << 20 }
    }
}

impl Default for Limits {
    /// 10 s of CPU time, 8 GiB as in the papers, 16 MiB of output.
    fn default() -> Self {
        Limits::with_cpu(Duration::from_secs(10))
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The program exited with a code.
    Exited(i32),
    /// A signal that was not ours ended it.
    Signalled(i32),
    /// It used up its CPU time.
    CpuLimit,
    /// It used up its time on the clock.
    WallLimit,
    /// It used up its memory.
    MemoryLimit,
    /// It printed more than it may.
    OutputLimit,
    /// The caller's flag went up.
    Stopped,
}

/// What a run left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Standard output, at most [`Limits::output`] bytes; what is no UTF-8 is replaced.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
    /// How it ended.
    pub end: End,
    /// CPU time used.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
    /// The largest resident set, in bytes.
    pub memory: u64,
}
