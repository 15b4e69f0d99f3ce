//! VMTF: a doubly linked list of variables, most recently bumped last, with a finger at the last
//! variable that may still be unassigned (Biere and Froehlich, SAT 2015).

use super::lit::Var;

/// No neighbour: the end of the list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Link {
    prev: u32,
    next: u32,
    /// Time of the last bump: the order of the list.
    stamp: u64,
}

pub(super) struct Queue {
    links: Vec<Link>,
    last: u32,
    /// All variables after this one are assigned.
    finger: u32,
    clock: u64,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { links: Vec::new(), last: NONE, finger: NONE, clock: 0 }
    }
}

impl Queue {
    /// Makes room for one more variable, outside the list.
    pub(super) fn grow(&mut self) {
        self.links.push(Link { prev: NONE, next: NONE, stamp: 0 });
    }

    #[inline]
    pub(super) fn stamp(&self, var: Var) -> u64 {
        self.links[var.index()].stamp
    }

    /// Appends an unassigned variable that is not in the list.
    pub(super) fn append(&mut self, var: Var) {
        self.link_last(var.index() as u32);
        self.finger = self.last;
    }

    /// Takes a variable out.
    pub(super) fn remove(&mut self, var: Var) {
        let at = var.index() as u32;
        let prev = self.links[var.index()].prev;
        self.unlink(at);
        if self.finger == at {
            // With nothing before it, all the rest is assigned and any finger will do.
            self.finger = if prev == NONE { self.last } else { prev };
        }
    }

    /// Moves a variable to the end. `assigned` tells whether it has a value now.
    #[inline]
    pub(super) fn bump(&mut self, var: Var, assigned: bool) {
        let at = var.index() as u32;
        if self.last == at {
            return;
        }
        self.remove(var);
        self.link_last(at);
        if !assigned || self.finger == NONE {
            self.finger = at;
        }
    }

    /// Tells that a variable lost its value.
    #[inline]
    pub(super) fn unassigned(&mut self, var: Var) {
        let at = var.index() as u32;
        if self.finger == NONE || self.links[var.index()].stamp > self.links[self.finger as usize].stamp {
            self.finger = at;
        }
    }

    /// The last variable of the list that `assigned` denies.
    #[inline]
    pub(super) fn next(&mut self, assigned: impl Fn(Var) -> bool) -> Option<Var> {
        let mut at = self.finger;
        while at != NONE {
            let var = Var::new(at as usize);
            if !assigned(var) {
                self.finger = at;
                return Some(var);
            }
            at = self.links[at as usize].prev;
        }
        None
    }

    fn link_last(&mut self, at: u32) {
        self.clock += 1;
        self.links[at as usize] = Link { prev: self.last, next: NONE, stamp: self.clock };
        if self.last != NONE {
            self.links[self.last as usize].next = at;
        }
        self.last = at;
    }

    fn unlink(&mut self, at: u32) {
        let Link { prev, next, .. } = self.links[at as usize];
        if prev != NONE {
            self.links[prev as usize].next = next;
        }
        if next == NONE {
            self.last = prev;
        } else {
            self.links[next as usize].prev = prev;
        }
    }
}
