//! Independent judges: brute force over all assignments and a forward checker of clausal proofs.

use std::collections::HashMap;

use solve::sat::dimacs::Cnf;
use solve::sat::{Lit, Modes, SatSettings, Solver};

/// Options under which every technique runs every few conflicts.
pub(crate) fn restless() -> SatSettings {
    SatSettings {
        mode_interval: 11,
        restart_interval: 1,
        luby_unit: 2,
        rephase_interval: 3,
        reduce_interval: 2,
        inprocess_interval: 2,
        observe_interval: 1,
        ..SatSettings::default()
    }
}

/// All combinations of the switches: eight bits and three modes.
pub(crate) fn toggled(bits: u64) -> SatSettings {
    let on = |bit: u64| bits >> bit & 1 == 1;
    SatSettings {
        minimize: on(0),
        probe: on(1),
        vivify: on(2),
        subsume: on(3),
        substitute: on(4),
        eliminate: on(5),
        initial_phase: on(6),
        rephase_interval: u64::from(on(7)) * 3,
        modes: [Modes::Alternating, Modes::Focused, Modes::Stable][(bits >> 8) as usize % 3],
        ..restless()
    }
}

/// Whether some assignment satisfies all clauses and units. At most about twenty variables.
pub(crate) fn brute_force(cnf: &Cnf, units: &[Lit]) -> bool {
    let masks = |lits: &[Lit]| {
        let side = |pos: bool| {
            lits.iter()
                .filter(|lit| lit.is_pos() == pos)
                .fold(0u32, |mask, lit| mask | 1 << lit.var().index())
        };
        (side(true), side(false))
    };
    let mut clauses: Vec<(u32, u32)> = cnf.clauses.iter().map(|clause| masks(clause)).collect();
    clauses.extend(units.iter().map(|&unit| masks(&[unit])));
    (0u32..1 << cnf.vars).any(|model| clauses.iter().all(|(pos, neg)| model & pos != 0 || !model & neg != 0))
}

/// Panics unless the model of the last `Sat` satisfies all clauses and units.
pub(crate) fn check_model(solver: &Solver, cnf: &Cnf, units: &[Lit]) {
    let holds = |lit: &Lit| solver.value(*lit).expect("a model is total");
    for clause in &cnf.clauses {
        assert!(clause.iter().any(holds), "{clause:?} is false in the model");
    }
    assert!(units.iter().all(holds), "an assumption is false in the model");
}

/// Checks a proof by reverse unit propagation. Returns whether it ends in the empty clause.
pub(crate) fn check_proof(cnf: &Cnf, proof: &str) -> Result<bool, String> {
    let mut clauses: Vec<Option<Vec<Lit>>> = cnf.clauses.iter().cloned().map(Some).collect();
    let key = |clause: &[Lit]| {
        let mut key = clause.to_vec();
        key.sort_unstable();
        key.dedup();
        key
    };
    let mut places: HashMap<Vec<Lit>, Vec<usize>> = HashMap::new();
    for (at, clause) in cnf.clauses.iter().enumerate() {
        places.entry(key(clause)).or_default().push(at);
    }
    let mut complete = false;
    for line in proof.lines() {
        let (delete, rest) = match line.strip_prefix("d ") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let numbers = rest.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
        let clause: Vec<Lit> = numbers.filter_map(Lit::from_dimacs).collect();
        if delete {
            let place = places.get_mut(&key(&clause)).and_then(Vec::pop);
            clauses[place.ok_or_else(|| format!("deleted clause {clause:?} is not there"))?] = None;
            continue;
        }
        if !implied(cnf.vars, &clauses, &clause) {
            return Err(format!("{clause:?} does not follow by unit propagation"));
        }
        complete |= clause.is_empty();
        places.entry(key(&clause)).or_default().push(clauses.len());
        clauses.push(Some(clause));
    }
    Ok(complete)
}

/// Whether unit propagation refutes the negation of a clause.
fn implied(vars: usize, clauses: &[Option<Vec<Lit>>], clause: &[Lit]) -> bool {
    let mut values = vec![false; 2 * vars];
    for &lit in clause {
        values[(!lit).index()] = true;
    }
    if clause.iter().any(|&lit| values[lit.index()]) {
        return true;
    }
    loop {
        let mut changed = false;
        for clause in clauses.iter().flatten() {
            if clause.iter().any(|lit| values[lit.index()]) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| !values[(!lit).index()]);
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), second) if second.is_none_or(|other| *other == unit) => {
                    values[unit.index()] = true;
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return false;
        }
    }
}
