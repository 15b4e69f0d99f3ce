//! The engine `blast` against brute force, against itself on fresh state, and against a real solver.

mod brute;
mod floats;
mod generate;
mod incremental;
mod partials;
mod solver;
