//! DIMACS CNF text: a reader that accepts what is in circulation (comments anywhere, clauses over several
//! lines, a missing or wrong count of clauses) and a writer.

use std::fmt::Write;

use super::lit::Lit;

/// A formula as a file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// Number of variables, declared or used.
    pub vars: usize,
    /// The clauses in order.
    pub clauses: Vec<Vec<Lit>>,
}

/// What is wrong with a DIMACS text, with the line it is on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DimacsError {
    /// The line that starts with `p` is malformed.
    #[error("line {0}: the header must read `p cnf VARIABLES CLAUSES`")]
    Header(usize),
    /// Something that is no literal.
    #[error("line {0}: `{1}` is not a literal")]
    Literal(usize, String),
    /// The last clause has no closing zero.
    #[error("the last clause is not closed by 0")]
    Unclosed,
}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Cnf, DimacsError> {
    let mut cnf = Cnf::default();
    let mut clause = Vec::new();
    for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line.trim())) {
        if line.starts_with('c') {
            continue;
        }
        if line.starts_with('p') {
            let vars = parse_header(line).ok_or(DimacsError::Header(number))?;
            cnf.vars = cnf.vars.max(vars);
            continue;
        }
        if line.starts_with('%') {
            // SATLIB files end so.
            break;
        }
        for word in line.split_ascii_whitespace() {
            if word == "0" {
                cnf.clauses.push(std::mem::take(&mut clause));
                continue;
            }
            let lit = word.parse().ok().and_then(Lit::from_dimacs);
            let lit = lit.ok_or_else(|| DimacsError::Literal(number, word.to_string()))?;
            cnf.vars = cnf.vars.max(lit.var().index() + 1);
            clause.push(lit);
        }
    }
    if clause.is_empty() { Ok(cnf) } else { Err(DimacsError::Unclosed) }
}

fn parse_header(line: &str) -> Option<usize> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("p") || words.next() != Some("cnf") {
        return None;
    }
    let vars: u32 = words.next()?.parse().ok()?;
    let _clauses: u64 = words.next()?.parse().ok()?;
    (vars < u32::MAX / 4 && words.next().is_none()).then_some(vars as usize)
}

/// Writes a formula.
pub fn print(cnf: &Cnf) -> String {
    let mut text = format!("p cnf {} {}\n", cnf.vars, cnf.clauses.len());
    for clause in &cnf.clauses {
        for lit in clause {
            write!(text, "{} ", lit.to_dimacs()).expect("writing to a string does not fail");
        }
        text.push_str("0\n");
    }
    text
}

impl Cnf {
    /// A solver that holds the formula.
    pub fn load(&self, options: super::SatSettings) -> super::Solver {
        let mut solver = super::Solver::new(options);
        for _ in 0..self.vars {
            solver.new_var();
        }
        for clause in &self.clauses {
            solver.add_clause(clause);
        }
        solver
    }
}
