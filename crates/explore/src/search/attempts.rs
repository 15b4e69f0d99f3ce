//! What was tried at the decisions of the tree, beside what is known of their paths.

use super::tree::{NodeId, Tree};

/// What became of trying a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Attempt {
    /// How often it was tried.
    pub(super) tries: u32,
    /// Whether a look around found no other way: from then on it is solved for.
    pub(super) looked: bool,
    /// How often its query was given up for the time being.
    pub(super) level: u32,
    /// Whether a partial solution came there first: it is not on the way of the search.
    pub(super) from_partial: bool,
    /// Why nothing more is tried, though there may be another way.
    pub(super) given_up: Option<GivenUp>,
}

/// Why nothing more is tried at a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GivenUp {
    /// The solver found no answer.
    Undecided,
    /// A solution did not lead where it should.
    Diverged,
}

/// The attempts at all decisions, by their ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts(Vec<Attempt>);

impl Attempts {
    /// What was tried at a decision.
    pub(super) fn at(&self, id: NodeId) -> Attempt {
        self.0.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The same, to be changed.
    pub(super) fn at_mut(&mut self, id: NodeId) -> &mut Attempt {
        let at = id.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, Attempt::default());
        }
        &mut self.0[at]
    }

    /// Whether another way out of a decision is still looked for.
    pub(super) fn still_open(&self, tree: &Tree, id: NodeId) -> bool {
        tree.is_open(id) && self.at(id).given_up.is_none()
    }

    /// Whether some decision was given up to which there may be another way.
    pub(super) fn any_given_up(&self, tree: &Tree) -> bool {
        tree.ids().any(|id| tree.is_open(id) && self.at(id).given_up.is_some())
    }
}
