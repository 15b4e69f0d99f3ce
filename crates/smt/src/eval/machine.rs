//! The evaluation machine: frames for applications under way, environments for bound variables, memo tables.

use super::domain::{Assignments, candidates, values_of};
use super::{Call, EvalResult, Evaluation, Need, Undefined};
use crate::binders::FreeVars;
use crate::conversion::Conversion;
use crate::float::Float;
use crate::graph::tabulate;
use crate::model::{Interpretation, Model, Table};
use crate::op::Op;
use crate::regex::Regexes;
use crate::sort::{Sort, SortId};
use crate::term::{Flags, FunId, TermId, Terms};
use crate::value::{ArrayValue, DatatypeValue, FunctionValue, Value};
use dashu_base::BitTest;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many applications one evaluation may visit.
const DEFAULT_STEPS: u64 = 50_000_000;
/// How many function calls and quantifiers may be open at once.
const MAX_ENVIRONMENTS: usize = 20_000;
/// Quantifiers over at most this many assignments are decided by enumeration.
const MAX_ENUMERATION: u64 = 1 << 16;
/// Quantifiers over infinite sorts are tried at this many samples.
const MAX_SAMPLES: u64 = 1 << 10;
/// Datatype values nest at most this deep, since comparing and dropping them recurses.
const MAX_NESTING: u32 = 1000;

/// Steps between two looks at the arena's token.
const POLL_EVERY: u64 = 4096;
/// Bits of a number, or characters of a string, whose work counts as one more step.
const BULK: usize = 1 << 12;

type Memo = HashMap<TermId, EvalResult, FxBuildHasher>;

/// Evaluates terms of one arena under one model; what is known stays known between calls.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    /// Values of terms without bound variables.
    memo: Memo,
    /// Arrays that were written to in place, and so are not in the memo though they were evaluated; and those of them that
    /// the caller asked for again, which are not written to.
    overwritten: HashSet<TermId, FxBuildHasher>,
    kept: HashSet<TermId, FxBuildHasher>,
    regexes: Regexes,
    environments: Vec<Environment>,
    frames: Vec<Frame>,
    outcomes: Vec<EvalResult>,
    steps: u64,
    /// Steps until the arena's token is looked at again.
    until_poll: u64,
}

/// The bound variables of a call or quantifier, and the values of terms that mention them.
struct Environment {
    vars: Vec<(TermId, Value)>,
    /// Where the variables of the surrounding binder are.
    parent: Option<usize>,
    memo: Memo,
    /// Variables of a quantifier that is probed: they hide outer ones and have no value.
    unknown: Vec<TermId>,
}

struct Frame {
    term: TermId,
    /// The environment in which the term is evaluated.
    env: usize,
    /// Where the outcomes of its arguments start.
    base: usize,
    work: Work,
}

/// What a frame is doing.
enum Work {
    /// Evaluating arguments; then applying the operator.
    Args,
    /// The body of a call is being evaluated in the environment on top.
    Call,
    /// A quantifier walks through assignments.
    Quantifier(Box<Search>),
    /// A case of a match.
    Case,
}

struct Search {
    assignments: Assignments,
    vars: Vec<TermId>,
    body: TermId,
    /// Whether the assignments are all there are.
    complete: bool,
    /// The first undefined outcome.
    open: Option<Undefined>,
    probing: bool,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with the default budget.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Self {
        let root = Environment { vars: Vec::new(), parent: None, memo: Memo::default(), unknown: Vec::new() };
        Evaluator {
            terms,
            model,
            memo: Memo::default(),
            overwritten: HashSet::default(),
            kept: HashSet::default(),
            regexes: Regexes::new(),
            environments: vec![root],
            frames: Vec::new(),
            outcomes: Vec::new(),
            steps: DEFAULT_STEPS,
            until_poll: 0,
        }
    }

    /// Sets how many applications may still be visited.
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// The value of a term.
    pub fn eval(&mut self, term: TermId) -> EvalResult {
        self.eval_with(term, &[])
    }

    /// Whether a Boolean term is true, false, or neither.
    pub fn truth(&mut self, term: TermId) -> Result<bool, Undefined> {
        self.eval(term).map(|v| v.as_bool().expect("the term is Boolean"))
    }

    /// The value of a term under values for bound variables that are free in it.
    pub(crate) fn eval_with(&mut self, term: TermId, vars: &[(TermId, Value)]) -> EvalResult {
        self.frames.clear();
        self.outcomes.clear();
        self.environments.truncate(1);
        self.environments[0].memo.clear();
        self.environments[0].vars = vars.to_vec();
        let mut result = self.demand(term, 0);
        loop {
            if let Some(outcome) = result.take() {
                let Some(frame) = self.frames.last_mut() else { return outcome };
                match &mut frame.work {
                    Work::Args => self.outcomes.push(outcome),
                    Work::Call | Work::Case => {
                        self.environments.pop();
                        result = Some(self.finish(outcome));
                        continue;
                    }
                    Work::Quantifier(search) => match search.take(self.terms.op(frame.term), outcome) {
                        Some(done) => {
                            self.environments.pop();
                            result = Some(self.finish(done));
                            continue;
                        }
                        None => {
                            result = self.next_assignment();
                            continue;
                        }
                    },
                }
            }
            result = self.advance();
        }
    }

    /// The value of a term if it is known at once; otherwise a frame for it is opened.
    #[inline]
    fn demand(&mut self, term: TermId, env: usize) -> Option<EvalResult> {
        match self.terms.op(term) {
            Op::Const => return Some(self.constant(term)),
            Op::Bound => return Some(self.variable(term, env)),
            _ => {}
        }
        let memo =
            if self.terms.flags(term).has(Flags::BOUND) { &self.environments[env].memo } else { &self.memo };
        if let Some(known) = memo.get(&term) {
            return Some(known.clone());
        }
        if let Err(limit) = self.charge(1) {
            return Some(Err(limit));
        }
        if self.terms.op(term) == Op::Store && self.overwritten.contains(&term) && !self.is_for_a_write() {
            self.kept.insert(term);
        }
        self.frames.push(Frame { term, env, base: self.outcomes.len(), work: Work::Args });
        None
    }

    /// Pays for work, in steps.
    #[inline]
    fn charge(&mut self, cost: u64) -> Result<(), Undefined> {
        if self.steps == 0 {
            return Err(Undefined::Limit("the evaluation takes too many steps"));
        }
        self.steps = self.steps.saturating_sub(cost);
        match self.until_poll.checked_sub(cost) {
            Some(left) => self.until_poll = left,
            None => {
                self.until_poll = POLL_EVERY;
                if self.terms.token().is_over() {
                    self.steps = 0;
                    return Err(Undefined::Limit("the evaluation takes too long"));
                }
            }
        }
        Ok(())
    }

    fn constant(&self, term: TermId) -> EvalResult {
        match self.terms.as_value(term).expect("a constant") {
            Value::Opaque(..) => Err(Undefined::Opaque),
            value => Ok(value.clone()),
        }
    }

    fn variable(&self, var: TermId, env: usize) -> EvalResult {
        let mut at = Some(env);
        while let Some(i) = at {
            let environment = &self.environments[i];
            if let Some((_, value)) = environment.vars.iter().rev().find(|(v, _)| *v == var) {
                return Ok(value.clone());
            }
            if environment.unknown.contains(&var) {
                return Err(Undefined::Quantifier);
            }
            at = environment.parent;
        }
        Err(Undefined::Quantifier)
    }

    /// Closes the frame on top with an outcome. What is known by a name only is no value to compute with, wherever it came from: a
    /// table of a function, an array.
    fn finish(&mut self, outcome: EvalResult) -> EvalResult {
        let outcome = match outcome {
            Ok(Value::Opaque(..)) => Err(Undefined::Opaque),
            other => other,
        };
        let frame = self.frames.pop().expect("a frame is open");
        self.outcomes.truncate(frame.base);
        let memo = if self.terms.flags(frame.term).has(Flags::BOUND) {
            &mut self.environments[frame.env].memo
        } else {
            &mut self.memo
        };
        memo.insert(frame.term, outcome.clone());
        outcome
    }

    /// Works on the frame on top until it is finished or needs another term.
    fn advance(&mut self) -> Option<EvalResult> {
        let frame = self.frames.last().expect("a frame is open");
        let (term, env, base) = (frame.term, frame.env, frame.base);
        let op = self.terms.op(term);
        let args = self.terms.args(term);
        let seen = self.outcomes.len() - base;
        match op.info().evaluation {
            Evaluation::Opaque => Some(self.finish(Err(Undefined::Unsupported(op.name())))),
            Evaluation::Strict(function) => {
                // A term equals itself, whatever it is.
                if op == Op::Eq && args.windows(2).all(|w| w[0] == w[1]) {
                    return Some(self.finish(Ok(Value::Bool(true))));
                }
                if let Some(Err(reason)) = self.outcomes[base..].last() {
                    let reason = reason.clone();
                    return Some(self.finish(Err(reason)));
                }
                if seen < args.len() {
                    return self.demand(args[seen], env);
                }
                let values: Vec<Value> =
                    self.outcomes.drain(base..).map(|v| v.expect("all arguments are defined")).collect();
                if op == Op::Select && matches!(values[0], Value::Function(_)) {
                    return self.apply_value(values);
                }
                if op == Op::Store && matches!(values[0], Value::Array(_)) {
                    return Some(self.store(args[0], values));
                }
                let weight = values.iter().map(weight).sum();
                if weight > 0
                    && let Err(limit) = self.charge(weight)
                {
                    return Some(self.finish(Err(limit)));
                }
                let (indices, sort) = (self.terms.indices(term), self.terms.sort(term));
                let mut call =
                    Call { args: &values, indices, sort, terms: self.terms, regexes: &mut self.regexes };
                match function(&mut call) {
                    Err(Undefined::DivisionByZero) => self.divide_by_zero(op, values),
                    Err(Undefined::FloatConversion) => self.open_conversion(term, values),
                    Err(Undefined::ZeroSigns) => Some(self.finish(self.open_zero(op, &values))),
                    outcome => Some(self.finish(outcome)),
                }
            }
            Evaluation::Lenient(function) => match function(&self.outcomes[base..], args.len()) {
                Need::Done(outcome) => Some(self.finish(outcome)),
                Need::Arg(i) => {
                    // Arguments are seen in order, except that `ite` skips one.
                    while self.outcomes.len() - base < i {
                        self.outcomes.push(Err(Undefined::Quantifier));
                    }
                    self.demand(args[i], env)
                }
                Need::Undefined(i) => {
                    let reason = self.outcomes[base + i].clone();
                    Some(self.finish(reason))
                }
            },
            Evaluation::Node => self.advance_node(op, term, env, base),
        }
    }

    /// Whether what the frame on top asks for is the array that it writes to.
    fn is_for_a_write(&self) -> bool {
        let writes =
            |frame: &Frame| self.terms.op(frame.term) == Op::Store && frame.base == self.outcomes.len();
        self.frames.last().is_some_and(writes)
    }

    /// Writes to an array. One that is itself the result of a write is rarely asked for again, and is written to in place: to
    /// copy it for each write of a chain would take quadratic time.
    fn store(&mut self, written: TermId, values: Vec<Value>) -> EvalResult {
        if self.terms.op(written) == Op::Store && !self.kept.contains(&written) {
            self.overwritten.insert(written);
            self.memo.remove(&written);
        }
        let [Value::Array(array), index, element] =
            <[Value; 3]>::try_from(values).expect("an array, an index and an element")
        else {
            unreachable!("the caller looked");
        };
        let outcome = Ok(super::array::stored(self.terms, array, index, element));
        self.finish(outcome)
    }

    /// Terms that are not applications of table operators.
    fn advance_node(&mut self, op: Op, term: TermId, env: usize, base: usize) -> Option<EvalResult> {
        let args = self.terms.args(term);
        let seen = self.outcomes.len() - base;
        match op {
            Op::Const | Op::Bound => unreachable!("leaves are known at once"),
            Op::Forall | Op::Exists => return self.open_quantifier(term, env),
            Op::Lambda => {
                if let Some(array) = self.lambda_as_array(term) {
                    return Some(self.finish(Ok(array)));
                }
                let captured = self.captured(env);
                return Some(
                    self.finish(Ok(Value::Function(Arc::new(FunctionValue::Lambda(term, captured))))),
                );
            }
            Op::AsArray => {
                let fun = self.terms.as_fun(term).expect("a function");
                let value = match self.model.interpretation(fun) {
                    Some(Interpretation::Table(table)) => {
                        table_as_array(self.terms, self.terms.sort(term), table)
                    }
                    _ => Value::Function(Arc::new(FunctionValue::Symbol(fun, Vec::new()))),
                };
                return Some(self.finish(Ok(value)));
            }
            Op::Apply if self.terms.is_function_symbol(term) => {
                let fun = self.terms.as_fun(term).expect("a function");
                return Some(
                    self.finish(Ok(Value::Function(Arc::new(FunctionValue::Symbol(fun, Vec::new()))))),
                );
            }
            // Only the term itself matters, not its patterns.
            Op::Annot if seen == 1 => {
                let outcome = self.outcomes.pop().expect("one outcome");
                return Some(self.finish(outcome));
            }
            Op::Match if seen == 1 => return self.open_case(term, env, base),
            Op::Annot | Op::Match => return self.demand(args[0], env),
            _ => {}
        }
        if let Some(Err(reason)) = self.outcomes[base..].last() {
            let reason = reason.clone();
            return Some(self.finish(Err(reason)));
        }
        if seen < args.len() {
            return self.demand(args[seen], env);
        }
        let values: Vec<Value> =
            self.outcomes.drain(base..).map(|v| v.expect("all arguments are defined")).collect();
        let outcome = match op {
            Op::Apply => return self.call(self.terms.as_fun(term).expect("a function"), values),
            Op::MapApply => return self.apply_value(values),
            Op::ConstArray => {
                let [element] = values.try_into().expect("one element");
                Ok(super::array::canonical(self.terms, ArrayValue::constant(self.terms.sort(term), element)))
            }
            Op::Construct => self.construct(term, values),
            Op::Field => self.select_field(term, &values[0]),
            Op::UpdateField => self.update_field(term, values),
            Op::Tester => match &values[0] {
                Value::Datatype(data) => Ok(Value::Bool(Some(data.ctor) == self.terms.as_ctor(term))),
                _ => Err(Undefined::Opaque),
            },
            _ => unreachable!("all nodes of the language are listed"),
        };
        Some(self.finish(outcome))
    }

    /// The array that a closed lambda describes, if it lists finitely many exceptions.
    fn lambda_as_array(&self, term: TermId) -> Option<Value> {
        let sort = self.terms.sort(term);
        if !matches!(self.terms.sort_of(sort), Sort::Array(..)) {
            return None;
        }
        // Definitions could come back here without end.
        let is_closed = FreeVars::default().of(self.terms, term).is_empty();
        if !is_closed || self.terms.flags(term).has(Flags::DEFINED) {
            return None;
        }
        let (vars, body) = self.terms.binder(term)?;
        let table = tabulate(self.terms, &Model::default(), vars, body)?;
        Some(table_as_array(self.terms, sort, &table))
    }

    fn construct(&self, term: TermId, values: Vec<Value>) -> EvalResult {
        let depth = values.iter().map(nesting).max().unwrap_or(0) + 1;
        if depth > MAX_NESTING {
            return Err(Undefined::Limit("a datatype value is nested too deeply"));
        }
        let ctor = self.terms.as_ctor(term).expect("a constructor");
        Ok(Value::Datatype(Arc::new(DatatypeValue {
            sort: self.terms.sort(term),
            ctor,
            fields: values.into(),
            depth,
        })))
    }

    fn select_field(&self, term: TermId, value: &Value) -> EvalResult {
        let field = self.terms.field(self.terms.as_field(term).expect("a field"));
        match value {
            Value::Datatype(data) if data.ctor == field.ctor => {
                Ok(data.fields[field.position as usize].clone())
            }
            _ => Err(Undefined::WrongSelector(self.terms.name(field.name).into())),
        }
    }

    fn update_field(&self, term: TermId, values: Vec<Value>) -> EvalResult {
        let field = self.terms.field(self.terms.as_field(term).expect("a field"));
        let [value, new] = values.try_into().expect("a datatype and a value");
        match &value {
            Value::Datatype(data) if data.ctor == field.ctor => {
                let mut data = (**data).clone();
                data.fields[field.position as usize] = new;
                data.depth = data.fields.iter().map(nesting).max().unwrap_or(0) + 1;
                if data.depth > MAX_NESTING {
                    return Err(Undefined::Limit("a datatype value is nested too deeply"));
                }
                Ok(Value::Datatype(Arc::new(data)))
            }
            // Updating a field that the value does not have changes nothing.
            _ => Ok(value),
        }
    }
}

/// The steps that a value costs an operator beyond the first: large ones take time by their size.
#[inline]
fn weight(value: &Value) -> u64 {
    let size = match value {
        Value::Int(number) => number.bit_len(),
        Value::Real(number) => number.numerator().bit_len() + number.denominator().bit_len(),
        Value::String(text) => text.len(),
        _ => 0,
    };
    (size / BULK) as u64
}

/// A unary function's graph as an array.
fn table_as_array(terms: &Terms, sort: SortId, table: &Table) -> Value {
    let mut array = ArrayValue { sort, default: table.default.clone(), entries: BTreeMap::new() };
    for (args, value) in &table.entries {
        array.store(args[0].clone(), value.clone());
    }
    super::array::canonical(terms, array)
}

fn nesting(value: &Value) -> u32 {
    match value {
        Value::Datatype(data) => data.depth,
        Value::Array(array) => {
            array.entries.values().chain(&array.default).map(nesting).max().unwrap_or(0) + 1
        }
        _ => 0,
    }
}

/// Calls.
impl Evaluator<'_> {
    /// The frame on top becomes a call of a function.
    fn call(&mut self, fun: FunId, values: Vec<Value>) -> Option<EvalResult> {
        if let Some(definition) = &self.terms.fun(fun).definition {
            let vars = definition.vars.iter().copied().zip(values).collect();
            return self.enter(vars, None, definition.body, Work::Call);
        }
        match self.model.interpretation(fun) {
            Some(Interpretation::Value(value)) => {
                let value = value.clone();
                Some(self.finish(Ok(value)))
            }
            Some(Interpretation::Table(table))
                if !table.entries.is_empty()
                    && !table.entries.contains_key(&values)
                    && !values.iter().all(Value::is_told_by_looks) =>
            {
                Some(self.finish(Err(Undefined::Equality)))
            }
            Some(Interpretation::Table(table)) => {
                let outcome = table
                    .get(&values)
                    .cloned()
                    .ok_or_else(|| Undefined::Unlisted(self.terms.fun_name(fun).into()));
                Some(self.finish(outcome))
            }
            Some(Interpretation::Definition { vars, body }) => {
                let vars = vars.iter().copied().zip(values).collect();
                self.enter(vars, None, *body, Work::Call)
            }
            None => Some(self.finish(Err(Undefined::Unlisted(self.terms.fun_name(fun).into())))),
        }
    }

    /// Evaluates a body for the frame on top in a new environment.
    fn enter(
        &mut self,
        vars: Vec<(TermId, Value)>,
        parent: Option<usize>,
        body: TermId,
        work: Work,
    ) -> Option<EvalResult> {
        if self.environments.len() >= MAX_ENVIRONMENTS {
            return Some(self.finish(Err(Undefined::Limit("functions call each other too deeply"))));
        }
        self.environments.push(Environment { vars, parent, memo: Memo::default(), unknown: Vec::new() });
        self.frames.last_mut().expect("a frame is open").work = work;
        let env = self.environments.len() - 1;
        self.demand(body, env)
    }

    /// A map or array-function applied to values.
    fn apply_value(&mut self, mut values: Vec<Value>) -> Option<EvalResult> {
        let args = values.split_off(1);
        let Value::Function(function) = &values[0] else { return Some(self.finish(Err(Undefined::Opaque))) };
        match &**function {
            FunctionValue::Symbol(fun, given) => {
                let all: Vec<Value> = given.iter().cloned().chain(args).collect();
                let wanted = self.terms.fun(*fun).params.len();
                if all.len() < wanted {
                    let partial = FunctionValue::Symbol(*fun, all);
                    return Some(self.finish(Ok(Value::Function(Arc::new(partial)))));
                }
                self.call(*fun, all)
            }
            FunctionValue::Lambda(lambda, captured) => {
                let (vars, body) = self.terms.binder(*lambda).expect("a lambda");
                if vars.len() != args.len() {
                    return Some(self.finish(Err(Undefined::Unsupported("partial application of a lambda"))));
                }
                let all = captured.iter().cloned().chain(vars.iter().copied().zip(args)).collect();
                self.enter(all, None, body, Work::Call)
            }
        }
    }

    fn captured(&self, env: usize) -> Vec<(TermId, Value)> {
        let mut all = Vec::new();
        let mut at = Some(env);
        while let Some(i) = at {
            all.extend(self.environments[i].vars.iter().rev().cloned());
            at = self.environments[i].parent;
        }
        // Inner variables last: look-ups go from the back.
        all.reverse();
        all
    }

    /// The model may say what division by zero gives (Z3 prints `div0`, `mod0` and `/0`).
    fn divide_by_zero(&mut self, op: Op, values: Vec<Value>) -> Option<EvalResult> {
        match self.model.zero_division(op) {
            Some(fun) if values.len() == 2 => {
                let args = values.into_iter().take(self.terms.fun(fun).params.len()).collect();
                self.call(fun, args)
            }
            _ => Some(self.finish(Err(Undefined::DivisionByZero))),
        }
    }

    /// The model may say what a conversion gives for a float that has no value in the other sort.
    fn open_conversion(&mut self, term: TermId, values: Vec<Value>) -> Option<EvalResult> {
        let chosen =
            Conversion::of(self.terms, term).and_then(|conversion| self.model.conversion(conversion));
        match chosen {
            Some(fun) if self.terms.fun(fun).params.len() == values.len() => self.call(fun, values),
            _ => Some(self.finish(Err(Undefined::FloatConversion))),
        }
    }

    /// The model may say which zero `fp.min` and `fp.max` give where their arguments are both.
    fn open_zero(&self, op: Op, values: &[Value]) -> EvalResult {
        let (Some(signs), [Value::Float(first), ..]) = (self.model.zero_signs(), values) else {
            return Err(Undefined::ZeroSigns);
        };
        let choice = if op == Op::FpMin { signs.min } else { signs.max };
        Ok(Value::Float(Float::zero(first.format(), choice[usize::from(first.is_negative())])))
    }

    fn open_case(&mut self, term: TermId, env: usize, base: usize) -> Option<EvalResult> {
        let data = match self.outcomes[base].clone() {
            Ok(Value::Datatype(data)) => data,
            Ok(_) => return Some(self.finish(Err(Undefined::Opaque))),
            Err(reason) => return Some(self.finish(Err(reason))),
        };
        let cases = self.terms.match_cases(term).expect("a match");
        for (case, vars, body) in cases {
            if case.ctor.is_none_or(|c| c == data.ctor) {
                let values: Vec<Value> = if case.ctor.is_some() {
                    data.fields.to_vec()
                } else {
                    vec![Value::Datatype(data.clone())]
                };
                let vars = vars.iter().copied().zip(values).collect();
                return self.enter(vars, Some(env), body, Work::Case);
            }
        }
        Some(self.finish(Err(Undefined::WrongSelector("match".into()))))
    }
}

/// Quantifiers.
impl Evaluator<'_> {
    fn open_quantifier(&mut self, term: TermId, env: usize) -> Option<EvalResult> {
        let (vars, body) = self.terms.binder(term).expect("a quantifier");
        let sorts: Vec<_> = vars.iter().map(|&v| self.terms.sort(v)).collect();
        let all: Option<Vec<Vec<Value>>> =
            sorts.iter().map(|&s| values_of(self.terms, s, MAX_ENUMERATION)).collect();
        let all = all.filter(|lists| {
            lists
                .iter()
                .try_fold(1u64, |n, l| n.checked_mul(l.len() as u64))
                .is_some_and(|n| n <= MAX_ENUMERATION)
        });
        let complete = all.is_some();
        let lists = all
            .unwrap_or_else(|| sorts.iter().map(|&s| candidates(self.terms, s, body, self.model)).collect());
        let search = Search {
            assignments: Assignments::new(lists, if complete { MAX_ENUMERATION } else { MAX_SAMPLES }),
            vars: vars.to_vec(),
            body,
            complete,
            open: None,
            probing: true,
        };
        if self.environments.len() >= MAX_ENVIRONMENTS {
            return Some(self.finish(Err(Undefined::Limit("functions call each other too deeply"))));
        }
        // First without values for the variables: the body may be true or false whatever they are.
        let unknown = vars.to_vec();
        self.environments.push(Environment {
            vars: Vec::new(),
            parent: Some(env),
            memo: Memo::default(),
            unknown,
        });
        self.frames.last_mut().expect("a frame is open").work = Work::Quantifier(Box::new(search));
        let inner = self.environments.len() - 1;
        self.demand(body, inner)
    }

    /// Starts the body of the quantifier on top for its next assignment, or ends the search.
    fn next_assignment(&mut self) -> Option<EvalResult> {
        let frame = self.frames.last_mut().expect("a quantifier is open");
        let op = self.terms.op(frame.term);
        let Work::Quantifier(search) = &mut frame.work else { unreachable!("a quantifier is open") };
        match search.assignments.next() {
            Some(values) => {
                let env = self.environments.len() - 1;
                let body = search.body;
                let environment = &mut self.environments[env];
                environment.vars = search.vars.iter().copied().zip(values).collect();
                environment.memo.clear();
                environment.unknown.clear();
                search.probing = false;
                self.demand(body, env)
            }
            None => {
                let outcome = match (&search.open, search.complete) {
                    (None, true) => Ok(Value::Bool(op == Op::Forall)),
                    (Some(reason), true) => Err(reason.clone()),
                    (_, false) => Err(Undefined::Quantifier),
                };
                self.environments.pop();
                Some(self.finish(outcome))
            }
        }
    }
}

impl Search {
    /// Takes the body's outcome for one assignment; `Some` if it decides the quantifier.
    fn take(&mut self, op: Op, outcome: EvalResult) -> Option<EvalResult> {
        match outcome {
            Ok(value) if self.probing => Some(Ok(value)),
            Err(_) if self.probing => None,
            Ok(Value::Bool(b)) if b == (op == Op::Exists) => Some(Ok(Value::Bool(b))),
            Ok(_) => None,
            Err(reason) => {
                self.open.get_or_insert(reason);
                None
            }
        }
    }
}
