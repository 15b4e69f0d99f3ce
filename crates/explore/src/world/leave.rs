//! Ways out of a call other than returning: `setjmp` and `longjmp`, exceptions of C++, and the turns of threads.
//!
//! The machine keeps its calls as data, so a long jump is to drop some of them; the compiler need not know. An exception is a long jump to the
//! innermost call that it may leave: the world keeps a stack of these calls, and the program's own part (`clang/exceptions.c`) decides what
//! is caught. A `throw` that nothing catches ends the run with the exception's type, as it ends the program natively.
//!
//! A thread is a set of calls in progress that the machine puts aside while another has its turn; whose turn it is, the program's own part
//! (`clang/threads.c`) decides.

use super::functions::Service;
use super::input::Inputs;
use super::{Stop, World, argument};
use crate::checks::DEPTH;
use crate::checks::heap::Family;
use crate::host::{Detour, HostCall, Point};
use crate::memory::{Memory, Overlay};
use crate::trap::Trap;

/// How many places are remembered: the oldest are forgotten.
const MAX_POINTS: usize = 1 << 16;

/// The number of a thread that has ended.
const ENDED: u32 = u32::MAX;

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
                self.go_back(call, point, value);
                Ok(())
            }
            Service::Try => {
                // Calls that a long jump left have not ended by themselves.
                while self.tries.last().is_some_and(|known| known.0.depth > call.here.depth) {
                    self.tries.pop();
                }
                self.tries.push((call.here, argument(call, 0) as u32));
                Ok(())
            }
            Service::Tried => {
                self.tries.pop();
                Ok(())
            }
            Service::Land => Ok(()),
            Service::Clauses => {
                let back = argument(call, 0) as usize;
                let clauses = self.tries.iter().rev().nth(back).map_or(0, |known| known.1);
                call.results[0] = D::constant(u64::from(clauses));
                Ok(())
            }
            Service::Unwind => {
                let Some((point, _)) = self.tries.pop() else { return Err(Trap::Unreachable) };
                self.go_back(call, point, D::constant(1));
                Ok(())
            }
            Service::Part => {
                let [number, low, size] = [0, 1, 2].map(|at| argument(call, at) as u32);
                self.stacks.insert(number, low);
                let stack_pointer = u64::from(low.wrapping_add(size));
                *call.detour = Some(Detour::Part { number, stack_pointer });
                Ok(())
            }
            Service::Turn => {
                let [from, to] = [0, 1].map(|at| argument(call, at) as u32);
                // What an exception may leave belongs to the thread.
                let tries = self.other_tries.remove(&to).unwrap_or_default();
                let from = (from != ENDED).then_some(from);
                let own = std::mem::replace(&mut self.tries, tries);
                if let Some(from) = from {
                    self.other_tries.insert(from, own);
                }
                self.thread = to;
                *call.detour = Some(Detour::Turn { from, to });
                Ok(())
            }
            Service::NewException => {
                let size = argument(call, 0) as u32;
                let stack = call.stack.sites(DEPTH);
                let block = self.checks.heap.allocate(call.memory, size, 0, Family::Malloc, stack);
                call.results[0] = D::constant(u64::from(block.unwrap_or(0)));
                Ok(())
            }
            _ => {
                let ty = argument(call, 1) as usize;
                let name = type_name(call.memory, ty);
                self.exception = name;
                Err(Stop::Exception.trap())
            }
        }
    }

    /// Goes back to a call in progress. The red zones of what is left behind on the stack are opened: others will lie there.
    fn go_back<D: Inputs>(&self, call: &mut HostCall<'_, D>, to: Point, value: D::Value) {
        call.memory.shade(call.here.stack_pointer as usize..to.stack_pointer as usize, 0);
        *call.detour = Some(Detour::Back(to, value));
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
