//! The integer searches against independent judges: the evaluator, enumeration of small domains, points that solve a
//! path condition by construction.

mod compiled;
mod engines;
mod formulas;
mod strategies;
mod sweeps;
