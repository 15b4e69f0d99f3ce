//! What is tried next: which open decision, or what about an unusual run.

use super::grafts::{Graft, Grafts, Group};
use super::tree::{Node, NodeId, Tree};
use super::unusual::Unusual;
use crate::coverage::Coverage;
use crate::target::PathKind;
use crate::target::Site;
use random::Rng;
use smt::FunId;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A search strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The last decision of the last path first.
    Dfs,
    /// The decision nearest to the start first.
    Bfs,
    /// Any, each as likely as the others.
    Random,
    /// Those that lead to code not yet covered first.
    Cover,
}

/// All strategies, with their names and what they do.
pub static STRATEGIES: &[(Strategy, &str, &str)] = &[
    (Strategy::Dfs, "dfs", "the last decision of the last path first"),
    (Strategy::Bfs, "bfs", "the decision nearest to the start first"),
    (Strategy::Random, "random", "any open decision"),
    (Strategy::Cover, "cover", "decisions that lead to code not yet covered first"),
];

impl Strategy {
    /// The strategy of a name.
    pub fn named(name: &str) -> Option<Strategy> {
        STRATEGIES.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        STRATEGIES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Who chooses the next decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// The first in the order of the strategy.
    Order,
    /// The first of the bucket that cost least so far, where new code weighs more. A place whose queries are hard, or lead
    /// nowhere, does not keep others from their turn.
    Place,
    /// The one nearest to the start.
    Near,
    /// Those that unusual runs opened.
    Unusual,
}

/// How other ways are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// Around the input that came there: what is easy is found without the proofs that others need.
    Look,
    /// By solving.
    Solve,
    /// By running all values of one part of an unusual input.
    Sweep,
    /// By running an unusual input with what others say about a part of it.
    Graft,
}

/// What is tried.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// To look around for another way out of a decision.
    Look(NodeId),
    /// To solve for one.
    Solve(NodeId),
    /// To run all values of a symbol in an input.
    Sweep(usize, FunId),
    /// To run an input with parts of others in it.
    Graft(usize, Vec<Graft>),
}

impl Task {
    /// The decision that it is about.
    pub(super) fn decision(&self) -> Option<NodeId> {
        match self {
            Task::Look(id) | Task::Solve(id) => Some(*id),
            Task::Sweep(..) | Task::Graft(..) => None,
        }
    }
}

/// A task, and the turn that took it.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) task: Task,
    turn: usize,
    /// Whether it is to solve for what was given up for the time being.
    again: bool,
}

/// A turn: who chooses, what is done then, and its share of what is spent.
type Turn = (Choice, Effort, u64);

/// The turns of a strategy. What is not promising now may be the only way to what is, so `cover` does several things side by
/// side (as KLEE interleaves its strategies). With partial solutions it looks around before it solves: proofs are dear, and to
/// solve for what a look did not find gets less. The other strategies solve in their order, with and without. With partial
/// solutions all of them also go on from where these led to something unusual, whatever the order: with looks, and with runs
/// that need no query at all. `dfs` begins at the other end as well, or a loop that it is lost in keeps it from the rest.
fn turns(strategy: Strategy, partials: bool) -> &'static [Turn] {
    match (strategy, partials) {
        (Strategy::Cover, true) => &[
            (Choice::Order, Effort::Look, 2),
            (Choice::Place, Effort::Look, 2),
            (Choice::Unusual, Effort::Look, 2),
            (Choice::Unusual, Effort::Sweep, 5),
            (Choice::Unusual, Effort::Graft, 6),
            (Choice::Order, Effort::Solve, 1),
            (Choice::Place, Effort::Solve, 1),
        ],
        (Strategy::Cover, false) => &[
            (Choice::Order, Effort::Solve, 1),
            (Choice::Place, Effort::Solve, 1),
            (Choice::Unusual, Effort::Solve, 1),
        ],
        (Strategy::Random, true) => &[
            (Choice::Order, Effort::Look, 2),
            (Choice::Unusual, Effort::Look, 2),
            (Choice::Unusual, Effort::Sweep, 5),
            (Choice::Unusual, Effort::Graft, 4),
            (Choice::Order, Effort::Solve, 1),
        ],
        (Strategy::Dfs, true) => &[
            (Choice::Order, Effort::Solve, 4),
            (Choice::Near, Effort::Solve, 2),
            (Choice::Unusual, Effort::Look, 2),
            (Choice::Unusual, Effort::Sweep, 2),
            (Choice::Unusual, Effort::Graft, 3),
        ],
        (Strategy::Bfs, true) => &[
            (Choice::Order, Effort::Solve, 4),
            (Choice::Unusual, Effort::Look, 2),
            (Choice::Unusual, Effort::Sweep, 2),
            (Choice::Unusual, Effort::Graft, 3),
        ],
        (_, false) => &[(Choice::Order, Effort::Solve, 1)],
    }
}

/// The open decisions, in the order of the strategy.
///
/// They lie in buckets: one for all, or for `cover` one for each instruction and direction, since what another way leads to
/// is the same for all decisions of such a bucket.
#[derive(Clone, Debug)]
pub struct Open {
    strategy: Strategy,
    turns: &'static [Turn],
    /// Whether decisions are looked at in their order before they are solved for, and wait apart for the latter.
    looks_first: bool,
    buckets: BTreeMap<Place, Bucket>,
    /// The keys of the decisions that wait in the buckets.
    waiting: HashMap<NodeId, u64>,
    /// What was opened, with how deep it is, where there is a turn for it. Some may have been tried meanwhile.
    near: BTreeSet<(u32, NodeId)>,
    /// What unusual runs opened, with how deep it is.
    unusual: Unusual<(u32, NodeId)>,
    /// The symbols of their paths, those of the last condition first.
    sweeps: Unusual<(usize, FunId)>,
    grafts: Grafts,
    rng: Rng,
    sequence: u64,
    /// What each turn has spent, in ticks.
    spent: Vec<u64>,
    /// What was spent on solving for the first time, and again.
    solving: [u64; 2],
    /// What was spent altogether, and when new code was reached last.
    total: u64,
    total_at_find: u64,
}

/// An instruction, and how its condition was.
type Place = Option<(Site, bool)>;

#[derive(Clone, Debug, Default)]
struct Bucket {
    queue: BTreeSet<(u64, NodeId)>,
    /// Those where a look around was not enough.
    looked: BTreeSet<(u64, NodeId)>,
    /// What trying some of each cost, in ticks.
    cost: u64,
    solving: u64,
}

impl Bucket {
    fn part(&self, looked: bool) -> (&BTreeSet<(u64, NodeId)>, u64) {
        if looked { (&self.looked, self.solving) } else { (&self.queue, self.cost) }
    }

    fn part_mut(&mut self, looked: bool) -> (&mut BTreeSet<(u64, NodeId)>, &mut u64) {
        if looked { (&mut self.looked, &mut self.solving) } else { (&mut self.queue, &mut self.cost) }
    }
}

/// The keys of decisions that solving was given up for are larger than this.
const AGAIN: u64 = 1 << 60;
/// How many times more goes to solving at promising places for the first time, or when nothing else leads to anything new.
const URGENT: u64 = 8;
/// How many times more is spent on what a run opened that reached new code where solutions are all there is.
const ALONE: u64 = 8;
/// What is not long, in ticks: about a second.
const MOMENT: u64 = 5_000_000;
/// What every try costs, in ticks.
const TRY: u64 = 1500;
/// What it costs for each decision before it: all of them are looked at and copied.
const STEP: u64 = 4;
/// How many times more may be spent on a bucket that leads to new code than on one that does not.
const PROMISE: u64 = 8;
/// What a try that led to nothing counts besides where places are compared: the next one there is less likely to lead to
/// something.
const FAILURE: u64 = 20_000;

/// What became of a try.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bill {
    /// What solving and running cost.
    pub(super) ticks: u64,
    /// Whether there was another way.
    pub(super) success: bool,
    /// Whether new code was reached on the way.
    pub(super) fresh: bool,
}

impl Open {
    /// None yet.
    pub fn new(strategy: Strategy, partials: bool, seed: u64) -> Open {
        let turns = turns(strategy, partials);
        Open {
            strategy,
            turns,
            looks_first: turns
                .iter()
                .any(|&(choice, effort, _)| (choice, effort) == (Choice::Order, Effort::Look)),
            buckets: BTreeMap::new(),
            waiting: HashMap::new(),
            near: BTreeSet::new(),
            unusual: if partials { Unusual::default() } else { Unusual::preferring(ALONE) },
            sweeps: Unusual::default(),
            grafts: Grafts::default(),
            rng: Rng::named(seed, "strategy"),
            sequence: 0,
            spent: vec![0; turns.len()],
            solving: [0; 2],
            total: 0,
            total_at_find: 0,
        }
    }

    /// Adds a decision.
    pub fn push(&mut self, tree: &Tree, id: NodeId) {
        let node = tree.node(id);
        self.sequence += 1;
        let key = match self.strategy {
            // What partial solutions opened is not on the way of the search: it comes when that is at its end.
            Strategy::Dfs if node.aside => AGAIN / 2 + self.sequence,
            Strategy::Dfs => AGAIN / 2 - self.sequence,
            Strategy::Bfs | Strategy::Cover => u64::from(node.depth) << 32 | (self.sequence & 0xffff_ffff),
            Strategy::Random => self.rng.bits(),
        };
        // What was given up waits behind what was not.
        let key = key % AGAIN + AGAIN * u64::from(node.level.min(15));
        let place = self.place(node);
        let looked = self.looks_first && node.looked;
        self.buckets.entry(place).or_default().part_mut(looked).0.insert((key, id));
        self.waiting.insert(id, key);
        if node.level == 0 && self.has(Choice::Near) {
            self.near.insert((node.depth, id));
        }
    }

    /// Whether someone has a turn.
    fn has(&self, choice: Choice) -> bool {
        self.turns.iter().any(|turn| turn.0 == choice)
    }

    /// Notes that the unusual run of an input opened these, which are here already. `fresh` if it reached new code.
    pub(super) fn prefer(&mut self, tree: &Tree, input: usize, opened: &[NodeId], fresh: bool) {
        if self.has(Choice::Unusual) {
            let queue = opened.iter().map(|&id| (tree.node(id).depth, id)).collect();
            self.unusual.add(input, queue, fresh);
        }
    }

    /// Notes what the conditions on the path of an unusual run are about, with fingerprints of what its input says about it.
    pub(super) fn vary(&mut self, input: usize, groups: &[(Group, u64)], fresh: bool) {
        let mut known = BTreeSet::new();
        let symbols = groups.iter().flat_map(|(group, _)| group.iter().copied());
        let queue = symbols.filter(|&symbol| known.insert(symbol)).enumerate().collect();
        self.sweeps.add(input, queue, fresh);
        self.grafts.note(input, groups, fresh);
    }

    /// Takes what to try next: whose turn it is has spent least of its share.
    pub(super) fn pop(&mut self, tree: &Tree, coverage: &Coverage) -> Option<Job> {
        let turns = self.turns;
        let mut order: Vec<usize> = (0..turns.len()).collect();
        order.sort_by_key(|&turn| self.spent[turn] / turns[turn].2);
        for (position, &turn) in order.iter().enumerate() {
            let (choice, effort, share) = turns[turn];
            let Some(task) = self.take(tree, coverage, choice, effort) else { continue };
            // Those who had nothing to do do not save it up.
            for &idle in &order[..position] {
                self.spent[idle] = self.spent[turn] / share * turns[idle].2;
            }
            let again = matches!(task, Task::Solve(id) if tree.node(id).level > 0);
            return Some(Job { task, turn, again });
        }
        None
    }

    /// Whether no new code was reached for longer than it took to get there, and not just for a moment.
    fn is_stalled(&self) -> bool {
        self.total - self.total_at_find > self.total_at_find.max(MOMENT)
    }

    fn take(&mut self, tree: &Tree, coverage: &Coverage, choice: Choice, effort: Effort) -> Option<Task> {
        match effort {
            Effort::Look => self.take_decision(tree, coverage, choice, false).map(Task::Look),
            Effort::Solve => self.take_decision(tree, coverage, choice, self.looks_first).map(Task::Solve),
            // Where nothing is open there is nothing to find.
            Effort::Sweep | Effort::Graft if self.waiting.is_empty() => None,
            Effort::Sweep => self.sweeps.pop().map(|(input, (_, symbol))| Task::Sweep(input, symbol)),
            Effort::Graft => self.grafts.pop().map(|(input, grafts)| Task::Graft(input, grafts)),
        }
    }

    fn take_decision(
        &mut self,
        tree: &Tree,
        coverage: &Coverage,
        choice: Choice,
        looked: bool,
    ) -> Option<NodeId> {
        match choice {
            Choice::Order => self.take_from_bucket(tree, looked, |_, _| 0),
            Choice::Place => self.take_from_bucket(tree, looked, |node, cost| {
                let weight = if promises(node, coverage) { 1 } else { PROMISE };
                (cost + TRY).saturating_mul(weight)
            }),
            Choice::Unusual => loop {
                let (_, (_, id)) = self.unusual.pop()?;
                let node = tree.node(id);
                if node.looked || !tree.still_open(id) {
                    continue;
                }
                if self.withdraw(node, id) {
                    return Some(id);
                }
            },
            Choice::Near => loop {
                let (_, id) = self.near.pop_first()?;
                if self.withdraw(tree.node(id), id) && tree.still_open(id) {
                    return Some(id);
                }
            },
        }
    }

    /// Takes a decision out of its bucket. False if it is not there: it may have been tried meanwhile.
    fn withdraw(&mut self, node: &Node, id: NodeId) -> bool {
        let Some(key) = self.waiting.remove(&id) else { return false };
        let place = self.place(node);
        if let Some(bucket) = self.buckets.get_mut(&place) {
            bucket.queue.remove(&(key, id));
        }
        true
    }

    /// Takes the first decision of the bucket with the lowest rank. To solve again gets as much as to solve for the first time.
    fn take_from_bucket(
        &mut self,
        tree: &Tree,
        looked: bool,
        rank: impl Fn(&Node, u64) -> u64,
    ) -> Option<NodeId> {
        let [first, again] = self.solving;
        let from = if looked == self.looks_first && again < first { AGAIN } else { 0 };
        self.take_beyond(tree, looked, from, &rank).or_else(|| self.take_beyond(tree, looked, 0, &rank))
    }

    fn take_beyond(
        &mut self,
        tree: &Tree,
        looked: bool,
        from: u64,
        rank: &impl Fn(&Node, u64) -> u64,
    ) -> Option<NodeId> {
        loop {
            let rank = |bucket: &Bucket| {
                let (queue, cost) = bucket.part(looked);
                let &(key, id) = queue.range((from, NodeId(0))..).next()?;
                Some((rank(tree.node(id), cost), key, id))
            };
            let ranked = self.buckets.values_mut().filter_map(|bucket| Some((rank(bucket)?, bucket)));
            let ((_, key, id), bucket) = ranked.min_by_key(|(rank, _)| *rank)?;
            bucket.part_mut(looked).0.remove(&(key, id));
            self.waiting.remove(&id);
            if tree.still_open(id) {
                return Some(id);
            }
        }
    }

    /// Notes what a task cost, and what came of it.
    pub(super) fn charge(&mut self, tree: &Tree, job: &Job, bill: Bill) {
        let node = job.task.decision().map(|id| tree.node(id));
        let tries = node.map_or(0, |node| TRY + STEP * u64::from(node.depth));
        let cost = bill.ticks.saturating_add(tries);
        self.total = self.total.saturating_add(cost);
        if bill.fresh {
            self.total_at_find = self.total;
        }
        let counted = if self.is_urgent(job, node) { cost / URGENT } else { cost };
        self.spent[job.turn] = self.spent[job.turn].saturating_add(counted);
        if matches!(job.task, Task::Solve(_)) {
            self.solving[usize::from(job.again)] += cost;
        }
        let cost = cost.saturating_add(if bill.success { 0 } else { FAILURE });
        match &job.task {
            Task::Sweep(input, _) => self.sweeps.charge(*input, cost),
            Task::Graft(input, _) => self.grafts.charge(*input, cost),
            Task::Look(id) | Task::Solve(id) => {
                let node = tree.node(*id);
                self.unusual.charge(node.input, cost);
                let looked = self.looks_first && matches!(job.task, Task::Solve(_));
                if let Some(bucket) = self.buckets.get_mut(&self.place(node)) {
                    let (_, account) = bucket.part_mut(looked);
                    *account = account.saturating_add(cost);
                }
            }
        }
    }

    /// Whether more may be spent on a task than its turn's share: to solve at a promising place for the first time, or when
    /// everything else led to nothing new for long.
    fn is_urgent(&self, job: &Job, node: Option<&Node>) -> bool {
        let (choice, effort, _) = self.turns[job.turn];
        let first = |node| self.buckets.get(&self.place(node)).is_some_and(|bucket| bucket.solving == 0);
        self.looks_first
            && (choice, effort) == (Choice::Place, Effort::Solve)
            && (self.is_stalled() || node.is_some_and(first))
    }

    fn place(&self, node: &Node) -> Place {
        (self.strategy == Strategy::Cover).then_some((node.at, node.taken))
    }
}

/// Whether another way out of a decision leads to something not yet covered.
fn promises(node: &Node, coverage: &Coverage) -> bool {
    match node.kind {
        PathKind::Branch | PathKind::Select => !coverage.took(node.at, !node.taken),
        PathKind::Fault(_) => !node.taken,
        PathKind::Assumption => true,
        PathKind::Switch { .. } => node.tries == 0,
        PathKind::Concretised { .. } | PathKind::Region => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Route;
    use crate::target::{PathEntry, Sites};
    use smt::Terms;

    /// The decisions of one path, from the first.
    fn path(terms: &mut Terms, length: u32) -> Tree {
        let entries: Vec<PathEntry> = (0..length)
            .map(|n| {
                let term = terms.symbol_constant(&format!("p{n}"), smt::SortId::BOOL);
                PathEntry { term, taken: true, at: Site(n), kind: PathKind::Branch, route: Route::default() }
            })
            .collect();
        let mut tree = Tree::default();
        tree.grow(terms, &entries, 0);
        tree
    }

    /// Nothing is covered.
    fn coverage() -> Coverage {
        Coverage::new(&Sites::new(8, Vec::new(), Vec::new(), []))
    }

    #[test]
    fn depth_first_search_begins_at_both_ends() {
        let tree = path(&mut Terms::new(), 4);
        let coverage = coverage();
        let mut open = Open::new(Strategy::Dfs, true, 0);
        (0..4).for_each(|n| open.push(&tree, NodeId(n)));
        let mut tried = Vec::new();
        while let Some(job) = open.pop(&tree, &coverage) {
            tried.push(job.task.decision().expect("a decision").0);
            open.charge(&tree, &job, Bill { ticks: 1000, success: true, fresh: false });
        }
        assert_eq!(tried, [3, 0, 2, 1]);
    }

    #[test]
    fn what_was_given_up_comes_back_and_keeps_nobody_waiting() {
        let mut tree = path(&mut Terms::new(), 4);
        let coverage = coverage();
        let mut open = Open::new(Strategy::Bfs, false, 0);
        (0..4).for_each(|n| open.push(&tree, NodeId(n)));
        let mut tried = Vec::new();
        // The first decision is hard: each try costs five times more than the one before.
        for _ in 0..6 {
            let job = open.pop(&tree, &coverage).expect("something is open");
            let id = job.task.decision().expect("a decision");
            let level = tree.node(id).level;
            tried.push((id.0, level));
            let hard = id.0 == 0;
            if hard {
                tree.node_mut(id).level += 1;
                open.push(&tree, id);
            }
            let ticks = if hard { 100_000 * 5_u64.pow(level) } else { 450_000 };
            open.charge(&tree, &job, Bill { ticks, success: !hard, fresh: false });
        }
        assert_eq!(tried, [(0, 0), (0, 1), (1, 0), (0, 2), (2, 0), (3, 0)]);
    }
}
