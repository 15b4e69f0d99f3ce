//! General simplex.
