//! NSGA-II (Deb et al. 2000) as Algorithm 1 uses it: fast non-dominated sorting, crowding distances, tournaments, elitist
//! survival. Knows points and distances only, no individual. All objectives are maximised; no number may be NaN.

mod crowding;
mod select;
mod sort;

pub(crate) use crowding::{classic, similarity};
pub(crate) use select::{survivors, tournament_by_crowding, tournament_by_front};
pub(crate) use sort::{dominates, fronts, ranks};
