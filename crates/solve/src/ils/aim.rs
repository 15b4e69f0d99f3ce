//! Moves read off a comparison that fails: what its sides should be is pushed down through the instructions to a
//! variable, each instruction inverted with its other operands as they are.
//!
//! Sums are solved exactly, products by division or by a factor pair of the number wanted, `div` and `mod` by the
//! interval or residue class that gives the wanted result. Which operand to follow is left to chance, so repeated calls
//! propose different moves. A proposal is a guess: a variable that occurs more than once makes it inexact.

use super::divisors::Divisors;
use super::guide::{Literal, Relation};
use super::problem::{FAR, Range};
use super::program::{Code, Reg, Var};
use super::state::SearchPoint;
use random::Rng;

/// One or two variables with new values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) first: (Var, i128),
    pub(crate) second: Option<(Var, i128)>,
}

impl Move {
    /// A move of one variable.
    pub(crate) fn one(var: Var, value: i128) -> Move {
        Move { first: (var, value), second: None }
    }

    /// The changes, one after the other.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (Var, i128)> + use<> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// What one proposal needs.
pub(crate) struct Aim<'a, 'l> {
    pub(crate) state: &'a SearchPoint<'l>,
    pub(crate) domains: &'a [Range],
    pub(crate) rng: &'a mut Rng,
    pub(crate) divisors: &'a mut Divisors,
}

/// What remains to be done for a proposal, if anything.
type Next = Option<(Reg, Range)>;

impl Aim<'_, '_> {
    /// A move that should make a comparison hold.
    pub(crate) fn literal(&mut self, literal: Literal) -> Option<Move> {
        let Literal { relation, a, b } = literal;
        let (Some(x), Some(y)) = (self.state.small(a), self.state.small(b)) else {
            return self.define(if self.state.small(a).is_none() { a } else { b });
        };
        let left = self.follow_first(a, b)?;
        let want = match (relation, left) {
            (Relation::Le, true) => Range { lo: -FAR, hi: y },
            (Relation::Le, false) => Range { lo: x, hi: FAR },
            (Relation::Lt, true) => Range { lo: -FAR, hi: y - 1 },
            (Relation::Lt, false) => Range { lo: x + 1, hi: FAR },
            (Relation::Eq, _) => Range::point(if left { y } else { x }),
            (Relation::Ne, _) => self.unlike(if left { y } else { x }),
        };
        self.reach(if left { a } else { b }, want)
    }

    /// A move that should bring a register into an interval.
    fn reach(&mut self, reg: Reg, want: Range) -> Option<Move> {
        let mut open = vec![(reg, want)];
        let mut found: Option<Move> = None;
        while let Some((reg, want)) = open.pop() {
            if want.is_empty() {
                continue;
            }
            let instr = self.state.landscape.program.code[reg as usize];
            if instr.code == Code::Var {
                let change = (reg, self.choose(reg, want));
                match &mut found {
                    None => found = Some(Move { first: change, second: None }),
                    Some(m) if m.first.0 != reg => m.second = Some(change),
                    Some(_) => {}
                }
                continue;
            }
            if instr.code == Code::Mul
                && found.is_none()
                && open.is_empty()
                && let Some(pair) = self.factor_pair(instr.a, instr.b, want)
            {
                open.extend(pair);
                continue;
            }
            open.extend(self.invert(reg, want));
        }
        found
    }

    /// A move that should give a value to a register that has none: some divisor must not be zero.
    fn define(&mut self, mut reg: Reg) -> Option<Move> {
        loop {
            let instr = self.state.landscape.program.code[reg as usize];
            if matches!(instr.code, Code::Div | Code::Mod | Code::Quo | Code::Rem)
                && self.state.small(instr.b) == Some(0)
            {
                let want = self.unlike(0);
                return self.reach(instr.b, want);
            }
            let undefined: Vec<Reg> =
                instr.operands().filter(|&r| self.state.small(r).is_none() && self.is_open(r)).collect();
            reg = self.rng.choose(&undefined)?;
        }
    }

    /// A value for a variable: mostly the nearest that fits, sometimes any.
    fn choose(&mut self, var: Var, want: Range) -> i128 {
        let domain = self.domains[var as usize];
        let current = self.state.value(var);
        let both = want.meet(domain);
        if both.is_empty() {
            return domain.nearest(want.nearest(current));
        }
        let nearest = both.nearest(current);
        match self.rng.below(8) {
            0 if both.hi - both.lo < 1 << 32 => self.rng.between_wide(both.lo, both.hi),
            0 | 1 => {
                let step = self.rng.bits() >> (32 + self.rng.below(32));
                let sign = if nearest == both.lo { 1 } else { -1 };
                both.nearest(nearest + sign * i128::from(step))
            }
            _ => nearest,
        }
    }

    /// One step down.
    fn invert(&mut self, reg: Reg, want: Range) -> Next {
        let instr = self.state.landscape.program.code[reg as usize];
        let (a, b) = (instr.a, instr.b);
        match instr.code {
            Code::Add | Code::Sub | Code::Mul | Code::Le | Code::Eq => {
                self.invert_symmetric(instr.code, a, b, want)
            }
            Code::Div => self.invert_div(reg, a, b, want),
            Code::Mod => self.invert_mod(reg, a, b, want),
            Code::Quo | Code::Rem => self.invert_truncated(instr.code, reg, a, b, want),
            Code::Abs => {
                let want = want.meet(Range { lo: 0, hi: FAR });
                let negative = self.state.small(a)? < 0;
                let mirror = if self.rng.one_in(3) { !negative } else { negative };
                Some((a, if mirror { negate(want) } else { want }))
            }
            Code::Ite => self.invert_ite(a, b, instr.c, want),
            Code::Not => truth(want).map(|wanted| (a, Range::point(i128::from(!wanted)))),
            Code::And | Code::Both => {
                let wanted = truth(want)?;
                let other = |r: &Reg| self.is_open(*r) && self.state.small(*r) != Some(i128::from(wanted));
                let options: Vec<Reg> = [a, b].into_iter().filter(other).collect();
                Some((self.rng.choose(&options)?, Range::point(i128::from(wanted))))
            }
            Code::Var | Code::Const => None,
        }
    }

    fn invert_symmetric(&mut self, code: Code, a: Reg, b: Reg, want: Range) -> Next {
        if code == Code::Mul && a == b {
            return Some((a, self.root(a, want)));
        }
        let left = self.follow_first(a, b)?;
        let (this, other) = if left { (a, b) } else { (b, a) };
        let v = self.state.small(other)?;
        let below = Range { lo: -FAR, hi: v };
        let above = Range { lo: v, hi: FAR };
        let range = match code {
            Code::Add => shift(want, -v),
            Code::Sub if left => shift(want, v),
            Code::Sub => shift(negate(want), v),
            Code::Mul if v == 0 => return None,
            Code::Mul => divide(want, v),
            Code::Eq if truth(want)? => Range::point(v),
            Code::Eq => self.unlike(v),
            _ => match (truth(want)?, left) {
                (true, true) => below,
                (true, false) => above,
                (false, true) => shift(above, 1),
                (false, false) => shift(below, -1),
            },
        };
        Some((this, range))
    }

    /// `a div b` in an interval.
    fn invert_div(&mut self, reg: Reg, a: Reg, b: Reg, want: Range) -> Next {
        let (x, v) = (self.state.small(a)?, self.state.small(b)?);
        if self.follow_first(a, b)? {
            let want = if v < 0 { negate(want) } else { want };
            return Some((a, quotient_from(want, v.abs())?));
        }
        let quotient = want.nearest(self.state.small(reg).unwrap_or(0));
        let range = divisor_for(x.abs(), quotient.abs());
        Some((b, if (x < 0) != (quotient < 0) { negate(range) } else { range }))
    }

    /// `a mod b` in an interval.
    fn invert_mod(&mut self, reg: Reg, a: Reg, b: Reg, want: Range) -> Next {
        let want = want.meet(Range { lo: 0, hi: FAR });
        if want.is_empty() {
            return None;
        }
        let (x, v) = (self.state.small(a)?, self.state.small(b)?);
        if self.follow_first(a, b)? {
            return match self.residue_from(want, x, v.abs()) {
                Some(range) => Some((a, range)),
                None => self.is_open(b).then_some((b, Range { lo: want.lo + 1, hi: FAR })),
            };
        }
        let residue = want.nearest(self.state.small(reg).unwrap_or(0));
        self.modulus_for(x, residue).map(|range| (b, range))
    }

    /// Numbers near `x`, or some turns of the modulus away, whose residues lie in an interval.
    fn residue_from(&mut self, want: Range, x: i128, modulus: i128) -> Option<Range> {
        let residues = want.meet(Range { lo: 0, hi: modulus - 1 });
        if residues.is_empty() {
            return None;
        }
        let turns = match self.rng.below(4) {
            0 | 1 => 0,
            2 => self.rng.between_wide(-1, 1),
            _ => self.rng.between_wide(-FAR, FAR) >> (64 + self.rng.below(36)),
        };
        let base = x - x.rem_euclid(modulus);
        Some(shift(residues, far(base.saturating_add(times(turns, modulus)))))
    }

    /// A positive modulus under which `x` leaves a residue.
    fn modulus_for(&mut self, x: i128, residue: i128) -> Option<Range> {
        let rest = x - residue;
        if rest == 0 {
            return Some(Range { lo: x + 1, hi: FAR });
        }
        let divisors = self.divisors.of(u64::try_from(rest.unsigned_abs()).ok()?);
        let first = divisors.partition_point(|&d| i128::from(d) <= residue);
        self.rng.choose(&divisors[first..]).map(|d| Range::point(i128::from(d)))
    }

    /// Division that rounds towards zero is `div` of magnitudes; where the sign wanted differs from the sign there is,
    /// the dividend must change its own.
    fn invert_truncated(&mut self, code: Code, reg: Reg, a: Reg, b: Reg, want: Range) -> Next {
        let (x, v) = (self.state.small(a)?, self.state.small(b)?);
        let sign = |n: i128| if n < 0 { -1 } else { 1 };
        let (up, down) = (want.meet(Range { lo: 0, hi: FAR }), want.meet(Range { lo: -FAR, hi: 0 }));
        let current = if code == Code::Quo { sign(x) * sign(v) } else { sign(x) };
        let positive = match (up.is_empty(), down.is_empty()) {
            (false, false) => (current > 0) != self.rng.one_in(8),
            (up_is_empty, _) => !up_is_empty,
        };
        let want = if positive { up } else { negate(down) };
        let flip = positive != (current > 0);
        if flip && !self.is_open(a) {
            // Only the divisor can turn the sign of a quotient.
            let magnitude = if code == Code::Quo { want.nearest(x.abs()) } else { return None };
            let divisor = if magnitude == 0 { return None } else { (x.abs() / magnitude).max(1) };
            return Some((b, Range::point(-sign(v) * divisor)));
        }
        // The magnitudes, with the dividend's sign turned where it must be.
        let dividend_sign = if flip { -sign(x) } else { sign(x) };
        let result = self.state.small(reg).map_or(0, i128::abs);
        let follow = flip || self.follow_first(a, b)?;
        let range = match (code, follow) {
            (Code::Quo, true) => quotient_from(want, v.abs())?,
            (Code::Quo, false) => divisor_for(x.abs(), want.nearest(result)),
            (_, true) => self.residue_from(want, x.abs(), v.abs())?,
            (_, false) => self.modulus_for(x.abs(), want.nearest(result))?,
        };
        let turned = if follow { dividend_sign } else { sign(v) };
        let range = if follow { range.meet(Range { lo: 0, hi: FAR }) } else { range };
        Some((if follow { a } else { b }, if turned < 0 { negate(range) } else { range }))
    }

    fn invert_ite(&mut self, condition: Reg, then: Reg, otherwise: Reg, want: Range) -> Next {
        let holds = self.state.small(condition)? == 1;
        let follow_then = if self.rng.one_in(4) { !holds } else { holds };
        let branch = if follow_then { then } else { otherwise };
        let value = self.state.small(branch);
        let fits = value.is_some_and(|v| want.lo <= v && v <= want.hi);
        // The other branch has what is wanted: only the condition must change.
        if follow_then != holds && fits || !self.is_open(branch) {
            return self.is_open(condition).then_some((condition, Range::point(i128::from(follow_then))));
        }
        Some((branch, want))
    }

    /// Both factors of a product at once: a divisor of the number wanted, and its cofactor.
    fn factor_pair(&mut self, a: Reg, b: Reg, want: Range) -> Option<[(Reg, Range); 2]> {
        if a == b || want.lo != want.hi || want.lo == 0 || !self.is_open(a) || !self.is_open(b) {
            return None;
        }
        if !self.rng.one_in(3) {
            return None;
        }
        let divisors = self.divisors.of(u64::try_from(want.lo.unsigned_abs()).ok()?);
        let divisor = i128::from(self.rng.choose(&divisors)?) * if self.rng.one_in(2) { 1 } else { -1 };
        Some([(a, Range::point(divisor)), (b, Range::point(want.lo / divisor))])
    }

    /// What a number must be for its square to lie in an interval.
    fn root(&mut self, reg: Reg, want: Range) -> Range {
        let root = |n: i128| i128::try_from(n.max(0).unsigned_abs().isqrt()).unwrap_or(FAR);
        let (lo, hi) = (root(want.lo.saturating_sub(1)) + i128::from(want.lo > 0), root(want.hi));
        let negative = self.state.small(reg).is_some_and(|v| v < 0) != self.rng.one_in(3);
        let range = Range { lo, hi: hi.max(lo) };
        if negative { negate(range) } else { range }
    }

    /// All numbers above, or all below.
    fn unlike(&mut self, value: i128) -> Range {
        if self.rng.one_in(2) { Range { lo: value + 1, hi: FAR } } else { Range { lo: -FAR, hi: value - 1 } }
    }

    /// Whether to follow the first operand; `None` if no variable is in either.
    fn follow_first(&mut self, a: Reg, b: Reg) -> Option<bool> {
        match (self.is_open(a), self.is_open(b)) {
            (true, true) => Some(self.rng.one_in(2)),
            (false, false) => None,
            (first, _) => Some(first),
        }
    }

    fn is_open(&self, reg: Reg) -> bool {
        self.state.landscape.program.open[reg as usize]
    }
}

/// The truth value that an interval asks for, if it asks for one.
fn truth(want: Range) -> Option<bool> {
    match (want.lo <= 0 && want.hi >= 0, want.lo <= 1 && want.hi >= 1) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// The numbers whose quotients by a positive divisor, rounded down, lie in an interval.
fn quotient_from(want: Range, divisor: i128) -> Option<Range> {
    let scaled = Range { lo: times(want.lo, divisor), hi: times(want.hi, divisor) };
    (divisor > 0).then(|| Range { lo: scaled.lo, hi: far(scaled.hi.saturating_add(divisor - 1)) })
}

/// The positive divisors for which the quotient of `x >= 0`, rounded down, is the one given; the next below if none.
fn divisor_for(x: i128, quotient: i128) -> Range {
    match quotient {
        0 => Range { lo: far(x + 1), hi: FAR },
        q => Range { lo: (x / (q + 1) + 1).min((x / q).max(1)), hi: (x / q).max(1) },
    }
}

fn far(value: i128) -> i128 {
    value.clamp(-FAR, FAR)
}

fn times(a: i128, b: i128) -> i128 {
    far(a.saturating_mul(b))
}

fn negate(range: Range) -> Range {
    Range { lo: -range.hi, hi: -range.lo }
}

/// Ends that are far away stay there: they mean that there is no end.
fn shift(range: Range, by: i128) -> Range {
    let lo = if range.lo <= -FAR { -FAR } else { far(range.lo.saturating_add(by)) };
    let hi = if range.hi >= FAR { FAR } else { far(range.hi.saturating_add(by)) };
    Range { lo, hi }
}

/// The numbers whose products with `by` lie in an interval; if there is none, the one whose product comes next.
fn divide(range: Range, by: i128) -> Range {
    let range = if by < 0 { negate(range) } else { range };
    let by = by.saturating_abs();
    let lo = if range.lo <= -FAR { -FAR } else { -(-range.lo).div_euclid(by) };
    let hi = if range.hi >= FAR { FAR } else { range.hi.div_euclid(by) };
    if lo <= hi { Range { lo, hi } } else { Range { lo: hi, hi: lo } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_of_intervals_is_what_enumeration_says() {
        for lo in -12..12 {
            for hi in lo..13 {
                for by in [-5, -3, -2, -1, 1, 2, 3, 7] {
                    let fits: Vec<i128> = (-30..30).filter(|n| (lo..=hi).contains(&(n * by))).collect();
                    let found = divide(Range { lo, hi }, by);
                    match (fits.first(), fits.last()) {
                        (Some(&first), Some(&last)) => assert_eq!(found, Range { lo: first, hi: last }),
                        _ => assert!((found.hi - found.lo) == 1, "the two neighbours of {lo}..{hi} / {by}"),
                    }
                }
            }
        }
    }

    #[test]
    fn open_ends_stay_open() {
        assert_eq!(shift(Range { lo: -FAR, hi: 5 }, 1000), Range { lo: -FAR, hi: 1005 });
        assert_eq!(divide(Range { lo: 7, hi: FAR }, 2), Range { lo: 4, hi: FAR });
        assert_eq!(divide(Range { lo: 7, hi: FAR }, -2), Range { lo: -FAR, hi: -4 });
    }
}
