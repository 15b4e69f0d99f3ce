//! From terms to instructions. Owns the list of operators that these engines handle; everything else is refused with
//! [`Reason::Unsupported`].

use super::program::{Builder, Code, Reg};
use crate::engine::Reason;
use crate::tuning::ils_compile::BYTES;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use smt::{FunId, Op, SortId, TermId, Terms, Value, walk};

/// The register of every term.
pub(crate) type Regs = FxHashMap<TermId, Reg>;

/// Compiles every term that occurs in the assertions. Variables with a known value become constants.
pub(crate) fn compile(
    terms: &Terms,
    assertions: &[TermId],
    known: &FxHashMap<FunId, IBig>,
    memory: usize,
) -> Result<(Builder, Regs), Reason> {
    let mut compiler = Compiler { terms, known, memory, builder: Builder::default(), regs: Regs::default() };
    for term in walk::reachable(terms, assertions) {
        if compiler.builder.len().saturating_mul(BYTES) > memory {
            return Err(Reason::Memory);
        }
        let reg = compiler.term(term)?;
        compiler.regs.insert(term, reg);
    }
    Ok((compiler.builder, compiler.regs))
}

/// The pairs of neighbours of a chain `(< a b c)`.
pub(crate) fn links(args: &[TermId]) -> impl Iterator<Item = (TermId, TermId)> + '_ {
    args.windows(2).map(|w| (w[0], w[1]))
}

/// All pairs of arguments of a `distinct`.
pub(crate) fn pairs(args: &[TermId]) -> impl Iterator<Item = (TermId, TermId)> + '_ {
    args.iter().enumerate().flat_map(|(i, &a)| args[i + 1..].iter().map(move |&b| (a, b)))
}

struct Compiler<'a> {
    terms: &'a Terms,
    known: &'a FxHashMap<FunId, IBig>,
    memory: usize,
    builder: Builder,
    regs: Regs,
}

impl Compiler<'_> {
    fn term(&mut self, term: TermId) -> Result<Reg, Reason> {
        let sort = self.terms.sort(term);
        if sort != SortId::INT && sort != SortId::BOOL {
            return Err(Reason::Unsupported);
        }
        let args = self.terms.args(term);
        if self.terms.op(term) == Op::Distinct && args.len().saturating_mul(args.len()) > self.memory / BYTES
        {
            return Err(Reason::Memory);
        }
        let regs: Vec<Reg> = args.iter().map(|a| self.regs[a]).collect();
        let b = &mut self.builder;
        Ok(match self.terms.op(term) {
            Op::Const => match self.terms.as_value(term) {
                Some(Value::Bool(value)) => b.constant(u8::from(*value)),
                Some(Value::Int(value)) => b.constant(value.clone()),
                _ => return Err(Reason::Unsupported),
            },
            Op::Apply if args.is_empty() => {
                let fun = self.terms.as_fun(term).ok_or(Reason::Unsupported)?;
                match self.known.get(&fun) {
                    Some(value) => b.constant(value.clone()),
                    None => b.var(fun, sort == SortId::BOOL),
                }
            }
            Op::Not => b.unary(Code::Not, regs[0]),
            Op::And => b.balanced(Code::And, &regs),
            Op::Or => self.or(&regs),
            Op::Implies => {
                let (last, premises) = regs.split_last().ok_or(Reason::Unsupported)?;
                let mut options: Vec<Reg> = premises.iter().map(|&p| b.unary(Code::Not, p)).collect();
                options.push(*last);
                self.or(&options)
            }
            Op::Xor => regs[1..].iter().fold(regs[0], |acc, &r| {
                let same = b.binary(Code::Eq, acc, r);
                b.unary(Code::Not, same)
            }),
            Op::Eq => self.all(links(args), |b, x, y| b.binary(Code::Eq, x, y)),
            Op::Distinct => self.all(pairs(args), |b, x, y| {
                let same = b.binary(Code::Eq, x, y);
                b.unary(Code::Not, same)
            }),
            Op::Ite => b.ite(regs[0], regs[1], regs[2]),
            Op::Neg => {
                let zero = b.constant(0);
                b.binary(Code::Sub, zero, regs[0])
            }
            Op::Add => b.balanced(Code::Add, &regs),
            Op::Sub => {
                let rest = b.balanced(Code::Add, &regs[1..]);
                b.binary(Code::Sub, regs[0], rest)
            }
            Op::Mul => b.balanced(Code::Mul, &regs),
            Op::IntDiv => regs[1..].iter().fold(regs[0], |acc, &r| b.binary(Code::Div, acc, r)),
            Op::Mod => b.binary(Code::Mod, regs[0], regs[1]),
            Op::Abs => b.unary(Code::Abs, regs[0]),
            Op::Le => self.all(links(args), |b, x, y| b.binary(Code::Le, x, y)),
            Op::Ge => self.all(links(args), |b, x, y| b.binary(Code::Le, y, x)),
            Op::Lt => self.all(links(args), less),
            Op::Gt => self.all(links(args), |b, x, y| less(b, y, x)),
            Op::Divisible => divisible(b, self.terms.indices(term)[0], regs[0]),
            _ => return Err(Reason::Unsupported),
        })
    }

    fn or(&mut self, options: &[Reg]) -> Reg {
        let b = &mut self.builder;
        let negated: Vec<Reg> = options.iter().map(|&o| b.unary(Code::Not, o)).collect();
        let none = b.balanced(Code::And, &negated);
        b.unary(Code::Not, none)
    }

    fn all(
        &mut self,
        pairs: impl Iterator<Item = (TermId, TermId)>,
        link: impl Fn(&mut Builder, Reg, Reg) -> Reg,
    ) -> Reg {
        let links: Vec<Reg> =
            pairs.map(|(x, y)| link(&mut self.builder, self.regs[&x], self.regs[&y])).collect();
        if links.is_empty() { self.builder.constant(1) } else { self.builder.balanced(Code::Both, &links) }
    }
}

/// `(< x y)` on integers: not `(<= y x)`.
fn less(b: &mut Builder, x: Reg, y: Reg) -> Reg {
    let reverse = b.binary(Code::Le, y, x);
    b.unary(Code::Not, reverse)
}

fn divisible(b: &mut Builder, n: u32, x: Reg) -> Reg {
    let zero = b.constant(0);
    let remainder = if n == 0 {
        x
    } else {
        let n = b.constant(n);
        b.binary(Code::Mod, x, n)
    };
    b.binary(Code::Eq, remainder, zero)
}
