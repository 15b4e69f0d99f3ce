//! Engines that decide SMT-LIB queries and stream their partial solutions.

pub mod sat;
pub mod simplex;
