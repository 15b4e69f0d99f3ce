//! Crossover (Section III-E): two individuals exchange 20% of their assertions. Variables keep their names on the way, and
//! names tell sorts, so that what is exchanged is tied to the unknowns of its new surroundings.

use super::individual::Individual;
use random::Rng;
use smt::Terms;

/// How many assertions are exchanged: 20% of both together, one if a parent does not have that many.
pub(crate) fn exchanged(one: usize, other: usize) -> usize {
    let wanted = ((one + other) as f64 * 0.2).round() as usize;
    if wanted > one.min(other) { 1 } else { wanted.max(1) }
}

/// The two children.
pub(crate) fn crossover(
    terms: &mut Terms,
    rng: &mut Rng,
    one: &Individual,
    other: &Individual,
) -> (Individual, Individual) {
    let (mut first, mut second) = (one.assertions().to_vec(), other.assertions().to_vec());
    let count = exchanged(first.len(), second.len());
    let choose = |rng: &mut Rng, from: usize| {
        let mut all: Vec<usize> = (0..from).collect();
        rng.shuffle(&mut all);
        all.truncate(count);
        all
    };
    let (here, there) = (choose(rng, first.len()), choose(rng, second.len()));
    for (&i, &j) in here.iter().zip(&there) {
        std::mem::swap(&mut first[i], &mut second[j]);
    }
    (Individual::new(terms, &first), Individual::new(terms, &second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Op;

    #[test]
    fn a_fifth_of_all_assertions_is_exchanged() {
        assert_eq!(exchanged(5, 5), 2);
        assert_eq!(exchanged(10, 10), 4);
        assert_eq!(exchanged(1, 1), 1, "never none");
        assert_eq!(exchanged(1, 19), 1, "a parent with fewer than 4 exchanges one");
        assert_eq!(exchanged(2, 3), 1);
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_new() {
        let mut terms = Terms::new();
        let x = super::super::individual::variable(&mut terms, smt::SortId::INT, 0);
        let mut individual = |numbers: std::ops::Range<i64>| {
            let assertions: Vec<_> = numbers
                .map(|n| {
                    let literal = terms.int(n);
                    terms.mk(Op::Gt, &[x, literal])
                })
                .collect();
            Individual::new(&mut terms, &assertions)
        };
        let (one, other) = (individual(0..6), individual(100..104));
        for seed in 0..50 {
            let (a, b) = crossover(&mut terms, &mut Rng::new(seed), &one, &other);
            assert_eq!((a.assertions().len(), b.assertions().len()), (6, 4));
            let foreign = a.assertions().iter().filter(|t| other.assertions().contains(t)).count();
            assert_eq!(foreign, 2);
            let mut all: Vec<_> = a.assertions().iter().chain(b.assertions()).copied().collect();
            let mut before: Vec<_> = one.assertions().iter().chain(other.assertions()).copied().collect();
            all.sort();
            before.sort();
            assert_eq!(all, before);
        }
    }
}
