//! Regular expressions over code points, by derivatives.
