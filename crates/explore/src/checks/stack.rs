//! Frames that outlive their function, so that a pointer to a local is noticed after the function returned; and what the compiler
//! writes down about the locals of a frame.
//!
//! The compiler asks for a frame of a class of sizes and gives it back by clearing a byte, without a call. That byte lies in the
//! last word of the frame, which points to itself.

use super::heap::Heap;
use super::kind::Shade;
use super::provenance::Provenance;
use super::report::Owner;
use crate::memory::{Memory, Overlay};
use std::collections::VecDeque;
use std::ops::Range;

/// Classes of sizes: 64 bytes, then twice as much each.
const CLASSES: usize = 11;
/// How many frames of a class stay closed before one is used again.
const QUARANTINE: usize = 16;
/// How many bytes the frames of one class take together. When they are used up, frames lie on the stack.
const ROOM: u32 = 1 << 20;

/// How much is closed before and behind a frame, beside the compiler's own red zones: a pointer that leaves a local by more than these
/// still misses a local.
const MIN_ZONE: u32 = 128;
const MAX_ZONE: u32 = 4096;

/// The magic numbers of a frame in use and of one that was given back.
const MAGIC: [u32; 2] = [0x41B5_8AB3, super::RETIRED as u32];
/// How far a frame's start is looked for.
const REACH: usize = 1 << 17;

#[derive(Clone, Debug, Default)]
struct Class {
    used: Vec<u32>,
    free: VecDeque<u32>,
    made: u32,
}

/// The frames of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct FakeStack {
    classes: Vec<Class>,
}

impl FakeStack {
    /// A frame of a class; zero if there is none, and the frame is to lie on the stack.
    pub(crate) fn allocate<O: Overlay>(
        &mut self,
        memory: &mut Memory<O>,
        heap: &mut Heap,
        number: usize,
    ) -> u32 {
        if number >= CLASSES {
            return 0;
        }
        self.classes.resize_with(CLASSES, Class::default);
        let (class, size) = (&mut self.classes[number], 64u32 << number);
        // As long as the frame, so that it stays as aligned as its class asks for.
        let zone = size.clamp(MIN_ZONE, MAX_ZONE);
        let last_word = |frame: u32| (frame + size - 4) as usize;
        while let Some(&top) = class.used.last()
            && memory.bytes()[last_word(top)] == 0
        {
            class.used.pop();
            class.free.push_back(top);
        }
        let room_left = (class.made + 1) * size <= ROOM;
        let recycled =
            if class.free.len() >= QUARANTINE || !room_left { class.free.pop_front() } else { None };
        let frame = match recycled {
            Some(frame) => frame,
            None if room_left => match heap.carve(memory, size + 2 * zone, size.min(4096)) {
                Some(start) => {
                    class.made += 1;
                    let frame = start + zone;
                    memory.repaint(start as usize..frame as usize, Shade::STACK_LEFT.0);
                    let behind = (frame + size) as usize;
                    memory.repaint(behind..behind + zone as usize, Shade::STACK_RIGHT.0);
                    frame
                }
                None => return 0,
            },
            None => return 0,
        };
        let word = last_word(frame);
        memory.repaint(frame as usize..word, 0);
        memory.repaint(word..word + 4, Shade::OWN_WORD_VALUE);
        if memory.write(word as u32, &(word as u32).to_le_bytes()).is_err() {
            return 0;
        }
        class.used.push(frame);
        frame
    }

    /// The frames of functions that did not return.
    pub(crate) fn in_use<O: Overlay>(&self, memory: &Memory<O>) -> Vec<Range<usize>> {
        let mut frames = Vec::new();
        for (class, size) in self.classes.iter().zip((0..).map(|number| 64usize << number)) {
            let whole = class.used.iter().map(|&frame| frame as usize..frame as usize + size);
            frames.extend(whole.filter(|frame| memory.bytes()[frame.end - 4] != 0));
        }
        frames
    }

    /// Takes a frame back that is too large for the compiler to close by itself.
    pub(crate) fn free<O: Overlay>(&mut self, memory: &mut Memory<O>, number: usize, frame: u32) {
        let size = 64usize << number.min(CLASSES - 1);
        memory.shade(frame as usize..frame as usize + size, Shade::RETURNED.0);
        let last = frame + size as u32 - 4;
        // The word is open: it was opened when the frame was made.
        let _ = memory.write(last, &[0]);
    }
}

/// The local that an address belongs to, or that it missed, from what the compiler wrote at the start of its frame.
pub(crate) fn owner<O: Overlay>(memory: &Memory<O>, address: u32) -> Option<Owner> {
    let word = |at: usize| Some(u32::from_le_bytes(*memory.bytes().get(at..at + 4)?.first_chunk()?));
    let from = address as usize & !15;
    let is_frame = |at: &usize| word(*at).is_some_and(|magic| MAGIC.contains(&magic));
    let before = || (0..REACH.min(from)).step_by(16).map(|back| from - back);
    // What is closed before a frame leads up to it without a gap.
    let closed = |at: &usize| memory.shadow().get(*at) == Some(&Shade::STACK_LEFT.0);
    let ahead = || (from..from + MAX_ZONE as usize).step_by(16).take_while(closed);
    let left = || before().take_while(closed).find(is_frame).or_else(|| ahead().find(is_frame));
    let frame = left().or_else(|| before().find(is_frame))?;
    let locals = locals(memory, frame)?;
    let distance = |local: &&Local| match address {
        _ if address < local.start => local.start - address,
        _ => address.saturating_sub(local.start + local.size),
    };
    locals.iter().min_by_key(distance).map(|local| local.owner(address))
}

/// The local that a pointer was made from, as seen from an address.
pub(crate) fn local<O: Overlay>(memory: &Memory<O>, provenance: Provenance, address: u32) -> Option<Owner> {
    let locals = locals(memory, provenance.root as usize)?;
    let inside = |local: &&Local| (local.start..local.start + local.size).contains(&provenance.anchor);
    locals.iter().find(inside).map(|local| local.owner(address))
}

struct Local {
    start: u32,
    size: u32,
    what: String,
}

impl Local {
    fn owner(&self, address: u32) -> Owner {
        Owner::new(self.what.clone(), self.start, self.size, address)
    }
}

/// The locals of the frame that starts at an address, from what the compiler wrote there; none if no frame does.
fn locals<O: Overlay>(memory: &Memory<O>, frame: usize) -> Option<Vec<Local>> {
    let word = |at: usize| Some(u32::from_le_bytes(*memory.bytes().get(at..at + 4)?.first_chunk()?));
    if !MAGIC.contains(&word(frame)?) {
        return None;
    }
    let description = text(memory, word(frame + 4)? as usize)?;
    let (count, mut rest) = description.split_once(' ')?;
    let count: usize = count.parse().ok()?;
    let mut locals = Vec::new();
    for _ in 0..count {
        let mut parts = rest.splitn(4, ' ');
        let offset: u32 = parts.next()?.parse().ok()?;
        let size: u32 = parts.next()?.parse().ok()?;
        let length: usize = parts.next()?.parse().ok()?;
        let tail = parts.next()?;
        let name = tail.get(..length)?;
        rest = tail.get(length..)?.trim_start();
        let what = match name.split_once(':') {
            Some((name, line)) => format!("local '{name}' of {size} bytes (line {line})"),
            None => format!("local '{name}' of {size} bytes"),
        };
        locals.push(Local { start: frame as u32 + offset, size, what });
    }
    Some(locals)
}

/// A C string.
pub(crate) fn text<O: Overlay>(memory: &Memory<O>, address: usize) -> Option<String> {
    const MAX: usize = 1 << 14;
    let bytes = memory.bytes().get(address..)?;
    let length = bytes.iter().take(MAX).position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..length]).into_owned())
}
