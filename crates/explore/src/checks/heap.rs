//! The heap: `malloc` and its family as the world serves them.
//!
//! What is known of a block (its size, who allocated and freed it) is kept outside the program's memory, so that an overflow
//! cannot destroy it. Every block lies between red zones. A freed block is closed and stays in quarantine: its memory is given out
//! again only after `QUARANTINE` bytes were freed after it.

use super::kind::{Kind, Shade};
use super::report::{Evidence, Owner};
use crate::code::Site;
use crate::memory::{Memory, Overlay, PAGE};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// How many freed bytes wait before the first of them are used again.
const QUARANTINE: usize = 4 << 20;
/// The least red zone before a block, and the alignment of blocks.
const ZONE: u32 = 16;
/// The largest red zone behind a block.
const MAX_ZONE: u32 = 512;
/// How far the heap is grown at once, in pages.
const STEP: u32 = 4;
/// Sizes that nobody means, most of them negative numbers: AddressSanitizer's limit on machines of 32 bits. What is a little smaller may be meant
/// on a larger machine; there is no room for it here, and the program gets a null pointer.
pub(crate) const TOO_BIG: u32 = 3 << 30;

/// Which functions a block belongs to: it is given back by one of the same family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    /// `malloc`, `calloc`, `realloc`, `aligned_alloc`, `posix_memalign`, and `free`.
    Malloc,
    /// `operator new` and `operator delete`.
    New,
    /// `operator new[]` and `operator delete[]`.
    NewArray,
}

impl Family {
    fn word(self) -> &'static str {
        match self {
            Family::Malloc => "malloc",
            Family::New => "operator new",
            Family::NewArray => "operator new[]",
        }
    }

    fn release(self) -> &'static str {
        match self {
            Family::Malloc => "free",
            Family::New => "operator delete",
            Family::NewArray => "operator delete[]",
        }
    }
}

/// A piece of memory that `malloc` or its family gave out.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// How many bytes were asked for.
    pub size: u32,
    /// Where, innermost first.
    pub allocated: Vec<Site>,
    family: Family,
    /// Where it was freed.
    freed: Option<Vec<Site>>,
    /// All that it takes, red zones included.
    room: Range<u32>,
}

impl Block {
    /// It as seen from an address.
    fn owner(&self, start: u32, address: u32) -> Owner {
        let mut owner = Owner::new(format!("{}-byte block", self.size), start, self.size, address);
        owner.allocated.clone_from(&self.allocated);
        owner.freed = self.freed.clone().unwrap_or_default();
        owner
    }
}

/// The heap of a run.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// By address.
    blocks: BTreeMap<u32, Block>,
    /// What was never given out.
    fresh: Range<u32>,
    /// Freed blocks, the first one first.
    quarantine: VecDeque<u32>,
    held: usize,
    /// What has left quarantine, by its size.
    free: BTreeMap<u32, Vec<u32>>,
}

/// Why a block cannot be freed.
pub(crate) type Refusal = Box<(Kind, Evidence)>;

impl Heap {
    /// A heap in a range of memory that is closed.
    pub fn new(fresh: Range<u32>) -> Heap {
        Heap { fresh, ..Heap::default() }
    }

    /// Memory that belongs to no known block, closed.
    pub(super) fn carve<O: Overlay>(&mut self, memory: &mut Memory<O>, size: u32, align: u32) -> Option<u32> {
        let align = align.max(ZONE);
        loop {
            let start = self.fresh.start.checked_next_multiple_of(align)?;
            let end = start.checked_add(size)?;
            if end <= self.fresh.end {
                self.fresh.start = end;
                return Some(start);
            }
            let missing = (end - self.fresh.end).div_ceil(PAGE as u32).max(STEP);
            let before = memory.grow(missing)?;
            let (from, to) = (before as usize * PAGE, memory.bytes().len());
            memory.repaint(from..to, Shade::HEAP.0);
            if from as u32 != self.fresh.end {
                // The program took pages itself.
                self.fresh.start = from as u32;
            }
            self.fresh.end = u32::try_from(to).unwrap_or(u32::MAX);
        }
    }

    /// A new block, of zeros if its memory was never used; none if there is no room.
    pub(crate) fn allocate<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        size: u32,
        align: u32,
        family: Family,
        stack: Vec<Site>,
    ) -> Option<u32> {
        let zone = (size / 8).next_multiple_of(ZONE).clamp(ZONE, MAX_ZONE);
        let left = align.max(ZONE);
        let room = left.checked_add(size.checked_next_multiple_of(ZONE)?)?.checked_add(zone)?;
        let reused = self.free.get_mut(&room).filter(|_| left == ZONE).and_then(Vec::pop);
        let start = match reused {
            Some(start) => start,
            None => self.carve(memory, room, left)?,
        };
        let block = start + left;
        memory.repaint(start as usize..(start + room) as usize, Shade::HEAP.0);
        memory.repaint(block as usize..(block + size) as usize, 0);
        let known = Block { size, allocated: stack, family, freed: None, room: start..start + room };
        self.blocks.insert(block, known);
        Some(block)
    }

    /// The size of a block that is in use.
    pub(crate) fn size_of(&self, address: u32) -> Option<u32> {
        self.blocks.get(&address).filter(|block| block.freed.is_none()).map(|block| block.size)
    }

    /// Whether `delete` takes a block of `new` for an object as large as it is.
    pub(crate) fn fits(&self, address: u32, size: u32) -> Result<(), Refusal> {
        let wrong =
            |block: &&Block| block.freed.is_none() && block.family == Family::New && block.size != size;
        let Some(block) = self.blocks.get(&address).filter(wrong) else { return Ok(()) };
        let note = format!("allocated with {} bytes, released as an object of {size}", block.size);
        Err(Box::new((
            Kind::SizeMismatch,
            Evidence { access: None, owner: self.owner(address), note: Some(note) },
        )))
    }

    /// Takes a block back.
    pub(crate) fn free<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        address: u32,
        family: Family,
        stack: Vec<Site>,
    ) -> Result<(), Refusal> {
        let refusal = match self.blocks.get(&address) {
            None => {
                Some((Kind::InvalidFree, Some(format!("address {address:#x} is not the start of a block"))))
            }
            Some(block) if block.freed.is_some() => Some((Kind::DoubleFree, None)),
            Some(block) if block.family != family => {
                let (from, by) = (block.family.word(), family.release());
                Some((Kind::Mismatch, Some(format!("allocated by {from}, released by {by}"))))
            }
            Some(_) => None,
        };
        if let Some((kind, note)) = refusal {
            let owner = self.owner(address);
            return Err(Box::new((kind, Evidence { access: None, owner, note })));
        }
        let Some(block) = self.blocks.get_mut(&address) else { return Ok(()) };
        block.freed = Some(stack);
        memory.repaint(address as usize..(address + block.size) as usize, Shade::FREED.0);
        self.quarantine.push_back(address);
        self.held += block.room.len();
        while self.held > QUARANTINE
            && let Some(oldest) = self.quarantine.pop_front()
        {
            let Some(block) = self.blocks.remove(&oldest) else { continue };
            self.held -= block.room.len();
            if oldest - block.room.start == ZONE {
                self.free.entry(block.room.len() as u32).or_default().push(block.room.start);
            }
        }
        Ok(())
    }

    /// The blocks that are in use.
    pub(crate) fn in_use(&self) -> impl Iterator<Item = (u32, &Block)> {
        self.blocks.iter().filter(|(_, block)| block.freed.is_none()).map(|(&start, block)| (start, block))
    }

    /// The block that an address belongs to, or that it missed.
    pub(crate) fn owner(&self, address: u32) -> Option<Owner> {
        let before = self.blocks.range(..=address).next_back();
        let behind = self.blocks.range(address..).next();
        let near = |found: Option<(&u32, &Block)>| {
            found
                .filter(|(_, block)| block.room.contains(&address))
                .map(|(&start, block)| (start, block.clone()))
        };
        // Far behind the last block it is still that one that was left.
        let last = || before.map(|(&start, block)| (start, block.clone()));
        let (start, block) = near(before).or_else(|| near(behind)).or_else(last)?;
        Some(block.owner(start, address))
    }

    /// The block that starts somewhere, as seen from an address.
    pub(crate) fn block(&self, start: u32, address: u32) -> Option<Owner> {
        self.blocks.get(&start).map(|block| block.owner(start, address))
    }

    /// Whether an address lies in a block or in the red zones around it.
    pub(crate) fn is_near(&self, address: u32) -> bool {
        let before = self.blocks.range(..=address).next_back();
        let behind = self.blocks.range(address..).next();
        before.into_iter().chain(behind).any(|(_, block)| block.room.contains(&address))
    }
}
