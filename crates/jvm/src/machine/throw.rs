//! Exceptions: making those that the machine itself throws, backtraces, and unwinding to a handler.

use super::{Fault, Hook, InitState, Machine, Stop, Thrown};
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::Kind;

/// Where the exception goes.
pub(crate) enum Unwound {
    /// To a handler in the frame that is now on top; it finds the exception on its stack.
    Caught(Ref),
    /// Out of the thread.
    Uncaught(Ref),
}

impl<D: Values> Machine<D> {
    /// Makes an exception without running its constructor: those of the machine do nothing that is not done here.
    pub(crate) fn make_exception(&mut self, class: &str, message: Option<&str>) -> Result<Ref, Fault> {
        let class = match self.registry.load(class) {
            Ok(class) => class,
            Err(error) => return Err(Fault::Stop(Stop::Unsupported(error.to_string()))),
        };
        self.sync(class.id);
        let exception = self.allocate(class)?;
        let throwable = self.known().throwable;
        self.set_ref(exception, "cause", exception);
        if let Some(message) = message {
            let text = self.string(message)?;
            self.set_ref(exception, "detailMessage", text);
        }
        for (field, of) in
            [("stackTrace", "UNASSIGNED_STACK"), ("suppressedExceptions", "SUPPRESSED_SENTINEL")]
        {
            let (at, _) = self.static_field(throwable, of)?;
            let value = self.heap.u32(at);
            self.set_ref(exception, field, value);
        }
        self.fill_in(exception)?;
        Ok(exception)
    }

    /// Records where the thread is: method and offset of every frame, innermost first.
    pub(crate) fn fill_in(&mut self, exception: Ref) -> Result<(), Fault> {
        let class = self.class_of(exception);
        let mut frames: Vec<(u32, u16)> = Vec::new();
        let mut skipping = true;
        for frame in self.frames.iter().rev() {
            // The constructors of the exception itself and `fillInStackTrace` are not where it was thrown.
            if skipping
                && (frame.method.name == "fillInStackTrace"
                    || frame.method.name == "<init>" && class.is_subtype_of(frame.method.class))
            {
                continue;
            }
            skipping = false;
            if frame.is_hidden() {
                continue;
            }
            let offset = frame.code.offsets.get(frame.pc as usize).copied().unwrap_or(0);
            frames.push((frame.method.id, offset));
            if frames.len() >= 1024 {
                break;
            }
        }
        let array = self.array("[J", frames.len() as u32)?;
        for (i, (method, offset)) in frames.iter().enumerate() {
            let bits = u64::from(*method) << 16 | u64::from(*offset);
            self.heap.set_bits(array + HEADER + 8 * i as u32, Kind::Long, bits);
        }
        self.set_ref(exception, "backtrace", array);
        self.set_bits(exception, "depth", frames.len() as u64);
        let throwable = self.known().throwable;
        let (at, _) = self.static_field(throwable, "UNASSIGNED_STACK")?;
        let unassigned = self.heap.u32(at);
        self.set_ref(exception, "stackTrace", unassigned);
        Ok(())
    }

    /// The frames that an exception recorded.
    pub(crate) fn backtrace(&self, exception: Ref) -> Vec<(u32, u16)> {
        let array = self.get_ref(exception, "backtrace");
        if array == 0 {
            return Vec::new();
        }
        let entry = |i: u32| {
            let bits = self.heap.bits(array + HEADER + 8 * i, Kind::Long);
            ((bits >> 16) as u32, bits as u16)
        };
        (0..self.heap.length(array)).map(entry).collect()
    }

    /// An exception as reports show it, with a few of its causes.
    pub(crate) fn describe(&self, exception: Ref) -> Thrown {
        let mut chain = vec![exception];
        while let Some(&last) = chain.last() {
            let cause = self.get_ref(last, "cause");
            if cause == 0 || chain.contains(&cause) || chain.len() > 8 {
                break;
            }
            chain.push(cause);
        }
        let mut cause = None;
        for &exception in chain.iter().rev() {
            let message = self.get_ref(exception, "detailMessage");
            let message = match message {
                0 => self.what_was_null(exception),
                text => Some(self.text(text)),
            };
            cause = Some(Box::new(Thrown {
                class: self.class_of(exception).name.replace('/', "."),
                message,
                stack: self.backtrace(exception),
                cause,
            }));
        }
        match cause {
            Some(thrown) => *thrown,
            None => unreachable!("the chain begins with the exception"),
        }
    }

    /// The message of a `NullPointerException` that the machine threw.
    pub(crate) fn what_was_null(&self, exception: Ref) -> Option<String> {
        if self.get_bits(exception, "extendedMessageState") != 1 {
            return None;
        }
        let &(method, offset) = self.backtrace(exception).first()?;
        crate::helpful::message(self.registry.method(method), offset)
    }

    /// Pops frames up to a handler.
    pub(crate) fn unwind(&mut self, mut exception: Ref) -> Result<Unwound, Fault> {
        while let Some(frame) = self.frames.last().copied() {
            let class = self.class_of(exception);
            let handler = frame.code.catches.iter().find(|catch| {
                if !(catch.start..catch.end).contains(&frame.pc) {
                    return false;
                }
                if catch.class == 0 {
                    return true;
                }
                // A class that was never loaded has no instances.
                let name = frame.method.class.pool.class_name(catch.class);
                name.ok()
                    .and_then(|name| self.registry.loaded(name))
                    .is_some_and(|caught| class.is_subtype_of(caught))
            });
            if let Some(catch) = handler {
                let to = catch.to;
                if let Some(top) = self.frames.last_mut() {
                    top.pc = to;
                    top.sp = top.base + top.code.locals;
                }
                return Ok(Unwound::Caught(exception));
            }
            self.frames.pop();
            if frame.lock != 0 {
                self.exit(frame.lock);
            }
            match frame.hook {
                Hook::Plain | Hook::Before | Hook::Then(_) | Hook::Joined(_) => {}
                Hook::Entry => return Ok(Unwound::Uncaught(exception)),
                Hook::Constant(..) => {
                    let error = self.load("java/lang/Error")?;
                    if !self.class_of(exception).is_subtype_of(error) {
                        exception = self.wrap("java/lang/BootstrapMethodError", exception)?;
                        let message = self.string("bootstrap method initialization exception")?;
                        self.set_ref(exception, "detailMessage", message);
                    }
                }
                Hook::Initialised(class) => {
                    self.init[class.id as usize] = InitState::Failed;
                    self.ready[class.id as usize] = 0;
                    let reason = self.reason_of_failure(exception)?;
                    self.failures.insert(class.id, reason);
                    let error = self.load("java/lang/Error")?;
                    if !self.class_of(exception).is_subtype_of(error) {
                        exception = self.wrap("java/lang/ExceptionInInitializerError", exception)?;
                    }
                }
                Hook::Reflected | Hook::Constructed(_) => {
                    exception = self.wrap("java/lang/reflect/InvocationTargetException", exception)?;
                }
            }
        }
        Ok(Unwound::Uncaught(exception))
    }

    /// What later uses of a class say whose initialiser threw this: its words and its place.
    fn reason_of_failure(&mut self, exception: Ref) -> Result<Ref, Fault> {
        let class = self.class_of(exception).name.replace('/', ".");
        let message = match self.get_ref(exception, "detailMessage") {
            0 => String::new(),
            text => format!(": {}", self.text(text)),
        };
        let thread = self.text(self.get_ref(self.threads[self.current].object, "name"));
        let message = format!("Exception {class}{message} [in thread \"{thread}\"]");
        let reason = self.make_exception("java/lang/ExceptionInInitializerError", Some(&message))?;
        let place = self.get_ref(exception, "backtrace");
        self.set_ref(reason, "backtrace", place);
        self.set_bits(reason, "depth", self.get_bits(exception, "depth"));
        self.set_ref(reason, "cause", 0);
        Ok(reason)
    }

    fn wrap(&mut self, class: &str, cause: Ref) -> Result<Ref, Fault> {
        let wrapper = self.make_exception(class, None)?;
        self.set_ref(wrapper, "cause", cause);
        self.set_ref(wrapper, "target", cause);
        self.set_ref(wrapper, "exception", cause);
        Ok(wrapper)
    }
}
