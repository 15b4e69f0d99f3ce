//! Sweeps: one variable walks away from its value with a fixed stride, and every place where an equation then holds is
//! told.
//!
//! Remainders make an equation jump about so that its solutions along a line can only be found one by one; but the code
//! of a single equation is short, and a walk looks at millions of places a second. The strides are the moduli that the
//! variable runs into and their common multiples: a walk by a modulus leaves alone whatever depends on the variable through
//! that remainder only.

use super::batch::Comparison;
use super::guide::Literal;
use super::lane::{Cell, Lane};
use super::problem::Range;
use super::program::{Code, Program, Var};
use super::state::SearchPoint;
use random::Rng;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Places that one walk looks at.
pub(crate) const PLACES: i128 = 3000;
/// Strides beyond this lead out of every domain too soon.
const LONGEST: i128 = 1 << 24;

/// The code that tells whether an equation holds when one variable moves.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) lane: Lane,
    pub(crate) sides: [Cell; 2],
    pub(crate) batch: Comparison,
}

/// Tracks and strides, made when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Sweeps {
    tracks: FxHashMap<(Var, Literal), Rc<Track>>,
    /// The moduli that every variable runs into.
    moduli: Vec<Vec<i128>>,
}

impl Sweeps {
    /// No tracks yet.
    pub(crate) fn new(program: &Program) -> Sweeps {
        Sweeps { tracks: FxHashMap::default(), moduli: moduli(program) }
    }

    /// The code for an equation and a variable that occurs in it.
    pub(crate) fn track(&mut self, program: &Program, literal: Literal, var: Var) -> Rc<Track> {
        let make = || {
            let lane = Lane::to(program, var, &[literal.a, literal.b]);
            let sides = [literal.a, literal.b].map(|side| lane.cell(program, side));
            let batch = Comparison::new(program, &lane, sides);
            Rc::new(Track { lane, sides, batch })
        };
        self.tracks.entry((var, literal)).or_insert_with(make).clone()
    }

    /// A stride for a variable: one, or a common multiple of a few moduli.
    pub(crate) fn stride(&self, var: Var, rng: &mut Rng) -> i128 {
        let moduli = &self.moduli[var as usize];
        let mut stride = 1;
        for _ in 0..rng.below(3) {
            let modulus = rng.choose(moduli).unwrap_or(1);
            let multiple = stride / gcd(stride, modulus) * modulus;
            stride = if multiple <= LONGEST { multiple } else { modulus };
        }
        stride
    }
}

/// Walks both ways from where the variable is and tells the places where the two sides agree.
pub(crate) fn walk(
    state: &mut SearchPoint<'_>,
    track: &Track,
    stride: i128,
    domain: Range,
    found: &mut Vec<i128>,
) {
    let here = state.value(track.lane.var);
    let both = (1..=PLACES / 2).flat_map(|step| [here + step * stride, here - step * stride]);
    let places: Vec<i128> = both.filter(|&x| domain.lo <= x && x <= domain.hi).collect();
    state.agreeing(track, &places, found);
}

/// By variable, the constants above one that something with the variable in it is divided by.
fn moduli(program: &Program) -> Vec<Vec<i128>> {
    let mut found: Vec<Vec<i128>> = vec![Vec::new(); program.vars.len()];
    for (reg, instr) in program.code.iter().enumerate() {
        if !matches!(instr.code, Code::Div | Code::Mod | Code::Quo | Code::Rem) {
            continue;
        }
        let modulus =
            program.constant(instr.b).and_then(|c| i128::try_from(c).ok()).map(i128::saturating_abs);
        if let Some(modulus) = modulus.filter(|m| (2..=LONGEST).contains(m)) {
            for var in program.support(&[reg as u32]) {
                found[var as usize].push(modulus);
            }
        }
    }
    for list in &mut found {
        list.sort_unstable();
        list.dedup();
    }
    found
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
