//! The arena: nodes, what is known of each, and how scratch nodes leave again.
//!
//! Owns storage and identity only; [`super::build`] decides which nodes may exist. A child's id is always smaller than
//! its parent's. Derivatives fill the arena with nodes that no caller knows, so a query marks the arena before it
//! starts, may compact what it built, and finally rolls back to its mark unless the growth was small.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::class::{CharSet, Cuts, Partition};
use super::{LimitReached, Limits, RegexId};
use crate::string::SmtString;

/// An upper bound of repetitions or of lengths that is none.
pub(super) const INFINITE: u64 = u64::MAX;

/// The growth of the arena that a query may leave behind, as derivatives that the next query finds ready.
const KEPT_NODES: usize = 1 << 12;

/// One expression, in terms of older ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// The empty string.
    Epsilon,
    /// One character of a set.
    Class(u32),
    /// A suffix of a string that is too long for a chain of classes.
    Literal { literal: u32, start: usize },
    /// A string of the first, then one of the second.
    Concat(RegexId, RegexId),
    /// At least two, ascending.
    Union(Arc<[RegexId]>),
    /// At least two, ascending.
    Inter(Arc<[RegexId]>),
    /// All other strings.
    Not(RegexId),
    /// From `lo` to `hi` strings of the body, where `hi` may be [`INFINITE`].
    Loop { body: RegexId, lo: u64, hi: u64 },
}

impl Node {
    pub(super) fn children(&self) -> &[RegexId] {
        match self {
            Node::Epsilon | Node::Class(_) | Node::Literal { .. } => &[],
            Node::Concat(head, _) | Node::Not(head) | Node::Loop { body: head, .. } => {
                std::slice::from_ref(head)
            }
            Node::Union(list) | Node::Inter(list) => list,
        }
    }

    /// The child that [`Node::children`] leaves out, since it is stored apart.
    pub(super) fn tail(&self) -> Option<RegexId> {
        match self {
            Node::Concat(_, tail) => Some(*tail),
            _ => None,
        }
    }

    /// [`Node::children`] and [`Node::tail`] together.
    pub(super) fn all_children(&self) -> impl Iterator<Item = RegexId> + '_ {
        self.children().iter().copied().chain(self.tail())
    }

    /// The node over other children. `f` must keep the order of ids.
    fn map(&self, f: impl Fn(RegexId) -> RegexId) -> Node {
        match self {
            Node::Epsilon | Node::Class(_) | Node::Literal { .. } => self.clone(),
            Node::Concat(head, tail) => Node::Concat(f(*head), f(*tail)),
            Node::Union(list) => Node::Union(list.iter().map(|&id| f(id)).collect()),
            Node::Inter(list) => Node::Inter(list.iter().map(|&id| f(id)).collect()),
            Node::Not(body) => Node::Not(f(*body)),
            Node::Loop { body, lo, hi } => Node::Loop { body: f(*body), lo: *lo, hi: *hi },
        }
    }
}

/// What is known of a node from its construction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// Whether the language has the empty string.
    pub(super) nullable: bool,
    /// Whether neither intersection nor complement occurs: then the language is empty for [`RegexId::NONE`] only, and
    /// `min_len` is exact.
    pub(super) positive: bool,
    /// The number of elements of the concatenation, as far as it is associated to the right; stops at 255.
    pub(super) spine: u8,
    /// A hash of the concatenation that disregards how often its elements repeat, see [`super::merge`].
    pub(super) shape: u64,
    /// No string of the language is shorter.
    pub(super) min_len: u64,
    /// No string of the language is longer; may be [`INFINITE`].
    pub(super) max_len: u64,
}

/// The alphabet and the size of an expression.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) partition: Partition,
    pub(super) nodes: usize,
}

/// A place to which the arena can be rolled back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    nodes: usize,
    derivatives: usize,
}

/// An arena of regular expressions and the operations on them.
///
/// It keeps what the constructors build until it is dropped; queries leave little behind.
pub struct Regexes {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: HashTable<RegexId>,
    classes: Vec<CharSet>,
    class_ids: FxHashMap<CharSet, u32>,
    literals: Vec<SmtString>,
    literal_ids: FxHashMap<SmtString, u32>,
    derivatives: FxHashMap<(RegexId, u32), RegexId>,
    derivative_log: Vec<(RegexId, u32)>,
    summaries: FxHashMap<RegexId, Arc<Summary>>,
    limits: Limits,
    /// Steps taken so far, and the number of steps at which the running query has to stop.
    work: u64,
    work_limit: u64,
}

impl Default for Regexes {
    fn default() -> Regexes {
        Regexes::new()
    }
}

impl Regexes {
    /// An arena whose queries have the default [`Limits`].
    pub fn new() -> Regexes {
        Regexes::with_limits(Limits::default())
    }

    /// An arena whose queries have these limits.
    pub fn with_limits(limits: Limits) -> Regexes {
        let mut regexes = Regexes {
            nodes: Vec::new(),
            facts: Vec::new(),
            ids: HashTable::new(),
            classes: Vec::new(),
            class_ids: FxHashMap::default(),
            literals: Vec::new(),
            literal_ids: FxHashMap::default(),
            derivatives: FxHashMap::default(),
            derivative_log: Vec::new(),
            summaries: FxHashMap::default(),
            limits,
            work: 0,
            work_limit: u64::MAX,
        };
        let none = regexes.class(CharSet::empty());
        let epsilon = regexes.intern(Node::Epsilon);
        let all_char = regexes.class(CharSet::full());
        let all = regexes.intern(Node::Loop { body: all_char, lo: 0, hi: INFINITE });
        let non_empty = regexes.intern(Node::Loop { body: all_char, lo: 1, hi: INFINITE });
        assert_eq!(
            [none, epsilon, all_char, all, non_empty],
            [RegexId::NONE, RegexId::EPSILON, RegexId::ALL_CHAR, RegexId::ALL, RegexId::NON_EMPTY]
        );
        regexes
    }

    /// The limits of this arena's queries.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether the language has the empty string.
    pub(crate) fn nullable(&self, id: RegexId) -> bool {
        self.facts(id).nullable
    }

    pub(super) fn node(&self, id: RegexId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn facts(&self, id: RegexId) -> &Facts {
        &self.facts[id.index()]
    }

    pub(super) fn class_of(&self, class: u32) -> &CharSet {
        &self.classes[class as usize]
    }

    pub(super) fn literal_of(&self, literal: u32) -> &SmtString {
        &self.literals[literal as usize]
    }

    /// The id of a node, new or not.
    pub(super) fn intern(&mut self, node: Node) -> RegexId {
        self.work += 1;
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&id) = self.ids.find(hash, |id| self.nodes[id.index()] == node) {
            return id;
        }
        let id = RegexId(u32::try_from(self.nodes.len()).expect("fewer nodes than fit in memory"));
        let facts = self.facts_of(id, &node);
        self.nodes.push(node);
        self.facts.push(facts);
        let nodes = &self.nodes;
        self.ids.insert_unique(hash, id, |id| FxBuildHasher.hash_one(&nodes[id.index()]));
        id
    }

    /// The expression of one character of a set.
    pub(super) fn class(&mut self, set: CharSet) -> RegexId {
        let class = match self.class_ids.get(&set) {
            Some(&class) => class,
            None => {
                let class = u32::try_from(self.classes.len()).expect("fewer classes than nodes");
                self.classes.push(set.clone());
                self.class_ids.insert(set, class);
                class
            }
        };
        self.intern(Node::Class(class))
    }

    /// The number under which a string is kept for [`Node::Literal`].
    pub(super) fn keep_literal(&mut self, string: &SmtString) -> u32 {
        if let Some(&literal) = self.literal_ids.get(string) {
            return literal;
        }
        let literal = u32::try_from(self.literals.len()).expect("fewer literals than nodes");
        self.literals.push(string.clone());
        self.literal_ids.insert(string.clone(), literal);
        literal
    }

    pub(super) fn known_derivative(&self, id: RegexId, c: u32) -> Option<RegexId> {
        self.derivatives.get(&(id, c)).copied()
    }

    pub(super) fn learn_derivative(&mut self, id: RegexId, c: u32, derivative: RegexId) {
        self.derivatives.insert((id, c), derivative);
        self.derivative_log.push((id, c));
    }

    /// Counts steps towards the limit of the running query.
    pub(super) fn charge(&mut self, steps: usize) {
        self.work += steps as u64;
    }

    pub(super) fn check_work(&self) -> Result<(), LimitReached> {
        if self.work > self.work_limit { Err(LimitReached::Work) } else { Ok(()) }
    }

    /// Runs a query that may take so many steps.
    pub(super) fn limited<T>(&mut self, steps: u64, query: impl FnOnce(&mut Regexes) -> T) -> T {
        let before = std::mem::replace(&mut self.work_limit, self.work.saturating_add(steps));
        let result = query(self);
        self.work_limit = before;
        result
    }

    /// The steps taken since the arena was made.
    #[cfg(test)]
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The number of nodes.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes reachable from `id` that are not older than `oldest`, ascending: children come before parents.
    pub(super) fn reachable(&self, id: RegexId, oldest: usize) -> Vec<RegexId> {
        if id.index() < oldest {
            return Vec::new();
        }
        // One bit per node; a scan from the root down meets all parents of a node before the node.
        let mut marked = vec![0u64; (id.index() - oldest) / 64 + 1];
        let place = |id: RegexId| (id.index() >= oldest).then(|| id.index() - oldest);
        let mut ids = Vec::new();
        marked[(id.index() - oldest) / 64] |= 1 << ((id.index() - oldest) % 64);
        for word in (0..marked.len()).rev() {
            while let Some(bit) = marked[word].checked_ilog2() {
                marked[word] &= !(1 << bit);
                let id = RegexId((oldest + word * 64) as u32 + bit);
                for at in self.node(id).all_children().filter_map(place) {
                    marked[at / 64] |= 1 << (at % 64);
                }
                ids.push(id);
            }
        }
        ids.reverse();
        ids
    }

    /// The alphabet and the size of an expression. All derivatives of the expression tell apart the characters of
    /// different blocks only.
    pub(super) fn summary(&mut self, id: RegexId) -> Arc<Summary> {
        if let Some(summary) = self.summaries.get(&id) {
            return Arc::clone(summary);
        }
        let reachable = self.reachable(id, 0);
        let mut cuts = Cuts::new();
        for &id in &reachable {
            match self.node(id) {
                Node::Class(class) => {
                    for &(lo, hi) in self.class_of(*class).ranges() {
                        cuts.around(lo, hi);
                    }
                }
                Node::Literal { literal, .. } => {
                    self.literal_of(*literal).iter().for_each(|c| cuts.around(c, c))
                }
                Node::Epsilon
                | Node::Concat(..)
                | Node::Union(_)
                | Node::Inter(_)
                | Node::Not(_)
                | Node::Loop { .. } => {}
            }
        }
        let summary = Arc::new(Summary { partition: cuts.partition(), nodes: reachable.len() });
        self.summaries.insert(id, Arc::clone(&summary));
        summary
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), derivatives: self.derivative_log.len() }
    }

    /// The number of nodes built since the mark.
    pub(super) fn grown_since(&self, mark: Mark) -> usize {
        self.nodes.len() - mark.nodes
    }

    /// Forgets what was built since the mark, if it is much.
    pub(super) fn settle(&mut self, mark: Mark) {
        if self.grown_since(mark) > KEPT_NODES {
            self.roll_back(mark);
        }
    }

    /// Forgets what was built since the mark but for one expression, whose new id is returned.
    pub(super) fn compact(&mut self, mark: Mark, keep: RegexId) -> RegexId {
        let old = self.reachable(keep, mark.nodes);
        let nodes: Vec<Node> = old.iter().map(|&id| self.node(id).clone()).collect();
        self.roll_back(mark);
        let mut new: Vec<RegexId> = Vec::with_capacity(old.len());
        for node in nodes {
            // The kept nodes get consecutive ids in their old order, so lists stay sorted.
            let moved = node.map(|id| old.binary_search(&id).map_or(id, |at| new[at]));
            new.push(self.intern(moved));
        }
        new.last().copied().unwrap_or(keep)
    }

    fn roll_back(&mut self, mark: Mark) {
        for key in self.derivative_log.drain(mark.derivatives..) {
            self.derivatives.remove(&key);
        }
        for index in (mark.nodes..self.nodes.len()).rev() {
            let hash = FxBuildHasher.hash_one(&self.nodes[index]);
            match self.ids.find_entry(hash, |id| id.index() == index) {
                Ok(entry) => entry.remove(),
                Err(_) => unreachable!("every node is in the table of ids"),
            };
            self.nodes.pop();
            self.facts.pop();
        }
        self.summaries.retain(|id, _| id.index() < mark.nodes);
    }
}
