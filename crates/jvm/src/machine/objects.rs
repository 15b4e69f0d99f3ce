//! Making and reading objects: instances, arrays, strings, mirrors of classes, boxes.

use super::{Fault, Machine, Stop};
use crate::class::{Class, Shape};
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::{Kind, PRIMITIVES};
use explore::op::ops;

/// The mark of a box that `valueOf` made of a symbolic value, in the header's second word.
const BOX_MARK: u32 = 1;

/// The longest array that HotSpot makes, however large its heap is. Shorter ones that are beyond our limit end the run, since a
/// real `java` may have the memory.
const MOST_ELEMENTS: u32 = i32::MAX as u32 - 2;

impl<D: Values> Machine<D> {
    pub(crate) fn allocate_raw(&mut self, class: u32, length: u32, size: usize) -> Result<Ref, Fault> {
        self.heap.allocate(class, length, size).ok_or(Fault::Stop(Stop::OutOfMemory))
    }

    /// An instance with all fields zero.
    #[inline]
    pub(crate) fn allocate(&mut self, class: &'static Class) -> Result<Ref, Fault> {
        self.sync(class.id);
        self.allocate_raw(class.id, 0, class.size as usize)
    }

    /// An array with all elements zero.
    pub(crate) fn allocate_array(&mut self, class: &'static Class, length: u32) -> Result<Ref, Fault> {
        if length > MOST_ELEMENTS {
            let message = "Requested array size exceeds VM limit".to_string();
            return Err(Fault::New("java/lang/OutOfMemoryError", Some(message)));
        }
        self.sync(class.id);
        let bytes = class.element_kind().map_or(0, Kind::bytes) as usize;
        self.allocate_raw(class.id, length, HEADER as usize + bytes * length as usize)
    }

    /// An array by the name of its class.
    pub(crate) fn array(&mut self, name: &str, length: u32) -> Result<Ref, Fault> {
        let class = self.load(name)?;
        self.allocate_array(class, length)
    }

    /// An array of references.
    pub(crate) fn array_of_refs(&mut self, name: &str, elements: &[Ref]) -> Result<Ref, Fault> {
        let array = self.array(name, elements.len() as u32)?;
        for (i, &element) in elements.iter().enumerate() {
            self.heap.set_u32(array + HEADER + 4 * i as u32, element);
        }
        Ok(array)
    }

    /// The elements of an array of references.
    pub(crate) fn refs(&self, array: Ref) -> Vec<Ref> {
        if array == 0 {
            return Vec::new();
        }
        (0..self.heap.length(array)).map(|i| self.heap.u32(array + HEADER + 4 * i)).collect()
    }

    pub(crate) fn byte_array(&mut self, bytes: &[u8]) -> Result<Ref, Fault> {
        let array = self.array("[B", bytes.len() as u32)?;
        let start = (array + HEADER) as usize;
        self.heap.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(array)
    }

    /// A string of UTF-16 units, in one byte each where they fit, as `String` has it.
    pub(crate) fn string_of(&mut self, text: &[u16]) -> Result<Ref, Fault> {
        let is_latin = text.iter().all(|&unit| unit < 256);
        let bytes: Vec<u8> = if is_latin {
            text.iter().map(|&unit| unit as u8).collect()
        } else {
            text.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        };
        let value = self.byte_array(&bytes)?;
        let known = *self.known();
        let string = self.allocate(known.string)?;
        self.heap.set_u32(string + known.string_value, value);
        self.heap.set_bits(string + known.string_coder, Kind::Byte, u64::from(!is_latin));
        Ok(string)
    }

    pub(crate) fn string(&mut self, text: &str) -> Result<Ref, Fault> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.string_of(&units)
    }

    /// The UTF-16 units of a string, as they are in this run.
    pub(crate) fn units(&self, string: Ref) -> Vec<u16> {
        if string == 0 {
            return Vec::new();
        }
        let known = self.known();
        let value = self.heap.u32(string + known.string_value);
        let bytes = self.heap.byte_array(value);
        if self.heap.bits(string + known.string_coder, Kind::Byte) == 0 {
            bytes.iter().map(|&byte| u16::from(byte)).collect()
        } else {
            bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()
        }
    }

    /// The text of a string, as it is in this run.
    pub(crate) fn text(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.units(string))
    }

    /// The string of a literal.
    #[inline]
    pub(crate) fn literal(&mut self, number: u32) -> Result<Ref, Fault> {
        match self.literals.get(number as usize) {
            Some(&known) if known != 0 => Ok(known),
            _ => {
                let text = self.registry.text(number);
                let string = self.intern(&text)?;
                if self.literals.len() <= number as usize {
                    self.literals.resize(number as usize + 1, 0);
                }
                self.literals[number as usize] = string;
                Ok(string)
            }
        }
    }

    /// The one string with this text.
    pub(crate) fn intern(&mut self, text: &[u16]) -> Result<Ref, Fault> {
        if let Some(&known) = self.interned.get(text).or_else(|| self.interned_now.get(text)) {
            return Ok(known);
        }
        let string = self.string_of(text)?;
        self.interned_now.insert(text.into(), string);
        Ok(string)
    }

    /// The `java.lang.Class` of a class. Its header says which.
    pub(crate) fn mirror(&mut self, class: &'static Class) -> Result<Ref, Fault> {
        self.sync(class.id);
        let known = self.mirrors[class.id as usize];
        if known != 0 {
            return Ok(known);
        }
        let class_class = self.load("java/lang/Class")?;
        self.sync(class_class.id);
        let mirror = self.allocate_raw(class_class.id, class.id, class_class.size as usize)?;
        self.mirrors[class.id as usize] = mirror;
        if let Shape::Array(element) = class.shape {
            let component = self.mirror(element)?;
            self.set_ref(mirror, "componentType", component);
        }
        if self.world.module != 0 {
            let module = self.world.module;
            self.set_ref(mirror, "module", module);
        }
        Ok(mirror)
    }

    /// The class of a mirror.
    pub(crate) fn mirrored(&mut self, mirror: Ref) -> &'static Class {
        let id = self.heap.length(mirror);
        self.sync(id);
        self.classes[id as usize]
    }

    /// Where a field of an object lies.
    pub(crate) fn field(&self, object: Ref, name: &str) -> Option<(u32, Kind)> {
        let (_, field) =
            self.class_of(object).find_field(name, None).filter(|(_, field)| !field.is_static())?;
        Some((object + field.offset, field.ty.kind))
    }

    pub(crate) fn get_ref(&self, object: Ref, name: &str) -> Ref {
        self.field(object, name).map_or(0, |(at, _)| self.heap.u32(at))
    }

    pub(crate) fn set_ref(&mut self, object: Ref, name: &str, value: Ref) {
        if let Some((at, _)) = self.field(object, name) {
            self.heap.set_u32(at, value);
        }
    }

    pub(crate) fn get_bits(&self, object: Ref, name: &str) -> u64 {
        self.field(object, name).map_or(0, |(at, kind)| self.heap.bits(at, kind))
    }

    pub(crate) fn set_bits(&mut self, object: Ref, name: &str, bits: u64) {
        if let Some((at, kind)) = self.field(object, name) {
            self.heap.set_bits(at, kind, bits);
        }
    }

    /// A box of a value, as reflection makes it.
    pub(crate) fn boxed(&mut self, kind: Kind, value: D::Value) -> Result<Ref, Fault> {
        let name = match kind.primitive() {
            None => return Ok(Self::reference(value)),
            Some(row) => row.3,
        };
        if kind == Kind::Void {
            return Ok(0);
        }
        let class = self.load(name)?;
        // `==` on small numbers and truth values holds because they are shared.
        if let Some(shared) = self.shared_box(class, kind, value)? {
            return Ok(shared);
        }
        let object = self.allocate(class)?;
        if let Some((at, kind)) = self.field(object, "value") {
            self.domain.store(&mut self.heap, at, kind, value);
        }
        Ok(object)
    }

    fn shared_box(
        &mut self,
        class: &'static Class,
        kind: Kind,
        value: D::Value,
    ) -> Result<Option<Ref>, Fault> {
        if D::is_symbolic(value) || self.ready[class.id as usize] == 0 {
            return Ok(None);
        }
        let number = D::bits(value) as i32;
        if kind == Kind::Bool {
            let (at, _) = self.static_field(class, if number & 1 != 0 { "TRUE" } else { "FALSE" })?;
            return Ok(Some(self.heap.u32(at)).filter(|&at| at != 0));
        }
        let Some(&(_, first, array)) = self.boxes.iter().find(|row| row.0 == kind) else { return Ok(None) };
        let index = i64::from(number) - i64::from(first);
        let fits = (0..i64::from(self.heap.length(array))).contains(&index)
            && (kind != Kind::Long || D::bits(value) as i64 == i64::from(number));
        Ok(fits.then(|| self.heap.u32(array + HEADER + 4 * index as u32)))
    }

    /// Where the shared boxes are, once their classes are initialised.
    pub(crate) fn find_boxes(&mut self) -> Result<(), Fault> {
        let caches = [
            (Kind::Int, -128, "java/lang/Integer$IntegerCache"),
            (Kind::Long, -128, "java/lang/Long$LongCache"),
            (Kind::Short, -128, "java/lang/Short$ShortCache"),
            (Kind::Byte, -128, "java/lang/Byte$ByteCache"),
            (Kind::Char, 0, "java/lang/Character$CharacterCache"),
        ];
        self.boxes.clear();
        for (kind, first, name) in caches {
            let class = self.load(name)?;
            let (at, _) = self.static_field(class, "cache")?;
            let array = self.heap.u32(at);
            if array != 0 {
                self.boxes.push((kind, first, array));
            }
        }
        Ok(())
    }

    /// `valueOf` of a box. Of a value that depends on the input a new box is made, with a mark: which of the shared ones it would be
    /// decides nothing until somebody compares references.
    pub(crate) fn value_of(&mut self, kind: Kind, value: D::Value) -> Result<Ref, Fault> {
        let object = self.boxed(kind, value)?;
        if D::is_symbolic(value) {
            self.heap.set_u32(object + 4, BOX_MARK);
        }
        Ok(object)
    }

    /// Whether two different references are the same box as `valueOf` shares them; none where that is plain.
    pub(crate) fn same_box(&mut self, a: Ref, b: Ref) -> Option<D::Value> {
        if a == 0 || b == 0 || a >= crate::parameters::LAZY || b >= crate::parameters::LAZY {
            return None;
        }
        let class = self.class_of(a);
        let marked = |machine: &Self, object: Ref| machine.heap.length(object) == BOX_MARK;
        if self.class_of(b).id != class.id
            || !matches!(class.shape, Shape::Plain)
            || !(marked(self, a) || marked(self, b))
        {
            return None;
        }
        let (kind, x) = self.unboxed(a)?;
        let (_, y) = self.unboxed(b)?;
        for (object, value) in [(a, x), (b, y)] {
            // A box that `new` made is nobody else's.
            if !marked(self, object) && self.shared_box(class, kind, value).ok().flatten() != Some(object) {
                return None;
            }
        }
        let &(_, first, array) = self.boxes.iter().find(|row| row.0 == kind)?;
        let (at, count) = (explore::Site::new(0), u64::from(self.heap.length(array)));
        let inside;
        let equal;
        if kind == Kind::Long {
            let above =
                self.domain.binary::<ops::I64Sub>(at, x, D::constant(i64::from(first) as u64)).ok()?;
            inside = self.domain.binary::<ops::I64LtU>(at, above, D::constant(count)).ok()?;
            equal = self.domain.binary::<ops::I64Eq>(at, x, y).ok()?;
        } else {
            let above =
                self.domain.binary::<ops::I32Sub>(at, x, D::constant(u64::from(first as u32))).ok()?;
            inside = self.domain.binary::<ops::I32LtU>(at, above, D::constant(count)).ok()?;
            equal = self.domain.binary::<ops::I32Eq>(at, x, y).ok()?;
        }
        self.domain.binary::<ops::I32And>(at, inside, equal).ok()
    }

    /// What is in a box, and its kind.
    pub(crate) fn unboxed(&mut self, object: Ref) -> Option<(Kind, D::Value)> {
        let class = self.class_of(object);
        let kind = PRIMITIVES.iter().find(|row| row.3 == class.name)?.0;
        let (at, _) = self.field(object, "value")?;
        Some((kind, self.domain.load(&self.heap, at, kind)))
    }

    /// The identity hash: the same in every run.
    pub(crate) fn identity_hash(&mut self, object: Ref) -> u32 {
        if object == 0 {
            return 0;
        }
        match self.heap.u32(object + 8) {
            0 => {
                let hash = (object.wrapping_mul(0x9E37_79B1) >> 1).max(1);
                self.heap.set_u32(object + 8, hash);
                hash
            }
            known => known,
        }
    }
}
