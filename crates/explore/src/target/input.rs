//! Inputs: named objects of bytes, and the symbols that stand for them in terms.
//!
//! A run asks for objects by name (`stdin`, `arg1`, `file:NAME`, whatever `sl_symbolic` is given); what an [`Input`] does not
//! say is zero. In the concolic domain the bytes of an object are symbols, one for each chunk: a word that a program
//! always reads as a whole is one symbol (`Symbols::shape`), so that solvers see a word and not bytes put together.

use smt::{FunId, Model, TermId, Terms, Value};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

/// What is in the objects of a run's input.
pub type Input = BTreeMap<String, Vec<u8>>;

/// A part of the input that a run asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name, unique in the run.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// What it contains in this run.
    pub bytes: Vec<u8>,
}

/// The objects that a run asked for, in the order in which it did, and the names that it used.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    list: Vec<Object>,
    counts: BTreeMap<String, u32>,
}

impl Objects {
    /// The bytes of an object: those of the input, then zeros. The first time the object is noted down.
    pub fn bytes(&mut self, input: &Input, name: &str, kind: ObjectKind, size: usize) -> Vec<u8> {
        if let Some(known) = self.named(name) {
            return known.bytes.clone();
        }
        let mut bytes = input.get(name).cloned().unwrap_or_default();
        bytes.resize(size, 0);
        self.list.push(Object { name: name.to_string(), kind, bytes: bytes.clone() });
        bytes
    }

    /// A name that was not used in this run: the second `x` is `x#2`.
    pub fn fresh_name(&mut self, name: &str) -> String {
        let count = self.counts.entry(name.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_string() } else { format!("{name}#{count}") }
    }

    /// The object of a name, if it was asked for.
    pub fn named(&self, name: &str) -> Option<&Object> {
        self.list.iter().find(|object| object.name == name)
    }

    /// All of them, once the run is over.
    pub fn into_list(self) -> Vec<Object> {
        self.list
    }
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// Standard input.
    Stdin,
    /// An argument of the program.
    Argument,
    /// The content of a virtual file.
    File,
    /// Memory that the program made symbolic.
    Memory,
    /// A value that the program asked for.
    Scalar(Scalar),
    /// A parameter of the function that is explored.
    Parameter(Scalar),
    /// What a pointer among the parameters points to.
    Pointee,
    /// An environment variable.
    Environment,
    /// The length of another object.
    Size {
        /// How long that may be.
        most: u32,
    },
    /// What a pointer leads to: 0 is an object of its own, the next ones are null and objects of its type.
    Choice,
}

impl ObjectKind {
    /// The word that stored tests and `summary.json` use.
    pub fn word(self) -> &'static str {
        match self {
            ObjectKind::Stdin => "stdin",
            ObjectKind::Argument => "argument",
            ObjectKind::File => "file",
            ObjectKind::Memory => "memory",
            ObjectKind::Scalar(_) => "scalar",
            ObjectKind::Parameter(_) => "parameter",
            ObjectKind::Pointee => "pointee",
            ObjectKind::Environment => "environment",
            ObjectKind::Size { .. } => "size",
            ObjectKind::Choice => "choice",
        }
    }
}

/// The type of a value that a program asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer.
    Int {
        /// 8, 16, 32 or 64.
        bits: u32,
        /// Whether it is signed.
        signed: bool,
    },
    /// A truth value.
    Bool,
    /// An IEEE 754 number.
    Float {
        /// 32 or 64.
        bits: u32,
    },
}

impl Scalar {
    /// How many bytes it takes.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::Int { bits, .. } | Scalar::Float { bits } => bits as usize / 8,
            Scalar::Bool => 1,
        }
    }

    /// The slot that holds the value of these bytes.
    pub fn slot(self, bytes: &[u8]) -> u64 {
        let raw = little_endian(bytes);
        match self {
            Scalar::Bool => raw & 1,
            Scalar::Int { bits: 8, signed: true } => u64::from(raw as i8 as i32 as u32),
            Scalar::Int { bits: 16, signed: true } => u64::from(raw as i16 as i32 as u32),
            Scalar::Int { .. } | Scalar::Float { .. } => raw,
        }
    }

    /// The value as C writes it.
    pub(crate) fn literal(self, bytes: &[u8]) -> String {
        let raw = little_endian(bytes);
        match self {
            Scalar::Bool => (raw & 1).to_string(),
            Scalar::Int { bits, signed: true } => {
                let shift = 64 - bits;
                (((raw << shift) as i64) >> shift).to_string()
            }
            Scalar::Int { signed: false, .. } => raw.to_string(),
            Scalar::Float { bits: 32 } => format!("{:e}", f32::from_bits(raw as u32)),
            Scalar::Float { .. } => format!("{:e}", f64::from_bits(raw)),
        }
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Which bytes a symbol stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The name of the symbolic object: `stdin`, `arg1`, `x`.
    pub object: String,
    /// The first of its bytes.
    pub offset: usize,
    /// How many.
    pub bytes: usize,
}

impl Origin {
    /// Its bytes in an input, which becomes as long as it has to be.
    pub(crate) fn bytes_of<'a>(&self, input: &'a mut Input) -> &'a mut [u8] {
        let object = input.entry(self.object.clone()).or_default();
        let end = self.offset + self.bytes;
        if object.len() < end {
            object.resize(end, 0);
        }
        &mut object[self.offset..end]
    }

    /// A byte in an input; what is not given is zero.
    fn byte(&self, input: &Input, at: usize) -> u8 {
        input.get(&self.object).and_then(|given| given.get(self.offset + at)).copied().unwrap_or(0)
    }

    fn value(&self, input: &Input) -> Value {
        let bytes: Vec<u8> = (0..self.bytes).map(|at| self.byte(input, at)).collect();
        Value::BitVec(smt::BitVec::new(8 * self.bytes as u32, smt::UBig::from_le_bytes(&bytes)))
    }
}

/// The symbols of all runs on one arena.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    origins: BTreeMap<FunId, Origin>,
    /// Chunks of objects that are not single bytes: offset and size, in order.
    shapes: BTreeMap<String, Vec<(usize, usize)>>,
    /// Whether every byte of memory is a symbol of its own.
    single: bool,
}

impl Symbols {
    /// Symbols of single bytes only.
    pub(crate) fn single_bytes() -> Symbols {
        Symbols { single: true, ..Symbols::default() }
    }

    /// The same chunks, without any symbol yet.
    pub(crate) fn same_shapes(&self) -> Symbols {
        Symbols { origins: BTreeMap::new(), shapes: self.shapes.clone(), single: self.single }
    }

    /// Sets which chunks of an object are read as a whole; bytes outside of them are on their own.
    pub(crate) fn shape(&mut self, object: &str, chunks: Vec<(usize, usize)>) {
        self.shapes.insert(object.to_string(), chunks);
    }

    /// How many symbols there are; they only become more.
    pub fn count(&self) -> usize {
        self.origins.len()
    }

    /// What a symbol stands for.
    pub fn origin(&self, fun: FunId) -> Option<&Origin> {
        self.origins.get(&fun)
    }

    /// The chunk that a byte of an object of this size belongs to: its first byte, and how many it has.
    pub fn chunk(&self, object: &str, size: usize, offset: usize) -> (usize, usize) {
        match self.shapes.get(object) {
            Some(chunks) => {
                let after = chunks.partition_point(|chunk| chunk.0 <= offset);
                let chunk = after.checked_sub(1).map(|last| chunks[last]);
                chunk.filter(|chunk| offset < chunk.0 + chunk.1).unwrap_or((offset, 1))
            }
            // What is as large as a word is a word until a program reads it otherwise.
            None if !self.single && matches!(size, 2 | 4 | 8) => (0, size),
            None => (offset, 1),
        }
    }

    /// The symbol of a chunk of an object of this size: a bit-vector, the chunk's first byte in its lowest bits.
    pub fn symbol(&mut self, terms: &mut Terms, object: &str, size: usize, chunk: (usize, usize)) -> TermId {
        let (offset, bytes) = chunk;
        let name = match chunk {
            _ if bytes == size => object.to_string(),
            (_, 1) => format!("{object}[{offset}]"),
            _ => format!("{object}[{offset}..{}]", offset + bytes),
        };
        let sort = terms.bit_vec_sort(8 * bytes as u32);
        let term = terms.symbol_constant(&name, sort);
        if let Some(fun) = terms.as_fun(term) {
            self.origins.entry(fun).or_insert_with(|| Origin { object: object.to_string(), offset, bytes });
        }
        term
    }

    /// The model of an input: what is not given is zero.
    pub(crate) fn model(&self, input: &Input) -> Model {
        let mut model = Model::default();
        for (&fun, origin) in &self.origins {
            model.set(fun, origin.value(input));
        }
        model
    }

    /// The value of a symbol in an input; none if it does not stand for a part of inputs.
    pub(crate) fn value(&self, input: &Input, fun: FunId) -> Option<Value> {
        self.origins.get(&fun).map(|origin| origin.value(input))
    }

    /// Changes an input to what a symbol is in a solution. Symbols of others are ignored.
    pub(crate) fn assign(&self, input: &mut Input, fun: FunId, value: &Value) {
        let (Some(origin), Value::BitVec(word)) = (self.origins.get(&fun), value) else { return };
        let given = word.to_ubig().to_le_bytes();
        for (at, byte) in origin.bytes_of(input).iter_mut().enumerate() {
            *byte = given.get(at).copied().unwrap_or(0);
        }
    }

    /// Changes an input to what another one says about a symbol.
    pub(crate) fn take_over(&self, input: &mut Input, fun: FunId, from: &Input) {
        let Some(origin) = self.origins.get(&fun) else { return };
        for (at, byte) in origin.bytes_of(input).iter_mut().enumerate() {
            *byte = origin.byte(from, at);
        }
    }

    /// A fingerprint of what an input says about symbols.
    pub(crate) fn fingerprint(&self, input: &Input, symbols: &[FunId]) -> u64 {
        let mut hasher = DefaultHasher::new();
        for origin in symbols.iter().filter_map(|fun| self.origins.get(fun)) {
            (0..origin.bytes).for_each(|at| hasher.write_u8(origin.byte(input, at)));
        }
        hasher.finish()
    }
}
