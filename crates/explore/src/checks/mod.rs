//! Memory errors and undefined behaviour: what there is, how it is noticed, and what is said about it.
//!
//! Three parts notice errors. The machine looks at a byte of *shadow* beside every byte that is loaded or stored
//! ([`crate::Memory`]), whoever compiled the code. The world serves `malloc` and its family ([`heap`]), and keeps what it knows of
//! objects outside the program's memory. The compiler lays red zones around locals and globals (AddressSanitizer's pass without its
//! checks of accesses; its shadow is translated into ours by `Shade`), and calls a function of the world where arithmetic is
//! undefined (UndefinedBehaviorSanitizer's minimal run-time).
//!
//! Refused: uninitialised reads and data races. A module that was not compiled here has no red zones, and is only checked for what
//! WebAssembly traps on.

pub mod heap;
mod kind;
pub mod leaks;
mod provenance;
mod report;
mod stack;

pub(crate) use kind::Shade;
pub use kind::{Kind, KindRow};
pub use provenance::Provenance;
pub(crate) use provenance::Tracing;
pub use report::{Access, Evidence, Failure, Owner, Side};
use stack::FakeStack;

use crate::memory::{Memory, Overlay};
use heap::Heap;
use std::sync::Arc;

/// How many calls of a stack are kept for a block.
pub(crate) const DEPTH: usize = 16;
/// The same for an error: enough to see where recursion began.
pub(crate) const FAILURE_DEPTH: usize = 256;

/// A global with a red zone behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Global {
    start: u32,
    size: u32,
    /// With its red zone.
    room: u32,
    name: String,
}

/// What the names of our own globals begin with: they lie in front of the program's, and are closed as a whole.
const FENCE: &str = "soundline_fence_";

impl Global {
    fn is_fence(&self) -> bool {
        self.name.starts_with(FENCE)
    }

    /// It as seen from an address.
    fn owner(&self, address: u32) -> Owner {
        let what = if self.name.starts_with(".str") || self.name.is_empty() {
            format!("string literal of {} bytes", self.size)
        } else {
            format!("global '{}' of {} bytes", self.name, self.size)
        };
        Owner::new(what, self.start, self.size, address)
    }

    /// Its red zone.
    fn closed(&self) -> std::ops::Range<usize> {
        let size = if self.is_fence() { 0 } else { self.size };
        self.start.saturating_add(size) as usize..self.start.saturating_add(self.room) as usize
    }
}

/// What the checks of a run know. A run starts with a copy of what they knew when the program was loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    pub(crate) heap: Heap,
    pub(crate) frames: FakeStack,
    /// Tables of globals that are known, by address.
    tables: Vec<(u32, u32)>,
    globals: Arc<Vec<Global>>,
    /// What the run did wrong and went on.
    pub(crate) failures: Vec<Failure>,
    /// What is known of the error that ended it.
    pub(crate) fatal: Option<Evidence>,
}

impl Checks {
    /// At the start of a program whose heap is this range.
    pub(crate) fn new(heap: std::ops::Range<u32>) -> Checks {
        Checks { heap: Heap::new(heap), ..Checks::default() }
    }

    /// What a run starts with that was loaded like this one: nothing but the globals is taken over.
    pub(crate) fn learn_globals(&mut self, from: &Checks) {
        self.tables.clone_from(&from.tables);
        self.globals = Arc::clone(&from.globals);
    }

    /// Where the globals lie that the program named.
    pub(crate) fn own_data(&self) -> Vec<std::ops::Range<usize>> {
        let named = self.globals.iter().filter(|global| !global.is_fence());
        named.map(|global| global.start as usize..global.start.saturating_add(global.size) as usize).collect()
    }

    /// Closes the red zones of all globals that are known.
    pub(crate) fn close_globals<O: Overlay>(&self, memory: &mut Memory<O>) {
        for global in self.globals.iter() {
            memory.shade(global.closed(), Shade::GLOBAL.0);
        }
    }

    /// The compiler names its globals: a table of so many rows of eight words.
    pub(crate) fn register<O: Overlay>(&mut self, memory: &mut Memory<O>, table: u32, count: u32) {
        if self.tables.contains(&(table, count)) {
            return;
        }
        self.tables.push((table, count));
        let word = |at: usize| {
            let bytes = memory.bytes().get(at..at + 4).unwrap_or_default();
            bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
        };
        let rows = (0..count as usize).map(|row| table as usize + 32 * row).map(|row| Global {
            start: word(row),
            size: word(row + 4),
            room: word(row + 8),
            name: stack::text(memory, word(row + 12) as usize).unwrap_or_default(),
        });
        let new: Vec<Global> = rows.collect();
        for global in &new {
            memory.shade(global.closed(), Shade::GLOBAL.0);
        }
        Arc::make_mut(&mut self.globals).extend(new);
    }

    /// What is known of an access that was stopped.
    pub(crate) fn evidence<O: Overlay>(&self, memory: &Memory<O>, access: Access) -> Evidence {
        let owner = match access.kind {
            Kind::HeapOverflow | Kind::HeapUseAfterFree => self.heap.owner(access.closed),
            Kind::StackOverflow | Kind::StackUnderflow | Kind::UseAfterReturn | Kind::UseAfterScope => {
                stack::owner(memory, access.closed)
            }
            Kind::GlobalOverflow => self.global(access.closed),
            _ => None,
        };
        // The distance is that of the first byte accessed, unless the access began inside.
        let owner = owner.filter(|_| access.size > 0);
        Evidence { access: Some(access), owner, note: None }
    }

    /// What an access was, once it is known where its pointer comes from: an access beyond the object that it was made from missed
    /// that one, wherever it ended up.
    pub(crate) fn attribute<O: Overlay>(
        &self,
        memory: &Memory<O>,
        access: Access,
        provenance: Option<Provenance>,
    ) -> Option<(Kind, Evidence)> {
        let Some(provenance) = provenance else {
            // Where no block is, somebody made up an address.
            let wild = access.kind == Kind::HeapOverflow && !self.heap.is_near(access.closed);
            return wild.then(|| (Kind::Wild, self.evidence(memory, access)));
        };
        let (overflow, underflow, owner) =
            if let Some(owner) = self.heap.block(provenance.root, access.closed) {
                (Kind::HeapOverflow, Kind::HeapOverflow, owner)
            } else if let Some(owner) = stack::local(memory, provenance, access.closed) {
                (Kind::StackOverflow, Kind::StackUnderflow, owner)
            } else if let Some(owner) = self.global_at(provenance.root, access.closed) {
                (Kind::GlobalOverflow, Kind::GlobalOverflow, owner)
            } else {
                return None;
            };
        let kind = match owner.side {
            Side::Before => underflow,
            Side::Behind => overflow,
            Side::Inside => return None,
        };
        Some((kind, Evidence { access: Some(Access { kind, ..access }), owner: Some(owner), note: None }))
    }

    /// The global that `inside` lies in, as seen from an address.
    fn global_at(&self, inside: u32, address: u32) -> Option<Owner> {
        let holds = |global: &&Global| {
            !global.is_fence() && (global.start..global.start.saturating_add(global.size)).contains(&inside)
        };
        self.globals.iter().find(holds).map(|global| global.owner(address))
    }

    fn global(&self, address: u32) -> Option<Owner> {
        // What lies between two globals may have missed either: the nearer one is meant.
        let distance = |global: &&Global| match address.checked_sub(global.start) {
            Some(inside) => inside.saturating_sub(global.size),
            None => global.start - address,
        };
        let named = self.globals.iter().filter(|global| !global.is_fence());
        named.min_by_key(distance).map(|global| global.owner(address))
    }
}

/// Where the compiler believes its shadow to be: eight bytes of memory are one byte of it.
pub(crate) const WINDOW: std::ops::Range<usize> = 1 << 29..1 << 30;

/// The end of what a null pointer with an offset reaches. The stack ends above it.
pub(crate) const NULL_END: usize = 1 << 16;

/// The magic number that the compiler writes into a frame that is given up, while its red zones are still closed.
pub(crate) const RETIRED: u64 = 0x45E0_360E;

/// Translates what the compiler writes to its shadow: `bytes` at an address in the [`WINDOW`].
pub(crate) fn translate<O: Overlay>(memory: &mut Memory<O>, address: usize, bytes: &[u8]) {
    for (i, &shade) in bytes.iter().enumerate() {
        let start = (address + i - WINDOW.start) * 8;
        match shade {
            // The first bytes of the eight are open; the rest belongs to the red zone behind a local or a global.
            1..=7 => {
                memory.shade(start..start + usize::from(shade), 0);
                memory.shade(start + usize::from(shade)..start + 8, Shade::STACK_MID.0);
            }
            _ => memory.shade(start..start + 8, shade),
        }
    }
}
