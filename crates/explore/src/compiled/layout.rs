//! Where things lie in the two memories of a rewritten module.

use crate::checks::{NULL_END, RETIRED, Shade, WINDOW};
use crate::coverage::MAX_ROUTES;
use crate::habits;
use crate::memory::{CHUNK, KEY, PAGE};
use crate::route::FACTOR;

/// How much memory a program can have. Its shadow begins here.
pub(super) const SPACE: usize = 1 << 26;

/// The first bytes of the record are the arguments of the function to run.
const ARGUMENTS: usize = 1 << 12;
const ROUTES: usize = ARGUMENTS;
pub(super) const PAIRS: usize = ROUTES + 8 * (MAX_ROUTES + 1);
/// Which chunks of the program's memory, bytes or shadow, were written to.
const DIRTY: usize = PAIRS + habits::SIZE;
/// Which entries of the outline were met.
const MET: usize = DIRTY + (SPACE >> CHUNK);

const _: () = assert!(NULL_END < SPACE && WINDOW.start > 2 * SPACE);

/// The places that depend on the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    entries: usize,
}

impl Layout {
    pub(super) fn new(entries: usize) -> Layout {
        Layout { entries }
    }

    /// The first memory reaches over the compiler's shadow, so that an access to it is read as closed and not as a trap.
    pub(super) fn program_pages(&self) -> u64 {
        ((WINDOW.end + SPACE) / PAGE) as u64
    }

    pub(super) fn record_pages(&self) -> u64 {
        (MET + self.entries).div_ceil(PAGE) as u64
    }

    pub(super) const DIRTY: u64 = DIRTY as u64;
    pub(super) const MET: u64 = MET as u64;

    /// The parts of the record that a run leaves: the entries met, the pairs of branches, and so many routes.
    pub(super) fn parts<'a>(&self, record: &'a mut [u8], turns: usize) -> Parts<'a> {
        let (before, met) = record.split_at_mut(MET);
        let (before, dirty) = before.split_at_mut(DIRTY);
        let (before, pairs) = before.split_at_mut(PAIRS);
        Parts { met: &mut met[..self.entries], dirty, pairs, routes: &before[ROUTES..][..turns] }
    }

    /// The runtime's text.
    pub(super) fn runtime(instrumented: bool) -> String {
        let long = |byte: u8| i64::from_le_bytes([byte; 8]).to_string();
        let own = Shade::OWN_WORD_VALUE ^ KEY;
        // Longer names come before those that they contain.
        let names = [
            ("ROUTES_END", (8 * MAX_ROUTES).to_string()),
            ("ROUTES", ROUTES.to_string()),
            ("FACTOR", (FACTOR as i64).to_string()),
            ("PAIR_SHIFT", (u64::BITS - habits::SIZE.ilog2()).to_string()),
            ("PAIRS", PAIRS.to_string()),
            ("SPACE_UPPER", (SPACE + 4).to_string()),
            ("SPACE", SPACE.to_string()),
            ("KEY_LONG", long(KEY)),
            ("KEY", KEY.to_string()),
            ("OWN_WORD", i32::from_le_bytes([own; 4]).to_string()),
            ("OWN", own.to_string()),
            ("CHUNK", CHUNK.to_string()),
            ("WINDOW_END", WINDOW.end.to_string()),
            ("WINDOW", WINDOW.start.to_string()),
            ("INSTRUMENTED", i32::from(instrumented).to_string()),
            ("MID_LONG", long(Shade::STACK_MID.0)),
            ("RETIRED", RETIRED.to_string()),
            ("LEFT", (Shade::STACK_LEFT.0 ^ KEY).to_string()),
            ("DIRTY", DIRTY.to_string()),
        ];
        names
            .into_iter()
            .fold(include_str!("runtime.wat").to_string(), |text, (name, number)| text.replace(name, &number))
    }
}

/// What a run leaves in the record.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) met: &'a mut [u8],
    pub(super) dirty: &'a mut [u8],
    pub(super) pairs: &'a mut [u8],
    pub(super) routes: &'a [u8],
}
