//! Hostile programs under limits: they hang, flood, fork, die, and leave nothing behind.

use process::{End, Limits, Run};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

fn run(body: &str, limits: &Limits) -> Run {
    process::run(&["sh", "-c", body], b"", limits, &NEVER).expect("a shell")
}

fn short() -> Limits {
    Limits::with_cpu(Duration::from_millis(300))
}

/// Whether a process runs; one that has ended and was not waited for does not.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    stat.is_ok_and(|text| text.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('Z')))
}

#[test]
fn each_limit_ends_a_run() {
    let limits = Limits::default();
    let rows = [
        ("while :; do :; done", short(), End::CpuLimit),
        ("sh -c 'while :; do :; done'", short(), End::CpuLimit),
        (
            "trap '' TERM INT HUP XCPU; sleep 1000 & wait; sleep 1000",
            Limits { wall: Duration::from_millis(200), ..limits },
            End::WallLimit,
        ),
        (
            "exec python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'",
            Limits { memory: 200 << 20, ..limits },
            End::MemoryLimit,
        ),
        ("yes", Limits { output: 100_000, ..limits }, End::OutputLimit),
        ("yes >&2", Limits { output: 100_000, ..limits }, End::OutputLimit),
        ("yes >&2 & yes", Limits { output: 100_000, ..limits }, End::OutputLimit),
        ("kill -SEGV $$", limits, End::Signalled(11)),
        ("exit 7", limits, End::Exited(7)),
    ];
    for (body, limits, end) in rows {
        let run = run(body, &limits);
        assert_eq!(run.end, end, "{body}: {run:?}");
        match end {
            // Other work may keep the watcher from its turn. The system's own limit lies three seconds higher.
            End::CpuLimit => assert!((290..3300).contains(&run.cpu.as_millis()), "{body}: {run:?}"),
            End::WallLimit => assert!(run.cpu < Duration::from_millis(150), "waiting is free: {run:?}"),
            End::MemoryLimit => assert!(run.memory > 150 << 20, "{run:?}"),
            End::OutputLimit => assert_eq!(run.stdout.len() + run.stderr.len(), 100_000, "{body}"),
            End::Exited(_) | End::Signalled(_) | End::Stopped => {}
        }
    }
}

#[test]
fn the_folder_and_the_environment_are_as_asked() {
    let command = process::Command::new("sh")
        .arguments(["-c", "pwd; echo $GREETING $SOUNDLINE_RUN"])
        .folder(Path::new("/"))
        .variable("GREETING", "hello");
    let run = command.run(b"", &Limits::default(), &NEVER).expect("a shell");
    let own = format!("/\nhello {}", std::process::id());
    assert!(run.stdout.contains(&own) || run.stdout.contains(&format!("/{}", std::process::id())), "{run:?}");
}

#[test]
fn what_cannot_be_started_is_an_error_that_names_it() {
    let none: [&str; 0] = [];
    assert!(process::run(&none, b"", &Limits::default(), &NEVER).is_err());
    let error = process::run(&["/no/such/program"], b"", &Limits::default(), &NEVER).unwrap_err();
    assert!(error.to_string().starts_with("cannot run `/no/such/program`: "), "{error}");
}

/// Children in the group, children that left it, daemons whose parents are gone, one that threw its environment away: none survives.
#[test]
fn nothing_is_left_behind() {
    let bodies = [
        "sleep 1000 & echo $!",
        "setsid sleep 1000 & echo $!",
        "setsid sh -c 'sleep 1000 & echo $!; exec >&- 2>&-; exit 0'",
        "(setsid sh -c 'trap \"\" TERM HUP; echo $$; while :; do sleep 1000; done' &) ; sleep 0.2",
        "env -i setsid sleep 1000 & echo $!",
    ];
    for body in bodies {
        let run = run(body, &Limits::default());
        assert_eq!(run.end, End::Exited(0), "{body}: {run:?}");
        let pid = run.stdout.lines().next().unwrap_or("").to_string();
        assert!(pid.parse::<u32>().is_ok(), "{body}: {run:?}");
        assert!(!runs(&pid), "{body}: {pid} still runs");
    }
    // The same if it is ended by a limit.
    let run = run("setsid sleep 1000 & echo $!; while :; do :; done", &short());
    assert_eq!(run.end, End::CpuLimit);
    assert!(!runs(&run.stdout), "{run:?}");
}

/// Threads of one program are no orphans of another that ends at the same time.
#[test]
fn programs_with_threads_run_side_by_side() {
    // They are still there when the program exits.
    let body = "exec python3 -c 'import os, threading as t, time\nfor _ in range(30): t.Thread(target=time.sleep, args=(9,)).start()\nos._exit(0)'";
    std::thread::scope(|scope| {
        let several = || (0..25).for_each(|_| assert_eq!(run(body, &Limits::default()).end, End::Exited(0)));
        (0..3).for_each(|_| drop(scope.spawn(several)));
    });
}

#[test]
fn the_flag_stops_a_run() {
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let end = std::thread::scope(|scope| {
        let run = scope.spawn(|| process::run(&["sleep", "1000"], b"", &Limits::default(), &stop));
        stop.store(true, Ordering::Relaxed);
        run.join().expect("no panic").expect("a program").end
    });
    assert_eq!(end, End::Stopped);
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// What the test below starts: it runs a program with a daemon and waits.
#[test]
fn child_of_the_test_below() {
    let Ok(file) = std::env::var("PIDS_OF_THE_TEST") else { return };
    run(
        &format!("setsid sleep 1000 & echo $$ $! > {file}.new; mv {file}.new {file}; wait"),
        &Limits::default(),
    );
}

/// If we are ended ourselves, by a signal that we do not handle or cannot, everything that we started ends too.
#[test]
fn nothing_survives_our_own_death() {
    for signal in ["TERM", "HUP", "KILL"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pids");
        let mut ours = std::process::Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "child_of_the_test_below"])
            .env("PIDS_OF_THE_TEST", &file)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("this program");
        let pids = until(|| std::fs::read_to_string(&file).ok()).expect("the daemon has started");
        assert!(pids.split_whitespace().all(runs), "{signal}: {pids}");
        let kill = ["-c", &format!("kill -{signal} {}", ours.id())];
        assert!(std::process::Command::new("sh").args(kill).status().expect("a shell").success());
        ours.wait().expect("it ends");
        let gone = until(|| (!pids.split_whitespace().any(runs)).then_some(()));
        assert!(gone.is_some(), "{signal}: {pids} survived");
    }
}

/// What comes within ten seconds.
fn until<T>(mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        if let Some(found) = ready() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}
