//! What is known of an error when it happens: the access, the object that it missed, and where that came from.

use super::kind::Kind;
use crate::target::{Note, Site};
use crate::trap::Trap;

/// An access that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The kind of error.
    pub kind: Kind,
    /// Whether it wrote.
    pub write: bool,
    /// The first byte of the access.
    pub address: u32,
    /// How many bytes.
    pub size: u32,
    /// The first byte that is closed.
    pub closed: u32,
}

/// On which side of an object an address lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Side {
    Before,
    Inside,
    Behind,
}

/// An object, and where an address lies relative to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner {
    /// What it is, such as "12-byte block" or "local 'buffer' of 10 bytes in main".
    pub what: String,
    /// On which side of it the address lies.
    pub side: Side,
    /// How many bytes before its start, inside, or behind its end the address lies, in words.
    pub place: String,
    /// Where it was allocated, innermost first.
    pub allocated: Vec<Site>,
    /// Where it was freed.
    pub freed: Vec<Site>,
}

/// What a report says beside the kind and the stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// The access, if it was one.
    pub access: Option<Access>,
    /// The object concerned.
    pub owner: Option<Owner>,
    /// Anything else, in words.
    pub note: Option<String>,
}

/// An error that a run made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What.
    pub kind: Kind,
    /// Where, innermost first.
    pub stack: Vec<Site>,
    /// What is known of it.
    pub evidence: Evidence,
}

impl Owner {
    /// An object of `size` bytes at `start`, as seen from an address.
    pub(crate) fn new(what: String, start: u32, size: u32, address: u32) -> Owner {
        let (address, start, end) =
            (u64::from(address), u64::from(start), u64::from(start) + u64::from(size));
        let bytes = |count: u64| if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") };
        let (side, place) = if address < start {
            (Side::Before, format!("{} before the start", bytes(start - address)))
        } else if address >= end {
            (Side::Behind, format!("{} behind the end", bytes(address - end)))
        } else {
            (Side::Inside, format!("{} inside", bytes(address - start)))
        };
        Owner { what, side, place, allocated: Vec::new(), freed: Vec::new() }
    }
}

impl From<Failure> for crate::target::Failure {
    fn from(failure: Failure) -> crate::target::Failure {
        let Failure { kind, stack, evidence } = failure;
        let mut notes = Vec::new();
        let mut note = |text: String, stack: Vec<Site>| notes.push(Note { text, stack });
        if let Some(access) = &evidence.access {
            let verb = if access.write { "write" } else { "read" };
            note(format!("{verb} of {} at address {:#x}", size(access.size), access.address), Vec::new());
        }
        if let Some(owner) = evidence.owner {
            note(format!("{} of the {}", owner.place, owner.what), Vec::new());
            for (word, stack) in [("allocated", owner.allocated), ("freed", owner.freed)] {
                if !stack.is_empty() {
                    note(format!("{word} at:"), stack);
                }
            }
        }
        if let Some(text) = evidence.note {
            note(text, Vec::new());
        }
        crate::target::Failure { fault: Trap::Violation(kind).into(), stack, notes }
    }
}

fn size(bytes: u32) -> String {
    if bytes == 1 { "1 byte".to_string() } else { format!("{bytes} bytes") }
}
