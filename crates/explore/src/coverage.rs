//! What was executed: instructions, directions of branches, source lines.
//!
//! A run collects a [`Trail`]; [`Coverage`] adds trails up and says what was new. Branches count where there is a source line
//! for them, or everywhere if the module has no debug information: a C library without it is not what is tested.

use crate::code::Site;
use crate::domain::{Domain, Observer};
use crate::machine::Machine;
use crate::source::Source;
use std::collections::BTreeSet;

const TAKEN: u8 = 1;
const NOT_TAKEN: u8 = 2;

/// What one run executed.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    executed: Vec<bool>,
    directions: Vec<u8>,
    cases: BTreeSet<(Site, u32)>,
}

impl Trail {
    /// For a program with so many sites.
    pub fn new(sites: usize) -> Trail {
        Trail { executed: vec![false; sites], directions: vec![0; sites], cases: BTreeSet::new() }
    }
}

impl Observer for Trail {
    #[inline(always)]
    fn step(&mut self, at: Site) {
        self.executed[at.index()] = true;
    }

    #[inline(always)]
    fn branch(&mut self, at: Site, taken: bool) {
        self.directions[at.index()] |= if taken { TAKEN } else { NOT_TAKEN };
    }

    fn switch(&mut self, at: Site, case: u32) {
        self.cases.insert((at, case));
    }
}

/// What a run was the first to cover.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// Whether there is an instruction or a direction of a branch, wherever it is.
    pub anything: bool,
    /// Directions of branches that count.
    pub branches: usize,
    /// Source lines, as positions in [`Source::lines`].
    pub lines: Vec<usize>,
}

/// What all runs together covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    total: Trail,
    /// The branches that count, with the number of ways.
    branches: Vec<(Site, u32)>,
    counts: Vec<bool>,
    lines: BTreeSet<usize>,
    covered_branches: usize,
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new<D: Domain>(machine: &Machine<D>, source: &Source) -> Coverage {
        let mut branches = machine.branches();
        branches.retain(|(site, _)| !source.has_lines() || source.line_of(*site).is_some());
        let mut counts = vec![false; machine.site_count()];
        for (site, _) in &branches {
            counts[site.index()] = true;
        }
        Coverage {
            total: Trail::new(machine.site_count()),
            branches,
            counts,
            lines: BTreeSet::new(),
            covered_branches: 0,
        }
    }

    /// Adds what a run executed.
    pub fn add(&mut self, trail: &Trail, source: &Source) -> Fresh {
        let mut fresh = Fresh::default();
        for at in 0..self.total.executed.len() {
            if trail.executed[at] && !self.total.executed[at] {
                self.total.executed[at] = true;
                fresh.anything = true;
                if let Some(line) = source.line_of(Site(at as u32))
                    && self.lines.insert(line)
                {
                    fresh.lines.push(line);
                }
            }
            let new = trail.directions[at] & !self.total.directions[at];
            if new != 0 {
                self.total.directions[at] |= new;
                fresh.anything = true;
                if self.counts[at] {
                    fresh.branches += new.count_ones() as usize;
                }
            }
        }
        for &case in &trail.cases {
            if self.total.cases.insert(case) {
                fresh.anything = true;
                fresh.branches += usize::from(self.counts[case.0.index()]);
            }
        }
        fresh.lines.sort_unstable();
        self.covered_branches += fresh.branches;
        fresh
    }

    /// Whether a run would be the first to do any of this.
    pub fn is_new(&self, trail: &Trail) -> bool {
        let steps = trail.executed.iter().zip(&self.total.executed).any(|(new, old)| *new && !*old);
        let directions =
            trail.directions.iter().zip(&self.total.directions).any(|(new, old)| new & !old != 0);
        steps || directions || trail.cases.iter().any(|case| !self.total.cases.contains(case))
    }

    /// Whether a direction of a branch was taken.
    pub fn took(&self, at: Site, taken: bool) -> bool {
        self.total.directions[at.index()] & if taken { TAKEN } else { NOT_TAKEN } != 0
    }

    /// How many directions of branches were taken, and how many there are.
    pub fn branches(&self) -> (usize, usize) {
        (self.covered_branches, self.branches.iter().map(|branch| branch.1 as usize).sum())
    }

    /// The positions of covered lines in [`Source::lines`].
    pub fn lines(&self) -> &BTreeSet<usize> {
        &self.lines
    }

    /// The branches that count: where, and for each way whether it was taken. A conditional branch has the two ways "not
    /// taken" and "taken", in this order.
    pub fn ways(&self) -> impl Iterator<Item = (Site, Vec<bool>)> {
        let cases: BTreeSet<Site> = self.total.cases.iter().map(|case| case.0).collect();
        self.branches.iter().map(move |&(site, ways)| {
            let taken = match self.total.directions[site.index()] {
                _ if ways != 2 || cases.contains(&site) => {
                    (0..ways).map(|case| self.total.cases.contains(&(site, case))).collect()
                }
                directions => vec![directions & NOT_TAKEN != 0, directions & TAKEN != 0],
            };
            (site, taken)
        })
    }
}
