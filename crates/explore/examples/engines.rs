//! The two engines of runs on values beside each other: `cargo run --release -p explore --example engines -- SECONDS MODULE.wasm[=SEED]...`
//!
//! A module is what `soundline explore --out DIR` leaves as `DIR/program.wasm`. Inputs are a seed (a file, or zeros) with a few random
//! changes, the same for both engines. Printed are runs a second of each engine, their quotient, the share of runs that machine code made
//! itself, and how long compiling took.

use explore::world::{Input, Setup};
use explore::{Backend, Program, RunLimits, Target};
use random::Rng;
use std::time::{Duration, Instant};

/// Objects that a run asked for, with their sizes; the next input has them.
type Shape = Vec<(String, usize)>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = Duration::from_secs_f64(arguments.next().ok_or("how many seconds?")?.parse()?);
    let (mut product, mut count) = (1.0, 0);
    println!(
        "{:<40}{:>14}{:>14}{:>9}{:>9}{:>12}",
        "module", "interpreter/s", "compiled/s", "ratio", "share", "compile ms"
    );
    for argument in arguments {
        let (path, seed) = argument.split_once('=').unwrap_or((&argument, ""));
        let seed = if seed.is_empty() { Vec::new() } else { std::fs::read(seed)? };
        let bytes = std::fs::read(path)?;
        let load = || {
            let setup = Setup { stdin: stdin(&seed), sized: true, ..Setup::default() };
            Program::load(&bytes, setup).map_err(|error| error.to_string())
        };
        let interpreter = load()?.with_backend(Backend::Interpreter)?;
        let began = Instant::now();
        let compiled = load()?.with_backend(Backend::Compiled)?;
        let compiling = began.elapsed();
        let slow = runs(&interpreter, &seed, seconds);
        let (fast, total) = (runs(&compiled, &seed, seconds), compiled.compiled_runs());
        let share = 100.0 * total as f64 / (fast * seconds.as_secs_f64());
        println!(
            "{path:<40}{slow:>14.0}{fast:>14.0}{:>9.2}{share:>8.0}%{:>12.0}",
            fast / slow,
            compiling.as_secs_f64() * 1e3
        );
        (product, count) = (product * fast / slow, count + 1);
    }
    if count > 0 {
        println!("geometric mean of the ratios: {:.2}", f64::powf(product, 1.0 / f64::from(count)));
    }
    Ok(())
}

/// How many inputs are run a second.
fn runs(program: &Program, seed: &[u8], time: Duration) -> f64 {
    let mut rng = Rng::named(0, "engines");
    let mut shape: Shape = Vec::new();
    let (began, mut count) = (Instant::now(), 0_u64);
    while began.elapsed() < time {
        for _ in 0..16 {
            let input: Input = shape
                .iter()
                .map(|(name, size)| (name.clone(), changed(&mut rng, name, seed, *size)))
                .collect();
            let (run, _) = program.run_concrete(&input, &RunLimits::default());
            shape = run.objects.iter().map(|object| (object.name.clone(), object.bytes.len())).collect();
            count += 1;
        }
    }
    count as f64 / began.elapsed().as_secs_f64()
}

/// The length of standard input.
fn stdin(seed: &[u8]) -> usize {
    if seed.is_empty() { 64 } else { seed.len() }
}

/// The seed with up to four bytes changed.
fn changed(rng: &mut Rng, name: &str, seed: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    bytes.resize(size, 0);
    if name.ends_with(".size") {
        return (stdin(seed) as u32).to_le_bytes().to_vec();
    }
    for _ in 0..rng.below(5) {
        if let Some(byte) = bytes.get_mut(rng.below(size.max(1))) {
            *byte = rng.bits() as u8;
        }
    }
    bytes
}
