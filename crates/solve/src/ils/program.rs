//! Register programs: a query's DAG as a straight line of instructions over integers, and the builder that folds and
//! shares while it makes one. What the instructions mean on 64 bits is the machine's business (`machine`), how terms
//! become instructions is the compiler's (`compile`).

use super::exact;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use smt::FunId;

/// A register: the place of an instruction and of its value.
pub(crate) type Reg = u32;
/// A variable, by its position in [`Program::vars`]; it lives in the register of the same number.
pub(crate) type Var = u32;

/// What an instruction does. Truth values are 0 and 1; Boolean variables are integers in that range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Code {
    /// The variable `a`.
    Var,
    /// The constant `a`.
    Const,
    Add,
    Sub,
    Mul,
    /// Rounds so that the remainder is not negative, as SMT-LIB says.
    Div,
    Mod,
    /// Division that rounds towards zero and its remainder, which has the sign of `a`: what C and Java mean, and what
    /// path conditions of such programs spell out with `ite`.
    Quo,
    Rem,
    Abs,
    /// `b` if `a` holds, else `c`.
    Ite,
    Le,
    Eq,
    Not,
    /// False as soon as one operand is, even if the other is undefined.
    And,
    /// Undefined if one operand is: links of a chain `(< a b c)`, which SMT-LIB evaluates strictly.
    Both,
}

impl Code {
    /// How many operands are registers.
    pub(crate) fn arity(self) -> usize {
        match self {
            Code::Var | Code::Const => 0,
            Code::Abs | Code::Not => 1,
            Code::Ite => 3,
            _ => 2,
        }
    }

    fn commutes(self) -> bool {
        matches!(self, Code::Add | Code::Mul | Code::Eq | Code::And | Code::Both)
    }
}

/// One instruction. Operands have smaller numbers than the instruction itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instr {
    pub(crate) code: Code,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
    pub(crate) c: Reg,
}

impl Instr {
    /// The operands that are registers.
    pub(crate) fn operands(&self) -> impl Iterator<Item = Reg> + use<> {
        [self.a, self.b, self.c].into_iter().take(self.code.arity())
    }
}

/// A program: variables first, then constants and instructions in an order in which they can be computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Which constant of the query each variable is.
    pub(crate) vars: Vec<FunId>,
    /// Whether each variable is Boolean.
    pub(crate) boolean: Vec<bool>,
    pub(crate) code: Vec<Instr>,
    pub(crate) constants: Vec<IBig>,
    /// Whether a variable occurs in the register's value.
    pub(crate) open: Vec<bool>,
    /// The register that holds the constant 0.
    pub(crate) zero: Reg,
}

impl Program {
    /// The constant in a register.
    pub(crate) fn constant(&self, reg: Reg) -> Option<&IBig> {
        let instr = self.code[reg as usize];
        (instr.code == Code::Const).then(|| &self.constants[instr.a as usize])
    }

    /// Everything that some registers are computed from, and they themselves, in ascending order.
    pub(crate) fn cone(&self, roots: &[Reg]) -> Vec<Reg> {
        let mut seen = vec![false; self.code.len()];
        let mut stack = roots.to_vec();
        let mut found = Vec::new();
        while let Some(reg) = stack.pop() {
            if !std::mem::replace(&mut seen[reg as usize], true) {
                found.push(reg);
                stack.extend(self.code[reg as usize].operands());
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables that occur in some registers, in ascending order.
    pub(crate) fn support(&self, roots: &[Reg]) -> Vec<Var> {
        let mut cone = self.cone(roots);
        cone.truncate(cone.partition_point(|&reg| (reg as usize) < self.vars.len()));
        cone
    }

    /// For every register, the instructions that read it.
    pub(crate) fn readers(&self) -> Vec<Vec<Reg>> {
        let mut readers = vec![Vec::new(); self.code.len()];
        for (reg, instr) in self.code.iter().enumerate() {
            for operand in instr.operands() {
                let list: &mut Vec<Reg> = &mut readers[operand as usize];
                if list.last() != Some(&(reg as Reg)) {
                    list.push(reg as Reg);
                }
            }
        }
        readers
    }
}

/// Makes a program: equal instructions are one, and what only depends on constants is computed once and for all.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    vars: Vec<FunId>,
    boolean: Vec<bool>,
    code: Vec<Instr>,
    constants: Vec<IBig>,
    index: FxHashMap<Instr, Reg>,
    constant_index: FxHashMap<IBig, Reg>,
}

impl Builder {
    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.code.len()
    }

    fn push(&mut self, instr: Instr) -> Reg {
        if let Some(&reg) = self.index.get(&instr) {
            return reg;
        }
        let reg = self.code.len() as Reg;
        self.code.push(instr);
        self.index.insert(instr, reg);
        reg
    }

    /// A new variable.
    pub(crate) fn var(&mut self, fun: FunId, boolean: bool) -> Reg {
        let a = self.vars.len() as Reg;
        self.vars.push(fun);
        self.boolean.push(boolean);
        self.push(Instr { code: Code::Var, a, b: 0, c: 0 })
    }

    /// A register that holds this integer from the start.
    pub(crate) fn constant(&mut self, value: impl Into<IBig>) -> Reg {
        let value = value.into();
        if let Some(&reg) = self.constant_index.get(&value) {
            return reg;
        }
        let a = self.constants.len() as Reg;
        self.constants.push(value.clone());
        let reg = self.push(Instr { code: Code::Const, a, b: 0, c: 0 });
        self.constant_index.insert(value, reg);
        reg
    }

    /// The constant in a register.
    pub(crate) fn as_constant(&self, reg: Reg) -> Option<&IBig> {
        let instr = self.code[reg as usize];
        (instr.code == Code::Const).then(|| &self.constants[instr.a as usize])
    }

    fn is(&self, reg: Reg, value: u8) -> bool {
        self.as_constant(reg).is_some_and(|c| *c == IBig::from(value))
    }

    /// An instruction with one operand.
    pub(crate) fn unary(&mut self, code: Code, a: Reg) -> Reg {
        self.binary(code, a, 0)
    }

    /// An instruction with two operands.
    pub(crate) fn binary(&mut self, code: Code, mut a: Reg, mut b: Reg) -> Reg {
        debug_assert!((1..=2).contains(&code.arity()));
        let second = if code.arity() == 1 { Some(&IBig::ZERO) } else { self.as_constant(b) };
        if let (Some(x), Some(y)) = (self.as_constant(a), second)
            && let Some(value) = exact::apply(code, x, y)
        {
            return self.constant(value);
        }
        if code.commutes() && a > b {
            (a, b) = (b, a);
        }
        match code {
            Code::Add if self.is(a, 0) => b,
            Code::Add | Code::Sub if self.is(b, 0) => a,
            Code::Mul | Code::And | Code::Both if self.is(a, 1) => b,
            Code::Mul | Code::And | Code::Both | Code::Div | Code::Quo if self.is(b, 1) => a,
            Code::And if self.is(a, 0) => a,
            Code::And if self.is(b, 0) => b,
            Code::And | Code::Both if a == b => a,
            Code::Not if self.code[a as usize].code == Code::Not => self.code[a as usize].a,
            _ => self.push(Instr { code, a, b: if code.arity() == 1 { 0 } else { b }, c: 0 }),
        }
    }

    /// `(ite condition then otherwise)`.
    pub(crate) fn ite(&mut self, condition: Reg, then: Reg, otherwise: Reg) -> Reg {
        if then == otherwise || self.is(condition, 1) {
            then
        } else if self.is(condition, 0) {
            otherwise
        } else if let Some((code, a, b)) = self.truncated(condition, then, otherwise) {
            self.binary(code, a, b)
        } else {
            self.push(Instr { code: Code::Ite, a: condition, b: then, c: otherwise })
        }
    }

    /// Recognises `(ite (>= a 0) (div a b) (- (div (- a) b)))`, and the same with `mod`.
    fn truncated(&self, condition: Reg, then: Reg, otherwise: Reg) -> Option<(Code, Reg, Reg)> {
        let [condition, then, otherwise] = [condition, then, otherwise].map(|r| self.code[r as usize]);
        let code = match then.code {
            Code::Div => Code::Quo,
            Code::Mod => Code::Rem,
            _ => return None,
        };
        let negated = |instr: Instr| (instr.code == Code::Sub && self.is(instr.a, 0)).then_some(instr.b);
        let inner = self.code[negated(otherwise)? as usize];
        let fits = condition.code == Code::Le
            && self.is(condition.a, 0)
            && condition.b == then.a
            && inner.code == then.code
            && inner.b == then.b
            && negated(self.code[inner.a as usize]) == Some(then.a);
        fits.then_some((code, then.a, then.b))
    }

    /// An associative operator over several operands, as a balanced tree: a change of one operand then costs the
    /// logarithm of their number.
    pub(crate) fn balanced(&mut self, code: Code, operands: &[Reg]) -> Reg {
        let mut level = operands.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.binary(code, a, b) } else { pair[0] })
                .collect();
        }
        level[0]
    }

    /// The program that computes some registers, without what they do not need; and where they are now.
    pub(crate) fn finish(mut self, roots: &[Reg]) -> (Program, Vec<Reg>) {
        let zero = self.constant(0);
        let mut wanted = vec![false; self.code.len()];
        for &root in roots.iter().chain([&zero]) {
            wanted[root as usize] = true;
        }
        for reg in (0..self.code.len()).rev() {
            if wanted[reg] {
                self.code[reg].operands().for_each(|operand| wanted[operand as usize] = true);
            }
        }
        let mut program = Program::default();
        let mut place = vec![0; self.code.len()];
        let is_var = |reg: &usize| self.code[*reg].code == Code::Var;
        let all = (0..self.code.len()).filter(|&reg| wanted[reg]);
        for reg in all.clone().filter(is_var).chain(all.filter(|reg| !is_var(reg))) {
            let mut instr = self.code[reg];
            let mut open = false;
            match instr.code {
                Code::Var => {
                    program.vars.push(self.vars[instr.a as usize]);
                    program.boolean.push(self.boolean[instr.a as usize]);
                    instr.a = program.vars.len() as Reg - 1;
                    open = true;
                }
                Code::Const => {
                    program.constants.push(self.constants[instr.a as usize].clone());
                    instr.a = program.constants.len() as Reg - 1;
                }
                code => {
                    let fields = [&mut instr.a, &mut instr.b, &mut instr.c];
                    for field in fields.into_iter().take(code.arity()) {
                        *field = place[*field as usize];
                        open |= program.open[*field as usize];
                    }
                }
            }
            place[reg] = program.code.len() as Reg;
            program.code.push(instr);
            program.open.push(open);
        }
        program.zero = place[zero as usize];
        (program, roots.iter().map(|&r| place[r as usize]).collect())
    }
}
