//! Equations solved once and for all: where a conjunct is an equation that is linear in a variable, the variable becomes
//! what the equation says it is, and the conjunct goes.
//!
//! With a difference `d = c * x + rest` of its sides, `x` is `-rest / c`, and `rest` is `d` at `x = 0`. For `c` other than 1
//! and -1 it remains to ask that `c` divides `rest`. The search then never leaves the solutions of such equations.

use super::guide::{Cost, Guide, Literal, Relation};
use super::problem::{FAR, Range};
use super::program::{Builder, Code, Program, Reg, Var};
use crate::engine::Budget;
use crate::tuning::ils_eliminate::{GROWTH, SLACK};
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use smt::FunId;

/// A program in which some of the original variables are computed.
pub(crate) struct Reduced {
    pub(crate) program: Program,
    /// What must hold.
    pub(crate) roots: Vec<Reg>,
    /// Where the values of the variables are that are no longer variables.
    pub(crate) defined: Vec<(FunId, Reg)>,
}

/// Eliminates variables as long as there are equations that allow it and the budget lasts: each step looks at the whole program.
pub(crate) fn eliminate(
    program: Program,
    roots: Vec<Reg>,
    bounds: &FxHashMap<FunId, Range>,
    budget: &mut Budget,
) -> Reduced {
    let limit = program.code.len() * GROWTH + SLACK;
    let mut reduced = Reduced { program, roots, defined: Vec::new() };
    while let Some(step) = find(&reduced) {
        if !budget.spend(u32::try_from(reduced.program.code.len()).unwrap_or(u32::MAX)) {
            break;
        }
        let next = reduced.without(&step, bounds);
        if next.program.code.len() > limit {
            break;
        }
        reduced = next;
    }
    reduced
}

/// An equation to be solved: for which variable, and with which factor it occurs.
struct Step {
    literal: Literal,
    var: Var,
    factor: i128,
}

/// How a register depends on one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slope {
    /// `factor * x` plus something without `x`; the factor is zero where `x` does not occur.
    Linear(i128),
    Other,
}

/// The equation whose variable has the least factor, then occurs least often.
fn find(reduced: &Reduced) -> Option<Step> {
    let program = &reduced.program;
    let guide = Guide::new(program, &reduced.roots);
    let mut uses = vec![0usize; program.code.len()];
    for instr in &program.code {
        instr.operands().for_each(|r| uses[r as usize] += 1);
    }
    let mut best: Option<(u128, usize, Step)> = None;
    for &root in &guide.roots {
        let Cost::Literal(literal) = guide.nodes[root as usize] else { continue };
        if literal.relation != Relation::Eq {
            continue;
        }
        let cone = program.cone(&[literal.a, literal.b]);
        for &var in cone.iter().filter(|&&r| (r as usize) < program.vars.len()) {
            if program.boolean[var as usize] {
                continue;
            }
            let Some(factor) = factor(program, &cone, literal, var) else { continue };
            let rank = (factor.unsigned_abs(), uses[var as usize]);
            if best.as_ref().is_none_or(|(size, count, _)| rank < (*size, *count)) {
                best = Some((rank.0, rank.1, Step { literal, var, factor }));
            }
        }
    }
    best.map(|(_, _, step)| step)
}

/// The factor of a variable in the difference of an equation's sides, if that is linear in it.
fn factor(program: &Program, cone: &[Reg], literal: Literal, var: Var) -> Option<i128> {
    let mut slopes: FxHashMap<Reg, Slope> = FxHashMap::default();
    for &reg in cone {
        let instr = program.code[reg as usize];
        let of = |r: Reg| slopes[&r];
        let slope = match instr.code {
            Code::Var => Slope::Linear(i128::from(reg == var)),
            Code::Const => Slope::Linear(0),
            Code::Add => combine(of(instr.a), of(instr.b), i128::checked_add),
            Code::Sub => combine(of(instr.a), of(instr.b), i128::checked_sub),
            Code::Mul => match (of(instr.a), of(instr.b)) {
                (Slope::Linear(0), Slope::Linear(0)) => Slope::Linear(0),
                (x, Slope::Linear(0)) => scale(x, program.constant(instr.b)),
                (Slope::Linear(0), y) => scale(y, program.constant(instr.a)),
                _ => Slope::Other,
            },
            _ if instr.operands().all(|r| of(r) == Slope::Linear(0)) => Slope::Linear(0),
            _ => Slope::Other,
        };
        slopes.insert(reg, slope);
    }
    match combine(slopes[&literal.a], slopes[&literal.b], i128::checked_sub) {
        Slope::Linear(factor) if factor != 0 => Some(factor),
        _ => None,
    }
}

fn combine(a: Slope, b: Slope, op: fn(i128, i128) -> Option<i128>) -> Slope {
    match (a, b) {
        (Slope::Linear(a), Slope::Linear(b)) => op(a, b).map_or(Slope::Other, Slope::Linear),
        _ => Slope::Other,
    }
}

fn scale(slope: Slope, by: Option<&IBig>) -> Slope {
    match (slope, by.and_then(|b| i128::try_from(b).ok())) {
        (Slope::Linear(factor), Some(by)) => factor.checked_mul(by).map_or(Slope::Other, Slope::Linear),
        _ => Slope::Other,
    }
}

impl Reduced {
    /// The program with one variable replaced by what an equation says it is.
    fn without(&self, step: &Step, bounds: &FxHashMap<FunId, Range>) -> Reduced {
        let program = &self.program;
        let fun = program.vars[step.var as usize];
        let mut builder = Builder::default();
        let zero = builder.constant(0);
        let mut at_zero = Copy::new(program, step.var, zero);
        let (a, b) = (at_zero.get(step.literal.a, &mut builder), at_zero.get(step.literal.b, &mut builder));
        let rest =
            if step.factor > 0 { builder.binary(Code::Sub, b, a) } else { builder.binary(Code::Sub, a, b) };
        let factor = builder.constant(step.factor.unsigned_abs());
        let definition = builder.binary(Code::Div, rest, factor);

        let mut copy =
            Copy { var: at_zero.var, vars: at_zero.vars, ..Copy::new(program, step.var, definition) };
        let mut roots: Vec<Reg> = self.roots.iter().map(|&r| copy.get(r, &mut builder)).collect();
        let remainder = builder.binary(Code::Mod, rest, factor);
        roots.push(builder.binary(Code::Eq, remainder, zero));
        let range = bounds.get(&fun).copied().unwrap_or(Range::ALL);
        if range.lo > -FAR {
            let lo = builder.constant(range.lo);
            roots.push(builder.binary(Code::Le, lo, definition));
        }
        if range.hi < FAR {
            let hi = builder.constant(range.hi);
            roots.push(builder.binary(Code::Le, definition, hi));
        }
        let mut defined: Vec<(FunId, Reg)> =
            self.defined.iter().map(|&(fun, reg)| (fun, copy.get(reg, &mut builder))).collect();
        defined.push((fun, definition));

        let wanted: Vec<Reg> = roots.iter().copied().chain(defined.iter().map(|d| d.1)).collect();
        let (program, places) = builder.finish(&wanted);
        let count = roots.len();
        let defined = defined.iter().zip(&places[count..]).map(|(&(fun, _), &reg)| (fun, reg)).collect();
        Reduced { program, roots: places[..count].to_vec(), defined }
    }
}

/// Copies registers of a program into a builder, with one variable replaced.
struct Copy<'p> {
    program: &'p Program,
    var: Var,
    replacement: Reg,
    /// The variables that the builder has already.
    vars: FxHashMap<Var, Reg>,
    done: FxHashMap<Reg, Reg>,
}

impl<'p> Copy<'p> {
    fn new(program: &'p Program, var: Var, replacement: Reg) -> Copy<'p> {
        Copy { program, var, replacement, vars: FxHashMap::default(), done: FxHashMap::default() }
    }

    fn get(&mut self, root: Reg, builder: &mut Builder) -> Reg {
        if let Some(&done) = self.done.get(&root) {
            return done;
        }
        for reg in self.program.cone(&[root]) {
            if self.done.contains_key(&reg) {
                continue;
            }
            let instr = self.program.code[reg as usize];
            let of = |r: Reg| self.done[&r];
            let new = match instr.code {
                Code::Var if reg == self.var => self.replacement,
                Code::Var => *self.vars.entry(reg).or_insert_with(|| {
                    builder.var(self.program.vars[reg as usize], self.program.boolean[reg as usize])
                }),
                Code::Const => builder.constant(self.program.constants[instr.a as usize].clone()),
                Code::Ite => builder.ite(of(instr.a), of(instr.b), of(instr.c)),
                code if code.arity() == 1 => builder.unary(code, of(instr.a)),
                code => builder.binary(code, of(instr.a), of(instr.b)),
            };
            self.done.insert(reg, new);
        }
        self.done[&root]
    }
}
