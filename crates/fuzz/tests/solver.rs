//! Real solvers, and what hostile programs are taken for. That limits hold is tested in the crate `process`.

use fuzz::case::Verdict;
use fuzz::solver::answer::{self, Trouble};
use fuzz::solver::{End, Limits, Run, Session, Solver, SolverError, Store};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static NEVER: AtomicBool = AtomicBool::new(false);

fn store() -> Store {
    Store::at("/nonexistent")
}

/// Those of the usual solvers that are on the search path.
fn real() -> Vec<Solver> {
    let found: Vec<Solver> =
        ["z3", "cvc5", "cvc4"].iter().filter_map(|name| Solver::resolve(name, &store()).ok()).collect();
    if found.len() < 3 {
        testkit::missing("one of z3, cvc5 and cvc4");
    }
    found
}

fn verdicts(run: &Run) -> Vec<Verdict> {
    answer::read(run).replies.iter().map(|reply| reply.verdict).collect()
}

/// A program that ignores that it should be a solver.
fn hostile(body: &str) -> (tempfile::TempDir, Solver) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile");
    // It is asked for its version first, and behaves.
    let script = format!(
        "#!/bin/sh\nread -r line\ncase \"$line\" in *:version*) echo '(:version \"6.6.6\")'; exit 0;; esac\n{body}\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let solver = Solver::resolve(&path.display().to_string(), &store()).unwrap();
    assert_eq!(solver.version, "6.6.6");
    (folder, solver)
}

fn run(body: &str, limits: &Limits) -> Run {
    let (_folder, solver) = hostile(body);
    solver.run("(check-sat)\n", limits, &NEVER).unwrap()
}

#[test]
fn real_solvers_answer() {
    for solver in real() {
        assert!(!solver.version.is_empty(), "{}", solver.name);
        let script = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n(assert (< x 3))\n(check-sat)\n";
        let run = solver.run(script, &Limits::default(), &NEVER).unwrap();
        let answer = answer::read(&run);
        assert_eq!(answer.trouble, None, "{}: {run:?}", solver.name);
        assert_eq!(verdicts(&run), [Verdict::Sat, Verdict::Unsat], "{}", solver.name);
        assert!(answer.replies[0].model.as_deref().is_some_and(|model| model.contains("define-fun x")));
        assert!(run.cpu.as_micros() > 100 && run.memory > 1 << 20, "{run:?}");
        assert_eq!(run.end, End::Exited(0), "{}", solver.name);
    }
}

#[test]
fn real_complaints_are_classified() {
    type Is = fn(&Trouble) -> bool;
    let scripts: [(&str, Is); 3] = [
        ("(declare-const x Int)(assert (= x (foo x)))(check-sat)", |t| matches!(t, Trouble::Parse(_))),
        ("(set-logic QF_BV)(declare-const x Int)(assert (= x 1))(check-sat)", |t| {
            matches!(t, Trouble::Unsupported(_))
        }),
        ("(set-logic ALL)(assert (= 1 true))(check-sat)", |t| matches!(t, Trouble::Parse(_))),
    ];
    for solver in real() {
        for (script, is) in scripts {
            let answer = answer::read(&solver.run(script, &Limits::default(), &NEVER).unwrap());
            assert!(answer.trouble.as_ref().is_some_and(is), "{} {script}: {answer:?}", solver.name);
        }
        // Nothing is wrong with asking for what the verdict makes void.
        let run = solver
            .run("(set-logic QF_LIA)(assert false)(check-sat)(get-model)", &Limits::default(), &NEVER)
            .unwrap();
        assert_eq!(
            (answer::read(&run).trouble, verdicts(&run)),
            (None, vec![Verdict::Unsat]),
            "{}",
            solver.name
        );
    }
}

#[test]
fn sessions_answer_like_fresh_processes() {
    let scripts = [
        ("(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)(get-model)", vec![Verdict::Sat]),
        (
            "(set-logic QF_LIA)(declare-const x Bool)(push 1)(assert (and x (not x)))(check-sat)",
            vec![Verdict::Unsat],
        ),
        (
            "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (bvult x #x3))(check-sat)",
            vec![Verdict::Sat],
        ),
        (
            "(set-option :produce-unsat-cores true)(set-logic QF_LIA)(declare-const x Int)(assert (! (< x x) :named a))(check-sat)(get-unsat-core)",
            vec![Verdict::Unsat],
        ),
        (
            "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)(reset)(check-sat)",
            vec![Verdict::Sat; 2],
        ),
        ("(set-logic QF_LIA)(declare-const x Int)(assert (> x foo))(check-sat)", vec![]),
        ("(set-logic QF_LIA)(declare-const x Int)(assert (< x 3))(check-sat)", vec![Verdict::Sat]),
    ];
    for solver in real() {
        let mut session = Session::new(solver.clone(), Limits::default());
        for _ in 0..2 {
            for (script, expected) in &scripts {
                let run = session.ask(script, &NEVER).unwrap();
                let fresh = solver.run(script, &Limits::default(), &NEVER).unwrap();
                let (answer, fresh) = (answer::read(&run), answer::read(&fresh));
                assert_eq!(answer.replies.len(), fresh.replies.len(), "{} {script}: {run:?}", solver.name);
                assert_eq!(
                    answer.trouble.is_some(),
                    fresh.trouble.is_some(),
                    "{} {script}: {run:?}",
                    solver.name
                );
                if answer.trouble.is_none() {
                    assert_eq!(verdicts(&run), *expected, "{} {script}", solver.name);
                    assert_eq!(answer.replies[0].core, fresh.replies[0].core);
                    assert_eq!(answer.replies[0].model.is_some(), fresh.replies[0].model.is_some());
                }
            }
        }
    }
}

#[test]
fn a_session_limits_each_script_and_survives() {
    let hard = "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)\
                (assert (= (+ (* x x x) (* y y y) (* z z z)) 33))(assert (> x 9999))(check-sat)";
    let easy = "(set-logic QF_NIA)(declare-const x Int)(assert (= (* x x) 49))(check-sat)";
    for solver in real().into_iter().take(2) {
        let mut session = Session::new(solver, Limits::with_cpu(Duration::from_millis(400)));
        for script in [easy, hard, easy, easy] {
            let run = session.ask(script, &NEVER).unwrap();
            if script == hard {
                assert_eq!(run.end, End::CpuLimit, "{run:?}");
                assert!((350..900).contains(&run.cpu.as_millis()), "{run:?}");
            } else {
                assert_eq!(verdicts(&run), [Verdict::Sat], "{run:?}");
            }
        }
    }
}

#[test]
fn memory_is_limited() {
    let limits = Limits { memory: 200 << 20, ..Limits::default() };
    let run = run("exec python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'", &limits);
    assert_eq!(run.end, End::MemoryLimit, "{run:?}");
    assert!(run.memory > 150 << 20, "{run:?}");
    assert_eq!(answer::read(&run).trouble, Some(Trouble::OutOfMemory));
}

#[test]
fn output_is_limited() {
    let limits = Limits { output: 100_000, ..Limits::default() };
    for body in ["yes sat", "yes sat >&2", "yes sat >&2 & yes sat"] {
        let run = run(body, &limits);
        assert_eq!(run.end, End::OutputLimit, "{body}");
        assert_eq!(run.stdout.len() + run.stderr.len(), 100_000, "{body}");
        assert_eq!(answer::read(&run).trouble, Some(Trouble::Flood));
    }
}

#[test]
fn deaths_are_told_with_what_was_said_before() {
    let run = run("echo sat; kill -SEGV $$", &Limits::default());
    assert_eq!((run.end, run.stdout.as_str()), (End::Signalled(11), "sat\n"));
    assert_eq!(answer::read(&run).trouble, Some(Trouble::Signal(11)));
    let run = self::run("kill -ABRT $$", &Limits::default());
    assert_eq!(answer::read(&run).trouble, Some(Trouble::Signal(6)));
    let run = self::run("sh -c 'kill -SEGV $$'; exit $?", &Limits::default());
    assert_eq!((run.end, answer::read(&run).trouble), (End::Exited(139), Some(Trouble::Signal(11))));
    let run = self::run("exit 7", &Limits::default());
    assert_eq!(
        (run.end, answer::read(&run).trouble),
        (End::Exited(7), Some(Trouble::Error("exit code 7".into())))
    );
}

#[test]
fn one_that_does_not_read_its_input_is_no_obstacle() {
    let (_folder, solver) = hostile("exec <&-\necho unsat");
    let long = format!("(check-sat)\n{}", "(assert true)\n".repeat(100_000));
    let run = solver.run(&long, &Limits::default(), &NEVER).unwrap();
    assert_eq!((run.end, run.stdout.as_str()), (End::Exited(0), "unsat\n"));
}

#[test]
fn input_and_output_larger_than_a_pipe_do_not_block() {
    let (_folder, solver) = hostile("exec cat");
    let long = format!("(check-sat)\n{}", "(assert true)\n".repeat(100_000));
    let run = solver.run(&long, &Limits::default(), &NEVER).unwrap();
    assert_eq!(run.end, End::Exited(0));
    assert_eq!(run.stdout.len(), long.len() - "(check-sat)\n".len());
}

#[test]
fn the_flag_stops_a_run() {
    let (_folder, solver) = hostile("sleep 1000");
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let start = Instant::now();
    let runner = std::thread::spawn(move || solver.run("(check-sat)\n", &Limits::default(), &flag).unwrap());
    stop.store(true, Ordering::Relaxed);
    let run = runner.join().unwrap();
    assert_eq!(run.end, End::Stopped);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(answer::read(&run).trouble, Some(Trouble::Stopped));
}

#[test]
fn a_file_is_given_where_it_is_wanted() {
    for spec in ["cat {file}", "sh -c 'cat \"$1\"' x {file}"] {
        let solver = Solver::resolve(spec, &store()).unwrap();
        let run = solver.run("(check-sat)", &Limits::default(), &NEVER).unwrap();
        assert_eq!(run.stdout, "(check-sat)", "{spec}");
    }
    if let Ok(solver) = Solver::resolve("z3 {file}", &store()) {
        let run = solver.run("(check-sat)", &Limits::default(), &NEVER).unwrap();
        assert_eq!(verdicts(&run), [Verdict::Sat]);
    }
}

#[test]
fn specs_that_name_nothing_say_so() {
    let message = |spec: &str| Solver::resolve(spec, &store()).unwrap_err().to_string();
    assert!(matches!(Solver::resolve("no-such-solver", &store()), Err(SolverError::Missing { .. })));
    assert_eq!(message(""), "`` names no solver: it is empty");
    assert_eq!(message("z3 'x"), "`z3 'x` names no solver: a quote is not closed");
    assert!(message("z3@1.2.3").contains("soundline solver add z3@1.2.3"));
    assert!(message("foo@1").contains("no solver of this name has releases"));
}

/// Two releases from the index, one with a program and one with a driver, if the index can be reached.
#[test]
fn releases_come_from_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let release = match store.add("bitwuzla", &NEVER, &mut |_| {}) {
        Ok(release) => release,
        Err(error) => {
            testkit::missing(&error.to_string());
            return;
        }
    };
    let solver = Solver::resolve("bitwuzla@0", &store).unwrap();
    assert_eq!(solver.version, release.version);
    let script =
        "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (= (bvmul x x) #x9))(check-sat)(get-model)";
    let mut session = Session::new(solver.clone(), Limits::default());
    for run in [
        solver.run(script, &Limits::default(), &NEVER),
        session.ask(script, &NEVER),
        session.ask(script, &NEVER),
    ] {
        let answer = answer::read(&run.unwrap());
        assert_eq!(answer.trouble, None);
        assert!(answer.replies[0].verdict == Verdict::Sat && answer.replies[0].model.is_some());
    }
    // What is there is not fetched again; what is not in the index is told with its neighbours.
    assert_eq!(store.add(&release.spec(), &NEVER, &mut |step| panic!("{step}")).unwrap(), release);
    let error = store.add("bitwuzla@77.1", &NEVER, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("no release 77.1") && error.contains(&release.version), "{error}");
    assert_eq!(store.remove(&release.spec()).unwrap(), release);
    assert_eq!(store.list(), []);
    assert_eq!(std::fs::read_dir(store.folder()).unwrap().count(), 0, "nothing half-done is left");
}
