//! Whether the program's bytecode keeps to its operand stack and its locals: every instruction finds its operands, no stack is deeper
//! than declared, all ways to an instruction come with the same depth, and none leaves the code. `typecheck` looks at the types.

use crate::class::Method;
use crate::classfile::Constant;
use crate::decode::{Raw, instructions, jumps};
use crate::kind::{Kind, Signature};
use crate::registry::Registry;

/// Checks a method.
pub(crate) fn method(_: &Registry, method: &'static Method) -> Result<(), String> {
    let Some(body) = &method.body else { return Ok(()) };
    let code = &body.bytecode;
    let raws = instructions(code)?;
    let index_of = |at: usize| {
        raws.binary_search_by_key(&at, |raw| raw.at)
            .map_err(|_| format!("a jump to {at} hits no instruction"))
    };
    let mut depths: Vec<Option<usize>> = vec![None; raws.len()];
    let mut open = vec![(0, 0)];
    for handler in &body.handlers {
        open.push((index_of(usize::from(handler.target))?, 1));
    }
    while let Some((index, depth)) = open.pop() {
        let Some(raw) = raws.get(index) else { return Err("the code runs off its end".to_string()) };
        match depths[index] {
            Some(known) if known == depth => continue,
            Some(known) => return Err(format!("the stack at {} is {known} or {depth} deep", raw.at)),
            None => depths[index] = Some(depth),
        }
        let (pops, pushes) = effect(method, raw)?;
        if depth < pops {
            return Err(format!("the instruction at {} lacks operands", raw.at));
        }
        let after = depth - pops + pushes;
        if after > usize::from(body.max_stack) {
            return Err(format!("the stack after {} is deeper than declared", raw.at));
        }
        if let Some(slot) = local(code, raw)
            && slot >= usize::from(body.max_locals)
        {
            return Err(format!("the instruction at {} uses local {slot} of {}", raw.at, body.max_locals));
        }
        let is_call = matches!(raw.opcode, 0xa8 | 0xc9);
        for to in jumps(code, raw)? {
            open.push((index_of(to)?, after));
        }
        // A subroutine comes back without its return address.
        let ends = matches!(raw.opcode, 0xa7 | 0xc8 | 0xa9..=0xb1 | 0xbf);
        if !ends {
            open.push((index + 1, after - usize::from(is_call)));
        }
    }
    Ok(())
}

/// The last slot of a local that an instruction uses.
pub(crate) fn local(code: &[u8], raw: &Raw) -> Option<usize> {
    let slot = || {
        let at = raw.at + 1 + usize::from(raw.wide);
        if raw.wide { usize::from(code[at]) << 8 | usize::from(code[at + 1]) } else { usize::from(code[at]) }
    };
    Some(match raw.opcode {
        0x15 | 0x17 | 0x19 | 0x36 | 0x38 | 0x3a | 0x84 | 0xa9 => slot(),
        0x16 | 0x18 | 0x37 | 0x39 => slot() + 1,
        0x1a..=0x1d | 0x22..=0x25 | 0x2a..=0x2d => usize::from((raw.opcode - 0x1a) % 4),
        0x1e..=0x21 | 0x26..=0x29 => usize::from((raw.opcode - 0x1e) % 4) + 1,
        0x3b..=0x3e | 0x43..=0x46 | 0x4b..=0x4e => usize::from((raw.opcode - 0x3b) % 4),
        0x3f..=0x42 | 0x47..=0x4a => usize::from((raw.opcode - 0x3f) % 4) + 1,
        _ => return None,
    })
}

/// Slots that an instruction takes and gives.
pub(crate) fn effect(method: &'static Method, raw: &Raw) -> Result<(usize, usize), String> {
    let code = method.body.as_ref().map_or(&[][..], |body| &body.bytecode);
    let constant = |index: u16| method.class.pool.get(index).map_err(|error| error.to_string());
    let index = || u16::from_be_bytes([code[raw.at + 1], code[raw.at + 2]]);
    let loaded = |index: u16| -> Result<usize, String> {
        Ok(match constant(index)? {
            Constant::Long(_) | Constant::Double(_) => 2,
            Constant::Dynamic(_, _, descriptor, _) => Kind::of(descriptor).map_or(1, Kind::slots),
            _ => 1,
        })
    };
    Ok(match raw.opcode {
        0x00 | 0x84 | 0xa7 | 0xa9 | 0xb1 | 0xc8 => (0, 0),
        0x01..=0x08 | 0x0b..=0x0d | 0x10 | 0x11 => (0, 1),
        0x09 | 0x0a | 0x0e | 0x0f => (0, 2),
        0x12 => (0, loaded(u16::from(code[raw.at + 1]))?),
        0x13 | 0x14 => (0, loaded(index())?),
        0x15 | 0x17 | 0x19 | 0x1a..=0x1d | 0x22..=0x25 | 0x2a..=0x2d => (0, 1),
        0x16 | 0x18 | 0x1e..=0x21 | 0x26..=0x29 => (0, 2),
        0x2e | 0x30 | 0x32..=0x35 => (2, 1),
        0x2f | 0x31 => (2, 2),
        0x36 | 0x38 | 0x3a | 0x3b..=0x3e | 0x43..=0x46 | 0x4b..=0x4e | 0x57 => (1, 0),
        0x37 | 0x39 | 0x3f..=0x42 | 0x47..=0x4a | 0x58 => (2, 0),
        0x4f | 0x51 | 0x53..=0x56 => (3, 0),
        0x50 | 0x52 => (4, 0),
        0x59 => (1, 2),
        0x5a => (2, 3),
        0x5b => (3, 4),
        0x5c => (2, 4),
        0x5d => (3, 5),
        0x5e => (4, 6),
        0x5f => (2, 2),
        0x60..=0x73 => {
            if raw.opcode.is_multiple_of(2) {
                (2, 1)
            } else {
                (4, 2)
            }
        }
        0x74 | 0x76 => (1, 1),
        0x75 | 0x77 => (2, 2),
        0x78 | 0x7a | 0x7c | 0x7e | 0x80 | 0x82 => (2, 1),
        0x79 | 0x7b | 0x7d => (3, 2),
        0x7f | 0x81 | 0x83 => (4, 2),
        0x85 | 0x87 | 0x8c | 0x8d => (1, 2),
        0x86 | 0x8b | 0x91..=0x93 => (1, 1),
        0x88 | 0x89 | 0x8e | 0x90 => (2, 1),
        0x8a | 0x8f => (2, 2),
        0x94 | 0x97 | 0x98 => (4, 1),
        0x95 | 0x96 => (2, 1),
        0x99..=0x9e | 0xaa | 0xab | 0xac | 0xae | 0xb0 | 0xbf | 0xc2 | 0xc3 | 0xc6 | 0xc7 => (1, 0),
        0x9f..=0xa6 => (2, 0),
        0xa8 | 0xc9 => (0, 1),
        0xad | 0xaf => (2, 0),
        0xb2..=0xb5 => {
            let Constant::Field(_, _, descriptor) = constant(index())? else {
                return Err(format!("the constant at {} is no field", raw.at));
            };
            let slots = Kind::of(descriptor).map_or(1, Kind::slots);
            match raw.opcode {
                0xb2 => (0, slots),
                0xb3 => (slots, 0),
                0xb4 => (1, slots),
                _ => (1 + slots, 0),
            }
        }
        0xb6..=0xba => {
            let (Constant::Method(_, _, descriptor, _) | Constant::Dynamic(_, _, descriptor, true)) =
                constant(index())?
            else {
                return Err(format!("the constant at {} cannot be called", raw.at));
            };
            let signature =
                Signature::parse(descriptor).ok_or_else(|| format!("{descriptor} is no method type"))?;
            let receiver = usize::from(!matches!(raw.opcode, 0xb8 | 0xba));
            (receiver + signature.slots(), signature.result.kind.slots())
        }
        0xbb => (0, 1),
        0xbc..=0xbe | 0xc0 | 0xc1 => (1, 1),
        0xc5 => (usize::from(code[raw.at + 3]), 1),
        other => return Err(format!("there is no instruction {other:#x}")),
    })
}
