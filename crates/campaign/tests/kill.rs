//! `kill -9` at any moment: a campaign with made-up batches is killed a hundred times and then let run to its end. Every batch
//! must be counted once, whatever happened.

mod pretend;

use campaign::local;
use campaign::store::Store;
use pretend::Pretend;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const KILLS: u64 = 100;
/// The folder of the campaign, for the process that is killed.
const FOLDER: &str = "SOUNDLINE_KILL_TEST";

fn work() -> Pretend {
    Pretend {
        batches: 3000,
        pause: (Duration::from_micros(300), Duration::ZERO),
        every: 50,
        fingerprints: 7,
        ..Pretend::default()
    }
}

fn run(folder: &Path) {
    let (campaign, source) = pretend::campaign(folder);
    local::run(&campaign, source, &work(), &AtomicBool::new(false), &mut |_| {}).expect("it runs");
}

/// What the test below starts and kills; does nothing when it is run as a test.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        run(Path::new(&folder));
    }
}

#[test]
fn a_hundred_kills_lose_nothing_and_count_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("this test");
    let (mut died, mut progress) = (0, Vec::new());
    for kill in 0..KILLS {
        let mut child = Command::new(&program)
            .args(["--exact", "child", "--test-threads", "1"])
            .env(FOLDER, folder.path())
            .env("PATH", "/nonexistent")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        // Other moments each time, from the opening of the store to the middle of the work.
        std::thread::sleep(Duration::from_millis(3 + kill * 37 % 61));
        child.kill().expect("killed");
        died += u64::from(!child.wait().expect("ended").success());
        if let Ok(store) = Store::open(&folder.path().join("store")) {
            // Readable at any moment, and never less than before.
            progress.push(store.items().expect("readable")[2]);
        }
    }
    assert!(died > KILLS / 2, "only {died} of {KILLS} processes were killed while they worked");
    assert!(progress.is_sorted(), "{progress:?}");
    run(&folder.path().join("."));
    work().check(&Store::open(&folder.path().join("store")).expect("whole"));
}
