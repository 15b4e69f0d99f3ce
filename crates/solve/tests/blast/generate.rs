//! Random formulas over small sorts, with every operator that the engine handles.

use random::Rng;
use smt::op::{Arg, Arity};
use smt::{Op, Sort, SortId, TermId, Terms, Theory};

/// Terms to build from, by sort; grows as it is used.
pub(crate) struct Pool {
    /// All terms so far.
    pub(crate) terms: Vec<TermId>,
    /// Widths that terms may have.
    max_width: u32,
}

impl Pool {
    /// A pool of some variables.
    pub(crate) fn new(terms: &mut Terms, variables: &[TermId], max_width: u32) -> Pool {
        let mut pool = variables.to_vec();
        for width in 1..=max_width.min(3) {
            pool.extend([0, 1, 2, 5, 7].map(|n| terms.bv(width, n)));
        }
        pool.extend([TermId::TRUE, TermId::FALSE]);
        Pool { terms: pool, max_width }
    }

    fn of_sort(&self, terms: &Terms, random: &mut Rng, sort: SortId) -> Option<TermId> {
        let fitting: Vec<TermId> = self.terms.iter().copied().filter(|&t| terms.sort(t) == sort).collect();
        (!fitting.is_empty()).then(|| {
            // Recent terms are preferred, so that formulas get deep.
            let skip = random.below(fitting.len());
            fitting[skip.max(random.below(fitting.len()))]
        })
    }

    /// Adds an application of a random operator, if the pool has arguments for it.
    pub(crate) fn grow(&mut self, terms: &mut Terms, random: &mut Rng) -> Option<TermId> {
        let rows: Vec<_> = Op::all()
            .filter(|row| {
                matches!(row.theory, Theory::Core | Theory::BitVec | Theory::Arrays | Theory::Extension)
            })
            .filter(|row| !matches!(row.op, Op::UbvToInt | Op::SbvToInt | Op::Bv2Nat))
            .filter(|row| {
                row.args.iter().all(|a| {
                    !matches!(a, Arg::Int | Arg::Real | Arg::Num | Arg::Str | Arg::Fp | Arg::FpAny | Arg::Rm)
                })
            })
            .collect();
        let row = rows[random.below(rows.len())];
        let mut kinds = row.args.to_vec();
        if let (Arity::AtLeast(least), Some(&last)) = (row.arity, row.args.last()) {
            while kinds.len() < least as usize || random.below(3) == 0 {
                kinds.push(last);
            }
        }
        let any = self.terms[random.below(self.terms.len())];
        let shared = match kinds.first()? {
            Arg::Arr => self.pick_array(terms, random)?,
            Arg::A => any,
            _ => *self.terms.iter().filter(|&&t| is_word(terms, t)).nth(random.below(8))?,
        };
        let mut args = Vec::new();
        for (i, kind) in kinds.iter().enumerate() {
            let sort = match kind {
                Arg::Bool => SortId::BOOL,
                Arg::Bv1 => terms.bit_vec_sort(1),
                Arg::BvAny => {
                    let width = 1 + random.below(self.max_width as usize) as u32;
                    terms.bit_vec_sort(width)
                }
                Arg::A if kinds[0] == Arg::Bool => terms.sort(any),
                Arg::Bv | Arg::A | Arg::Arr => terms.sort(shared),
                Arg::Index | Arg::Element => match *terms.sort_of(terms.sort(shared)) {
                    Sort::Array(index, element) => {
                        if *kind == Arg::Index {
                            index
                        } else {
                            element
                        }
                    }
                    _ => return None,
                },
                _ => return None,
            };
            args.push(if i == 0 && *kind == Arg::Arr { shared } else { self.of_sort(terms, random, sort)? });
        }
        let high = random.below(self.max_width as usize) as u32;
        let indices = match (row.op, row.indices) {
            (Op::Extract, _) => [high, random.below(high as usize + 1) as u32],
            (Op::Repeat, _) => [1 + random.below(2) as u32, 0],
            (_, 1) => [random.below(3) as u32, 0],
            _ => [0, 0],
        };
        let term = terms.app_indexed(row.op, indices, &args).ok()?;
        if let Sort::BitVec(width) = *terms.sort_of(terms.sort(term))
            && width > self.max_width
        {
            return None;
        }
        self.terms.push(term);
        Some(term)
    }

    fn pick_array(&self, terms: &Terms, random: &mut Rng) -> Option<TermId> {
        let arrays: Vec<TermId> = self
            .terms
            .iter()
            .copied()
            .filter(|&t| matches!(terms.sort_of(terms.sort(t)), Sort::Array(..)))
            .collect();
        (!arrays.is_empty()).then(|| random.pick(&arrays))
    }

    /// A random formula.
    pub(crate) fn formula(&mut self, terms: &mut Terms, random: &mut Rng, size: usize) -> TermId {
        for _ in 0..size {
            self.grow(terms, random);
        }
        loop {
            if let Some(term) = self.grow(terms, random)
                && terms.sort(term) == SortId::BOOL
            {
                return term;
            }
        }
    }
}

fn is_word(terms: &Terms, term: TermId) -> bool {
    matches!(terms.sort_of(terms.sort(term)), Sort::BitVec(_))
}
