//! The call of the entry: `main` with its arguments, or any method with symbolic parameters.
//!
//! A number is a scalar of the input. A string or an array of bytes has as many bytes as a pointer of C would lead to; an array of
//! other numbers as many elements as fit, up to a length that is itself symbolic. A reference to any other class is null, one of the
//! objects made so far of a fitting class, or a new one whose fields are made in the same way, down to a depth.

use crate::class::{Class, Method, Shape};
use crate::classfile::access;
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::{Kind, Type};
use crate::machine::{Fault, Hook, Machine, Stop};
use explore::Site;
use explore::op::ops;
use explore::target::{ObjectKind, Scalar};

/// How deep new objects lead to new objects.
const MAX_DEPTH: u32 = 3;

/// The most elements of an array of numbers.
const MAX_ELEMENTS: u32 = 8;

fn stop(fault: Fault) -> Stop {
    match fault {
        Fault::Stop(stop) => stop,
        other => Stop::Unsupported(format!("making the arguments: {other:?}")),
    }
}

/// Pushes the call of the entry with its arguments.
pub(crate) fn start<D: Values>(machine: &mut Machine<D>, entry: &'static Method) -> Result<(), Stop> {
    machine.initialise_now(entry.class.name)?;
    let args = if machine.world.setup.entry.is_none() {
        vec![D::constant(u64::from(main_arguments(machine).map_err(stop)?))]
    } else {
        let mut maker = Maker { made: Vec::new() };
        let mut args = Vec::new();
        if !entry.is_static() {
            let this = maker.object(machine, "this", entry.class, MAX_DEPTH)?;
            args.push(D::constant(u64::from(this)));
        }
        for (i, ty) in entry.signature.parameters.iter().enumerate() {
            let slot = args.len() as u16;
            let named = entry.body.as_ref().and_then(|body| body.locals.iter().find(|local| local.0 == slot));
            let name = named.map_or_else(|| format!("p{i}"), |local| local.1.clone());
            args.push(maker.value(machine, &name, ty, MAX_DEPTH)?);
            if ty.kind.slots() == 2 {
                args.push(D::constant(0));
            }
        }
        args
    };
    machine.push_call(entry, &args, Hook::Entry).map_err(stop)
}

fn main_arguments<D: Values>(machine: &mut Machine<D>) -> Result<Ref, Fault> {
    let mut strings = Vec::new();
    let sizes = machine.world.setup.args.clone();
    for (i, size) in sizes.into_iter().enumerate() {
        strings.push(machine.input_string(&format!("arg{}", i + 1), size, ObjectKind::Argument)?);
    }
    machine.array_of_refs("[Ljava/lang/String;", &strings)
}

/// The scalar of a kind.
fn scalar(kind: Kind) -> Scalar {
    match kind {
        Kind::Bool => Scalar::Bool,
        Kind::Byte => Scalar::Int { bits: 8, signed: true },
        Kind::Char => Scalar::Int { bits: 16, signed: false },
        Kind::Short => Scalar::Int { bits: 16, signed: true },
        Kind::Long => Scalar::Int { bits: 64, signed: true },
        Kind::Float => Scalar::Float { bits: 32 },
        Kind::Double => Scalar::Float { bits: 64 },
        Kind::Int | Kind::Ref | Kind::Void => Scalar::Int { bits: 32, signed: true },
    }
}

/// Makes values of types; it knows the objects that it made.
struct Maker {
    made: Vec<Ref>,
}

impl Maker {
    fn value<D: Values>(
        &mut self,
        m: &mut Machine<D>,
        name: &str,
        ty: &Type,
        depth: u32,
    ) -> Result<D::Value, Stop> {
        if ty.kind != Kind::Ref {
            return Ok(m.input_scalar(name, scalar(ty.kind), true));
        }
        let class = m.load(&ty.class).map_err(stop)?;
        self.reference(m, name, class, depth).map(|object| D::constant(u64::from(object)))
    }

    /// A choice of the input among some, as a number below their count.
    fn choice<D: Values>(m: &mut Machine<D>, name: &str, count: u32) -> u32 {
        let byte = m.input_scalar(name, Scalar::Int { bits: 8, signed: false }, true);
        m.domain.switch(Site::new(0), byte, count - 1)
    }

    fn reference<D: Values>(
        &mut self,
        m: &mut Machine<D>,
        name: &str,
        class: &'static Class,
        depth: u32,
    ) -> Result<Ref, Stop> {
        // A new object comes first: an input of zeros should get somewhere.
        let aliases: Vec<Ref> =
            self.made.iter().copied().filter(|&object| m.class_of(object).is_subtype_of(class)).collect();
        let choice = Self::choice(m, &format!("{name}.kind"), 2 + aliases.len() as u32);
        match choice {
            0 if depth > 0 => self.object(m, name, class, depth - 1),
            0 | 1 => Ok(0),
            alias => Ok(aliases[alias as usize - 2]),
        }
    }

    /// A new object of a class.
    fn object<D: Values>(
        &mut self,
        m: &mut Machine<D>,
        name: &str,
        class: &'static Class,
        depth: u32,
    ) -> Result<Ref, Stop> {
        let size = m.world.setup.pointee;
        if class.name == "java/lang/String"
            || class.name == "java/lang/CharSequence"
            || class.name == "java/lang/Object"
        {
            return m.input_string(name, size, ObjectKind::Pointee).map_err(stop);
        }
        if let Shape::Array(element) = class.shape {
            return self.array(m, name, class, element, depth);
        }
        if class.is_interface() || class.flags & access::ABSTRACT != 0 {
            return Err(Stop::Unsupported(format!(
                "a symbolic object of the abstract class {}",
                class.name.replace('/', ".")
            )));
        }
        m.initialise_now(class.name)?;
        let object = m.allocate(class).map_err(stop)?;
        self.made.push(object);
        let mut at = Some(class);
        while let Some(class) = at.filter(|class| class.own || class.name.starts_with("java/lang/")) {
            for field in class.fields.iter().filter(|field| !field.is_static()) {
                let value = self.value(m, &format!("{name}.{}", field.name), &field.ty, depth)?;
                m.domain.store(&mut m.heap, object + field.offset, field.ty.kind, value);
            }
            at = class.superclass;
        }
        Ok(object)
    }

    fn array<D: Values>(
        &mut self,
        m: &mut Machine<D>,
        name: &str,
        class: &'static Class,
        element: &'static Class,
        depth: u32,
    ) -> Result<Ref, Stop> {
        let kind = element.kind();
        let most = if kind == Kind::Byte { m.world.setup.pointee as u32 } else { MAX_ELEMENTS };
        let length = m.input_scalar(&format!("{name}.length"), Scalar::Int { bits: 32, signed: true }, true);
        if !m.domain.require_below(length, most + 1) {
            return Err(Stop::Assumption);
        }
        let length = m.domain.concretise(Site::new(0), explore::Need::Memory, length) as u32;
        let array = m.allocate_array(class, length).map_err(stop)?;
        self.made.push(array);
        for i in 0..length {
            let place = format!("{name}[{i}]");
            let value = if kind == Kind::Ref {
                D::constant(u64::from(self.reference(m, &place, element, depth)?))
            } else {
                m.input_scalar(&place, scalar(kind), true)
            };
            m.domain.store(&mut m.heap, array + HEADER + i * kind.bytes(), kind, value);
        }
        Ok(array)
    }
}

/// Assumptions of the maker.
trait Below: Values {
    /// Requires that an `int` is not negative and below a bound.
    fn require_below(&mut self, value: Self::Value, bound: u32) -> bool;
}

impl<D: Values> Below for D {
    fn require_below(&mut self, value: D::Value, bound: u32) -> bool {
        let below = self.binary::<ops::I32LtU>(Site::new(0), value, D::constant(u64::from(bound)));
        self.require(Site::new(0), below.unwrap_or_default())
    }
}
