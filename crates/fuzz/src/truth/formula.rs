//! A formula whose truth is known, and the steps of Bugariu and Müller 2020 that make another one of it: variable replacement, constant
//! replacement, redundancy introduction (Section 3.2). Each step keeps what is known: an unsatisfiable formula stays
//! unsatisfiable and its core is carried along; a satisfiable one stays satisfiable and its model is extended, or the
//! step is refused.

use super::tables::{LAWS, LawTerms, VARIABLE_LAWS};
use crate::tuning::truth_formula::ATTEMPTS;
use random::Rng;
use smt::model::Model;
use smt::walk::{TermMap, reachable};
use smt::{Evaluator, Op, SortId, TermId, Terms, Value};

/// One conjunct.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The name of its assertion.
    pub(crate) name: String,
    /// What is asserted.
    pub(crate) term: TermId,
    /// Whether it belongs to the minimal core, if the formula is unsatisfiable.
    pub(crate) core: bool,
}

/// What is known of a formula.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    /// Satisfiable, with these values for its variables.
    Sat(Vec<(TermId, Value)>),
    /// Unsatisfiable. The first conjunct is the negated claim, which steps leave alone where the paper does.
    Unsat,
}

/// Conjuncts and what is known of them.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) parts: Vec<Part>,
    pub(crate) truth: Truth,
    /// Whether the conjuncts marked for the core are a minimal core, as far as the construction knows.
    pub(crate) minimal: bool,
    /// How many steps were made.
    pub(crate) steps: usize,
}

impl Formula {
    /// A satisfiable formula with its model.
    pub(crate) fn sat(assertions: Vec<TermId>, model: Vec<(TermId, Value)>) -> Formula {
        let parts = assertions
            .into_iter()
            .enumerate()
            .map(|(i, term)| Part { name: format!("part{}", i + 1), term, core: false })
            .collect();
        Formula { parts, truth: Truth::Sat(model), minimal: false, steps: 0 }
    }

    /// An unsatisfiable formula: `claim` is refuted by `parts`, and all of them are needed.
    pub(crate) fn unsat(terms: &mut Terms, claim: TermId, parts: &[TermId]) -> Formula {
        let refuted = terms.mk(Op::Not, &[claim]);
        let mut all = vec![Part { name: "claim".into(), term: refuted, core: true }];
        all.extend(parts.iter().enumerate().map(|(i, &term)| Part {
            name: format!("part{}", i + 1),
            term,
            core: true,
        }));
        Formula { parts: all, truth: Truth::Unsat, minimal: true, steps: 0 }
    }

    /// The asserted terms.
    pub(crate) fn terms(&self) -> Vec<TermId> {
        self.parts.iter().map(|part| part.term).collect()
    }

    /// The variables in the order of their creation.
    pub(crate) fn variables(&self, terms: &Terms) -> Vec<TermId> {
        variables_of(terms, &self.terms())
    }

    /// The constants that some law can replace, in the order of their creation.
    pub(crate) fn constants(&self, terms: &Terms, laws: &[LawTerms]) -> Vec<TermId> {
        // A pattern's constants occur in the body too, so all reachable ones will do.
        let replaceable = |term: &TermId| laws[VARIABLE_LAWS..].iter().any(|law| law.right == *term);
        reachable(terms, &self.terms()).into_iter().filter(replaceable).collect()
    }

    /// The universally bound variables of all quantifiers, without repetition.
    pub(crate) fn bound_variables(&self, terms: &Terms) -> Vec<TermId> {
        let mut found = Vec::new();
        for term in reachable(terms, &self.terms()) {
            if let (Op::Forall, Some((vars, _))) = (terms.op(term), terms.binder(term)) {
                found.extend(vars.iter().copied().filter(|var| !found.contains(var)).collect::<Vec<_>>());
            }
        }
        found
    }

    /// Whether the model, where there is one, makes every conjunct true.
    pub(crate) fn holds(&self, terms: &Terms) -> bool {
        let Truth::Sat(values) = &self.truth else { return false };
        let model = model_of(terms, values);
        let mut evaluator = Evaluator::new(terms, &model);
        self.parts.iter().all(|part| evaluator.truth(part.term) == Ok(true))
    }

    /// Replaces `x` by a fresh variable in all conjuncts from number `from` on, and says by an equality of Table 3 that
    /// the two are equal. `needed` says whether the refutation needs that equality (the paper's variable replacement),
    /// or whether it is only in the way (its redundancy introduction). `false`, and nothing is done, if the model cannot
    /// follow.
    pub(crate) fn replace_variable(
        &mut self,
        terms: &mut Terms,
        x: TermId,
        law: &LawTerms,
        from: usize,
        needed: bool,
        rng: &mut Rng,
    ) -> bool {
        debug_assert_eq!(terms.sort(x), terms.sort(law.right));
        let fresh = self.fresh(terms, x, "fresh");
        self.rewrite(terms, law, x, x, fresh, from, needed, rng)
    }

    /// Replaces the constant `c` everywhere by a fresh variable that equals a term of Table 3. As
    /// [`Formula::replace_variable`], it may refuse.
    pub(crate) fn replace_constant(
        &mut self,
        terms: &mut Terms,
        c: TermId,
        law: &LawTerms,
        rng: &mut Rng,
    ) -> bool {
        debug_assert_eq!(c, law.right);
        let name = format!("z_fresh{}", self.steps + 1);
        let fresh = terms.symbol_constant(&name, terms.sort(c));
        self.rewrite(terms, law, c, c, fresh, 0, true, rng)
    }

    /// Conjoins `left = fresh` and the side conditions, with `subject` (a variable or constant) for the right-hand side
    /// of the law, and puts `fresh` for `old`.
    #[expect(clippy::too_many_arguments, reason = "the one step that the two kinds of replacement share")]
    fn rewrite(
        &mut self,
        terms: &mut Terms,
        law: &LawTerms,
        subject: TermId,
        old: TermId,
        fresh: TermId,
        from: usize,
        needed: bool,
        rng: &mut Rng,
    ) -> bool {
        let step = self.steps + 1;
        let mut map = TermMap::default();
        let mut others = Vec::new();
        for &var in &law.vars {
            if var == law.right {
                map.insert(var, subject);
            } else {
                let other = self.fresh(terms, var, "law");
                map.insert(var, other);
                others.push(other);
            }
        }
        let mut roots = vec![law.left];
        roots.extend_from_slice(&law.side);
        let instance = terms.substitute(&roots, &map);
        let equation = terms.mk(Op::Eq, &[instance[0], fresh]);
        let mut added = vec![Part { name: format!("law{step}"), term: equation, core: needed }];
        for (i, &side) in instance[1..].iter().enumerate() {
            added.push(Part { name: format!("side{step}_{}", i + 1), term: side, core: needed });
        }
        if let Truth::Sat(values) = &self.truth {
            let Some(extended) = extend(terms, values, subject, fresh, &others, &added, rng) else {
                return false;
            };
            self.truth = Truth::Sat(extended);
        }
        let replacement = TermMap::from_iter([(old, fresh)]);
        for part in &mut self.parts[from..] {
            part.term = terms.substitute(&[part.term], &replacement)[0];
        }
        self.parts.extend(added);
        self.count_step();
        true
    }

    /// Redundancy for a universally bound variable `y`: in every quantifier that binds it, the body is said of a fresh
    /// variable, under the condition that the law relates the two.
    ///
    /// The condition is `side => left = fresh`, so that the quantifier means what it meant: for every value of `fresh`
    /// there is a `y` (the same value) for which the condition holds by the law. Were it `side and left = fresh`, NC1
    /// would leave the body open for all strings but those of length one, and the formula would be satisfiable.
    pub(crate) fn replace_bound(&mut self, terms: &mut Terms, y: TermId, law: &LawTerms) {
        let step = self.steps + 1;
        let roots = self.terms();
        let mut map = TermMap::default();
        for term in reachable(terms, &roots) {
            let binds =
                terms.op(term) == Op::Forall && terms.binder(term).is_some_and(|(vars, _)| vars.contains(&y));
            if binds {
                let replaced = quantify_freshly(terms, term, y, law, step);
                map.insert(term, replaced);
            }
        }
        let new = terms.substitute(&roots, &map);
        for (part, term) in self.parts.iter_mut().zip(new) {
            part.term = term;
        }
        self.count_step();
    }

    /// After one step the core is minimal (Section 3.2); after several it is still a core, but it is not known whether all of
    /// it is needed.
    fn count_step(&mut self) {
        self.steps += 1;
        self.minimal &= self.steps <= 1;
    }

    /// A variable of the same sort that the formula does not have.
    fn fresh(&self, terms: &mut Terms, like: TermId, suffix: &str) -> TermId {
        let fun = terms.as_fun(like).expect("a variable");
        let name = format!("{}_{suffix}{}", terms.fun_name(fun), self.steps + 1);
        terms.symbol_constant(&name, terms.sort(like))
    }
}

/// The laws that can replace something of this sort: rows of Table 3 by their numbers.
pub(crate) fn variable_laws(laws: &[LawTerms], terms: &Terms, sort: SortId) -> Vec<usize> {
    (0..VARIABLE_LAWS).filter(|&i| terms.sort(laws[i].right) == sort).collect()
}

/// The laws that can replace a constant.
pub(crate) fn constant_laws(laws: &[LawTerms], constant: TermId) -> Vec<usize> {
    (VARIABLE_LAWS..LAWS.len()).filter(|&i| laws[i].right == constant).collect()
}

/// The uninterpreted constants in terms, in the order of their creation.
pub(crate) fn variables_of(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    reachable(terms, roots).into_iter().filter(|&term| terms.op(term) == Op::Apply).collect()
}

/// The model that gives variables these values.
pub(crate) fn model_of(terms: &Terms, values: &[(TermId, Value)]) -> Model {
    let mut model = Model::default();
    for (var, value) in values {
        model.set(terms.as_fun(*var).expect("a variable"), value.clone());
    }
    model
}

/// The model with values for the variables that a law brought: `fresh` is what the law's subject is, the others are
/// looked for.
fn extend(
    terms: &Terms,
    values: &[(TermId, Value)],
    subject: TermId,
    fresh: TermId,
    others: &[TermId],
    added: &[Part],
    rng: &mut Rng,
) -> Option<Vec<(TermId, Value)>> {
    let value = match terms.as_value(subject) {
        Some(constant) => constant.clone(),
        None => values.iter().find(|(var, _)| *var == subject)?.1.clone(),
    };
    let mut extended = values.to_vec();
    extended.push((fresh, value));
    let known = extended.len();
    let attempts = if others.is_empty() { 1 } else { ATTEMPTS };
    for _ in 0..attempts {
        extended.truncate(known);
        for &other in others {
            extended.push((other, likely_value(terms, terms.sort(other), rng)));
        }
        let model = model_of(terms, &extended);
        let mut evaluator = Evaluator::new(terms, &model);
        if added.iter().all(|part| evaluator.truth(part.term) == Ok(true)) {
            return Some(extended);
        }
    }
    None
}

/// A value that side conditions of Table 3 ask for.
fn likely_value(terms: &Terms, sort: SortId, rng: &mut Rng) -> Value {
    match sort {
        SortId::INT => Value::Int(rng.between(-2, 10).into()),
        SortId::BOOL => Value::Bool(rng.one_in(2)),
        SortId::STRING => {
            let digit = rng.below(10).to_string();
            let text = rng.pick(&["", "", "a", "b", "ab", "zz-", digit.as_str(), digit.as_str()]);
            Value::String(smt::SmtString::from_latin1(text.as_bytes()))
        }
        other => {
            unreachable!("laws speak of strings, integers and Booleans, not of {:?}", terms.sort_of(other))
        }
    }
}

/// One quantifier with the redundancy of [`Formula::replace_bound`].
fn quantify_freshly(terms: &mut Terms, quantifier: TermId, y: TermId, law: &LawTerms, step: usize) -> TermId {
    let (vars, body) = terms.binder(quantifier).expect("a quantifier");
    let mut vars = vars.to_vec();
    let name = terms.name(terms.bound_name(y).expect("a bound variable")).to_string();
    let mut bind = |terms: &mut Terms, name: String, sort: SortId| {
        let symbol = terms.symbol(&name);
        let var = terms.bound(symbol, sort, 0);
        vars.push(var);
        var
    };
    let fresh = bind(terms, format!("{name}_fresh{step}"), terms.sort(y));
    let mut map = TermMap::default();
    for &var in &law.vars {
        if var == law.right {
            map.insert(var, y);
        } else {
            let fun = terms.as_fun(var).expect("a variable");
            let (name, sort) = (format!("{}_law{step}", terms.fun_name(fun)), terms.sort(var));
            let bound = bind(terms, name, sort);
            map.insert(var, bound);
        }
    }
    let mut roots = vec![law.left];
    roots.extend_from_slice(&law.side);
    let instance = terms.substitute(&roots, &map);
    let mut condition = terms.mk(Op::Eq, &[instance[0], fresh]);
    if instance.len() > 1 {
        let side = if instance.len() == 2 { instance[1] } else { terms.mk(Op::And, &instance[1..]) };
        condition = terms.mk(Op::Implies, &[side, condition]);
    }
    let renaming = TermMap::from_iter([(y, fresh)]);
    let annotated = terms.op(body) == Op::Annot;
    let (attributes, inner) = if annotated {
        let args = terms.args(body).to_vec();
        (terms.attributes(body).expect("annotations").to_vec(), args)
    } else {
        (Vec::new(), vec![body])
    };
    let mut inner = terms.substitute(&inner, &renaming);
    let mut body = terms.mk(Op::Implies, &[condition, inner[0]]);
    if annotated {
        // The pattern has to mention all variables: the law's term mentions those that the old one does not.
        inner.remove(0);
        inner.push(instance[0]);
        let attributes: Vec<smt::Attribute> = attributes
            .into_iter()
            .map(|mut attribute| {
                if let smt::AttributeValue::Terms(n) = &mut attribute.value {
                    *n += 1;
                }
                attribute
            })
            .collect();
        body = terms.annotate(body, &attributes, &inner);
    }
    terms.quantifier(Op::Forall, &vars, body).expect("a Boolean body")
}
