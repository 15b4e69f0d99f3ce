//! What instructions refer to and make: constants of the pool, objects of lambdas, arrays, and the exceptions of wrong types.

use super::{Fault, Hook, Machine};
use crate::class::{Class, Field, Method, Resolved, Shape};
use crate::classfile::Constant;
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::{Kind, Signature, Type};
use explore::op::ops;
use explore::{Need, Site};

impl<D: Values> Machine<D> {
    pub(super) fn resolve_class(
        &mut self,
        class: &'static Class,
        index: u16,
    ) -> Result<&'static Class, Fault> {
        match self.registry.resolve(class, index) {
            Ok(Resolved::Class(found)) => {
                self.sync(found.id);
                Ok(found)
            }
            Ok(_) => Err(Fault::New("java/lang/ClassFormatError", None)),
            Err(error) => Err(Fault::New(error.throwable(), Some(error.message()))),
        }
    }

    pub(super) fn resolve_field(
        &mut self,
        class: &'static Class,
        index: u16,
    ) -> Result<(&'static Class, &'static Field), Fault> {
        match self.registry.resolve(class, index) {
            Ok(Resolved::Field(class, field)) => Ok((class, field)),
            Ok(_) => Err(Fault::New("java/lang/ClassFormatError", None)),
            Err(error) => Err(Fault::New(error.throwable(), Some(error.message()))),
        }
    }

    pub(super) fn resolve_method(
        &mut self,
        class: &'static Class,
        index: u16,
    ) -> Result<&'static Method, Fault> {
        match self.registry.resolve(class, index) {
            Ok(Resolved::Method(method)) => Ok(method),
            Ok(_) => Err(Fault::New("java/lang/ClassFormatError", None)),
            Err(error) => Err(Fault::New(error.throwable(), Some(error.message()))),
        }
    }

    /// A loaded constant that is made once: a class, a method handle or type, or what a bootstrap method gives.
    pub(super) fn constant(&mut self, class: &'static Class, index: u16) -> Result<D::Value, Fault> {
        if let Some(&known) = self.constants.get(&(class.id, index)) {
            return Ok(known);
        }
        let object = match class.pool.get(index) {
            Ok(Constant::Class(_)) => {
                let found = self.resolve_class(class, index)?;
                return self.mirror(found).map(|mirror| D::constant(u64::from(mirror)));
            }
            Ok(Constant::Handle(handle)) => self.constant_handle(handle)?,
            Ok(Constant::MethodType(descriptor)) => {
                let signature = Signature::parse(descriptor);
                self.method_type(&signature.ok_or(Fault::New("java/lang/ClassFormatError", None))?)?
            }
            Ok(Constant::Dynamic(bootstrap, name, descriptor, false)) => {
                self.call_bootstrap(class, index, (*bootstrap, name, descriptor))?;
                return Err(Fault::Again);
            }
            _ => return Err(Fault::New("java/lang/ClassFormatError", None)),
        };
        let value = D::constant(u64::from(object));
        self.constants.insert((class.id, index), value);
        Ok(value)
    }

    /// Calls the bootstrap method of a dynamic constant with a lookup, its name, its type and what the class file says (JVMS 5.4.3.6).
    fn call_bootstrap(
        &mut self,
        class: &'static Class,
        index: u16,
        (bootstrap, name, descriptor): (u16, &str, &str),
    ) -> Result<(), Fault> {
        let malformed = || Fault::New("java/lang/ClassFormatError", None);
        let result = Type::parse(descriptor).ok_or_else(malformed)?;
        let bootstrap = class.details.bootstraps.get(usize::from(bootstrap)).ok_or_else(malformed)?;
        let Ok(Constant::Handle(handle)) = class.pool.get(bootstrap.handle) else { return Err(malformed()) };
        let handle = self.constant_handle(handle)?;
        let (lookup, name) = (self.lookup_in(class)?, self.string(name)?);
        let kind = self.load(&result.class)?;
        let kind = self.mirror(kind)?;
        let mut args = [handle, lookup, name, kind].map(|object| D::constant(u64::from(object))).to_vec();
        let named = |class: &str| Type { kind: Kind::Ref, class: class.to_string() };
        let mut parameters = ["java/lang/invoke/MethodHandles$Lookup", "java/lang/String", "java/lang/Class"]
            .map(named)
            .to_vec();
        for &argument in &bootstrap.arguments {
            let constant = class.pool.get(argument).map_err(|_| malformed())?;
            let (ty, value) = match constant {
                Constant::Int(value) => (Type::parse("I"), D::constant(u64::from(*value as u32))),
                Constant::Float(bits) => (Type::parse("F"), D::constant(u64::from(*bits))),
                Constant::Long(value) => (Type::parse("J"), D::constant(*value as u64)),
                Constant::Double(bits) => (Type::parse("D"), D::constant(*bits)),
                Constant::Str(text) => {
                    let literal = self.registry.literal(text);
                    let string = self.literal(literal)?;
                    (Some(named("java/lang/String")), D::constant(u64::from(string)))
                }
                Constant::Class(_) => (Some(named("java/lang/Class")), self.constant(class, argument)?),
                Constant::Handle(_) => {
                    (Some(named("java/lang/invoke/MethodHandle")), self.constant(class, argument)?)
                }
                Constant::MethodType(_) => {
                    (Some(named("java/lang/invoke/MethodType")), self.constant(class, argument)?)
                }
                Constant::Dynamic(_, _, descriptor, false) => {
                    (Type::parse(descriptor), self.constant(class, argument)?)
                }
                _ => return Err(malformed()),
            };
            let ty = ty.ok_or_else(malformed)?;
            args.push(value);
            if ty.kind.slots() == 2 {
                args.push(D::constant(0));
            }
            parameters.push(ty);
        }
        let method = self.call_handle(handle, &Signature { parameters, result }, false)?;
        self.push_call(method, &args, Hook::Constant(class.id, index))
    }

    /// The object of a lambda or method reference; one that captures nothing is made once.
    pub(super) fn lambda(
        &mut self,
        class: &'static Class,
        captures: &[(Kind, u32)],
        first: usize,
    ) -> Result<Ref, Fault> {
        if captures.is_empty()
            && let Some(&known) = self.lambdas.get(&class.id)
        {
            return Ok(known);
        }
        self.sync(class.id);
        self.prepare(class)?;
        self.mark_ready(class);
        let object = self.allocate(class)?;
        let mut at = first;
        for &(kind, offset) in captures {
            self.domain.store(&mut self.heap, object + offset, kind, self.stack[at]);
            at += kind.slots();
        }
        if captures.is_empty() {
            self.lambdas.insert(class.id, object);
        }
        Ok(object)
    }

    /// An array whose length may be symbolic.
    pub(super) fn new_array(
        &mut self,
        class: &'static Class,
        length: D::Value,
        at: Site,
    ) -> Result<Ref, Fault> {
        if !self.domain.guard::<ops::I32GeS>(at, length, D::constant(0)) {
            let length = (D::bits(length) as i32).to_string();
            return Err(Fault::New("java/lang/NegativeArraySizeException", Some(length)));
        }
        let length = self.domain.concretise(at, Need::Memory, length) as u32;
        self.allocate_array(class, length)
    }

    pub(super) fn new_arrays(
        &mut self,
        class: &'static Class,
        first: usize,
        dimensions: usize,
        at: Site,
    ) -> Result<Ref, Fault> {
        let mut lengths = Vec::with_capacity(dimensions);
        for i in 0..dimensions {
            let length = self.stack[first + i];
            if !self.domain.guard::<ops::I32GeS>(at, length, D::constant(0)) {
                let length = (D::bits(length) as i32).to_string();
                return Err(Fault::New("java/lang/NegativeArraySizeException", Some(length)));
            }
            lengths.push(self.domain.concretise(at, Need::Memory, length) as u32);
        }
        self.nested_arrays(class, &lengths)
    }

    /// Arrays of arrays; a class has 255 dimensions at most.
    pub(crate) fn nested_arrays(&mut self, class: &'static Class, lengths: &[u32]) -> Result<Ref, Fault> {
        let array = self.allocate_array(class, lengths.first().copied().unwrap_or(0))?;
        if let (Shape::Array(element), [length, rest @ ..]) = (class.shape, lengths)
            && !rest.is_empty()
        {
            for i in 0..*length {
                let inner = self.nested_arrays(element, rest)?;
                self.heap.set_u32(array + HEADER + 4 * i, inner);
            }
        }
        Ok(array)
    }

    pub(super) fn check_store(&mut self, array: Ref, value: Ref) -> Result<(), Fault> {
        if let Shape::Array(element) = self.class_of(array).shape
            && !self.class_of(value).is_subtype_of(element)
        {
            let name = self.class_of(value).name.replace('/', ".");
            return Err(Fault::New("java/lang/ArrayStoreException", Some(name)));
        }
        Ok(())
    }

    pub(crate) fn bad_cast(&self, object: Ref, to: &'static Class) -> Fault {
        let from = self.class_of(object);
        let (a, b) = (from.name.replace('/', "."), to.name.replace('/', "."));
        let place = |class: &'static Class| {
            if innermost(class).own {
                "unnamed module of loader 'app'"
            } else {
                "module java.base of loader 'bootstrap'"
            }
        };
        let (x, y) = (place(from), place(to));
        let where_ =
            if x == y { format!("{a} and {b} are in {x}") } else { format!("{a} is in {x}; {b} is in {y}") };
        Fault::New(
            "java/lang/ClassCastException",
            Some(format!("class {a} cannot be cast to class {b} ({where_})")),
        )
    }
}

/// What an array of arrays is finally made of.
fn innermost(mut class: &'static Class) -> &'static Class {
    while let Shape::Array(element) = class.shape {
        class = element;
    }
    class
}
