//! The bounds that the search knows by literals.
//!
//! The positive literal of an atom says `var <= limit`, the negative one the opposite bound. Every atom is registered with
//! the simplex core, so that its bound propagation can decide it.

use crate::sat::{Lit, Var as SatVar};
use crate::simplex::num::Delta;
use crate::simplex::{AtomId, BoundKind, Reason, Simplex, Var};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
struct Atom {
    var: Var,
    at_most: Delta,
    at_least: Delta,
    /// Whether its truth, its falsity binds the arithmetic.
    needed: [bool; 2],
    /// Whether both were needed from the start: then every value of it was asserted.
    whole: bool,
}

/// All atoms, by SAT variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms {
    atoms: Vec<Option<Atom>>,
    /// SAT variables in the order of registration with the core.
    registered: Vec<SatVar>,
    index: FxHashMap<(Var, Delta), SatVar>,
}

impl Atoms {
    /// Says that the SAT variable stands for `var <= at_most`.
    pub(crate) fn insert(&mut self, simplex: &mut Simplex, name: SatVar, var: Var, at_most: Delta) {
        if self.atoms.len() <= name.index() {
            self.atoms.resize(name.index() + 1, None);
        }
        let id = simplex.add_atom(var, BoundKind::Upper, &at_most);
        debug_assert_eq!(id.index(), self.registered.len());
        self.registered.push(name);
        self.index.insert((var, at_most.clone()), name);
        let (_, at_least) = simplex.complement(var, BoundKind::Upper, &at_most);
        self.atoms[name.index()] = Some(Atom { var, at_most, at_least, needed: [false; 2], whole: false });
    }

    /// The SAT variable that stands for `var <= at_most`, if there is one.
    pub(crate) fn find(&self, var: Var, at_most: &Delta) -> Option<SatVar> {
        self.index.get(&(var, at_most.clone())).copied()
    }

    /// The SAT variable that stands for `var <= at_most` and binds whatever its value is, if there is one.
    pub(crate) fn find_whole(&self, var: Var, at_most: &Delta) -> Option<SatVar> {
        self.find(var, at_most)
            .filter(|name| self.atoms[name.index()].as_ref().is_some_and(|atom| atom.whole))
    }

    /// Says that an atom has no value yet: if both of its literals are needed, none will be missed.
    pub(crate) fn seal(&mut self, name: SatVar) {
        if let Some(atom) = self.atoms[name.index()].as_mut() {
            atom.whole = atom.needed == [true; 2];
        }
    }

    /// Makes the bound that a literal states binding.
    pub(crate) fn need(&mut self, lit: Lit) {
        if let Some(atom) = self.atoms[lit.var().index()].as_mut() {
            atom.needed[usize::from(!lit.is_pos())] = true;
        }
    }

    /// Whether a true literal binds the arithmetic.
    pub(crate) fn is_needed(&self, lit: Lit) -> bool {
        let atom = self.atoms.get(lit.var().index()).and_then(Option::as_ref);
        atom.is_some_and(|atom| atom.needed[usize::from(!lit.is_pos())])
    }

    /// The bound that a literal states.
    pub(crate) fn bound(&self, lit: Lit) -> Option<(Var, BoundKind, Delta)> {
        let atom = self.atoms.get(lit.var().index())?.as_ref()?;
        Some(if lit.is_pos() {
            (atom.var, BoundKind::Upper, atom.at_most.clone())
        } else {
            (atom.var, BoundKind::Lower, atom.at_least.clone())
        })
    }

    /// The literal by which the search knows a decided atom.
    pub(crate) fn literal(&self, atom: AtomId, truth: bool) -> Lit {
        self.registered[atom.index()].lit(truth)
    }
}

/// A literal as the core's name for the bound it states.
pub(crate) fn reason(lit: Lit) -> Reason {
    Reason(lit.index() as u32)
}

/// The literal behind a reason.
pub(crate) fn literal(reason: Reason) -> Lit {
    SatVar::new((reason.0 >> 1) as usize).lit(reason.0 & 1 == 0)
}
