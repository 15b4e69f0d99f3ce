//! Interned names. Owns the text of every symbol, keyword and function name that a term arena knows,
//! so that the rest of the crate compares names as integers.

use hashbrown::HashTable;
use std::hash::Hasher;

/// An interned name. Equal names in one arena have equal symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// The position of this symbol in its arena, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: u32) -> Symbol {
        Symbol(index)
    }
}

/// The interner: one contiguous buffer of text and a hash index over it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Symbols {
    text: String,
    ends: Vec<u32>,
    index: HashTable<u32>,
}

/// Hashes the bytes of a name.
#[inline]
pub(crate) fn hash_name(name: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(name);
    hasher.finish()
}

impl Symbols {
    pub(crate) fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_name(name.as_bytes());
        let (text, ends) = (&self.text, &self.ends);
        if let Some(&found) = self.index.find(hash, |&i| slice(text, ends, i) == name) {
            return Symbol(found);
        }
        self.insert(name, hash)
    }

    #[cold]
    fn insert(&mut self, name: &str, hash: u64) -> Symbol {
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 symbols");
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("less than 4 GiB of names"));
        let (text, ends) = (&self.text, &self.ends);
        self.index.insert_unique(hash, id, |&i| hash_name(slice(text, ends, i).as_bytes()));
        Symbol(id)
    }

    pub(crate) fn find(&self, name: &str) -> Option<Symbol> {
        let hash = hash_name(name.as_bytes());
        self.index.find(hash, |&i| slice(&self.text, &self.ends, i) == name).map(|&i| Symbol(i))
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol.0)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

#[inline]
fn slice<'a>(text: &'a str, ends: &[u32], i: u32) -> &'a str {
    let start = if i == 0 { 0 } else { ends[i as usize - 1] as usize };
    &text[start..ends[i as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one_symbol() {
        let mut symbols = Symbols::default();
        let a = symbols.intern("alpha");
        let b = symbols.intern("beta");
        assert_ne!(a, b);
        assert_eq!(symbols.intern("alpha"), a);
        assert_eq!(symbols.name(b), "beta");
        assert_eq!(symbols.find("gamma"), None);
        assert_eq!(symbols.len(), 2);
    }
}
