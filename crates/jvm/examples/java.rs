//! `cargo run -p jvm --example java -- FOLDER CLASS`: runs a class on plain values, for a look at the machine.

use jvm::archive::ClassSource;
use jvm::program::Program;
use std::io::Write;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sources = vec![ClassSource::Folder(args[1].clone().into())];
    let program = match Program::load(sources, explore::world::Setup::default(), &args[2], None) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let (stop, world) = program.run_plain(&Default::default(), u64::MAX);
    std::io::stdout().write_all(&world.stdout).unwrap_or(());
    std::io::stderr().write_all(&world.stderr).unwrap_or(());
    eprintln!("{stop:?}");
}
