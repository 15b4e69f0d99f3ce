//! Watch lists. An entry carries a blocking literal, so that a satisfied clause is skipped without
//! touching the arena, and a bit for binary clauses, whose blocker is the whole rest of the clause.

use super::arena::ClauseRef;
use super::lit::Lit;
pub(super) use crate::tuning::sat_watch::WATCHES_PER_LINE;

#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) blocker: Lit,
    /// Clause reference and, in the lowest bit, whether the clause is binary.
    tag: u32,
}

impl Watch {
    #[inline]
    pub(super) fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Watch {
        Watch { blocker, tag: clause.raw() << 1 | u32::from(binary) }
    }

    #[inline]
    pub(super) fn is_binary(self) -> bool {
        self.tag & 1 != 0
    }

    #[inline]
    pub(super) fn clause(self) -> ClauseRef {
        ClauseRef::from_raw(self.tag >> 1)
    }
}
