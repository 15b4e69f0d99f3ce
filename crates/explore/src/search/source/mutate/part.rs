//! An object of an input as mutations see it: bytes that may grow and shrink within limits.

use crate::target::{Input, Object, ObjectKind};
use std::sync::Arc;

/// What is known of an object of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    name: String,
    /// How long it was in the run.
    length: usize,
    /// How long it may be.
    most: usize,
    /// The object that has its length, if the length is a part of the input.
    size: Option<String>,
}

/// The objects of a run that can be mutated. Lengths change with what they are lengths of, and which object a pointer leads to
/// is left to the solver.
pub(super) fn places(objects: &[Object]) -> Arc<[Place]> {
    let sizes = objects.iter().filter_map(|object| match object.kind {
        ObjectKind::Size { most } => Some((object.name.as_str(), most as usize)),
        _ => None,
    });
    let sizes: Vec<_> = sizes.collect();
    let fixed = objects.iter().filter_map(|object| {
        let free = !matches!(object.kind, ObjectKind::Size { .. } | ObjectKind::Choice);
        let sized = sizes.iter().any(|(size, _)| size.strip_suffix(".size") == Some(&object.name));
        let length = object.bytes.len();
        (free && !sized && length > 0).then(|| Place {
            name: object.name.clone(),
            length,
            most: length,
            size: None,
        })
    });
    // A run that found an object to be empty may not have asked for it.
    let growing = sizes.iter().filter(|(_, most)| *most > 0).filter_map(|(size, most)| {
        let name = size.strip_suffix(".size")?;
        let object = objects.iter().find(|object| object.name == name);
        let length = object.map_or(0, |object| object.bytes.len());
        Some(Place { name: name.to_string(), length, most: *most, size: Some(size.to_string()) })
    });
    fixed.chain(growing).collect()
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) bytes: Vec<u8>,
    /// How many there may be. An object that is as long as that from the start keeps its length.
    most: usize,
    grows: bool,
}

impl Part {
    fn new(place: &Place, base: &Input) -> Part {
        let mut bytes = base.get(&place.name).cloned().unwrap_or_default();
        bytes.resize(place.length, 0);
        Part { bytes, most: place.most, grows: place.size.is_some() }
    }

    /// Puts bytes at a place: over what is there, or before it, which moves the rest behind them. What has no room is left out.
    pub(super) fn put(&mut self, at: usize, bytes: &[u8], insert: bool) {
        let at = at.min(self.bytes.len());
        let over = if insert { at } else { (at + bytes.len()).min(self.bytes.len()) };
        self.bytes.splice(at..over, bytes.iter().copied());
        self.bytes.truncate(self.most);
    }

    /// Removes bytes at a place; zeros come in at the end of what keeps its length.
    pub(super) fn remove(&mut self, at: usize, length: usize) {
        let end = (at + length).min(self.bytes.len());
        self.bytes.drain(at.min(end)..end);
        if !self.grows {
            self.bytes.resize(self.most, 0);
        }
    }
}

/// The parts of an input, one for each place.
pub(super) fn parts(places: &[Place], base: &Input) -> Vec<Part> {
    places.iter().map(|place| Part::new(place, base)).collect()
}

/// An input with these parts instead of its own.
pub(super) fn input(places: &[Place], parts: &[Part], base: &Input) -> Input {
    let mut input = base.clone();
    for (place, part) in places.iter().zip(parts) {
        input.insert(place.name.clone(), part.bytes.clone());
        if let Some(size) = &place.size {
            input.insert(size.clone(), (part.bytes.len() as u32).to_le_bytes().to_vec());
        }
    }
    input
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn object(name: &str, kind: ObjectKind, bytes: &[u8]) -> Object {
        Object { name: name.to_string(), kind, bytes: bytes.to_vec() }
    }

    /// An argument, and standard input of two bytes that may become twelve.
    pub(in super::super) fn objects() -> Vec<Object> {
        vec![
            object("arg1", ObjectKind::Argument, b"hello, world"),
            object("none", ObjectKind::Memory, b""),
            object("stdin.size", ObjectKind::Size { most: 12 }, &[2, 0, 0, 0]),
            object("stdin", ObjectKind::Stdin, b"ab"),
            object("p", ObjectKind::Choice, &[1]),
        ]
    }

    #[test]
    fn lengths_follow_and_choices_are_left_alone() {
        let places = places(&objects());
        let names: Vec<_> = places.iter().map(|place| (place.name.as_str(), place.most)).collect();
        assert_eq!(names, [("arg1", 12), ("stdin", 12)]);
        let base = Input::from([("p".to_string(), vec![1]), ("stdin".to_string(), b"ab".to_vec())]);
        let mut parts = parts(&places, &base);
        assert_eq!(parts[0].bytes, [0; 12], "what an input does not say is zero");
        parts[1].put(1, b"XYZ", true);
        let input = input(&places, &parts, &base);
        assert_eq!(input["stdin"], b"aXYZb");
        assert_eq!(input["stdin.size"], [5, 0, 0, 0]);
        assert_eq!(input["p"], [1]);
    }

    #[test]
    fn what_is_put_in_moves_the_rest() {
        let mut fixed = Part { bytes: b"abcdef".to_vec(), most: 6, grows: false };
        fixed.put(1, b"XY", true);
        assert_eq!(fixed.bytes, b"aXYbcd");
        fixed.put(4, b"LONG", false);
        assert_eq!(fixed.bytes, b"aXYbLO");
        fixed.remove(1, 2);
        assert_eq!(fixed.bytes, b"abLO\0\0");
        let mut grows = Part { bytes: b"ab".to_vec(), most: 4, grows: true };
        grows.put(2, b"cde", false);
        assert_eq!(grows.bytes, b"abcd", "up to what is allowed");
        grows.remove(1, 2);
        assert_eq!(grows.bytes, b"ad");
    }
}
