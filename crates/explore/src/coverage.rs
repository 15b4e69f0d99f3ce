//! What was executed: instructions, directions of branches, source lines.
//!
//! A run collects a [`Trail`]; [`Coverage`] adds trails up and says what was new, or unusual. Branches count where there is a source line
//! for them, or everywhere if the program has no debug information: a C library without it is not what is tested.

use crate::domain::Observer;
use crate::habits::{Habits, Pairs};
use crate::route::Route;
use crate::target::{Site, Sites};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What the marks of a site say.
const TAKEN: u8 = 1;
const NOT_TAKEN: u8 = 2;
const EXECUTED: u8 = 4;

/// What one run executed. When it is dropped, the next run on the same thread gets what it was kept in.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// By site.
    marks: Vec<u8>,
    cases: FxHashSet<(Site, u32)>,
    /// The way after each branch, and after the last one.
    routes: Vec<Route>,
    route: Route,
    pairs: Pairs,
}

/// The ways of a run are kept up to this many branches.
const MAX_ROUTES: usize = 1 << 14;

/// What dropped trails were kept in: new room would have to be allocated, and grow.
#[derive(Debug, Default)]
struct Spare {
    marks: Vec<u8>,
    cases: FxHashSet<(Site, u32)>,
    routes: Vec<Route>,
    counts: Vec<u8>,
}

/// How many are kept for a thread: a few trails are looked at together.
const MAX_SPARE: usize = 4;

thread_local! {
    static SPARE: RefCell<Vec<Spare>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Trail {
    fn drop(&mut self) {
        let spare = Spare {
            marks: std::mem::take(&mut self.marks),
            cases: std::mem::take(&mut self.cases),
            routes: std::mem::take(&mut self.routes),
            counts: self.pairs.take(),
        };
        // At the end of a thread there is nobody left to use it.
        let _ = SPARE.try_with(|all| {
            let mut all = all.borrow_mut();
            if all.len() < MAX_SPARE {
                all.push(spare);
            }
        });
    }
}

impl Trail {
    /// For a program with so many sites.
    pub fn new(sites: usize) -> Trail {
        let spare = SPARE.try_with(|all| all.borrow_mut().pop()).ok().flatten();
        let Spare { mut marks, mut cases, mut routes, counts } = spare.unwrap_or_default();
        marks.clear();
        marks.resize(sites, 0);
        cases.clear();
        routes.clear();
        Trail { marks, cases, routes, route: Route::default(), pairs: Pairs::new(counts) }
    }

    /// A trail that goes on after this one: what it executed is marked, and the way begins anew.
    pub fn begun(&self) -> Trail {
        let mut next = Trail::new(self.marks.len());
        next.marks.copy_from_slice(&self.marks);
        next.cases.extend(&self.cases);
        next
    }

    /// A fingerprint of all branches in their order: runs along the same path have the same.
    pub(crate) fn route(&self) -> Route {
        self.route
    }

    /// The way after each branch, from the first.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    #[inline(always)]
    fn turn(&mut self, at: Site, way: u32) {
        self.route = self.route.after(at, way);
        if self.routes.len() < MAX_ROUTES {
            self.routes.push(self.route);
        }
        self.pairs.turn(at, way);
    }
}

impl Observer for Trail {
    #[inline(always)]
    fn step(&mut self, at: Site) {
        self.marks[at.index()] |= EXECUTED;
    }

    #[inline(always)]
    fn within(&mut self, call: Option<Site>) {
        self.pairs.within(call);
    }

    #[inline(always)]
    fn branch(&mut self, at: Site, taken: bool) {
        self.marks[at.index()] |= if taken { TAKEN } else { NOT_TAKEN };
        self.turn(at, u32::from(taken));
    }

    fn switch(&mut self, at: Site, case: u32) {
        self.turn(at, case);
        self.cases.insert((at, case));
    }
}

/// How many sites are compared at once.
const CHUNK: usize = 256;

/// Whether there are marks that were not there; without an early end, so that many are compared at once.
fn adds(total: &[u8], marks: &[u8]) -> bool {
    total.iter().zip(marks).fold(0, |new, (total, marks)| new | (marks & !total)) != 0
}

/// What a run was the first to cover.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// Whether there is an instruction or a direction of a branch, wherever it is.
    pub anything: bool,
    /// Directions of branches that count.
    pub branches: usize,
    /// Source lines, as positions in [`Sites::lines`].
    pub lines: Vec<usize>,
}

/// What all runs together covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    total: Trail,
    habits: Habits,
    /// The branches that count, with the number of ways.
    branches: Vec<(Site, u32)>,
    counts: Vec<bool>,
    lines: BTreeSet<usize>,
    covered_branches: usize,
    /// How often something was added.
    version: u64,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(sites: &Sites) -> Coverage {
        let mut branches = sites.branches().to_vec();
        branches.retain(|(site, _)| !sites.has_lines() || sites.line_of(*site).is_some());
        let mut counts = vec![false; sites.count()];
        for (site, _) in &branches {
            counts[site.index()] = true;
        }
        Coverage {
            total: Trail::new(sites.count()),
            habits: Habits::default(),
            branches,
            counts,
            lines: BTreeSet::new(),
            covered_branches: 0,
            version: 0,
        }
    }

    /// Adds what a run executed.
    pub fn add(&mut self, trail: &Trail, sites: &Sites) -> Fresh {
        self.version += 1;
        let mut fresh = Fresh::default();
        for (chunk, (total, marks)) in
            self.total.marks.chunks_mut(CHUNK).zip(trail.marks.chunks(CHUNK)).enumerate()
        {
            if !adds(total, marks) {
                continue;
            }
            fresh.anything = true;
            for (i, (total, &marks)) in total.iter_mut().zip(marks).enumerate() {
                let (at, new) = (chunk * CHUNK + i, marks & !*total);
                *total |= new;
                if new & EXECUTED != 0
                    && let Some(line) = sites.line_of(Site(at as u32))
                    && self.lines.insert(line)
                {
                    fresh.lines.push(line);
                }
                if self.counts[at] {
                    fresh.branches += (new & (TAKEN | NOT_TAKEN)).count_ones() as usize;
                }
            }
        }
        for &case in &trail.cases {
            if self.total.cases.insert(case) {
                fresh.anything = true;
                fresh.branches += usize::from(self.counts[case.0.index()]);
            }
        }
        self.habits.add(&trail.pairs);
        fresh.lines.sort_unstable();
        self.covered_branches += fresh.branches;
        fresh
    }

    /// How often something was added: a copy with the same number says the same.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether a run would be the first to do any of this.
    pub(crate) fn is_new(&self, trail: &Trail) -> bool {
        let mut chunks = self.total.marks.chunks(CHUNK).zip(trail.marks.chunks(CHUNK));
        chunks.any(|(total, marks)| adds(total, marks))
            || trail.cases.iter().any(|case| !self.total.cases.contains(case))
    }

    /// Whether a run would be the first to make two branches in a row, or to make them about so often.
    pub(crate) fn is_unusual(&self, trail: &Trail) -> bool {
        self.habits.lack(&trail.pairs)
    }

    /// Whether a direction of a branch was taken.
    pub(crate) fn took(&self, at: Site, taken: bool) -> bool {
        self.total.marks[at.index()] & if taken { TAKEN } else { NOT_TAKEN } != 0
    }

    /// How many directions of branches were taken, and how many there are.
    pub fn branches(&self) -> (usize, usize) {
        (self.covered_branches, self.branches.iter().map(|branch| branch.1 as usize).sum())
    }

    /// The positions of covered lines in [`Sites::lines`].
    pub fn lines(&self) -> &BTreeSet<usize> {
        &self.lines
    }

    /// The branches that count: where, and for each way whether it was taken. A conditional branch has the two ways "not
    /// taken" and "taken", in this order.
    pub fn ways(&self) -> impl Iterator<Item = (Site, Vec<bool>)> {
        let cases: BTreeSet<Site> = self.total.cases.iter().map(|case| case.0).collect();
        self.branches.iter().map(move |&(site, ways)| {
            let taken = match self.total.marks[site.index()] {
                _ if ways != 2 || cases.contains(&site) => {
                    (0..ways).map(|case| self.total.cases.contains(&(site, case))).collect()
                }
                directions => vec![directions & NOT_TAKEN != 0, directions & TAKEN != 0],
            };
            (site, taken)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_in_used_room_is_empty() {
        let mut first = Trail::new(40);
        first.step(Site(3));
        first.within(Some(Site(2)));
        first.branch(Site(7), true);
        first.switch(Site(9), 2);
        drop(first);
        for sites in [20, 60] {
            let mut next = Trail::new(sites);
            assert_eq!((next.marks.len(), next.marks.iter().max()), (sites, Some(&0)));
            assert!(next.cases.is_empty() && next.routes.is_empty() && next.route == Route::default());
            // The same branch has the same fingerprint as in a trail of its own.
            next.branch(Site(7), true);
            assert_eq!(next.routes, [Route::default().after(Site(7), 1)]);
            let (mut habits, mut alone) = (Habits::default(), Pairs::default());
            alone.turn(Site(7), 1);
            habits.add(&alone);
            assert!(!habits.lack(&next.pairs));
        }
    }
}
