//! `Unsafe`: the heap by address. An object and an offset, or null and an address, come to the same: an address of the heap.

use super::NativeRow;
use super::lang::{value, value64};
use crate::class::Shape;
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Machine, NativeResult};
use explore::op::{Compare, ops};
use explore::{Overlay, Site};

/// The address of an object (argument 1) and an offset (argument 2).
fn address<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> u32 {
    let offset = m.plain(a[2]);
    (D::bits(a[1]) as u32).wrapping_add(offset as u32)
}

fn get<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let at = address(m, a);
    let value = m.domain.load(&m.heap, at, kind);
    if kind == Kind::Ref && D::bits(value) as u32 >= crate::parameters::LAZY {
        return m.materialise(at).map(Done::Value);
    }
    Ok(Done::Value(value))
}

fn put<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let at = address(m, a);
    m.domain.store(&mut m.heap, at, kind, a[4]);
    Ok(Done::Void)
}

/// Compares and sets; gives what was there, and whether it was the expected.
pub(super) fn exchange<D: Values>(
    m: &mut Machine<D>,
    at: u32,
    kind: Kind,
    expected: D::Value,
    new: D::Value,
) -> (D::Value, bool) {
    let old = m.domain.load(&m.heap, at, kind);
    let same = if kind.bytes() == 8 {
        equal::<D, ops::I64Eq>(m, old, expected)
    } else {
        equal::<D, ops::I32Eq>(m, old, expected)
    };
    if same {
        m.domain.store(&mut m.heap, at, kind, new);
    }
    (old, same)
}

fn equal<D: Values, O: Compare>(m: &mut Machine<D>, a: D::Value, b: D::Value) -> bool {
    m.domain.guard::<O>(Site::new(0), a, b)
}

fn compare_and_set<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let at = address(m, a);
    let (_, same) = exchange(m, at, kind, a[4], a[4 + kind.slots()]);
    Ok(value::<D>(u32::from(same)))
}

fn compare_and_exchange<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let at = address(m, a);
    let (old, _) = exchange(m, at, kind, a[4], a[4 + kind.slots()]);
    Ok(Done::Value(old))
}

fn named_field<D: Values>(m: &mut Machine<D>, class: u32, name: u32) -> NativeResult<D> {
    let (class, name) = (m.mirrored(class), m.text(name));
    match class.find_field(&name, None) {
        Some((_, field)) => Ok(value64::<D>(u64::from(field.offset))),
        None => Err(Fault::New("java/lang/InternalError", Some(name))),
    }
}

/// The field of a `java.lang.reflect.Field`.
pub(super) fn reflected<D: Values>(
    m: &mut Machine<D>,
    field: u32,
) -> Option<(&'static crate::class::Class, &'static crate::class::Field)> {
    let class = m.get_ref(field, "clazz");
    let class = m.mirrored(class);
    let slot = m.get_bits(field, "slot") as usize;
    class.fields.get(slot).map(|field| (class, field))
}

fn reflected_offset<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let field = reflected(m, D::bits(a[1]) as u32);
    Ok(value64::<D>(field.map_or(0, |(_, field)| u64::from(field.offset))))
}

/// An element as a native of `Array` gives or takes it: widened to another kind.
fn element_at<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> Result<(u32, Kind), Fault> {
    let array = array_argument(m, a)?;
    let index = m.plain(a[1]) as u32;
    if index >= m.heap.length(array) {
        return Err(Fault::New("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    let kind = m.class_of(array).element_kind().unwrap_or(Kind::Ref);
    Ok((array + HEADER + index * kind.bytes(), kind))
}

fn mismatch() -> Fault {
    Fault::New("java/lang/IllegalArgumentException", Some("argument type mismatch".into()))
}

fn get_as<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let (at, from) = element_at(m, a)?;
    let element = m.domain.load(&m.heap, at, from);
    m.widened(from, kind, element).map(Done::Value).ok_or_else(mismatch)
}

fn set_as<D: Values>(m: &mut Machine<D>, a: &[D::Value], kind: Kind) -> NativeResult<D> {
    let (at, to) = element_at(m, a)?;
    let element = m.widened(kind, to, a[2]).ok_or_else(mismatch)?;
    m.domain.store(&mut m.heap, at, to, element);
    Ok(Done::Void)
}

macro_rules! elements {
    ($($name:literal $letter:literal $kind:ident;)*) => {
        vec![$(
            (concat!("java/lang/reflect/Array.get", $name, "(Ljava/lang/Object;I)", $letter), |m, a| get_as(m, a, Kind::$kind)),
            (concat!("java/lang/reflect/Array.set", $name, "(Ljava/lang/Object;I", $letter, ")V"), |m, a| set_as(m, a, Kind::$kind)),
        )*]
    };
}

macro_rules! access {
    ($($name:literal $letter:literal $kind:ident;)*) => {
        vec![$(
            (concat!("jdk/internal/misc/Unsafe.get", $name, "(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, Kind::$kind)),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Volatile(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, Kind::$kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, Kind::$kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Volatile(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, Kind::$kind)),
        )*]
    };
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows: Vec<NativeRow<D>> = access! {
        "Int" "I" Int;
        "Long" "J" Long;
        "Byte" "B" Byte;
        "Short" "S" Short;
        "Char" "C" Char;
        "Float" "F" Float;
        "Double" "D" Double;
        "Boolean" "Z" Bool;
        "Reference" "Ljava/lang/Object;" Ref;
    };
    rows.extend::<Vec<NativeRow<D>>>(elements! {
        "Int" "I" Int;
        "Long" "J" Long;
        "Byte" "B" Byte;
        "Short" "S" Short;
        "Char" "C" Char;
        "Float" "F" Float;
        "Double" "D" Double;
        "Boolean" "Z" Bool;
    });
    rows.extend::<Vec<NativeRow<D>>>(vec![
        ("jdk/internal/misc/Unsafe.copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", |m, a| {
            let from = address(m, a);
            let to = (D::bits(a[4]) as u32).wrapping_add(m.plain(a[5]) as u32);
            let (length, size) = (m.plain(a[7]) as u32, (m.plain(a[9]) as u32).max(1));
            let mut bytes = Vec::new();
            for i in 0..length {
                let mirrored = i - i % size + (size - 1 - i % size);
                bytes.push(m.domain.load(&m.heap, from + mirrored, Kind::Byte));
            }
            for (i, byte) in bytes.into_iter().enumerate() {
                m.domain.store(&mut m.heap, to + i as u32, Kind::Byte, byte);
            }
            Ok(Done::Void)
        }),
        ("jdk/internal/misc/Unsafe.compareAndSetInt(Ljava/lang/Object;JII)Z", |m, a| compare_and_set(m, a, Kind::Int)),
        ("jdk/internal/misc/Unsafe.compareAndSetLong(Ljava/lang/Object;JJJ)Z", |m, a| compare_and_set(m, a, Kind::Long)),
        (
            "jdk/internal/misc/Unsafe.compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
            |m, a| compare_and_set(m, a, Kind::Ref),
        ),
        ("jdk/internal/misc/Unsafe.compareAndExchangeInt(Ljava/lang/Object;JII)I", |m, a| compare_and_exchange(m, a, Kind::Int)),
        ("jdk/internal/misc/Unsafe.compareAndExchangeLong(Ljava/lang/Object;JJJ)J", |m, a| compare_and_exchange(m, a, Kind::Long)),
        (
            "jdk/internal/misc/Unsafe.compareAndExchangeReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            |m, a| compare_and_exchange(m, a, Kind::Ref),
        ),
        ("jdk/internal/misc/Unsafe.objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J", |m, a| {
            named_field(m, D::bits(a[1]) as u32, D::bits(a[2]) as u32)
        }),
        ("jdk/internal/misc/Unsafe.objectFieldOffset0(Ljava/lang/reflect/Field;)J", |m, a| reflected_offset(m, a)),
        ("jdk/internal/misc/Unsafe.staticFieldOffset0(Ljava/lang/reflect/Field;)J", |m, a| reflected_offset(m, a)),
        ("jdk/internal/misc/Unsafe.staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;", |m, a| {
            let Some((class, _)) = reflected(m, D::bits(a[1]) as u32) else { return Ok(value::<D>(0)) };
            m.prepare(class)?;
            Ok(value::<D>(m.statics[class.id as usize]))
        }),
        ("jdk/internal/misc/Unsafe.shouldBeInitialized0(Ljava/lang/Class;)Z", |m, a| {
            let class = m.mirrored(D::bits(a[1]) as u32);
            Ok(value::<D>(u32::from(m.ready[class.id as usize] == 0)))
        }),
        ("jdk/internal/misc/Unsafe.ensureClassInitialized0(Ljava/lang/Class;)V", |m, a| {
            let class = m.mirrored(D::bits(a[1]) as u32);
            if m.initialise(class)? { Ok(Done::Void) } else { Err(Fault::Again) }
        }),
        ("jdk/internal/misc/Unsafe.arrayBaseOffset0(Ljava/lang/Class;)I", |_, _| Ok(value::<D>(HEADER))),
        ("jdk/internal/misc/Unsafe.arrayIndexScale0(Ljava/lang/Class;)I", |m, a| {
            let class = m.mirrored(D::bits(a[1]) as u32);
            Ok(value::<D>(class.element_kind().map_or(0, Kind::bytes)))
        }),
        ("jdk/internal/misc/Unsafe.pageSize()I", |_, _| Ok(value::<D>(4096))),
        // What HotSpot writes into its constants.
        ("jdk/internal/misc/UnsafeConstants.<clinit>()V", |m, _| {
            let class = m.load("jdk/internal/misc/UnsafeConstants")?;
            for (name, bits) in
                [("ADDRESS_SIZE0", 8), ("PAGE_SIZE", 4096), ("BIG_ENDIAN", 0), ("UNALIGNED_ACCESS", 1)]
            {
                let (at, kind) = m.static_field(class, name)?;
                m.heap.set_bits(at, kind, bits);
            }
            Ok(Done::Void)
        }),
        ("jdk/internal/misc/Unsafe.fullFence()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/Unsafe.loadFence()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/Unsafe.storeFence()V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/Unsafe.allocateMemory0(J)J", |m, a| {
            let size = m.plain(a[1]) as usize;
            let object = m.known().object.id;
            let block = m.allocate_raw(object, 0, HEADER as usize + size)?;
            Ok(value64::<D>(u64::from(block + HEADER)))
        }),
        ("jdk/internal/misc/Unsafe.freeMemory0(J)V", |_, _| Ok(Done::Void)),
        ("jdk/internal/misc/Unsafe.setMemory0(Ljava/lang/Object;JJB)V", |m, a| {
            let at = address(m, a) as usize;
            let (length, byte) = (m.plain(a[4]) as usize, m.plain(a[6]) as u8);
            if let Some(bytes) = m.heap.bytes.get_mut(at..at + length) {
                bytes.fill(byte);
            }
            m.heap.overlay.clear(at..at + length);
            Ok(Done::Void)
        }),
        ("jdk/internal/misc/Unsafe.copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V", |m, a| {
            let from = address(m, a);
            let to = (D::bits(a[4]) as u32).wrapping_add(m.plain(a[5]) as u32);
            let length = m.plain(a[7]) as u32;
            m.heap.copy(from, to, length);
            Ok(Done::Void)
        }),
        ("jdk/internal/misc/Unsafe.allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;", |m, a| {
            let class = m.mirrored(D::bits(a[1]) as u32);
            if !m.initialise(class)? {
                return Err(Fault::Again);
            }
            m.allocate(class).map(value::<D>)
        }),
        ("jdk/internal/misc/Unsafe.throwException(Ljava/lang/Throwable;)V", |_, a| Err(Fault::Throw(D::bits(a[1]) as u32))),
        ("java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", arraycopy),
        ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", |m, a| {
            let array = array_argument(m, a)?;
            Ok(value::<D>(m.heap.length(array)))
        }),
        ("java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;", |m, a| {
            let class = m.mirrored(D::bits(a[0]) as u32);
            let length = m.plain(a[1]) as u32;
            if (length as i32) < 0 {
                return Err(Fault::New("java/lang/NegativeArraySizeException", Some((length as i32).to_string())));
            }
            let name = crate::registry::array_name(class);
            m.array(&name, length).map(value::<D>)
        }),
        ("java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;", |m, a| {
            let class = m.mirrored(D::bits(a[0]) as u32);
            let lengths = D::bits(a[1]) as u32;
            let lengths: Vec<u32> = (0..m.heap.length(lengths)).map(|i| m.heap.u32(lengths + HEADER + 4 * i)).collect();
            let mut name = crate::registry::array_name(class);
            name.insert_str(0, &"[".repeat(lengths.len().saturating_sub(1)));
            let class = m.load(&name)?;
            m.nested_arrays(class, &lengths).map(value::<D>)
        }),
        ("java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;", |m, a| {
            let (at, kind) = element_at(m, a)?;
            let element = m.domain.load(&m.heap, at, kind);
            m.boxed(kind, element).map(value::<D>)
        }),
        ("java/lang/reflect/Array.set(Ljava/lang/Object;ILjava/lang/Object;)V", |m, a| {
            let (at, to) = element_at(m, a)?;
            let element = match to {
                Kind::Ref => a[2],
                _ => {
                    let (from, element) = m.unboxed(D::bits(a[2]) as u32).ok_or_else(mismatch)?;
                    m.widened(from, to, element).ok_or_else(mismatch)?
                }
            };
            m.domain.store(&mut m.heap, at, to, element);
            Ok(Done::Void)
        }),
    ]);
    rows
}

fn array_argument<D: Values>(m: &Machine<D>, a: &[D::Value]) -> Result<u32, Fault> {
    let array = D::bits(a[0]) as u32;
    if array == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    if !matches!(m.class_of(array).shape, Shape::Array(_)) {
        return Err(Fault::New(
            "java/lang/IllegalArgumentException",
            Some("Argument is not an array".into()),
        ));
    }
    Ok(array)
}

/// `System.arraycopy`, with the checks of its specification.
fn arraycopy<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (from, to) = (D::bits(a[0]) as u32, D::bits(a[2]) as u32);
    if from == 0 || to == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let (source, target) = (m.class_of(from), m.class_of(to));
    let mismatch = |message: String| Err(Fault::New("java/lang/ArrayStoreException", Some(message)));
    let (Shape::Array(x), Shape::Array(y)) = (source.shape, target.shape) else {
        let (what, class) = match source.shape {
            Shape::Array(_) => ("destination", target),
            Shape::Plain | Shape::Primitive(_) => ("source", source),
        };
        return mismatch(format!("arraycopy: {what} type {} is not an array", class.name.replace('/', ".")));
    };
    if x.kind() != y.kind() {
        let named = |class: &crate::class::Class| match class.kind().primitive() {
            Some(row) => format!("{}[]", row.2),
            None => "object array[]".to_string(),
        };
        return mismatch(format!("arraycopy: type mismatch: can not copy {} into {}", named(x), named(y)));
    }
    // Bounds are decisions: positions and lengths often come from the input.
    let (have, room) = (m.heap.length(from), m.heap.length(to));
    let limit = |m: &mut Machine<D>, value: D::Value, most: i64| {
        let site = Site::new(0);
        most >= 0
            && m.domain.guard::<ops::I32GeS>(site, value, D::constant(0))
            && m.domain.guard::<ops::I32LeS>(site, value, D::constant(most.min(i64::from(i32::MAX)) as u64))
    };
    let length_fits = limit(m, a[4], i64::from(i32::MAX));
    let length = m.plain(a[4]) as i32;
    let from_fits = length_fits && limit(m, a[1], i64::from(have) - i64::from(length));
    let from_at = m.plain(a[1]) as i32;
    let to_fits = from_fits && limit(m, a[3], i64::from(room) - i64::from(length));
    let to_at = m.plain(a[3]) as i32;
    if !to_fits {
        let named = |class: &crate::class::Class, length: u32| {
            let kind = class.element_kind().unwrap_or(Kind::Ref);
            match kind.primitive() {
                Some(row) => format!("{}[{length}]", row.2),
                None => format!("object array[{length}]"),
            }
        };
        let message = if length < 0 {
            format!("arraycopy: length {length} is negative")
        } else if from_at < 0 {
            format!("arraycopy: source index {from_at} out of bounds for {}", named(source, have))
        } else if to_at < 0 {
            format!("arraycopy: destination index {to_at} out of bounds for {}", named(target, room))
        } else if i64::from(from_at) + i64::from(length) > i64::from(have) {
            let end = i64::from(from_at) + i64::from(length);
            format!("arraycopy: last source index {end} out of bounds for {}", named(source, have))
        } else {
            let end = i64::from(to_at) + i64::from(length);
            format!("arraycopy: last destination index {end} out of bounds for {}", named(target, room))
        };
        return Err(Fault::New("java/lang/ArrayIndexOutOfBoundsException", Some(message)));
    }
    let bytes = x.kind().bytes();
    if x.kind() == Kind::Ref && !source.is_subtype_of(target) {
        for i in 0..length as u32 {
            let place = from + HEADER + 4 * (from_at as u32 + i);
            if m.heap.u32(place) >= crate::parameters::LAZY {
                m.materialise(place)?;
            }
            let element = m.heap.u32(place);
            if element != 0 && !m.class_of(element).is_subtype_of(y) {
                let (from, to) = (x.name.replace('/', "."), y.name.replace('/', "."));
                return mismatch(format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {from}[] to the type of the \
                     destination array, {to}"
                ));
            }
            m.heap.set_u32(to + HEADER + 4 * (to_at as u32 + i), element);
        }
        return Ok(Done::Void);
    }
    m.heap.copy(
        from + HEADER + from_at as u32 * bytes,
        to + HEADER + to_at as u32 * bytes,
        length as u32 * bytes,
    );
    Ok(Done::Void)
}
