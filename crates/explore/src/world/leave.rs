//! Ways out of a call other than returning: `setjmp` and `longjmp`, and exceptions of C++.
//!
//! The machine keeps its calls as data, so a long jump is to drop some of them; the compiler need not know. Exceptions are not caught: the
//! C++ library for WebAssembly has none. A `throw` outside of every `try` ends the run with the exception's type, as it ends the
//! program natively; one that may be caught ends it as unsupported.

use super::functions::Service;
use super::input::Inputs;
use super::{Stop, World, argument};
use crate::checks::DEPTH;
use crate::checks::heap::Family;
use crate::host::HostCall;
use crate::memory::{Memory, Overlay};
use crate::trap::Trap;

/// How many places are remembered: the oldest are forgotten.
const MAX_POINTS: usize = 1 << 16;

impl World<'_> {
    pub(super) fn leave<D: Inputs>(
        &mut self,
        service: Service,
        call: &mut HostCall<'_, D>,
    ) -> Result<(), Trap> {
        match service {
            Service::SetJump => {
                let buffer = argument(call, 0) as u32;
                let number = match self.points.iter().position(|point| *point == call.here) {
                    Some(known) => known,
                    None if self.points.len() < MAX_POINTS => {
                        self.points.push(call.here);
                        self.points.len() - 1
                    }
                    None => return Err(Trap::StackOverflow),
                };
                call.memory.write(buffer, &(number as u32 + 1).to_le_bytes())?;
                Ok(())
            }
            Service::LongJump => {
                let buffer = argument(call, 0) as u32;
                let number =
                    call.memory.read(buffer, 4)?.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
                let point =
                    number.checked_sub(1).and_then(|number| self.points.get(number as usize).copied());
                let Some(point) = point else { return Err(Trap::Unreachable) };
                // Zero would look like the first return.
                let value = call.args[1];
                let value = if D::bits(value) as u32 == 0 { D::constant(1) } else { value };
                *call.jump = Some((point, value));
                Ok(())
            }
            Service::NewException => {
                let size = argument(call, 0) as u32;
                let stack = call.stack.sites(DEPTH);
                let block = self.checks.heap.allocate(call.memory, size, 0, Family::Malloc, stack);
                call.results[0] = D::constant(u64::from(block.unwrap_or(0)));
                Ok(())
            }
            Service::Try => {
                let step = D::bits(call.args[0]) as u32 as i32;
                self.tries = self.tries.saturating_add_signed(step);
                Ok(())
            }
            _ => {
                let ty = argument(call, 1) as usize;
                let name = type_name(call.memory, ty);
                if self.tries > 0 {
                    let name = name.as_deref().unwrap_or("unknown type");
                    self.unsupported = Some(format!("to catch an exception {name}"));
                    return Err(Stop::Unsupported.trap());
                }
                self.exception = name;
                Err(Stop::Exception.trap())
            }
        }
    }
}

/// The name of a type from its `type_info`: a pointer to a table of functions, and one to the mangled name.
fn type_name<O: Overlay>(memory: &Memory<O>, info: usize) -> Option<String> {
    const MAX: usize = 256;
    let at = u32::from_le_bytes(*memory.bytes().get(info + 4..info + 8)?.first_chunk()?) as usize;
    let bytes = memory.bytes().get(at..)?;
    let length = bytes.iter().take(MAX).position(|&byte| byte == 0)?;
    Some(crate::source::readable_type(&String::from_utf8_lossy(&bytes[..length])))
}
