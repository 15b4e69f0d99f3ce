//! Congruence closure that can be taken back: which terms are equal, given some equalities (Nieuwenhuis and Oliveras 2007).
//!
//! Applications are curried: `f(a, b)` is `(f a) b`, so that every application has two operands and one table finds congruent ones. An
//! equality is a node as well, with two operands that may be swapped; it is equal to the node *true* if its operands
//! are. Each class knows its root directly, and a merge relabels the smaller class. What a merge changed is
//! on a trail, which `undo` runs backwards.
//!
//! Every merge is an edge of the proof forest, with its justification (`explain`). Nodes are only added while the trail is empty: the
//! theory around this one takes everything back before, and tells it again after.

use crate::sat::Lit;
use rustc_hash::FxHashMap;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(u32);

impl Node {
    pub(super) const TRUE: Node = Node(0);
    pub(super) const FALSE: Node = Node(1);

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// A constant, a function symbol, or anything of which only the identity is known.
    Leaf,
    Apply(Node, Node),
    Equality(Node, Node),
}

/// Why two nodes are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why {
    /// It holds always.
    Axiom,
    /// A literal of the search says so.
    Literal(Lit),
    /// Their operands are equal, in order.
    Congruence,
    /// They are equalities whose operands are equal crosswise.
    Crossed,
    /// One is an equality whose operands are equal, the other is *true*.
    Reflexive,
    /// They are the operands of an equality that is *true*.
    Equality(Node),
}

/// Two nodes and why they are to be equal.
#[derive(Clone, Copy, Debug)]
struct Pending {
    a: Node,
    b: Node,
    why: Why,
}

/// Two constants in one class that stand for different things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clash(pub(super) Node, pub(super) Node);

#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The class of the first was joined to that of the second, by an edge of the forest between two nodes. The rest is what
    /// the second class was before.
    Merge {
        from: Node,
        into: Node,
        edge: (Node, Node),
        parents: u32,
        constant: Option<Node>,
        number: Option<Node>,
    },
    /// A node left its table, or came to be in it.
    Removed(Node),
    Inserted(Node),
}

/// One class, kept at its root.
#[derive(Clone, Debug)]
struct Class {
    /// Nodes that have a member of the class as an operand.
    parents: Vec<Node>,
    size: u32,
    /// A member that stands for a value, with what tells such values apart.
    constant: Option<Node>,
    /// A member that is a number.
    number: Option<Node>,
}

/// What happened while a merge was worked off.
#[derive(Clone, Debug, Default)]
pub(super) struct News {
    /// Nodes that became equal to *true* or *false*.
    pub(super) truths: Vec<(Node, bool)>,
    /// Pairs of numbers that became equal.
    pub(super) numbers: Vec<(Node, Node)>,
}

/// Terms as nodes, merged into classes by congruence, with the reasons for every merge.
#[derive(Clone, Debug, Default)]
pub(super) struct Egraph {
    pub(super) shapes: Vec<Shape>,
    roots: Vec<Node>,
    /// The members of a class in a circle.
    next: Vec<Node>,
    classes: Vec<Class>,
    /// The edge from a node towards the root of its tree of proofs.
    pub(super) edges: Vec<Option<(Node, Why)>>,
    /// What a constant stands for: two constants with different tags are different.
    tags: Vec<Option<u32>>,
    /// Every application, by its own operands.
    made: FxHashMap<Shape, Node>,
    /// One application for each pair of classes, one equality for each pair.
    applications: FxHashMap<(Node, Node), Node>,
    equalities: FxHashMap<(Node, Node), Node>,
    trail: Vec<Undo>,
    pending: Vec<Pending>,
    pub(super) news: News,
    /// Work done, for budgets.
    pub(super) work: u64,
    pub(super) merges: u64,
    /// Scratch of `explain`: the visit in which a node was last passed, the explanation in which its edge was last looked at.
    pub(super) stamps: Vec<u64>,
    pub(super) done: Vec<u64>,
    pub(super) visit: u64,
    pub(super) explanation: u64,
}

impl Egraph {
    /// A graph with the nodes *true* and *false*.
    pub(super) fn new() -> Egraph {
        let mut graph = Egraph::default();
        for tag in 0..2 {
            let node = graph.add_node(Shape::Leaf);
            graph.make_constant(node, tag);
        }
        graph
    }

    #[inline]
    pub(super) fn root(&self, node: Node) -> Node {
        self.roots[node.index()]
    }

    #[inline]
    pub(super) fn same(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    /// The constant in the class of a node.
    pub(super) fn constant(&self, node: Node) -> Option<Node> {
        self.classes[self.root(node).index()].constant
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }

    fn add_node(&mut self, shape: Shape) -> Node {
        let node = Node(u32::try_from(self.shapes.len()).expect("fewer than 2^32 nodes"));
        self.shapes.push(shape);
        self.roots.push(node);
        self.next.push(node);
        self.classes.push(Class { parents: Vec::new(), size: 1, constant: None, number: None });
        self.edges.push(None);
        self.tags.push(None);
        self.stamps.push(0);
        self.done.push(0);
        node
    }

    /// A node of which only the identity is known.
    pub(super) fn leaf(&mut self) -> Node {
        self.add_node(Shape::Leaf)
    }

    /// Says that a new node stands for a value; two with different tags differ.
    pub(super) fn make_constant(&mut self, node: Node, tag: u32) {
        debug_assert!(self.classes[self.root(node).index()].constant.is_none());
        self.tags[node.index()] = Some(tag);
        let root = self.root(node);
        self.classes[root.index()].constant = Some(node);
    }

    /// Says that a new node is a number.
    pub(super) fn make_number(&mut self, node: Node) {
        let root = self.root(node);
        self.classes[root.index()].number.get_or_insert(node);
    }

    /// The number in the class of a node.
    pub(super) fn number(&self, node: Node) -> Option<Node> {
        self.classes[self.root(node).index()].number
    }

    /// The application of a node to another, which may exist.
    pub(super) fn apply(&mut self, function: Node, argument: Node) -> Node {
        let shape = Shape::Apply(function, argument);
        if let Some(&known) = self.made.get(&shape) {
            return known;
        }
        let node = self.add_parent(shape, function, argument);
        self.made.insert(shape, node);
        node
    }

    /// The equality of two nodes, made anew.
    pub(super) fn equality(&mut self, a: Node, b: Node) -> Node {
        self.add_parent(Shape::Equality(a, b), a, b)
    }

    fn add_parent(&mut self, shape: Shape, a: Node, b: Node) -> Node {
        let node = self.add_node(shape);
        for operand in [a, b] {
            let root = self.root(operand);
            self.classes[root.index()].parents.push(node);
        }
        self.insert(node);
        node
    }

    /// The application of a node to another, up to equality.
    pub(super) fn find_apply(&self, function: Node, argument: Node) -> Option<Node> {
        self.applications.get(&(self.root(function), self.root(argument))).copied()
    }

    fn key(&self, shape: Shape) -> Option<(bool, (Node, Node))> {
        match shape {
            Shape::Leaf => None,
            Shape::Apply(f, x) => Some((true, (self.root(f), self.root(x)))),
            Shape::Equality(a, b) => {
                let (a, b) = (self.root(a), self.root(b));
                Some((false, (a.min(b), a.max(b))))
            }
        }
    }

    /// Enters a node into its table, or queues that it equals the node that is there.
    fn insert(&mut self, node: Node) {
        let shape = self.shapes[node.index()];
        let Some((applies, key)) = self.key(shape) else { return };
        if !applies && key.0 == key.1 {
            self.pending.push(Pending { a: node, b: Node::TRUE, why: Why::Reflexive });
            return;
        }
        let table = if applies { &mut self.applications } else { &mut self.equalities };
        match table.get(&key) {
            None => {
                table.insert(key, node);
                self.trail.push(Undo::Inserted(node));
            }
            Some(&other) if other == node => {}
            Some(&other) => {
                let crossed = match (shape, self.shapes[other.index()]) {
                    (Shape::Equality(a, _), Shape::Equality(c, _)) => !self.same(a, c),
                    _ => false,
                };
                let why = if crossed { Why::Crossed } else { Why::Congruence };
                self.pending.push(Pending { a: node, b: other, why });
            }
        }
    }

    fn remove(&mut self, node: Node) {
        let Some((applies, key)) = self.key(self.shapes[node.index()]) else { return };
        let table = if applies { &mut self.applications } else { &mut self.equalities };
        if table.get(&key) == Some(&node) {
            table.remove(&key);
            self.trail.push(Undo::Removed(node));
        }
    }

    /// Makes two nodes equal and works off what follows.
    pub(super) fn merge(&mut self, a: Node, b: Node, why: Why) -> Result<(), Clash> {
        self.pending.push(Pending { a, b, why });
        self.close()
    }

    /// Works off what is queued.
    pub(super) fn close(&mut self) -> Result<(), Clash> {
        // First come, first served: explanations stay short.
        let mut at = 0;
        while at < self.pending.len() {
            let next = self.pending[at];
            at += 1;
            if let Err(clash) = self.join(next) {
                self.pending.clear();
                return Err(clash);
            }
        }
        self.pending.clear();
        Ok(())
    }

    fn join(&mut self, Pending { a, b, why }: Pending) -> Result<(), Clash> {
        let (ra, rb) = (self.root(a), self.root(b));
        if ra == rb {
            return Ok(());
        }
        self.merges += 1;
        let ((from, start), (into, end)) = if self.classes[ra.index()].size <= self.classes[rb.index()].size {
            ((ra, a), (rb, b))
        } else {
            ((rb, b), (ra, a))
        };
        self.turn_tree(start);
        self.edges[start.index()] = Some((end, why));
        let parents = std::mem::take(&mut self.classes[from.index()].parents);
        for &parent in &parents {
            self.remove(parent);
        }
        let (one, other) = (&self.classes[from.index()], &self.classes[into.index()]);
        let (left, right) = (one.constant, other.constant);
        let numbers = (one.number, other.number);
        self.tell_truths(from, into);
        self.trail.push(Undo::Merge {
            from,
            into,
            edge: (start, end),
            parents: self.classes[into.index()].parents.len() as u32,
            constant: right,
            number: numbers.1,
        });
        let mut member = from;
        loop {
            self.roots[member.index()] = into;
            self.work += 1;
            member = self.next[member.index()];
            if member == from {
                break;
            }
        }
        self.next.swap(from.index(), into.index());
        let size = self.classes[from.index()].size;
        let class = &mut self.classes[into.index()];
        class.size += size;
        class.constant = right.or(left);
        class.number = numbers.1.or(numbers.0);
        class.parents.extend_from_slice(&parents);
        self.work += parents.len() as u64;
        for &parent in &parents {
            self.insert(parent);
        }
        self.classes[from.index()].parents = parents;
        if let (Some(x), Some(y)) = numbers {
            self.news.numbers.push((x, y));
        }
        match (left, right) {
            (Some(x), Some(y)) if self.tags[x.index()] != self.tags[y.index()] => Err(Clash(x, y)),
            _ => Ok(()),
        }
    }

    /// Notes the nodes that become true or false by the union of two classes.
    fn tell_truths(&mut self, from: Node, into: Node) {
        for (known, news) in [(from, into), (into, from)] {
            let value = match self.classes[known.index()].constant {
                Some(Node::TRUE) => true,
                Some(Node::FALSE) => false,
                _ => continue,
            };
            let mut member = news;
            loop {
                self.news.truths.push((member, value));
                if let Shape::Equality(a, b) = self.shapes[member.index()]
                    && value
                {
                    self.pending.push(Pending { a, b, why: Why::Equality(member) });
                }
                member = self.next[member.index()];
                if member == news {
                    break;
                }
            }
        }
    }

    /// Makes a node the root of its tree of proofs.
    fn turn_tree(&mut self, node: Node) {
        let mut above = self.edges[node.index()].take();
        let mut at = node;
        while let Some((target, why)) = above {
            above = self.edges[target.index()].replace((at, why));
            at = target;
            self.work += 1;
        }
    }

    /// The height of the trail, for `undo`.
    pub(super) fn height(&self) -> usize {
        self.trail.len()
    }

    /// Everything so far holds always.
    pub(super) fn settle(&mut self) {
        debug_assert!(self.pending.is_empty());
        self.trail.clear();
    }

    /// Takes back everything above a height.
    pub(super) fn undo(&mut self, height: usize) {
        self.pending.clear();
        self.news.truths.clear();
        self.news.numbers.clear();
        while self.trail.len() > height {
            let Some(step) = self.trail.pop() else { return };
            match step {
                Undo::Inserted(node) => {
                    if let Some((applies, key)) = self.key(self.shapes[node.index()]) {
                        let table = if applies { &mut self.applications } else { &mut self.equalities };
                        table.remove(&key);
                    }
                }
                Undo::Removed(node) => {
                    if let Some((applies, key)) = self.key(self.shapes[node.index()]) {
                        let table = if applies { &mut self.applications } else { &mut self.equalities };
                        table.insert(key, node);
                    }
                }
                Undo::Merge { from, into, edge, parents, constant, number } => {
                    let size = self.classes[from.index()].size;
                    let class = &mut self.classes[into.index()];
                    class.size -= size;
                    class.constant = constant;
                    class.number = number;
                    class.parents.truncate(parents as usize);
                    self.next.swap(from.index(), into.index());
                    let mut member = from;
                    loop {
                        self.roots[member.index()] = from;
                        member = self.next[member.index()];
                        if member == from {
                            break;
                        }
                    }
                    // The edge may have been turned round since.
                    let (start, end) = edge;
                    let turned = self.edges[start.index()].is_none_or(|(target, _)| target != end);
                    self.edges[if turned { end } else { start }.index()] = None;
                }
            }
        }
    }
}
