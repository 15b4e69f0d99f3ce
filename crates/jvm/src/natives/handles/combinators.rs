//! Handles made of other handles (`MethodHandles.foldArguments` and its like): what types fit together, and what the new handle has.

use super::super::NativeRow;
use super::super::lang::a0;
use super::{
    ARRAY_GET, ARRAY_LENGTH, ARRAY_NEW, ARRAY_PUT, CAST, CATCH, COLLECT, FINALLY, FOLD, GATHER, PERMUTE,
    SPREAD, THROW, ZERO, drop_arguments, exception, simple, type_of,
};
use crate::class::{Class, Shape};
use crate::domain::Values;
use crate::heap::{HEADER, Ref};
use crate::kind::{Kind, Signature, Type};
use crate::machine::{Fault, Machine, NativeResult, Stop};

fn refused<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(exception("java/lang/IllegalArgumentException", message))
}

fn int() -> Type {
    Type { kind: Kind::Int, class: "int".to_string() }
}

fn void() -> Type {
    Type { kind: Kind::Void, class: "void".to_string() }
}

/// The class of arrays that a mirror stands for, and the type of its elements.
fn array_of<D: Values>(m: &mut Machine<D>, mirror: Ref) -> Result<(&'static Class, Type), Fault> {
    if mirror == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let class = m.mirrored(mirror);
    match class.shape {
        Shape::Array(element) => Ok((class, type_of(element))),
        Shape::Plain | Shape::Primitive(_) => {
            refused(format!("not an array type: {}", class.name.replace('/', ".")))
        }
    }
}

/// The elements of a list of one of the JDK's usual classes.
fn list<D: Values>(m: &Machine<D>, object: Ref) -> Result<Vec<Ref>, Fault> {
    if object == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let class = m.class_of(object).name;
    Ok(match class {
        "java/util/Arrays$ArrayList" => m.refs(m.get_ref(object, "a")),
        "java/util/ImmutableCollections$ListN" => m.refs(m.get_ref(object, "elements")),
        "java/util/ImmutableCollections$List12" => {
            // A list of one has a mark of its own in the second place.
            let pair = [m.get_ref(object, "e0"), m.get_ref(object, "e1")];
            let is_class = |&&at: &&Ref| at != 0 && m.class_of(at).name == "java/lang/Class";
            pair.iter().filter(is_class).copied().collect()
        }
        "java/util/ArrayList" => {
            let size = m.get_bits(object, "size") as usize;
            m.refs(m.get_ref(object, "elementData")).into_iter().take(size).collect()
        }
        other => return Err(Fault::Stop(Stop::Unsupported(format!("a list of types of class {other}")))),
    })
}

fn permute<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    let (inner, order) = (a0::<D>(a), D::bits(a[2]) as u32);
    let (target, wanted) = (m.handle(inner, 0)?.signature, m.signature_of(D::bits(a[1]) as u32)?);
    if order == 0 {
        return Err(Fault::New("java/lang/NullPointerException", None));
    }
    let numbers: Vec<u32> = (0..m.heap.length(order)).map(|i| m.heap.u32(order + HEADER + 4 * i)).collect();
    let fits = numbers.len() == target.parameters.len()
        && numbers
            .iter()
            .zip(&target.parameters)
            .all(|(&number, to)| wanted.parameters.get(number as usize).is_some_and(|from| from == to));
    if !fits || target.result != wanted.result {
        return refused(format!("bad reorder array: {numbers:?}"));
    }
    m.new_handle(PERMUTE, (0, 0), &[inner, order], &wanted, false)
}

fn collect<D: Values>(m: &mut Machine<D>, inner: Ref, at: usize, filter: Ref) -> NativeResult<D> {
    let (target, own) = (m.handle(inner, 0)?.signature, m.handle(filter, 0)?.signature);
    let mut signature = target.clone();
    let replaced = usize::from(own.result.kind != Kind::Void);
    let fits =
        at + replaced <= target.parameters.len() && (replaced == 0 || target.parameters[at] == own.result);
    if !fits {
        return refused(format!(
            "target and filter types do not match: {}, {}",
            simple(&target),
            simple(&own)
        ));
    }
    signature.parameters.splice(at..at + replaced, own.parameters);
    m.new_handle(COLLECT, (at as u32, 0), &[inner, filter], &signature, false)
}

fn fold<D: Values>(m: &mut Machine<D>, inner: Ref, at: usize, combiner: Ref) -> NativeResult<D> {
    let (target, own) = (m.handle(inner, 0)?.signature, m.handle(combiner, 0)?.signature);
    let mut signature = target.clone();
    let gives = usize::from(own.result.kind != Kind::Void);
    let rest = target.parameters.get(at + gives..).unwrap_or_default();
    let fits =
        (gives == 0 || target.parameters.get(at) == Some(&own.result)) && rest.starts_with(&own.parameters);
    if !fits {
        return refused(format!(
            "target and combiner types must match: {} != {}",
            simple(&target),
            simple(&own)
        ));
    }
    signature.parameters.drain(at..at + gives);
    m.new_handle(FOLD, (at as u32, 0), &[inner, combiner], &signature, false)
}

fn spread<D: Values>(
    m: &mut Machine<D>,
    inner: Ref,
    at: Option<usize>,
    array: Ref,
    count: usize,
) -> NativeResult<D> {
    let (class, _) = array_of(m, array)?;
    let mut signature = m.handle(inner, 0)?.signature;
    let Some(most) = signature.parameters.len().checked_sub(count) else {
        return refused("bad spread array length");
    };
    let at = at.unwrap_or(most);
    if at > most {
        return refused("bad spread position");
    }
    signature.parameters.splice(at..at + count, [type_of(class)]);
    m.new_handle(SPREAD, (at as u32, count as u32), &[inner], &signature, false)
}

/// A handle that takes so many arguments where another takes an array.
pub(super) fn gather<D: Values>(
    m: &mut Machine<D>,
    inner: Ref,
    at: usize,
    array: Ref,
    count: usize,
) -> NativeResult<D> {
    let (class, element) = array_of(m, array)?;
    let mut signature = m.handle(inner, 0)?.signature;
    let fits = signature.parameters.get(at).is_some_and(|ty| *ty == type_of(class) || ty.kind == Kind::Ref);
    if !fits {
        return refused("array type not assignable to argument");
    }
    signature.parameters.splice(at..=at, std::iter::repeat_n(element, count));
    m.new_handle(GATHER, (at as u32, count as u32), &[inner, array], &signature, false)
}

fn catch<D: Values>(m: &mut Machine<D>, inner: Ref, class: Ref, handler: Ref) -> NativeResult<D> {
    let (target, own) = (m.handle(inner, 0)?.signature, m.handle(handler, 0)?.signature);
    let fits = own.result == target.result
        && own.parameters.first().is_some_and(|ty| ty.kind == Kind::Ref)
        && target.parameters.starts_with(&own.parameters[1..]);
    if !fits {
        return refused(format!(
            "target and handler types must match: {} != {}",
            simple(&target),
            simple(&own)
        ));
    }
    m.new_handle(CATCH, (0, 0), &[inner, handler, class], &target, false)
}

fn finally<D: Values>(m: &mut Machine<D>, inner: Ref, cleanup: Ref) -> NativeResult<D> {
    let (target, own) = (m.handle(inner, 0)?.signature, m.handle(cleanup, 0)?.signature);
    let first = 1 + usize::from(target.result.kind != Kind::Void);
    let fits = own.result == target.result
        && own.parameters.len() >= first
        && target.parameters.starts_with(&own.parameters[first..]);
    if !fits {
        return refused(format!(
            "target and cleanup types must match: {} != {}",
            simple(&own),
            simple(&target)
        ));
    }
    m.new_handle(FINALLY, (0, 0), &[inner, cleanup], &target, false)
}

/// The same handle, which collects trailing arguments or does not.
fn with_arity<D: Values>(m: &mut Machine<D>, object: Ref, varargs: bool) -> NativeResult<D> {
    let handle = m.handle(object, 0)?;
    let numbers = (m.get_bits(object, "first") as u32, m.get_bits(object, "second") as u32);
    let parts = m.refs(m.get_ref(object, "parts"));
    let what = m.get_bits(object, "what") as u32;
    m.new_handle(what, numbers, &parts, &handle.signature, varargs)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows = of_handles();
    rows.extend(of_classes());
    rows
}

/// Rows that make a handle of handles.
fn of_handles<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        (
            "java/lang/invoke/MethodHandles.permuteArguments(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;[I)Ljava/lang/invoke/MethodHandle;",
            |m, a| permute(m, a),
        ),
        (
            "java/lang/invoke/MethodHandles.collectArguments(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let at = m.plain(a[1]) as u32 as usize;
                collect(m, a0::<D>(a), at, D::bits(a[2]) as u32)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.foldArguments(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| fold(m, a0::<D>(a), 0, D::bits(a[1]) as u32),
        ),
        (
            "java/lang/invoke/MethodHandles.foldArguments(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let at = m.plain(a[1]) as u32 as usize;
                fold(m, a0::<D>(a), at, D::bits(a[2]) as u32)
            },
        ),
        (
            "java/lang/invoke/MethodHandle.asSpreader(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let count = m.plain(a[2]) as u32 as usize;
                spread(m, a0::<D>(a), None, D::bits(a[1]) as u32, count)
            },
        ),
        (
            "java/lang/invoke/MethodHandle.asSpreader(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, count) = (m.plain(a[1]) as u32 as usize, m.plain(a[3]) as u32 as usize);
                spread(m, a0::<D>(a), Some(at), D::bits(a[2]) as u32, count)
            },
        ),
        (
            "java/lang/invoke/MethodHandle.asCollector(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let count = m.plain(a[2]) as u32 as usize;
                let Some(at) = m.handle(a0::<D>(a), 0)?.signature.parameters.len().checked_sub(1) else {
                    return refused("array type not assignable to argument");
                };
                gather(m, a0::<D>(a), at, D::bits(a[1]) as u32, count)
            },
        ),
        (
            "java/lang/invoke/MethodHandle.asCollector(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, count) = (m.plain(a[1]) as u32 as usize, m.plain(a[3]) as u32 as usize);
                gather(m, a0::<D>(a), at, D::bits(a[2]) as u32, count)
            },
        ),
        (
            "java/lang/invoke/MethodHandle.asVarargsCollector(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| with_arity(m, a0::<D>(a), true),
        ),
        ("java/lang/invoke/MethodHandle.withVarargs(Z)Ljava/lang/invoke/MethodHandle;", |m, a| {
            let wanted = m.plain(a[1]) != 0;
            with_arity(m, a0::<D>(a), wanted)
        }),
        (
            "java/lang/invoke/MethodHandles.catchException(Ljava/lang/invoke/MethodHandle;Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| catch(m, a0::<D>(a), D::bits(a[1]) as u32, D::bits(a[2]) as u32),
        ),
        (
            "java/lang/invoke/MethodHandles.tryFinally(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| finally(m, a0::<D>(a), D::bits(a[1]) as u32),
        ),
        (
            "java/lang/invoke/MethodHandles.explicitCastArguments(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (target, wanted) =
                    (m.handle(a0::<D>(a), 0)?.signature, m.signature_of(D::bits(a[1]) as u32)?);
                if target.parameters.len() != wanted.parameters.len() {
                    return Err(super::mismatch(&target, &wanted));
                }
                m.new_handle(CAST, (0, 0), &[a0::<D>(a)], &wanted, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.dropReturn(Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let wanted = Signature { result: void(), ..m.handle(a0::<D>(a), 0)?.signature };
                m.new_handle(CAST, (0, 0), &[a0::<D>(a)], &wanted, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.dropArguments(Ljava/lang/invoke/MethodHandle;ILjava/util/List;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (at, types) = (m.plain(a[1]) as u32, list(m, D::bits(a[2]) as u32)?);
                drop_arguments(m, a0::<D>(a), at as usize, &types)
            },
        ),
    ]
}

/// Rows that make a handle of classes.
fn of_classes<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        (
            "java/lang/invoke/MethodHandles.throwException(Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (result, thrown) = (m.mirrored(a0::<D>(a)), m.mirrored(D::bits(a[1]) as u32));
                let signature = Signature { parameters: vec![type_of(thrown)], result: type_of(result) };
                m.new_handle(THROW, (0, 0), &[], &signature, false)
            },
        ),
        ("java/lang/invoke/MethodHandles.zero(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", |m, a| {
            let result = type_of(m.mirrored(a0::<D>(a)));
            m.new_handle(ZERO, (0, 0), &[], &Signature { parameters: Vec::new(), result }, false)
        }),
        (
            "java/lang/invoke/MethodHandles.empty(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let signature = m.signature_of(a0::<D>(a))?;
                m.new_handle(ZERO, (0, 0), &[], &signature, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.arrayElementGetter(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (class, result) = array_of(m, a0::<D>(a))?;
                let signature = Signature { parameters: vec![type_of(class), int()], result };
                m.new_handle(ARRAY_GET, (0, 0), &[], &signature, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.arrayElementSetter(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (class, element) = array_of(m, a0::<D>(a))?;
                let parameters = vec![type_of(class), int(), element];
                m.new_handle(ARRAY_PUT, (0, 0), &[], &Signature { parameters, result: void() }, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.arrayLength(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (class, _) = array_of(m, a0::<D>(a))?;
                let signature = Signature { parameters: vec![type_of(class)], result: int() };
                m.new_handle(ARRAY_LENGTH, (0, 0), &[], &signature, false)
            },
        ),
        (
            "java/lang/invoke/MethodHandles.arrayConstructor(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
            |m, a| {
                let (class, _) = array_of(m, a0::<D>(a))?;
                let signature = Signature { parameters: vec![int()], result: type_of(class) };
                m.new_handle(ARRAY_NEW, (0, 0), &[], &signature, false)
            },
        ),
    ]
}
