//! How many inputs are run on values in a second of processor time:
//! `cargo run --release -p explore --example runs -- SECONDS MODULE.wasm[=SEED]...`
//!
//! A module is what `soundline explore --out DIR` leaves as `DIR/program.wasm`. Inputs are a seed (a file, or zeros) with up to four
//! random bytes changed. Printed are runs a second, jumps a run, and nanoseconds a jump.

use explore::world::{Input, Setup};
use explore::{Program, RunLimits, Target};
use random::Rng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("how many seconds?")?.parse()?;
    println!("{:<40}{:>12}{:>14}{:>12}", "module", "runs/s", "jumps a run", "ns a jump");
    for argument in arguments {
        let (path, seed) = argument.split_once('=').unwrap_or((&argument, ""));
        let seed = if seed.is_empty() { vec![0; 64] } else { std::fs::read(seed)? };
        let setup = Setup { stdin: seed.len(), sized: true, ..Setup::default() };
        let program = Program::load(&std::fs::read(path)?, setup)?;
        let (runs, jumps) = measure(&program, &seed, seconds)?;
        println!("{path:<40}{runs:>12.0}{jumps:>14.0}{:>12.1}", 1e9 / runs / jumps.max(1.0));
    }
    Ok(())
}

/// How many inputs are run a second, and the jumps of a run.
fn measure(program: &Program, seed: &[u8], seconds: f64) -> Result<(f64, f64), std::io::Error> {
    let mut rng = Rng::named(0, "runs");
    // Objects that a run asked for, with their sizes: the next input has them.
    let mut shape: Vec<(String, usize)> = Vec::new();
    let (before, mut count, mut jumps) = (processor_time()?, 0_u64, 0);
    loop {
        for _ in 0..256 {
            let object =
                |(name, size): &(String, usize)| (name.clone(), changed(&mut rng, name, seed, *size));
            let input: Input = shape.iter().map(object).collect();
            let (run, _) = program.run_concrete(&input, &RunLimits::default());
            shape = run.objects.iter().map(|object| (object.name.clone(), object.bytes.len())).collect();
            (count, jumps) = (count + 1, jumps + run.jumps);
        }
        let taken = processor_time()? - before;
        if taken >= seconds {
            return Ok((count as f64 / taken, jumps as f64 / count as f64));
        }
    }
}

/// Seconds of processor time that this thread has used: other processes do not matter.
fn processor_time() -> Result<f64, std::io::Error> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map(|nanoseconds| nanoseconds / 1e9).ok_or_else(|| std::io::Error::other("no processor time"))
}

/// The seed with up to four bytes changed.
fn changed(rng: &mut Rng, name: &str, seed: &[u8], size: usize) -> Vec<u8> {
    if name.ends_with(".size") {
        return (seed.len() as u32).to_le_bytes().to_vec();
    }
    let mut bytes = seed.to_vec();
    bytes.resize(size, 0);
    for _ in 0..rng.below(5) {
        if let Some(byte) = bytes.get_mut(rng.below(size.max(1))) {
            *byte = rng.bits() as u8;
        }
    }
    bytes
}
