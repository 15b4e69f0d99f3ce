//! The reader on damaged texts, a fixed number of times: the corpus with bytes changed, cut out, repeated and spliced.

mod check;

use check::check;
use std::path::{Path, PathBuf};
use testkit::Rng;

/// How many texts are made: a fixed number, so that every machine tries the same ones. `MUTATIONS` asks for another number.
const COUNT: usize = 20000;

fn count() -> usize {
    std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(COUNT)
}

fn corpus() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<PathBuf> = Vec::new();
    let mut waiting = vec![root];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { waiting.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let texts = files.iter().filter(|path| path.extension().is_some_and(|e| e == "smt2"));
    texts.map(|path| std::fs::read(path).expect("a text")).filter(|text| text.len() < 20_000).collect()
}

#[test]
fn damaged_texts_are_read_without_panic() {
    let (corpus, mut random) = (corpus(), Rng::new(15));
    for _ in 0..count() {
        let mut text = corpus[random.below(corpus.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len().max(1));
            let end = (at + random.below(40)).min(text.len());
            match random.below(6) {
                0 if at < text.len() => text[at] = random.below(256) as u8,
                1 => drop(text.drain(at..end)),
                2 => text.truncate(at),
                3 => {
                    let part = text[at..end].to_vec();
                    text.splice(at..at, part);
                }
                4 => {
                    let other = &corpus[random.below(corpus.len())];
                    let from = random.below(other.len().max(1));
                    text.splice(at..end, other[from..(from + 60).min(other.len())].iter().copied());
                }
                _ => drop(text.splice(at..end, random.below(usize::MAX).to_string().into_bytes())),
            }
        }
        check(&text);
    }
}
