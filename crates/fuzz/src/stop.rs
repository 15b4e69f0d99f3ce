//! Why a search ended: a fuzzing run, an evolution, a reduction.

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There is nothing left to try.
    Exhausted,
    /// As many tests as asked for.
    Tests,
    /// The time is over.
    Time,
    /// The user stopped it.
    Interrupted,
}

impl StopReason {
    /// The word in summaries.
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Exhausted => "exhausted",
            StopReason::Tests => "tests",
            StopReason::Time => "time",
            StopReason::Interrupted => "interrupted",
        }
    }
}
