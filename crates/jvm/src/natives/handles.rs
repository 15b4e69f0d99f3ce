//! `MethodHandle` and `MethodHandles.Lookup`: handles as objects, and calls of them. What is not here ends the path as unsupported, with
//! the name of the method that was asked for; nothing of the JDK's lambda forms is run.

mod combinators;

use super::NativeRow;
use super::lang::{a0, value};
use super::memory::reflected;
use super::reflect::method_of;
use crate::class::{Class, Method, Shape};
use crate::classfile::access;
use crate::domain::Values;
use crate::handles::{self, Action, Handle};
use crate::heap::Ref;
use crate::kind::{Kind, Signature, Type};
use crate::machine::{Done, Fault, Hook, Machine, NativeResult, Stop};
use crate::registry::LoadError;

/// How deep handles of handles may be.
const MAX_DEPTH: usize = 64;

/// What a handle does, by the number in its field `what`.
const STATIC: u32 = 0;
const VIRTUAL: u32 = 1;
const SPECIAL: u32 = 2;
const CONSTRUCTOR: u32 = 3;
const GET: u32 = 4;
const PUT: u32 = 5;
const CONVERT: u32 = 6;
const INSERT: u32 = 7;
const DROP: u32 = 8;
const FILTER_RESULT: u32 = 9;
const FILTER_ARGUMENTS: u32 = 10;
const GUARD: u32 = 11;
const IDENTITY: u32 = 12;
const PERMUTE: u32 = 13;
const COLLECT: u32 = 14;
const FOLD: u32 = 15;
const SPREAD: u32 = 16;
const GATHER: u32 = 17;
const CATCH: u32 = 18;
const FINALLY: u32 = 19;
const THROW: u32 = 20;
const ZERO: u32 = 21;
const CAST: u32 = 22;
const ARRAY_GET: u32 = 23;
const ARRAY_PUT: u32 = 24;
const ARRAY_LENGTH: u32 = 25;
const ARRAY_NEW: u32 = 26;

fn wrong(error: LoadError) -> Fault {
    Fault::New(error.throwable(), Some(error.message()))
}

fn exception(class: &'static str, message: impl Into<String>) -> Fault {
    Fault::New(class, Some(message.into()))
}

/// The type that a class stands for.
fn type_of(class: &'static Class) -> Type {
    let kind = match class.shape {
        Shape::Primitive(kind) => kind,
        Shape::Plain | Shape::Array(_) => Kind::Ref,
    };
    Type { kind, class: class.name.to_string() }
}

/// A signature as `MethodType.toString` has it.
fn simple(signature: &Signature) -> String {
    let name = |ty: &Type| match Type::parse(&ty.descriptor()) {
        Some(_) => {
            let dimensions = ty.class.bytes().take_while(|&byte| byte == b'[').count();
            let inner = Type::parse(&ty.descriptor()[dimensions..]);
            let class = inner.map_or_else(|| ty.class.clone(), |inner| inner.class);
            let last = class.rsplit(['/', '$']).next().unwrap_or(&class).to_string();
            last + &"[]".repeat(dimensions)
        }
        None => ty.class.clone(),
    };
    let parameters: Vec<String> = signature.parameters.iter().map(name).collect();
    format!("({}){}", parameters.join(","), name(&signature.result))
}

impl<D: Values> Machine<D> {
    /// The signature of a `MethodType`.
    fn signature_of(&mut self, method_type: Ref) -> Result<Signature, Fault> {
        if method_type == 0 {
            return Err(Fault::New("java/lang/NullPointerException", None));
        }
        let result = self.get_ref(method_type, "rtype");
        let parameters = self.refs(self.get_ref(method_type, "ptypes"));
        let result = type_of(self.mirrored(result));
        let parameters = parameters.into_iter().map(|mirror| type_of(self.mirrored(mirror))).collect();
        Ok(Signature { parameters, result })
    }

    /// A `MethodType`. It is equal to the JDK's own of the same types, though not the same object.
    pub(crate) fn method_type(&mut self, signature: &Signature) -> Result<Ref, Fault> {
        let mut mirrors = Vec::new();
        for ty in signature.parameters.iter().chain([&signature.result]) {
            let class = self.load(&ty.class)?;
            mirrors.push(self.mirror(class)?);
        }
        let result = mirrors.pop().unwrap_or(0);
        let parameters = self.array_of_refs("[Ljava/lang/Class;", &mirrors)?;
        let class = self.load("java/lang/invoke/MethodType")?;
        self.sync(class.id);
        let object = self.allocate(class)?;
        self.set_ref(object, "rtype", result);
        self.set_ref(object, "ptypes", parameters);
        Ok(object)
    }

    /// A handle. `numbers` are those of its method, field or position.
    fn new_handle(
        &mut self,
        what: u32,
        numbers: (u32, u32),
        parts: &[Ref],
        signature: &Signature,
        varargs: bool,
    ) -> NativeResult<D> {
        let class = handles::class(&self.registry).map_err(wrong)?;
        self.sync(class.id);
        self.prepare(class)?;
        self.mark_ready(class);
        let parts = self.array_of_refs("[Ljava/lang/Object;", parts)?;
        let ty = self.method_type(signature)?;
        let object = self.allocate(class)?;
        self.set_bits(object, "what", u64::from(what));
        self.set_bits(object, "first", u64::from(numbers.0));
        self.set_bits(object, "second", u64::from(numbers.1));
        self.set_bits(object, "varargs", u64::from(varargs));
        self.set_ref(object, "parts", parts);
        self.set_ref(object, "type", ty);
        Ok(value::<D>(object))
    }

    /// The handle that a constant of a class file names (JVMS 5.4.3.5).
    pub(crate) fn constant_handle(&mut self, handle: &crate::classfile::Handle) -> Result<Ref, Fault> {
        let class = self.load(&handle.class)?;
        let missing =
            |error| Fault::New(error, Some(format!("{}.{}", class.name.replace('/', "."), handle.name)));
        let done = match handle.kind {
            1..=4 => {
                let what = if handle.kind <= 2 { GET } else { PUT };
                let found = class.find_field(&handle.name, Some(&handle.descriptor));
                let (owner, field) = found.ok_or_else(|| missing("java/lang/NoSuchFieldError"))?;
                of_field(self, what, class, owner, field)?
            }
            kind => {
                let method = class.find_method(&handle.name, &handle.descriptor);
                let method = method.ok_or_else(|| missing("java/lang/NoSuchMethodError"))?;
                let what = match kind {
                    6 => STATIC,
                    7 => SPECIAL,
                    8 => CONSTRUCTOR,
                    _ => VIRTUAL,
                };
                of_method(self, what, class, method)?
            }
        };
        match done {
            Done::Value(handle) => Ok(Self::reference(handle)),
            Done::Void | Done::Call(..) => Err(missing("java/lang/InternalError")),
        }
    }

    /// What a handle on the heap is.
    fn handle(&mut self, object: Ref, depth: usize) -> Result<Handle, Fault> {
        if object == 0 {
            return Err(Fault::New("java/lang/NullPointerException", None));
        }
        if self.class_of(object).name != handles::CLASS || depth > MAX_DEPTH {
            return Err(Fault::Stop(Stop::Unsupported("a method handle of the JDK's own".to_string())));
        }
        let ty = self.get_ref(object, "type");
        let signature = self.signature_of(ty)?;
        let (first, second) = (self.get_bits(object, "first") as u32, self.get_bits(object, "second") as u32);
        let parts = self.refs(self.get_ref(object, "parts"));
        let inner = |machine: &mut Self, i: usize| {
            machine.handle(parts.get(i).copied().unwrap_or(0), depth + 1).map(Box::new)
        };
        let field = |machine: &mut Self| {
            machine.sync(first);
            let class = machine.classes[first as usize];
            (class, &class.fields[second as usize])
        };
        let action = match self.get_bits(object, "what") as u32 {
            STATIC => Action::Static(self.registry.method(first)),
            VIRTUAL => Action::Virtual(self.registry.method(first)),
            SPECIAL => Action::Special(self.registry.method(first)),
            CONSTRUCTOR => Action::Constructor(self.registry.method(first)),
            GET => {
                let (class, field) = field(self);
                Action::Get(class, field)
            }
            PUT => {
                let (class, field) = field(self);
                Action::Put(class, field)
            }
            CONVERT => Action::Convert(inner(self, 0)?),
            INSERT => Action::Insert(inner(self, 0)?, first as usize, second as usize),
            DROP => Action::Drop(inner(self, 0)?, first as usize, second as usize),
            FILTER_RESULT => Action::FilterResult(inner(self, 0)?, inner(self, 1)?),
            FILTER_ARGUMENTS => {
                let mut filters = Vec::new();
                for &part in &parts[1..] {
                    filters.push(match part {
                        0 => None,
                        part => Some(self.handle(part, depth + 1)?),
                    });
                }
                Action::FilterArguments(inner(self, 0)?, first as usize, filters)
            }
            GUARD => Action::Guard(inner(self, 0)?, inner(self, 1)?, inner(self, 2)?),
            PERMUTE => {
                let order = parts.get(1).copied().unwrap_or(0);
                let number = |i: u32| self.heap.u32(order + crate::heap::HEADER + 4 * i) as usize;
                let order = (0..self.heap.length(order)).map(number).collect();
                Action::Permute(inner(self, 0)?, order)
            }
            COLLECT => Action::Collect(inner(self, 0)?, inner(self, 1)?, first as usize),
            FOLD => Action::Fold(inner(self, 0)?, inner(self, 1)?, first as usize),
            SPREAD => Action::Spread(inner(self, 0)?, first as usize, second as usize),
            GATHER => {
                let array = self.mirrored(parts.get(1).copied().unwrap_or(0));
                Action::Gather(inner(self, 0)?, first as usize, second as usize, array)
            }
            CATCH => {
                let class = self.mirrored(parts.get(2).copied().unwrap_or(0));
                Action::Catch(inner(self, 0)?, inner(self, 1)?, class)
            }
            FINALLY => Action::Finally(inner(self, 0)?, inner(self, 1)?),
            THROW => Action::Throw,
            ZERO => Action::Zero,
            CAST => Action::Cast(inner(self, 0)?),
            ARRAY_GET => Action::ArrayGet(signature.result.kind),
            ARRAY_PUT => Action::ArrayPut(signature.parameters[2].kind),
            ARRAY_LENGTH => Action::ArrayLength,
            ARRAY_NEW => Action::ArrayNew(self.registry.load(&signature.result.class).map_err(wrong)?),
            _ => Action::Identity,
        };
        let varargs = self.get_bits(object, "varargs") != 0;
        Ok(Handle { action, signature, varargs })
    }

    /// The call of a handle from a call site with this signature.
    pub(crate) fn call_handle(
        &mut self,
        object: Ref,
        call: &Signature,
        exact: bool,
    ) -> Result<&'static Method, Fault> {
        let handle = self.handle(object, 0)?;
        if exact && *call != handle.signature {
            let message = format!("expected {} but found {}", simple(&handle.signature), simple(call));
            return Err(exception("java/lang/invoke/WrongMethodTypeException", message));
        }
        let registry = self.registry.clone();
        match handles::bridge(&registry, &handle, call).map_err(wrong)? {
            Some(method) => {
                self.sync(method.class.id);
                self.prepare(method.class)?;
                self.mark_ready(method.class);
                Ok(method)
            }
            None => Err(mismatch(&handle.signature, call)),
        }
    }
}

impl<D: Values> Machine<D> {
    /// A call of just this method on an object with arguments in boxes, which gives its result in a box.
    pub(crate) fn direct_call(
        &mut self,
        method: &'static Method,
        receiver: Ref,
        given: &[Ref],
    ) -> Result<(&'static Method, Vec<D::Value>), Fault> {
        let Done::Value(handle) = of_method(self, SPECIAL, method.class, method)? else {
            return Err(Fault::New("java/lang/InternalError", None));
        };
        let object = Type { kind: Kind::Ref, class: "java/lang/Object".to_string() };
        let call = Signature { parameters: vec![object.clone(); 1 + given.len()], result: object };
        let plain = self.handle(Self::reference(handle), 0)?;
        let registry = self.registry.clone();
        let fixed = Handle { varargs: false, ..plain };
        let Some(bridge) = handles::bridge(&registry, &fixed, &call).map_err(wrong)? else {
            return Err(mismatch(&fixed.signature, &call));
        };
        self.sync(bridge.class.id);
        self.prepare(bridge.class)?;
        self.mark_ready(bridge.class);
        let mut args = vec![handle, D::constant(u64::from(receiver))];
        args.extend(given.iter().map(|&object| D::constant(u64::from(object))));
        Ok((bridge, args))
    }
}

fn mismatch(from: &Signature, to: &Signature) -> Fault {
    let message = format!("cannot convert MethodHandle{} to {}", simple(from), simple(to));
    exception("java/lang/invoke/WrongMethodTypeException", message)
}

/// A handle of a method with this type.
fn of_method<D: Values>(
    m: &mut Machine<D>,
    what: u32,
    class: &'static Class,
    method: &'static Method,
) -> NativeResult<D> {
    let mut signature = method.signature.clone();
    match what {
        STATIC => {}
        CONSTRUCTOR => signature.result = type_of(class),
        _ => signature.parameters.insert(0, type_of(class)),
    }
    let varargs = method.flags & access::VARARGS != 0;
    m.new_handle(what, (method.id, 0), &[], &signature, varargs)
}

/// `findStatic` and its like: class, name and type are the arguments after the lookup.
fn find<D: Values>(m: &mut Machine<D>, what: u32, class: Ref, name: &str, ty: Ref) -> NativeResult<D> {
    if class == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let class = m.mirrored(class);
    let signature = m.signature_of(ty)?;
    let descriptor = crate::dynamic::describe(&signature);
    let found = match what {
        CONSTRUCTOR => class.declared("<init>", &descriptor),
        _ => class.find_method(name, &descriptor),
    };
    match found {
        Some(method) if method.is_static() == (what == STATIC) => {
            let what = if what == VIRTUAL && method.flags & access::PRIVATE != 0 { SPECIAL } else { what };
            of_method(m, what, class, method)
        }
        found => {
            let how = match what {
                STATIC => "invokeStatic",
                CONSTRUCTOR => "newInvokeSpecial",
                SPECIAL => "invokeSpecial",
                _ if class.is_interface() => "invokeInterface",
                _ => "invokeVirtual",
            };
            let name = if what == CONSTRUCTOR { "<init>" } else { name };
            let place = format!("{}.{name}{}/{how}", class.name.replace('/', "."), simple(&signature));
            match found {
                Some(_) => {
                    let message = format!("no such method: {place}");
                    Err(exception("java/lang/IllegalAccessException", message))
                }
                None => Err(exception("java/lang/NoSuchMethodException", format!("no such method: {place}"))),
            }
        }
    }
}

/// `findGetter` and its like.
fn find_field<D: Values>(m: &mut Machine<D>, a: &[D::Value], what: u32, fixed: bool) -> NativeResult<D> {
    let (class, name) = (D::bits(a[1]) as u32, m.text(D::bits(a[2]) as u32));
    let class = m.mirrored(class);
    let wanted = type_of(m.mirrored(D::bits(a[3]) as u32));
    let found = class.find_field(&name, Some(&wanted.descriptor()));
    let Some((owner, field)) = found.filter(|(_, field)| field.is_static() == fixed) else {
        let message = format!("no such field: {}.{name}/{}", class.name.replace('/', "."), wanted.class);
        return Err(exception("java/lang/NoSuchFieldException", message));
    };
    of_field(m, what, class, owner, field)
}

fn of_field<D: Values>(
    m: &mut Machine<D>,
    what: u32,
    class: &'static Class,
    owner: &'static Class,
    field: &'static crate::class::Field,
) -> NativeResult<D> {
    let number = owner.fields.iter().position(|known| std::ptr::eq(known, field)).unwrap_or(0);
    let mut parameters = Vec::new();
    if !field.is_static() {
        parameters.push(type_of(class));
    }
    let void = Type { kind: Kind::Void, class: "void".to_string() };
    let result = if what == GET { field.ty.clone() } else { void };
    if what == PUT {
        parameters.push(field.ty.clone());
    }
    m.new_handle(what, (owner.id, number as u32), &[], &Signature { parameters, result }, false)
}

/// `unreflectGetter` and its like.
fn reflected_field<D: Values>(m: &mut Machine<D>, a: &[D::Value], what: u32) -> NativeResult<D> {
    match reflected(m, D::bits(a[1]) as u32) {
        Some((class, field)) => of_field(m, what, class, class, field),
        None => Err(Fault::New("java/lang/InternalError", None)),
    }
}

/// `MethodHandles.insertArguments` and `bindTo`.
fn insert<D: Values>(m: &mut Machine<D>, inner: Ref, at: usize, bound: &[Ref]) -> NativeResult<D> {
    let mut signature = m.handle(inner, 0)?.signature;
    if at + bound.len() > signature.parameters.len() {
        return Err(exception("java/lang/IllegalArgumentException", "no argument type to append"));
    }
    for (ty, &object) in signature.parameters[at..].iter().zip(bound) {
        let boxed = ty.kind.primitive().map_or(ty.class.as_str(), |row| row.3);
        let class = m.load(boxed)?;
        if object == 0 && ty.kind != Kind::Ref {
            return Err(Fault::New("java/lang/NullPointerException", None));
        }
        if object != 0 && !m.class_of(object).is_subtype_of(class) {
            return Err(m.bad_cast(object, class));
        }
    }
    signature.parameters.drain(at..at + bound.len());
    let mut parts = vec![inner];
    parts.extend(bound);
    m.new_handle(INSERT, (at as u32, bound.len() as u32), &parts, &signature, false)
}

fn drop_arguments<D: Values>(m: &mut Machine<D>, inner: Ref, at: usize, types: &[Ref]) -> NativeResult<D> {
    let mut signature = m.handle(inner, 0)?.signature;
    if at > signature.parameters.len() {
        return Err(exception("java/lang/IllegalArgumentException", "no argument type to append"));
    }
    let new: Vec<Type> = types.iter().map(|&mirror| type_of(m.mirrored(mirror))).collect();
    signature.parameters.splice(at..at, new);
    m.new_handle(DROP, (at as u32, types.len() as u32), &[inner], &signature, false)
}

fn filter_result<D: Values>(m: &mut Machine<D>, inner: Ref, filter: Ref) -> NativeResult<D> {
    let (first, second) = (m.handle(inner, 0)?.signature, m.handle(filter, 0)?.signature);
    let fits = match &second.parameters[..] {
        [] => first.result.kind == Kind::Void,
        [only] => *only == first.result,
        _ => false,
    };
    if !fits {
        let message =
            format!("target and filter types do not match: {}, {}", simple(&first), simple(&second));
        return Err(exception("java/lang/IllegalArgumentException", message));
    }
    let signature = Signature { parameters: first.parameters, result: second.result };
    m.new_handle(FILTER_RESULT, (0, 0), &[inner, filter], &signature, false)
}

fn filter_arguments<D: Values>(
    m: &mut Machine<D>,
    inner: Ref,
    at: usize,
    filters: &[Ref],
) -> NativeResult<D> {
    let mut signature = m.handle(inner, 0)?.signature;
    if at + filters.len() > signature.parameters.len() {
        return Err(exception("java/lang/IllegalArgumentException", "too many filters"));
    }
    for (i, &filter) in filters.iter().enumerate().filter(|(_, filter)| **filter != 0) {
        let own = m.handle(filter, 0)?.signature;
        match &own.parameters[..] {
            [only] if own.result == signature.parameters[at + i] => {
                signature.parameters[at + i] = only.clone()
            }
            _ => {
                let message = format!("target and filter types do not match: {}", simple(&own));
                return Err(exception("java/lang/IllegalArgumentException", message));
            }
        }
    }
    let mut parts = vec![inner];
    parts.extend(filters);
    m.new_handle(FILTER_ARGUMENTS, (at as u32, 0), &parts, &signature, false)
}

fn guard<D: Values>(m: &mut Machine<D>, parts: [Ref; 3]) -> NativeResult<D> {
    let [test, yes, no] = parts;
    let (test, yes, no) = (m.handle(test, 0)?, m.handle(yes, 0)?, m.handle(no, 0)?);
    let fits = yes.signature == no.signature
        && test.signature.result.kind == Kind::Bool
        && yes.signature.parameters.starts_with(&test.signature.parameters);
    if !fits {
        let message = format!(
            "target and fallback types must match: {} != {}",
            simple(&yes.signature),
            simple(&no.signature)
        );
        return Err(exception("java/lang/IllegalArgumentException", message));
    }
    m.new_handle(GUARD, (0, 0), &parts, &yes.signature, false)
}

fn as_type<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let inner = a0::<D>(a);
    let (handle, wanted) = (m.handle(inner, 0)?, m.signature_of(D::bits(a[1]) as u32)?);
    if handle.signature == wanted {
        return Ok(Done::Value(a[0]));
    }
    let registry = m.registry.clone();
    let mut fits = handle.signature.parameters.len() == wanted.parameters.len();
    for (from, to) in wanted.parameters.iter().zip(&handle.signature.parameters) {
        fits &= handles::convertible(&registry, from, to).map_err(wrong)?;
    }
    fits &= handles::convertible(&registry, &handle.signature.result, &wanted.result).map_err(wrong)?;
    if handle.varargs && !fits {
        let fixed = handle.signature.parameters.len() - 1;
        let count = wanted.parameters.len().checked_sub(fixed);
        let (Some(count), Some(array)) = (count, handle.signature.parameters.last()) else {
            return Err(mismatch(&handle.signature, &wanted));
        };
        let array = m.load(&array.class)?;
        let array = m.mirror(array)?;
        let gathered = combinators::gather(m, inner, fixed, array, count)?;
        let Done::Value(gathered) = gathered else { return Ok(gathered) };
        return as_type(m, &[gathered, a[1]]);
    }
    if !fits {
        return Err(mismatch(&handle.signature, &wanted));
    }
    m.new_handle(CONVERT, (0, 0), &[inner], &wanted, false)
}

/// The JDK's own machinery of handles: whoever asked for it asked for something that is not modelled.
fn machinery<D: Values>(m: &mut Machine<D>) -> NativeResult<D> {
    Err(Fault::Stop(Stop::Unsupported(m.asked_handle())))
}

impl<D: Values> Machine<D> {
    /// The method of `java.lang.invoke` that the program, or the rest of the JDK, called.
    pub(crate) fn asked_handle(&self) -> String {
        let inside = |class: &str| class.starts_with("java/lang/invoke/");
        let mut asked = None;
        for frame in self.frames.iter().rev() {
            if !inside(frame.method.class.name) {
                break;
            }
            asked = Some(frame.method.qualified());
        }
        format!("a method handle ({})", asked.unwrap_or_else(|| "java.lang.invoke".to_string()))
    }
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows = own_rows();
    rows.extend(combinators::rows());
    rows
}

fn own_rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/invoke/MethodHandle.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/LambdaForm.<clinit>()V", |m, _| machinery(m)),
        ("java/lang/invoke/MethodHandleImpl.<clinit>()V", |m, _| machinery(m)),
        ("java/lang/invoke/BoundMethodHandle.<clinit>()V", |m, _| machinery(m)),
        ("java/lang/invoke/DirectMethodHandle.<clinit>()V", |m, _| machinery(m)),
        ("java/lang/invoke/Invokers.<clinit>()V", |m, _| machinery(m)),
        (
            "java/lang/invoke/MethodHandles$Lookup.findStatic(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let name = m.text(D::bits(a[2]) as u32);
                find(m, STATIC, D::bits(a[1]) as u32, &name, D::bits(a[3]) as u32)
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findVirtual(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let name = m.text(D::bits(a[2]) as u32);
                find(m, VIRTUAL, D::bits(a[1]) as u32, &name, D::bits(a[3]) as u32)
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findConstructor(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| find(m, CONSTRUCTOR, D::bits(a[1]) as u32, "<init>", D::bits(a[2]) as u32),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findSpecial(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let name = m.text(D::bits(a[2]) as u32);
                find(m, SPECIAL, D::bits(a[1]) as u32, &name, D::bits(a[3]) as u32)
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.bind(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (object, name) = (D::bits(a[1]) as u32, m.text(D::bits(a[2]) as u32));
                if object == 0 {
                    return Err(Fault::New("java/lang/NullPointerException", None));
                }
                let class = m.class_of(object);
                let class = m.mirror(class)?;
                let Done::Value(inner) = find(m, VIRTUAL, class, &name, D::bits(a[3]) as u32)? else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                insert(m, D::bits(inner) as u32, 0, &[object])
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| find_field(m, a, GET, false),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| find_field(m, a, PUT, false),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findStaticGetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| find_field(m, a, GET, true),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findStaticSetter(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| find_field(m, a, PUT, true),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.unreflect(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;",
            |m, a| match method_of(m, D::bits(a[1]) as u32) {
                Some((class, method)) => {
                    let what = if method.is_static() { STATIC } else { VIRTUAL };
                    of_method(m, what, class, method)
                }
                None => Err(Fault::New("java/lang/InternalError", None)),
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.unreflectConstructor(Ljava/lang/reflect/Constructor;)Ljava/lang/invoke/MethodHandle;",
            |m, a| match method_of(m, D::bits(a[1]) as u32) {
                Some((class, method)) => of_method(m, CONSTRUCTOR, class, method),
                None => Err(Fault::New("java/lang/InternalError", None)),
            },
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.unreflectGetter(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;",
            |m, a| reflected_field(m, a, GET),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.unreflectSetter(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;",
            |m, a| reflected_field(m, a, PUT),
        ),
        (
            "java/lang/invoke/MethodHandle.asType(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| as_type(m, a),
        ),
        (
            "java/lang/invoke/MethodHandle.bindTo(Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
            |m, a| insert(m, a0::<D>(a), 0, &[D::bits(a[1]) as u32]),
        ),
        ("java/lang/invoke/MethodHandle.isVarargsCollector()Z", |m, a| {
            Ok(value::<D>(m.get_bits(a0::<D>(a), "varargs") as u32))
        }),
        ("java/lang/invoke/MethodHandle.asFixedArity()Ljava/lang/invoke/MethodHandle;", |m, a| {
            let object = a0::<D>(a);
            let handle = m.handle(object, 0)?;
            if !handle.varargs {
                return Ok(Done::Value(a[0]));
            }
            let numbers = (m.get_bits(object, "first") as u32, m.get_bits(object, "second") as u32);
            let parts = m.refs(m.get_ref(object, "parts"));
            let what = m.get_bits(object, "what") as u32;
            m.new_handle(what, numbers, &parts, &handle.signature, false)
        }),
        (
            "java/lang/invoke/MethodHandle.invokeWithArguments([Ljava/lang/Object;)Ljava/lang/Object;",
            |m, a| {
                let given = match D::bits(a[1]) as u32 {
                    0 => return Err(Fault::New("java/lang/NullPointerException", None)),
                    array => m.refs(array),
                };
                let object = Type { kind: Kind::Ref, class: "java/lang/Object".to_string() };
                let call = Signature { parameters: vec![object.clone(); given.len()], result: object };
                let method = m.call_handle(a0::<D>(a), &call, false)?;
                let mut args = vec![a[0]];
                args.extend(given.into_iter().map(|object| D::constant(u64::from(object))));
                Ok(Done::Call(method, args, Hook::Plain))
            },
        ),
        (
            "java/lang/invoke/MethodHandles.insertArguments(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, bound) = (m.plain(a[1]) as u32, m.refs(D::bits(a[2]) as u32));
                insert(m, a0::<D>(a), at as usize, &bound)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.dropArguments(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, types) = (m.plain(a[1]) as u32, m.refs(D::bits(a[2]) as u32));
                drop_arguments(m, a0::<D>(a), at as usize, &types)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.filterReturnValue(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| filter_result(m, a0::<D>(a), D::bits(a[1]) as u32),
        ),
        (
            "java/lang/invoke/MethodHandles.filterArguments(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, filters) = (m.plain(a[1]) as u32, m.refs(D::bits(a[2]) as u32));
                filter_arguments(m, a0::<D>(a), at as usize, &filters)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.guardWithTest(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| guard(m, [a0::<D>(a), D::bits(a[1]) as u32, D::bits(a[2]) as u32]),
        ),
        (
            "java/lang/invoke/MethodHandles.identity(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let ty = type_of(m.mirrored(a0::<D>(a)));
                m.new_handle(
                    IDENTITY,
                    (0, 0),
                    &[],
                    &Signature { parameters: vec![ty.clone()], result: ty },
                    false,
                )
            },
        ),
        (
            "java/lang/invoke/MethodHandles.constant(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let ty = type_of(m.mirrored(a0::<D>(a)));
                let same = Signature { parameters: vec![ty.clone()], result: ty };
                let Done::Value(inner) = m.new_handle(IDENTITY, (0, 0), &[], &same, false)? else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                insert(m, D::bits(inner) as u32, 0, &[D::bits(a[1]) as u32])
            },
        ),
    ]
}
