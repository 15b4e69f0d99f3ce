//! The two directions of an approximation.

/// Which way a formula is approximated (Yao et al. 2021, Definition 2.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// By something it implies: satisfiable stays satisfiable.
    Over,
    /// By something that implies it: unsatisfiable stays unsatisfiable.
    Under,
}

impl Direction {
    /// The direction under a negation (Yao et al. 2021, Proposition 4.2).
    pub(crate) fn flip(self) -> Direction {
        match self {
            Direction::Over => Direction::Under,
            Direction::Under => Direction::Over,
        }
    }

    /// The direction of an occurrence of this polarity.
    pub(crate) fn at(self, positive: bool) -> Direction {
        if positive { self } else { self.flip() }
    }
}
