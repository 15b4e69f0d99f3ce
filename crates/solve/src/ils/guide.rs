//! Branch distance: how far a point is from satisfying each conjunct, as a DAG of costs over the program's registers.
//!
//! Negations are pushed down to the comparisons; a conjunction costs the sum of its parts and a disjunction the least.
//! A comparison costs the logarithm of the distance between its sides, so that conjuncts over large and small numbers
//! can be added up and the last steps to a solution count as much as the first. A cost of zero means that the conjunct
//! holds.

use super::program::{Code, Program, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of the cost DAG, by its position; children have smaller ones.
pub(crate) type CostId = u32;

/// What a cost is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cost {
    /// Always zero.
    Holds,
    /// Cannot become zero.
    Never,
    /// A comparison of two registers.
    Literal(Literal),
    /// Both.
    Sum(CostId, CostId),
    /// The cheaper one.
    Min(CostId, CostId),
}

/// How two registers should compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Relation {
    Le,
    Lt,
    Eq,
    Ne,
}

impl Relation {
    /// The cost of two machine numbers.
    #[inline(always)]
    pub(crate) fn cost(self, a: i64, b: i64) -> u64 {
        let distance = match self {
            Relation::Le if a <= b => return 0,
            Relation::Lt if a < b => return 0,
            Relation::Eq if a == b => return 0,
            Relation::Ne if a != b => return 0,
            Relation::Le | Relation::Eq => a.abs_diff(b) as f64,
            Relation::Lt => a.abs_diff(b) as f64 + 1.0,
            Relation::Ne => 1.0,
        };
        cost_of_distance(distance)
    }
}

/// A comparison that should hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Literal {
    pub(crate) relation: Relation,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
}

/// The fixed-point cost of distance 1; there are this many steps between a distance and its double.
pub(crate) const UNIT: u64 = 1 << 28;
/// The cost of a comparison that has no value, larger than that of any distance between machine numbers.
pub(crate) const UNDEFINED: u64 = 160 * UNIT;

/// The cost of a distance: its binary logarithm, piecewise linear between powers of two, as the bits of a float are.
#[inline]
pub(crate) fn cost_of_distance(distance: f64) -> u64 {
    let bits = (distance + 1.0).to_bits() - 1f64.to_bits();
    (bits >> (52 - UNIT.trailing_zeros())).min(UNDEFINED)
}

/// The cost DAG of a program.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    pub(crate) nodes: Vec<Cost>,
    /// The costs that must all become zero.
    pub(crate) roots: Vec<CostId>,
    /// For every root, the position among the assertions of the one it comes from.
    pub(crate) origin: Vec<usize>,
}

const HOLDS: CostId = 0;
const NEVER: CostId = 1;

impl Guide {
    /// The costs of making every root register true.
    pub(crate) fn new(program: &Program, roots: &[Reg]) -> Guide {
        let mut builder = GuideBuilder {
            program,
            boolean: booleans(program),
            nodes: vec![Cost::Holds, Cost::Never],
            index: FxHashMap::default(),
            costs: vec![[HOLDS; 2]; program.code.len()],
        };
        let wanted = builder.wanted(roots);
        for (reg, wanted) in wanted.iter().enumerate() {
            for positive in [false, true] {
                if wanted[usize::from(positive)] {
                    builder.costs[reg][usize::from(positive)] = builder.cost(reg as Reg, positive);
                }
            }
        }
        let mut listed = FxHashSet::default();
        let mut guide = Guide { nodes: Vec::new(), roots: Vec::new(), origin: Vec::new() };
        for (i, &root) in roots.iter().enumerate() {
            // Sums at the top are conjuncts of their own.
            let mut stack = vec![builder.costs[root as usize][1]];
            while let Some(id) = stack.pop() {
                match builder.nodes[id as usize] {
                    Cost::Sum(a, b) => stack.extend([b, a]),
                    Cost::Holds => {}
                    _ if !listed.insert(id) => {}
                    _ => {
                        guide.roots.push(id);
                        guide.origin.push(i);
                    }
                }
            }
        }
        guide.nodes = builder.nodes;
        guide
    }

    /// Forgets the roots for which `keep` is false.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Cost) -> bool) {
        let kept: Vec<bool> = self.roots.iter().map(|&r| keep(&self.nodes[r as usize])).collect();
        let mut flags = kept.iter();
        self.roots.retain(|_| *flags.next().expect("as many flags as roots"));
        let mut flags = kept.iter();
        self.origin.retain(|_| *flags.next().expect("as many flags as roots"));
    }
}

/// Which registers hold truth values.
fn booleans(program: &Program) -> Vec<bool> {
    let mut boolean = vec![false; program.code.len()];
    for (reg, instr) in program.code.iter().enumerate() {
        boolean[reg] = match instr.code {
            Code::Var => program.boolean[instr.a as usize],
            Code::Le | Code::Eq | Code::Not | Code::And | Code::Both => true,
            Code::Ite => boolean[instr.b as usize] || boolean[instr.c as usize],
            Code::Const | Code::Add | Code::Sub | Code::Mul => false,
            Code::Div | Code::Mod | Code::Quo | Code::Rem | Code::Abs => false,
        };
    }
    boolean
}

struct GuideBuilder<'p> {
    program: &'p Program,
    boolean: Vec<bool>,
    nodes: Vec<Cost>,
    index: FxHashMap<Cost, CostId>,
    /// The cost of each Boolean register becoming false and true.
    costs: Vec<[CostId; 2]>,
}

impl GuideBuilder<'_> {
    /// Whether an equality compares truth values. A constant 0 or 1 may be either; the other side tells.
    fn compares_truth(&self, a: Reg, b: Reg) -> bool {
        self.boolean[a as usize] || self.boolean[b as usize]
    }

    /// Which truth values of which registers have a cost that is asked for.
    fn wanted(&self, roots: &[Reg]) -> Vec<[bool; 2]> {
        let mut wanted = vec![[false; 2]; self.program.code.len()];
        roots.iter().for_each(|&r| wanted[r as usize][1] = true);
        for reg in (0..wanted.len()).rev() {
            let [no, yes] = wanted[reg];
            if !no && !yes {
                continue;
            }
            let mut want = |r: Reg, n: bool, y: bool| {
                let [no, yes] = &mut wanted[r as usize];
                *no |= n;
                *yes |= y;
            };
            let instr = self.program.code[reg];
            match instr.code {
                Code::Not => want(instr.a, yes, no),
                Code::And | Code::Both => instr.operands().for_each(|r| want(r, no, yes)),
                Code::Eq if self.compares_truth(instr.a, instr.b) => {
                    instr.operands().for_each(|r| want(r, true, true));
                }
                Code::Ite => {
                    want(instr.a, true, true);
                    want(instr.b, no, yes);
                    want(instr.c, no, yes);
                }
                _ => {}
            }
        }
        wanted
    }

    fn cost(&mut self, reg: Reg, positive: bool) -> CostId {
        let instr = self.program.code[reg as usize];
        let (a, b, c) = (instr.a, instr.b, instr.c);
        let of = |r: Reg, positive: bool, costs: &[[CostId; 2]]| costs[r as usize][usize::from(positive)];
        match instr.code {
            Code::Not => of(a, !positive, &self.costs),
            Code::And | Code::Both => {
                let (x, y) = (of(a, positive, &self.costs), of(b, positive, &self.costs));
                if positive { self.sum(x, y) } else { self.min(x, y) }
            }
            Code::Eq if self.compares_truth(a, b) => {
                let [[a0, a1], [b0, b1]] = [self.costs[a as usize], self.costs[b as usize]];
                let pairs = if positive { [(a1, b1), (a0, b0)] } else { [(a1, b0), (a0, b1)] };
                self.either(pairs)
            }
            Code::Ite => {
                let [c0, c1] = self.costs[a as usize];
                let (then, otherwise) = (of(b, positive, &self.costs), of(c, positive, &self.costs));
                self.either([(c1, then), (c0, otherwise)])
            }
            Code::Le if positive => self.literal(Relation::Le, a, b),
            Code::Le => self.literal(Relation::Lt, b, a),
            Code::Eq if positive => self.literal(Relation::Eq, a, b),
            Code::Eq => self.literal(Relation::Ne, a, b),
            Code::Const => {
                let holds =
                    self.program.constant(reg).is_some_and(|v| *v == dashu_int::IBig::ONE) == positive;
                if holds { HOLDS } else { NEVER }
            }
            Code::Var if positive => self.literal(Relation::Ne, reg, self.program.zero),
            Code::Var => self.literal(Relation::Eq, reg, self.program.zero),
            Code::Add | Code::Sub | Code::Mul | Code::Div | Code::Mod | Code::Quo | Code::Rem | Code::Abs => {
                unreachable!("a number has no truth value")
            }
        }
    }

    fn push(&mut self, cost: Cost) -> CostId {
        *self.index.entry(cost).or_insert_with(|| {
            self.nodes.push(cost);
            self.nodes.len() as CostId - 1
        })
    }

    fn literal(&mut self, relation: Relation, a: Reg, b: Reg) -> CostId {
        self.push(Cost::Literal(Literal { relation, a, b }))
    }

    fn sum(&mut self, a: CostId, b: CostId) -> CostId {
        match (a, b) {
            (HOLDS, x) | (x, HOLDS) => x,
            (NEVER, _) | (_, NEVER) => NEVER,
            _ if a == b => a,
            _ => self.push(Cost::Sum(a.min(b), a.max(b))),
        }
    }

    fn min(&mut self, a: CostId, b: CostId) -> CostId {
        match (a, b) {
            (HOLDS, _) | (_, HOLDS) => HOLDS,
            (NEVER, x) | (x, NEVER) => x,
            _ if a == b => a,
            _ => self.push(Cost::Min(a.min(b), a.max(b))),
        }
    }

    fn either(&mut self, [(a, b), (c, d)]: [(CostId, CostId); 2]) -> CostId {
        let (first, second) = (self.sum(a, b), self.sum(c, d));
        self.min(first, second)
    }
}
