//! Seeds: where they come from, and what is left of them before they are mutated. Comments, informations, options, requests
//! for models and names go; declarations, assertions and queries stay.

use crate::case::{Rejected, Verdict};
use crate::tuning::approx_seed::HEAD;
use random::Rng;
use smt::{
    Attribute, AttributeValue, Command, FunId, Op, Script, SortId, Symbol, TermId, TermMap, Terms,
    read_bytes, walk,
};
use std::collections::{BTreeMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A seed that is read when its turn comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seed {
    /// A script on the disk.
    File(PathBuf),
    /// A script by its name and text.
    Text(String, String),
}

impl Seed {
    /// The seeds in files and folders: of folders, the files below them that end in `.smt2`, in the order of their names. A folder
    /// without any is a mistake: a run without seeds would test nothing and say that it found nothing.
    pub fn find(paths: &[PathBuf]) -> Result<Vec<Seed>, Rejected> {
        let mut seeds = Vec::new();
        for path in paths {
            let before = seeds.len();
            find_below(path, true, &mut seeds)
                .map_err(|error| Rejected(format!("{}: {error}", path.display())))?;
            if seeds.len() == before {
                return Err(Rejected(format!("no .smt2 file below {}", path.display())));
            }
        }
        Ok(seeds)
    }

    /// The seeds in an order in which every stretch has a share of each logic and status: shuffled by the run's seed within
    /// each of these, and dealt out in turns.
    pub fn interleaved(seeds: Vec<Seed>, seed: u64) -> Vec<Seed> {
        let mut groups: BTreeMap<String, Vec<Seed>> = BTreeMap::new();
        for one in seeds {
            groups.entry(one.kind()).or_default().push(one);
        }
        let mut queues: Vec<_> = groups
            .into_iter()
            .map(|(kind, mut group)| {
                Rng::named(seed, &kind).shuffle(&mut group);
                group.into_iter()
            })
            .collect();
        let mut dealt = Vec::new();
        while !queues.is_empty() {
            queues.retain_mut(|queue| match queue.next() {
                Some(one) => {
                    dealt.push(one);
                    true
                }
                None => false,
            });
        }
        dealt
    }

    /// Its logic and what it says of itself, as far as its beginning tells.
    pub(crate) fn kind(&self) -> String {
        let head = match self {
            Seed::File(path) => head_of(path),
            Seed::Text(_, text) => text.chars().take(HEAD).collect(),
        };
        let after = |key: &str| {
            let rest = head.split_once(key).map_or("", |(_, rest)| rest);
            rest.split([')', '(']).next().unwrap_or("").trim().to_string()
        };
        format!("{} {}", after("(set-logic"), after(":status"))
    }

    /// Its name: the path of a file.
    pub fn name(&self) -> String {
        match self {
            Seed::File(path) => path.display().to_string(),
            Seed::Text(name, _) => name.clone(),
        }
    }

    /// Reads and cleans it.
    pub(crate) fn load(&self, terms: &mut Terms) -> Result<Prepared, Rejected> {
        let reject = |reason: String| Rejected(format!("{}: {reason}", self.name()));
        let bytes = match self {
            Seed::File(path) => std::fs::read(path).map_err(|error| reject(error.to_string()))?,
            Seed::Text(_, text) => text.clone().into_bytes(),
        };
        // Some editors put a byte order mark at the head of a text in UTF-8.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        let reading = read_bytes(terms, bytes);
        if let Some(error) = reading.errors.first() {
            return Err(reject(error.to_string()));
        }
        prepare(terms, &reading.script).map_err(reject)
    }
}

/// The beginning of a file; empty where it cannot be read, which its turn will tell.
fn head_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut bytes));
    if read.is_err() {
        return String::new();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn find_below(path: &Path, named: bool, seeds: &mut Vec<Seed>) -> std::io::Result<()> {
    if path.is_dir() {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            entries.push(entry?.path());
        }
        entries.sort();
        // Links to folders could lead round in circles.
        for entry in entries.iter().filter(|entry| !(entry.is_dir() && entry.is_symlink())) {
            find_below(entry, false, seeds)?;
        }
    } else if named {
        std::fs::metadata(path)?;
        seeds.push(Seed::File(path.into()));
    } else if path.extension().is_some_and(|extension| extension == "smt2") && path.is_file() {
        seeds.push(Seed::File(path.into()));
    }
    Ok(())
}

/// A cleaned seed.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// The seed after everything that cannot be mutated soundly was removed.
    pub(crate) script: Script,
    /// What `:status` says of each query.
    pub(crate) status: Vec<Option<Verdict>>,
}

/// The script without what mutants do not need; an error for what they cannot have.
pub(super) fn prepare(terms: &mut Terms, script: &Script) -> Result<Prepared, String> {
    let mut out = Script::default();
    let (mut status, mut said) = (Vec::new(), None);
    let defined = defined_functions(script);
    for command in &script.commands {
        match command {
            Command::SetInfo(keyword, value) => match terms.name(*keyword) {
                ":status" => said = Verdict::from_word(terms.name(*value)).filter(|v| *v != Verdict::Unknown),
                ":smt-lib-version" => out.push(command.clone()),
                _ => {}
            },
            Command::SetOption(keyword, _) if terms.name(*keyword) == ":global-declarations" => {
                out.push(command.clone())
            }
            Command::SetOption(..) => {}
            Command::DefineFun(fun) | Command::DefineConst(fun) => {
                check_definition(terms, *fun, &defined)?;
                out.push(command.clone());
            }
            Command::DefineFunsRec(funs) => {
                for &fun in funs {
                    check_definition(terms, fun, &defined)?;
                }
                out.push(command.clone());
            }
            Command::SetLogic(_)
            | Command::DeclareSort(..)
            | Command::DefineSort(..)
            | Command::DeclareFun(_)
            | Command::DeclareConst(_)
            | Command::DeclareDatatypes(_)
            | Command::Push(_)
            | Command::Pop(_)
            | Command::ResetAssertions => out.push(command.clone()),
            Command::Assert(formula) => {
                let formula = lay_bare(terms, *formula, &defined);
                out.push(Command::Assert(formula));
            }
            Command::CheckSat => {
                status.push(said.take());
                out.push(Command::CheckSat);
            }
            Command::CheckSatAssuming(assumptions) => {
                let mut literals = Vec::with_capacity(assumptions.len());
                for &assumption in assumptions {
                    literals.push(if is_assumption(terms, assumption, &defined) {
                        assumption
                    } else {
                        name_assumption(terms, assumption, &defined, &mut out)
                    });
                }
                status.push(said.take());
                out.push(Command::CheckSatAssuming(literals.into()));
            }
            Command::GetValue(_)
            | Command::GetModel
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetAssertions
            | Command::GetAssignment
            | Command::GetProof
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_) => {}
            Command::Exit => break,
            Command::Reset => return Err("`reset` is not supported".into()),
            Command::Other(text) => {
                let text = terms.name(*text);
                let head = text.split([' ', '(', ')']).find(|word| !word.is_empty()).unwrap_or(text);
                // What is wished for chooses among models, and changes no verdict.
                if OBJECTIVES.contains(&head) {
                    out.push(command.clone());
                    continue;
                }
                if head == "get-objectives" {
                    continue;
                }
                return Err(format!("command `{head}` is not supported"));
            }
        }
    }
    if status.is_empty() {
        return Err("no check-sat".into());
    }
    if is_trivial(terms, &out) {
        return Err("trivial: its assertions speak of no symbol".into());
    }
    Ok(Prepared { script: out, status })
}

/// Whether the assertions are of literals alone: every solver evaluates them while it reads.
fn is_trivial(terms: &Terms, script: &Script) -> bool {
    let roots: Vec<TermId> = script.terms();
    !walk::reachable(terms, &roots)
        .iter()
        .any(|&t| matches!(terms.op(t), Op::Apply | Op::Forall | Op::Exists))
}

/// Commands of optimising solvers.
const OBJECTIVES: [&str; 3] = ["assert-soft", "minimize", "maximize"];

/// The functions that commands define; other defined constants are names of terms.
fn defined_functions(script: &Script) -> HashSet<FunId> {
    let mut defined = HashSet::new();
    for command in &script.commands {
        match command {
            Command::DefineFun(fun) | Command::DefineConst(fun) => {
                defined.insert(*fun);
            }
            Command::DefineFunsRec(funs) => defined.extend(funs.iter().copied()),
            _ => {}
        }
    }
    defined
}

fn is_name(terms: &Terms, term: TermId, defined: &HashSet<FunId>) -> bool {
    terms.op(term) == Op::Apply
        && terms
            .as_fun(term)
            .is_some_and(|fun| terms.fun(fun).definition.is_some() && !defined.contains(&fun))
}

/// A definition must not use the name of a term, which is about to go.
fn check_definition(terms: &Terms, fun: FunId, defined: &HashSet<FunId>) -> Result<(), String> {
    let Some(definition) = &terms.fun(fun).definition else { return Ok(()) };
    if walk::reachable(terms, &[definition.body]).iter().any(|&t| is_name(terms, t, defined)) {
        return Err(format!("the definition of `{}` uses a named term", terms.fun_name(fun)));
    }
    Ok(())
}

fn is_assumption(terms: &Terms, term: TermId, defined: &HashSet<FunId>) -> bool {
    let atom = if terms.op(term) == Op::Not { terms.args(term)[0] } else { term };
    terms.op(atom) == Op::Apply && terms.args(atom).is_empty() && !is_name(terms, atom, defined)
}

/// A Boolean constant that an assertion makes equal to an assumption: solvers differ in whether an assumption may be a formula,
/// and the query's truth is the same, since the constant is fresh.
fn name_assumption(
    terms: &mut Terms,
    assumption: TermId,
    defined: &HashSet<FunId>,
    out: &mut Script,
) -> TermId {
    let formula = lay_bare(terms, assumption, defined);
    let name = terms.fresh_symbol("assumed");
    let fun = terms.declare(name, &[], SortId::BOOL);
    let constant = terms.apply(fun, &[]).expect("a constant takes no arguments");
    let equation = terms.mk(Op::Eq, &[constant, formula]);
    out.push(Command::DeclareConst(fun));
    out.push(Command::Assert(equation));
    constant
}

/// A formula without double negations, names and hints other than patterns.
fn lay_bare(terms: &mut Terms, formula: TermId, defined: &HashSet<FunId>) -> TermId {
    let mut formula = formula;
    // A name may stand for a term that uses names.
    while walk::reachable(terms, &[formula]).iter().any(|&t| is_name(terms, t, defined)) {
        let mut map = TermMap::default();
        for term in walk::reachable(terms, &[formula]) {
            if is_name(terms, term, defined)
                && let Some(definition) = terms.as_fun(term).and_then(|f| terms.fun(f).definition.as_ref())
            {
                map.insert(term, definition.body);
            }
        }
        formula = terms.substitute(&[formula], &map)[0];
    }
    let mut done = TermMap::default();
    let mut args = Vec::new();
    for term in walk::reachable(terms, &[formula]) {
        args.clear();
        args.extend(terms.args(term).iter().map(|a| *done.get(a).unwrap_or(a)));
        let new = match terms.op(term) {
            Op::Not if terms.op(args[0]) == Op::Not => terms.args(args[0])[0],
            Op::Annot => keep_patterns(terms, term, &args),
            _ if terms.args(term) == &args[..] => term,
            _ => terms.rebuild(term, &args),
        };
        if new != term {
            done.insert(term, new);
        }
    }
    *done.get(&formula).unwrap_or(&formula)
}

/// An annotation's patterns around its term.
fn keep_patterns(terms: &mut Terms, annotation: TermId, args: &[TermId]) -> TermId {
    let attributes = terms.attributes(annotation).unwrap_or(&[]).to_vec();
    let (mut kept, mut operands): (Vec<Attribute>, Vec<TermId>) = Default::default();
    let mut rest = &args[1..];
    let is_pattern = |keyword: Symbol| matches!(terms.name(keyword), ":pattern" | ":no-pattern");
    for attribute in attributes {
        let AttributeValue::Terms(count) = attribute.value else { continue };
        let (here, later) = rest.split_at(count as usize);
        rest = later;
        if is_pattern(attribute.keyword) {
            operands.extend_from_slice(here);
            kept.push(attribute);
        }
    }
    if kept.is_empty() {
        return args[0];
    }
    terms.annotate(args[0], &kept, &operands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stretch_has_a_share_of_each_kind() {
        let seed = |n: usize, logic: &str, status: &str| {
            Seed::Text(
                format!("{logic} {status} {n}"),
                format!("(set-logic {logic})(set-info :status {status})"),
            )
        };
        let mut seeds: Vec<Seed> = (0..40).map(|n| seed(n, "QF_S", "sat")).collect();
        seeds.extend((0..3).map(|n| seed(n, "QF_S", "unsat")));
        seeds.extend((0..3).map(|n| seed(n, "QF_BV", "unsat")));
        let dealt = Seed::interleaved(seeds.clone(), 1);
        let kinds: Vec<String> = dealt[..3].iter().map(Seed::kind).collect();
        assert_eq!(kinds, ["QF_BV unsat", "QF_S sat", "QF_S unsat"]);
        assert_eq!(dealt.len(), seeds.len());
        assert_eq!(dealt, Seed::interleaved(seeds.clone(), 1));
        assert_ne!(dealt, Seed::interleaved(seeds, 2));
    }

    #[test]
    fn a_folder_has_seeds_and_is_walked_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("empty")).expect("a folder");
        std::fs::create_dir(at("deep")).expect("a folder");
        for name in ["deep/a.smt2", "b.smt2", "c.txt"] {
            std::fs::write(at(name), "(check-sat)").expect("written");
        }
        // Each of the two links doubles what a walk through them sees, at every depth.
        for name in ["deep/round", "deep/again"] {
            std::os::unix::fs::symlink(folder.path(), at(name)).expect("a link");
        }
        // Nobody writes to this one.
        assert!(
            std::process::Command::new("mkfifo").arg(at("pipe.smt2")).status().expect("it runs").success()
        );
        let found = Seed::find(&[folder.path().to_path_buf()]).expect("seeds");
        assert_eq!(found, [Seed::File(at("b.smt2")), Seed::File(at("deep/a.smt2"))]);
        assert!(Seed::find(&[at("empty")]).unwrap_err().0.contains("no .smt2 file"));
        assert!(Seed::find(&[at("none")]).unwrap_err().0.contains("none"));
        assert_eq!(Seed::find(&[at("c.txt")]).expect("a file that is named").len(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_script() {
        let seed = Seed::Text("seed".into(), "\u{feff}(declare-const p Bool)(assert p)(check-sat)".into());
        assert!(seed.load(&mut Terms::new()).is_ok());
    }

    #[test]
    fn assumptions_that_are_formulas_get_names() {
        let mut terms = Terms::new();
        let source = "(declare-const x Int)(declare-const p Bool)(check-sat-assuming ((> x 0) (not p)))";
        let script = smt::read_script(&mut terms, source).script;
        let prepared = prepare(&mut terms, &script).expect("a seed");
        let text = smt::print::script_to_string(&terms, &prepared.script, smt::print::Style::default());
        assert!(text.contains("(check-sat-assuming (assumed"), "{text}");
        assert!(text.contains("(not p)") && text.contains("(> x 0)"), "{text}");
    }
}
