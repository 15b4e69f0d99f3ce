//! The machine on plain values beside `java -Xint`, HotSpot's interpreter: `cargo bench -p jvm`.
//!
//! Each program of `java/` repeats a loop as often as its argument says and prints a result, which has to be the same on both. The time
//! of a repetition is the difference between a long and a short run, so that no start is in it; the least of several runs counts.
//! All is measured in one go, the two sides in turns. It is processor time, as Linux counts it in ticks of 10 ms, so that other load
//! on the machine matters little.

use explore::target::Input;
use explore::world::Setup;
use jvm::archive::ClassSource;
use jvm::program::Program;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The programs, and the bytecodes of a repetition of their loops, counted in what `javap -c` shows; of a branch that is taken half
/// of the time, half.
const LOOPS: [(&str, f64); 4] = [("Integers", 23.5), ("Arrays", 23.0), ("Objects", 23.0), ("Doubles", 19.0)];

const SHORT: u32 = 200_000;
const LONG: u32 = 12_200_000;
const ROUNDS: usize = 3;

fn compile(folder: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/java");
    let files: Vec<PathBuf> = LOOPS.iter().map(|(name, _)| sources.join(format!("{name}.java"))).collect();
    let status = Command::new("javac").arg("-d").arg(folder).args(files).status();
    assert!(status.is_ok_and(|status| status.success()), "javac (Debian: openjdk-17-jdk-headless) compiles");
}

/// The processor time of this process, or of the processes that it waited for.
fn processor_time(children: bool) -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux tells of processes");
    // After the name, which ends with the last parenthesis, come the fields from the third on; times are the 14th to 17th.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let first = if children { 13 } else { 11 };
    let ticks: u64 = fields[first..first + 2].iter().map(|field| field.parse::<u64>().unwrap_or(0)).sum();
    Duration::from_millis(10 * ticks)
}

fn on_java(folder: &Path, name: &str, count: u32) -> (Duration, String) {
    let start = processor_time(true);
    let output = Command::new("java")
        .args(["-Xint", "-cp"])
        .arg(folder)
        .arg(name)
        .arg(count.to_string())
        .output()
        .expect("java (Debian: openjdk-17-jdk-headless) runs");
    (processor_time(true) - start, String::from_utf8_lossy(&output.stdout).into_owned())
}

fn on_machine(program: &Program, count: u32) -> (Duration, String) {
    let input = Input::from([("arg1".to_string(), count.to_string().into_bytes())]);
    let start = processor_time(false);
    let (_, world) = program.run_plain(&input, u64::MAX);
    (processor_time(false) - start, String::from_utf8_lossy(&world.stdout).into_owned())
}

/// The least time of some repetitions of the loop.
fn least(mut run: impl FnMut(u32) -> (Duration, String), best: &mut Duration) -> String {
    let (short, _) = run(SHORT);
    let (long, printed) = run(LONG);
    *best = (*best).min(long.saturating_sub(short));
    printed
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    compile(folder.path());
    println!("{:<10} {:>16} {:>16} {:>8}", "loop", "ours", "java -Xint", "ratio");
    for (name, bytecodes) in LOOPS {
        let setup = Setup { args: vec![16], ..Setup::default() };
        let program =
            Program::load(vec![ClassSource::Folder(folder.path().to_path_buf())], setup, name, None)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let printed = least(|count| on_machine(&program, count), &mut ours);
            let expected = least(|count| on_java(folder.path(), name, count), &mut theirs);
            assert_eq!(printed, expected, "{name}");
        }
        let rate = |time: Duration| f64::from(LONG - SHORT) * bytecodes / time.as_secs_f64() / 1e6;
        println!(
            "{name:<10} {:>12.0} M/s {:>12.0} M/s {:>8.2}",
            rate(ours),
            rate(theirs),
            rate(ours) / rate(theirs)
        );
    }
}
