//! Traces as multisets of lines, and their similarity (Eq. 3). Owns a summary that is filled line by line in linear time
//! and bounded memory. As long as a log has at most `CAPACITY` different lines the similarity is exact; beyond that the
//! summary keeps the lines whose hash lies below a falling threshold, a uniform sample of the different lines with all
//! their repetitions, and two summaries are compared below the lower of their thresholds, where both are complete.

pub(crate) use crate::tuning::evolve_trace::CAPACITY;
use rustc_hash::FxHashMap;

/// A multiset of lines, or a sample of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    counts: FxHashMap<u64, u64>,
    /// All lines with a hash up to this are kept.
    threshold: u64,
    lines: u64,
    capacity: usize,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace::with_capacity(CAPACITY)
    }
}

impl Trace {
    /// An empty trace that keeps this many different lines.
    pub(crate) fn with_capacity(capacity: usize) -> Trace {
        Trace { counts: FxHashMap::default(), threshold: u64::MAX, lines: 0, capacity: capacity.max(1) }
    }

    /// The lines of a text.
    #[cfg(test)]
    pub(crate) fn from_lines<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> Trace {
        let mut trace = Trace::default();
        for line in lines {
            trace.push(line);
        }
        trace
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: &[u8]) {
        self.push_hash(hash(line), 1);
    }

    /// Adds a line that is known by its hash, many times. The hash must be as good as [`hash`]'s.
    pub(crate) fn push_hash(&mut self, hash: u64, times: u64) {
        self.lines = self.lines.saturating_add(times);
        if hash > self.threshold {
            return;
        }
        let count = self.counts.entry(hash).or_insert(0);
        *count = count.saturating_add(times);
        while self.counts.len() > self.capacity {
            self.threshold /= 2;
            self.counts.retain(|&hash, _| hash <= self.threshold);
        }
    }

    /// How many lines it has, repetitions and dropped ones included.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Whether all lines were kept, so that similarities are exact.
    #[cfg(test)]
    pub(crate) fn is_exact(&self) -> bool {
        self.threshold == u64::MAX
    }

    /// Eq. 3: twice the common lines by all lines; 1 for two empty traces.
    pub fn similarity(&self, other: &Trace) -> f64 {
        let threshold = self.threshold.min(other.threshold);
        // Sums of integers: the order in which a hash map gives its entries does not matter to them.
        let kept = |trace: &Trace| -> u128 {
            trace.counts.iter().filter(|(hash, _)| **hash <= threshold).map(|(_, &n)| u128::from(n)).sum()
        };
        let (few, many) = if self.counts.len() <= other.counts.len() { (self, other) } else { (other, self) };
        let common: u128 = few
            .counts
            .iter()
            .filter(|(hash, _)| **hash <= threshold)
            .filter_map(|(hash, n)| many.counts.get(hash).map(|m| u128::from(*n.min(m))))
            .sum();
        dice(common as f64, kept(self) as f64, kept(other) as f64)
    }

    /// The kept lines as (hash, count) pairs in ascending order, and the threshold up to which they are complete.
    pub(crate) fn parts(&self) -> (Vec<(u64, u64)>, u64) {
        let mut lines: Vec<(u64, u64)> = self.counts.iter().map(|(&hash, &count)| (hash, count)).collect();
        lines.sort_unstable();
        (lines, self.threshold)
    }

    /// The trace that has these [`Trace::parts`] and this many lines.
    pub(crate) fn from_parts(kept: Vec<(u64, u64)>, threshold: u64, lines: u64) -> Trace {
        Trace { counts: kept.into_iter().collect(), threshold, lines, ..Trace::default() }
    }
}

/// Eq. 3 by its numbers: common lines, lines of the one, lines of the other.
pub(crate) fn dice(common: f64, one: f64, other: f64) -> f64 {
    if one + other == 0.0 { 1.0 } else { 2.0 * common / (one + other) }
}

/// Eq. 4: one minus the mean similarity to the others of the front; 1 for whoever is alone.
pub(crate) fn crowding(similarities: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = similarities.fold((0.0, 0usize), |(sum, count), s| (sum + s, count + 1));
    if count == 0 { 1.0 } else { 1.0 - sum / count as f64 }
}

/// A 64-bit hash of a line, eight bytes a step.
pub(crate) fn hash(line: &[u8]) -> u64 {
    let mut h = 0x9e37_79b9_7f4a_7c15u64 ^ line.len() as u64;
    let mut chunks = line.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().rev().fold(0u64, |w, &b| w << 8 | u64::from(b));
        h = mix(h ^ word);
    }
    let rest = chunks.remainder().iter().rev().fold(0u64, |w, &b| w << 8 | u64::from(b));
    mix(h ^ rest)
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A line with every run of digits as one `#`: times, memory and the numbers of internal objects change from run to run.
pub(crate) fn without_numbers(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    for &byte in line {
        if byte.is_ascii_digit() {
            if out.last() != Some(&b'#') {
                out.push(b'#');
            }
        } else {
            out.push(byte);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::Rng;
    use std::collections::HashMap;

    /// Eq. 3 with nothing clever: every line of one log is matched with one of the other.
    fn exact(one: &[String], other: &[String]) -> f64 {
        let mut left: HashMap<&str, usize> = HashMap::new();
        for line in one {
            *left.entry(line).or_default() += 1;
        }
        let mut common = 0;
        for line in other {
            if let Some(n) = left.get_mut(line.as_str()).filter(|n| **n > 0) {
                *n -= 1;
                common += 1;
            }
        }
        2.0 * common as f64 / (one.len() + other.len()) as f64
    }

    fn log(rng: &mut Rng, lines: usize, different: usize) -> Vec<String> {
        (0..lines).map(|_| format!("[mk-app] #{} str.++ #{}", rng.below(different), rng.below(2))).collect()
    }

    fn trace(log: &[String], capacity: usize) -> Trace {
        let mut trace = Trace::with_capacity(capacity);
        for line in log {
            trace.push(line.as_bytes());
        }
        trace
    }

    #[test]
    fn the_example_of_the_paper() {
        assert!((dice(1_680_940.0, 4_553_000.0, 4_430_457.0) - 0.374).abs() < 5e-4);
    }

    #[test]
    fn exact_on_logs_that_fit() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let different = 1 + rng.below(300);
            let (n, m) = (1 + rng.below(400), 1 + rng.below(400));
            let (one, other) = (log(&mut rng, n, different), log(&mut rng, m, different));
            let (a, b) = (trace(&one, 1_000), trace(&other, 1_000));
            assert!(a.is_exact() && b.is_exact());
            assert!((a.similarity(&b) - exact(&one, &other)).abs() < 1e-12);
            assert_eq!(a.similarity(&b), b.similarity(&a));
            assert_eq!(a.similarity(&a), 1.0);
        }
    }

    #[test]
    fn bounded_and_close_on_logs_that_do_not_fit() {
        let mut rng = Rng::new(2);
        let shared = log(&mut rng, 30_000, 40_000);
        let mut one = shared.clone();
        one.extend(log(&mut rng, 20_000, 1_000_000));
        let mut other = shared;
        other.extend(log(&mut rng, 40_000, 1_000_000));
        let (a, b) = (trace(&one, 4_096), trace(&other, 2_048));
        assert!(!a.is_exact() && a.parts().0.len() <= 4_096 && b.parts().0.len() <= 2_048);
        assert!((a.similarity(&b) - exact(&one, &other)).abs() < 0.05);
        assert_eq!(a.lines(), 50_000);
    }

    #[test]
    fn the_order_of_lines_does_not_matter() {
        let mut rng = Rng::new(3);
        let mut lines = log(&mut rng, 20_000, 50_000);
        let forwards = trace(&lines, 500);
        rng.shuffle(&mut lines);
        assert_eq!(forwards, trace(&lines, 500));
    }

    #[test]
    fn crowding_distance() {
        assert_eq!(crowding([].into_iter()), 1.0);
        assert!((crowding([0.374, 0.126].into_iter()) - 0.75).abs() < 1e-12);
        assert_eq!(dice(0.0, 0.0, 0.0), 1.0);
    }

    #[test]
    fn numbers_are_dropped() {
        assert_eq!(without_numbers(b":time 0.02 :mem 17"), b":time #.# :mem #");
    }
}
