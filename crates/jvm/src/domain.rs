//! What the Java machine needs of a domain beside numbers and decisions: values in the heap, and elements at symbolic indices.

use crate::heap::{HEADER, Heap, Ref};
use crate::kind::Kind;
use explore::concolic::{Cell, Cells};
use explore::target::{PathEntry, PathKind, Scalar, Symbols};
use explore::{Concolic, ConcolicValue, Concrete, Need, Observer, Overlay, Scalars, Site};
use smt::{Op, Sort, TermId};

/// Values of Java.
pub(crate) trait Values: Scalars {
    /// What the domain keeps about the heap.
    type Overlay: Overlay + Default + Clone + std::fmt::Debug;

    /// The value of a kind at an address.
    fn load(&mut self, heap: &Heap<Self::Overlay>, at: u32, kind: Kind) -> Self::Value;
    /// Stores a value of a kind.
    fn store(&mut self, heap: &mut Heap<Self::Overlay>, at: u32, kind: Kind, value: Self::Value);
    /// The element at an index that is in bounds.
    fn element(
        &mut self,
        at: Site,
        heap: &Heap<Self::Overlay>,
        array: Ref,
        index: Self::Value,
        kind: Kind,
    ) -> Self::Value;
    /// Sets the element at an index that is in bounds.
    fn set_element(
        &mut self,
        at: Site,
        heap: &mut Heap<Self::Overlay>,
        array: Ref,
        index: Self::Value,
        kind: Kind,
        value: Self::Value,
    );
    /// The value of an object that is a scalar of the input.
    fn scalar(&mut self, symbols: &mut Symbols, object: &str, scalar: Scalar, bytes: &[u8]) -> Self::Value;
    /// Byte `at` of an object of the input, as a signed byte.
    fn byte(&mut self, symbols: &mut Symbols, object: &str, bytes: &[u8], at: usize) -> Self::Value;
    /// Requires that an `i32` is not zero, and says whether that is so in this run.
    fn require(&mut self, at: Site, value: Self::Value) -> bool;
    /// Notes that the run stands only for inputs for which an `i32` is not zero, as it is in this run.
    fn region(&mut self, at: Site, value: Self::Value);
    /// Whether the value depends on the input.
    fn is_symbolic(value: Self::Value) -> bool;
    /// The first `i32` if the condition is not zero, else the second. No decision: the result stands for both.
    fn choose(&mut self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Whether an `i32` is seen to be a byte, whatever the input is.
    fn is_byte(&self, value: Self::Value) -> bool;
    /// How many decisions there were so far.
    fn decisions(&self) -> usize;
    /// Makes one decision of all after the next one from `mark` on: that all go as they do in this run.
    fn join(&mut self, mark: usize);
}

impl<W: Observer> Values for Concrete<W> {
    type Overlay = ();

    #[inline(always)]
    fn load(&mut self, heap: &Heap<()>, at: u32, kind: Kind) -> u64 {
        heap.bits(at, kind)
    }

    #[inline(always)]
    fn store(&mut self, heap: &mut Heap<()>, at: u32, kind: Kind, value: u64) {
        heap.set_bits(at, kind, value);
    }

    #[inline(always)]
    fn element(&mut self, _: Site, heap: &Heap<()>, array: Ref, index: u64, kind: Kind) -> u64 {
        heap.bits(heap.element(array, index as u32, kind), kind)
    }

    #[inline(always)]
    fn set_element(&mut self, _: Site, heap: &mut Heap<()>, array: Ref, index: u64, kind: Kind, value: u64) {
        heap.set_bits(heap.element(array, index as u32, kind), kind, value);
    }

    fn scalar(&mut self, _: &mut Symbols, _: &str, scalar: Scalar, bytes: &[u8]) -> u64 {
        scalar.slot(bytes)
    }

    fn byte(&mut self, _: &mut Symbols, _: &str, bytes: &[u8], at: usize) -> u64 {
        u64::from(bytes[at] as i8 as i32 as u32)
    }

    fn require(&mut self, _: Site, value: u64) -> bool {
        value as u32 != 0
    }

    fn region(&mut self, _: Site, _: u64) {}

    #[inline(always)]
    fn is_symbolic(_: u64) -> bool {
        false
    }

    #[inline(always)]
    fn choose(&mut self, condition: u64, a: u64, b: u64) -> u64 {
        if condition as u32 != 0 { a } else { b }
    }

    #[inline(always)]
    fn is_byte(&self, value: u64) -> bool {
        (value as u32) < 256
    }

    fn decisions(&self) -> usize {
        0
    }

    fn join(&mut self, _: usize) {}
}

/// Arrays of up to this many elements become arrays of terms where an index is symbolic; in longer ones the index is taken as it
/// is in this run.
const MAX_ARRAY: u32 = 4096;

/// In arrays of up to this many elements, a store at a symbolic index may change each of them: every element becomes a choice
/// between what is stored and what it was.
const MAX_STORE: u32 = 64;

impl Values for Concolic {
    type Overlay = Cells;

    #[inline(always)]
    fn load(&mut self, heap: &Heap<Cells>, at: u32, kind: Kind) -> ConcolicValue {
        let bits = heap.bits(at, kind);
        if heap.overlay.untouched(at as usize, kind.bytes() as usize) {
            return ConcolicValue { bits, term: None };
        }
        ConcolicValue { bits, term: loaded(self, heap, at, kind) }
    }

    #[inline(always)]
    fn store(&mut self, heap: &mut Heap<Cells>, at: u32, kind: Kind, value: ConcolicValue) {
        heap.set_bits(at, kind, value.bits);
        if value.term.is_some() || !heap.overlay.untouched(at as usize, kind.bytes() as usize) {
            stored(self, heap, at, kind, value);
        }
    }

    #[inline(always)]
    fn element(
        &mut self,
        at: Site,
        heap: &Heap<Cells>,
        array: Ref,
        index: ConcolicValue,
        kind: Kind,
    ) -> ConcolicValue {
        let address = heap.element(array, index.bits as u32, kind);
        match index.term {
            Some(term) => symbolic_element(self, at, heap, array, (index, term), kind),
            None => self.load(heap, address, kind),
        }
    }

    #[inline(always)]
    fn set_element(
        &mut self,
        at: Site,
        heap: &mut Heap<Cells>,
        array: Ref,
        index: ConcolicValue,
        kind: Kind,
        value: ConcolicValue,
    ) {
        match index.term {
            Some(term) => symbolic_store(self, at, heap, array, (index, term), kind, value),
            None => self.store(heap, heap.element(array, index.bits as u32, kind), kind, value),
        }
    }

    fn scalar(&mut self, symbols: &mut Symbols, object: &str, scalar: Scalar, bytes: &[u8]) -> ConcolicValue {
        explore::world::Inputs::scalar(self, symbols, object, scalar, bytes)
    }

    fn byte(&mut self, symbols: &mut Symbols, object: &str, bytes: &[u8], at: usize) -> ConcolicValue {
        let bits = u64::from(bytes[at] as i8 as i32 as u32);
        let chunk = symbols.chunk(object, bytes.len(), at);
        let word = symbols.symbol(&mut self.terms, object, bytes.len(), chunk);
        let low = 8 * (at - chunk.0) as u32;
        let term = match chunk.1 {
            1 => word,
            _ => self.terms.mk_indexed(Op::Extract, [low + 7, low], &[word]),
        };
        ConcolicValue { bits, term: Some(self.terms.mk_indexed(Op::SignExtend, [24, 0], &[term])) }
    }

    fn require(&mut self, at: Site, value: ConcolicValue) -> bool {
        self.assume(at, value)
    }

    fn region(&mut self, at: Site, value: ConcolicValue) {
        if let Some(term) = value.term {
            let condition = self.condition(term);
            Concolic::region(self, at, condition);
        }
    }

    #[inline(always)]
    fn is_symbolic(value: ConcolicValue) -> bool {
        value.term.is_some()
    }

    fn choose(&mut self, condition: ConcolicValue, a: ConcolicValue, b: ConcolicValue) -> ConcolicValue {
        let bits = if condition.bits as u32 != 0 { a.bits } else { b.bits };
        let Some(term) = condition.term else { return if condition.bits as u32 != 0 { a } else { b } };
        if a == b {
            return a;
        }
        let condition = self.condition(term);
        let (left, right) = (self.bits_term(a, 32), self.bits_term(b, 32));
        let term = self.terms.mk(Op::Ite, &[condition, left, right]);
        ConcolicValue { bits, term: self.terms.as_value(term).is_none().then_some(term) }
    }

    fn is_byte(&self, value: ConcolicValue) -> bool {
        match value.term {
            Some(term) => is_byte(self, term),
            None => (value.bits as u32) < 256,
        }
    }

    fn decisions(&self) -> usize {
        self.path.len()
    }

    fn join(&mut self, mark: usize) {
        if self.path.len() <= mark + 2 {
            return;
        }
        let rest = self.path.split_off(mark + 1);
        let literals: Vec<TermId> = rest
            .iter()
            .map(|entry| if entry.taken { entry.term } else { self.terms.mk(Op::Not, &[entry.term]) })
            .collect();
        let term = self.terms.mk(Op::And, &literals);
        self.path.push(PathEntry { term, taken: true, kind: PathKind::Region, ..rest[0] });
    }
}

/// Whether a term is seen to be below 256: by a look through the extensions, cuts and masks that a byte goes through as a character.
fn is_byte(domain: &Concolic, mut term: TermId) -> bool {
    let value = |term: TermId| match domain.terms.as_value(term) {
        Some(smt::Value::BitVec(bits)) => bits.to_u64(),
        _ => None,
    };
    loop {
        if let Some(value) = value(term) {
            return value < 256;
        }
        match width(domain, term) {
            // No word at all: a float or a truth value.
            0 => return false,
            1..=8 => return true,
            _ => {}
        }
        let args = domain.terms.args(term);
        term = match (domain.terms.op(term), args) {
            (Op::ZeroExtend, [inner]) => *inner,
            // The low bits of what is below 256 are below 256.
            (Op::Extract, [inner]) if domain.terms.indices(term)[1] == 0 => *inner,
            (Op::Concat, [high @ .., low]) if high.iter().all(|&part| value(part) == Some(0)) => *low,
            (Op::BvAnd, args) if args.iter().any(|&arg| value(arg).is_some_and(|mask| mask < 256)) => {
                return true;
            }
            (Op::BvAnd, [inner, mask]) if value(*mask).is_some() => *inner,
            (Op::BvAnd, [mask, inner]) if value(*mask).is_some() => *inner,
            _ => return false,
        };
    }
}

/// The term of the bytes at an address, widened to a slot; none if no byte is symbolic.
#[cold]
#[inline(never)]
fn loaded(domain: &mut Concolic, heap: &Heap<Cells>, at: u32, kind: Kind) -> Option<TermId> {
    let (at, size) = (at as usize, kind.bytes() as usize);
    let first = heap.overlay.get(at);
    let term = match first {
        // The usual case: what was stored as a whole is loaded as a whole.
        Some(Cell { term, byte: 0 })
            if width(domain, term) == 8 * size as u32
                && (1..size).all(|i| heap.overlay.get(at + i) == Some(Cell { term, byte: i as u8 })) =>
        {
            term
        }
        _ => {
            if !heap.overlay.any(at..at + size) {
                return None;
            }
            let mut parts = Vec::with_capacity(size);
            for i in (0..size).rev() {
                parts.push(match heap.overlay.get(at + i) {
                    Some(Cell { term, byte }) if width(domain, term) == 8 && byte == 0 => term,
                    Some(Cell { term, byte }) => {
                        let low = 8 * u32::from(byte);
                        domain.terms.mk_indexed(Op::Extract, [low + 7, low], &[term])
                    }
                    None => constant(domain, 8, u64::from(heap.bytes[at + i])),
                });
            }
            match parts[..] {
                [only] => only,
                _ => domain.terms.mk(Op::Concat, &parts),
            }
        }
    };
    Some(widen(domain, term, kind))
}

/// Keeps the term of what is stored, or forgets what was there.
#[cold]
#[inline(never)]
fn stored(domain: &mut Concolic, heap: &mut Heap<Cells>, at: u32, kind: Kind, value: ConcolicValue) {
    let (at, size) = (at as usize, kind.bytes() as usize);
    let term = value.term.map(|_| {
        let word = domain.bits_term(value, 8 * size as u32);
        narrow(domain, word, kind)
    });
    for i in 0..size {
        heap.overlay.set(at + i, term.map(|term| Cell { term, byte: i as u8 }));
    }
}

/// A load at a symbolic index: the array's elements become an array of terms.
#[cold]
#[inline(never)]
fn symbolic_element(
    domain: &mut Concolic,
    at: Site,
    heap: &Heap<Cells>,
    array: Ref,
    (index, term): (ConcolicValue, TermId),
    kind: Kind,
) -> ConcolicValue {
    let length = heap.length(array);
    if kind == Kind::Ref && length <= MAX_ARRAY {
        return reference_element(domain, at, heap, array, (index, term));
    }
    if length > MAX_ARRAY {
        let index = domain.concretise(at, Need::Address, index) as u32;
        return domain.load(heap, heap.element(array, index, kind), kind);
    }
    let size = kind.bytes();
    let (index_sort, element_sort) = (domain.terms.bit_vec_sort(32), domain.terms.bit_vec_sort(8 * size));
    let sort = domain.terms.array_sort(index_sort, element_sort);
    // The most frequent element is what the array is everywhere else: most tables are mostly one value.
    let zero = constant(domain, 8 * size, 0);
    let Ok(mut elements) = domain.terms.const_array(sort, zero) else {
        unreachable!("a constant array of words is well sorted")
    };
    for i in 0..length {
        let address = array + HEADER + i * size;
        let value = domain.load(heap, address, kind);
        if value.term.is_none() && value.bits == 0 {
            continue;
        }
        let word = if value.term.is_some() {
            let word = domain.bits_term(value, 32.max(8 * size));
            narrow(domain, word, kind)
        } else {
            constant(domain, 8 * size, value.bits)
        };
        let place = constant(domain, 32, u64::from(i));
        elements = domain.terms.mk(Op::Store, &[elements, place, word]);
    }
    let chosen = domain.terms.mk(Op::Select, &[elements, term]);
    let bits = heap.bits(heap.element(array, index.bits as u32, kind), kind);
    ConcolicValue { bits, term: Some(widen(domain, chosen, kind)) }
}

/// A load of a reference at a symbolic index. References are never symbolic, so the run stands for all indices at which the array
/// has the same reference: in a table of a `HashMap`, for all that are empty.
fn reference_element(
    domain: &mut Concolic,
    at: Site,
    heap: &Heap<Cells>,
    array: Ref,
    (index, term): (ConcolicValue, TermId),
) -> ConcolicValue {
    let element = |i: u32| heap.u32(heap.element(array, i, Kind::Ref));
    let (length, found) = (heap.length(array), element(index.bits as u32));
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < length {
        let start = i;
        while i < length && element(i) == found {
            i += 1;
        }
        if i > start {
            ranges.push((start, i));
        }
        i += 1;
    }
    let mut parts = Vec::with_capacity(ranges.len());
    for &(start, end) in &ranges {
        if (start, end) == (0, length) {
            return ConcolicValue { bits: u64::from(found), term: None };
        }
        let (start_term, count) =
            (constant(domain, 32, u64::from(start)), constant(domain, 32, u64::from(end - start)));
        parts.push(if end - start == 1 {
            domain.terms.mk(Op::Eq, &[term, start_term])
        } else {
            let above = domain.terms.mk(Op::BvSub, &[term, start_term]);
            domain.terms.mk(Op::BvUlt, &[above, count])
        });
    }
    let condition = match parts[..] {
        [only] => only,
        _ => domain.terms.mk(Op::Or, &parts),
    };
    domain.region(at, condition);
    ConcolicValue { bits: u64::from(found), term: None }
}

/// A store at a symbolic index.
#[cold]
#[inline(never)]
fn symbolic_store(
    domain: &mut Concolic,
    at: Site,
    heap: &mut Heap<Cells>,
    array: Ref,
    (index, term): (ConcolicValue, TermId),
    kind: Kind,
    value: ConcolicValue,
) {
    let length = heap.length(array);
    if kind == Kind::Ref || length > MAX_STORE {
        let index = domain.concretise(at, Need::Address, index) as u32;
        return domain.store(heap, heap.element(array, index, kind), kind, value);
    }
    let slot = 32.max(8 * kind.bytes());
    let new = domain.bits_term(value, slot);
    for i in 0..length {
        let address = heap.element(array, i, kind);
        let old = domain.load(heap, address, kind);
        let (place, old_term) = (constant(domain, 32, u64::from(i)), domain.bits_term(old, slot));
        let here = domain.terms.mk(Op::Eq, &[term, place]);
        let bits = if i == index.bits as u32 { value.bits } else { old.bits };
        let chosen = domain.terms.mk(Op::Ite, &[here, new, old_term]);
        domain.store(heap, address, kind, ConcolicValue { bits, term: Some(chosen) });
    }
}

fn constant(domain: &mut Concolic, width: u32, bits: u64) -> TermId {
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    domain.terms.constant(smt::Value::BitVec(smt::BitVec::new(width, smt::UBig::from(bits & mask))))
}

fn width(domain: &Concolic, term: TermId) -> u32 {
    match domain.terms.sort_of(domain.terms.sort(term)) {
        Sort::BitVec(width) => *width,
        _ => 0,
    }
}

/// The low bytes of a slot's term.
fn narrow(domain: &mut Concolic, term: TermId, kind: Kind) -> TermId {
    let wanted = 8 * kind.bytes();
    if width(domain, term) == wanted {
        return term;
    }
    // A byte that was widened and is stored again is the byte it was.
    if matches!(domain.terms.op(term), Op::SignExtend | Op::ZeroExtend) {
        let inner = domain.terms.args(term)[0];
        if width(domain, inner) == wanted {
            return inner;
        }
    }
    domain.terms.mk_indexed(Op::Extract, [wanted - 1, 0], &[term])
}

/// A term of the heap as a slot's.
fn widen(domain: &mut Concolic, term: TermId, kind: Kind) -> TermId {
    let by = 32_u32.saturating_sub(8 * kind.bytes());
    match kind {
        Kind::Bool | Kind::Byte | Kind::Short => domain.terms.mk_indexed(Op::SignExtend, [by, 0], &[term]),
        Kind::Char => domain.terms.mk_indexed(Op::ZeroExtend, [by, 0], &[term]),
        _ => term,
    }
}
