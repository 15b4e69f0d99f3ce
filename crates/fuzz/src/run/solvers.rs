//! Who takes part in a run: from SPECs to solvers, with the referees and the newest release where the user names none.

use super::Solvers;
use crate::solver::{Solver, SolverError, Store};

/// The programs that are asked for the truth if the user names none.
const REFEREES: [&str; 2] = ["z3", "cvc5"];

impl Solvers {
    /// The solvers of a run by their SPECs.
    pub fn resolve(target: &str, references: &[String], store: &Store) -> Result<Solvers, SolverError> {
        let tried = |spec: &str| Solver::resolve(spec, store)?.tried();
        let target = tried(target)?;
        let references: Vec<Solver> = references.iter().map(|spec| tried(spec)).collect::<Result<_, _>>()?;
        let referees = if references.is_empty() { referees(&target, store) } else { references.clone() };
        let newest = newest(&target, store);
        Ok(Solvers { target, references, referees, newest })
    }
}

/// Who is asked for the truth by default: of each solver the newest release in the store, or else the one on PATH, but not the
/// solver under test, and this program.
pub fn referees(target: &Solver, store: &Store) -> Vec<Solver> {
    let mut referees: Vec<Solver> = REFEREES
        .iter()
        .filter_map(|name| {
            let newest =
                store.find(name, "").and_then(|release| Solver::resolve(&release.spec(), store).ok());
            newest
                .filter(|solver| solver.command_line() != target.command_line())
                .or_else(|| Solver::resolve(name, store).ok())
        })
        .filter(|solver| solver.command_line() != target.command_line())
        .collect();
    if let Ok(program) = std::env::current_exe()
        && program.file_name().is_some_and(|name| name == "soundline")
        && let Ok(own) = Solver::resolve(&program.display().to_string(), store)
        && own.command_line() != target.command_line()
    {
        referees.push(own);
    }
    referees
}

/// The newest release of the target's family that is installed, with the target's options, if it is another one.
pub fn newest(target: &Solver, store: &Store) -> Option<Solver> {
    let (program, options) = target.name.split_once(' ').unwrap_or((&target.name, ""));
    let family = program.split('@').next()?;
    let release = store.find(family, "")?;
    let newest = Solver::resolve(&format!("{} {options}", release.spec()), store).ok()?;
    (newest.version != target.version).then_some(newest)
}
