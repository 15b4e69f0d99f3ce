//! Writes the formulas of the strategy `truth` to a folder, one file each, with what is expected in the first lines:
//! `cargo run -p fuzz --example truth_files -- FOLDER [RANDOM-BATCHES] [DEPTH]`. Prints the counts beside the paper's.

use fuzz::case::{Batch, Origin};
use fuzz::truth::{Truth, TruthSettings};
use random::Rng;
use smt::Theory;
use smt::print::{Style, script_to_string};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = std::path::PathBuf::from(arguments.next().ok_or("which folder?")?);
    let random: u64 = arguments.next().map_or(Ok(0), |n| n.parse())?;
    let depth: usize = arguments.next().map_or(Ok(1), |n| n.parse())?;
    let beyond = vec![Theory::Strings, Theory::Arith, Theory::BitVec, Theory::Float, Theory::Arrays];
    let truth = Truth::new(TruthSettings { beyond, depth, bound: 1, in_order: true });
    std::fs::create_dir_all(&folder)?;
    for count in truth.counts() {
        println!("{count:?}");
    }
    for number in 0..truth.planned() + random {
        let mut cases = truth.cases(number, Rng::numbered(0, number)).ok_or("no such batch")?;
        let mut position = 0;
        while let Some(case) = cases.next() {
            let Origin::Built(name) = &case.origin else { unreachable!("truth builds its cases") };
            let text = script_to_string(cases.terms(), &case.script, Style::default());
            let path = folder.join(format!("{number:04}_{position:02}.smt2"));
            std::fs::write(path, format!("; {name}\n; {:?}\n{text}", case.expected[0]))?;
            position += 1;
        }
    }
    Ok(())
}
