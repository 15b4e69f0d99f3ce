//! Selection: tournaments for parents, elitist survival.

use super::dominates;
use random::Rng;

/// Tournament of two by the number of the front (generation 0, where no crowding distance exists yet): as many winners as
/// asked for.
pub(crate) fn tournament_by_front(rng: &mut Rng, ranks: &[usize], winners: usize) -> Vec<usize> {
    (0..winners)
        .map(|_| {
            let (a, b) = (rng.below(ranks.len()), rng.below(ranks.len()));
            if ranks[b] < ranks[a] { b } else { a }
        })
        .collect()
}

/// Tournament of two by dominance, then by crowding distance (Deb's `selTournamentDCD`): the population is shuffled and
/// paired off, so that everyone competes about as often as everyone else.
pub(crate) fn tournament_by_crowding<P: AsRef<[f64]>>(
    rng: &mut Rng,
    points: &[P],
    distances: &[f64],
    winners: usize,
) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(winners);
    while chosen.len() < winners && !points.is_empty() {
        let mut order: Vec<usize> = (0..points.len()).collect();
        rng.shuffle(&mut order);
        for pair in order.chunks(2) {
            let winner = match *pair {
                [a, b] => better(rng, points, distances, a, b),
                _ => pair[0],
            };
            if chosen.len() < winners {
                chosen.push(winner);
            }
        }
    }
    chosen
}

fn better<P: AsRef<[f64]>>(rng: &mut Rng, points: &[P], distances: &[f64], a: usize, b: usize) -> usize {
    if dominates(points[a].as_ref(), points[b].as_ref()) {
        a
    } else if dominates(points[b].as_ref(), points[a].as_ref()) {
        b
    } else if distances[a] != distances[b] {
        if distances[a] > distances[b] { a } else { b }
    } else if rng.one_in(2) {
        a
    } else {
        b
    }
}

/// Elitist survival: whole fronts as long as they fit, then of the next one those with the largest crowding distances.
/// `distances` holds one list a front.
pub(crate) fn survivors(fronts: &[Vec<usize>], distances: &[Vec<f64>], size: usize) -> Vec<usize> {
    let mut kept = Vec::with_capacity(size);
    for (front, distances) in fronts.iter().zip(distances) {
        let left = size - kept.len();
        if front.len() <= left {
            kept.extend_from_slice(front);
            continue;
        }
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|&a, &b| distances[b].total_cmp(&distances[a]));
        kept.extend(order[..left].iter().map(|&at| front[at]));
        break;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::{classic, fronts};
    use super::*;

    #[test]
    fn better_fronts_win() {
        let ranks = [3, 0, 1, 2];
        let chosen = tournament_by_front(&mut Rng::new(1), &ranks, 4_000);
        let count = |i| chosen.iter().filter(|&&c| c == i).count() as f64 / 4_000.0;
        // With two draws out of four the best wins with probability 7/16, the worst with 1/16.
        assert!((count(1) - 7.0 / 16.0).abs() < 0.03 && (count(0) - 1.0 / 16.0).abs() < 0.03);
    }

    #[test]
    fn the_dominated_never_win_against_their_dominators() {
        let points = [[1.0, 1.0], [2.0, 2.0]];
        let chosen = tournament_by_crowding(&mut Rng::new(2), &points, &[9.0, 1.0], 50);
        assert!(chosen.iter().all(|&c| c == 1));
        let level = [[1.0, 2.0], [2.0, 1.0]];
        let chosen = tournament_by_crowding(&mut Rng::new(2), &level, &[9.0, 1.0], 50);
        assert!(chosen.iter().all(|&c| c == 0), "between equals the lonelier one wins");
        assert_eq!(chosen.len(), 50);
    }

    #[test]
    fn survival_is_elitist() {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let points: Vec<[f64; 2]> = (0..30).map(|_| [rng.below(9) as f64, rng.below(9) as f64]).collect();
            let fronts = fronts(&points);
            let distances: Vec<Vec<f64>> = fronts.iter().map(|f| classic(&points, f)).collect();
            let kept = survivors(&fronts, &distances, 12);
            assert_eq!(kept.len(), 12);
            // No member outside is in a better front than a member inside.
            let rank = super::super::ranks(&fronts);
            let worst = kept.iter().map(|&i| rank[i]).max().unwrap();
            assert!((0..30).filter(|i| !kept.contains(i)).all(|i| rank[i] >= worst));
            // Within the last front no member outside is lonelier than a member inside.
            let of = |i: usize| distances[worst][fronts[worst].iter().position(|&x| x == i).unwrap()];
            let inside =
                kept.iter().filter(|&&i| rank[i] == worst).map(|&i| of(i)).fold(f64::INFINITY, f64::min);
            assert!(fronts[worst].iter().filter(|i| !kept.contains(i)).all(|&i| of(i) <= inside));
        }
    }

    #[test]
    fn more_room_than_points() {
        let points = [[1.0], [2.0]];
        let fronts = fronts(&points);
        let distances: Vec<Vec<f64>> = fronts.iter().map(|f| classic(&points, f)).collect();
        assert_eq!(survivors(&fronts, &distances, 9), [1, 0]);
    }
}
