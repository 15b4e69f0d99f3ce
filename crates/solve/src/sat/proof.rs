//! DRAT proofs in text form. Clauses that elimination moves to the extension stack are not deleted from the
//! proof, because a later clause may bring them back and they would have no derivation then.

use std::io::{self, Write};

use super::arena::ClauseRef;
use super::lit::Lit;
use super::solver::Solver;

pub(super) struct Proof {
    out: io::BufWriter<Box<dyn Write + Send>>,
    /// The first failure; nothing is written after it.
    error: Option<io::Error>,
}

impl Proof {
    pub(super) fn new(out: Box<dyn Write + Send>) -> Proof {
        Proof { out: io::BufWriter::new(out), error: None }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    fn line(&mut self, prefix: &str, lits: &[Lit]) {
        if self.error.is_none() {
            self.error = self.write(prefix, lits).err();
        }
    }

    fn write(&mut self, prefix: &str, lits: &[Lit]) -> io::Result<()> {
        self.out.write_all(prefix.as_bytes())?;
        for lit in lits {
            write!(self.out, "{} ", lit.to_dimacs())?;
        }
        self.out.write_all(b"0\n")
    }
}

impl Solver {
    /// Records a clause that follows from the present ones.
    #[inline]
    pub(super) fn prove(&mut self, lits: &[Lit]) {
        if let Some(proof) = &mut self.proof {
            proof.line("", lits);
        }
    }

    /// Records the units of the trail from the given height on. Their reasons may be deleted later.
    #[inline]
    pub(super) fn prove_units(&mut self, from: usize) {
        if let Some(proof) = &mut self.proof {
            for lit in &self.trail[from..] {
                proof.line("", &[*lit]);
            }
        }
    }

    /// Records that a clause of the arena is no longer used.
    #[inline]
    pub(super) fn prove_deleted(&mut self, clause: ClauseRef) {
        if let Some(proof) = &mut self.proof {
            proof.line("d ", self.arena.lits(clause));
        }
    }
}
