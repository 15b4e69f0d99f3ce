//! Tseitin's conjunctive normal form (Yao et al. 2021, Section 4.1): every assertion becomes clauses over its atoms and over new
//! Boolean constants that name its subformulas. Each query stays satisfiable or unsatisfiable; quantified formulas are atoms.

use smt::{Command, FunId, Op, Script, SortId, TermId, TermMap, Terms};

/// The script with its assertions as clauses, one assertion a clause.
pub(crate) fn clausify(terms: &mut Terms, script: &Script) -> Script {
    let mut out = Script::default();
    for command in &script.commands {
        match command {
            Command::Assert(formula) => {
                let mut clauses = Clauses::default();
                clauses.assert(terms, *formula);
                for name in clauses.names {
                    out.push(Command::DeclareFun(name));
                }
                for clause in clauses.clauses {
                    out.push(Command::Assert(clause));
                }
            }
            other => out.push(other.clone()),
        }
    }
    out
}

#[derive(Default)]
struct Clauses {
    /// The literal that stands for each formula.
    literals: TermMap,
    names: Vec<FunId>,
    clauses: Vec<TermId>,
}

impl Clauses {
    /// Adds a formula that holds: conjunctions are several, disjunctions are clauses, and the rest is named.
    fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        let mut conjuncts = vec![formula];
        while let Some(formula) = conjuncts.pop() {
            match terms.op(formula) {
                Op::And => conjuncts.extend(terms.args(formula).iter().rev()),
                _ => {
                    let mut clause = Vec::new();
                    for part in disjuncts(terms, formula) {
                        clause.push(self.literal(terms, part));
                    }
                    self.push(terms, &clause);
                }
            }
        }
    }

    fn push(&mut self, terms: &mut Terms, clause: &[TermId]) {
        let clause = if let [unit] = *clause { unit } else { terms.mk(Op::Or, clause) };
        self.clauses.push(clause);
    }

    /// The literal of a formula, its parts named first.
    fn literal(&mut self, terms: &mut Terms, formula: TermId) -> TermId {
        let mut stack = vec![formula];
        while let Some(&top) = stack.last() {
            if self.literals.contains_key(&top) {
                stack.pop();
                continue;
            }
            let Some(normal) = connective(terms, top) else {
                self.literals.insert(top, top);
                continue;
            };
            let before = stack.len();
            if normal != top {
                // The same formula in binary connectives.
                match self.literals.get(&normal) {
                    Some(&literal) => {
                        self.literals.insert(top, literal);
                    }
                    None => stack.push(normal),
                }
                continue;
            }
            stack.extend(terms.args(top).iter().filter(|part| !self.literals.contains_key(*part)));
            if stack.len() == before {
                let parts: Vec<TermId> = terms.args(top).iter().map(|part| self.literals[part]).collect();
                let literal = self.name(terms, terms.op(top), &parts);
                self.literals.insert(top, literal);
            }
        }
        self.literals[&formula]
    }

    /// A name for a connective applied to literals, and the clauses that say so.
    fn name(&mut self, terms: &mut Terms, op: Op, parts: &[TermId]) -> TermId {
        if op == Op::Not {
            return negate(terms, parts[0]);
        }
        let symbol = terms.fresh_symbol("skeleton!");
        let fun = terms.declare(symbol, &[], SortId::BOOL);
        self.names.push(fun);
        let p = terms.apply(fun, &[]).expect("a constant takes no arguments");
        let q = negate(terms, p);
        match (op, parts) {
            (Op::And, _) => {
                let mut all = vec![p];
                for &part in parts {
                    self.push(terms, &[q, part]);
                    all.push(negate(terms, part));
                }
                self.push(terms, &all);
            }
            (Op::Or | Op::Implies, _) => {
                let mut any = vec![q];
                for (i, &part) in parts.iter().enumerate() {
                    let antecedent = op == Op::Implies && i + 1 < parts.len();
                    let part = if antecedent { negate(terms, part) } else { part };
                    let not_part = negate(terms, part);
                    self.push(terms, &[p, not_part]);
                    any.push(part);
                }
                self.push(terms, &any);
            }
            (Op::Ite, &[c, t, e]) => {
                let (nc, nt, ne) = (negate(terms, c), negate(terms, t), negate(terms, e));
                for clause in [[q, nc, t], [q, c, e], [p, nc, nt], [p, c, ne]] {
                    self.push(terms, &clause);
                }
            }
            (_, &[x, y]) => {
                // Equality, or `xor`: equality with one side negated.
                let y = if op == Op::Eq { y } else { negate(terms, y) };
                let (nx, ny) = (negate(terms, x), negate(terms, y));
                for clause in [[q, nx, y], [q, x, ny], [p, x, y], [p, nx, ny]] {
                    self.push(terms, &clause);
                }
            }
            _ => unreachable!("connectives are binary here"),
        }
        p
    }
}

/// The parts of a disjunction, nested ones too.
fn disjuncts(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut stack = vec![formula];
    while let Some(formula) = stack.pop() {
        match terms.op(formula) {
            Op::Or => stack.extend(terms.args(formula).iter().rev()),
            Op::Implies => {
                let args = terms.args(formula).to_vec();
                let (&last, antecedents) = args.split_last().expect("an implication has arguments");
                stack.push(last);
                for &antecedent in antecedents.iter().rev() {
                    let negated = negate(terms, antecedent);
                    stack.push(negated);
                }
            }
            _ => parts.push(formula),
        }
    }
    parts
}

fn negate(terms: &mut Terms, literal: TermId) -> TermId {
    match terms.op(literal) {
        Op::Not => terms.args(literal)[0],
        _ => terms.mk(Op::Not, &[literal]),
    }
}

/// A formula whose parts are named, with binary `=` and `xor`; `None` for atoms.
fn connective(terms: &mut Terms, formula: TermId) -> Option<TermId> {
    let args = terms.args(formula);
    let boolean = args.last().is_some_and(|&a| terms.sort(a) == SortId::BOOL);
    match terms.op(formula) {
        Op::Not | Op::And | Op::Or | Op::Implies => Some(formula),
        Op::Ite if terms.sort(formula) == SortId::BOOL => Some(formula),
        Op::Distinct if boolean && args.len() == 2 => Some(formula),
        Op::Eq if boolean && args.len() > 2 => {
            let args = args.to_vec();
            let pairs: Vec<TermId> = args.windows(2).map(|pair| terms.mk(Op::Eq, pair)).collect();
            Some(terms.mk(Op::And, &pairs))
        }
        Op::Xor if args.len() > 2 => {
            let args = args.to_vec();
            args.into_iter().reduce(|a, b| terms.mk(Op::Xor, &[a, b]))
        }
        Op::Eq if boolean => Some(formula),
        Op::Xor if args.len() == 2 => Some(formula),
        _ => None,
    }
}
