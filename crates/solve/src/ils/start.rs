//! Where searches begin: zero first, then random points of all magnitudes with the query's own constants mixed in.

use super::problem::Range;
use super::program::Program;
use random::Rng;

/// Makes starting points.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    domains: Vec<Range>,
    /// The constants of the program, of either sign.
    constants: Vec<i128>,
}

impl Starts {
    /// Starting points for the variables of a program.
    pub(crate) fn new(program: &Program, domains: &[Range]) -> Starts {
        let small = program.constants.iter().filter_map(|c| i128::try_from(c).ok());
        let mut constants: Vec<i128> =
            small.filter(|c| c.unsigned_abs() < 1 << 62).flat_map(|c| [c, -c]).collect();
        constants.sort_unstable();
        constants.dedup();
        Starts { domains: domains.to_vec(), constants }
    }

    /// The constants of the program, of either sign.
    pub(crate) fn constants(&self) -> &[i128] {
        &self.constants
    }

    /// The point with all variables as near to zero as they may be.
    pub(crate) fn origin(&self) -> Vec<i128> {
        self.domains.iter().map(|d| d.nearest(0)).collect()
    }

    /// A random point; its variables share a magnitude.
    pub(crate) fn random(&self, rng: &mut Rng) -> Vec<i128> {
        let bits = rng.below(20) + if rng.one_in(4) { rng.below(24) } else { 0 };
        (0..self.domains.len()).map(|var| self.value(var, bits, rng)).collect()
    }

    /// A point beside another one: some variables get new values.
    pub(crate) fn beside(&self, point: &[i128], rng: &mut Rng) -> Vec<i128> {
        let mut point = point.to_vec();
        for _ in 0..1 + rng.below(3) {
            if let Some(var) = (!point.is_empty()).then(|| rng.below(point.len())) {
                let bits = rng.below(32);
                point[var] = self.value(var, bits, rng);
            }
        }
        point
    }

    fn value(&self, var: usize, bits: usize, rng: &mut Rng) -> i128 {
        let domain = self.domains[var];
        let width = domain.hi - domain.lo;
        match rng.below(6) {
            0 if !self.constants.is_empty() => {
                let constant = self.constants[rng.below(self.constants.len())];
                domain.nearest(constant + rng.between_wide(-1, 1))
            }
            1 | 2 if width < 1 << 16 => rng.between_wide(domain.lo, domain.hi),
            _ => {
                let size = 1i128 << bits;
                // One-sided domains begin at their end, not at zero.
                let centre = domain.nearest(0);
                domain.nearest(centre + rng.between_wide(-size, size))
            }
        }
    }
}
