//! What is done next: the turns of a strategy share what is spent, and whoever spent least of its share chooses.

use super::attempts::Attempts;
use super::order::{Cost, Making, ORDERS, Order, Sight, Waiting, Wanted};
use super::settings::SearchSettings;
use super::source::{News, Source, VARIANTS, Variants, Vary};
use super::spending::Earnings;
use super::strategy::{Effort, Turn};
use super::tree::{NodeId, Tree};
use super::tuning::Tuning;
use crate::coverage::Coverage;
use std::collections::BTreeMap;

/// What is tried.
#[derive(Debug)]
pub(super) enum Task {
    /// To look around for another way out of a decision.
    Look(NodeId),
    /// To solve for one.
    Solve(NodeId),
    /// To run variants of an input.
    Vary(usize, Box<dyn Vary>),
}

impl Task {
    /// The decision that it is about.
    pub(super) fn decision(&self) -> Option<NodeId> {
        match self {
            Task::Look(id) | Task::Solve(id) => Some(*id),
            Task::Vary(..) => None,
        }
    }
}

/// A task, and the turn that took it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) task: Task,
    turn: usize,
    /// Whether it solves for decisions whose query ran out of budget before.
    again: bool,
}

/// What became of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bill {
    /// What solving and running cost.
    pub(super) ticks: u64,
    /// Whether there was another way.
    pub(super) success: bool,
    /// Whether new code was reached on the way.
    pub(super) fresh: bool,
    /// How many inputs were run besides a solution.
    pub(super) runs: usize,
}

/// What the agenda may look at.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) tree: &'a Tree,
    pub(super) attempts: &'a Attempts,
    pub(super) coverage: &'a Coverage,
}

/// The open decisions in their orders, and what sources of variants have waiting.
pub(super) struct Agenda {
    tuning: Tuning,
    turns: Vec<Turn>,
    /// Whether decisions are looked around before they are solved for.
    looks_first: bool,
    /// The orders of the turns, by name.
    orders: Vec<(&'static str, Box<dyn Order>)>,
    variants: Vec<(Source, Box<dyn Variants>)>,
    waiting: Waiting,
    stamp: u64,
    /// What each turn spent.
    spent: Vec<u64>,
    /// What solving cost for the first time, and what it cost again.
    solving: [u64; 2],
    /// What each source cost of late and what it found, solving among them.
    earned: BTreeMap<Source, Earnings>,
    /// What was spent altogether, and when new code was reached last.
    total: u64,
    total_at_find: u64,
}

impl Agenda {
    /// Nothing to do yet.
    pub(super) fn new(settings: &SearchSettings, words: Vec<Vec<u8>>) -> Agenda {
        let turns = settings.strategy.turns(settings.sources);
        let alone = !settings.sources.any();
        let making = Making { seed: settings.seed, tuning: settings.tuning.clone(), alone, words };
        let has = |order: &str| turns.iter().any(|turn| turn.order == order);
        let enabled = |source| turns.iter().any(|turn| turn.effort == Effort::Vary(source));
        Agenda {
            looks_first: turns.iter().any(|turn| turn.effort == Effort::Look && turn.order != "unusual"),
            orders: ORDERS
                .iter()
                .filter(|row| has(row.name))
                .map(|row| (row.name, (row.make)(&making)))
                .collect(),
            variants: VARIANTS
                .iter()
                .filter(|row| enabled(row.source))
                .map(|row| (row.source, (row.make)(&making)))
                .collect(),
            waiting: Waiting::default(),
            stamp: 0,
            spent: vec![0; turns.len()],
            turns,
            tuning: settings.tuning.clone(),
            solving: [0; 2],
            earned: BTreeMap::new(),
            total: 0,
            total_at_find: 0,
        }
    }

    /// Adds open decisions, those of one path from its first.
    pub(super) fn extend(&mut self, known: Known<'_>, ids: &[NodeId]) {
        let first = self.stamp + 1;
        for &id in ids {
            self.stamp += 1;
            self.waiting.put(id, self.stamp);
        }
        let looks_first = self.looks_first;
        let looked = |id| looks_first && known.attempts.at(id).looked;
        let sight = sight(known, &self.waiting, &self.tuning);
        for (_, order) in &mut self.orders {
            order.push(sight, ids, &looked, first);
        }
    }

    /// Adds one.
    pub(super) fn push(&mut self, known: Known<'_>, id: NodeId) {
        self.extend(known, &[id]);
    }

    /// The unusual run of an input opened these, which are here already. `fresh` if it reached new code.
    pub(super) fn prefer(&mut self, known: Known<'_>, input: usize, opened: &[NodeId], fresh: bool) {
        let sight = sight(known, &self.waiting, &self.tuning);
        for (_, order) in &mut self.orders {
            order.prefer(sight, input, opened, fresh);
        }
    }

    /// Whether some source wants to hear of unusual runs.
    pub(super) fn listens(&self) -> bool {
        !self.variants.is_empty()
    }

    /// An input did something unusual.
    pub(super) fn note(&mut self, news: &News<'_>) {
        for (_, variants) in &mut self.variants {
            variants.note(news);
        }
    }

    /// Takes what to do next: whose turn it is has spent least of its share.
    pub(super) fn pop(&mut self, known: Known<'_>) -> Option<Job> {
        let mut order: Vec<usize> = (0..self.turns.len()).collect();
        order.sort_by_key(|&turn| self.spent[turn] / self.turns[turn].share);
        for (position, &turn) in order.iter().enumerate() {
            let Some(task) = self.take(known, self.turns[turn]) else { continue };
            // Those who had nothing to do do not save it up.
            for &idle in &order[..position] {
                self.spent[idle] = self.spent[turn] / self.turns[turn].share * self.turns[idle].share;
            }
            let again = matches!(task, Task::Solve(id) if known.attempts.at(id).level > 0);
            return Some(Job { task, turn, again });
        }
        None
    }

    fn take(&mut self, known: Known<'_>, turn: Turn) -> Option<Task> {
        match turn.effort {
            Effort::Look => self.take_decision(known, turn.order, false).map(Task::Look),
            Effort::Solve => self.take_decision(known, turn.order, self.looks_first).map(Task::Solve),
            // Where nothing is open there is nothing to find.
            Effort::Vary(_) if self.waiting.is_empty() => None,
            Effort::Vary(source) => {
                let (_, variants) = self.variants.iter_mut().find(|row| row.0 == source)?;
                variants.next().map(|(input, vary)| Task::Vary(input, vary))
            }
        }
    }

    /// The first decision of an order. To solve again gets as much as to solve for the first time.
    fn take_decision(&mut self, known: Known<'_>, name: &str, looked: bool) -> Option<NodeId> {
        let [first, again] = self.solving;
        let again = looked == self.looks_first && again < first;
        let (_, order) = self.orders.iter_mut().find(|row| row.0 == name)?;
        loop {
            let sight = sight(known, &self.waiting, &self.tuning);
            let given_up = again.then(|| order.pop(sight, Wanted { looked, again })).flatten();
            let id = given_up.or_else(|| order.pop(sight, Wanted { looked, again: false }))?;
            if self.waiting.take(id) && known.attempts.still_open(known.tree, id) {
                return Some(id);
            }
        }
    }

    /// Whether no new code was reached for longer than it took to get there, and not just for a moment.
    fn is_stalled(&self) -> bool {
        self.total - self.total_at_find > self.total_at_find.max(self.tuning.moment_ticks)
    }

    /// Notes what a job cost, and what came of it.
    pub(super) fn charge(&mut self, known: Known<'_>, job: &Job, bill: Bill) {
        let decision = job.task.decision();
        let depth = |id| u64::from(known.tree.node(id).depth);
        let tries = decision.map_or(0, |id| self.tuning.retry_ticks + self.tuning.step_ticks * depth(id));
        let cost = bill.ticks.saturating_add(tries);
        self.total = self.total.saturating_add(cost);
        if bill.fresh {
            self.total_at_find = self.total;
        }
        let earned = self.earn(job, bill, cost);
        let counted = if self.is_urgent(known, job) { earned / self.tuning.urgent.max(1) } else { earned };
        self.spent[job.turn] = self.spent[job.turn].saturating_add(counted);
        let solves = matches!(job.task, Task::Solve(_));
        if solves {
            self.solving[usize::from(job.again)] += cost;
        }
        let cost = cost.saturating_add(if bill.success { 0 } else { self.tuning.failure_ticks });
        match &job.task {
            Task::Vary(input, _) => {
                let Effort::Vary(source) = self.turns[job.turn].effort else { return };
                if let Some((_, variants)) = self.variants.iter_mut().find(|row| row.0 == source) {
                    variants.charge(*input, cost, bill.runs);
                }
            }
            Task::Look(id) | Task::Solve(id) => {
                let cost = Cost { ticks: cost, solved: self.looks_first && solves };
                let sight = sight(known, &self.waiting, &self.tuning);
                for (_, order) in &mut self.orders {
                    order.charge(sight, *id, cost);
                }
            }
        }
    }

    /// What a job counts against its turn's share. A source that does not pay counts more than it costs.
    fn earn(&mut self, job: &Job, bill: Bill, cost: u64) -> u64 {
        let source = match self.turns[job.turn].effort {
            Effort::Solve => Source::Solve,
            Effort::Look => Source::Look,
            Effort::Vary(source) => source,
        };
        let Tuning { window_ticks, free_ticks, idle, recent_find, .. } = self.tuning;
        self.earned.entry(source).or_default().add_within(cost, bill.fresh, window_ticks);
        let of = |source| self.earned.get(&source).copied().unwrap_or_default();
        let pays = source == Source::Solve || of(source).pays(&of(Source::Solve), free_ticks, recent_find);
        if pays { cost } else { cost.saturating_mul(idle) }
    }

    /// Whether more may be spent on a job than its turn's share: to solve at a promising place for the first time, or when
    /// everything else led to nothing new for long.
    fn is_urgent(&self, known: Known<'_>, job: &Job) -> bool {
        let Turn { order, effort, .. } = self.turns[job.turn];
        let sight = sight(known, &self.waiting, &self.tuning);
        let first = |id| self.orders.iter().any(|row| row.0 == order && row.1.is_first_at(sight, id));
        self.looks_first
            && (order, effort) == ("beside", Effort::Solve)
            && (self.is_stalled() || job.task.decision().is_some_and(first))
    }
}

fn sight<'a>(known: Known<'a>, waiting: &'a Waiting, tuning: &'a Tuning) -> Sight<'a> {
    let Known { tree, attempts, coverage } = known;
    Sight { tree, attempts, coverage, waiting, tuning }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Route;
    use crate::search::source::Sources;
    use crate::search::strategy::{STRATEGIES, Strategy};
    use crate::target::{PathEntry, PathKind, Site, Sites};
    use smt::Terms;

    /// The decisions of one path, from the first.
    fn path(length: u32) -> Tree {
        let mut terms = Terms::new();
        let entries: Vec<PathEntry> = (0..length)
            .map(|n| {
                let term = terms.symbol_constant(&format!("p{n}"), smt::SortId::BOOL);
                PathEntry { term, taken: true, at: Site(n), kind: PathKind::Branch, route: Route::default() }
            })
            .collect();
        let mut tree = Tree::new(&Tuning::default());
        tree.grow(&mut terms, &entries, 0);
        tree
    }

    fn agenda(strategy: &str, sources: Sources) -> Agenda {
        let strategy = Strategy::named(strategy).expect("a strategy");
        Agenda::new(&SearchSettings { strategy, sources, ..SearchSettings::default() }, Vec::new())
    }

    /// Nothing is covered.
    fn coverage() -> Coverage {
        Coverage::new(&Sites::new(8, Vec::new(), Vec::new(), []))
    }

    #[test]
    fn depth_first_search_begins_at_both_ends() {
        let (tree, attempts, coverage) = (path(4), Attempts::default(), coverage());
        let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
        let mut agenda = agenda("dfs", Sources::all());
        agenda.extend(known, &[0, 1, 2, 3].map(NodeId));
        let mut tried = Vec::new();
        while let Some(job) = agenda.pop(known) {
            tried.push(job.task.decision().expect("a decision").0);
            agenda.charge(known, &job, Bill { ticks: 1000, success: true, fresh: false, runs: 0 });
        }
        assert_eq!(tried, [3, 0, 2, 1]);
    }

    #[test]
    fn every_strategy_comes_to_every_decision_once() {
        let (tree, attempts, coverage) = (path(6), Attempts::default(), coverage());
        let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
        for strategy in STRATEGIES {
            let mut agenda = agenda(strategy.name, Sources::NONE);
            agenda.extend(known, &[0, 1, 2, 3, 4, 5].map(NodeId));
            let mut tried: Vec<u32> = std::iter::from_fn(|| {
                let job = agenda.pop(known)?;
                agenda.charge(known, &job, Bill { ticks: 1000, success: true, fresh: false, runs: 0 });
                job.task.decision().map(|id| id.0)
            })
            .collect();
            tried.sort_unstable();
            assert_eq!(tried, [0, 1, 2, 3, 4, 5], "{}", strategy.name);
        }
    }

    /// Several workers ask again while they wait for results, as often as the clock has it.
    #[test]
    fn to_ask_in_vain_changes_no_choice() {
        let (tree, attempts, coverage) = (path(8), Attempts::default(), coverage());
        let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
        for strategy in STRATEGIES {
            for sources in [Sources::NONE, Sources::all()] {
                let tried = |vain: usize| {
                    let mut agenda = agenda(strategy.name, sources);
                    let mut tried = Vec::new();
                    for ids in [[0, 1, 2, 3], [4, 5, 6, 7]] {
                        agenda.extend(known, &ids.map(NodeId));
                        while let Some(job) = agenda.pop(known) {
                            let bill = Bill { ticks: 1000, success: true, fresh: false, runs: 0 };
                            agenda.charge(known, &job, bill);
                            tried.push(job.task.decision().map(|id| id.0));
                        }
                        assert!((0..vain).all(|_| agenda.pop(known).is_none()));
                    }
                    tried
                };
                let once = tried(0);
                assert_eq!(once.len(), 8);
                (1..4).for_each(|vain| assert_eq!(tried(vain), once, "{}", strategy.name));
            }
        }
    }

    #[test]
    fn a_query_out_of_budget_comes_back_and_does_not_delay_new_ones() {
        let (tree, mut attempts, coverage) = (path(4), Attempts::default(), coverage());
        let mut agenda = agenda("bfs", Sources::NONE);
        let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
        agenda.extend(known, &[0, 1, 2, 3].map(NodeId));
        let mut tried = Vec::new();
        // The first decision is hard: each try costs five times more than the one before.
        for _ in 0..6 {
            let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
            let job = agenda.pop(known).expect("something is open");
            let id = job.task.decision().expect("a decision");
            let level = attempts.at(id).level;
            tried.push((id.0, level));
            let hard = id.0 == 0;
            if hard {
                attempts.at_mut(id).level += 1;
            }
            let known = Known { tree: &tree, attempts: &attempts, coverage: &coverage };
            if hard {
                agenda.push(known, id);
            }
            let ticks = if hard { 100_000 * 5_u64.pow(level) } else { 450_000 };
            agenda.charge(known, &job, Bill { ticks, success: !hard, fresh: false, runs: 0 });
        }
        assert_eq!(tried, [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (3, 0)]);
    }
}
