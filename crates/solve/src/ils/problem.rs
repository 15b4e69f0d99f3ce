//! A query made ready for searching: bounds read off its conjuncts, variables with only one possible value replaced by
//! it, the rest compiled.

use super::compile::compile;
use super::eliminate::{Reduced, eliminate};
use super::guide::{Cost, Guide, Literal, Relation};
use super::landscape::Landscape;
use super::machine::Registers;
use super::program::{Code, Program, Reg, Var};
use super::state::SearchPoint;
use crate::engine::{Budget, Query, Reason};
use crate::verify::satisfies;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use smt::{FunId, Model, Op, SortId, Terms, Value, walk};

/// Numbers beyond this in magnitude are out of a move's reach; bounds at it mean that there is none.
pub(crate) const FAR: i128 = 1 << 100;

/// A closed interval of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Range {
    pub(crate) const ALL: Range = Range { lo: -FAR, hi: FAR };

    /// One number.
    pub(crate) fn point(value: i128) -> Range {
        Range { lo: value, hi: value }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub(crate) fn meet(self, other: Range) -> Range {
        Range { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The number of the interval, which is not empty, that is nearest to the given one.
    pub(crate) fn nearest(self, value: i128) -> i128 {
        value.max(self.lo).min(self.hi)
    }
}

/// What is left of a query.
pub(crate) struct Problem {
    pub(crate) landscape: Landscape,
    /// Where each variable may lie.
    pub(crate) domains: Vec<Range>,
    /// Variables with only one possible value.
    known: FxHashMap<FunId, IBig>,
    /// Variables that are computed from others, and where.
    defined: Vec<(FunId, Reg)>,
    /// All constants of the query.
    constants: Vec<(FunId, SortId)>,
}

/// What preparing a query ended in.
pub(crate) enum Prepared {
    /// Something to search.
    Problem(Box<Problem>),
    /// The conjunct at this position is false whatever the variables are.
    False(usize),
    /// Bounds contradict each other, or nothing is left to choose and a conjunct fails. The search does not claim
    /// `unsat` from that; it only does not begin.
    Contradiction,
}

/// Reads bounds and compiles until no further variable gets a fixed value.
pub(crate) fn prepare(
    terms: &Terms,
    query: &Query,
    memory: usize,
    budget: &mut Budget,
) -> Result<Prepared, Reason> {
    let mut known: FxHashMap<FunId, IBig> = FxHashMap::default();
    let mut bounds: FxHashMap<FunId, Range> = FxHashMap::default();
    loop {
        let (builder, regs) = compile(terms, &query.assertions, &known, memory)?;
        let roots: Vec<Reg> = query.assertions.iter().map(|a| regs[a]).collect();
        let (program, roots) = builder.finish(&roots);
        let mut guide = Guide::new(&program, &roots);
        if let Some(i) = guide.roots.iter().position(|&r| guide.nodes[r as usize] == Cost::Never) {
            let constant = known.is_empty();
            return Ok(if constant { Prepared::False(guide.origin[i]) } else { Prepared::Contradiction });
        }
        let mut domains = domains(&program, &bounds);
        let forms = linear_forms(&program);
        guide.retain(|root| !tighten(root, &forms, &mut domains));
        if domains.iter().any(|d| d.is_empty()) {
            return Ok(Prepared::Contradiction);
        }
        let before = known.len();
        for (var, &domain) in domains.iter().enumerate() {
            bounds.insert(program.vars[var], domain);
            if domain.lo == domain.hi {
                known.insert(program.vars[var], IBig::from(domain.lo));
            }
        }
        if known.len() == before {
            let compiled = Reduced { program, roots, defined: Vec::new() };
            return finish(terms, query, compiled, Knowledge { known, bounds }, memory, budget);
        }
    }
}

/// What is known about the constants of a query before the search.
struct Knowledge {
    known: FxHashMap<FunId, IBig>,
    bounds: FxHashMap<FunId, Range>,
}

/// Eliminates what equations determine, and reads bounds off what is left.
fn finish(
    terms: &Terms,
    query: &Query,
    compiled: Reduced,
    Knowledge { known, bounds }: Knowledge,
    memory: usize,
    budget: &mut Budget,
) -> Result<Prepared, Reason> {
    let Reduced { program, roots, defined } = eliminate(compiled.program, compiled.roots, &bounds, budget);
    let mut guide = Guide::new(&program, &roots);
    if guide.roots.iter().any(|&r| guide.nodes[r as usize] == Cost::Never) {
        return Ok(Prepared::Contradiction);
    }
    let mut domains = domains(&program, &bounds);
    let forms = linear_forms(&program);
    guide.retain(|root| !tighten(root, &forms, &mut domains));
    if domains.iter().any(|d| d.is_empty()) {
        return Ok(Prepared::Contradiction);
    }
    let landscape = Landscape::new(program, guide, memory, budget)?;
    // Without variables there is nothing to search.
    if landscape.program.vars.is_empty() && SearchPoint::new(&landscape).total() > 0 {
        return Ok(Prepared::Contradiction);
    }
    let constants = constants(terms, query);
    Ok(Prepared::Problem(Box::new(Problem { landscape, domains, known, defined, constants })))
}

/// Where the variables of a program may lie, from what is known about the constants of the query.
fn domains(program: &Program, bounds: &FxHashMap<FunId, Range>) -> Vec<Range> {
    (0..program.vars.len())
        .map(|v| match (bounds.get(&program.vars[v]), program.boolean[v]) {
            (Some(&range), _) => range,
            (None, true) => Range { lo: 0, hi: 1 },
            (None, false) => Range::ALL,
        })
        .collect()
}

/// The constants that occur in a query.
pub(crate) fn constants(terms: &Terms, query: &Query) -> Vec<(FunId, SortId)> {
    let all = walk::reachable(terms, &query.assertions).into_iter();
    all.filter(|&t| terms.op(t) == Op::Apply)
        .filter_map(|t| terms.as_fun(t).map(|fun| (fun, terms.sort(t))))
        .collect()
}

impl Problem {
    /// The values of all constants of the query at a point. Those that nothing depends on are zero.
    pub(crate) fn assignment(&self, values: &[i128]) -> Vec<(FunId, Value)> {
        let vars = &self.landscape.program.vars;
        let mut at: FxHashMap<FunId, IBig> =
            vars.iter().copied().zip(values.iter().map(|&v| IBig::from(v))).collect();
        if !self.defined.is_empty() {
            let mut registers = Registers::new(&self.landscape.program);
            values.iter().enumerate().for_each(|(var, &value)| registers.write(var as Reg, value));
            registers.run(&self.landscape.program);
            for &(fun, reg) in &self.defined {
                at.insert(fun, registers.integer(reg).unwrap_or_default());
            }
        }
        let value = |&(fun, sort): &(FunId, SortId)| {
            let number = match (self.known.get(&fun), at.get(&fun)) {
                (Some(known), _) => known.clone(),
                (None, Some(value)) => value.clone(),
                (None, None) => IBig::ZERO,
            };
            (fun, if sort == SortId::BOOL { Value::Bool(number == IBig::ONE) } else { Value::Int(number) })
        };
        self.constants.iter().map(value).collect()
    }
}

/// The model that an assignment is, if the evaluator accepts it on every assertion.
pub(crate) fn verified(terms: &Terms, query: &Query, assignment: Vec<(FunId, Value)>) -> Option<Model> {
    let mut model = Model::default();
    for (fun, value) in assignment {
        model.set(fun, value);
    }
    satisfies(terms, &model, &query.assertions).then_some(model)
}

/// A register's value as `factor * variable + offset`; without a variable the factor is zero.
#[derive(Clone, Copy, Debug)]
struct Form {
    var: Var,
    factor: i128,
    offset: i128,
}

impl Form {
    fn checked(var: Var, factor: Option<i128>, offset: Option<i128>) -> Option<Form> {
        let near = |n: &i128| n.abs() <= FAR;
        Some(Form { var, factor: factor.filter(near)?, offset: offset.filter(near)? })
    }

    fn combine(self, other: Form, op: fn(i128, i128) -> Option<i128>) -> Option<Form> {
        let same = self.factor == 0 || other.factor == 0 || self.var == other.var;
        let var = if self.factor == 0 { other.var } else { self.var };
        if same {
            Form::checked(var, op(self.factor, other.factor), op(self.offset, other.offset))
        } else {
            None
        }
    }
}

/// The registers that are linear in one variable.
fn linear_forms(program: &Program) -> Vec<Option<Form>> {
    let mut forms: Vec<Option<Form>> = Vec::with_capacity(program.code.len());
    for (reg, instr) in program.code.iter().enumerate() {
        let of = |r: Reg| forms[r as usize];
        let form = match instr.code {
            Code::Var => Some(Form { var: reg as Var, factor: 1, offset: 0 }),
            Code::Const => {
                Form::checked(0, Some(0), i128::try_from(&program.constants[instr.a as usize]).ok())
            }
            Code::Add => of(instr.a).zip(of(instr.b)).and_then(|(x, y)| x.combine(y, i128::checked_add)),
            Code::Sub => of(instr.a).zip(of(instr.b)).and_then(|(x, y)| x.combine(y, i128::checked_sub)),
            Code::Mul => of(instr.a).zip(of(instr.b)).and_then(|(x, y)| {
                let (constant, x) = if x.factor == 0 { (x.offset, y) } else { (y.offset, x) };
                let single = x.factor == 0 || of(instr.a)?.factor == 0 || of(instr.b)?.factor == 0;
                let times = |n: i128| n.checked_mul(constant);
                if single { Form::checked(x.var, times(x.factor), times(x.offset)) } else { None }
            }),
            _ => None,
        };
        forms.push(form);
    }
    forms
}

/// Narrows the domain of a variable by a conjunct that is a linear bound on it; whether the domain then says it all.
fn tighten(root: &Cost, forms: &[Option<Form>], domains: &mut [Range]) -> bool {
    let Cost::Literal(Literal { relation, a, b }) = *root else { return false };
    let difference = forms[a as usize]
        .zip(forms[b as usize])
        .and_then(|(x, y)| x.combine(y, i128::checked_sub))
        .filter(|form| form.factor != 0);
    let Some(Form { var, factor, offset }) = difference else { return false };
    // factor * x + offset <= 0 (or < 0, or = 0)
    let limit = match relation {
        Relation::Le => -offset,
        Relation::Lt => -offset - 1,
        Relation::Eq if offset % factor == 0 => {
            let domain = &mut domains[var as usize];
            *domain = domain.meet(Range::point(-offset / factor));
            return true;
        }
        Relation::Ne if offset % factor == 0 => return exclude(&mut domains[var as usize], -offset / factor),
        Relation::Ne => return true,
        Relation::Eq => return false,
    };
    let domain = &mut domains[var as usize];
    if factor > 0 {
        domain.hi = domain.hi.min(limit.div_euclid(factor));
    } else {
        // x >= limit / factor, rounded up
        domain.lo = domain.lo.max(limit.div_euclid(factor));
    }
    true
}

/// Takes a number out of an interval if it is at one of its ends; whether it is outside then.
fn exclude(domain: &mut Range, value: i128) -> bool {
    if domain.lo == value {
        domain.lo += 1;
    }
    if domain.hi == value {
        domain.hi -= 1;
    }
    value < domain.lo || value > domain.hi
}
