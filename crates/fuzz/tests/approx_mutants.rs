//! Mutants of seeds of known status keep the status, by Z3 and cvc5, and are accepted by both: the seeds beside this file,
//! and a sample of the shared corpus where it is at hand. `APPROX_SAMPLE` asks for more mutants of more of its seeds.

use fuzz::approx::{Approx, ApproxSettings, Seed, Skeletons, apply};
use fuzz::case::{Expectation, Origin, Strategy, TestCase, Verdict};
use smt::print::{Style, script_to_string};
use smt::{Command, Op, SortId, Terms, read_script, walk};
use std::path::{Path, PathBuf};
use testkit::{Rng, Solver, SolverKind};

fn own_seeds() -> Vec<Seed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds");
    Seed::find(&[folder]).expect("the seeds can be read")
}

/// Files of the corpus whose folder is their status.
fn corpus_seeds() -> Vec<(PathBuf, Verdict)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/seeds");
    let corpus = if corpus.is_dir() {
        corpus
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/seeds")
    };
    if !corpus.is_dir() {
        println!("skipped: no corpus at {}", corpus.display());
        return Vec::new();
    }
    let found = Seed::find(&[corpus]).expect("the corpus can be read");
    let paths =
        found.into_iter().filter_map(|seed| if let Seed::File(path) = seed { Some(path) } else { None });
    paths
        .filter_map(|path| {
            let folder = path.parent()?.file_name()?.to_str()?;
            let status = Verdict::from_word(folder)?;
            Some((path, status))
        })
        .collect()
}

/// The first cases of a seed's batch as text, with what is expected of each.
fn cases(
    seed: Seed,
    status: Option<Verdict>,
    options: ApproxSettings,
    rng_seed: u64,
) -> Vec<(String, Vec<Verdict>)> {
    let options = ApproxSettings { trust_status: status.is_none(), ..options };
    let approx = Approx::new(vec![seed], options);
    let mut batch = approx.batch(0, Rng::new(rng_seed)).expect("the seed is supported");
    let mut cases = Vec::new();
    while let Some(case) = batch.next() {
        let mut text = String::new();
        batch.write(&case, Style::default(), &mut text);
        assert_eq!(text, script_to_string(batch.terms(), &case.script, Style::default()));
        if let Some(status) = status {
            batch.settle(&vec![status; case.expected.len()]);
        }
        let known = case.expected.iter().map(|e| e.verdict().or(status).expect("a known status"));
        cases.push((text, known.collect()));
    }
    assert!(cases.len() > 1, "no mutants");
    cases
}

/// What is wrong with the answers to a seed's cases, and how many queries were answered as expected.
fn faults(
    solver: &Solver,
    name: &str,
    cases: &[(String, Vec<Verdict>)],
    query_ms: u64,
) -> (Vec<String>, usize) {
    let mut text = String::new();
    for (script, _) in cases {
        text.push_str("(echo \"@@\")\n");
        text.push_str(script);
        text.push_str("(reset)\n");
    }
    let output = solver.run(&text, query_ms, 10);
    let (mut faults, mut agreed) = (Vec::new(), 0);
    for ((script, expected), part) in cases.iter().zip(output.split("@@").skip(1)) {
        if part.contains("(error") {
            faults.push(format!("{:?} rejects a mutant of {name}: {part}\n{script}", solver.kind));
        }
        let answers = part.lines().filter_map(|line| Verdict::from_word(line.trim()));
        for (answer, expected) in answers.zip(expected) {
            if answer == *expected {
                agreed += 1;
            } else if answer != Verdict::Unknown {
                let word = answer.word();
                faults.push(format!("{:?} says {word} to a mutant of {name}\n{script}", solver.kind));
            }
        }
    }
    (faults, agreed)
}

fn solvers() -> Vec<Solver> {
    [SolverKind::Z3, SolverKind::Cvc5].into_iter().filter_map(Solver::find).collect()
}

#[test]
fn mutants_of_own_seeds_keep_their_status() {
    let solvers = solvers();
    let (mut total, mut answered) = (0, 0);
    for seed in own_seeds() {
        for (number, skeletons) in [Skeletons::Polarity, Skeletons::Cnf].into_iter().enumerate() {
            let options =
                ApproxSettings { skeletons, mutants: 6, rounds: 1 + number, ..ApproxSettings::default() };
            let cases = cases(seed.clone(), None, options, 7);
            for solver in &solvers {
                let (faults, agreed) = faults(solver, &seed.name(), &cases, 200);
                assert!(faults.is_empty(), "{}", faults.join("\n"));
                total += cases.len();
                answered += agreed;
            }
        }
    }
    assert!(2 * answered >= total, "only {answered} of {total} mutants are decided");
}

#[test]
fn mutants_of_the_corpus_keep_their_status() {
    let wanted = std::env::var("APPROX_SAMPLE").ok().and_then(|n| n.parse::<usize>().ok());
    let seeds = corpus_seeds();
    let (stride, mutants, query_ms) =
        wanted.map_or((61, 6, 50), |n| (1.max(seeds.len() / n.max(1)), 10, 500));
    let solvers = solvers();
    let (mut wrong, mut total, mut agreed) = (Vec::new(), 0, 0);
    for (path, status) in seeds.into_iter().step_by(stride) {
        let options = ApproxSettings { mutants, ..ApproxSettings::default() };
        let name = path.display().to_string();
        let cases = cases(Seed::File(path), Some(status), options, 11);
        for solver in &solvers {
            // A seed that the solver does not accept or decide says nothing of its mutants.
            if !faults(solver, &name, &cases[..1], query_ms).0.is_empty() {
                continue;
            }
            total += cases.len();
            let (faults, count) = faults(solver, &name, &cases, query_ms);
            agreed += count;
            wrong.extend(faults);
        }
    }
    println!("{agreed} of {total} answers agree; the others are unknown");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All cases of a seed with the default options, their batch beside them.
fn every_case(seed: Seed, options: ApproxSettings) -> (Terms, Vec<TestCase>) {
    let approx = Approx::new(vec![seed], options);
    let mut batch = approx.batch(0, Rng::new(5)).expect("the seed is supported");
    let mut cases = Vec::new();
    while let Some(case) = batch.next() {
        cases.push(case);
    }
    (batch.terms().clone(), cases)
}

#[test]
fn mutations_rebuild_their_mutant_and_can_be_left_out() {
    let options = ApproxSettings { trust_status: true, mutants: 20, rounds: 2, ..ApproxSettings::default() };
    let solver = Solver::find(SolverKind::Z3);
    for seed in own_seeds() {
        let name = seed.name();
        let (mut terms, cases) = every_case(seed, options);
        let mut partial = Vec::new();
        for case in &cases {
            let Origin::Mutant { seed, mutations, .. } = &case.origin else { continue };
            assert!(!mutations.is_empty() && mutations.len() <= options.rounds * options.literals);
            assert_eq!(apply(&mut terms, seed, mutations).commands, case.script.commands);
            assert_eq!(apply(&mut terms, seed, &[]).commands, seed.commands);
            // Every second mutation, so that some lose what they rewrote.
            for start in [0, 1] {
                let some: Vec<_> = mutations.iter().skip(start).step_by(2).cloned().collect();
                let script = apply(&mut terms, seed, &some);
                let verdicts = case.expected.iter().filter_map(Expectation::verdict).collect();
                partial.push((script_to_string(&terms, &script, Style::default()), verdicts));
            }
        }
        if let Some(solver) = &solver {
            let (faults, _) = faults(solver, &name, &partial, 100);
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_mutants() {
    for seed in own_seeds() {
        let options = ApproxSettings { mutants: 20, ..ApproxSettings::default() };
        assert_eq!(cases(seed.clone(), None, options, 3), cases(seed, None, options, 3));
    }
}

#[test]
fn logics_are_kept() {
    let options = ApproxSettings { trust_status: true, mutants: 200, rounds: 2, ..ApproxSettings::default() };
    for seed in own_seeds() {
        let name = seed.name();
        let (terms, cases) = every_case(seed, options);
        for case in &cases {
            let all = walk::reachable(&terms, &case.script.terms());
            let logic = case.script.logic().map_or("ALL", |logic| terms.name(logic));
            for &term in &all {
                let args = terms.args(term);
                match terms.op(term) {
                    Op::Forall | Op::Exists => assert!(!logic.starts_with("QF_"), "{name}"),
                    Op::Mul if !logic.contains("NIA") => {
                        let factors = args.iter().filter(|&&a| terms.as_value(a).is_none()).count();
                        assert!(factors <= 1, "{name}");
                    }
                    Op::Add | Op::Mul | Op::IntDiv | Op::Mod | Op::Neg => {
                        assert!(!logic.ends_with("DL"), "{name}")
                    }
                    Op::Sub if logic.ends_with("DL") => {
                        assert!(args.iter().all(|&a| terms.op(a) == Op::Apply), "{name}");
                    }
                    Op::StrLen => assert!(logic.contains("LIA"), "{name}"),
                    _ => {}
                }
            }
            let queries = case
                .script
                .commands
                .iter()
                .filter(|c| matches!(c, Command::CheckSat | Command::CheckSatAssuming(_)));
            assert_eq!(queries.count(), case.expected.len());
        }
    }
}

#[test]
fn an_unknown_seed_ends_its_batch() {
    let seed = own_seeds().swap_remove(0);
    let approx = Approx::new(vec![seed], ApproxSettings::default());
    let mut batch = approx.batch(0, Rng::new(1)).expect("the seed is supported");
    let case = batch.next().expect("the seed itself");
    assert!(matches!(case.origin, Origin::Seed(_)));
    assert_eq!(case.expected, [Expectation::Open]);
    assert!(batch.next().is_none(), "mutants before the verdict");
    batch.settle(&[Verdict::Unknown]);
    assert!(batch.next().is_none());
}

#[test]
fn a_mutant_of_mixed_queries_leaves_common_assertions_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/incremental.smt2");
    let options =
        ApproxSettings { trust_status: true, skeletons: Skeletons::Polarity, ..ApproxSettings::default() };
    let (_, cases) = every_case(Seed::File(folder), options);
    let mut touched = std::collections::BTreeSet::new();
    for case in &cases {
        if let Origin::Mutant { mutations, .. } = &case.origin {
            touched.extend(mutations.iter().map(|m| m.command));
        }
    }
    // Of five assertions two are seen by unsatisfiable queries only, and the others by both kinds.
    assert_eq!(touched.len(), 2, "{touched:?}");
}

#[test]
fn what_is_not_supported_is_rejected_with_a_reason() {
    for (text, reason) in [
        ("(assert true)", "no check-sat"),
        ("(declare-const p Bool)(assert p)(apply simplify)(check-sat)", "apply"),
        ("(assert (= 1 1))(check-sat)", "trivial"),
        ("(assert x)(check-sat)", "x"),
        ("(check-sat)(reset)", "reset"),
    ] {
        let approx = Approx::new(vec![Seed::Text("seed".into(), text.into())], ApproxSettings::default());
        let rejected = approx.batch(0, Rng::new(1)).err().expect("not supported");
        assert!(rejected.0.starts_with("seed: ") && rejected.0.contains(reason), "{}", rejected.0);
    }
}

/// A soft assertion or an objective chooses among models: mutants keep it, and their verdicts are what they are without it.
#[test]
fn wishes_of_a_seed_stay() {
    let text = "(declare-const x Int)(assert (> x 3))(assert-soft (< x 2) :weight 3)(minimize x)(set-info :status sat)(check-sat)";
    let options = ApproxSettings { mutants: 12, ..ApproxSettings::default() };
    let cases = cases(Seed::Text("wishes".into(), text.into()), None, options, 3);
    for (script, expected) in &cases {
        assert!(
            script.contains("(assert-soft (< x 2) :weight 3)") && script.contains("(minimize x)"),
            "{script}"
        );
        assert_eq!(expected[..], [Verdict::Sat]);
    }
    if let Some(z3) = Solver::find(SolverKind::Z3) {
        let (faults, agreed) = faults(&z3, "wishes", &cases, 1000);
        assert!(faults.is_empty() && agreed > cases.len() / 2, "{agreed}: {faults:?}");
    }
}

#[test]
fn deep_and_shared_formulas_are_no_trouble() {
    let mut deep = String::from("(< x 1)");
    for i in 0..20_000 {
        deep = format!("({} (< x {i}) {deep})", if i % 2 == 0 { "and" } else { "or" });
    }
    // A tree of 2^40 leaves that is a DAG of 40 nodes.
    let mut shared = String::from("(assert ");
    for i in 0..40 {
        let of = if i == 0 { "(< x 7)".to_string() } else { format!("a{}", i - 1) };
        shared.push_str(&format!("(let ((a{i} (and {of} (or {of} (> x 1))))) "));
    }
    shared.push_str(&format!("a39{})", ")".repeat(40)));
    for assertion in [format!("(assert {deep})"), shared] {
        let text = format!("(declare-fun x () Int){assertion}(set-info :status sat)(check-sat)");
        let options = ApproxSettings { trust_status: true, mutants: 4, ..ApproxSettings::default() };
        let (mut terms, cases) = every_case(Seed::Text("seed".into(), text), options);
        assert_eq!(cases.len(), 6);
        for case in cases {
            let printed = script_to_string(&terms, &case.script, Style::default());
            let again = read_script(&mut terms, &printed);
            assert!(again.errors.is_empty());
            assert!(again.script.assertions().all(|t| terms.sort(t) == SortId::BOOL));
        }
    }
}
