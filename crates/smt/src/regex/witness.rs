//! Members of a language: whether there is one, and examples.
//!
//! An expression without intersection and complement is never empty unless it is [`RegexId::NONE`], and a shortest member
//! can be read off it. For all others the derivatives are searched breadth first until one is of that kind or has the
//! empty string. A member of the complement is a non-member.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::arena::{Node, Regexes, Summary};
use super::{LimitReached, RegexId};
use crate::string::{MAX_LEN, SmtString};

/// Ranges from which an example's characters are taken, if a class permits.
const LEGIBLE: [(u32, u32); 4] = [(0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x20, 0x7E)];

impl Regexes {
    /// Whether the language has no string at all.
    pub(crate) fn is_empty_language(&mut self, id: RegexId) -> Result<bool, LimitReached> {
        Ok(self.searched(id, Regexes::path_to_member)?.is_none())
    }

    /// A member of the language, the same for the same expression, or `None` if it is empty.
    pub fn witness(&mut self, id: RegexId) -> Result<Option<SmtString>, LimitReached> {
        let chars = self.searched(id, |regexes, id, summary| {
            let Some((mut chars, state)) = regexes.path_to_member(id, summary)? else { return Ok(None) };
            regexes.append_shortest(state, &mut chars)?;
            Ok(Some(chars))
        })?;
        Ok(chars.map(to_string))
    }

    /// A member of the language that depends on choices: `choose(n)` must give a number below `n`. At most `steps`
    /// characters are chosen, the rest leads to a member. `None` if the language is empty.
    pub fn sample(
        &mut self,
        id: RegexId,
        steps: usize,
        mut choose: impl FnMut(usize) -> usize,
    ) -> Result<Option<SmtString>, LimitReached> {
        let chars = self.searched(id, |regexes, id, summary| {
            let mut path = vec![id];
            let mut chars = Vec::new();
            while chars.len() < steps {
                let state = path[path.len() - 1];
                let mut moves = Vec::new();
                for block in summary.partition.blocks() {
                    let next = regexes.derive(state, block.0)?;
                    if next != RegexId::NONE {
                        moves.push((block, next));
                    }
                }
                // One more choice than there are moves: to stop here, where that makes a member.
                let stop = usize::from(regexes.nullable(state));
                if moves.len() + stop == 0 {
                    break;
                }
                let Some(&((lo, hi), next)) = moves.get(choose(moves.len() + stop)) else { break };
                chars.push(choose_char(lo, hi, &mut choose));
                path.push(next);
            }
            // The last states may be dead ends, which show only now.
            while let Some(state) = path.pop() {
                chars.truncate(path.len());
                if let Some((end, last)) = regexes.path_to_member(state, summary)? {
                    chars.extend(end);
                    regexes.append_shortest(last, &mut chars)?;
                    return Ok(Some(chars));
                }
            }
            Ok(None)
        })?;
        Ok(chars.map(to_string))
    }

    /// Runs a search over derivatives within the limits.
    fn searched<T>(
        &mut self,
        id: RegexId,
        search: impl FnOnce(&mut Regexes, RegexId, &Summary) -> Result<T, LimitReached>,
    ) -> Result<T, LimitReached> {
        let mark = self.mark();
        let summary = Arc::clone(&self.summary(id));
        let steps = self.limits().derivative_work;
        let found = self.limited(steps, |regexes| search(regexes, id, &summary));
        self.settle(mark);
        found
    }

    /// The characters of a shortest path to a state that has a member by [`Regexes::append_shortest`], and that state.
    fn path_to_member(
        &mut self,
        id: RegexId,
        summary: &Summary,
    ) -> Result<Option<(Vec<u32>, RegexId)>, LimitReached> {
        let mut came_from: FxHashMap<RegexId, (RegexId, u32)> = FxHashMap::default();
        let mut queue = vec![id];
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            if self.nullable(state) || self.facts(state).positive && state != RegexId::NONE {
                let mut chars = Vec::new();
                let mut at = state;
                while at != id {
                    let (before, c) = came_from[&at];
                    chars.push(c);
                    at = before;
                }
                chars.reverse();
                return Ok(Some((chars, state)));
            }
            for (lo, hi) in summary.partition.blocks() {
                self.charge(1);
                let reached = self.derive(state, lo)?;
                if reached != RegexId::NONE && reached != id && !came_from.contains_key(&reached) {
                    came_from.insert(reached, (state, legible(lo, hi)));
                    queue.push(reached);
                }
            }
        }
        Ok(None)
    }

    /// Appends a shortest member of an expression that is positive or has the empty string.
    fn append_shortest(&self, id: RegexId, chars: &mut Vec<u32>) -> Result<(), LimitReached> {
        if !self.nullable(id) && self.facts(id).min_len > MAX_LEN as u64 {
            return Err(LimitReached::Length);
        }
        let mut todo = vec![(id, 1)];
        while let Some((id, times)) = todo.pop() {
            if times > 1 {
                todo.push((id, times - 1));
            }
            if self.nullable(id) {
                continue;
            }
            match self.node(id) {
                Node::Epsilon => {}
                Node::Class(class) => {
                    let ranges = self.class_of(*class).ranges();
                    let legible = ranges.iter().map(|&(lo, hi)| legible(lo, hi)).min_by_key(|&c| rank(c));
                    chars.extend(legible);
                }
                Node::Literal { literal, start } => {
                    chars.extend(self.literal_of(*literal).iter().skip(*start))
                }
                Node::Concat(head, tail) => todo.extend([(*tail, 1), (*head, 1)]),
                Node::Union(list) => {
                    todo.extend(list.iter().min_by_key(|&&id| self.facts(id).min_len).map(|&id| (id, 1)));
                }
                Node::Loop { body, lo, .. } => todo.push((*body, *lo)),
                Node::Inter(_) | Node::Not(_) => unreachable!("the expression is positive"),
            }
        }
        Ok(())
    }
}

/// The most legible character of a range.
fn legible(lo: u32, hi: u32) -> u32 {
    let common = LEGIBLE.iter().find(|&&(first, last)| first.max(lo) <= last.min(hi));
    common.map_or(lo, |&(first, _)| first.max(lo))
}

/// How illegible a character is.
fn rank(c: u32) -> usize {
    LEGIBLE.iter().position(|&(first, last)| (first..=last).contains(&c)).unwrap_or(LEGIBLE.len())
}

/// A character of a range: the most legible one, any, or an end.
fn choose_char(lo: u32, hi: u32, choose: &mut impl FnMut(usize) -> usize) -> u32 {
    if lo == hi {
        return lo;
    }
    match choose(8) {
        0 => lo,
        1 => hi,
        2 => lo + u32::try_from(choose((hi - lo) as usize + 1)).map_or(0, |offset| offset.min(hi - lo)),
        _ => {
            let first = legible(lo, hi);
            let last = LEGIBLE.get(rank(first)).map_or(first, |&(_, last)| last.min(hi));
            first
                + u32::try_from(choose((last - first) as usize + 1))
                    .map_or(0, |offset| offset.min(last - first))
        }
    }
}

fn to_string(chars: Vec<u32>) -> SmtString {
    SmtString::from_code_points(chars).expect("blocks and classes are of legal characters")
}
