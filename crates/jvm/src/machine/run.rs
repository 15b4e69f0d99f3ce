//! The interpreter: one loop over the frame on top, without recursion. Whatever cannot be done here and now leaves it as a
//! [`Fault`], with the frame's state saved, and comes back when that was dealt with.

use super::throw::Unwound;
use super::{Done, Fault, Hook, Machine, Stop, ThreadState, numbers};
use crate::class::{Method, Resolved};
use crate::classfile::{Constant, access};
use crate::decode::quick;
use crate::domain::Values;
use crate::dynamic::CallSite;
use crate::kind::Kind;
use crate::op::{Arithmetic, Op, Strings, Switch};
use explore::op::ops;
use explore::{Division, Site};

/// How many jumps and calls a thread makes before another one runs.
const QUANTUM: u64 = 20_000;

/// How much time passes when a thread gives way to others without waiting for something, in nanoseconds.
const TURN: u64 = 100_000;

impl<D: Values> Machine<D> {
    /// Runs until something ends the run, or the fuel is used up. A jump or a call takes one.
    pub(crate) fn run(&mut self, fuel: &mut u64) -> Stop {
        loop {
            let fault = match self.steps(fuel) {
                Ok(stop) => return stop,
                Err(fault) => fault,
            };
            match self.deal_with(fault) {
                Ok(None) => {}
                Ok(Some(stop)) => return stop,
                Err(again) => match self.deal_with(again) {
                    Ok(None) => {}
                    Ok(Some(stop)) => return stop,
                    Err(Fault::Stop(stop)) => return stop,
                    Err(_) => return Stop::Unsupported("an exception while another one is made".to_string()),
                },
            }
        }
    }

    fn deal_with(&mut self, fault: Fault) -> Result<Option<Stop>, Fault> {
        let exception = match fault {
            Fault::Stop(stop) => return Ok(Some(stop)),
            Fault::Again => return Ok(None),
            Fault::Block => {
                if self.threads[self.current].state == ThreadState::Runnable {
                    // It only gives way. Those that sleep must wake even if others never do anything else.
                    self.world.now += TURN;
                    self.threads[self.current].state = ThreadState::Yielded;
                }
                return Ok(self.switch().err());
            }
            Fault::Throw(exception) => exception,
            Fault::New(class, message) => self.make_exception(class, message.as_deref())?,
            // Handles have none of the JDK's lambda forms: what trips over that is not the program.
            Fault::Null
                if self
                    .frames
                    .last()
                    .is_some_and(|f| f.method.class.name.starts_with("java/lang/invoke/")) =>
            {
                return Ok(Some(Stop::Unsupported(self.asked_handle())));
            }
            Fault::Null => {
                let exception = self.make_exception("java/lang/NullPointerException", None)?;
                // Its message is worked out when somebody asks for it.
                self.set_bits(exception, "extendedMessageState", 1);
                exception
            }
        };
        match self.unwind(exception)? {
            Unwound::Caught(exception) => {
                if let Some(frame) = self.frames.last_mut() {
                    self.stack[frame.sp as usize] = D::constant(u64::from(exception));
                    frame.sp += 1;
                }
                Ok(None)
            }
            Unwound::Uncaught(exception) => {
                let thrown = self.describe(exception);
                if self.current == 0 {
                    self.world.uncaught = exception;
                    return Ok(Some(Stop::Uncaught(thrown)));
                }
                if !std::mem::replace(&mut self.threads[self.current].dying, true) {
                    return self.tell_of_death(exception, thrown).map(|()| None);
                }
                self.end_thread().map(|()| None).or_else(|stop| Ok(Some(stop)))
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm an instruction")]
    fn steps(&mut self, fuel: &mut u64) -> Result<Stop, Fault> {
        let mut quantum = QUANTUM;
        'frame: loop {
            let Some(top) = self.frames.last() else { return Ok(Stop::Returned(0)) };
            let (method, code) = (top.method, top.code);
            let (base, mut pc, mut sp) = (top.base as usize, top.pc as usize, top.sp as usize);

            macro_rules! save {
                () => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc as u32;
                        frame.sp = sp as u32;
                    }
                };
            }
            macro_rules! fault {
                ($fault:expr) => {{
                    let fault = $fault;
                    save!();
                    return Err(fault);
                }};
            }
            macro_rules! attempt {
                ($e:expr) => {
                    match $e {
                        Ok(value) => value,
                        Err(fault) => fault!(fault),
                    }
                };
            }
            macro_rules! push {
                ($v:expr) => {{
                    let value = $v;
                    self.stack[sp] = value;
                    sp += 1;
                }};
            }
            macro_rules! push2 {
                ($v:expr) => {{
                    let value = $v;
                    self.stack[sp] = value;
                    sp += 2;
                }};
            }
            macro_rules! pop {
                () => {{
                    sp -= 1;
                    self.stack[sp]
                }};
            }
            macro_rules! pop2 {
                () => {{
                    sp -= 2;
                    self.stack[sp]
                }};
            }
            macro_rules! jump {
                ($to:expr) => {{
                    let to = $to as usize;
                    if to <= pc {
                        *fuel = fuel.saturating_sub(1);
                        quantum -= 1;
                        if *fuel == 0 || quantum == 0 {
                            pc = to;
                            save!();
                            if *fuel == 0 {
                                return Ok(Stop::OutOfFuel);
                            }
                            quantum = QUANTUM;
                            if self.threads.len() > 1 {
                                return Err(Fault::Block);
                            }
                        }
                    }
                    pc = to;
                    continue;
                }};
            }
            // Makes sure that a class is initialised, else runs its initialiser first and comes back.
            macro_rules! initialised {
                ($class:expr) => {
                    if self.ready.get($class.id as usize).is_none_or(|&at| at == 0) {
                        save!();
                        if !self.initialise($class)? {
                            continue 'frame;
                        }
                    }
                };
            }
            macro_rules! call {
                ($method:expr) => {{
                    let callee: &'static Method = $method;
                    let first = sp - usize::from(callee.arguments);
                    *fuel = fuel.saturating_sub(1);
                    if callee.native.is_none() && callee.body.is_some() {
                        if let Some(frame) = self.frames.last_mut() {
                            frame.pc = pc as u32;
                            frame.sp = sp as u32;
                        }
                        if *fuel == 0 {
                            return Ok(Stop::OutOfFuel);
                        }
                        self.push_frame(callee, first as u32, Hook::Plain)?;
                        // The caller goes on after the call, without the arguments.
                        let caller = self.frames.len() - 2;
                        self.frames[caller].sp = first as u32;
                        self.domain.within(Some(Site::new(callee.id)));
                        continue 'frame;
                    }
                    save!();
                    if *fuel == 0 || self.world.natives == 0 {
                        return Ok(Stop::OutOfFuel);
                    }
                    self.world.natives -= 1;
                    let mut few = [D::Value::default(); 16];
                    let many: Vec<D::Value>;
                    let count = sp - first;
                    let args: &[D::Value] = if count <= few.len() {
                        few[..count].copy_from_slice(&self.stack[first..sp]);
                        &few[..count]
                    } else {
                        many = self.stack[first..sp].to_vec();
                        &many
                    };
                    match self.call_native(callee, args)? {
                        Done::Void => sp = first,
                        Done::Value(value) => {
                            sp = first;
                            self.stack[sp] = value;
                            sp += callee.signature.result.kind.slots();
                        }
                        Done::Call(callee, args, hook) => {
                            if let Some(frame) = self.frames.last_mut() {
                                frame.sp = first as u32;
                            }
                            self.push_call(callee, &args, hook)?;
                            continue 'frame;
                        }
                    }
                }};
            }

            // A frame that was left by a call is entered again after it; `pc` is that of the call until then.
            loop {
                match code.ops[pc] {
                    Op::Nop => {}
                    Op::Line { site } => self.domain.step(Site::new(site)),
                    Op::Int(value) => push!(D::constant(u64::from(value as u32))),
                    Op::Long(value) => push2!(D::constant(value as u64)),
                    Op::Float(bits) => push!(D::constant(u64::from(bits))),
                    Op::Double(bits) => push2!(D::constant(bits)),
                    Op::Null => push!(D::constant(0)),
                    Op::Literal(number) => {
                        let string = match self.literals.get(number as usize) {
                            Some(&known) if known != 0 => known,
                            _ => attempt!(self.literal(number)),
                        };
                        push!(D::constant(u64::from(string)));
                    }
                    Op::Constant { index, wide } => {
                        save!();
                        let value = self.constant(method.class, index)?;
                        push!(value);
                        sp += usize::from(wide);
                    }
                    Op::Load(slot) => push!(self.stack[base + usize::from(slot)]),
                    Op::Load2(slot) => push2!(self.stack[base + usize::from(slot)]),
                    Op::Store(slot) => {
                        let value = pop!();
                        self.stack[base + usize::from(slot)] = value;
                    }
                    Op::Store2(slot) => {
                        let value = pop2!();
                        self.stack[base + usize::from(slot)] = value;
                    }
                    Op::ArrayLoad { kind, site } => {
                        sp = attempt!(self.load_element(kind, Site::new(site), sp))
                    }
                    Op::ArrayStore { kind, site } => {
                        sp = attempt!(self.store_element(kind, Site::new(site), sp))
                    }
                    Op::ArrayLoadLocal { kind, slot, site } => {
                        self.stack[sp] = self.stack[base + usize::from(slot)];
                        sp = attempt!(self.load_element(kind, Site::new(site), sp + 1))
                    }
                    Op::Pop => sp -= 1,
                    Op::Pop2 => sp -= 2,
                    Op::Dup => push!(self.stack[sp - 1]),
                    Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                        sp = self.rearrange(code.ops[pc], sp);
                    }
                    Op::IAdd => sp = self.integers(Arithmetic::IAdd, sp),
                    Op::ISub => sp = self.integers(Arithmetic::ISub, sp),
                    Op::IMul => sp = self.integers(Arithmetic::IMul, sp),
                    Op::IAnd => sp = self.integers(Arithmetic::IAnd, sp),
                    Op::IntConstant { op, value } => {
                        let right = D::constant(u64::from(value as u32));
                        self.stack[sp - 1] =
                            numbers::integers(&mut self.domain, op, self.stack[sp - 1], right);
                    }
                    Op::IntLocal { op, slot } => {
                        let right = self.stack[base + usize::from(slot)];
                        self.stack[sp - 1] =
                            numbers::integers(&mut self.domain, op, self.stack[sp - 1], right);
                    }
                    Op::WideLocal { op, slot } => {
                        let right = self.stack[base + usize::from(slot)];
                        self.stack[sp - 2] =
                            numbers::arithmetic(&mut self.domain, op, self.stack[sp - 2], right);
                    }
                    Op::Arithmetic(op) => {
                        let (left, right) = numbers::widths(op);
                        sp -= right;
                        let at = sp - left;
                        self.stack[at] =
                            numbers::arithmetic(&mut self.domain, op, self.stack[at], self.stack[sp]);
                    }
                    Op::IDiv { site } => sp = attempt!(self.divide(Division::Div32, Site::new(site), sp)),
                    Op::IRem { site } => sp = attempt!(self.divide(Division::Rem32, Site::new(site), sp)),
                    Op::LDiv { site } => sp = attempt!(self.divide(Division::Div64, Site::new(site), sp)),
                    Op::LRem { site } => sp = attempt!(self.divide(Division::Rem64, Site::new(site), sp)),
                    Op::Increment { slot, by } => {
                        let at = base + usize::from(slot);
                        let by = D::constant(u64::from(by as u32));
                        self.stack[at] =
                            numbers::arithmetic(&mut self.domain, Arithmetic::IAdd, self.stack[at], by);
                    }
                    Op::Convert(op) => {
                        let (from, to) = numbers::conversion_widths(op);
                        sp -= from;
                        self.stack[sp] = numbers::convert(&mut self.domain, op, self.stack[sp]);
                        sp += to;
                    }
                    Op::LCmp => {
                        let b = pop2!();
                        let a = pop2!();
                        push!(numbers::compare_long(&mut self.domain, a, b));
                    }
                    Op::FCmp { nan } => {
                        let b = pop!();
                        let a = pop!();
                        push!(numbers::compare_float(&mut self.domain, false, nan, a, b));
                    }
                    Op::DCmp { nan } => {
                        let b = pop2!();
                        let a = pop2!();
                        push!(numbers::compare_float(&mut self.domain, true, nan, a, b));
                    }
                    Op::If { condition, to, site } => {
                        let a = pop!();
                        if numbers::test(&mut self.domain, Site::new(site), condition, a, D::constant(0)) {
                            jump!(to);
                        }
                    }
                    Op::IfCompare { condition, to, site } => {
                        let b = pop!();
                        let a = pop!();
                        if numbers::test(&mut self.domain, Site::new(site), condition, a, b) {
                            jump!(to);
                        }
                    }
                    Op::IfConstant { condition, value, to, site } => {
                        let (a, b) = (pop!(), D::constant(u64::from(value as u32)));
                        if numbers::test(&mut self.domain, Site::new(site), condition, a, b) {
                            jump!(to);
                        }
                    }
                    Op::IfLocal { condition, slot, to, site } => {
                        let (a, b) = (pop!(), self.stack[base + usize::from(slot)]);
                        if numbers::test(&mut self.domain, Site::new(site), condition, a, b) {
                            jump!(to);
                        }
                    }
                    Op::IfLocals { condition, left, right, to, site } => {
                        let a = self.stack[base + usize::from(left)];
                        let b = self.stack[base + usize::from(right)];
                        if numbers::test(&mut self.domain, Site::new(site), condition, a, b) {
                            jump!(to);
                        }
                    }
                    Op::IfLong { condition, to, site } => {
                        let b = pop2!();
                        let a = pop2!();
                        if numbers::test_long(&mut self.domain, Site::new(site), condition, a, b) {
                            jump!(to);
                        }
                    }
                    Op::IfFloat { condition, double, negated, to, site } => {
                        let slots = 1 + usize::from(double);
                        sp -= 2 * slots;
                        let (a, b) = (self.stack[sp], self.stack[sp + slots]);
                        let truth = numbers::float_test(&mut self.domain, double, condition, a, b);
                        if self.domain.branch(Site::new(site), truth) != negated {
                            jump!(to);
                        }
                    }
                    Op::IfNull { null, to, site } => {
                        let taken = (Self::reference(pop!()) == 0) == null;
                        if self.domain.branch(Site::new(site), D::constant(u64::from(taken))) {
                            jump!(to);
                        }
                    }
                    Op::IfSame { same, to, site } => {
                        let (b, a) = (Self::reference(pop!()), Self::reference(pop!()));
                        let mut truth = D::constant(u64::from((a == b) == same));
                        if a != b
                            && let Some(shared) = self.same_box(a, b)
                        {
                            let one = D::constant(u64::from(!same));
                            truth = self
                                .domain
                                .binary::<ops::I32Xor>(Site::new(0), shared, one)
                                .unwrap_or_default();
                        }
                        if self.domain.branch(Site::new(site), truth) {
                            jump!(to);
                        }
                    }
                    Op::Goto(to) => jump!(to),
                    Op::Jsr(to) => {
                        push!(D::constant(pc as u64 + 1));
                        jump!(to);
                    }
                    Op::Ret(slot) => jump!(D::bits(self.stack[base + usize::from(slot)]) as u32),
                    Op::Switch { table, site } => {
                        let key = pop!();
                        let switch = &code.switches[table as usize];
                        let to = attempt!(self.choose(switch, key, base, Site::new(site)));
                        jump!(to);
                    }
                    Op::Return | Op::Return1 | Op::Return2 => {
                        let value = match code.ops[pc] {
                            Op::Return => D::constant(0),
                            Op::Return1 => self.stack[sp - 1],
                            _ => self.stack[sp - 2],
                        };
                        let hook = self.frames.last().map_or(Hook::Entry, |frame| frame.hook);
                        if let Some(value) = self.pop_frame(value)? {
                            if let Some(stop) = self.leave(value)? {
                                return Ok(stop);
                            }
                            continue 'frame;
                        }
                        // Initialisers come back to the instruction that needed them; calls go on after theirs.
                        if !matches!(
                            hook,
                            Hook::Initialised(_) | Hook::Before | Hook::Then(_) | Hook::Constant(..)
                        ) && let Some(frame) = self.frames.last_mut()
                        {
                            frame.pc += 1;
                        }
                        continue 'frame;
                    }
                    Op::GetField { offset, kind } => {
                        let object = attempt!(self.object_at(sp - 1));
                        let value = attempt!(self.field_at(object + offset, kind));
                        self.stack[sp - 1] = value;
                        sp = sp - 1 + kind.slots();
                    }
                    Op::GetFieldLocal { slot, offset, kind } => {
                        let object = attempt!(self.object_at(base + usize::from(slot)));
                        let value = attempt!(self.field_at(object + offset, kind));
                        self.stack[sp] = value;
                        sp += kind.slots();
                    }
                    Op::PutField { offset, kind } => {
                        let first = sp - 1 - kind.slots();
                        let object = attempt!(self.object_at(first));
                        self.domain.store(&mut self.heap, object + offset, kind, self.stack[first + 1]);
                        sp = first;
                    }
                    Op::GetStatic { class, offset, kind } => {
                        let at = self.ready.get(class as usize).copied().unwrap_or(0);
                        let at = if at == 0 {
                            let class = self.registry.class(class);
                            initialised!(class);
                            self.statics[class.id as usize]
                        } else {
                            at
                        };
                        let value = self.domain.load(&self.heap, at + offset, kind);
                        self.stack[sp] = value;
                        sp += kind.slots();
                    }
                    Op::PutStatic { class, offset, kind } => {
                        let at = self.ready.get(class as usize).copied().unwrap_or(0);
                        let at = if at == 0 {
                            let class = self.registry.class(class);
                            initialised!(class);
                            self.statics[class.id as usize]
                        } else {
                            at
                        };
                        sp -= kind.slots();
                        self.domain.store(&mut self.heap, at + offset, kind, self.stack[sp]);
                    }
                    Op::Field { index, get, fixed } => {
                        save!();
                        let (class, field) = self.resolve_field(method.class, index)?;
                        if field.is_static() != fixed {
                            fault!(Fault::New(
                                "java/lang/IncompatibleClassChangeError",
                                Some(field.name.clone())
                            ));
                        }
                        let kind = field.ty.kind;
                        let value_at = if get { sp } else { sp - kind.slots() };
                        let (at, bottom) = if fixed {
                            initialised!(class);
                            (self.statics[class.id as usize], value_at)
                        } else {
                            (attempt!(self.object_at(value_at - 1)), value_at - 1)
                        };
                        if get {
                            let value = attempt!(self.field_at(at + field.offset, kind));
                            self.stack[bottom] = value;
                            sp = bottom + kind.slots();
                        } else {
                            self.domain.store(&mut self.heap, at + field.offset, kind, self.stack[value_at]);
                            sp = bottom;
                        }
                    }
                    Op::InvokeVirtual { index, arguments } => {
                        let object = attempt!(self.object_at(sp - usize::from(arguments)));
                        let class = self.class_of(object);
                        match class.vtable().get(index as usize) {
                            Some(callee) => call!(callee),
                            None => fault!(Fault::New("java/lang/AbstractMethodError", None)),
                        }
                    }
                    Op::InvokeSpecial(callee) => {
                        attempt!(self.object_at(sp - usize::from(callee.arguments)));
                        call!(callee);
                    }
                    Op::InvokeStatic(callee) => {
                        initialised!(callee.class);
                        call!(callee);
                    }
                    Op::InvokeInterface(callee) => {
                        let object = attempt!(self.object_at(sp - usize::from(callee.arguments)));
                        let class = self.class_of(object);
                        let found = attempt!(self.select(class, callee));
                        call!(found);
                    }
                    Op::Invoke { index, opcode } => {
                        save!();
                        let callee = self.resolve_method(method.class, index)?;
                        match quick(method.class, callee, opcode) {
                            Some(Op::InvokeStatic(callee)) => {
                                initialised!(callee.class);
                                call!(callee);
                            }
                            Some(op) => {
                                let object = attempt!(self.object_at(sp - usize::from(callee.arguments)));
                                let class = self.class_of(object);
                                match op {
                                    Op::InvokeSpecial(callee) => call!(callee),
                                    Op::InvokeVirtual { index, .. } => call!(class.vtable()[index as usize]),
                                    _ => {
                                        let found = attempt!(self.select(class, callee));
                                        call!(found);
                                    }
                                }
                            }
                            None => fault!(Fault::New(
                                "java/lang/IncompatibleClassChangeError",
                                Some(callee.qualified())
                            )),
                        }
                    }
                    Op::InvokePolymorphic { index } => {
                        save!();
                        let Ok(Constant::Method(class, name, descriptor, _)) = method.class.pool.get(index)
                        else {
                            fault!(Fault::Stop(Stop::Unsupported("a malformed call".into())))
                        };
                        let (done, first) = self.polymorphic(class, name, descriptor, sp)?;
                        match done {
                            Done::Void => sp = first,
                            Done::Value(value) => {
                                let kind =
                                    descriptor.rsplit(')').next().and_then(Kind::of).unwrap_or(Kind::Void);
                                sp = first;
                                self.stack[sp] = value;
                                sp += kind.slots();
                            }
                            Done::Call(callee, args, hook) => {
                                if let Some(frame) = self.frames.last_mut() {
                                    frame.sp = first as u32;
                                }
                                self.push_call(callee, &args, hook)?;
                                continue 'frame;
                            }
                        }
                    }
                    Op::InvokeDynamic { index } => {
                        save!();
                        let site = match self.registry.resolve(method.class, index) {
                            Ok(Resolved::Site(site)) => site,
                            Ok(_) => fault!(Fault::Stop(Stop::Unsupported("a malformed call site".into()))),
                            Err(error) => fault!(Fault::New(error.throwable(), Some(error.message()))),
                        };
                        match site {
                            CallSite::Object { class, captures, slots } => {
                                let first = sp - slots;
                                let object = attempt!(self.lambda(class, captures, first));
                                sp = first;
                                push!(D::constant(u64::from(object)));
                            }
                            CallSite::Method(callee) => call!(callee),
                            CallSite::Unsupported(what) => {
                                fault!(Fault::Stop(Stop::Unsupported(what.clone())))
                            }
                        }
                    }
                    Op::New(class) => {
                        initialised!(class);
                        let object = attempt!(self.allocate_raw(class.id, 0, class.size as usize));
                        push!(D::constant(u64::from(object)));
                    }
                    Op::OnClass { index, opcode, site } => {
                        save!();
                        let class = self.resolve_class(method.class, index)?;
                        match opcode {
                            0xbb => {
                                if class.flags & (access::ABSTRACT | access::INTERFACE) != 0 {
                                    fault!(Fault::New(
                                        "java/lang/InstantiationError",
                                        Some(class.name.replace('/', "."))
                                    ));
                                }
                                initialised!(class);
                                let object = attempt!(self.allocate(class));
                                push!(D::constant(u64::from(object)));
                            }
                            0xbd => {
                                let class = attempt!(self.load(&crate::registry::array_name(class)));
                                let length = self.stack[sp - 1];
                                let array = attempt!(self.new_array(class, length, Site::new(site)));
                                self.stack[sp - 1] = D::constant(u64::from(array));
                            }
                            0xc0 => sp = attempt!(self.cast(class, sp)),
                            _ => self.test_class(class, sp),
                        }
                    }
                    Op::NewArray { class, site } => {
                        let length = self.stack[sp - 1];
                        let array = attempt!(self.new_array(class, length, Site::new(site)));
                        self.stack[sp - 1] = D::constant(u64::from(array));
                    }
                    Op::MultiNewArray { index, dimensions, site } => {
                        save!();
                        let class = self.resolve_class(method.class, index)?;
                        let first = sp - usize::from(dimensions);
                        let array =
                            attempt!(self.new_arrays(class, first, usize::from(dimensions), Site::new(site)));
                        sp = first;
                        push!(D::constant(u64::from(array)));
                    }
                    Op::ArrayLength => {
                        let array = attempt!(self.object_at(sp - 1));
                        self.stack[sp - 1] = D::constant(u64::from(self.heap.length(array)));
                    }
                    Op::Throw => {
                        let exception = attempt!(self.object_at(sp - 1));
                        fault!(Fault::Throw(exception));
                    }
                    Op::CheckCast(class) => sp = attempt!(self.cast(class, sp)),
                    Op::InstanceOf(class) => self.test_class(class, sp),
                    Op::MonitorEnter => {
                        let object = attempt!(self.object_at(sp - 1));
                        if !self.enter(object) {
                            fault!(Fault::Block);
                        }
                        sp -= 1;
                    }
                    Op::MonitorExit => {
                        let object = attempt!(self.object_at(sp - 1));
                        sp -= 1;
                        if !self.exit(object) {
                            fault!(Fault::New("java/lang/IllegalMonitorStateException", None));
                        }
                    }
                }
                pc += 1;
            }
        }
    }

    /// Where a switch goes.
    fn choose(&mut self, switch: &Switch, key: D::Value, base: usize, at: Site) -> Result<u32, Fault> {
        Ok(match switch {
            Switch::Table(low, targets) => {
                let default = targets.len() as u32 - 1;
                let low = D::constant(u64::from(*low as u32));
                let index = numbers::arithmetic(&mut self.domain, Arithmetic::ISub, key, low);
                targets[self.domain.switch(at, index, default) as usize]
            }
            Switch::Lookup(keys, targets, default) => {
                // One question a key, whether it is symbolic or not: both domains take the same turns.
                for (known, &to) in keys.iter().zip(targets) {
                    if self.domain.compare::<ops::I32Eq>(at, key, D::constant(u64::from(*known as u32))) {
                        return Ok(to);
                    }
                }
                *default
            }
            Switch::Strings(strings) => {
                let string = Self::reference(self.stack[base + usize::from(strings.slot)]);
                if self.class_of(string).id != self.known().string.id {
                    // Somebody wrote by hand what compilers write, for objects of any class.
                    let found = strings.keys.binary_search_by_key(&(self.plain(key) as i32), |case| case.0);
                    return Ok(found.map_or(strings.default, |i| strings.targets[i]));
                }
                for (&(_, literal), &to) in strings.keys.iter().zip(&strings.targets) {
                    let literal = self.literal(literal)?;
                    let equal = self.same_text(string, literal);
                    if self.domain.compare::<ops::I32Ne>(at, equal, D::constant(0)) {
                        return Ok(to);
                    }
                }
                self.choose_hash(strings, key, at)
            }
        })
    }

    /// Where a string goes that is none of the literals of a switch: to the default, or where the literal of the same hash goes. That
    /// other strings may do otherwise is kept as what this run stands for, since nobody writes a program for strings that collide.
    fn choose_hash(&mut self, strings: &Strings, key: D::Value, at: Site) -> u32 {
        let known = |i: usize| D::constant(u64::from(strings.keys[i].0 as u32));
        if let Ok(i) = strings.keys.binary_search_by_key(&(D::bits(key) as i32), |case| case.0) {
            let same = self.domain.binary::<ops::I32Eq>(at, key, known(i)).unwrap_or_default();
            self.domain.region(at, same);
            return strings.targets[i];
        }
        if D::is_symbolic(key) {
            let mut other = D::constant(1);
            for i in 0..strings.keys.len() {
                let differs = self.domain.binary::<ops::I32Ne>(at, key, known(i)).unwrap_or_default();
                other = self.domain.binary::<ops::I32And>(at, other, differs).unwrap_or_default();
            }
            self.domain.region(at, other);
        }
        strings.default
    }
}
