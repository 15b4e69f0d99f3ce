//! What a mutant costs: making it and writing its text, over the seeds of a logic in the shared corpus (skipped without it), or
//! in the folder that `SOUNDLINE_SEEDS` names. An item is one mutant; the seed's reading and the search for its literals are
//! part of the price, shared by its mutants.
//!
//! `cargo bench -p fuzz --bench approx`

use divan::counter::ItemsCount;
use fuzz::approx::{Approx, ApproxSettings, Seed};
use fuzz::case::{Origin, Strategy, Verdict};
use random::Rng;
use smt::print::Style;
use std::path::{Path, PathBuf};

fn main() {
    divan::main();
}

/// The seeds of a logic, as text, so that no file is read while the clock runs.
fn seeds(logic: &str) -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("SOUNDLINE_SEEDS").map(PathBuf::from);
    let shared = ["../../../shared", "../../../../shared"].map(|up| root.join(up).join("corpus/seeds"));
    let mut folders = named.into_iter().chain(shared).map(|folder| folder.join(logic));
    let Some(folder) = folders.find(|folder| folder.is_dir()) else { return Vec::new() };
    let found = Seed::find(&[folder]).expect("the corpus can be read");
    let read = |seed: Seed| match seed {
        Seed::File(path) => {
            std::fs::read_to_string(&path).ok().map(|text| Seed::Text(path.display().to_string(), text))
        }
        text => Some(text),
    };
    found.into_iter().filter_map(read).collect()
}

/// Makes and writes all mutants of all seeds, as over-approximations; says how many there were.
fn pass(approx: &Approx) -> usize {
    let mut text = String::new();
    let mut mutants = 0;
    for number in 0..approx.batches().unwrap_or(0) {
        let mut batch = approx.batch(number, Rng::numbered(1, number)).expect("the seed is supported");
        while let Some(case) = batch.next() {
            batch.settle(&[Verdict::Sat]);
            mutants += usize::from(matches!(case.origin, Origin::Mutant { .. }));
            text.clear();
            batch.write(&case, Style::default(), &mut text);
            divan::black_box(&text);
        }
    }
    mutants
}

#[divan::bench(args = ["QF_S", "QF_SLIA", "QF_LIA", "QF_BV"], sample_count = 5, sample_size = 1)]
fn mutants(bencher: divan::Bencher<'_, '_>, logic: &str) {
    let approx = Approx::new(seeds(logic), ApproxSettings::default());
    let mutants = pass(&approx);
    bencher.counter(ItemsCount::new(mutants.max(1))).bench_local(|| pass(&approx));
}
