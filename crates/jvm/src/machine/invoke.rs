//! Calls: frames, natives, and what returning does.

use super::{Done, Fault, Frame, Hook, MAX_FRAMES, MAX_SLOTS, Machine, Stop};
use crate::class::{Class, Method};
use crate::classfile::access;
use crate::domain::Values;
use crate::heap::Ref;
use crate::kind::Kind;
use crate::op::Code;

/// Natives that tell the JVM of fields and methods. This machine finds them by name.
const REGISTRATIONS: [&str; 4] = ["registerNatives", "initIDs", "initNative", "initStatic"];

impl<D: Values> Machine<D> {
    /// The code of a method, decoded if it was not yet.
    #[inline(always)]
    pub(crate) fn code_of(&self, method: &'static Method) -> Result<&'static Code, Fault> {
        match method.code.get() {
            Some(Ok(code)) => Ok(code),
            _ => self.decode(method),
        }
    }

    #[cold]
    fn decode(&self, method: &'static Method) -> Result<&'static Code, Fault> {
        let wrong =
            |why: &str| Fault::New("java/lang/VerifyError", Some(format!("{}: {why}", method.qualified())));
        self.registry.code(method).map_err(wrong)
    }

    /// Pushes a call whose arguments lie on the stack from `base` on.
    #[inline]
    pub(crate) fn push_frame(&mut self, method: &'static Method, base: u32, hook: Hook) -> Result<(), Fault> {
        let code = self.code_of(method)?;
        let end = (base + code.slots) as usize;
        if self.frames.len() >= MAX_FRAMES || end > MAX_SLOTS {
            return Err(Fault::New("java/lang/StackOverflowError", None));
        }
        if self.stack.len() < end {
            self.stack.resize((2 * end).max(1024), D::Value::default());
        }
        let mut lock = 0;
        if method.flags & access::SYNCHRONIZED != 0 {
            lock = if method.is_static() {
                self.mirror(method.class)?
            } else {
                Self::reference(self.stack[base as usize])
            };
            if !self.enter(lock) {
                return Err(Fault::Block);
            }
        }
        self.frames.push(Frame { method, code, pc: 0, base, sp: base + code.locals, hook, lock });
        Ok(())
    }

    /// Pushes a call with these arguments, one slot each, two for long and double.
    pub(crate) fn push_call(
        &mut self,
        method: &'static Method,
        args: &[D::Value],
        hook: Hook,
    ) -> Result<(), Fault> {
        let base =
            self.frames.last().map_or(0, |frame| frame.sp.max(frame.base + frame.code.locals)) as usize;
        if self.stack.len() < base + args.len() {
            self.stack.resize(base + args.len() + 64, D::Value::default());
        }
        self.stack[base..base + args.len()].copy_from_slice(args);
        if method.body.is_none() {
            return Err(Fault::Stop(Stop::Unsupported(format!(
                "a call of native {} from outside",
                method.qualified()
            ))));
        }
        self.push_frame(method, base as u32, hook)
    }

    /// Calls a row of the table of natives.
    #[inline]
    pub(crate) fn call_native(
        &mut self,
        method: &'static Method,
        args: &[D::Value],
    ) -> Result<Done<D::Value>, Fault> {
        match method.native {
            Some(number) => {
                let function = self.natives[usize::from(number)];
                self.called[usize::from(number)] = true;
                function(self, args)
            }
            None if method.flags & access::NATIVE == 0
                && method.class.name == "java/lang/invoke/MethodHandle" =>
            {
                Err(Fault::Stop(Stop::Unsupported(self.asked_handle())))
            }
            None if method.flags & access::NATIVE == 0 => {
                let message = format!("{}.{}{}", method.class.name, method.name, method.descriptor);
                Err(Fault::New("java/lang/AbstractMethodError", Some(message)))
            }
            None if REGISTRATIONS.contains(&method.name.as_str()) && method.descriptor == "()V" => {
                Ok(Done::Void)
            }
            None => {
                let name = format!("{}.{}{}", method.class.name, method.name, method.descriptor);
                Err(Fault::Stop(Stop::Unsupported(format!("native method {name}"))))
            }
        }
    }

    /// The method of an interface that an object's class answers with.
    #[inline]
    pub(crate) fn select(
        &mut self,
        class: &'static Class,
        method: &'static Method,
    ) -> Result<&'static Method, Fault> {
        if let Some(found) = class.answers.get(method.selector) {
            return Ok(found);
        }
        match class.select(method.selector) {
            Some(found) => {
                class.answers.put(method.selector, found);
                Ok(found)
            }
            None => {
                let message = format!("{}.{}{}", class.name, method.name, method.descriptor);
                Err(Fault::New("java/lang/AbstractMethodError", Some(message)))
            }
        }
    }

    /// What a call on an object goes to, for callers other than bytecode.
    pub(crate) fn dispatch(
        &mut self,
        object: Ref,
        method: &'static Method,
    ) -> Result<&'static Method, Fault> {
        if method.is_static() || method.flags & access::PRIVATE != 0 || method.name == "<init>" {
            return Ok(method);
        }
        let class = self.class_of(object);
        match method.index.filter(|_| !method.class.is_interface()) {
            Some(index) => Ok(class.vtable()[index as usize]),
            None => self.select(class, method),
        }
    }

    /// Pops the frame on top and does what its hook says; the result is given as it lies on the stack.
    pub(crate) fn pop_frame(&mut self, value: D::Value) -> Result<Option<D::Value>, Fault> {
        let Some(frame) = self.frames.pop() else { return Ok(Some(value)) };
        if frame.lock != 0 {
            self.exit(frame.lock);
        }
        let kind = frame.method.signature.result.kind;
        if let Hook::Joined(mark) = frame.hook {
            self.domain.join(mark as usize);
        }
        let value = match frame.hook {
            Hook::Plain | Hook::Joined(_) if kind == Kind::Void => return Ok(None),
            Hook::Plain | Hook::Joined(_) => return self.push_result(value, kind.slots()),
            Hook::Before => return Ok(None),
            Hook::Entry => return Ok(Some(value)),
            Hook::Constant(class, index) => {
                self.constants.insert((class, index), value);
                return Ok(None);
            }
            Hook::Initialised(class) => {
                self.mark_ready(class);
                return Ok(None);
            }
            Hook::Reflected => D::constant(u64::from(self.boxed(kind, value)?)),
            Hook::Constructed(object) => D::constant(u64::from(object)),
            Hook::Then(method) => {
                let method = self.dispatch(Self::reference(value), method)?;
                self.push_call(method, &[value], Hook::Plain)?;
                return Ok(None);
            }
        };
        self.push_result(value, 1)
    }

    fn push_result(&mut self, value: D::Value, slots: usize) -> Result<Option<D::Value>, Fault> {
        if let Some(caller) = self.frames.last_mut() {
            self.stack[caller.sp as usize] = value;
            caller.sp += slots as u32;
        }
        Ok(None)
    }
}
