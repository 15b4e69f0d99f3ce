//! Crowding distances within a front: the classic one in objective space, and the paper's in trace space (Eq. 4).

use crate::evolve::trace;

/// NSGA-II's distance: the sum over the objectives of the normalised gap between the two neighbours; infinite at both ends.
pub(crate) fn classic<P: AsRef<[f64]>>(points: &[P], front: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    let objectives = front.first().map_or(0, |&i| points[i].as_ref().len());
    for objective in 0..objectives {
        let value = |at: usize| points[front[at]].as_ref()[objective];
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        let (Some(&first), Some(&last)) = (order.first(), order.last()) else { continue };
        let span = value(last) - value(first);
        distances[first] = f64::INFINITY;
        distances[last] = f64::INFINITY;
        if span > 0.0 && span.is_finite() {
            for at in 1..order.len() - 1 {
                distances[order[at]] += (value(order[at + 1]) - value(order[at - 1])) / span;
            }
        }
    }
    distances
}

/// Eq. 4: one minus the mean similarity to the others of the front.
pub(crate) fn similarity(front: &[usize], similarity: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    // Similarity is symmetric and its cost is what matters: each pair once.
    let mut pairs = vec![vec![0.0; front.len()]; front.len()];
    for i in 0..front.len() {
        for j in i + 1..front.len() {
            pairs[i][j] = similarity(front[i], front[j]);
            pairs[j][i] = pairs[i][j];
        }
    }
    (0..front.len())
        .map(|i| trace::crowding((0..front.len()).filter(|&j| j != i).map(|j| pairs[i][j])))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_worked_out_by_hand() {
        // Objective 1 spans 10, objective 2 spans 20.
        let points = [[0.0, 20.0], [2.0, 14.0], [10.0, 0.0], [6.0, 4.0]];
        let distances = classic(&points, &[0, 1, 2, 3]);
        assert_eq!((distances[0], distances[2]), (f64::INFINITY, f64::INFINITY));
        assert!((distances[1] - (6.0 / 10.0 + 16.0 / 20.0)).abs() < 1e-12);
        assert!((distances[3] - (8.0 / 10.0 + 14.0 / 20.0)).abs() < 1e-12);
    }

    #[test]
    fn small_and_flat_fronts() {
        assert!(classic::<[f64; 2]>(&[], &[]).is_empty());
        assert_eq!(classic(&[[1.0]], &[0]), [f64::INFINITY]);
        let flat = classic(&[[1.0], [1.0], [1.0]], &[0, 1, 2]);
        assert_eq!(flat.iter().filter(|d| **d == 0.0).count(), 1);
    }

    #[test]
    fn equation_4() {
        let table = [[1.0, 0.5, 0.25], [0.5, 1.0, 0.0], [0.25, 0.0, 1.0]];
        let distances = similarity(&[0, 1, 2], |i, j| table[i][j]);
        for (found, expected) in distances.iter().zip([0.625, 0.75, 0.875]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(similarity(&[7], |_, _| 1.0), [1.0]);
    }
}
