//! How threads and runs end: what becomes of an exception that nobody caught, shutdown hooks, and who waits for whom.

use super::{Fault, Hook, Machine, Stop, ThreadState, Thrown};
use crate::domain::Values;
use crate::heap::Ref;

impl<D: Values> Machine<D> {
    /// An exception left a thread other than the first: its handler is told, or the exception is shown as `java` does. Where nobody
    /// handles it, it counts as the program's failure.
    pub(super) fn tell_of_death(&mut self, exception: Ref, thrown: Thrown) -> Result<(), Fault> {
        let thread = self.threads[self.current].object;
        let class = self.known().thread;
        let (default, _) = self.static_field(class, "defaultUncaughtExceptionHandler")?;
        if self.heap.u32(default) == 0 && self.get_ref(thread, "uncaughtExceptionHandler") == 0 {
            self.thread_deaths.push(thrown);
        }
        let dispatch = class.declared("dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
        let Some(dispatch) = dispatch else { return Ok(()) };
        let args = [D::constant(u64::from(thread)), D::constant(u64::from(exception))];
        self.push_call(dispatch, &args, Hook::Entry)
    }

    /// Begins to run the program's shutdown hooks, if it has any and they did not run yet.
    pub(super) fn begin_shutdown(&mut self) -> Result<bool, Fault> {
        let Some(hooks) = self.registry.loaded("java/lang/ApplicationShutdownHooks") else {
            return Ok(false);
        };
        if self.world.shutting || self.ready.get(hooks.id as usize).is_none_or(|&at| at == 0) {
            return Ok(false);
        }
        self.world.shutting = true;
        let class = self.load("java/lang/Shutdown")?;
        let Some(shutdown) = class.declared("shutdown", "()V") else { return Ok(false) };
        self.threads[0].state = ThreadState::Runnable;
        self.make_current(0);
        self.push_call(shutdown, &[], Hook::Entry)?;
        if !self.initialise(class)? {
            // The initialiser runs first.
        }
        Ok(true)
    }

    /// The current thread is over: whoever joins it goes on.
    pub(super) fn end_thread(&mut self) -> Result<(), Stop> {
        let object = self.threads[self.current].object;
        self.threads[self.current].state = ThreadState::Dead;
        self.set_bits(object, "threadStatus", 2);
        self.set_bits(object, "eetop", 0);
        self.set_ref(object, "group", 0);
        for thread in &mut self.threads {
            if let ThreadState::Waiting(waits, _, count) = thread.state
                && waits == object
            {
                thread.state = ThreadState::Notified(object, count);
            }
        }
        if self.world.ended && self.threads.iter().skip(1).all(|t| t.state == ThreadState::Dead || t.daemon) {
            match self.begin_shutdown() {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(Stop::Returned(self.world.result)),
                Err(Fault::Stop(stop)) => return Err(stop),
                Err(_) => return Err(Stop::Unsupported("an exception while shutting down".to_string())),
            }
        }
        self.switch()
    }

    /// The frame on top returned to outside.
    pub(super) fn leave(&mut self, value: D::Value) -> Result<Option<Stop>, Fault> {
        if self.current != 0 {
            return self.end_thread().map(|()| None).map_err(Fault::Stop);
        }
        let others =
            self.threads.iter().skip(1).any(|thread| thread.state != ThreadState::Dead && !thread.daemon);
        if !self.world.shutting {
            self.world.result = D::bits(value);
        }
        if !others || self.world.shutting {
            if self.begin_shutdown()? {
                return Ok(None);
            }
            return Ok(Some(Stop::Returned(self.world.result)));
        }
        // The first thread waits for the others as `java` does.
        self.threads[0].state = ThreadState::Sleeping(None);
        self.world.ended = true;
        match self.switch() {
            Ok(()) => Ok(None),
            Err(stop) => Ok(Some(stop)),
        }
    }
}
