//! Operands of comparisons: where one side of a failed comparison stands in the input, the other side is put in its place, whole.
//!
//! A table of words is not climbed letter by letter: one run that comes to it shows all words that it was compared with
//! (input-to-state correspondence, Aschermann et al. 2019).

use super::{put, remove};
use crate::search::partial_runner::PartialRunner;
use crate::search::source::{Source, Vary};
use crate::target::Compared;
use std::sync::Arc;

/// How many places of an object are tried for one side.
const PLACES: usize = 4;

/// Tries what one input was compared with.
#[derive(Debug)]
pub(super) struct Operands(pub(super) Arc<[Compared]>);

impl Vary for Operands {
    fn run(&self, partial_runner: &mut PartialRunner<'_>) {
        for compared in &*self.0 {
            for (own, other) in [(&compared.left, &compared.right), (&compared.right, &compared.left)] {
                let own = &own[..own.len().min(compared.length)];
                if own.is_empty() || other.is_empty() {
                    continue;
                }
                let names: Vec<String> = partial_runner.base().keys().cloned().collect();
                for name in names {
                    replace(partial_runner, &name, own, other);
                }
            }
        }
    }
}

fn replace(partial_runner: &mut PartialRunner<'_>, name: &str, own: &[u8], other: &[u8]) {
    let object = partial_runner.base().get(name).cloned().unwrap_or_default();
    let places = object.windows(own.len()).enumerate().filter(|(_, part)| *part == own).map(|(at, _)| at);
    for at in places.take(PLACES).collect::<Vec<_>>() {
        // Over what follows, then with what follows behind it.
        for keeps_rest in [false, true] {
            let mut changed = object.clone();
            if keeps_rest {
                remove(&mut changed, at, own.len());
            }
            put(&mut changed, at, other, keeps_rest);
            let mut input = partial_runner.base().clone();
            input.insert(name.to_string(), changed);
            partial_runner.try_variant(input, Source::Mutate);
        }
    }
}
