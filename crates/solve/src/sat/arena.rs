//! The clause arena: all clauses of two or more literals in one flat vector, header first.
//!
//! A clause is named by the offset of its header. Header words share the vector with literals (both
//! are 32 bits), which keeps a clause in one run of memory. Deleting only sets a flag; [`Arena::compact`]
//! moves what is left and tells the owners of references where it went.

use super::lit::Lit;

/// Words before the literals: the size, then flags and glue.
const HEADER: usize = 2;

/// The bits of the second word; what is left above them is the glue.
const REDUNDANT: u32 = 1;
const GARBAGE: u32 = 1 << 1;
const USED_SHIFT: u32 = 2;
const USED_MASK: u32 = 3 << USED_SHIFT;
const VIVIFIED: u32 = 1 << 4;
const WEAKENED: u32 = 1 << 5;
const FLAG_BITS: u32 = 6;
const MAX_GLUE: u32 = u32::MAX >> FLAG_BITS;

/// Name of a clause: valid until the next compaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    #[inline]
    pub(super) fn from_raw(raw: u32) -> ClauseRef {
        ClauseRef(raw)
    }

    #[inline]
    pub(super) fn raw(self) -> u32 {
        self.0
    }

    #[inline]
    fn at(self) -> usize {
        self.0 as usize
    }
}

/// Where clauses went in a compaction.
pub(super) struct Moved(Vec<Lit>);

impl Moved {
    /// New name of a clause, `None` if it was garbage.
    #[inline]
    pub(super) fn get(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let word = self.0[clause.at() + 1].raw();
        (word != u32::MAX).then_some(ClauseRef(word))
    }
}

#[derive(Default)]
pub(super) struct Arena {
    words: Vec<Lit>,
    /// All clauses, garbage included until the next compaction, oldest first.
    refs: Vec<ClauseRef>,
    /// Clauses that are neither garbage nor learnt.
    irredundant: usize,
}

impl Arena {
    pub(super) fn add(&mut self, lits: &[Lit], redundant: bool, glue: u32) -> ClauseRef {
        debug_assert!(lits.len() >= 2);
        let clause = ClauseRef(self.words.len() as u32);
        let glue = glue.min(MAX_GLUE) << FLAG_BITS;
        self.words.push(Lit::from_raw(lits.len() as u32));
        self.words.push(Lit::from_raw(glue | if redundant { REDUNDANT } else { 0 }));
        self.words.extend_from_slice(lits);
        self.refs.push(clause);
        self.irredundant += usize::from(!redundant);
        clause
    }

    /// Words in use, the measure of the memory cap.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    /// Number of clauses that must be kept.
    pub(super) fn irredundant(&self) -> usize {
        self.irredundant
    }

    /// Number of clauses, garbage included; with [`Arena::nth`], a loop that may change clauses.
    pub(super) fn len(&self) -> usize {
        self.refs.len()
    }

    #[inline]
    pub(super) fn nth(&self, index: usize) -> ClauseRef {
        self.refs[index]
    }

    /// All clauses that are not garbage.
    pub(super) fn live(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        self.refs.iter().copied().filter(|&clause| !self.is_garbage(clause))
    }

    #[inline]
    pub(super) fn size(&self, clause: ClauseRef) -> usize {
        self.words[clause.at()].raw() as usize
    }

    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.at() + HEADER;
        &self.words[start..start + self.size(clause)]
    }

    #[inline]
    pub(super) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.at() + HEADER;
        let end = start + self.size(clause);
        &mut self.words[start..end]
    }

    #[inline]
    fn flags(&self, clause: ClauseRef) -> u32 {
        self.words[clause.at() + 1].raw()
    }

    #[inline]
    fn update(&mut self, clause: ClauseRef, change: impl FnOnce(u32) -> u32) {
        let word = &mut self.words[clause.at() + 1];
        *word = Lit::from_raw(change(word.raw()));
    }

    #[inline]
    pub(super) fn is_redundant(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & REDUNDANT != 0
    }

    /// A learnt clause that takes the place of an original one must be kept.
    pub(super) fn make_irredundant(&mut self, clause: ClauseRef) {
        if self.is_redundant(clause) {
            self.update(clause, |flags| flags & !REDUNDANT);
            self.irredundant += 1;
        }
    }

    #[inline]
    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & GARBAGE != 0
    }

    pub(super) fn mark_garbage(&mut self, clause: ClauseRef) {
        if !self.is_garbage(clause) {
            self.update(clause, |flags| flags | GARBAGE);
            self.irredundant -= usize::from(!self.is_redundant(clause));
        }
    }

    /// Garbage that lives on as an entry of the extension stack.
    pub(super) fn mark_weakened(&mut self, clause: ClauseRef) {
        self.mark_garbage(clause);
        self.update(clause, |flags| flags | WEAKENED);
    }

    pub(super) fn is_weakened(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & WEAKENED != 0
    }

    #[inline]
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.flags(clause) >> FLAG_BITS
    }

    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        self.update(clause, |flags| flags & ((1 << FLAG_BITS) - 1) | glue.min(MAX_GLUE) << FLAG_BITS);
    }

    /// Reductions that the clause still survives because it took part in a conflict.
    #[inline]
    pub(super) fn used(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & USED_MASK) >> USED_SHIFT
    }

    pub(super) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        self.update(clause, |flags| flags & !USED_MASK | used << USED_SHIFT);
    }

    /// Whether vivification has already seen the clause since it last changed.
    pub(super) fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & VIVIFIED != 0
    }

    pub(super) fn set_vivified(&mut self, clause: ClauseRef) {
        self.update(clause, |flags| flags | VIVIFIED);
    }

    /// Replaces the literals of a clause by fewer or as many others.
    pub(super) fn replace(&mut self, clause: ClauseRef, lits: &[Lit]) {
        debug_assert!((2..=self.size(clause)).contains(&lits.len()));
        self.words[clause.at()] = Lit::from_raw(lits.len() as u32);
        self.lits_mut(clause).copy_from_slice(lits);
        self.update(clause, |flags| flags & !VIVIFIED);
        let glue = self.glue(clause).min(lits.len() as u32 - 1);
        self.set_glue(clause, glue);
    }

    /// Drops garbage and holes. All references held elsewhere must be mapped through the result.
    pub(super) fn compact(&mut self) -> Moved {
        let mut words = Vec::with_capacity(self.words.len());
        let mut refs = Vec::with_capacity(self.refs.len());
        for &clause in &self.refs {
            let forward = if self.is_garbage(clause) {
                u32::MAX
            } else {
                let start = clause.at();
                let moved = words.len() as u32;
                words.extend_from_slice(&self.words[start..start + HEADER + self.size(clause)]);
                refs.push(ClauseRef(moved));
                moved
            };
            self.words[clause.at() + 1] = Lit::from_raw(forward);
        }
        self.refs = refs;
        Moved(std::mem::replace(&mut self.words, words))
    }
}
