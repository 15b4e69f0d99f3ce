//! Proposals for one cell: steps along the order of floats, bit flips, values that matter in the query or the format.

use super::machine::encode_word;
use super::program::{Kind, Program};
use super::shape::{Shape, ones};
use crate::tuning::anneal_moves::{MAX_CONSTANTS, NARROW, SWEEP_CONSTANTS, SWEEP_STEPS};
use random::Rng;
use rustc_hash::FxHashSet;
use smt::{Float, RoundingMode, Value};

/// The values that are worth trying in cells of one kind.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    kind: Kind,
    /// The format that the bits are read in, or the float's own.
    shape: Option<Shape>,
    /// Constants of the query, as this kind sees them.
    constants: Vec<u64>,
    /// Zeros, infinities, NaN, the limits of the format, all ones, the sign bit and so on.
    special: Vec<u64>,
}

impl Palette {
    /// The palette of a kind of cells.
    pub(super) fn new(program: &Program, kind: Kind, read_as: Option<u32>) -> Palette {
        let shape = match kind {
            Kind::Float(shape) => Some(program.shapes[shape as usize]),
            _ => read_as.map(|s| program.shapes[s as usize]),
        };
        let mut palette = Palette { kind, shape, constants: Vec::new(), special: Vec::new() };
        if let Some(shape) = shape {
            palette.special = special_floats(&shape);
        }
        if let Kind::Bits(width) = kind {
            palette.special.extend([0, 1, ones(width), 1 << (width - 1), ones(width) >> 1]);
        }
        for value in &program.constants {
            palette.add_constant(program, value);
        }
        palette.constants.sort_unstable();
        palette.constants.dedup();
        palette.constants.truncate(MAX_CONSTANTS);
        palette
    }

    fn add_constant(&mut self, program: &Program, value: &Value) {
        match (value, self.shape, self.kind) {
            (Value::Float(float), Some(shape), _) => {
                self.constants.push(shape.word(&float.convert(RoundingMode::Rne, shape.format)));
            }
            (Value::Real(real), Some(shape), _) => {
                self.constants.push(shape.word(&Float::from_real(RoundingMode::Rne, real, shape.format)));
            }
            (Value::BitVec(bits), _, Kind::Bits(width)) if bits.width() <= width => {
                self.constants.push(encode_word(program, value));
            }
            (Value::BitVec(bits), Some(shape), Kind::Float(_)) if bits.width() <= 64 => {
                let integer = Float::from_int(RoundingMode::Rne, &bits.to_signed(), shape.format);
                self.constants.push(shape.word(&integer));
                if u64::from(bits.width()) == u64::from(shape.format.width()) {
                    self.constants.push(shape.canonical(encode_word(program, value)));
                }
            }
            _ => {}
        }
    }

    /// The word as this kind holds it.
    #[inline]
    pub(super) fn fitted(&self, word: u64) -> u64 {
        match (self.kind, self.shape) {
            (Kind::Float(_), Some(shape)) => shape.canonical(word & shape.mask()),
            (Kind::Bits(width), _) => word & ones(width),
            (Kind::Bool, _) => word & 1,
            (Kind::Mode, _) => word % RoundingMode::ALL.len() as u64,
            (Kind::Float(_) | Kind::Wide(_), _) => word,
        }
    }

    /// A value to start from.
    pub(super) fn initial(&self, rng: &mut Rng) -> u64 {
        let word = match rng.below(8) {
            0 | 1 if !self.constants.is_empty() => rng.pick(&self.constants),
            2 if !self.special.is_empty() => rng.pick(&self.special),
            3..=5 => self.simple(rng),
            6 => 0,
            _ => rng.bits(),
        };
        self.fitted(word)
    }

    /// A small number.
    fn simple(&self, rng: &mut Rng) -> u64 {
        let bits = rng.below(11);
        let magnitude = rng.below(1 << bits) as i64;
        let integer = if rng.one_in(2) { -magnitude } else { magnitude };
        match self.shape {
            Some(shape) => {
                let number = integer as f64 / [1.0, 1.0, 2.0, 10.0, 1000.0][rng.below(5)];
                shape.word(&Float::from_f64(number).convert(RoundingMode::Rne, shape.format))
            }
            None => integer as u64,
        }
    }

    /// Another value for a cell that holds `word`; `peer` is what another cell of this kind holds.
    pub(super) fn neighbour(&self, rng: &mut Rng, word: u64, peer: Option<u64>) -> u64 {
        match (self.kind, self.shape) {
            (Kind::Bool, _) => word ^ 1,
            (Kind::Mode, _) => self.fitted(word + 1 + rng.below(4) as u64),
            (Kind::Float(_), Some(shape)) => self.fitted(self.next_float(rng, &shape, word, peer)),
            // Bits that are read as a float somewhere are also just bits.
            (_, Some(shape)) if !rng.one_in(4) => self.fitted(self.next_float(rng, &shape, word, peer)),
            _ => self.fitted(self.next_bits(rng, word, peer)),
        }
    }

    fn next_float(&self, rng: &mut Rng, shape: &Shape, word: u64, peer: Option<u64>) -> u64 {
        match rng.below(16) {
            0..=5 => shape.step(word, random_step(rng, shape.format.width() - 1)),
            6 | 7 => shape.step(word, rng.pick(&[-2, -1, 1, 2])),
            8 | 9 => word ^ 1 << rng.below(shape.format.width() as usize),
            10 | 11 if !self.constants.is_empty() => {
                shape.step(rng.pick(&self.constants), rng.pick(&[-1, 0, 0, 0, 1]))
            }
            12 => rng.pick(&self.special),
            13 if peer.is_some() => shape.step(peer.unwrap_or(word), rng.pick(&[-1, 0, 0, 1])),
            14 => word ^ shape.sign,
            15 => rng.bits(),
            _ => self.simple(rng),
        }
    }

    fn next_bits(&self, rng: &mut Rng, word: u64, peer: Option<u64>) -> u64 {
        let width = match self.kind {
            Kind::Bits(width) => width,
            _ => 64,
        };
        match rng.below(12) {
            0..=2 => word ^ 1 << rng.below(width as usize),
            3 | 4 => word.wrapping_add(random_step(rng, width) as u64),
            5 => word.wrapping_add(rng.pick(&[u64::MAX, 1])),
            6 | 7 if !self.constants.is_empty() => {
                rng.pick(&self.constants).wrapping_add(rng.pick(&[u64::MAX, 0, 0, 0, 1]))
            }
            8 => match rng.below(4) {
                0 => !word,
                1 => word.wrapping_neg(),
                2 => word << 1,
                _ => word >> 1,
            },
            9 if peer.is_some() => peer.unwrap_or(word).wrapping_add(rng.pick(&[u64::MAX, 0, 0, 1])),
            10 if !self.special.is_empty() => rng.pick(&self.special),
            11 => rng.bits(),
            _ => self.simple(rng),
        }
    }

    /// Whether a sweep looks at all values.
    pub(super) fn is_narrow(&self) -> bool {
        matches!(self.kind, Kind::Bits(width) if width <= NARROW)
    }

    /// What a sweep looks at where a cell holds `word`: what the query's constants suggest first, then all values of a narrow
    /// cell, or those of a wide one that are near or matter.
    pub(super) fn sweep(&self, word: u64, values: &mut Vec<u64>) {
        let width = match self.kind {
            Kind::Bool => 1,
            Kind::Bits(width) => width,
            Kind::Float(_) => self.shape.map_or(0, |shape| shape.format.width()),
            Kind::Mode | Kind::Wide(_) => return,
        };
        let mut known = FxHashSet::from_iter([word]);
        let mut add = |value: u64| {
            let value = self.fitted(value);
            if known.insert(value) {
                values.push(value);
            }
        };
        for &constant in self.constants.iter().take(SWEEP_CONSTANTS) {
            [0, 1, -1].into_iter().for_each(|by| add(self.step(constant, by)));
        }
        if width <= NARROW {
            (0..1 << width).for_each(add);
            return;
        }
        (1..=SWEEP_STEPS).flat_map(|by| [by, -by]).for_each(|by| add(self.step(word, by)));
        self.special.iter().for_each(|&value| add(value));
        // The low bits of a float are next to what the steps lead to.
        let lowest = self.shape.map_or(0, |shape| shape.format.sb - 1);
        (lowest..width.min(64)).for_each(|bit| add(word ^ 1 << bit));
    }

    /// The value `by` steps away in the order that distances are counted in.
    pub(super) fn step(&self, word: u64, by: i64) -> u64 {
        match self.shape {
            Some(shape) => shape.step(word, by),
            None => self.fitted(word.wrapping_add(by as u64)),
        }
    }

    /// How many doublings of a step cover the kind.
    pub(super) fn strides(&self) -> u32 {
        match (self.kind, self.shape) {
            (Kind::Bool | Kind::Mode, _) => 1,
            (_, Some(shape)) => shape.format.width() - 1,
            (Kind::Bits(width), None) => width,
            (Kind::Float(_) | Kind::Wide(_), None) => 1,
        }
        .min(62)
    }
}

/// A step whose magnitude has a random number of bits, at most `bits`.
fn random_step(rng: &mut Rng, bits: u32) -> i64 {
    let bits = 1 + rng.below(bits.clamp(1, 62) as usize);
    let magnitude = (rng.bits() >> (64 - bits)).max(1) as i64;
    if rng.one_in(2) { -magnitude } else { magnitude }
}

fn special_floats(shape: &Shape) -> Vec<u64> {
    let positive = [
        0,
        1,
        shape.min_normal - 1,
        shape.min_normal,
        shape.min_normal + 1,
        shape.one,
        shape.infinity - 1,
        shape.infinity,
    ];
    let mut all: Vec<u64> = positive.iter().flat_map(|&w| [w, w | shape.sign]).collect();
    all.push(shape.nan);
    all
}
