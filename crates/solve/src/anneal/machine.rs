//! Runs register programs: the compiled counterpart of [`smt::Evaluator`], which it agrees with bit for bit.
//!
//! A trial changes cells, runs the instructions that depend on them and can be taken back: the old content of every
//! register that it wrote is on a log.

use super::arith::{
    BitsOp, FloatOp, bits_op, convert, float_extreme, float_neg, float_op, from_integer, mode, to_integer,
};
use super::distance::{
    Gap, bits_same, bits_slt, bits_ult, float_class, float_eq, float_le, float_lt, float_same, rough,
};
use super::program::{Code, Instr, Kind, Program, Slot};
use super::shape::{Shape, ones, signed};
use smt::eval::{Call as TableCall, Evaluation};
use smt::regex::Regexes;
use smt::{BitVec, Float, Format, Op, RoundingMode, Sort, Terms, UBig, Value};

/// The registers.
#[derive(Default)]
pub(super) struct Machine {
    words: Vec<u64>,
    /// Words that have no value: SMT-LIB leaves them open.
    open: Vec<bool>,
    gaps: Vec<Gap>,
    /// `None` is open.
    wides: Vec<Option<Value>>,
    /// What a trial found in the registers that it wrote, a list for each file: changes of words are many and small.
    old_words: Vec<(u64, u32, bool)>,
    old_gaps: Vec<(u32, Gap)>,
    old_wides: Vec<(u32, Option<Value>)>,
    logging: bool,
    regexes: Regexes,
    args: Vec<Value>,
}

impl Machine {
    /// A new word.
    pub(super) fn add_word(&mut self, word: u64) -> Slot {
        self.words.push(word);
        self.open.push(false);
        Slot::Word(self.words.len() as u32 - 1)
    }

    /// A new truth value.
    pub(super) fn add_gap(&mut self, gap: Gap) -> Slot {
        self.gaps.push(gap);
        Slot::Gap(self.gaps.len() as u32 - 1)
    }

    /// A new wide value.
    pub(super) fn add_wide(&mut self, value: Option<Value>) -> Slot {
        self.wides.push(value);
        Slot::Wide(self.wides.len() as u32 - 1)
    }

    /// The word in a register.
    #[inline]
    pub(super) fn word(&self, register: u32) -> u64 {
        self.words[register as usize]
    }

    /// The gap in a register.
    #[inline]
    pub(super) fn gap(&self, register: u32) -> Gap {
        self.gaps[register as usize]
    }

    /// How many bytes the registers take, roughly.
    pub(super) fn size(&self) -> usize {
        self.words.len() * 9 + self.gaps.len() * 16 + self.wides.len() * 64
    }

    /// What a cell holds; truth values are 0 and 1.
    #[inline]
    pub(super) fn cell(&self, slot: Slot) -> u64 {
        match slot {
            Slot::Word(r) => self.words[r as usize],
            Slot::Gap(r) => u64::from(self.gaps[r as usize].is_true()),
            Slot::Wide(_) => unreachable!("cells are words or truth values"),
        }
    }

    /// Overwrites an input cell. Results that depend on it are computed apart.
    #[inline]
    pub(super) fn set_cell(&mut self, slot: Slot, value: u64) {
        match slot {
            Slot::Word(r) => self.put_word(r, Some(value)),
            Slot::Gap(r) => self.put_gap(r, Gap::of(value != 0)),
            Slot::Wide(_) => unreachable!("cells are words or truth values"),
        }
    }

    /// Starts a trial.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.old_words.clear();
        self.old_gaps.clear();
        self.old_wides.clear();
        self.logging = true;
    }

    /// Keeps what the trial changed.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.logging = false;
    }

    /// Takes the trial back.
    pub(super) fn take_back(&mut self) {
        self.logging = false;
        // Backwards: a register that was written twice gets its oldest content.
        while let Some((word, register, open)) = self.old_words.pop() {
            self.words[register as usize] = word;
            self.open[register as usize] = open;
        }
        while let Some((register, gap)) = self.old_gaps.pop() {
            self.gaps[register as usize] = gap;
        }
        while let Some((register, value)) = self.old_wides.pop() {
            self.wides[register as usize] = value;
        }
    }

    #[inline]
    fn put_word(&mut self, register: u32, word: Option<u64>) {
        let r = register as usize;
        if self.logging {
            self.old_words.push((self.words[r], register, self.open[r]));
        }
        match word {
            Some(word) => (self.words[r], self.open[r]) = (word, false),
            None => self.open[r] = true,
        }
    }

    #[inline]
    fn put_gap(&mut self, register: u32, gap: Gap) {
        let old = std::mem::replace(&mut self.gaps[register as usize], gap);
        if self.logging {
            self.old_gaps.push((register, old));
        }
    }

    fn put_wide(&mut self, register: u32, value: Option<Value>) {
        let old = std::mem::replace(&mut self.wides[register as usize], value);
        if self.logging {
            self.old_wides.push((register, old));
        }
    }

    /// Runs one instruction.
    #[inline]
    pub(super) fn run(&mut self, terms: &Terms, program: &Program, instr: &Instr) {
        match instr.to {
            Slot::Word(r) => {
                let word = self.word_result(terms, program, instr);
                self.put_word(r, word);
            }
            Slot::Gap(r) => {
                let gap = self.gap_result(terms, program, instr);
                self.put_gap(r, gap);
            }
            Slot::Wide(r) => {
                let value = self.wide_result(terms, program, instr);
                self.put_wide(r, value);
            }
        }
    }

    #[inline]
    fn has_open_operand(&self, instr: &Instr) -> bool {
        let operands = [instr.a, instr.b, instr.c];
        operands[..instr.guard as usize].iter().any(|&r| self.open[r as usize])
    }

    fn word_result(&mut self, terms: &Terms, program: &Program, instr: &Instr) -> Option<u64> {
        if instr.guard > 0 && self.has_open_operand(instr) {
            return None;
        }
        let word = |r: u32| self.words[r as usize];
        let shape = |i: u32| &program.shapes[i as usize];
        let Instr { a, b, c, .. } = *instr;
        Some(match instr.code {
            Code::Bits(op, width) => bits_op(op, width, word(a), word(b)),
            Code::Concat(low) => word(a) << low | word(b),
            Code::Extract(width, low) => word(a) >> low & ones(width),
            Code::SignExtend(from, to) => signed(word(a), from) as u64 & ones(to),
            Code::FromGap => u64::from(self.gaps[a as usize].truth()?),
            Code::IteWord => return self.ite_word(a, b, c),
            Code::Float(op, s) => float_op(shape(s), op, word(c), word(a), word(b), 0),
            Code::Fma(s, rounding) => {
                float_op(shape(s), FloatOp::Fma, word(rounding), word(a), word(b), word(c))
            }
            Code::FloatNeg(s) => float_neg(shape(s), word(a)),
            Code::FloatAbs(s) => shape(s).magnitude(word(a)),
            Code::Extreme(s, max) => return float_extreme(shape(s), max, word(a), word(b)),
            Code::Canonical(s) => shape(s).canonical(word(a)),
            Code::Convert(from, to) => convert(shape(from), shape(to), word(c), word(a)),
            Code::FromInteger(to, width, is_signed) => {
                from_integer(shape(to), word(c), word(a), width, is_signed)
            }
            Code::ToInteger(from, width, is_signed) => {
                return to_integer(shape(from), word(c), word(a), width, is_signed);
            }
            Code::Lookup(contents) => program.contents[contents as usize].at(word(a)),
            Code::ReadWord(site) => match self.read(program, site)? {
                Slot::Word(r) if !self.open[r as usize] => self.words[r as usize],
                _ => return None,
            },
            Code::Call(call) => {
                let value = self.call(terms, program, call)?;
                encode_word(program, &value)
            }
            _ => unreachable!("an instruction for another file of registers"),
        })
    }

    #[inline]
    fn ite_word(&self, a: u32, b: u32, c: u32) -> Option<u64> {
        let closed = |r: u32| (!self.open[r as usize]).then(|| self.words[r as usize]);
        match self.gaps[a as usize].truth() {
            Some(true) => closed(b),
            Some(false) => closed(c),
            None => closed(b).filter(|_| closed(b) == closed(c)),
        }
    }

    fn gap_result(&mut self, terms: &Terms, program: &Program, instr: &Instr) -> Gap {
        if instr.guard > 0 && self.has_open_operand(instr) {
            return Gap::OPEN;
        }
        let word = |r: u32| self.words[r as usize];
        let gap = |r: u32| self.gaps[r as usize];
        let shape = |i: u32| &program.shapes[i as usize];
        let Instr { a, b, c, .. } = *instr;
        let list = &program.lists;
        match instr.code {
            Code::Same(width) => bits_same(width, word(a), word(b)),
            Code::FloatSame(s) => float_same(shape(s), word(a), word(b)),
            Code::FloatEq(s) => float_eq(shape(s), word(a), word(b)),
            Code::FloatLt(s) => float_lt(shape(s), word(a), word(b)),
            Code::FloatLe(s) => float_le(shape(s), word(a), word(b)),
            Code::FloatClass(s, class) => float_class(shape(s), class, word(a)),
            Code::Ult => bits_ult(word(a), word(b)),
            Code::Slt(width) => bits_slt(width, word(a), word(b)),
            Code::Not => gap(a).not(),
            Code::And => list[a as usize + 1..(a + b) as usize]
                .iter()
                .fold(gap(list[a as usize]), |all, &r| all.and(gap(r))),
            Code::Or => list[a as usize + 1..(a + b) as usize]
                .iter()
                .fold(gap(list[a as usize]), |some, &r| some.or(gap(r))),
            Code::Iff => gap(a).iff(gap(b)),
            Code::IteGap => gap(a).ite(gap(b), gap(c)),
            Code::ReadGap(site) => match self.read(program, site) {
                Some(Slot::Gap(r)) => self.gaps[r as usize],
                _ => Gap::OPEN,
            },
            Code::Call(call) => match self.call(terms, program, call) {
                Some(Value::Bool(truth)) => {
                    let (differing, of) = difference(program.calls[call as usize].op, &self.args);
                    rough(truth, differing, of)
                }
                _ => Gap::OPEN,
            },
            _ => unreachable!("an instruction for another file of registers"),
        }
    }

    fn wide_result(&mut self, terms: &Terms, program: &Program, instr: &Instr) -> Option<Value> {
        let wide = |r: u32| self.wides[r as usize].clone();
        match instr.code {
            Code::IteWide => match self.gaps[instr.a as usize].truth() {
                Some(true) => wide(instr.b),
                Some(false) => wide(instr.c),
                None => wide(instr.b).filter(|v| self.wides[instr.c as usize].as_ref() == Some(v)),
            },
            Code::Join(call) => {
                let registers = &program.lists[instr.a as usize..(instr.a + instr.b) as usize];
                let bits = registers
                    .iter()
                    .fold(UBig::ZERO, |high, &r| (high << 64) | UBig::from(self.words[r as usize]));
                match *terms.sort_of(program.calls[call as usize].sort) {
                    Sort::BitVec(width) => Some(Value::BitVec(BitVec::new(width, bits))),
                    Sort::Float(eb, sb) => Some(Value::Float(Float::from_bits(Format { eb, sb }, bits))),
                    _ => unreachable!("only bit-vectors and floats are joined from words"),
                }
            }
            Code::Call(call) => self.call(terms, program, call),
            _ => unreachable!("an instruction for another file of registers"),
        }
    }

    /// The register that holds the element a read finds; `None` if an argument of it is open.
    pub(super) fn read(&self, program: &Program, site: u32) -> Option<Slot> {
        let (table, position) = program.sites[site as usize];
        let reads = &program.tables[table as usize].reads;
        let this = &reads[position as usize];
        if this.args.iter().any(|&slot| !self.has_value(slot)) {
            return None;
        }
        let same = |(&x, &y): (&Slot, &Slot)| self.has_value(x) && self.same(x, y);
        let earlier =
            reads[..position as usize].iter().find(|read| read.args.iter().zip(&this.args).all(same));
        Some(earlier.map_or(this.own, |read| read.result))
    }

    fn has_value(&self, slot: Slot) -> bool {
        match slot {
            Slot::Word(r) => !self.open[r as usize],
            Slot::Gap(r) => self.gaps[r as usize].truth().is_some(),
            Slot::Wide(r) => self.wides[r as usize].is_some(),
        }
    }

    /// Whether two registers with values hold the same.
    fn same(&self, x: Slot, y: Slot) -> bool {
        match (x, y) {
            (Slot::Word(x), Slot::Word(y)) => self.words[x as usize] == self.words[y as usize],
            (Slot::Gap(x), Slot::Gap(y)) => self.gaps[x as usize].truth() == self.gaps[y as usize].truth(),
            (Slot::Wide(x), Slot::Wide(y)) => self.wides[x as usize] == self.wides[y as usize],
            _ => false,
        }
    }

    /// The value in a register.
    pub(super) fn value(&self, program: &Program, slot: Slot, kind: Kind) -> Option<Value> {
        match (slot, kind) {
            (Slot::Gap(r), _) => self.gaps[r as usize].truth().map(Value::Bool),
            (Slot::Wide(r), _) => self.wides[r as usize].clone(),
            (Slot::Word(r), _) if self.open[r as usize] => None,
            (Slot::Word(r), kind) => Some(decode_word(program, kind, self.words[r as usize])),
        }
    }

    /// Evaluates a call by the operator table; leaves the arguments in `self.args`.
    fn call(&mut self, terms: &Terms, program: &Program, call: u32) -> Option<Value> {
        let call = &program.calls[call as usize];
        let Evaluation::Strict(function) = call.op.info().evaluation else { return None };
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        for &(slot, kind) in &call.args {
            match self.value(program, slot, kind) {
                Some(value) => args.push(value),
                None => {
                    self.args = args;
                    return None;
                }
            }
        }
        let outcome = function(&mut TableCall {
            args: &args,
            indices: call.indices,
            sort: call.sort,
            terms,
            regexes: &mut self.regexes,
        });
        self.args = args;
        outcome.ok()
    }
}

/// The value that a word stands for.
pub(super) fn decode_word(program: &Program, kind: Kind, word: u64) -> Value {
    match kind {
        Kind::Bits(width) => Value::BitVec(BitVec::from_u64(width, word)),
        Kind::Float(shape) => Value::Float(program.shapes[shape as usize].float(word)),
        Kind::Mode => Value::Rm(mode(word)),
        Kind::Bool | Kind::Wide(_) => unreachable!("not held in a word"),
    }
}

/// The word that stands for a value of at most 64 bits.
pub(super) fn encode_word(program: &Program, value: &Value) -> u64 {
    match value {
        Value::BitVec(bits) => bits.to_u64().expect("at most 64 bits"),
        Value::Float(float) => {
            let shape: Option<&Shape> = program.shapes.iter().find(|s| s.format == float.format());
            shape.expect("the compiler listed the formats").word(float)
        }
        Value::Rm(rm) => RoundingMode::ALL.iter().position(|m| m == rm).expect("one of five") as u64,
        _ => unreachable!("not held in a word"),
    }
}

/// How many bits differ between the arguments of a predicate, out of how many; what counts is where the first is.
fn difference(op: Op, args: &[Value]) -> (usize, usize) {
    use smt::UBig as U;
    let bits = |v: &Value| match v {
        Value::BitVec(b) => Some((b.to_ubig().clone(), b.width() as usize)),
        Value::Float(f) => Some((f.bits(), f.format().width() as usize)),
        _ => None,
    };
    let apart = |a: &U, b: &U| dashu_base::BitTest::bit_len(&(a ^ b));
    match args {
        [a, b] if op != Op::Distinct => match (bits(a), bits(b)) {
            (Some((x, width)), Some((y, _))) => (apart(&x, &y), width),
            _ => (1, 1),
        },
        _ => (1, 1),
    }
}

/// The operations of [`BitsOp`] by the operators that mean them.
pub(super) fn bits_operator(op: Op) -> Option<BitsOp> {
    Some(match op {
        Op::BvAnd => BitsOp::And,
        Op::BvOr => BitsOp::Or,
        Op::BvXor => BitsOp::Xor,
        Op::BvAdd => BitsOp::Add,
        Op::BvSub => BitsOp::Sub,
        Op::BvMul => BitsOp::Mul,
        Op::BvUdiv => BitsOp::Udiv,
        Op::BvUrem => BitsOp::Urem,
        Op::BvSdiv => BitsOp::Sdiv,
        Op::BvSrem => BitsOp::Srem,
        Op::BvSmod => BitsOp::Smod,
        Op::BvShl => BitsOp::Shl,
        Op::BvLshr => BitsOp::Lshr,
        Op::BvAshr => BitsOp::Ashr,
        _ => return None,
    })
}
