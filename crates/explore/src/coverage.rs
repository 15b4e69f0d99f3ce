//! What was executed: instructions, directions of branches, source lines.
//!
//! A run collects a [`Trail`]; [`Coverage`] adds trails up and says what was new, or unusual. Branches count where there is a source line
//! for them, or everywhere if the program has no debug information: a C library without it is not what is tested.

use crate::domain::Observer;
use crate::habits::{Habits, Pairs};
use crate::route::Route;
use crate::target::{Site, Sites};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What the marks of a site say.
const TAKEN: u8 = 1;
const NOT_TAKEN: u8 = 2;
const EXECUTED: u8 = 4;

/// What a compiled run can record: ways of branches, and blocks of instructions that are executed together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    pub(crate) entries: Vec<Entry>,
}

/// One thing that is recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// The way that was taken, and whether it is a case of a switch.
    pub(crate) way: Option<(Site, u32, bool)>,
    /// What was executed.
    pub(crate) sites: Vec<Range<u32>>,
}

/// What one run executed, by the entries of an outline.
#[derive(Clone, Debug)]
struct Record {
    outline: Arc<Outline>,
    /// Not zero where an entry was met.
    met: Vec<u8>,
}

impl Record {
    /// The entries that were met.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.outline.entries.iter().zip(&self.met).filter(|(_, met)| **met != 0).map(|(entry, _)| entry)
    }
}

/// What one run executed.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// By site; nothing if there is a record.
    marks: Vec<u8>,
    cases: BTreeSet<(Site, u32)>,
    record: Option<Record>,
    /// The way after each branch, and after the last one.
    routes: Vec<Route>,
    route: Route,
    pairs: Pairs,
}

/// The ways of a run are kept up to this many branches.
pub(crate) const MAX_ROUTES: usize = 1 << 14;

impl Trail {
    /// For a program with so many sites.
    pub fn new(sites: usize) -> Trail {
        Trail { marks: vec![0; sites], ..Trail::default() }
    }

    /// Of a compiled run: the entries that it met, the ways after each branch and after the last one, and how often two branches came
    /// in a row.
    #[cfg(feature = "compiled")]
    pub(crate) fn recorded(
        outline: &Arc<Outline>,
        met: Vec<u8>,
        routes: Vec<Route>,
        route: Route,
        pairs: Vec<u8>,
    ) -> Trail {
        let record = Some(Record { outline: Arc::clone(outline), met });
        let (marks, cases) = (Vec::new(), BTreeSet::new());
        Trail { marks, cases, record, routes, route, pairs: Pairs::counted(pairs) }
    }

    /// The same with marks for each of so many sites.
    fn spread(&self, sites: usize) -> Cow<'_, Trail> {
        let Some(record) = &self.record else { return Cow::Borrowed(self) };
        let mut trail = Trail::new(sites);
        for entry in record.entries() {
            match entry.way {
                Some((site, case, true)) => {
                    trail.cases.insert((site, case));
                }
                Some((site, way, false)) => trail.marks[site.index()] |= direction(way != 0),
                None => {}
            }
            for sites in &entry.sites {
                for mark in &mut trail.marks[sites.start as usize..sites.end as usize] {
                    *mark |= EXECUTED;
                }
            }
        }
        trail.routes.clone_from(&self.routes);
        trail.route = self.route;
        trail.pairs.clone_from(&self.pairs);
        Cow::Owned(trail)
    }

    /// Everything that was executed: the marks of each of so many sites, and the cases of switches.
    pub fn executed(&self, sites: usize) -> (Vec<u8>, BTreeSet<(Site, u32)>) {
        let trail = self.spread(sites).into_owned();
        (trail.marks, trail.cases)
    }

    /// About how often two branches came in a row, by fingerprint.
    pub fn pairs(&self) -> &[u8] {
        self.pairs.counts()
    }

    /// A fingerprint of all branches in their order: runs along the same path have the same.
    pub fn route(&self) -> Route {
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
        self.marks[at.index()] |= direction(taken);
        self.turn(at, u32::from(taken));
    }

    fn switch(&mut self, at: Site, case: u32) {
        self.turn(at, case);
        self.cases.insert((at, case));
    }
}

/// The mark of a direction.
#[inline(always)]
fn direction(taken: bool) -> u8 {
    if taken { TAKEN } else { NOT_TAKEN }
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
    /// The entries of the outline that are in it, if compiled runs were added.
    met: Vec<u8>,
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
            met: Vec::new(),
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
        if let Some(record) = &trail.record {
            self.met.resize(record.met.len(), 0);
            self.met.iter_mut().zip(&record.met).for_each(|(total, met)| *total |= met);
        }
        let trail = &*trail.spread(sites.count());
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
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether a run would be the first to do any of this.
    pub fn is_new(&self, trail: &Trail) -> bool {
        if let Some(record) = &trail.record {
            // What was added by runs of the interpreter is looked at entry by entry.
            let known = self.met.len() == record.met.len();
            let is_met = |at: usize| known && self.met[at] != 0;
            let met = (0..)
                .zip(record.met.chunks(CHUNK))
                .filter(|(chunk, met)| !known || adds(&self.met[chunk * CHUNK..][..met.len()], met));
            let mut fresh = met.flat_map(|(chunk, met)| {
                let places = (chunk * CHUNK..).zip(met).filter(|(_, met)| **met != 0);
                places.map(|(at, _)| at)
            });
            return fresh.any(|at| !is_met(at) && self.lacks(&record.outline.entries[at]));
        }
        let mut chunks = self.total.marks.chunks(CHUNK).zip(trail.marks.chunks(CHUNK));
        chunks.any(|(total, marks)| adds(total, marks))
            || trail.cases.iter().any(|case| !self.total.cases.contains(case))
    }

    /// Whether something of an entry is not in the total.
    fn lacks(&self, entry: &Entry) -> bool {
        let way = entry.way.is_some_and(|(site, way, case)| {
            if case {
                !self.total.cases.contains(&(site, way))
            } else {
                self.total.marks[site.index()] & direction(way != 0) == 0
            }
        });
        let executed = |sites: &Range<u32>| {
            self.total.marks[sites.start as usize..sites.end as usize].iter().all(|mark| mark & EXECUTED != 0)
        };
        way || !entry.sites.iter().all(executed)
    }

    /// Whether a run would be the first to make two branches in a row, or to make them about so often.
    pub fn is_unusual(&self, trail: &Trail) -> bool {
        self.habits.lack(&trail.pairs)
    }

    /// Whether a direction of a branch was taken.
    pub fn took(&self, at: Site, taken: bool) -> bool {
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
