//! Code coverage: what one run executed, the global table of all runs, and the reward of Algorithm 2. Owns the `Source`
//! seam; each way to observe a solver is a file of its own.
//!
//! | source | sees | costs |
//! |---|---|---|
//! | [`blackbox`] | the solver's statistics and verbose output, a proxy for code coverage | nothing to speak of |
//! | [`sancov`] | every edge or basic block of a solver built with the runtime that the project ships | the instrumentation |
//! | [`gcov`] | every line, as in the paper | running `gcov` after every test |

pub mod blackbox;
pub mod gcov;
pub mod sancov;

use super::trace::{Trace, hash};
use rustc_hash::FxHashMap;

/// How often one row (a line, a block, a counter) of one file (or what stands for it) was executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowCount {
    /// The file, as a hash of its name or a number.
    pub file: u64,
    /// The row within it.
    pub row: u64,
    /// How often it was executed; never zero.
    pub count: u64,
}

/// What one run executed: rows in ascending order, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage(Vec<RowCount>);

impl Coverage {
    /// From rows in any order; counts of the same row are added, zeros dropped.
    pub fn new(mut rows: Vec<RowCount>) -> Coverage {
        rows.retain(|row| row.count > 0);
        rows.sort_unstable();
        rows.dedup_by(|later, kept| {
            let same = (later.file, later.row) == (kept.file, kept.row);
            if same {
                kept.count = kept.count.saturating_add(later.count);
            }
            same
        });
        Coverage(rows)
    }

    /// Sorted by file and row, each once, with a count above zero.
    pub(crate) fn rows(&self) -> &[RowCount] {
        &self.0
    }

    /// How many rows were executed (the paper's covered lines).
    pub fn lines(&self) -> usize {
        self.0.len()
    }

    /// The run as a trace: each row as often as it was executed. A cheap stand-in for a log of all steps.
    pub(crate) fn trace(&self) -> Trace {
        let mut trace = Trace::default();
        for row in &self.0 {
            let mut key = [0; 16];
            key[..8].copy_from_slice(&row.file.to_le_bytes());
            key[8..].copy_from_slice(&row.row.to_le_bytes());
            trace.push_hash(hash(&key), row.count);
        }
        trace
    }
}

/// The global table of Algorithm 2: for every row that any run executed the largest count.
#[derive(Clone, Debug, Default)]
pub struct CountTable {
    files: FxHashMap<u64, FxHashMap<u64, u64>>,
    rows: usize,
}

impl CountTable {
    /// Algorithm 2: the score of a run against what was seen before, and only then the table learns from it.
    ///
    /// A new file is worth 1000; in a known one a new row 100 for each execution, a row executed more often than ever 10 for
    /// each execution beyond, every other row 1. Where the listing and the text of Section III-C differ (the listing adds
    /// the last case to the first, and multiplies the whole count in the second), this follows the text.
    pub(crate) fn score(&mut self, coverage: &Coverage) -> u64 {
        let mut score = 0u64;
        for rows in coverage.0.chunk_by(|a, b| a.file == b.file) {
            let reward = match self.files.get(&rows[0].file) {
                None => 1000,
                Some(known) => {
                    rows.iter().map(|row| reward(known.get(&row.row), row.count)).fold(0, u64::saturating_add)
                }
            };
            score = score.saturating_add(reward);
        }
        self.learn(coverage);
        score
    }

    /// How many rows have been executed by any run (the paper's `Tot_lines`).
    pub(crate) fn lines(&self) -> usize {
        self.rows
    }

    /// Adds what a run executed, without a score.
    pub(crate) fn learn(&mut self, coverage: &Coverage) {
        for row in &coverage.0 {
            let most = self.files.entry(row.file).or_default().entry(row.row).or_insert(0);
            self.rows += usize::from(*most == 0);
            *most = row.count.max(*most);
        }
    }

    /// All rows with their largest counts, in ascending order.
    pub(crate) fn rows(&self) -> Vec<RowCount> {
        let mut rows: Vec<RowCount> = self
            .files
            .iter()
            .flat_map(|(&file, rows)| rows.iter().map(move |(&row, &count)| RowCount { file, row, count }))
            .collect();
        rows.sort_unstable();
        rows
    }
}

fn reward(most: Option<&u64>, count: u64) -> u64 {
    match most {
        None => count.saturating_mul(100),
        Some(&most) if count > most => (count - most).saturating_mul(10),
        Some(_) => 1,
    }
}

/// Why a source has nothing to say, in words for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// What a run printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Output<'a> {
    /// On standard output.
    pub stdout: &'a str,
    /// On standard error.
    pub stderr: &'a str,
}

/// A way to observe what a solver's run executed. One source watches one worker's runs, one after the other.
pub(crate) trait Source: Send {
    /// Variables that the solver's environment must have.
    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Forgets what earlier runs left behind; called before each run.
    fn clear(&mut self) -> Result<(), Unavailable>;

    /// What the run executed.
    fn collect(&mut self, output: Output) -> Result<Coverage, Unavailable>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(rows: &[(u64, u64, u64)]) -> Coverage {
        Coverage::new(rows.iter().map(|&(file, row, count)| RowCount { file, row, count }).collect())
    }

    #[test]
    fn the_rewards_of_algorithm_2() {
        let mut table = CountTable::default();
        assert_eq!(table.score(&coverage(&[(1, 10, 3), (1, 11, 1), (2, 5, 1)])), 2_000, "two new files");
        assert_eq!(table.score(&coverage(&[(1, 12, 4)])), 400, "a new row, executed 4 times");
        assert_eq!(table.score(&coverage(&[(1, 10, 5)])), 20, "twice more than ever");
        assert_eq!(table.score(&coverage(&[(1, 10, 5), (1, 11, 1), (2, 5, 1)])), 3, "nothing new");
        let all = coverage(&[(1, 10, 6), (1, 99, 1), (2, 5, 1), (3, 1, 1)]);
        assert_eq!(table.score(&all), 10 + 100 + 1 + 1_000);
        assert_eq!(table.score(&all), 4, "the table learns, but after the score");
        assert_eq!(table.lines(), 6);
    }

    #[test]
    fn counts_of_one_row_are_added() {
        assert_eq!(coverage(&[(1, 2, 3), (0, 9, 0), (1, 2, 4)]), coverage(&[(1, 2, 7)]));
        assert_eq!(coverage(&[(1, 2, 3), (1, 3, 3)]).lines(), 2);
    }

    #[test]
    fn traces_of_counters_are_multisets() {
        let (one, other) =
            (coverage(&[(1, 1, 4), (1, 2, 1)]).trace(), coverage(&[(1, 1, 1), (1, 3, 2)]).trace());
        assert_eq!(one.lines(), 5);
        assert!((one.similarity(&other) - 2.0 * 1.0 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn scores_do_not_overflow() {
        let mut table = CountTable::default();
        table.learn(&coverage(&[(1, 0, 1)]));
        assert_eq!(table.score(&coverage(&[(1, 1, u64::MAX), (1, 2, u64::MAX)])), u64::MAX);
    }
}
