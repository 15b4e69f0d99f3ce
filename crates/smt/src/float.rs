//! IEEE 754 arithmetic in any format.
