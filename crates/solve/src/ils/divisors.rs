//! Divisors of the numbers that products must reach, remembered within bounds: a search asks for the same ones again
//! and again.

use crate::tuning::ils_divisors::{LIMIT, MOST, REMEMBERED};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Remembers divisors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Divisors {
    known: FxHashMap<u64, Rc<[u64]>>,
}

impl Divisors {
    /// Positive divisors of a number, in ascending order, among them 1 and the number itself. All of them if it is
    /// below 2^32, else those that small primes make up with one large rest.
    pub(crate) fn of(&mut self, n: u64) -> Rc<[u64]> {
        if let Some(found) = self.known.get(&n) {
            return found.clone();
        }
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        let found: Rc<[u64]> = divisors(n).into();
        self.known.insert(n, found.clone());
        found
    }
}

fn divisors(n: u64) -> Vec<u64> {
    let mut found = vec![1];
    if n == 0 {
        return found;
    }
    for (prime, power) in factors(n) {
        let old = found.len();
        let mut factor = 1;
        for _ in 0..power {
            factor *= prime;
            for i in 0..old {
                if found.len() < MOST {
                    found.push(found[i] * factor);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

fn factors(mut n: u64) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    let mut split = |n: &mut u64, d: u64| {
        let mut power = 0;
        while n.is_multiple_of(d) {
            *n /= d;
            power += 1;
        }
        if power > 0 {
            found.push((d, power));
        }
    };
    split(&mut n, 2);
    split(&mut n, 3);
    // All other primes are one below or above a multiple of six.
    let mut d = 5;
    while d < LIMIT && d * d <= n {
        split(&mut n, d);
        split(&mut n, d + 2);
        d += 6;
    }
    if n > 1 {
        found.push((n, 1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_those_that_trial_division_finds() {
        let mut divisors = Divisors::default();
        for n in (1..2000).chain([65_537, 1_635_616_079, 4_294_967_291]) {
            let found = divisors.of(n);
            if n < 2000 {
                let expected: Vec<u64> = (1..=n).filter(|d| n % d == 0).collect();
                assert_eq!(*found, *expected, "{n}");
            }
            assert!(
                found.iter().all(|d| n % d == 0) && found.first() == Some(&1) && found.last() == Some(&n)
            );
        }
    }

    #[test]
    fn many_divisors_and_many_numbers_stay_bounded() {
        let mut divisors = Divisors::default();
        let rich = 2u64.pow(10) * 3u64.pow(6) * 5u64.pow(4) * 7u64.pow(3) * 11 * 13;
        assert!(divisors.of(rich).len() <= MOST);
        (0..10_000).for_each(|n| drop(divisors.of(n)));
        assert!(divisors.known.len() <= REMEMBERED);
    }
}
