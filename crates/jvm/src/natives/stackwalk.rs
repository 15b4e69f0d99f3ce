//! `StackWalker`: the frames of the thread, handed to the JDK's walker in pieces.

use super::NativeRow;
use super::lang::{a0, fill_element, value};
use crate::class::Method;
use crate::domain::Values;
use crate::heap::HEADER;
use crate::kind::Kind;
use crate::machine::{Done, Fault, Hook, Machine, NativeResult};

/// The mode in which only classes are asked for.
const CLASSES_ONLY: u64 = 2;

/// The first place of the result that the JDK's walker keeps free.
fn is_walker(class: &str) -> bool {
    class.starts_with("java/lang/StackWalker") || class.starts_with("java/lang/StackStreamFactory")
}

/// Fills an array from a place on with up to so many frames below a position. Gives the position that is left, and the place after
/// the last frame.
fn fill<D: Values>(
    m: &mut Machine<D>,
    mode: u64,
    mut position: usize,
    most: usize,
    start: usize,
    array: u32,
) -> Result<(usize, usize), Fault> {
    let places = m.refs(array);
    let mut at = start;
    while position > 0 && at < start + most && at < places.len() {
        position -= 1;
        let frame = m.frames[position];
        if frame.is_hidden() {
            continue;
        }
        if mode & CLASSES_ONLY != 0 {
            let class = m.mirror(frame.method.class)?;
            m.heap.set_u32(array + HEADER + 4 * at as u32, class);
        } else {
            let offset = frame.code.offsets.get(frame.pc as usize).copied().unwrap_or(0);
            let word = m.array("[J", 1)?;
            let bits = u64::from(frame.method.id) << 16 | u64::from(offset);
            m.heap.set_bits(word + HEADER, Kind::Long, bits);
            m.set_ref(places[at], "memberName", word);
            m.set_bits(places[at], "bci", u64::from(offset));
        }
        at += 1;
    }
    Ok((position, at))
}

/// The method and the offset that a `StackFrameInfo` stands for.
fn frame_of<D: Values>(m: &Machine<D>, info: u32) -> (&'static Method, u16) {
    let word = m.get_ref(info, "memberName");
    let bits = if word == 0 { 0 } else { m.heap.bits(word + HEADER, Kind::Long) };
    (m.registry.method((bits >> 16) as u32), bits as u16)
}

fn walk<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (mode, skipped) = (m.plain(a[1]), m.plain(a[3]) as usize);
    let (most, start, array) = (m.plain(a[4]) as usize, m.plain(a[5]) as usize, D::bits(a[6]) as u32);
    let mut position = m.frames.len();
    while position > 0 && is_walker(m.frames[position - 1].method.class.name) {
        position -= 1;
    }
    let position = position.saturating_sub(skipped);
    let (left, end) = fill(m, mode, position, most, start, array)?;
    let class = m.load("java/lang/StackStreamFactory$AbstractStackWalker")?;
    let Some(method) = class.declared("doStackWalk", "(JIIII)Ljava/lang/Object;") else {
        return Err(Fault::New("java/lang/InternalError", None));
    };
    // The walker gives the position back when it asks for more.
    let anchor = D::constant(left as u64 + 1);
    let end = D::constant(end as u64);
    Ok(Done::Call(method, vec![a[0], anchor, D::constant(0), a[3], a[4], a[5], end], Hook::Plain))
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/StackStreamFactory.checkStackWalkModes()Z", |_, _| Ok(value::<D>(1))),
        (
            "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
            |m, a| walk(m, a),
        ),
        (
            "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJII[Ljava/lang/Object;)I",
            |m, a| {
                let (mode, position) = (m.plain(a[1]), m.plain(a[3]) as usize - 1);
                let (most, start) = (m.plain(a[5]) as usize, m.plain(a[6]) as usize);
                let (left, end) = fill(m, mode, position, most, start, D::bits(a[7]) as u32)?;
                m.set_bits(a0::<D>(a), "anchor", left as u64 + 1);
                Ok(value::<D>(end as u32))
            },
        ),
        // A frame knows its method by number instead of by the name of a method handle.
        ("java/lang/StackFrameInfo.<clinit>()V", |_, _| Ok(Done::Void)),
        ("java/lang/StackFrameInfo.<init>(Ljava/lang/StackWalker;)V", |m, a| {
            let keeps = m.get_bits(D::bits(a[1]) as u32, "retainClassRef");
            m.set_bits(a0::<D>(a), "retainClassRef", keeps);
            Ok(Done::Void)
        }),
        ("java/lang/StackFrameInfo.declaringClass()Ljava/lang/Class;", |m, a| {
            let (method, _) = frame_of(m, a0::<D>(a));
            m.mirror(method.class).map(value::<D>)
        }),
        ("java/lang/StackFrameInfo.getMethodName()Ljava/lang/String;", |m, a| {
            let (method, _) = frame_of(m, a0::<D>(a));
            m.string(&method.name).map(value::<D>)
        }),
        ("java/lang/StackFrameInfo.getDescriptor()Ljava/lang/String;", |m, a| {
            let (method, _) = frame_of(m, a0::<D>(a));
            m.string(&method.descriptor).map(value::<D>)
        }),
        ("java/lang/StackFrameInfo.getMethodType()Ljava/lang/invoke/MethodType;", |m, a| {
            let (method, _) = frame_of(m, a0::<D>(a));
            m.method_type(&method.signature).map(value::<D>)
        }),
        ("java/lang/StackFrameInfo.isNativeMethod()Z", |m, a| {
            let (method, _) = frame_of(m, a0::<D>(a));
            Ok(value::<D>(u32::from(method.body.is_none())))
        }),
        (
            "java/lang/StackTraceElement.initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V",
            |m, a| {
                let (method, offset) = frame_of(m, D::bits(a[1]) as u32);
                fill_element(m, a0::<D>(a), method.id, offset)?;
                Ok(Done::Void)
            },
        ),
    ]
}
