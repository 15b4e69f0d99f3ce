//! Bounds of variables, their backtracking, and why they hold.
//!
//! The arena of bounds is its own trail: each record remembers the bound that it replaced, and
//! backtracking pops records. A derived bound lists its causes (bounds and reasons); the reasons of
//! the caller are collected only when an explanation is asked for.

use super::form::Var;
use super::num::Delta;

/// The caller's name for an asserted constraint, typically a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason(pub u32);

/// Which side a bound limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundKind {
    /// `x >= value`.
    Lower,
    /// `x <= value`.
    Upper,
}

impl BoundKind {
    /// The other side.
    #[inline]
    pub fn opposite(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// Does `value` satisfy a bound of this kind at `limit`?
    #[inline]
    pub fn admits(self, value: &Delta, limit: &Delta) -> bool {
        match self {
            Self::Lower => value >= limit,
            Self::Upper => value <= limit,
        }
    }
}

/// Index of a bound in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BoundId(u32);

/// One ground on which a derived bound stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause {
    Bound(BoundId),
    Reason(Reason),
}

/// A list of causes in the pool of [`Bounds`]; valid until the level at which it was made is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Causes {
    start: u32,
    end: u32,
}

/// Why a bound holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    Asserted(Reason),
    Derived(Causes),
}

/// A bound that holds, or held, at some level.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) var: Var,
    pub(super) kind: BoundKind,
    pub(super) value: Delta,
    why: Why,
    previous: Option<BoundId>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    bounds: u32,
    causes: u32,
}

/// All bounds of all variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    arena: Vec<Bound>,
    causes: Vec<Cause>,
    lower: Vec<Option<BoundId>>,
    upper: Vec<Option<BoundId>>,
    levels: Vec<Level>,
    /// Scratch of `explain`: the visit in which a bound was last seen.
    visited: Vec<u32>,
    visit: u32,
}

impl Bounds {
    pub(super) fn add_var(&mut self) {
        self.lower.push(None);
        self.upper.push(None);
    }

    #[inline]
    pub(super) fn id(&self, var: Var, kind: BoundKind) -> Option<BoundId> {
        match kind {
            BoundKind::Lower => self.lower[var.index()],
            BoundKind::Upper => self.upper[var.index()],
        }
    }

    #[inline]
    pub(super) fn get(&self, var: Var, kind: BoundKind) -> Option<&Bound> {
        self.id(var, kind).map(|id| &self.arena[id.0 as usize])
    }

    #[inline]
    pub(super) fn value(&self, var: Var, kind: BoundKind) -> Option<&Delta> {
        self.get(var, kind).map(|bound| &bound.value)
    }

    /// The value of a variable whose bounds coincide.
    pub(super) fn fixed(&self, var: Var) -> Option<&Delta> {
        let lower = self.value(var, BoundKind::Lower)?;
        (self.value(var, BoundKind::Upper)? == lower).then_some(lower)
    }

    #[inline]
    pub(super) fn record(&self, id: BoundId) -> &Bound {
        &self.arena[id.0 as usize]
    }

    /// Records made so far and still held; the counter that propagation follows.
    pub(super) fn len(&self) -> usize {
        self.arena.len()
    }

    /// The `index`-th record and the value it replaced.
    pub(super) fn change(&self, index: usize) -> (BoundId, Option<&Delta>) {
        let previous = self.arena[index].previous.map(|id| &self.record(id).value);
        (BoundId(index as u32), previous)
    }

    /// The violated side of `value`, if any.
    #[inline]
    pub(super) fn violation(&self, var: Var, value: &Delta) -> Option<BoundKind> {
        [BoundKind::Lower, BoundKind::Upper]
            .into_iter()
            .find(|&kind| self.value(var, kind).is_some_and(|limit| !kind.admits(value, limit)))
    }

    pub(super) fn push(&mut self) {
        self.levels.push(Level { bounds: self.arena.len() as u32, causes: self.causes.len() as u32 });
    }

    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    /// Returns to the state before the `level + 1`-st push.
    pub(super) fn pop_to(&mut self, level: usize) {
        let Some(&mark) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        while self.arena.len() > mark.bounds as usize {
            self.retract();
        }
        self.causes.truncate(mark.causes as usize);
    }

    /// Makes a new bound the current one.
    pub(super) fn install(&mut self, var: Var, kind: BoundKind, value: Delta, why: Why) -> BoundId {
        let id = BoundId(self.arena.len() as u32);
        let slot = match kind {
            BoundKind::Lower => &mut self.lower[var.index()],
            BoundKind::Upper => &mut self.upper[var.index()],
        };
        let previous = slot.replace(id);
        self.arena.push(Bound { var, kind, value, why, previous });
        id
    }

    /// Takes back the latest record.
    pub(super) fn retract(&mut self) {
        if let Some(bound) = self.arena.pop() {
            match bound.kind {
                BoundKind::Lower => self.lower[bound.var.index()] = bound.previous,
                BoundKind::Upper => self.upper[bound.var.index()] = bound.previous,
            }
        }
    }

    /// Stores a list of causes.
    pub(super) fn causes(&mut self, list: impl IntoIterator<Item = Cause>) -> Causes {
        let start = self.causes.len() as u32;
        self.causes.extend(list);
        Causes { start, end: self.causes.len() as u32 }
    }

    /// The reasons, sorted and without repetition, on which `roots` stand.
    pub(super) fn explain(&mut self, roots: impl IntoIterator<Item = Cause>) -> Vec<Reason> {
        self.visited.resize(self.arena.len().max(self.visited.len()), 0);
        self.visit = self.visit.wrapping_add(1);
        let mut reasons = Vec::new();
        let mut open: Vec<Cause> = roots.into_iter().collect();
        while let Some(cause) = open.pop() {
            match cause {
                Cause::Reason(reason) => reasons.push(reason),
                Cause::Bound(id) => {
                    let seen = &mut self.visited[id.0 as usize];
                    if std::mem::replace(seen, self.visit) == self.visit {
                        continue;
                    }
                    match self.arena[id.0 as usize].why {
                        Why::Asserted(reason) => reasons.push(reason),
                        Why::Derived(list) => {
                            open.extend_from_slice(&self.causes[list.start as usize..list.end as usize]);
                        }
                    }
                }
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// [`Bounds::explain`] for a stored list.
    pub(super) fn explain_list(&mut self, list: Causes) -> Vec<Reason> {
        let roots = self.causes[list.start as usize..list.end as usize].to_vec();
        self.explain(roots)
    }
}
