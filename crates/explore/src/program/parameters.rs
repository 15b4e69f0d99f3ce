//! The parameters of the function that is explored: numbers are symbolic, pointers lead to symbolic buffers.
//!
//! Buffers lie behind the program's memory, each at the end of pages of its own, so that running over the last one is a trap.

use crate::checks::heap::Family;
use crate::error::Error;
use crate::machine::Machine;
use crate::memory::PAGE;
use crate::source::{Declaration, Layout, Source};
use crate::types::{FunctionType, MemoryId, ValueType};
use crate::world::{Inputs, ObjectKind, Piece, Scalar, World};

/// The largest alignment that a type asks for.
const ALIGNMENT: usize = 16;

/// A parameter of the function that is explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    name: String,
    ty: Declaration,
}

/// The parameters of a function: as its source declares them where that fits its type, else plain numbers.
pub(super) fn of(ty: &FunctionType, source: &Source, function: &str) -> Result<Vec<Parameter>, Error> {
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

fn slot_type(declaration: &Declaration) -> ValueType {
    match declaration {
        Declaration::Scalar(Scalar::Int { bits: 64, .. }) => ValueType::I64,
        Declaration::Scalar(Scalar::Float { bits: 32 }) => ValueType::F32,
        Declaration::Scalar(Scalar::Float { .. }) => ValueType::F64,
        Declaration::Scalar(Scalar::Int { .. } | Scalar::Bool) | Declaration::Pointer(_) => ValueType::I32,
    }
}

/// The arguments of a run.
pub(super) fn arguments<D: Inputs>(
    parameters: &[Parameter],
    machine: &mut Machine<D>,
    memory: Option<MemoryId>,
    world: &mut World<'_>,
) -> Vec<D::Value> {
    let mut values = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        values.push(match &parameter.ty {
            Declaration::Scalar(scalar) => {
                let kind = ObjectKind::Parameter(*scalar);
                let bytes = world.object(&parameter.name, kind, scalar.bytes());
                machine.domain.scalar(&mut world.symbols, &parameter.name, *scalar, &bytes)
            }
            Declaration::Pointer(layout) => {
                let address =
                    memory.and_then(|memory| buffer(machine, memory, world, &parameter.name, layout));
                // Without memory to spare the pointer is null.
                D::constant(u64::from(address.unwrap_or(0)))
            }
        });
    }
    values
}

/// Makes a symbolic buffer, and those that the pointers in it lead to. Layouts are a few levels deep at most.
fn buffer<D: Inputs>(
    machine: &mut Machine<D>,
    memory: MemoryId,
    world: &mut World<'_>,
    name: &str,
    layout: &Layout,
) -> Option<u32> {
    let size = if layout.structure { layout.size } else { world.pointee().max(layout.size) };
    let room = size.next_multiple_of(ALIGNMENT);
    let bytes = world.object(name, ObjectKind::Pointee, size);
    let (target, domain) = machine.memory_mut(memory);
    let address = if target.is_instrumented() {
        // A block has red zones: running over its end is noticed at once.
        let size = u32::try_from(size).ok()?;
        world.checks.heap.allocate(target, size, ALIGNMENT as u32, Family::Malloc, Vec::new())?
    } else {
        target.grow(u32::try_from(room.div_ceil(PAGE).max(1)).ok()?)?;
        u32::try_from(target.bytes().len() - room).ok()?
    };
    let piece = Piece { object: name, bytes: &bytes, from: 0, length: size };
    domain.place(&mut world.symbols, target, address, piece).ok()?;
    for (offset, member, layout) in &layout.pointers {
        let inner = buffer(machine, memory, world, &format!("{name}.{member}"), layout)?;
        let (target, _) = machine.memory_mut(memory);
        target.write(address.wrapping_add(*offset as u32), &inner.to_le_bytes()).ok()?;
    }
    Some(address)
}
