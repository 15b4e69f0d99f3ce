//! `Object`, `Throwable`, `Runtime`, boxes of bits.

use super::NativeRow;
use crate::domain::Values;
use crate::heap::HEADER;
use crate::machine::{Done, Fault};
use explore::Site;
use explore::op::ops;

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/Object.getClass()Ljava/lang/Class;", |m, a| {
            let class = m.class_of(a0::<D>(a));
            m.mirror(class).map(value::<D>)
        }),
        ("java/lang/Object.hashCode()I", |m, a| Ok(value::<D>(m.identity_hash(a0::<D>(a))))),
        ("java/lang/System.identityHashCode(Ljava/lang/Object;)I", |m, a| {
            Ok(value::<D>(m.identity_hash(a0::<D>(a))))
        }),
        ("java/lang/Object.clone()Ljava/lang/Object;", |m, a| {
            let object = a0::<D>(a);
            let class = m.class_of(object);
            let cloneable = m.load("java/lang/Cloneable")?;
            if !class.is_subtype_of(cloneable) {
                return Err(Fault::New(
                    "java/lang/CloneNotSupportedException",
                    Some(class.name.replace('/', ".")),
                ));
            }
            let copy = match class.element_kind() {
                Some(kind) => {
                    let length = m.heap.length(object);
                    let copy = m.allocate_array(class, length)?;
                    m.heap.copy(object + HEADER, copy + HEADER, length * kind.bytes());
                    copy
                }
                None => {
                    let copy = m.allocate(class)?;
                    m.heap.copy(object + HEADER, copy + HEADER, class.size - HEADER);
                    copy
                }
            };
            Ok(value::<D>(copy))
        }),
        ("java/lang/Object.notify()V", |m, a| m.notify(a0::<D>(a), false).map(|()| Done::Void)),
        ("java/lang/Object.notifyAll()V", |m, a| m.notify(a0::<D>(a), true).map(|()| Done::Void)),
        ("java/lang/Object.wait(J)V", |m, a| {
            let millis = m.plain(a[1]);
            m.wait(a0::<D>(a), millis).map(|()| Done::Void)
        }),
        ("java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;", |m, a| {
            m.fill_in(a0::<D>(a))?;
            Ok(Done::Value(a[0]))
        }),
        (
            "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
            |m, a| {
                let (elements, exception) = (m.refs(a0::<D>(a)), D::bits(a[1]) as u32);
                for (element, (method, offset)) in elements.into_iter().zip(m.backtrace(exception)) {
                    fill_element(m, element, method, offset)?;
                }
                Ok(Done::Void)
            },
        ),
        // What a trace shows of loaders and modules: the name of the JDK's module without its version.
        ("java/lang/StackTraceElement.computeFormat()V", |m, a| {
            m.set_bits(a0::<D>(a), "format", 3);
            m.set_ref(a0::<D>(a), "declaringClassObject", 0);
            Ok(Done::Void)
        }),
        ("java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;", |m, a| {
            match m.what_was_null(a0::<D>(a)) {
                Some(text) => m.string(&text).map(value::<D>),
                None => Ok(value::<D>(0)),
            }
        }),
        ("java/lang/Runtime.availableProcessors()I", |_, _| Ok(value::<D>(1))),
        ("java/lang/Runtime.freeMemory()J", |m, _| Ok(value64::<D>((m.heap.limit - m.heap_size()) as u64))),
        ("java/lang/Runtime.totalMemory()J", |m, _| Ok(value64::<D>(m.heap.limit as u64))),
        ("java/lang/Runtime.maxMemory()J", |m, _| Ok(value64::<D>(m.heap.limit as u64))),
        ("java/lang/Runtime.gc()V", |_, _| Ok(Done::Void)),
        ("java/lang/Float.floatToRawIntBits(F)I", |m, a| reinterpret::<D, ops::I32ReinterpretF32>(m, a[0])),
        ("java/lang/Float.intBitsToFloat(I)F", |m, a| reinterpret::<D, ops::F32ReinterpretI32>(m, a[0])),
        ("java/lang/Double.doubleToRawLongBits(D)J", |m, a| {
            reinterpret::<D, ops::I64ReinterpretF64>(m, a[0])
        }),
        ("java/lang/Double.longBitsToDouble(J)D", |m, a| reinterpret::<D, ops::F64ReinterpretI64>(m, a[0])),
        ("java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z", |m, a| {
            let referent = m.get_ref(a0::<D>(a), "referent");
            Ok(value::<D>(u32::from(referent == D::bits(a[1]) as u32)))
        }),
        ("java/lang/ref/PhantomReference.refersTo0(Ljava/lang/Object;)Z", |m, a| {
            let referent = m.get_ref(a0::<D>(a), "referent");
            Ok(value::<D>(u32::from(referent == D::bits(a[1]) as u32)))
        }),
        ("java/lang/ref/Reference.clear0()V", |m, a| {
            m.set_ref(a0::<D>(a), "referent", 0);
            Ok(Done::Void)
        }),
        // No garbage is collected, so no reference is ever cleared: its thread would only wait.
        ("java/lang/ref/Reference.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/ref/Finalizer.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/ref/Finalizer.register(Ljava/lang/Object;)V", |_, _| Ok(Done::Void)),
        (
            "jdk/internal/ref/CleanerImpl.start(Ljava/lang/ref/Cleaner;Ljava/util/concurrent/ThreadFactory;)V",
            |_, _| Ok(Done::Void),
        ),
    ]
}

/// The one string of a text that occurs often.
fn interned<D: Values>(m: &mut crate::machine::Machine<D>, text: &str) -> Result<u32, Fault> {
    let units: Vec<u16> = text.encode_utf16().collect();
    m.intern(&units)
}

pub(super) fn fill_element<D: Values>(
    m: &mut crate::machine::Machine<D>,
    element: u32,
    method: u32,
    offset: u16,
) -> Result<(), Fault> {
    let method = m.registry.method(method);
    let class = interned(m, &method.class.name.replace('/', "."))?;
    let name = interned(m, &method.name)?;
    m.set_ref(element, "declaringClass", class);
    m.set_ref(element, "methodName", name);
    let mirror = m.mirror(method.class)?;
    m.set_ref(element, "declaringClassObject", mirror);
    if let Some(source) = &method.class.details.source {
        let source = interned(m, source)?;
        m.set_ref(element, "fileName", source);
    }
    if !method.class.own
        && let Some(module) = m.registry.path().image.module_of(method.class.package()).ok().flatten()
    {
        let module = interned(m, &module)?;
        m.set_ref(element, "moduleName", module);
    }
    if method.class.own {
        let loader = interned(m, "app")?;
        m.set_ref(element, "classLoaderName", loader);
    }
    let is_native = method.native.is_some() && method.body.is_none();
    let line = if is_native { -2 } else { method.line(offset).map_or(-1, i32::from) };
    m.set_bits(element, "lineNumber", line as u32 as u64);
    Ok(())
}

fn reinterpret<D: Values, O: explore::op::Unary>(
    m: &mut crate::machine::Machine<D>,
    a: D::Value,
) -> crate::machine::NativeResult<D> {
    Ok(Done::Value(m.domain.unary::<O>(Site::new(0), a).unwrap_or_default()))
}

/// The first argument as a reference.
pub(super) fn a0<D: Values>(args: &[D::Value]) -> u32 {
    D::bits(args[0]) as u32
}

pub(super) fn value<D: Values>(bits: u32) -> Done<D::Value> {
    Done::Value(D::constant(u64::from(bits)))
}

pub(super) fn value64<D: Values>(bits: u64) -> Done<D::Value> {
    Done::Value(D::constant(bits))
}
