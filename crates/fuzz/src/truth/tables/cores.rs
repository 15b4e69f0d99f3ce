//! Where a minimal core is smaller than the paper's construction suggests. The paper takes the equality and all its side
//! conditions to belong to the core (Section 3.2); in the cases listed here the refutation does without some of them,
//! because the operation sees less of the variable than the side condition says, or because the side condition makes
//! one of the parts superfluous.

/// Conjuncts that the refutation does without.
#[derive(Debug)]
pub(crate) struct Spare {
    /// The row of Table 2.
    pub equivalence: &'static str,
    /// The variable or constant that was replaced.
    pub replaced: &'static str,
    /// The row of Table 3.
    pub law: &'static str,
    /// Names of the conjuncts.
    pub parts: &'static [&'static str],
}

const fn row(
    equivalence: &'static str,
    replaced: &'static str,
    law: &'static str,
    parts: &'static [&'static str],
) -> Spare {
    Spare { equivalence, replaced, law, parts }
}

/// Formulas whose core is smaller than the paper says, with what it does without.
pub(crate) static SPARES: &[Spare] = &[
    // All negative positions, lengths and numbers are alike to these operations, and NC8 makes them -1.
    row("E1", "off", "NC8", &["side1_1"]),
    row("E2", "n", "NC8", &["side1_1"]),
    row("E4", "off", "NC8", &["side1_1"]),
    row("E4", "len", "NC8", &["side1_1"]),
    row("E5", "off", "NC8", &["side1_1"]),
    // A pattern of length one is not empty.
    row("E5", "t", "NC1", &["part1"]),
    // What begins a part of a string begins the string; what is contained in one is contained in the other.
    row("E7", "s", "NC1", &["side1_1"]),
    row("E8", "t", "NC1", &["side1_1"]),
    row("E9", "t", "NC1", &["side1_1"]),
    row("E10", "s", "NC1", &["side1_1"]),
    // Digits from a later position on are as good as all digits, since `intToStr(res) = s` asks for the rest.
    row("E6", "0", "C20", &["side1_1"]),
];
