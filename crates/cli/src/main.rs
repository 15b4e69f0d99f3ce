//! The `soundline` binary.

fn main() {}
