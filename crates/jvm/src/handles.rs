//! Method handles: what one names, and the code that calls it.
//!
//! The JDK spins classes out of lambda forms to call a handle. Here a handle is a small tree of what was asked for (a method, a field, or
//! another handle with arguments inserted, dropped, filtered ...), and each shape of such a tree becomes one static method of the
//! machine's own code, whose first argument is the handle. Values that are bound lie in the handle, so that all handles of a shape share
//! the code.

use crate::class::{Class, Field, Method};
use crate::classfile::{FieldInfo, access};
use crate::dynamic::{Assembler, describe, made, made_class};
use crate::kind::{Kind, Signature, Type};
use crate::op::{Catch, Code, Condition, Op};
use crate::registry::{LoadError, Registry};

/// The class of all handles; what the machine makes for them begins with the same name.
pub(crate) const CLASS: &str = "soundline/Handle";

/// The fields of a handle beside its type: what it does, two numbers, whether it collects trailing arguments, and bound values or other handles.
pub(crate) const FIELDS: [(&str, &str); 5] =
    [("what", "I"), ("first", "I"), ("second", "I"), ("varargs", "Z"), ("parts", "[Ljava/lang/Object;")];

/// What a handle does when it is called.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Calls a static method.
    Static(&'static Method),
    /// Calls a method by the class of its receiver.
    Virtual(&'static Method),
    /// Calls just this method.
    Special(&'static Method),
    /// Makes an object by this constructor.
    Constructor(&'static Method),
    /// Reads a field of a class.
    Get(&'static Class, &'static Field),
    /// Sets a field of a class.
    Put(&'static Class, &'static Field),
    /// Calls another handle with converted arguments (`asType`).
    Convert(Box<Handle>),
    /// Calls another handle with so many bound arguments at a position.
    Insert(Box<Handle>, usize, usize),
    /// Calls another handle without so many arguments from a position on.
    Drop(Box<Handle>, usize, usize),
    /// Calls the second handle with the result of the first.
    FilterResult(Box<Handle>, Box<Handle>),
    /// Calls the first handle; the arguments from a position on go through handles of their own, where there is one.
    FilterArguments(Box<Handle>, usize, Vec<Option<Handle>>),
    /// Calls the second or third handle, as the first says.
    Guard(Box<Handle>, Box<Handle>, Box<Handle>),
    /// Gives its argument back.
    Identity,
    /// Calls another handle with these of its arguments, in this order.
    Permute(Box<Handle>, Vec<usize>),
    /// Calls the first handle; at a position stands the result of the second one, which takes the arguments from there on.
    Collect(Box<Handle>, Box<Handle>, usize),
    /// The same, and the first handle gets these arguments too.
    Fold(Box<Handle>, Box<Handle>, usize),
    /// Calls another handle with so many elements of an array, which is the argument at a position.
    Spread(Box<Handle>, usize, usize),
    /// Calls another handle with so many arguments from a position on in an array of this class.
    Gather(Box<Handle>, usize, usize, &'static Class),
    /// Calls the first handle, and the second one with the exception if it throws one of this class.
    Catch(Box<Handle>, Box<Handle>, &'static Class),
    /// Calls the first handle, and then the second one with the exception or null, and the result.
    Finally(Box<Handle>, Box<Handle>),
    /// Throws its argument.
    Throw,
    /// Gives zero or null.
    Zero,
    /// Calls another handle with arguments that are cast (`explicitCastArguments`).
    Cast(Box<Handle>),
    /// Reads an element of an array.
    ArrayGet(Kind),
    /// Sets an element of an array.
    ArrayPut(Kind),
    /// The length of an array.
    ArrayLength,
    /// Makes an array of this class.
    ArrayNew(&'static Class),
}

/// A handle as it was made.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub(crate) action: Action,
    pub(crate) signature: Signature,
    /// Whether trailing arguments are collected in an array.
    pub(crate) varargs: bool,
}

impl Handle {
    /// The shape as text: handles with the same text have the same code.
    fn key(&self) -> String {
        let what = match &self.action {
            Action::Static(method) => format!("static {}", method.id),
            Action::Virtual(method) => format!("virtual {}", method.id),
            Action::Special(method) => format!("special {}", method.id),
            Action::Constructor(method) => format!("new {}", method.id),
            Action::Get(class, field) => format!("get {}.{}", class.id, field.name),
            Action::Put(class, field) => format!("put {}.{}", class.id, field.name),
            Action::Convert(inner) => format!("convert {}", inner.key()),
            Action::Insert(inner, at, count) => format!("insert {at} {count} {}", inner.key()),
            Action::Drop(inner, at, count) => format!("drop {at} {count} {}", inner.key()),
            Action::FilterResult(inner, filter) => format!("then {} {}", inner.key(), filter.key()),
            Action::FilterArguments(inner, at, filters) => {
                let keys: Vec<String> =
                    filters.iter().map(|f| f.as_ref().map_or("-".to_string(), Handle::key)).collect();
                format!("filter {at} {} {}", inner.key(), keys.join(" "))
            }
            Action::Guard(test, yes, no) => format!("if {} {} {}", test.key(), yes.key(), no.key()),
            Action::Identity => "same".to_string(),
            Action::Permute(inner, order) => format!("permute {order:?} {}", inner.key()),
            Action::Collect(inner, filter, at) => format!("collect {at} {} {}", inner.key(), filter.key()),
            Action::Fold(inner, combiner, at) => format!("fold {at} {} {}", inner.key(), combiner.key()),
            Action::Spread(inner, at, count) => format!("spread {at} {count} {}", inner.key()),
            Action::Gather(inner, at, count, class) => {
                format!("gather {at} {count} {} {}", class.id, inner.key())
            }
            Action::Catch(inner, handler, class) => {
                format!("catch {} {} {}", class.id, inner.key(), handler.key())
            }
            Action::Finally(inner, cleanup) => format!("finally {} {}", inner.key(), cleanup.key()),
            Action::Throw => "throw".to_string(),
            Action::Zero => "zero".to_string(),
            Action::Cast(inner) => format!("cast {}", inner.key()),
            Action::ArrayGet(kind) => format!("element {kind:?}"),
            Action::ArrayPut(kind) => format!("put element {kind:?}"),
            Action::ArrayLength => "length".to_string(),
            Action::ArrayNew(class) => format!("new array {}", class.id),
        };
        format!("[{what} {}]", describe(&self.signature))
    }
}

/// The class of handles, defined once.
pub(crate) fn class(registry: &Registry) -> Result<&'static Class, LoadError> {
    let parent = registry.load("java/lang/invoke/MethodHandle")?;
    let fields = FIELDS.iter().map(|(name, descriptor)| FieldInfo {
        flags: access::PRIVATE | access::FINAL,
        name: name.to_string(),
        descriptor: descriptor.to_string(),
        constant: None,
        signature: None,
        annotations: None,
    });
    registry.define(made_class(CLASS.to_string(), Vec::new(), fields.collect()), parent, Vec::new())
}

/// The static method that calls a handle with arguments of its own types: the handle, then the arguments.
pub(crate) fn caller(registry: &Registry, handle: &Handle) -> Result<&'static Method, LoadError> {
    let name = format!("{CLASS}{}", handle.key());
    if let Some(method) = known(registry, &name) {
        return Ok(method);
    }
    let mut code = Writer::new(registry, &handle.signature)?;
    code.action(handle, &name)?;
    define(registry, name, &handle.signature, code.finish())
}

/// The static method that calls a handle from a call site of other types (`MethodHandle.invoke`); none where they do not fit.
pub(crate) fn bridge(
    registry: &Registry,
    handle: &Handle,
    call: &Signature,
) -> Result<Option<&'static Method>, LoadError> {
    if *call == handle.signature {
        return caller(registry, handle).map(Some);
    }
    let name = format!("{CLASS} {}{}", describe(call), handle.key());
    if let Some(method) = known(registry, &name) {
        return Ok(Some(method));
    }
    let mut code = Writer::new(registry, call)?;
    code.asm.ops.push(Op::Load(0));
    let wanted = &handle.signature.parameters;
    let is_array = |ty: Option<&Type>| {
        ty.is_some_and(|ty| {
            ty.kind == Kind::Ref && (ty.class.starts_with('[') || ty.class == "java/lang/Object")
        })
    };
    let collects =
        handle.varargs && !(call.parameters.len() == wanted.len() && is_array(call.parameters.last()));
    let fixed = if collects { wanted.len().saturating_sub(1) } else { wanted.len() };
    if call.parameters.len() < fixed || (!collects && call.parameters.len() != fixed) {
        return Ok(None);
    }
    for (i, to) in wanted.iter().take(fixed).enumerate() {
        if !code.convert(i, to)? {
            return Ok(None);
        }
    }
    if collects && let Some(array) = wanted.last() {
        let array = registry.load(&array.class)?;
        if !code.collect(array, fixed, &name)? {
            return Ok(None);
        }
    }
    code.asm.ops.push(Op::InvokeStatic(caller(registry, handle)?));
    if !code.give_back(&handle.signature.result, &call.result)? {
        return Ok(None);
    }
    define(registry, name, call, code.finish()).map(Some)
}

/// Whether `asType` accepts the change of one type into another.
pub(crate) fn convertible(registry: &Registry, from: &Type, to: &Type) -> Result<bool, LoadError> {
    Ok(match (from.kind, to.kind) {
        (Kind::Ref, Kind::Ref) | (_, Kind::Void) | (Kind::Void, _) => true,
        (Kind::Ref, kind) => match crate::kind::PRIMITIVES.iter().find(|row| row.3 == from.class) {
            Some(row) => widens(row.0, kind),
            None => {
                let Some(row) = kind.primitive() else { return Ok(false) };
                registry.load(row.3)?.is_subtype_of(registry.load(&from.class)?)
            }
        },
        (kind, Kind::Ref) => {
            let Some(row) = kind.primitive() else { return Ok(false) };
            registry.load(row.3)?.is_subtype_of(registry.load(&to.class)?)
        }
        (from, to) => widens(from, to),
    })
}

/// Whether a primitive value fits another kind as it is (JLS 5.1.2).
fn widens(from: Kind, to: Kind) -> bool {
    let order = [Kind::Byte, Kind::Short, Kind::Int, Kind::Long, Kind::Float, Kind::Double];
    let place = |kind: Kind| order.iter().position(|known| *known == kind);
    match (place(from), place(to)) {
        _ if from == to => true,
        (Some(from), Some(to)) => from < to,
        (None, Some(to)) => from == Kind::Char && to >= 2,
        _ => false,
    }
}

fn known(registry: &Registry, name: &str) -> Option<&'static Method> {
    let method = registry.loaded(name)?.methods().first().copied()?;
    method.code.get().is_some().then_some(method)
}

/// What the static method of a call takes: the handle, then the arguments.
fn with_handle(signature: &Signature) -> Signature {
    let mut parameters = signature.parameters.clone();
    parameters.insert(0, object());
    Signature { parameters, result: signature.result.clone() }
}

fn define(
    registry: &Registry,
    name: String,
    signature: &Signature,
    code: Code,
) -> Result<&'static Method, LoadError> {
    let missing = LoadError::Link(format!("class {name} is empty"));
    let method = made("call", &describe(&with_handle(signature)), access::STATIC | access::PUBLIC | 0x1000);
    let class = registry.define(
        made_class(name, vec![method], Vec::new()),
        registry.load("java/lang/Object")?,
        Vec::new(),
    )?;
    let method = class.methods().first().copied().ok_or(missing)?;
    registry.set_code(method, code);
    Ok(method)
}

fn object() -> Type {
    Type { kind: Kind::Ref, class: "java/lang/Object".to_string() }
}

/// Code of a static method whose arguments are a handle and what a signature says.
struct Writer<'a> {
    asm: Assembler<'a>,
    signature: &'a Signature,
    /// The slot of each argument.
    slots: Vec<usize>,
    /// Where handles keep their parts.
    parts: u32,
    catches: Vec<Catch>,
}

impl<'a> Writer<'a> {
    fn new(registry: &'a Registry, signature: &'a Signature) -> Result<Writer<'a>, LoadError> {
        let mut slots = Vec::new();
        let mut slot = 1;
        for ty in &signature.parameters {
            slots.push(slot);
            slot += ty.kind.slots();
        }
        let class = class(registry)?;
        let parts = class.fields.iter().find(|field| field.name == "parts").map_or(0, |field| field.offset);
        let asm = Assembler { registry, ops: Vec::new() };
        Ok(Writer { asm, signature, slots, parts, catches: Vec::new() })
    }

    fn finish(self) -> Code {
        // After the arguments there is room for one value.
        Code { catches: self.catches, ..self.asm.finish(3 + self.signature.slots()) }
    }

    /// Pushes an argument.
    fn argument(&mut self, number: usize) {
        self.asm.load_argument(self.slots[number], self.signature.parameters[number].kind);
    }

    fn arguments(&mut self, numbers: std::ops::Range<usize>) {
        numbers.for_each(|number| self.argument(number));
    }

    /// Pushes an argument as another type; says whether that can be done.
    fn convert(&mut self, number: usize, to: &Type) -> Result<bool, LoadError> {
        self.argument(number);
        let from = self.signature.parameters[number].clone();
        if !convertible(self.asm.registry, &from, to)? {
            return Ok(false);
        }
        self.asm.adapt(&from, to)?;
        Ok(true)
    }

    /// Pushes an array of all arguments from one on.
    fn collect(&mut self, array: &'static Class, from: usize, key: &str) -> Result<bool, LoadError> {
        let crate::class::Shape::Array(element) = array.shape else { return Ok(false) };
        let kind = array.element_kind().unwrap_or(Kind::Ref);
        let ty = Type { kind, class: element.name.to_string() };
        let site = self.asm.registry.shared_site(key, 1);
        let count = self.signature.parameters.len() - from;
        self.asm.ops.extend([Op::Int(count as i32), Op::NewArray { class: array, site }]);
        for i in 0..count {
            self.asm.ops.extend([Op::Dup, Op::Int(i as i32)]);
            if !self.convert(from + i, &ty)? {
                return Ok(false);
            }
            self.asm.ops.push(Op::ArrayStore { kind, site });
        }
        Ok(true)
    }

    /// Pushes a part of the handle.
    fn part(&mut self, number: usize, key: &str) {
        let site = self.asm.registry.shared_site(key, 1);
        self.asm.ops.extend([
            Op::Load(0),
            Op::GetField { offset: self.parts, kind: Kind::Ref },
            Op::Int(number as i32),
            Op::ArrayLoad { kind: Kind::Ref, site },
        ]);
    }

    fn call(&mut self, handle: &Handle) -> Result<(), LoadError> {
        let method = caller(self.asm.registry, handle)?;
        self.asm.ops.push(Op::InvokeStatic(method));
        Ok(())
    }

    /// Returns what is on top as another type. Where there is nothing, that is zero or null.
    fn give_back(&mut self, from: &Type, to: &Type) -> Result<bool, LoadError> {
        if !convertible(self.asm.registry, from, to)? {
            return Ok(false);
        }
        if from.kind == Kind::Void {
            self.zero(to.kind);
        } else {
            self.asm.adapt(from, to)?;
        }
        self.asm.give_back(to.kind);
        Ok(true)
    }

    /// What a call of the handle does.
    fn action(&mut self, handle: &Handle, key: &str) -> Result<(), LoadError> {
        let count = handle.signature.parameters.len();
        let result = handle.signature.result.kind;
        match &handle.action {
            Action::Static(method) => {
                self.arguments(0..count);
                self.asm.ops.push(Op::InvokeStatic(method));
            }
            Action::Virtual(method) => {
                self.arguments(0..count);
                self.asm.call(method);
            }
            Action::Special(method) => {
                self.arguments(0..count);
                self.asm.ops.push(Op::InvokeSpecial(method));
            }
            Action::Constructor(method) => {
                self.asm.ops.extend([Op::New(method.class), Op::Dup]);
                self.arguments(0..count);
                self.asm.ops.push(Op::InvokeSpecial(method));
            }
            Action::Get(class, field) | Action::Put(class, field) => {
                self.arguments(0..count);
                let (offset, kind) = (field.offset, field.ty.kind);
                self.asm.ops.push(match (&handle.action, field.is_static()) {
                    (Action::Get(..), true) => Op::GetStatic { class: class.id, offset, kind },
                    (Action::Get(..), false) => Op::GetField { offset, kind },
                    (_, true) => Op::PutStatic { class: class.id, offset, kind },
                    (_, false) => Op::PutField { offset, kind },
                });
            }
            Action::Convert(inner) => {
                self.part(0, key);
                for (i, to) in inner.signature.parameters.iter().enumerate() {
                    self.convert(i, to)?;
                }
                self.call(inner)?;
                self.give_back(&inner.signature.result, &handle.signature.result)?;
                return Ok(());
            }
            Action::Insert(inner, at, bound) => {
                self.part(0, key);
                self.arguments(0..*at);
                for i in 0..*bound {
                    self.part(1 + i, key);
                    self.asm.adapt(&object(), &inner.signature.parameters[at + i])?;
                }
                self.arguments(*at..count);
                self.call(inner)?;
            }
            Action::Drop(inner, at, dropped) => {
                self.part(0, key);
                self.arguments(0..*at);
                self.arguments(at + dropped..count);
                self.call(inner)?;
            }
            Action::FilterResult(inner, filter) => {
                self.part(1, key);
                self.part(0, key);
                self.arguments(0..count);
                self.call(inner)?;
                self.call(filter)?;
            }
            Action::FilterArguments(inner, at, filters) => {
                self.part(0, key);
                for i in 0..count {
                    match i.checked_sub(*at).and_then(|i| filters.get(i)) {
                        Some(Some(filter)) => {
                            self.part(1 + i - at, key);
                            self.argument(i);
                            self.call(filter)?;
                        }
                        _ => self.argument(i),
                    }
                }
                self.call(inner)?;
            }
            Action::Guard(test, yes, no) => {
                self.part(0, key);
                self.arguments(0..test.signature.parameters.len());
                self.call(test)?;
                let branch = self.asm.ops.len();
                let site = self.asm.registry.shared_site(key, 1);
                self.asm.ops.push(Op::Nop);
                self.part(1, key);
                self.arguments(0..yes.signature.parameters.len());
                self.call(yes)?;
                self.asm.give_back(result);
                let to = self.asm.ops.len() as u32;
                self.asm.ops[branch] = Op::If { condition: Condition::Eq, to, site };
                self.part(2, key);
                self.arguments(0..no.signature.parameters.len());
                self.call(no)?;
            }
            Action::Identity => self.arguments(0..count),
            Action::Permute(inner, order) => {
                self.part(0, key);
                order.iter().for_each(|&number| self.argument(number));
                self.call(inner)?;
            }
            Action::Collect(inner, filter, at) => {
                let taken = filter.signature.parameters.len();
                self.with_result(inner, filter, *at, at + taken, key)?;
            }
            Action::Fold(inner, combiner, at) => self.with_result(inner, combiner, *at, *at, key)?,
            Action::Spread(inner, at, elements) => self.spread(inner, *at, *elements, key)?,
            Action::Gather(inner, at, elements, class) => {
                self.part(0, key);
                self.arguments(0..*at);
                self.collect_some(class, *at..at + elements, key)?;
                self.arguments(at + elements..count);
                self.call(inner)?;
            }
            Action::Catch(inner, handler, class) => self.catch(inner, handler, class, key)?,
            Action::Finally(inner, cleanup) => self.finally(inner, cleanup, key)?,
            Action::Throw => {
                self.argument(0);
                self.asm.ops.push(Op::Throw);
            }
            Action::Zero => self.zero(result),
            Action::Cast(inner) => {
                self.part(0, key);
                for (i, to) in inner.signature.parameters.iter().enumerate() {
                    self.argument(i);
                    let from = self.signature.parameters[i].clone();
                    self.asm.cast(&from, to)?;
                }
                self.call(inner)?;
                self.asm.cast(&inner.signature.result, &handle.signature.result)?;
            }
            Action::ArrayGet(kind) => {
                self.arguments(0..2);
                let site = self.asm.registry.shared_site(key, 1);
                self.asm.ops.push(Op::ArrayLoad { kind: *kind, site });
            }
            Action::ArrayPut(kind) => {
                self.arguments(0..3);
                let site = self.asm.registry.shared_site(key, 1);
                self.asm.ops.push(Op::ArrayStore { kind: *kind, site });
            }
            Action::ArrayLength => {
                self.argument(0);
                self.asm.ops.push(Op::ArrayLength);
            }
            Action::ArrayNew(class) => {
                self.argument(0);
                let site = self.asm.registry.shared_site(key, 1);
                self.asm.ops.push(Op::NewArray { class, site });
            }
        }
        self.asm.give_back(result);
        Ok(())
    }

    /// Pushes zero or null.
    fn zero(&mut self, kind: Kind) {
        match kind {
            Kind::Void => {}
            Kind::Ref => self.asm.ops.push(Op::Null),
            Kind::Long => self.asm.ops.push(Op::Long(0)),
            Kind::Float => self.asm.ops.push(Op::Float(0)),
            Kind::Double => self.asm.ops.push(Op::Double(0)),
            _ => self.asm.ops.push(Op::Int(0)),
        }
    }

    /// Calls a handle whose argument at a position is the result of a second one. That takes the arguments from the position on; the
    /// first goes on with those from `rest` on.
    fn with_result(
        &mut self,
        inner: &Handle,
        second: &Handle,
        at: usize,
        rest: usize,
        key: &str,
    ) -> Result<(), LoadError> {
        let (count, taken) = (self.signature.parameters.len(), second.signature.parameters.len());
        let gives = second.signature.result.kind != Kind::Void;
        if gives {
            self.part(0, key);
            self.arguments(0..at);
        }
        self.part(1, key);
        self.arguments(at..at + taken);
        self.call(second)?;
        if !gives {
            self.part(0, key);
            self.arguments(0..at);
        }
        self.arguments(rest..count);
        self.call(inner)
    }

    /// Calls a handle with so many elements of the array at a position, after a look at its length.
    fn spread(&mut self, inner: &Handle, at: usize, elements: usize, key: &str) -> Result<(), LoadError> {
        let registry = self.asm.registry;
        let site = registry.shared_site(key, 1);
        let array = self.signature.parameters[at].clone();
        let class = registry.load(&array.class)?;
        let kind = class.element_kind().unwrap_or(Kind::Ref);
        let element = match class.shape {
            crate::class::Shape::Array(element) => Type { kind, class: element.name.to_string() },
            crate::class::Shape::Plain | crate::class::Shape::Primitive(_) => object(),
        };
        // For no elements null is an array too.
        if elements > 0 {
            self.argument(at);
            self.asm.ops.extend([Op::ArrayLength, Op::Int(elements as i32)]);
            let branch = self.asm.ops.len();
            self.asm.ops.push(Op::Nop);
            let error = registry.load("java/lang/IllegalArgumentException")?;
            let missing = || LoadError::Link(format!("method {}.<init> is missing", error.name));
            let init = error.declared("<init>", "(Ljava/lang/String;)V").ok_or_else(missing)?;
            let words: Vec<u16> = format!("array is not of length {elements}").encode_utf16().collect();
            self.asm.ops.extend([
                Op::New(error),
                Op::Dup,
                Op::Literal(registry.literal(&words)),
                Op::InvokeSpecial(init),
                Op::Throw,
            ]);
            let to = self.asm.ops.len() as u32;
            self.asm.ops[branch] = Op::IfCompare { condition: Condition::Eq, to, site };
        }
        self.part(0, key);
        self.arguments(0..at);
        for i in 0..elements {
            self.argument(at);
            self.asm.ops.extend([Op::Int(i as i32), Op::ArrayLoad { kind, site }]);
            self.asm.adapt(&element, &inner.signature.parameters[at + i])?;
        }
        self.arguments(at + 1..self.signature.parameters.len());
        self.call(inner)
    }

    /// Pushes an array of some arguments.
    fn collect_some(
        &mut self,
        array: &'static Class,
        numbers: std::ops::Range<usize>,
        key: &str,
    ) -> Result<(), LoadError> {
        let kind = array.element_kind().unwrap_or(Kind::Ref);
        let site = self.asm.registry.shared_site(key, 1);
        self.asm.ops.extend([Op::Int(numbers.len() as i32), Op::NewArray { class: array, site }]);
        for (place, number) in numbers.enumerate() {
            self.asm.ops.extend([Op::Dup, Op::Int(place as i32)]);
            self.argument(number);
            self.asm.ops.push(Op::ArrayStore { kind, site });
        }
        Ok(())
    }

    /// The slot after the arguments, where an exception is kept.
    fn spare(&self) -> u16 {
        1 + self.signature.slots() as u16
    }

    fn catch(
        &mut self,
        inner: &Handle,
        handler: &Handle,
        class: &'static Class,
        key: &str,
    ) -> Result<(), LoadError> {
        let (result, spare) = (inner.signature.result.kind, self.spare());
        let start = self.asm.ops.len() as u32;
        self.part(0, key);
        self.arguments(0..self.signature.parameters.len());
        self.call(inner)?;
        self.asm.give_back(result);
        let to = self.asm.ops.len() as u32;
        self.catches.push(Catch { start, end: to, to, class: 0 });
        let site = self.asm.registry.shared_site(key, 1);
        self.asm.ops.extend([Op::Store(spare), Op::Load(spare), Op::InstanceOf(class)]);
        let caught = self.asm.ops.len() as u32 + 3;
        self.asm.ops.extend([
            Op::If { condition: Condition::Ne, to: caught, site },
            Op::Load(spare),
            Op::Throw,
        ]);
        self.part(1, key);
        self.asm.ops.push(Op::Load(spare));
        self.arguments(0..handler.signature.parameters.len() - 1);
        self.call(handler)
    }

    fn finally(&mut self, inner: &Handle, cleanup: &Handle, key: &str) -> Result<(), LoadError> {
        let (result, spare) = (inner.signature.result.kind, self.spare());
        let taken = cleanup.signature.parameters.len() - 1 - usize::from(result != Kind::Void);
        let start = self.asm.ops.len() as u32;
        self.part(0, key);
        self.arguments(0..self.signature.parameters.len());
        self.call(inner)?;
        match result.slots() {
            0 => {}
            1 => self.asm.ops.push(Op::Store(spare)),
            _ => self.asm.ops.push(Op::Store2(spare)),
        }
        let end = self.asm.ops.len() as u32;
        self.part(1, key);
        self.asm.ops.push(Op::Null);
        if result != Kind::Void {
            self.asm.load_argument(usize::from(spare), result);
        }
        self.arguments(0..taken);
        self.call(cleanup)?;
        self.asm.give_back(result);
        let to = self.asm.ops.len() as u32;
        self.catches.push(Catch { start, end, to, class: 0 });
        self.asm.ops.push(Op::Store(spare));
        self.part(1, key);
        self.asm.ops.push(Op::Load(spare));
        self.zero(result);
        self.arguments(0..taken);
        self.call(cleanup)?;
        match result.slots() {
            0 => {}
            1 => self.asm.ops.push(Op::Pop),
            _ => self.asm.ops.push(Op::Pop2),
        }
        self.asm.ops.extend([Op::Load(spare), Op::Throw]);
        // What follows gives back: it is never reached, but needs something to give.
        self.zero(result);
        Ok(())
    }
}
