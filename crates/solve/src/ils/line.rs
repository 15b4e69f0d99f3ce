//! Search along one variable for the place where a comparison's two sides meet: a linear or quadratic equation is
//! solved from three points, everything else by steps of doubling length and ever smaller parts of the interval in which the
//! difference changes its sign.

use super::batch::WIDTH;
use super::problem::Range;
use crate::tuning::ils_line::REACH;

/// Three neighbouring differences tell a polynomial of degree two or less; these are the integers next to its roots,
/// relative to the first of the three.
pub(crate) fn roots(f0: i128, f1: i128, f2: i128) -> Option<Vec<i128>> {
    let slope = f1.checked_sub(f0)?;
    let bend = f2.checked_sub(f1)?.checked_sub(slope)?;
    if bend == 0 {
        return if slope == 0 { None } else { Some(around(-f0, slope)) };
    }
    // bend/2 x^2 + (slope - bend/2) x + f0 = 0, doubled.
    let b = slope.checked_mul(2)?.checked_sub(bend)?;
    let discriminant = b.checked_mul(b)?.checked_sub(bend.checked_mul(8)?.checked_mul(f0)?)?;
    let root = i128::try_from(u128::try_from(discriminant).ok()?.isqrt()).ok()?;
    let divisor = bend.checked_mul(2)?;
    let mut found = around(root.checked_sub(b)?, divisor);
    found.extend(around(root.checked_neg()?.checked_sub(b)?, divisor));
    Some(found)
}

/// The integers next to a quotient, and one further on each side for strict comparisons.
fn around(a: i128, b: i128) -> Vec<i128> {
    let quotient = a.div_euclid(b);
    (-1..=2).map(|d| quotient.saturating_add(d)).collect()
}

/// Walks away from `start` in one direction with growing steps inside `domain`, asking `f` for the differences at several
/// places at a time. Where the sign changes, looks closer. `f` sees every place that is visited; the walk ends at the first
/// change of sign.
pub(crate) fn bracket(
    start: i128,
    at_start: i128,
    up: bool,
    domain: Range,
    mut f: impl FnMut(&[i128]) -> Vec<Option<i128>>,
) {
    let away = |k: u32| domain.nearest(if up { start + (1 << k) } else { start - (1 << k) });
    let mut places: Vec<i128> = (0..REACH).map(away).filter(|&x| x != start).collect();
    places.dedup();
    let mut near = (start, at_start);
    for places in places.chunks(WIDTH) {
        match change(near, places, &f(places)) {
            Ok(last) => near = last,
            Err([a, b]) => return section(a, b, f),
        }
    }
}

/// A place and the difference there.
type Known = (i128, i128);

/// The last of some places in a row, or the first two between which the sign changes. Places without a difference are
/// passed over.
fn change(mut near: Known, places: &[i128], differences: &[Option<i128>]) -> Result<Known, [Known; 2]> {
    for (&x, difference) in places.iter().zip(differences) {
        let Some(y) = *difference else { continue };
        if y.signum() != near.1.signum() {
            return Err([near, (x, y)]);
        }
        near = (x, y);
    }
    Ok(near)
}

/// Cuts an interval at whose ends the signs differ into as many parts as are looked at together, and goes on with the first
/// in which they differ.
fn section(mut a: Known, mut b: Known, mut f: impl FnMut(&[i128]) -> Vec<Option<i128>>) {
    while (a.0 - b.0).abs() > 1 && a.1 != 0 && b.1 != 0 {
        let width = b.0 - a.0;
        let parts = width.abs().min(WIDTH as i128 + 1);
        let places: Vec<i128> = (1..parts).map(|i| a.0 + width * i / parts).collect();
        let part = match change(a, &places, &f(&places)) {
            Ok(last) => [last, b],
            Err(part) => part,
        };
        if part == [a, b] {
            return;
        }
        [a, b] = part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_and_quadratic_equations_are_solved_exactly() {
        for root in [-1000i128, -7, 0, 3, 12_345] {
            for other in [-50i128, 0, 9] {
                let line = |x: i128| 17 * (x - root);
                assert!(roots(line(0), line(1), line(2)).unwrap().contains(&root));
                let parabola = |x: i128| -3 * (x - root) * (x - other);
                let found = roots(parabola(0), parabola(1), parabola(2)).unwrap();
                assert!(found.contains(&root) && found.contains(&other), "{root} {other} {found:?}");
            }
        }
        assert_eq!(roots(5, 5, 5), None);
        assert_eq!(roots(i128::MAX, i128::MIN, 0), None);
    }

    #[test]
    fn the_step_of_a_step_function_is_found() {
        let mut seen = Vec::new();
        let f = |x: i128| x.div_euclid(1000) - 77;
        bracket(0, f(0), true, Range { lo: -1 << 40, hi: 1 << 40 }, |places| {
            seen.extend_from_slice(places);
            places.iter().map(|&x| Some(f(x))).collect()
        });
        assert!(seen.iter().any(|&x| f(x) == 0) && seen.len() < 80, "{}", seen.len());
    }

    #[test]
    fn the_domain_is_not_left() {
        bracket(5, -1, true, Range { lo: 0, hi: 100 }, |places| {
            assert!(places.iter().all(|x| (0..=100).contains(x)));
            vec![Some(-1); places.len()]
        });
    }
}
