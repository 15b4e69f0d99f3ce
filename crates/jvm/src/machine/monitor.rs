//! Threads and monitors. One thread runs at a time; it is left when it has to wait, ends, yields, or has run for a while.
//!
//! The order is fixed: the next thread in the order of starting that can go on. Time is virtual: it passes when no thread can
//! run, up to the moment at which the first sleeper wakes.

use super::{Fault, Machine, Stop, Thread};
use crate::domain::Values;
use crate::heap::Ref;

/// Whether a thread can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadState {
    /// It can.
    Runnable,
    /// It wants a monitor that another thread has.
    Blocked(Ref),
    /// It waits for a notification about an object, until a time; how often it had the monitor.
    Waiting(Ref, Option<u64>, u16),
    /// It was notified, or its time is up, and wants the monitor back.
    Notified(Ref, u16),
    /// It sleeps or is parked until a time; none is for ever.
    Sleeping(Option<u64>),
    /// It waits for another thread to finish an initialiser.
    Yielded,
    /// It ended.
    Dead,
}

impl<D: Values> Machine<D> {
    fn owner(&self, object: Ref) -> (u16, u16) {
        let word = self.heap.u32(object + 12);
        (word as u16, (word >> 16) as u16)
    }

    fn own(&mut self, object: Ref, owner: u16, count: u16) {
        self.heap
            .set_u32(object + 12, if count == 0 { 0 } else { u32::from(owner) | u32::from(count) << 16 });
    }

    /// Takes a monitor; false if another thread has it.
    pub(crate) fn enter(&mut self, object: Ref) -> bool {
        let me = self.current as u16 + 1;
        match self.owner(object) {
            (0, _) => self.own(object, me, 1),
            (owner, count) if owner == me => self.own(object, me, count.saturating_add(1)),
            _ => {
                if let Some(thread) = self.threads.get_mut(self.current) {
                    thread.state = ThreadState::Blocked(object);
                }
                return false;
            }
        }
        true
    }

    /// Gives a monitor back; false if it is not this thread's.
    pub(crate) fn exit(&mut self, object: Ref) -> bool {
        let me = self.current as u16 + 1;
        match self.owner(object) {
            (owner, count) if owner == me => {
                self.own(object, me, count - 1);
                true
            }
            _ => false,
        }
    }

    /// Whether this thread has a monitor.
    pub(crate) fn holds(&self, object: Ref) -> bool {
        self.owner(object).0 == self.current as u16 + 1
    }

    /// `Object.wait`: the first time gives the monitor away; when woken takes it back.
    pub(crate) fn wait(&mut self, object: Ref, millis: u64) -> Result<(), Fault> {
        if !self.holds(object) {
            return Err(Fault::New(
                "java/lang/IllegalMonitorStateException",
                Some("current thread is not owner".into()),
            ));
        }
        // The scheduler wakes a waiter only with the monitor in its hand, so being here again means that the wait is over.
        let woken = std::mem::take(&mut self.world.woken);
        if self.take_interrupt() {
            return Err(Fault::New("java/lang/InterruptedException", None));
        }
        if woken {
            return Ok(());
        }
        let (_, count) = self.owner(object);
        self.own(object, 0, 0);
        let until = (millis > 0).then(|| self.world.now + millis * 1_000_000);
        self.threads[self.current].state = ThreadState::Waiting(object, until, count);
        Err(Fault::Block)
    }

    /// `Object.notify`: the one that waits longest, or all.
    pub(crate) fn notify(&mut self, object: Ref, all: bool) -> Result<(), Fault> {
        if !self.holds(object) {
            return Err(Fault::New(
                "java/lang/IllegalMonitorStateException",
                Some("current thread is not owner".into()),
            ));
        }
        for thread in &mut self.threads {
            if let ThreadState::Waiting(waits, _, count) = thread.state
                && waits == object
            {
                thread.state = ThreadState::Notified(object, count);
                if !all {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether the current thread was interrupted; from now on it is not.
    pub(crate) fn take_interrupt(&mut self) -> bool {
        let current = self.current;
        let interrupted = std::mem::take(&mut self.threads[current].interrupted);
        if interrupted {
            let object = self.threads[current].object;
            self.set_bits(object, "interrupted", 0);
        }
        interrupted
    }

    /// Tells the `java.lang.Thread` of a thread what it does (the bits of JVMTI), for `Thread.getState`.
    fn show_state(&mut self, index: usize) {
        let bits = match self.threads[index].state {
            ThreadState::Runnable | ThreadState::Yielded => 0x5,
            ThreadState::Blocked(_) | ThreadState::Notified(..) => 0x401,
            ThreadState::Waiting(_, None, _) | ThreadState::Sleeping(None) => 0x91,
            ThreadState::Waiting(_, Some(_), _) | ThreadState::Sleeping(Some(_)) => 0xa1,
            ThreadState::Dead => 0x2,
        };
        let object = self.threads[index].object;
        self.set_bits(object, "threadStatus", bits);
    }

    /// Puts the current thread to sleep for a while; the second time it is over.
    pub(crate) fn sleep(&mut self, nanos: Option<u64>) -> Result<(), Fault> {
        if std::mem::take(&mut self.world.woken) {
            return Ok(());
        }
        let until = nanos.map(|nanos| self.world.now + nanos);
        self.threads[self.current].state = ThreadState::Sleeping(until);
        Err(Fault::Block)
    }

    /// Starts a thread.
    pub(crate) fn spawn(&mut self, object: Ref, daemon: bool) -> usize {
        self.threads.push(Thread {
            stack: Vec::new(),
            frames: Vec::new(),
            state: ThreadState::Runnable,
            object,
            daemon,
            interrupted: false,
            permit: false,
            yielded: false,
            dying: false,
        });
        self.threads.len() - 1
    }

    /// Lets another thread run, the next in order that can. The frames of the one that was running are kept.
    pub(crate) fn switch(&mut self) -> Result<(), Stop> {
        let count = self.threads.len();
        let shown = !matches!(self.threads[self.current].state, ThreadState::Runnable | ThreadState::Yielded);
        if shown {
            self.show_state(self.current);
        }
        loop {
            for step in 1..=count {
                let next = (self.current + step) % count;
                if self.can_run(next) {
                    self.change_to(next);
                    return Ok(());
                }
            }
            // No thread can go on: time passes until one wakes.
            let times = self.threads.iter().filter_map(|thread| match thread.state {
                ThreadState::Waiting(_, until, _) | ThreadState::Sleeping(until) => until,
                _ => None,
            });
            match times.min() {
                Some(time) => self.world.now = self.world.now.max(time),
                None => return Err(Stop::Deadlock),
            }
        }
    }

    fn can_run(&mut self, index: usize) -> bool {
        let now = self.world.now;
        let free = |machine: &Self, object: Ref| machine.owner(object).0 == 0;
        match self.threads[index].state {
            ThreadState::Runnable | ThreadState::Yielded => true,
            ThreadState::Blocked(object) => free(self, object),
            ThreadState::Waiting(object, until, _) => {
                until.is_some_and(|until| until <= now) && free(self, object)
            }
            ThreadState::Notified(object, _) => free(self, object),
            ThreadState::Sleeping(until) => {
                until.is_some_and(|until| until <= now)
                    || self.threads[index].permit
                    || self.threads[index].interrupted
            }
            ThreadState::Dead => false,
        }
    }

    /// Makes a thread the one that runs, as it is.
    pub(crate) fn make_current(&mut self, next: usize) {
        if next != self.current {
            let (stack, frames) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.frames));
            let left = &mut self.threads[self.current];
            (left.stack, left.frames) = (stack, frames);
            let thread = &mut self.threads[next];
            (self.stack, self.frames) =
                (std::mem::take(&mut thread.stack), std::mem::take(&mut thread.frames));
            self.current = next;
        }
    }

    fn change_to(&mut self, next: usize) {
        self.make_current(next);
        self.world.woken = false;
        match self.threads[next].state {
            ThreadState::Waiting(object, _, count) | ThreadState::Notified(object, count) => {
                self.own(object, next as u16 + 1, count);
                self.world.woken = true;
            }
            ThreadState::Sleeping(_) => {
                self.threads[next].permit = false;
                self.world.woken = true;
            }
            _ => {}
        }
        let shown = !matches!(self.threads[next].state, ThreadState::Runnable | ThreadState::Yielded);
        self.threads[next].state = ThreadState::Runnable;
        if shown {
            self.show_state(next);
        }
    }

    /// The number of a thread by its object.
    pub(crate) fn thread_of(&self, object: Ref) -> Option<usize> {
        self.threads.iter().position(|thread| thread.object == object && thread.state != ThreadState::Dead)
    }
}
