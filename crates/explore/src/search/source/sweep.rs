//! All values of a symbol's bytes in an unusual input, one byte at a time. They find what no single query asks for: conditions
//! that lie in no path condition, because what they depend on was made concrete by an earlier branch.

use super::{News, Source, Variants, Vary};
use crate::search::order::Unusual;
use crate::search::partial_runner::PartialRunner;
use crate::search::tuning::Tuning;
use smt::FunId;
use std::collections::BTreeSet;

/// Symbols to be swept, by the input that they are swept in.
pub(super) struct Sweeps {
    waiting: Unusual<(usize, FunId)>,
    most: usize,
}

impl Sweeps {
    pub(super) fn new(tuning: &Tuning) -> Sweeps {
        Sweeps { waiting: Unusual::new(tuning.fresh, tuning.max_runs), most: tuning.sweep_bytes as usize }
    }
}

impl Variants for Sweeps {
    fn note(&mut self, news: &News<'_>) {
        let mut known = BTreeSet::new();
        let symbols = news.groups.iter().flat_map(|(group, _)| group.iter().copied());
        let queue = symbols.filter(|&symbol| known.insert(symbol)).enumerate().collect();
        self.waiting.add(news.input, queue, news.fresh);
    }

    fn next(&mut self) -> Option<(usize, Box<dyn Vary>)> {
        let (input, (_, symbol)) = self.waiting.pop()?;
        Some((input, Box::new(Sweep { symbol, most: self.most })))
    }

    fn charge(&mut self, input: usize, ticks: u64, _: usize) {
        self.waiting.charge(input, ticks);
    }
}

#[derive(Debug)]
struct Sweep {
    symbol: FunId,
    /// The bytes of the largest symbol that is swept.
    most: usize,
}

impl Vary for Sweep {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        let Some(origin) = partial_runner.origin(self.symbol) else { return };
        if origin.bytes > self.most || !partial_runner.begin_sweep(self.symbol) {
            return;
        }
        for byte in 0..origin.bytes {
            for step in 1..=u8::MAX {
                let mut input = partial_runner.base().clone();
                let bytes = origin.bytes_of(&mut input);
                bytes[byte] = bytes[byte].wrapping_add(step);
                partial_runner.try_variant(input, Source::Sweep);
            }
        }
    }
}
