//! Evaluates the same conjuncts under many assignments, one after the other: consecutive partial solutions differ in few
//! constants, so only what depends on a changed one is computed again. The meaning of every operator is the operator
//! table's; terms that are more than table operators (functions, binders, datatypes) go to the evaluator.

use rustc_hash::FxHashMap;
use smt::eval::{Call, EvalResult, Evaluation, Need};
use smt::regex::Regexes;
use smt::walk::reachable;
use smt::{Evaluator, FunId, Model, Op, TermId, Terms, Undefined, Value};

/// The conjuncts with the values of all their subterms.
pub(crate) struct Replay<'a> {
    terms: &'a Terms,
    conjuncts: Vec<TermId>,
    /// All subterms, arguments first, or nothing where the evaluator is needed.
    plan: Option<Plan>,
    model: Model,
    regexes: Regexes,
}

struct Plan {
    nodes: Vec<Node>,
    args: Vec<u32>,
    outcomes: Vec<EvalResult>,
    changed: Vec<bool>,
    slots: FxHashMap<FunId, u32>,
    roots: Vec<u32>,
    fresh: bool,
}

struct Node {
    term: TermId,
    op: Op,
    start: u32,
    end: u32,
}

impl<'a> Replay<'a> {
    /// For these conjuncts, with nothing assigned.
    pub(crate) fn new(terms: &'a Terms, conjuncts: &[TermId]) -> Replay<'a> {
        Replay {
            terms,
            conjuncts: conjuncts.to_vec(),
            plan: Plan::new(terms, conjuncts),
            model: Model::default(),
            regexes: Regexes::new(),
        }
    }

    /// Assigns values; constants that are not listed keep theirs.
    pub(crate) fn assign(&mut self, values: &[(FunId, Value)]) {
        match &mut self.plan {
            Some(plan) => plan.assign(self.terms, &mut self.regexes, values),
            None => {
                for (fun, value) in values {
                    self.model.set(*fun, value.clone());
                }
            }
        }
    }

    /// How many conjuncts are true, and the position of the first that is not.
    pub(crate) fn score(&self) -> (usize, Option<usize>) {
        let truths: Vec<bool> = match &self.plan {
            Some(plan) => {
                plan.roots.iter().map(|&r| plan.outcomes[r as usize] == Ok(Value::Bool(true))).collect()
            }
            None => {
                let mut evaluator = Evaluator::new(self.terms, &self.model);
                self.conjuncts.iter().map(|&t| evaluator.truth(t) == Ok(true)).collect()
            }
        };
        (truths.iter().filter(|&&t| t).count(), truths.iter().position(|&t| !t))
    }
}

impl Plan {
    fn new(terms: &Terms, conjuncts: &[TermId]) -> Option<Plan> {
        let all = reachable(terms, conjuncts);
        let mut plan = Plan {
            nodes: Vec::with_capacity(all.len()),
            args: Vec::new(),
            outcomes: Vec::with_capacity(all.len()),
            changed: vec![false; all.len()],
            slots: FxHashMap::default(),
            roots: Vec::new(),
            fresh: true,
        };
        let mut place: FxHashMap<TermId, u32> = FxHashMap::default();
        for term in all {
            let (at, op, start) = (plan.nodes.len() as u32, terms.op(term), plan.args.len() as u32);
            let constant = op == Op::Apply && terms.args(term).is_empty() && !terms.is_function_symbol(term);
            let outcome = match (op.info().evaluation, terms.as_value(term)) {
                (_, Some(Value::Opaque(..))) | (Evaluation::Opaque, _) => return None,
                (_, Some(value)) => Ok(value.clone()),
                (Evaluation::Node, None) if constant => {
                    let fun = terms.as_fun(term).filter(|&f| terms.fun(f).definition.is_none())?;
                    plan.slots.insert(fun, at);
                    Err(Undefined::Unlisted(terms.fun_name(fun).into()))
                }
                (Evaluation::Node, None) => return None,
                (Evaluation::Strict(_) | Evaluation::Lenient(_), None) => {
                    plan.args.extend(terms.args(term).iter().map(|a| place[a]));
                    Err(Undefined::Quantifier)
                }
            };
            plan.nodes.push(Node { term, op, start, end: plan.args.len() as u32 });
            plan.outcomes.push(outcome);
            place.insert(term, at);
        }
        plan.roots = conjuncts.iter().map(|c| place[c]).collect();
        Some(plan)
    }

    fn assign(&mut self, terms: &Terms, regexes: &mut Regexes, values: &[(FunId, Value)]) {
        self.changed.fill(self.fresh);
        for (fun, value) in values {
            if let Some(&slot) = self.slots.get(fun)
                && self.outcomes[slot as usize].as_ref() != Ok(value)
            {
                self.outcomes[slot as usize] = Ok(value.clone());
                self.changed[slot as usize] = true;
            }
        }
        self.fresh = false;
        let mut arguments: Vec<Value> = Vec::new();
        let mut outcomes: Vec<EvalResult> = Vec::new();
        for at in 0..self.nodes.len() {
            let node = &self.nodes[at];
            let args = &self.args[node.start as usize..node.end as usize];
            if args.is_empty() && !matches!(node.op.info().evaluation, Evaluation::Strict(_)) {
                continue;
            }
            if !(args.iter().any(|&a| self.changed[a as usize]) || args.is_empty() && self.changed[at]) {
                self.changed[at] = false;
                continue;
            }
            let outcome = match node.op.info().evaluation {
                Evaluation::Strict(function) => {
                    match args.iter().find_map(|&a| self.outcomes[a as usize].as_ref().err()) {
                        // A term equals itself, whatever it is.
                        Some(_) if node.op == Op::Eq && args.windows(2).all(|w| w[0] == w[1]) => {
                            Ok(Value::Bool(true))
                        }
                        Some(reason) => Err(reason.clone()),
                        None => {
                            arguments.clear();
                            arguments.extend(args.iter().flat_map(|&a| self.outcomes[a as usize].clone()));
                            let (indices, sort) = (terms.indices(node.term), terms.sort(node.term));
                            function(&mut Call { args: &arguments, indices, sort, terms, regexes })
                        }
                    }
                }
                Evaluation::Lenient(function) => {
                    outcomes.clear();
                    loop {
                        match function(&outcomes, args.len()) {
                            Need::Done(outcome) => break outcome,
                            Need::Undefined(i) => break outcomes[i].clone(),
                            Need::Arg(i) => {
                                outcomes.resize(i, Err(Undefined::Quantifier));
                                outcomes.push(self.outcomes[args[i] as usize].clone());
                            }
                        }
                    }
                }
                Evaluation::Node | Evaluation::Opaque => unreachable!("leaves have no arguments"),
            };
            self.changed[at] = self.outcomes[at] != outcome;
            self.outcomes[at] = outcome;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::first_failure;
    use smt::read_script;

    /// The evaluator is the oracle: for random assignments in any order, the replayed score is what it says.
    #[test]
    fn replaying_agrees_with_the_evaluator() {
        let source = "(declare-const p Bool)(declare-const x Int)(declare-const y Int)(declare-const z Int)
            (assert (or p (< x y)))(assert (= (ite p x (* y z)) (+ x 1)))(assert (> (div x y) (mod z 3)))
            (assert (distinct x y z))(assert (not (and p (>= (abs x) 2) (= (div z x) (div z x)))))
            (assert (=> p (> x 0) (> y 0)))(assert (xor p (= x y)))(assert (str.in_re (str.from_int x) (re.+ (re.range \"0\" \"2\"))))";
        let mut terms = Terms::new();
        let reading = read_script(&mut terms, source);
        assert!(reading.errors.is_empty(), "{:?}", reading.errors);
        let conjuncts: Vec<TermId> = reading.script.assertions().collect();
        let constants: Vec<FunId> = crate::profile::Profile::of(&terms, &conjuncts).symbols;
        let mut replay = Replay::new(&terms, &conjuncts);
        assert!(replay.plan.is_some());
        let mut state = 7u64;
        for _ in 0..2000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut model = Model::default();
            let mut values = Vec::new();
            for (i, &constant) in constants.iter().enumerate() {
                let number = (state >> (20 + 4 * i)) & 7;
                let value = match terms.fun(constant).result {
                    smt::SortId::BOOL => Value::Bool(number & 1 == 1),
                    _ => Value::Int((number as i64 - 3).into()),
                };
                model.set(constant, value.clone());
                values.push((constant, value));
            }
            replay.assign(&values);
            let mut evaluator = Evaluator::new(&terms, &model);
            let holds = conjuncts.iter().filter(|&&t| evaluator.truth(t) == Ok(true)).count();
            assert_eq!(replay.score(), (holds, first_failure(&terms, &model, &conjuncts)));
        }
    }
}
