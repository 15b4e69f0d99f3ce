//! What the foreign solvers of the tests do not know.

use smt::Op;

/// Whether an operator is one of SMT-LIB 2.7's overflow predicates. Z3 4.8.12 and cvc5 1.0.3 do not know them under these names.
pub fn is_overflow_predicate(op: Op) -> bool {
    matches!(
        op,
        Op::BvNego
            | Op::BvUaddo
            | Op::BvSaddo
            | Op::BvUmulo
            | Op::BvSmulo
            | Op::BvUsubo
            | Op::BvSsubo
            | Op::BvSdivo
    )
}
