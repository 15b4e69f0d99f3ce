//! The language of the strings read from right to left.
//!
//! Used to find in one pass where matches start: see [`super::run`].

use rustc_hash::FxHashMap;

use super::RegexId;
use super::arena::{Node, Regexes};
use crate::string::SmtString;

impl Regexes {
    /// The expression of the reversed strings. It tells the same characters apart.
    pub(super) fn reverse(&mut self, id: RegexId) -> RegexId {
        let mut reversed: FxHashMap<RegexId, RegexId> = FxHashMap::default();
        for id in self.reachable(id, 0) {
            let node = self.node(id).clone();
            let of = |id: &RegexId| reversed[id];
            let new = match node {
                Node::Epsilon | Node::Class(_) => id,
                Node::Literal { literal, start } => {
                    let string = self.literal_of(literal);
                    let chars = string.iter().skip(start).rev();
                    let back = SmtString::from_code_points(chars).expect("characters of a string are legal");
                    self.literal(&back)
                }
                Node::Concat(head, tail) => self.concat2(of(&tail), of(&head)),
                Node::Union(list) => self.union(&list.iter().map(of).collect::<Vec<_>>()),
                Node::Inter(list) => self.inter(&list.iter().map(of).collect::<Vec<_>>()),
                Node::Not(body) => self.comp(of(&body)),
                Node::Loop { body, lo, hi } => self.repeat(of(&body), lo, hi),
            };
            reversed.insert(id, new);
        }
        reversed[&id]
    }
}
