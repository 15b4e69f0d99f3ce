//! Exact numbers of the simplex core: [`Rational`] with a machine-word fast path, and [`Delta`], a
//! rational plus a multiple of an infinitesimal.
//!
//! Nothing here rounds silently and nothing overflows: a result that does not fit two machine words
//! moves to the heap and moves back as soon as it fits again.

mod delta;
mod rational;
#[cfg(test)]
mod tests;

pub use delta::Delta;
pub use rational::Rational;
