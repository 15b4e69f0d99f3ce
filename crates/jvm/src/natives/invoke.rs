//! `VarHandle`: which place in the heap it names, and the ways of getting and setting it; and calls whose call site gives them their
//! type, of variable handles and of method handles (`handles.rs`).
//!
//! A handle is an object of class `VarHandle` with four words after its fields: what it names, the kind, and where.

use super::NativeRow;
use super::lang::value;
use super::memory::exchange;
use crate::class::{Class, Shape};
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::{Kind, Signature};
use crate::machine::{Done, Fault, Hook, Machine, NativeResult, Stop};
use explore::Site;
use explore::op::ops;

/// What a handle names.
const FIELD: u32 = 0;
const STATIC: u32 = 1;
const ARRAY: u32 = 2;
const VIEW: u32 = 3;
const BIG_VIEW: u32 = 4;
const BUFFER: u32 = 5;
const BIG_BUFFER: u32 = 6;

/// Kinds by the number that a handle keeps.
const KINDS: [Kind; 9] = [
    Kind::Bool,
    Kind::Byte,
    Kind::Char,
    Kind::Short,
    Kind::Int,
    Kind::Long,
    Kind::Float,
    Kind::Double,
    Kind::Ref,
];

/// An operation on words of 32 or 64 bits; none of these traps.
macro_rules! either {
    ($machine:expr, $wide:expr, $narrow_op:ident, $wide_op:ident, $a:expr, $b:expr) => {
        if $wide {
            $machine.domain.binary::<ops::$wide_op>(Site::new(0), $a, $b).unwrap_or_default()
        } else {
            $machine.domain.binary::<ops::$narrow_op>(Site::new(0), $a, $b).unwrap_or_default()
        }
    };
}

fn handle<D: Values>(
    m: &mut Machine<D>,
    names: u32,
    class: &'static Class,
    kind: Kind,
    place: u32,
) -> NativeResult<D> {
    let mirror = m.mirror(class)?;
    let class = m.load("java/lang/invoke/VarHandle")?;
    m.sync(class.id);
    let size = class.size;
    let object = m.allocate_raw(class.id, size, size as usize + 16)?;
    let number = KINDS.iter().position(|known| *known == kind).unwrap_or(8) as u32;
    for (i, word) in [names, number, place, mirror].into_iter().enumerate() {
        m.heap.set_u32(object + size + 4 * i as u32, word);
    }
    Ok(value::<D>(object))
}

fn find<D: Values>(m: &mut Machine<D>, a: &[D::Value], names: u32) -> NativeResult<D> {
    let (class, name) = (m.mirrored(D::bits(a[1]) as u32), m.text(D::bits(a[2]) as u32));
    let found = class.find_field(&name, None).filter(|(_, field)| field.is_static() == (names == STATIC));
    let Some((owner, field)) = found else {
        return Err(Fault::New("java/lang/NoSuchFieldException", Some(name)));
    };
    let mut place = field.offset;
    if names == STATIC {
        // What it is set to must not be lost when the class is initialised later.
        if !m.initialise(owner)? {
            return Err(Fault::Again);
        }
        place += m.statics[owner.id as usize];
    }
    let class = m.load(&field.ty.class)?;
    handle(m, names, class, field.ty.kind, place)
}

/// A view of bytes as numbers, in this order or in that of a network.
fn view<D: Values>(m: &mut Machine<D>, a: &[D::Value], plain: u32, big: u32) -> NativeResult<D> {
    let (element, kind) = element(m, a)?;
    let name = m.get_ref(D::bits(a[1]) as u32, "name");
    let names = if m.text(name) == "BIG_ENDIAN" { big } else { plain };
    handle(m, names, element, kind, 0)
}

/// The class and kind of the elements of an array class.
fn element<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> Result<(&'static Class, Kind), Fault> {
    let class = m.mirrored(D::bits(a[0]) as u32);
    match (class.shape, class.element_kind()) {
        (Shape::Array(element), Some(kind)) => Ok((element, kind)),
        _ => Err(Fault::New("java/lang/IllegalArgumentException", Some("not an array type".to_string()))),
    }
}

fn lookup<D: Values>(m: &mut Machine<D>, caller: &'static Class) -> NativeResult<D> {
    m.lookup_in(caller).map(value::<D>)
}

impl<D: Values> Machine<D> {
    /// A lookup on behalf of a class. Nothing is refused to it.
    pub(crate) fn lookup_in(&mut self, caller: &'static Class) -> Result<crate::heap::Ref, Fault> {
        let class = self.load("java/lang/invoke/MethodHandles$Lookup")?;
        self.sync(class.id);
        let object = self.allocate(class)?;
        let caller = self.mirror(caller)?;
        self.set_ref(object, "lookupClass", caller);
        // Every mode but UNCONDITIONAL.
        self.set_bits(object, "allowedModes", 0x5f);
        Ok(object)
    }
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        // What these classes initialise is the JDK's own linker of handles, which nothing here uses.
        ("java/lang/invoke/MethodHandles.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/MethodHandles$Lookup.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/MethodHandleNatives.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;", |m, _| {
            let caller = m.frames.last().map_or(m.known().object, |frame| frame.method.class);
            lookup(m, caller)
        }),
        ("java/lang/invoke/MethodHandles.publicLookup()Ljava/lang/invoke/MethodHandles$Lookup;", |m, _| {
            let class = m.known().object;
            lookup(m, class)
        }),
        (
            "java/lang/invoke/MethodHandles.privateLookupIn(Ljava/lang/Class;Ljava/lang/invoke/MethodHandles$Lookup;)Ljava/lang/invoke/MethodHandles$Lookup;",
            |_, a| Ok(Done::Value(a[1])),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
            |m, a| find(m, a, FIELD),
        ),
        (
            "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
            |m, a| find(m, a, STATIC),
        ),
        (
            "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
            |m, a| {
                let (element, kind) = element(m, a)?;
                handle(m, ARRAY, element, kind, 0)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
            |m, a| view(m, a, VIEW, BIG_VIEW),
        ),
        (
            "java/lang/invoke/MethodHandles.byteBufferViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
            |m, a| view(m, a, BUFFER, BIG_BUFFER),
        ),
        ("java/lang/invoke/VarHandle.varType()Ljava/lang/Class;", |m, a| {
            let handle = D::bits(a[0]) as u32;
            let size = m.heap.length(handle);
            Ok(value::<D>(m.heap.u32(handle + size + 12)))
        }),
        (
            "java/lang/invoke/VarHandle.accessModeType(Ljava/lang/invoke/VarHandle$AccessMode;)Ljava/lang/invoke/MethodType;",
            |_, _| Err(Fault::Stop(Stop::Unsupported("VarHandle.accessModeType".to_string()))),
        ),
        ("java/lang/invoke/VarHandle.coordinateTypes()Ljava/util/List;", |_, _| {
            Err(Fault::Stop(Stop::Unsupported("VarHandle.coordinateTypes".to_string())))
        }),
        (
            "java/lang/invoke/VarHandle.isAccessModeSupported(Ljava/lang/invoke/VarHandle$AccessMode;)Z",
            |_, _| Err(Fault::Stop(Stop::Unsupported("VarHandle.isAccessModeSupported".to_string()))),
        ),
        // It takes handles apart that are made otherwise here: what it would say of them is not so.
        (
            "java/lang/invoke/MethodHandles$Lookup.revealDirect(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandleInfo;",
            |_, _| Err(Fault::Stop(Stop::Unsupported("MethodHandles.Lookup.revealDirect".to_string()))),
        ),
        ("java/lang/invoke/VarHandle.fullFence()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.acquireFence()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.releaseFence()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.loadLoadFence()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.storeStoreFence()V", |_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle.withInvokeExactBehavior()Ljava/lang/invoke/VarHandle;", |_, a| {
            Ok(Done::Value(a[0]))
        }),
    ]
}

impl<D: Values> Machine<D> {
    /// A call of a method whose call site gives it its type. Arguments lie on the stack below `sp`; the place of the first is
    /// given back.
    pub(crate) fn polymorphic(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        sp: usize,
    ) -> Result<(Done<D::Value>, usize), Fault> {
        let unsupported = |what: String| Err(Fault::Stop(Stop::Unsupported(what)));
        let Some(signature) = Signature::parse(descriptor) else {
            return unsupported(format!("a call of {class}.{name}{descriptor}"));
        };
        let first = sp - 1 - signature.slots();
        match (class, name) {
            ("java/lang/invoke/VarHandle", _) => {}
            ("java/lang/invoke/MethodHandle", "invoke" | "invokeExact") => {
                let handle = Self::reference(self.stack[first]);
                let method = self.call_handle(handle, &signature, name == "invokeExact")?;
                let args = self.stack[first..sp].to_vec();
                return Ok((Done::Call(method, args, Hook::Plain), first));
            }
            _ => return unsupported(format!("{class}.{name}")),
        }
        let mut args = Vec::new();
        let mut at = first + 1;
        for ty in &signature.parameters {
            args.push((ty.kind, self.stack[at]));
            at += ty.kind.slots();
        }
        let handle = Self::reference(self.stack[first]);
        if handle == 0 {
            return Err(Fault::New("java/lang/NullPointerException", None));
        }
        // A handle that the JDK made itself has other words.
        let made = self.class_of(handle).name;
        if made != "java/lang/invoke/VarHandle" {
            return unsupported(format!("a handle of class {}", made.replace('/', ".")));
        }
        let size = self.heap.length(handle);
        let word = |i: u32| self.heap.u32(handle + size + 4 * i);
        let (names, kind, place) = (word(0), KINDS[word(1) as usize % 9], word(2));
        let (address, rest) = self.place(names, kind, place, &args)?;
        let mut rest: Vec<(Kind, D::Value)> = args[rest..].to_vec();
        for (from, value) in &mut rest {
            if *from == Kind::Ref && kind != Kind::Ref {
                let (inner, unboxed) = self
                    .unboxed(Self::reference(*value))
                    .ok_or(Fault::New("java/lang/ClassCastException", None))?;
                (*from, *value) = (inner, unboxed);
            }
            if *from != kind
                && let Some(wide) = self.widened(*from, kind, *value)
            {
                (*from, *value) = (kind, wide);
            }
        }
        let done = if matches!(names, BIG_VIEW | BIG_BUFFER) {
            self.big(name, address, kind, &rest)?
        } else {
            self.access(name, address, kind, &rest)?
        };
        // Where the call site wants an object, a number is boxed.
        let gives_flag = name.contains("AndSet") && !name.starts_with("getAnd");
        let kind = if gives_flag { Kind::Bool } else { kind };
        let done = match done {
            Done::Value(value) if signature.result.kind == Kind::Ref && kind != Kind::Ref => {
                Done::Value(D::constant(u64::from(self.boxed(kind, value)?)))
            }
            Done::Value(_) if signature.result.kind == Kind::Void => Done::Void,
            done => done,
        };
        Ok((done, first))
    }

    /// The address that a handle and its first arguments name, and how many arguments that took.
    fn place(
        &mut self,
        names: u32,
        kind: Kind,
        place: u32,
        args: &[(Kind, D::Value)],
    ) -> Result<(u32, usize), Fault> {
        if names == STATIC {
            return Ok((place, 0));
        }
        let object = args.first().map_or(0, |arg| Self::reference(arg.1));
        if object == 0 {
            return Err(Fault::New("java/lang/NullPointerException", None));
        }
        if names == FIELD {
            return Ok((object + place, 1));
        }
        let index = args.get(1).map_or(D::constant(0), |arg| arg.1);
        let is_buffer = matches!(names, BUFFER | BIG_BUFFER);
        let length = match is_buffer {
            true => self.get_bits(object, "limit") as u32,
            false => self.heap.length(object),
        };
        let room = if names == ARRAY { length } else { (length + 1).saturating_sub(kind.bytes()) };
        if !self.domain.guard::<ops::I32LtU>(Site::new(0), index, D::constant(u64::from(room))) {
            let message = format!("Index {} out of bounds for length {room}", D::bits(index) as i32);
            let class = match is_buffer {
                true => "java/lang/IndexOutOfBoundsException",
                false => "java/lang/ArrayIndexOutOfBoundsException",
            };
            return Err(Fault::New(class, Some(message)));
        }
        let index = self.plain(index) as u32;
        if is_buffer {
            let start = match self.get_ref(object, "hb") {
                0 => self.get_bits(object, "address") as u32,
                array => array + HEADER + self.get_bits(object, "offset") as u32,
            };
            return Ok((start + index, 2));
        }
        let scale = if names == ARRAY { kind.bytes() } else { 1 };
        Ok((object + HEADER + index * scale, 2))
    }

    fn access(&mut self, name: &str, at: u32, kind: Kind, args: &[(Kind, D::Value)]) -> NativeResult<D> {
        let arg = |i: usize| args.get(i).map_or(D::constant(0), |arg: &(Kind, D::Value)| arg.1);
        if kind == Kind::Ref && self.heap.u32(at) >= crate::parameters::LAZY {
            self.materialise(at)?;
        }
        let old = self.domain.load(&self.heap, at, kind);
        if name.starts_with("getAnd") {
            let new = self.combined(name, kind, old, arg(0))?;
            self.domain.store(&mut self.heap, at, kind, new);
            return Ok(Done::Value(old));
        }
        if name.starts_with("get") {
            return Ok(Done::Value(old));
        }
        if name.starts_with("set") {
            self.domain.store(&mut self.heap, at, kind, arg(0));
            return Ok(Done::Void);
        }
        let (old, same) = exchange(self, at, kind, arg(0), arg(1));
        if name.contains("Exchange") { Ok(Done::Value(old)) } else { Ok(value::<D>(u32::from(same))) }
    }

    fn combined(&mut self, name: &str, kind: Kind, old: D::Value, by: D::Value) -> Result<D::Value, Fault> {
        let wide = kind.bytes() == 8;
        Ok(if name.contains("Set") {
            by
        } else if name.contains("Add") && kind == Kind::Float {
            self.domain.binary::<ops::F32Add>(Site::new(0), old, by).unwrap_or_default()
        } else if name.contains("Add") && kind == Kind::Double {
            self.domain.binary::<ops::F64Add>(Site::new(0), old, by).unwrap_or_default()
        } else if name.contains("Add") {
            either!(self, wide, I32Add, I64Add, old, by)
        } else if name.contains("BitwiseOr") {
            either!(self, wide, I32Or, I64Or, old, by)
        } else if name.contains("BitwiseAnd") {
            either!(self, wide, I32And, I64And, old, by)
        } else {
            either!(self, wide, I32Xor, I64Xor, old, by)
        })
    }

    /// A view of bytes in the other order: only getting and setting, as the JDK's own code does.
    fn big(&mut self, name: &str, at: u32, kind: Kind, args: &[(Kind, D::Value)]) -> NativeResult<D> {
        let size = kind.bytes();
        let wide = size == 8;
        let eight = D::constant(8);
        if name.starts_with("set") {
            let mut bits = args.first().map_or(D::constant(0), |arg| arg.1);
            for i in (0..size).rev() {
                self.domain.store(&mut self.heap, at + i, Kind::Byte, bits);
                bits = either!(self, wide, I32ShrU, I64ShrU, bits, eight);
            }
            return Ok(Done::Void);
        }
        if !name.starts_with("get") || name.starts_with("getAnd") {
            return Err(Fault::Stop(Stop::Unsupported(format!(
                "VarHandle.{name} on bytes in network order"
            ))));
        }
        let mut bits = D::constant(0);
        for i in 0..size {
            let byte = self.domain.load(&self.heap, at + i, Kind::Byte);
            let mut byte = either!(self, false, I32And, I64And, byte, D::constant(255));
            if wide {
                byte = self.domain.unary::<ops::I64ExtendI32U>(Site::new(0), byte).unwrap_or_default();
            }
            let shifted = either!(self, wide, I32Shl, I64Shl, bits, eight);
            bits = either!(self, wide, I32Or, I64Or, shifted, byte);
        }
        if kind == Kind::Short {
            bits = self.domain.unary::<ops::I32Extend16S>(Site::new(0), bits).unwrap_or_default();
        }
        Ok(Done::Value(bits))
    }

    /// A primitive value as a wider kind, as reflection widens arguments.
    pub(crate) fn widened(&mut self, from: Kind, to: Kind, value: D::Value) -> Option<D::Value> {
        let small = matches!(from, Kind::Byte | Kind::Short | Kind::Char | Kind::Int);
        let at = Site::new(0);
        Some(match (from, to) {
            _ if from == to => value,
            (Kind::Byte, Kind::Short | Kind::Int) | (Kind::Short | Kind::Char, Kind::Int) => value,
            (_, Kind::Long) if small => self.domain.unary::<ops::I64ExtendI32S>(at, value).ok()?,
            (_, Kind::Float) if small => self.domain.unary::<ops::F32ConvertI32S>(at, value).ok()?,
            (_, Kind::Double) if small => self.domain.unary::<ops::F64ConvertI32S>(at, value).ok()?,
            (Kind::Long, Kind::Float) => self.domain.unary::<ops::F32ConvertI64S>(at, value).ok()?,
            (Kind::Long, Kind::Double) => self.domain.unary::<ops::F64ConvertI64S>(at, value).ok()?,
            (Kind::Float, Kind::Double) => self.domain.unary::<ops::F64PromoteF32>(at, value).ok()?,
            _ => return None,
        })
    }
}
