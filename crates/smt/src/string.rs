//! String values of the theory of Unicode strings.
