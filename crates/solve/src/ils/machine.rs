//! Runs register programs: 64-bit integers where they fit, big ones in the registers where they do not, and
//! `undefined` where SMT-LIB leaves a value open.
//!
//! A register is an `i64`. The lowest numbers are not numbers but handles: one for `undefined`, the others for places in
//! a pool of big integers. So overflow costs its own register the slow path and nobody else, and undoing a write is
//! writing the old handle back.

use super::exact;
use super::program::{Code, Program, Reg};
use dashu_int::IBig;

/// What a register without a value holds.
const UNDEFINED: i64 = i64::MIN;
/// The handle of the first big integer.
const POOL: i64 = i64::MIN + 1;
/// How many big integers the pool may hold.
const POOL_SIZE: usize = 1 << 20;
/// The least number that a register holds as itself.
const LEAST: i64 = POOL + POOL_SIZE as i64;
/// Once the pool is this full it is worth collecting.
const POOL_FULL: usize = POOL_SIZE / 2;

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

/// The registers of a program and the pool of their big integers.
#[derive(Clone, Debug)]
pub(crate) struct Registers {
    cells: Vec<Cell>,
    pool: Vec<IBig>,
    /// Counts changes of variables; see [`Registers::begin`].
    epoch: u32,
}

/// A register, and the last change of a variable that changed it.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    value: i64,
    changed: u32,
}

impl Registers {
    /// All variables zero.
    pub(crate) fn new(program: &Program) -> Registers {
        let mut registers =
            Registers { cells: vec![Cell::default(); program.code.len()], pool: Vec::new(), epoch: 0 };
        for (reg, instr) in program.code.iter().enumerate() {
            if instr.code == Code::Const {
                registers.cells[reg].value = registers.intern(program.constants[instr.a as usize].clone());
            }
        }
        registers.run(program);
        registers
    }

    /// Computes every instruction.
    pub(crate) fn run(&mut self, program: &Program) {
        for reg in program.vars.len()..program.code.len() {
            if program.code[reg].code != Code::Const {
                self.cells[reg].value = self.compute(program, reg as Reg);
            }
        }
    }

    /// The value of a register.
    #[inline]
    pub(crate) fn number(&self, reg: Reg) -> Number<'_> {
        match self.cells[reg as usize].value {
            small if small >= LEAST => Number::Small(small),
            UNDEFINED => Number::Undefined,
            handle => Number::Big(&self.pool[(handle - POOL) as usize]),
        }
    }

    /// The value of a register if it fits in 128 bits.
    #[inline]
    pub(crate) fn small(&self, reg: Reg) -> Option<i128> {
        match self.number(reg) {
            Number::Small(small) => Some(i128::from(small)),
            Number::Big(big) => i128::try_from(big).ok(),
            Number::Undefined => None,
        }
    }

    /// The value of a register, if it has one.
    pub(crate) fn integer(&self, reg: Reg) -> Option<IBig> {
        self.big(self.cells[reg as usize].value)
    }

    /// Whether a register holds the truth value true.
    #[inline]
    pub(crate) fn is_true(&self, reg: Reg) -> bool {
        self.cells[reg as usize].value == 1
    }

    /// What a register holds, to be given back to [`Registers::restore`].
    #[inline]
    pub(crate) fn raw(&self, reg: Reg) -> i64 {
        self.cells[reg as usize].value
    }

    /// Begins a change of a variable: until the next one, [`Registers::has_changed`] is about this one.
    pub(crate) fn begin(&mut self) {
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.cells.iter_mut().for_each(|cell| cell.changed = 0);
            1
        });
    }

    /// Whether a register was written to by the current change.
    #[inline]
    pub(crate) fn has_changed(&self, reg: Reg) -> bool {
        self.cells[reg as usize].changed == self.epoch
    }

    /// Computes an instruction again if one of its operands changed; what the register held, if it changes too.
    #[inline]
    pub(crate) fn refresh(&mut self, program: &Program, reg: Reg) -> Option<i64> {
        let instr = program.code[reg as usize];
        if !(self.has_changed(instr.a) || self.has_changed(instr.b) || self.has_changed(instr.c)) {
            return None;
        }
        let new = self.compute(program, reg);
        let cell = &mut self.cells[reg as usize];
        let old = cell.value;
        if old == new {
            return None;
        }
        *cell = Cell { value: new, changed: self.epoch };
        Some(old)
    }

    /// Gives a register back what [`Registers::raw`] or [`Registers::refresh`] said it held.
    #[inline]
    pub(crate) fn restore(&mut self, reg: Reg, raw: i64) {
        self.cells[reg as usize].value = raw;
    }

    /// Writes a number without computing what depends on it.
    #[inline]
    pub(crate) fn write(&mut self, reg: Reg, value: i128) {
        let value = match i64::try_from(value) {
            Ok(small) if small >= LEAST => small,
            _ => self.intern(IBig::from(value)),
        };
        self.cells[reg as usize] = Cell { value, changed: self.epoch };
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

    /// Drops big integers that no register holds, once there are many.
    pub(crate) fn collect(&mut self) {
        if self.pool.len() < POOL_FULL {
            return;
        }
        let old = std::mem::take(&mut self.pool);
        for Cell { value, .. } in &mut self.cells {
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
    #[inline]
    fn compute(&mut self, program: &Program, reg: Reg) -> i64 {
        let instr = program.code[reg as usize];
        let x = self.cells[instr.a as usize].value;
        let y = self.cells[instr.b as usize].value;
        if x < LEAST || y < LEAST {
            return self.exceptional(instr.code, x, y, instr.c);
        }
        let result = match instr.code {
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
            Code::Ite => return if x == 1 { y } else { self.cells[instr.c as usize].value },
            Code::Var | Code::Const => return self.cells[reg as usize].value,
        };
        match result {
            Some(small) if small >= LEAST => small,
            _ => self.exceptional(instr.code, x, y, instr.c),
        }
    }

    /// Operands that are not small, division by zero, and results that do not fit.
    #[cold]
    #[inline(never)]
    fn exceptional(&mut self, code: Code, x: i64, y: i64, c: Reg) -> i64 {
        match code {
            Code::Ite => {
                let z = self.cells[c as usize].value;
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
        let b = if code.arity() > 1 { self.big(y) } else { Some(IBig::ZERO) };
        match (self.big(x), b) {
            (Some(a), Some(b)) => match exact::apply(code, &a, &b) {
                Some(result) => self.intern(result),
                None => UNDEFINED,
            },
            _ => UNDEFINED,
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
