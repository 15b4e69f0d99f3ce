//! The heap and the functions that the sanitizers' passes call, as the world serves them.

use super::input::Inputs;
use super::{World, argument};
use crate::checks::heap::{Family, TOO_BIG};
use crate::checks::{DEPTH, Evidence, FAILURE_DEPTH, Failure, Kind, Shade, WINDOW};
use crate::host::HostCall;
use crate::memory::REACH;
use crate::trap::Trap;

/// The functions of the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the table of functions says which each is")]
pub(crate) enum HeapCall {
    Allocate(Family),
    Clear,
    Resize,
    ResizeArray,
    Aligned,
    AlignedAt,
    Release(Family),
    Fits,
    Size,
}

/// The functions of AddressSanitizer's run-time that are left when accesses are not checked by calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the table of functions says which each is")]
pub(crate) enum GuardCall {
    Nothing,
    Globals,
    NoReturn,
    Copy { overlap: bool },
    Fill,
    Alloca,
    AllocasEnd,
    Shade(u8),
    Window(u8),
    Frame(u8),
    FrameEnd(u8),
    Container,
}

const NO_MEMORY: u64 = 48;
const INVALID: u64 = 28;
/// The red zones around what `alloca` gives.
const ALLOCA_ZONE: usize = 32;

impl World<'_> {
    /// Ends the run with an error.
    fn fail(&mut self, kind: Kind, evidence: Evidence) -> Trap {
        self.checks.fatal = Some(evidence);
        Trap::Violation(kind)
    }

    fn fail_saying(&mut self, kind: Kind, note: String) -> Trap {
        self.fail(kind, Evidence { note: Some(note), ..Evidence::default() })
    }

    /// Something undefined was done. Most of it has some result to go on with.
    pub(super) fn undefined<D: Inputs>(
        &mut self,
        kind: Kind,
        call: &mut HostCall<'_, D>,
    ) -> Result<(), Trap> {
        if !kind.row().goes_on {
            return Err(self.fail(kind, Evidence::default()));
        }
        // Once for each place is enough. Some checks are calls of ours, so it is their caller that counts.
        let place = call.stack.sites(2);
        let known = |failure: &Failure| failure.kind == kind && failure.stack.starts_with(&place);
        if !self.checks.failures.iter().any(known) {
            let stack = call.stack.sites(FAILURE_DEPTH);
            self.checks.failures.push(Failure { kind, stack, evidence: Evidence::default() });
        }
        Ok(())
    }

    /// A size that is asked for: no object is larger than half of the address space.
    fn size<D: Inputs>(&mut self, call: &mut HostCall<'_, D>, position: usize) -> Result<u32, Trap> {
        if call.domain.exceeds(call.at, call.args[position], TOO_BIG - 1) {
            let size = D::bits(call.args[position]) as u32;
            let note = format!("{size} bytes are asked for ({} as a signed number)", size as i32);
            return Err(self.fail_saying(Kind::AllocationTooBig, note));
        }
        Ok(argument(call, position) as u32)
    }

    /// Allocates; zero if there is no room.
    fn allocate<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        size: u32,
        align: u32,
        family: Family,
    ) -> u32 {
        let stack = call.stack.sites(DEPTH);
        self.checks.heap.allocate(call.memory, size, align, family, stack).unwrap_or(0)
    }

    fn release<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        address: u32,
        family: Family,
    ) -> Result<(), Trap> {
        let stack = call.stack.sites(DEPTH);
        self.checks
            .heap
            .free(call.memory, address, family, stack)
            .map_err(|refusal| self.fail(refusal.0, refusal.1))
    }

    /// The product of two sizes.
    fn product<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        count: usize,
        size: usize,
    ) -> Result<u32, Trap> {
        // With a constant size the greatest count is known, and what is greater is looked for.
        let (many, each) = (D::bits(call.args[count]) as u32, D::bits(call.args[size]) as u32);
        let overflows = many.checked_mul(each).is_none_or(|product| product >= TOO_BIG);
        if let Some(most) = (TOO_BIG - 1).checked_div(each) {
            call.domain.exceeds(call.at, call.args[count], most);
        }
        if overflows {
            let note = format!("{many} elements of {each} bytes are asked for");
            return Err(self.fail_saying(Kind::CallocOverflow, note));
        }
        Ok((argument(call, count) as u32).wrapping_mul(argument(call, size) as u32))
    }

    pub(super) fn heap<D: Inputs>(
        &mut self,
        function: HeapCall,
        call: &mut HostCall<'_, D>,
    ) -> Result<(), Trap> {
        let result = match function {
            HeapCall::Allocate(family) => {
                let size = self.size(call, 0)?;
                u64::from(self.allocate(call, size, 0, family))
            }
            HeapCall::Clear => {
                let size = self.product(call, 0, 1)?;
                let block = self.allocate(call, size, 0, Family::Malloc);
                if block != 0 {
                    call.domain.fill(call.memory, block, D::constant(0), size)?;
                }
                u64::from(block)
            }
            HeapCall::Resize => {
                let size = self.size(call, 1)?;
                u64::from(self.resize(call, size)?)
            }
            HeapCall::ResizeArray => {
                let size = self.product(call, 1, 2)?;
                u64::from(self.resize(call, size)?)
            }
            HeapCall::Aligned => {
                let (align, size) = (argument(call, 0) as u32, self.size(call, 1)?);
                if align.is_power_of_two() {
                    u64::from(self.allocate(call, size, align, Family::Malloc))
                } else {
                    0
                }
            }
            HeapCall::AlignedAt => {
                let (target, align, size) =
                    (argument(call, 0) as u32, argument(call, 1) as u32, self.size(call, 2)?);
                if !align.is_power_of_two() || align < 4 {
                    INVALID
                } else {
                    match self.allocate(call, size, align, Family::Malloc) {
                        0 => NO_MEMORY,
                        block => {
                            call.memory.write(target, &block.to_le_bytes())?;
                            0
                        }
                    }
                }
            }
            HeapCall::Release(family) => {
                let address = argument(call, 0) as u32;
                if address != 0 {
                    self.release(call, address, family)?;
                }
                0
            }
            HeapCall::Fits => {
                let (address, size) = (argument(call, 0) as u32, argument(call, 1) as u32);
                self.checks.heap.fits(address, size).map_err(|refusal| self.fail(refusal.0, refusal.1))?;
                0
            }
            HeapCall::Size => {
                let address = argument(call, 0) as u32;
                u64::from(self.checks.heap.size_of(address).unwrap_or(0))
            }
        };
        let made =
            !matches!(function, HeapCall::AlignedAt | HeapCall::Release(_) | HeapCall::Fits | HeapCall::Size);
        if let Some(slot) = call.results.first_mut() {
            *slot = if made { D::object(result as u32) } else { D::constant(result) };
        }
        Ok(())
    }

    fn resize<D: Inputs>(&mut self, call: &mut HostCall<'_, D>, size: u32) -> Result<u32, Trap> {
        let old = argument(call, 0) as u32;
        if old == 0 {
            return Ok(self.allocate(call, size, 0, Family::Malloc));
        }
        let Some(known) = self.checks.heap.size_of(old) else {
            // To free it is the error.
            self.release(call, old, Family::Malloc)?;
            return Ok(0);
        };
        let new = self.allocate(call, size, 0, Family::Malloc);
        if new != 0 {
            call.memory.copy(new, old, size.min(known))?;
            self.release(call, old, Family::Malloc)?;
        }
        Ok(new)
    }

    pub(super) fn guard<D: Inputs>(
        &mut self,
        function: GuardCall,
        call: &mut HostCall<'_, D>,
    ) -> Result<(), Trap> {
        match function {
            GuardCall::Nothing | GuardCall::NoReturn => {}
            GuardCall::Copy { overlap } => {
                self.copy(call, overlap)?;
                call.results[0] = D::constant(D::bits(call.args[0]));
            }
            GuardCall::Fill => {
                let to = if self.is_nothing(call, 2) {
                    argument(call, 0) as u32
                } else {
                    self.reach(call, 0, 2, true)?
                };
                let length = argument(call, 2) as u32;
                call.domain.fill(call.memory, to, call.args[1], length)?;
                call.results[0] = D::constant(u64::from(to));
            }
            _ => {
                let word = |call: &mut HostCall<'_, D>, position| argument(call, position) as u32;
                let (first, second) = (word(call, 0), if call.args.len() > 1 { word(call, 1) } else { 0 });
                let (start, length) = (first as usize, second as usize);
                match function {
                    GuardCall::Globals => self.checks.register(call.memory, first, second),
                    GuardCall::Alloca => {
                        // Open bytes, with closed ones before and behind, up to the next multiple.
                        let end = start + length;
                        call.memory.shade(start.saturating_sub(ALLOCA_ZONE)..start, Shade::ALLOCA_LEFT.0);
                        let behind = end.next_multiple_of(ALLOCA_ZONE) + ALLOCA_ZONE;
                        call.memory.shade(end..behind, Shade::ALLOCA_RIGHT.0);
                    }
                    GuardCall::AllocasEnd if start != 0 && start < length => {
                        call.memory.shade(start..length, 0);
                    }
                    GuardCall::Shade(shade) => call.memory.shade(start..start.saturating_add(length), shade),
                    GuardCall::Window(shade) => {
                        let first = start.saturating_sub(WINDOW.start) * 8;
                        call.memory.shade(first..first.saturating_add(length * 8), shade);
                    }
                    GuardCall::Frame(class) => {
                        let frame = self.checks.frames.allocate(
                            call.memory,
                            &mut self.checks.heap,
                            usize::from(class),
                        );
                        call.results[0] = D::object(frame);
                    }
                    GuardCall::FrameEnd(class) => {
                        self.checks.frames.free(call.memory, usize::from(class), first);
                    }
                    GuardCall::Container => {
                        // begin, end, and where the used part ended before and ends now.
                        let (end, now) = (second as usize, argument(call, 3) as usize);
                        call.memory.shade(start..now, 0);
                        call.memory.shade(now..end, 0xfc);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Whether no byte is to be touched. Pointers are not looked at then, so this is a decision like any other.
    fn is_nothing<D: Inputs>(&self, call: &mut HostCall<'_, D>, length: usize) -> bool {
        !call.domain.exceeds(call.at, call.args[length], 0)
    }

    /// A pointer to so many bytes as another argument says. Whether that leaves the object is asked.
    fn reach<D: Inputs>(
        &mut self,
        call: &mut HostCall<'_, D>,
        pointer: usize,
        length: usize,
        write: bool,
    ) -> Result<u32, Trap> {
        let address = call.domain.pointer(call.at, call.memory, call.args[pointer], write)?;
        if !D::ASKS {
            // What follows looks at all of it.
            let size = D::bits(call.args[length]) as u32 as usize;
            if address as usize <= call.memory.bytes().len()
                && call.memory.look(address as usize, size.min(REACH), write).is_err()
            {
                call.memory.look(address as usize, size, write)?;
            }
            return Ok(address);
        }
        if let Some(room) = call.memory.room(address as usize)
            && call.domain.exceeds(call.at, call.args[length], room as u32)
        {
            call.memory.look(address as usize, D::bits(call.args[length]) as u32 as usize, write)?;
        }
        Ok(address)
    }

    fn copy<D: Inputs>(&mut self, call: &mut HostCall<'_, D>, overlap: bool) -> Result<(), Trap> {
        if self.is_nothing(call, 2) {
            for position in 0..3 {
                argument(call, position);
            }
            return Ok(());
        }
        let from = self.reach(call, 1, 2, false)?;
        let to = self.reach(call, 0, 2, true)?;
        let distance = from.abs_diff(to);
        let fits = |start: u32| call.memory.room(start as usize).is_none_or(|room| distance < room as u32);
        if D::ASKS && !overlap && from != to && fits(from) && fits(to) {
            call.domain.exceeds(call.at, call.args[2], distance);
        }
        let length = argument(call, 2) as u32;
        let apart = u64::from(from) + u64::from(length) <= u64::from(to)
            || u64::from(to) + u64::from(length) <= u64::from(from);
        if !overlap && !apart && from != to {
            let note = format!("{length} bytes from {from:#x} to {to:#x}");
            return Err(self.fail_saying(Kind::Overlap, note));
        }
        call.memory.copy(to, from, length)
    }
}
