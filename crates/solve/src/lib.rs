//! Engines that decide SMT-LIB queries and stream their partial solutions.

pub mod anneal;
pub mod blast;
pub mod engine;
pub mod ils;
pub mod linear;
pub mod sat;
pub mod simplex;
