//! The parameters of the function that is explored: numbers are symbolic, pointers lead to symbolic objects.
//!
//! Which object a pointer leads to is a part of the input too, if pointers are lazy: an object of its own, none (null), or one of the
//! same type that another pointer leads to. Nothing is decided before the program follows the pointer or compares it, so that
//! pointers that it never looks at cost no path. Objects are made to a few levels; the pointers of the last level are null or lead
//! back, which is enough for lists, trees and cycles.

use crate::checks::heap::Family;
use crate::domain::Need;
use crate::error::Error;
use crate::memory::{Memory, PAGE};
use crate::source::{DebugInfo, Declaration, Layout};
use crate::target::Site;
use crate::types::{FunctionType, ValueType};
use crate::world::{Inputs, ObjectKind, Piece, Scalar, World};

/// The largest alignment that a type asks for.
const ALIGNMENT: usize = 16;

/// How many objects are made for one run.
const MAX_OBJECTS: usize = 64;

/// How many objects of its type a pointer may lead to beside its own: the ones made last.
const MAX_ALIASES: usize = 4;

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    name: String,
    ty: Declaration,
}

/// The parameters of a function: as its source declares them where that fits its type, else plain numbers.
pub(super) fn of(ty: &FunctionType, source: &DebugInfo, function: &str) -> Result<Vec<Parameter>, Error> {
    let declared = source.parameters(function).unwrap_or_default();
    let fit = declared.len() == ty.params.len()
        && declared.iter().zip(&ty.params).all(|(declared, ty)| slot_type(&declared.ty) == *ty);
    if fit {
        return Ok(declared
            .into_iter()
            .map(|declared| Parameter { name: declared.name, ty: declared.ty })
            .collect());
    }
    let plain = |(i, ty): (usize, &ValueType)| {
        let scalar = match ty {
            ValueType::I32 => Scalar::Int { bits: 32, signed: true },
            ValueType::I64 => Scalar::Int { bits: 64, signed: true },
            ValueType::F32 => Scalar::Float { bits: 32 },
            ValueType::F64 => Scalar::Float { bits: 64 },
            ValueType::V128 | ValueType::FuncRef | ValueType::ExternRef => {
                return Err(Error::Parameter { function: function.to_string(), position: i + 1 });
            }
        };
        Ok(Parameter { name: format!("param{}", i + 1), ty: Declaration::Scalar(scalar) })
    };
    ty.params.iter().enumerate().map(plain).collect()
}

/// Whether lengths name parameters: an array that is a pointer, and a size that is an integer of at most 32 bits.
pub(super) fn check_lengths(parameters: &[Parameter], lengths: &[(String, String)]) -> Result<(), Error> {
    for (array, size) in lengths {
        let is = |name: &str, fits: fn(&Declaration) -> bool| {
            parameters.iter().any(|parameter| parameter.name == name && fits(&parameter.ty))
        };
        let number =
            |ty: &Declaration| matches!(ty, Declaration::Scalar(Scalar::Int { bits, .. }) if *bits <= 32);
        if !is(array, |ty| matches!(ty, Declaration::Pointer(_))) || !is(size, number) {
            let known = parameters.iter().map(|parameter| parameter.name.clone()).collect();
            return Err(Error::Length { array: array.clone(), size: size.clone(), known });
        }
    }
    Ok(())
}

fn slot_type(declaration: &Declaration) -> ValueType {
    match declaration {
        Declaration::Scalar(Scalar::Int { bits: 64, .. }) => ValueType::I64,
        Declaration::Scalar(Scalar::Float { bits: 32 }) => ValueType::F32,
        Declaration::Scalar(Scalar::Float { .. }) => ValueType::F64,
        Declaration::Scalar(Scalar::Int { .. } | Scalar::Bool) | Declaration::Pointer(_) => ValueType::I32,
    }
}

/// The arguments of a run, whose first instruction is at a site; none if an array would be longer than it may be.
pub(super) fn arguments<D: Inputs>(
    parameters: &[Parameter],
    at: Site,
    domain: &mut D,
    memory: &mut Memory<D::Overlay>,
    world: &mut World<'_>,
) -> Option<Vec<D::Value>> {
    let mut maker = Maker { at, domain, memory, world, parameters, made: Vec::new(), fits: true };
    let arguments = parameters.iter().map(|parameter| maker.argument(parameter)).collect();
    maker.fits.then_some(arguments)
}

/// Makes the objects of a run.
struct Maker<'a, 'w, D: Inputs> {
    at: Site,
    domain: &'a mut D,
    memory: &'a mut Memory<D::Overlay>,
    world: &'a mut World<'w>,
    parameters: &'a [Parameter],
    /// The types and addresses of objects so far.
    made: Vec<(u64, u32)>,
    /// Whether no array is longer than it may be.
    fits: bool,
}

impl<D: Inputs> Maker<'_, '_, D> {
    fn argument(&mut self, parameter: &Parameter) -> D::Value {
        match &parameter.ty {
            Declaration::Scalar(scalar) => self.number(&parameter.name, *scalar),
            Declaration::Pointer(layout) => self.pointer(&parameter.name, layout),
        }
    }

    fn number(&mut self, name: &str, scalar: Scalar) -> D::Value {
        let bytes = self.world.object(name, ObjectKind::Parameter(scalar), scalar.bytes());
        self.domain.scalar(&mut self.world.symbols, name, scalar, &bytes)
    }

    /// How many elements the array of a name has, if a parameter says so. Longer ones than `--pointee` allows are of no interest.
    fn length(&mut self, name: &str, layout: &Layout) -> Option<usize> {
        let size = self.world.setup().lengths.iter().find(|(array, _)| array == name)?.1.clone();
        let scalar = self.parameters.iter().find_map(|parameter| match parameter.ty {
            Declaration::Scalar(scalar) if parameter.name == size => Some(scalar),
            _ => None,
        })?;
        let value = self.number(&size, scalar);
        let element = layout.size.max(1);
        let most = (self.world.pointee() / element).max(1);
        self.fits &= self.domain.at_most(self.at, value, most as u32);
        Some((self.domain.concretise(self.at, Need::Length, value) as u32 as usize).min(most))
    }

    /// A pointer: to an object of its own, or as the input says.
    fn pointer(&mut self, name: &str, layout: &Layout) -> D::Value {
        let length = self.length(name, layout);
        // An array with elements is there, and nobody else's: its length would be another one.
        let lazy = self.world.setup().lazy && length.is_none_or(|length| length == 0);
        let known = self.made.clone();
        let full = layout.end || self.made.len() >= MAX_OBJECTS;
        let own = if full { None } else { self.object(name, layout, length) };
        let mut targets = vec![own.unwrap_or(0)];
        if lazy && own.is_some() && !layout.solid {
            targets.push(0);
        }
        if lazy && layout.ty != 0 {
            let same = known.iter().rev().filter(|(ty, _)| *ty == layout.ty);
            targets.extend(same.take(MAX_ALIASES).map(|(_, address)| *address));
        }
        if targets.len() == 1 {
            return D::object(targets[0]);
        }
        let object = format!("{name}?");
        let bytes = self.world.object(&object, ObjectKind::Choice, 1);
        let choice = bytes.first().copied().unwrap_or(0);
        self.domain.either(&mut self.world.symbols, &object, choice, &targets)
    }

    /// Makes an object, and those that the pointers in it lead to. Layouts are a few levels deep at most.
    fn object(&mut self, name: &str, layout: &Layout, length: Option<usize>) -> Option<u32> {
        let pointee = self.world.pointee();
        let (size, end) = match length {
            Some(length) => (length * layout.size.max(1), 0),
            None if layout.structure => (layout.size, 0),
            // A zero byte ends what is a string.
            None => (pointee.max(layout.size), usize::from(layout.text)),
        };
        let bytes = self.world.object(name, ObjectKind::Pointee, size);
        let room = (size + end).next_multiple_of(ALIGNMENT);
        let address = if self.memory.is_instrumented() {
            // A block has red zones: running over its end is noticed at once.
            let size = u32::try_from(size + end).ok()?;
            let heap = &mut self.world.checks.heap;
            heap.allocate(self.memory, size, ALIGNMENT as u32, Family::Malloc, Vec::new())?
        } else {
            // At the end of pages of its own, so that running over the last one is a trap.
            self.memory.grow(u32::try_from(room.div_ceil(PAGE).max(1)).ok()?)?;
            u32::try_from(self.memory.bytes().len() - room).ok()?
        };
        self.made.push((layout.ty, address));
        let piece = Piece { object: name, bytes: &bytes, from: 0, length: size };
        self.domain.place(&mut self.world.symbols, self.memory, address, piece).ok()?;
        for (offset, member, layout) in &layout.pointers {
            let inner = self.pointer(&format!("{name}.{member}"), layout);
            self.domain.put(self.memory, address.wrapping_add(*offset as u32), inner).ok()?;
        }
        Some(address)
    }
}
