//! What a run on terms adds: a path to the tree, open decisions to the agenda, coverage, tests and crashes.

use super::outcome::{Crash, CrashIdentity, Moment, Progress, Test, TestOrigin};
use super::source::{Groups, News};
use super::tree::{Grown, NodeId};
use super::view::Ran;
use super::{Explorer, known, spending};
use crate::coverage::{Fresh, Trail};
use crate::target::{Ending, Input, PathEntry, Run};
use std::sync::{Arc, PoisonError};

impl Explorer<'_> {
    pub(super) fn run_concolic(&mut self, input: &Input) -> (Run, Vec<PathEntry>) {
        self.counters.runs[1] += 1;
        self.common.target.run_concolic(input, &mut self.terms, &mut self.symbols, &self.limits)
    }

    /// Runs an input on terms too, adds its path to the tree, and keeps it as a test if the path is new. Gives the decision at
    /// which it left the known paths.
    pub(super) fn execute(&mut self, ran: Ran, origin: TestOrigin) -> Option<NodeId> {
        let Ran { input, mut run, trail, time } = ran;
        let (mut on_terms, mut path) = self.run_concolic(&input);
        let cost = spending::run_cost_on_terms(&self.settings.tuning, on_terms.jumps);
        self.ticks_on_terms = self.ticks_on_terms.saturating_add(cost);
        if self.cut_off() && [run.ending, on_terms.ending].contains(&Ending::Unfinished) {
            return None;
        }
        run.settle(self.settings.fuel);
        on_terms.settle(self.settings.fuel);
        // A path may be too long to be followed on terms to its end.
        let too_long = path.len() > self.limits.path;
        self.counters.divergences += usize::from(run.ending != on_terms.ending && !too_long);
        path.truncate(self.limits.path);
        let number = self.remember(input, run.jumps);
        let grown = self.grow(&path, number, origin);
        let (unusual, fresh) = (self.coverage.is_unusual(&trail), self.coverage.is_new(&trail));
        if unusual {
            self.tell(&run, &path, number, &grown.opened, origin, fresh);
        }
        if !grown.new {
            return None;
        }
        if self.see(trail.route(), path.len()) && self.count_path(run.ending, too_long) {
            // Most runs add nothing to the coverage.
            let fresh = if unusual || fresh { self.cover(&trail) } else { Fresh::default() };
            let crash = self.note_crashes(&run);
            let path = path.iter().map(|entry| (entry.at, entry.taken)).collect();
            self.keep(Test { origin, run, path, fresh, time, crash });
        }
        grown.left_at
    }

    /// Adds a path to the tree, with its open decisions to the agenda and to what is watched.
    fn grow(&mut self, path: &[PathEntry], number: usize, origin: TestOrigin) -> Grown {
        let grown = self.tree.grow(&mut self.terms, path, number);
        for &id in &grown.opened {
            self.attempts.at_mut(id).from_partial = matches!(origin, TestOrigin::Partial(..));
        }
        self.watch(path, grown.left_at, &grown.opened);
        self.agenda.extend(known(&self.tree, &self.attempts, &self.coverage), &grown.opened);
        grown
    }

    /// Tells orders and sources of an unusual run.
    fn tell(
        &mut self,
        run: &Run,
        path: &[PathEntry],
        number: usize,
        opened: &[NodeId],
        origin: TestOrigin,
        fresh: bool,
    ) {
        // Strategies other than `cover` keep to their order, but for partial solutions.
        if self.settings.strategy.prefers_all || matches!(origin, TestOrigin::Partial(..)) {
            let known = known(&self.tree, &self.attempts, &self.coverage);
            self.agenda.prefer(known, number, opened, fresh);
        }
        if self.agenda.listens() {
            let groups = self.groups(path, number);
            let Run { compared, objects, .. } = run;
            self.agenda.note(&News { input: number, groups: &groups, fresh, compared, objects });
        }
    }

    /// Counts a path by its ending. Whether it may become a test: what breaks an assumption does not.
    fn count_path(&mut self, ending: Ending, too_long: bool) -> bool {
        self.counters.paths += 1;
        match ending {
            Ending::Discarded => {
                self.counters.discarded += 1;
                return false;
            }
            Ending::Unfinished | Ending::Hang | Ending::Unsupported(_) => self.counters.unfinished += 1,
            _ => self.counters.unfinished += usize::from(too_long),
        }
        true
    }

    /// Adds what a run covered. Workers may read the coverage meanwhile: it is copied then.
    fn cover(&mut self, trail: &Trail) -> Fresh {
        Arc::make_mut(&mut self.coverage).add(trail, self.common.target.sites())
    }

    /// Keeps a test, unless only those are wanted that cover or crash as none did before, and shows how far the exploration is.
    fn keep(&mut self, test: Test) {
        let (time, source) = (test.time, test.origin.source());
        let covers = !test.fresh.lines.is_empty() || test.fresh.branches > 0;
        let crashes_anew = test.crash.is_some_and(|number| self.is_first_of(number));
        if !self.settings.only_new || covers || crashes_anew {
            self.weigh_test(test.path.len());
            self.tests.push(test);
        }
        let moment = Moment {
            // What several workers find at the same time is learnt in another order.
            time: self.timeline.last().map_or(time, |last| last.time.max(time)),
            tests: self.tests.len(),
            branches: self.coverage.branches().0,
            lines: self.coverage.lines().len(),
            source,
        };
        if covers {
            self.timeline.push(moment);
        }
        (self.watcher)(&Progress {
            moment,
            tests: &self.tests,
            crashes: &self.crashes,
            coverage: &self.coverage,
            timeline: &self.timeline,
            counters: &self.counters,
            queries: &self.queries,
        });
    }

    /// Gives an input its number.
    fn remember(&mut self, input: Input, jumps: u64) -> usize {
        self.weigh_input(&input);
        let mut inputs = self.inputs.write().unwrap_or_else(PoisonError::into_inner);
        inputs.push((Arc::new(input), jumps));
        inputs.len() - 1
    }

    /// Watches the other ways out of new decisions, and no longer those that a path took.
    fn watch(&mut self, path: &[PathEntry], left_at: Option<NodeId>, opened: &[NodeId]) {
        if !self.settings.sources.any() {
            return;
        }
        let mut watch = self.common.watch.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(left) = left_at {
            watch.known(&path[self.tree.node(left).depth as usize], self.epoch);
            if !self.tree.is_open(left) {
                watch.close(left, self.epoch);
            }
        }
        for &id in opened {
            watch.open(id, self.tree.node(id), self.epoch);
        }
    }

    /// What the conditions of a path are about, with fingerprints of what the input says about it.
    fn groups(&mut self, path: &[PathEntry], number: usize) -> Groups {
        let (input, _) = self.common.input(number);
        let groups = self.slicer.groups(&self.terms, path).into_iter();
        groups.map(|group| (group.clone(), self.symbols.fingerprint(&input, &group))).collect()
    }

    /// The crash of a run: the one that ended it, or the first that it went on after.
    fn note_crashes(&mut self, run: &Run) -> Option<usize> {
        let mut noted = Vec::new();
        for (ending, stack) in run.crashes() {
            let identity = CrashIdentity::of(self.common.target, ending, stack);
            let known = self.crashes.iter().position(|crash| crash.identity == identity);
            let number = known.unwrap_or_else(|| {
                let notes = run.notes(ending, stack);
                let (stack, test) = (stack.to_vec(), self.tests.len());
                self.crashes.push(Crash { ending, stack, notes, test, count: 0, identity });
                self.crashes.len() - 1
            });
            // A run may come to the same error by several stacks.
            if !noted.contains(&number) {
                self.crashes[number].count += 1;
                noted.push(number);
            }
        }
        // What was found first here is what this test is kept for.
        noted.iter().copied().find(|&number| self.is_first_of(number)).or(noted.last().copied())
    }

    /// Whether the test that would be kept next is the first of a crash.
    fn is_first_of(&self, crash: usize) -> bool {
        self.crashes[crash].test == self.tests.len()
    }
}
