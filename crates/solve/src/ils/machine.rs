//! Runs register programs: 64-bit integers where they fit, big ones in the registers where they do not, and
//! `undefined` where SMT-LIB leaves a value open.
//!
//! A register is an `i64`. The lowest numbers are not numbers but handles: one for `undefined`, the others for places in
//! a pool of big integers. So overflow puts only its own register on the slow path, and undoing a write is
//! writing the old handle back.

use super::exact;
use super::lane::{Cell, Lane};
use super::program::{Code, Program, Reg};
use crate::tuning::ils_machine::{POOL_FULL, POOL_SIZE};
use dashu_int::IBig;

/// What a register without a value holds.
const UNDEFINED: i64 = i64::MIN;
/// The handle of the first big integer.
const POOL: i64 = i64::MIN + 1;
/// The least number that a register holds as itself.
const LEAST: i64 = POOL + POOL_SIZE as i64;

/// The value of a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Number<'a> {
    /// A number of a machine word.
    Small(i64),
    /// Any other number.
    Big(&'a IBig),
    /// No value.
    Undefined,
}

/// The registers of a program, their shadows behind them (see `lane`), and the pool of their big integers.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    cells: Vec<i64>,
    pool: Vec<IBig>,
    /// How many registers there are.
    count: usize,
}

impl Registers {
    /// All variables zero.
    pub(crate) fn new(program: &Program) -> Registers {
        let count = program.code.len();
        let mut registers = Registers { cells: vec![0; 2 * count], pool: Vec::new(), count };
        for (reg, instr) in program.code.iter().enumerate() {
            if instr.code == Code::Const {
                registers.cells[reg] = registers.intern(program.constants[instr.a as usize].clone());
            }
        }
        registers.run(program);
        registers
    }

    /// Computes every instruction.
    pub(crate) fn run(&mut self, program: &Program) {
        for reg in program.vars.len()..program.code.len() {
            let instr = program.code[reg];
            if instr.code != Code::Const {
                self.cells[reg] = self.compute(instr.code, instr.a, instr.b, instr.c);
            }
        }
    }

    /// Computes what registers would be if a variable had another value. The shadows then hold it.
    #[inline]
    pub(crate) fn look(&mut self, lane: &Lane, value: i128) {
        self.cells[self.count + lane.var as usize] = self.represent(value);
        for step in &lane.steps {
            self.cells[self.count + step.to as usize] = self.compute(step.code, step.a, step.b, step.c);
        }
    }

    /// Makes a register what its shadow is; what it held, if that is something else.
    #[inline]
    pub(crate) fn follow(&mut self, reg: Reg) -> Option<i64> {
        let new = self.cells[self.count + reg as usize];
        let old = std::mem::replace(&mut self.cells[reg as usize], new);
        (old != new).then_some(old)
    }

    /// The value of a register or its shadow.
    #[inline]
    pub(crate) fn number(&self, cell: Cell) -> Number<'_> {
        match self.cells[cell as usize] {
            small if small >= LEAST => Number::Small(small),
            UNDEFINED => Number::Undefined,
            handle => Number::Big(&self.pool[(handle - POOL) as usize]),
        }
    }

    /// The value of a register or its shadow if it is a machine word.
    #[inline]
    pub(crate) fn word(&self, cell: Cell) -> Option<i64> {
        Some(self.cells[cell as usize]).filter(|&small| small >= LEAST)
    }

    /// The value of a register or its shadow if it fits in 128 bits.
    #[inline]
    pub(crate) fn small(&self, cell: Cell) -> Option<i128> {
        match self.number(cell) {
            Number::Small(small) => Some(i128::from(small)),
            Number::Big(big) => i128::try_from(big).ok(),
            Number::Undefined => None,
        }
    }

    /// The value of a register or its shadow, if it has one.
    pub(crate) fn integer(&self, cell: Cell) -> Option<IBig> {
        self.big(self.cells[cell as usize])
    }

    /// Whether a register holds the truth value true.
    #[inline]
    pub(crate) fn is_true(&self, reg: Reg) -> bool {
        self.cells[reg as usize] == 1
    }

    /// Gives a register back what [`Registers::follow`] said it held.
    #[inline]
    pub(crate) fn restore(&mut self, reg: Reg, raw: i64) {
        self.cells[reg as usize] = raw;
    }

    /// Writes a number without computing what depends on it.
    #[inline]
    pub(crate) fn write(&mut self, reg: Reg, value: i128) {
        self.cells[reg as usize] = self.represent(value);
    }

    #[inline]
    fn represent(&mut self, value: i128) -> i64 {
        match i64::try_from(value) {
            Ok(small) if small >= LEAST => small,
            _ => self.intern(IBig::from(value)),
        }
    }

    /// How many big integers are in the pool.
    #[inline]
    pub(crate) fn pool_len(&self) -> usize {
        self.pool.len()
    }

    /// Forgets big integers made since the pool was that long; no register may hold one.
    #[inline]
    pub(crate) fn shrink_pool(&mut self, len: usize) {
        self.pool.truncate(len);
    }

    /// Drops big integers that no register holds, once there are many. Shadows are void then.
    pub(crate) fn collect(&mut self) {
        if self.pool.len() < POOL_FULL {
            return;
        }
        let old = std::mem::take(&mut self.pool);
        for value in &mut self.cells[..self.count] {
            if *value > UNDEFINED && *value < LEAST {
                self.pool.push(old[(*value - POOL) as usize].clone());
                *value = POOL + self.pool.len() as i64 - 1;
            }
        }
    }

    fn intern(&mut self, big: IBig) -> i64 {
        match i64::try_from(&big) {
            Ok(small) if small >= LEAST => small,
            // A full pool makes numbers undefined: never a wrong value, at worst a missed one.
            _ if self.pool.len() >= POOL_SIZE => UNDEFINED,
            _ => {
                self.pool.push(big);
                POOL + self.pool.len() as i64 - 1
            }
        }
    }

    /// What an instruction gives on the registers as they are.
    #[inline(always)]
    fn compute(&mut self, code: Code, a: Cell, b: Cell, c: Cell) -> i64 {
        let x = self.cells[a as usize];
        let y = self.cells[b as usize];
        if x < LEAST || y < LEAST {
            return self.exceptional(code, x, y, c);
        }
        let result = match code {
            Code::Add => x.checked_add(y),
            Code::Sub => x.checked_sub(y),
            Code::Mul => x.checked_mul(y),
            Code::Div => x.checked_div_euclid(y),
            Code::Mod => x.checked_rem_euclid(y),
            Code::Quo => x.checked_div(y),
            Code::Rem => x.checked_rem(y),
            Code::Abs => Some(x.abs()),
            Code::Le => Some(i64::from(x <= y)),
            Code::Eq => Some(i64::from(x == y)),
            Code::Not => Some(1 - x),
            Code::And | Code::Both => Some(x & y),
            Code::Ite => return if x == 1 { y } else { self.cells[c as usize] },
            Code::Var | Code::Const => unreachable!("nothing is computed for {code:?}"),
        };
        match result {
            Some(small) if small >= LEAST => small,
            _ => self.exceptional(code, x, y, c),
        }
    }

    /// Operands that are not small, division by zero, and results that do not fit.
    #[cold]
    #[inline(never)]
    fn exceptional(&mut self, code: Code, x: i64, y: i64, c: Cell) -> i64 {
        match code {
            Code::Ite => {
                let z = self.cells[c as usize];
                return match x {
                    1 => y,
                    0 => z,
                    // Whatever the condition is, both branches agree.
                    _ if y != UNDEFINED && (y == z || self.big(y) == self.big(z)) => y,
                    _ => UNDEFINED,
                };
            }
            Code::And if x == 0 || y == 0 => return 0,
            _ => {}
        }
        if x == UNDEFINED || (y == UNDEFINED && code.arity() > 1) {
            return UNDEFINED;
        }
        if let Some(result) = self.wide(x).zip(self.wide(y)).and_then(|(a, b)| exact::apply_wide(code, a, b))
        {
            return self.represent(result);
        }
        let b = if code.arity() > 1 { self.big(y) } else { Some(IBig::ZERO) };
        match (self.big(x), b) {
            (Some(a), Some(b)) => match exact::apply(code, &a, &b) {
                Some(result) => self.intern(result),
                None => UNDEFINED,
            },
            _ => UNDEFINED,
        }
    }

    #[inline]
    fn wide(&self, raw: i64) -> Option<i128> {
        match raw {
            UNDEFINED => None,
            handle if handle < LEAST => i128::try_from(&self.pool[(handle - POOL) as usize]).ok(),
            small => Some(i128::from(small)),
        }
    }

    fn big(&self, raw: i64) -> Option<IBig> {
        match raw {
            UNDEFINED => None,
            handle if handle < LEAST => Some(self.pool[(handle - POOL) as usize].clone()),
            small => Some(IBig::from(small)),
        }
    }
}
