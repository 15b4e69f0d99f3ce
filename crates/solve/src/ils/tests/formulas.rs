//! Random formulas over integers and truth values, and random path conditions with a known solution.

use crate::engine::Query;
use random::Rng;
use smt::{Evaluator, FunId, IBig, Model, Op, SortId, TermId, Terms, Value};

/// Makes formulas over a few variables.
pub(super) struct Formulas {
    pub(super) terms: Terms,
    pub(super) rng: Rng,
    pub(super) ints: Vec<TermId>,
    pub(super) bools: Vec<TermId>,
    /// Constants are below this in magnitude.
    pub(super) largest: i128,
    /// Whether there is division, and with it terms without a value.
    pub(super) divides: bool,
}

impl Formulas {
    pub(super) fn new(seed: u64, ints: usize, bools: usize, largest: i128) -> Formulas {
        let mut terms = Terms::new();
        let mut all = |prefix: &str, count: usize, sort: SortId| -> Vec<TermId> {
            (0..count).map(|i| terms.symbol_constant(&format!("{prefix}{i}"), sort)).collect()
        };
        let (ints, bools) = (all("x", ints, SortId::INT), all("p", bools, SortId::BOOL));
        Formulas { terms, rng: Rng::new(seed), ints, bools, largest, divides: true }
    }

    /// The variables.
    pub(super) fn vars(&self) -> Vec<FunId> {
        self.ints.iter().chain(&self.bools).map(|&t| self.terms.as_fun(t).expect("a constant")).collect()
    }

    fn several(&mut self, depth: u32, least: usize, make: fn(&mut Formulas, u32) -> TermId) -> Vec<TermId> {
        let count = least + usize::from(self.rng.one_in(4));
        (0..count).map(|_| make(self, depth - 1)).collect()
    }

    /// An integer.
    pub(super) fn int(&mut self, depth: u32) -> TermId {
        if depth == 0 || self.rng.one_in(6) {
            return if self.rng.one_in(3) {
                let value = self.rng.between_wide(-self.largest, self.largest);
                self.terms.int(value)
            } else {
                self.rng.choose(&self.ints).expect("a variable")
            };
        }
        let ops =
            [Op::Add, Op::Sub, Op::Mul, Op::Abs, Op::Neg, Op::Ite, Op::Add, Op::Mul, Op::IntDiv, Op::Mod];
        let op = ops[self.rng.below(if self.divides { ops.len() } else { ops.len() - 2 })];
        let args = match op {
            Op::Ite => {
                let condition = self.boolean(depth - 1);
                let mut args = vec![condition];
                args.extend((0..2).map(|_| self.int(depth - 1)));
                args
            }
            Op::Abs | Op::Neg => vec![self.int(depth - 1)],
            Op::Mod => (0..2).map(|_| self.int(depth - 1)).collect(),
            _ => self.several(depth, 2, Formulas::int),
        };
        self.terms.mk(op, &args)
    }

    /// A truth value.
    pub(super) fn boolean(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return match self.rng.choose(&self.bools) {
                Some(var) => var,
                None => self.terms.bool(true),
            };
        }
        let ops = [
            (Op::Not, 1),
            (Op::And, 2),
            (Op::Or, 2),
            (Op::Implies, 2),
            (Op::Xor, 2),
            (Op::Eq, 2),
            (Op::Ite, 3),
            (Op::Distinct, 2),
        ];
        if self.rng.one_in(2) {
            let (op, least) = ops[self.rng.below(ops.len())];
            let args = match op {
                Op::Not | Op::Ite => (0..least).map(|_| self.boolean(depth - 1)).collect(),
                _ => self.several(depth, least, Formulas::boolean),
            };
            return self.terms.mk(op, &args);
        }
        let ops = [Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::Eq, Op::Distinct];
        let op = ops[self.rng.below(ops.len())];
        let args = self.several(depth, 2, Formulas::int);
        self.terms.mk(op, &args)
    }

    /// `low <= x <= high` for every integer variable.
    pub(super) fn bounds(&mut self, low: i64, high: i64) -> Vec<TermId> {
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let vars = self.ints.clone();
        vars.into_iter().map(|x| self.terms.mk(Op::Le, &[low, x, high])).collect()
    }

    /// A path condition that a random point solves: comparisons between random terms, each as it is at that point.
    pub(super) fn path_condition(&mut self, branches: usize, depth: u32) -> Query {
        let mut model = Model::default();
        for &x in &self.ints {
            let value = self.rng.between_wide(-10_000, 10_000);
            model.set(self.terms.as_fun(x).expect("a constant"), Value::Int(IBig::from(value)));
        }
        let mut query = Query::new(self.bounds(i32::MIN.into(), i32::MAX.into()));
        while query.assertions.len() < branches + self.ints.len() {
            let a = self.int(depth);
            let value = Evaluator::new(&self.terms, &model).eval(a);
            let Ok(Value::Int(value)) = value else { continue };
            // One branch in three pins a term to its value, as `switch` and magic numbers do.
            let b = if self.rng.one_in(3) { self.terms.int(value) } else { self.int(1) };
            let op = [Op::Le, Op::Lt, Op::Ge, Op::Gt, Op::Eq][self.rng.below(5)];
            let branch = self.terms.mk(op, &[a, b]);
            match Evaluator::new(&self.terms, &model).truth(branch) {
                Ok(true) => query.assertions.push(branch),
                Ok(false) => query.assertions.push(self.terms.mk(Op::Not, &[branch])),
                Err(_) => {}
            }
        }
        query
    }
}
