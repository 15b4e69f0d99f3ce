//! Fast non-dominated sorting.

/// Whether a point is at least as good in every objective and better in one.
pub(crate) fn dominates(one: &[f64], other: &[f64]) -> bool {
    debug_assert_eq!(one.len(), other.len());
    one.iter().zip(other).all(|(a, b)| a >= b) && one.iter().zip(other).any(|(a, b)| a > b)
}

/// The fronts, best first: a point is in the front after the last one that holds a point that dominates it. Within a front
/// the indices ascend.
pub(crate) fn fronts<P: AsRef<[f64]>>(points: &[P]) -> Vec<Vec<usize>> {
    let count = points.len();
    let mut dominated: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut dominators = vec![0usize; count];
    for i in 0..count {
        for j in i + 1..count {
            let (a, b) = (points[i].as_ref(), points[j].as_ref());
            if dominates(a, b) {
                dominated[i].push(j);
                dominators[j] += 1;
            } else if dominates(b, a) {
                dominated[j].push(i);
                dominators[i] += 1;
            }
        }
    }
    let mut front: Vec<usize> = (0..count).filter(|&i| dominators[i] == 0).collect();
    let mut all = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for &i in &front {
            for &j in &dominated[i] {
                dominators[j] -= 1;
                if dominators[j] == 0 {
                    next.push(j);
                }
            }
        }
        next.sort_unstable();
        all.push(std::mem::replace(&mut front, next));
    }
    all
}

/// For each point the number of its front.
pub(crate) fn ranks(fronts: &[Vec<usize>]) -> Vec<usize> {
    let mut ranks = vec![0; fronts.iter().map(Vec::len).sum()];
    for (rank, front) in fronts.iter().enumerate() {
        for &i in front {
            ranks[i] = rank;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::Rng;

    /// Peels off the points that no remaining point dominates, by comparing all pairs again for every front.
    fn brute_force(points: &[Vec<f64>]) -> Vec<Vec<usize>> {
        let mut left: Vec<usize> = (0..points.len()).collect();
        let mut all = Vec::new();
        while !left.is_empty() {
            let better = |j: usize, i: usize| {
                (0..points[i].len()).all(|k| points[j][k] >= points[i][k])
                    && (0..points[i].len()).any(|k| points[j][k] > points[i][k])
            };
            let (front, rest): (Vec<usize>, Vec<usize>) =
                left.iter().copied().partition(|&i| !left.iter().any(|&j| better(j, i)));
            all.push(front);
            left = rest;
        }
        all
    }

    /// ZDT1, ZDT2 and ZDT3 (Zitzler, Deb, Thiele 2000), negated.
    pub(crate) fn zdt(kind: usize, x: &[f64]) -> Vec<f64> {
        let g = 1.0 + 9.0 * x[1..].iter().sum::<f64>() / (x.len() - 1) as f64;
        let ratio = x[0] / g;
        let h = match kind {
            1 => 1.0 - ratio.sqrt(),
            2 => 1.0 - ratio * ratio,
            _ => 1.0 - ratio.sqrt() - ratio * (10.0 * std::f64::consts::PI * x[0]).sin(),
        };
        vec![-x[0], -(g * h)]
    }

    /// DTLZ2 with three objectives (Deb, Thiele, Laumanns, Zitzler 2002), negated.
    fn dtlz2(x: &[f64]) -> Vec<f64> {
        let half_pi = std::f64::consts::FRAC_PI_2;
        let r = 1.0 + x[2..].iter().map(|v| (v - 0.5) * (v - 0.5)).sum::<f64>();
        let (a, b) = (x[0] * half_pi, x[1] * half_pi);
        vec![-(r * a.cos() * b.cos()), -(r * a.cos() * b.sin()), -(r * a.sin())]
    }

    fn decision(rng: &mut Rng, n: usize) -> Vec<f64> {
        (0..n).map(|_| rng.unit()).collect()
    }

    #[test]
    fn zdt_and_dtlz_points_as_by_brute_force() {
        let mut rng = Rng::new(11);
        for kind in 1..=4 {
            let points: Vec<Vec<f64>> = (0..150)
                .map(|_| {
                    let x = decision(&mut rng, 6);
                    if kind == 4 { dtlz2(&x) } else { zdt(kind, &x) }
                })
                .collect();
            let found = fronts(&points);
            assert_eq!(found, brute_force(&points));
            assert!(found.len() > 2);
        }
    }

    #[test]
    fn ties_and_equal_points_as_by_brute_force() {
        let mut rng = Rng::new(12);
        for _ in 0..200 {
            let count = rng.below(25);
            let points: Vec<Vec<f64>> =
                (0..count).map(|_| (0..3).map(|_| rng.below(3) as f64).collect()).collect();
            assert_eq!(fronts(&points), brute_force(&points));
        }
    }

    #[test]
    fn points_on_the_true_front_of_zdt1_come_first() {
        let mut rng = Rng::new(13);
        let mut points: Vec<Vec<f64>> = (0..20).map(|i| zdt(1, &[i as f64 / 19.0, 0.0, 0.0, 0.0])).collect();
        points.extend((0..60).map(|_| zdt(1, &decision(&mut rng, 4))));
        assert_eq!(fronts(&points)[0][..20], (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn ranks_are_front_numbers() {
        assert_eq!(ranks(&[vec![2], vec![0, 1]]), [1, 1, 0]);
        assert!(fronts::<Vec<f64>>(&[]).is_empty());
    }
}
