//! The two questions to the kernel for which no safe wrapper exists: what a child that ended had used, and how much CPU
//! time a process has used so far. The only file of the workspace with `unsafe`; it owns no policy.
#![allow(unsafe_code, reason = "wait4 and the CPU clock of another process have no safe wrapper")]

use rustix::process::Pid;
use std::io;
use std::time::Duration;

/// How a child ended and what it had used, with all descendants that it waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ended {
    /// The exit code, or the signal that ended it.
    pub(crate) status: Result<i32, i32>,
    /// User and system time.
    pub(crate) cpu: Duration,
    /// The largest resident set, in bytes.
    pub(crate) memory: u64,
}

/// Waits for a child to end and takes it out of the process table.
pub(crate) fn reap(pid: Pid) -> io::Result<Ended> {
    let mut status = 0;
    // SAFETY: `rusage` is a plain structure of integers, for which all zeros are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live local variables of the types that wait4 writes.
        let result = unsafe { libc::wait4(pid.as_raw_nonzero().get(), &mut status, 0, &mut usage) };
        if result >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let status =
        if libc::WIFSIGNALED(status) { Err(libc::WTERMSIG(status)) } else { Ok(libc::WEXITSTATUS(status)) };
    let memory = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
    Ok(Ended { status, cpu: time(usage.ru_utime) + time(usage.ru_stime), memory })
}

/// The CPU time that a process's threads have used, exact to the scheduler's clock; `None` once it is gone. It stays readable
/// until the process is waited for.
pub(crate) fn cpu_time(pid: Pid) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live local variable of the type that is written.
    if unsafe { libc::clock_getcpuclockid(pid.as_raw_nonzero().get(), &mut clock) } != 0 {
        return None;
    }
    // SAFETY: as above; a clock of a process that has gone is answered by an error.
    if unsafe { libc::clock_gettime(clock, &mut time) } != 0 {
        return None;
    }
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

fn time(value: libc::timeval) -> Duration {
    // The kernel gives no negative times.
    let seconds = u64::try_from(value.tv_sec).unwrap_or(0);
    let micros = u64::try_from(value.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
