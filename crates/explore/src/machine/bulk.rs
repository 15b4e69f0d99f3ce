//! Instructions on whole memories and tables. Their operands are bits: the domain made them concrete.

use super::{MachineState, Table};
use crate::memory::Overlay;
use crate::trap::Trap;
use std::ops::Range;
use std::sync::Arc;

impl<V, O: Overlay> MachineState<V, O> {
    pub(super) fn memory_init(
        &mut self,
        memory: usize,
        segment: usize,
        to: u32,
        from: u32,
        length: u32,
    ) -> Result<(), Trap> {
        let data = Arc::clone(&self.data[segment]);
        let bytes = data.get(crate::memory::span(from, length)).ok_or(Trap::MemoryOutOfBounds)?;
        self.memories[memory].write(to, bytes)
    }

    pub(super) fn table_init(
        &mut self,
        table: usize,
        segment: usize,
        to: u32,
        from: u32,
        length: u32,
    ) -> Result<(), Trap> {
        let items =
            self.elements[segment].get(crate::memory::span(from, length)).ok_or(Trap::TableOutOfBounds)?;
        self.tables[table].range(to, length)?.copy_from_slice(items);
        Ok(())
    }

    pub(super) fn table_copy(
        &mut self,
        target: usize,
        source: usize,
        to: u32,
        from: u32,
        length: u32,
    ) -> Result<(), Trap> {
        if target == source {
            let elements = &mut self.tables[target].elements;
            let (from, to) = (inside(elements, from, length)?, inside(elements, to, length)?);
            elements.copy_within(from, to.start);
        } else {
            let items = self.tables[source].range(from, length)?.to_vec();
            self.tables[target].range(to, length)?.copy_from_slice(&items);
        }
        Ok(())
    }
}

impl Table {
    /// The entries of a range, if they lie wholly inside.
    pub(super) fn range(&mut self, start: u32, length: u32) -> Result<&mut [u64], Trap> {
        let range = inside(&self.elements, start, length)?;
        Ok(&mut self.elements[range])
    }

    pub(super) fn get(&self, index: u32) -> Result<u64, Trap> {
        self.elements.get(index as usize).copied().ok_or(Trap::TableOutOfBounds)
    }

    pub(super) fn set(&mut self, index: u32, value: u64) -> Result<(), Trap> {
        *self.elements.get_mut(index as usize).ok_or(Trap::TableOutOfBounds)? = value;
        Ok(())
    }

    /// Grows, and gives the size before, or -1 as WebAssembly does.
    pub(super) fn grow(&mut self, by: u32, value: u64) -> u32 {
        let before = self.elements.len() as u32;
        match before.checked_add(by).filter(|&after| after <= self.max) {
            Some(after) => {
                self.elements.resize(after as usize, value);
                before
            }
            None => u32::MAX,
        }
    }
}

fn inside(elements: &[u64], start: u32, length: u32) -> Result<Range<usize>, Trap> {
    let range = crate::memory::span(start, length);
    if range.end <= elements.len() { Ok(range) } else { Err(Trap::TableOutOfBounds) }
}
