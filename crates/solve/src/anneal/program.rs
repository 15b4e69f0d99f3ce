//! Register programs: what a query is compiled to.
//!
//! There are three files of registers: words (bit-vectors and floats of at most 64 bits, rounding modes), gaps (truth
//! values with their distances) and wide values (everything else, as [`smt::Value`]). Instructions stand in an order
//! in which they can be run; each writes one register that no other writes. Cells are the registers that the
//! search sets. The module knows who depends on whom; what instructions do is the machine's business.

use super::arith::{BitsOp, FloatOp};
use super::distance::Class;
use super::shape::Shape;
use super::tables::Contents;
use smt::{FunId, Op, SortId, TermId, Value};

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Slot {
    /// A word.
    Word(u32),
    /// A truth value.
    Gap(u32),
    /// A value of any sort.
    Wide(u32),
}

/// What an instruction computes. `a`, `b`, `c` are operands; words if nothing else is said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Code {
    /// A bit-vector operation of this width.
    Bits(BitsOp, u32),
    /// `a` above `b`, which has this width.
    Concat(u32),
    /// This many bits of `a` from this position.
    Extract(u32, u32),
    /// `a` of the first width sign-extended to the second.
    SignExtend(u32, u32),
    /// 1 if the gap `a` is true, 0 if it is false.
    FromGap,
    /// `b` if the gap `a` is true, else `c`.
    IteWord,
    /// A float operation under the mode in `c`, on `a`, `b`.
    Float(FloatOp, u32),
    /// `a * b + c` under the mode in this register.
    Fma(u32, u32),
    /// Negation.
    FloatNeg(u32),
    /// Absolute value.
    FloatAbs(u32),
    /// `fp.max` if true, `fp.min` otherwise.
    Extreme(u32, bool),
    /// Bits as a float: all NaNs become one.
    Canonical(u32),
    /// `a` from the first format to the second under the mode in `c`.
    Convert(u32, u32),
    /// The integer `a` of this width, signed or not, as a float under the mode in `c`.
    FromInteger(u32, u32, bool),
    /// The float `a` as an integer of this width, signed or not, under the mode in `c`.
    ToInteger(u32, u32, bool),
    /// The element of a table: a read of an array, or an application of a function.
    ReadWord(u32),
    /// The element at `a` of the contents at this position.
    Lookup(u32),

    /// `=` on words of this width.
    Same(u32),
    /// `=` on floats.
    FloatSame(u32),
    /// `fp.eq`
    FloatEq(u32),
    /// `fp.lt`
    FloatLt(u32),
    /// `fp.leq`
    FloatLe(u32),
    /// A class predicate.
    FloatClass(u32, Class),
    /// `bvult`
    Ult,
    /// `bvslt` of this width.
    Slt(u32),
    /// The gap `a` negated.
    Not,
    /// All gaps of the list from `a`, `b` many.
    And,
    /// Some gap of the list from `a`, `b` many.
    Or,
    /// Gaps `a` and `b` have the same truth value.
    Iff,
    /// Gap `b` if the gap `a` is true, else gap `c`.
    IteGap,
    /// As `ReadWord`, for a truth value.
    ReadGap(u32),

    /// The call at this position, to a register of the file that it names.
    Call(u32),
    /// Wide value `b` if the gap `a` is true, else wide value `c`.
    IteWide,
    /// The words of the list from `a`, `b` many, one above the other, as a value of the sort of the call.
    Join(u32),
}

/// The file that an operand is a register of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum File {
    Word,
    Gap,
    Wide,
}

impl Code {
    /// Which of `a`, `b` and `c` are registers, and of which file. Lists, reads and calls name theirs elsewhere.
    fn operands(self) -> [Option<File>; 3] {
        const NONE: Option<File> = None;
        const WORD: Option<File> = Some(File::Word);
        const GAP: Option<File> = Some(File::Gap);
        const WIDE: Option<File> = Some(File::Wide);
        match self {
            Code::Bits(..)
            | Code::Concat(_)
            | Code::Extreme(..)
            | Code::Same(_)
            | Code::FloatSame(_)
            | Code::FloatEq(_)
            | Code::FloatLt(_)
            | Code::FloatLe(_)
            | Code::Ult
            | Code::Slt(_) => [WORD, WORD, NONE],
            Code::Float(..) | Code::Fma(..) => [WORD, WORD, WORD],
            Code::Convert(..) | Code::FromInteger(..) | Code::ToInteger(..) => [WORD, NONE, WORD],
            Code::Extract(..)
            | Code::SignExtend(..)
            | Code::FloatNeg(_)
            | Code::FloatAbs(_)
            | Code::Canonical(_)
            | Code::Lookup(_)
            | Code::FloatClass(..) => [WORD, NONE, NONE],
            Code::FromGap | Code::Not => [GAP, NONE, NONE],
            Code::Iff => [GAP, GAP, NONE],
            Code::IteGap => [GAP, GAP, GAP],
            Code::IteWord => [GAP, WORD, WORD],
            Code::IteWide => [GAP, WIDE, WIDE],
            Code::And | Code::Or | Code::Join(_) | Code::Call(_) | Code::ReadWord(_) | Code::ReadGap(_) => {
                [NONE; 3]
            }
        }
    }

    /// How many operands are words whose being open makes the result open: those at the front. `ite` and reads see to
    /// it themselves, and calls look at all their arguments.
    pub(super) fn guarded_operands(self) -> u8 {
        self.operands().into_iter().take_while(|&file| file == Some(File::Word)).count() as u8
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    /// What to compute.
    pub(super) code: Code,
    /// How many of `a`, `b`, `c` are words that may be open, in which case the result is.
    pub(super) guard: u8,
    /// Where the result goes.
    pub(super) to: Slot,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}

/// How a register's content is a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// A truth value in a gap.
    Bool,
    /// A rounding mode in a word.
    Mode,
    /// A bit-vector of this width in a word.
    Bits(u32),
    /// A float of the shape at this position, in a word.
    Float(u32),
    /// A wide value of this sort.
    Wide(SortId),
}

/// An application that the operator table of the crate `smt` evaluates.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) op: Op,
    pub(super) indices: [u32; 2],
    pub(super) sort: SortId,
    pub(super) args: Vec<(Slot, Kind)>,
}

/// An array or function by the places where it is read. A read whose arguments equal those of an earlier one has its
/// value; any other has a value of its own: arrays need no axioms this way.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The array or function.
    pub(super) fun: FunId,
    /// Whether it is an array.
    pub(super) is_array: bool,
    /// How arguments and results are values.
    pub(super) params: Vec<Kind>,
    pub(super) result: Kind,
    /// The reads in their order.
    pub(super) reads: Vec<Read>,
}

/// One read of a table.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) args: Vec<Slot>,
    /// The read's result.
    pub(super) result: Slot,
    /// The value that it has if no earlier read has the same arguments.
    pub(super) own: Slot,
}

/// A register that the search sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) slot: Slot,
    /// `Bool`, `Mode`, `Bits` or `Float`.
    pub(super) kind: Kind,
    /// The float format in which the bits are read somewhere.
    pub(super) read_as: Option<u32>,
}

/// A compiled query.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) instrs: Vec<Instr>,
    pub(super) lists: Vec<u32>,
    pub(super) calls: Vec<Call>,
    pub(super) tables: Vec<Table>,
    /// For every read instruction: its table and its position among the reads.
    pub(super) sites: Vec<(u32, u32)>,
    /// Arrays of constants.
    pub(super) contents: Vec<Contents>,
    pub(super) shapes: Vec<Shape>,
    pub(super) cells: Vec<Cell>,
    /// The conjuncts that are not constant, as gaps.
    pub(super) roots: Vec<u32>,
    /// Constants of the query with their sorts' kinds: starting points for the search.
    pub(super) constants: Vec<Value>,
    /// The registers of the query's constant symbols.
    pub(super) symbols: Vec<(FunId, Slot, Kind)>,
    /// Array symbols that are defined by a term over others, in the order in which they can be evaluated.
    pub(super) arrays: Vec<(FunId, TermId)>,
    /// Whether some symbol was given a value that the query allows but does not force.
    pub(super) chose: bool,
}

impl Program {
    /// Calls `f` for every register that an instruction reads.
    pub(super) fn inputs(&self, instr: &Instr, mut f: impl FnMut(Slot)) {
        let Instr { a, b, c, .. } = *instr;
        let list = || &self.lists[a as usize..(a + b) as usize];
        for (file, register) in instr.code.operands().into_iter().zip([a, b, c]) {
            match file {
                Some(File::Word) => f(Slot::Word(register)),
                Some(File::Gap) => f(Slot::Gap(register)),
                Some(File::Wide) => f(Slot::Wide(register)),
                None => {}
            }
        }
        match instr.code {
            Code::Fma(_, mode) => f(Slot::Word(mode)),
            Code::And | Code::Or => list().iter().for_each(|&r| f(Slot::Gap(r))),
            Code::Join(_) => list().iter().for_each(|&r| f(Slot::Word(r))),
            Code::Call(call) => self.calls[call as usize].args.iter().for_each(|(slot, _)| f(*slot)),
            Code::ReadWord(site) | Code::ReadGap(site) => {
                let (table, position) = self.sites[site as usize];
                let reads = &self.tables[table as usize].reads[..=position as usize];
                for (i, read) in reads.iter().enumerate() {
                    read.args.iter().for_each(|slot| f(*slot));
                    f(if i == position as usize { read.own } else { read.result });
                }
            }
            _ => {}
        }
    }
}
