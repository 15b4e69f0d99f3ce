//! Reflection: fields, methods and constructors as objects, and calls through them.

use super::NativeRow;
use super::lang::{a0, value};
use crate::class::{Class, Method};
use crate::classfile::access;
use crate::domain::Values;
use crate::kind::{Kind, Type};
use crate::machine::{Done, Fault, Hook, Machine, NativeResult};

fn mirror_of<D: Values>(m: &mut Machine<D>, ty: &Type) -> Result<u32, Fault> {
    let class = m.load(&ty.class)?;
    m.mirror(class)
}

fn text<D: Values>(m: &mut Machine<D>, text: &str) -> Result<u32, Fault> {
    let units: Vec<u16> = text.encode_utf16().collect();
    m.intern(&units)
}

fn optional<D: Values>(
    m: &mut Machine<D>,
    object: u32,
    field: &str,
    words: Option<&String>,
) -> Result<(), Fault> {
    if let Some(words) = words {
        let string = m.string(words)?;
        m.set_ref(object, field, string);
    }
    Ok(())
}

fn annotations<D: Values>(m: &mut Machine<D>, object: u32, bytes: Option<&Vec<u8>>) -> Result<(), Fault> {
    if let Some(bytes) = bytes {
        let array = m.byte_array(bytes)?;
        m.set_ref(object, "annotations", array);
    }
    Ok(())
}

fn mirrors<D: Values>(m: &mut Machine<D>, types: &[Type]) -> Result<u32, Fault> {
    let mut all = Vec::new();
    for ty in types {
        all.push(mirror_of(m, ty)?);
    }
    m.array_of_refs("[Ljava/lang/Class;", &all)
}

/// A `Method` or `Constructor`.
fn executable<D: Values>(
    m: &mut Machine<D>,
    method: &'static Method,
    slot: usize,
    name: &str,
) -> Result<u32, Fault> {
    let class = m.load(name)?;
    let object = m.allocate(class)?;
    let owner = m.mirror(method.class)?;
    m.set_ref(object, "clazz", owner);
    m.set_bits(object, "slot", slot as u64);
    m.set_bits(object, "modifiers", u64::from(method.flags));
    let parameters = mirrors(m, &method.signature.parameters)?;
    m.set_ref(object, "parameterTypes", parameters);
    let exceptions: Vec<Type> =
        method.exceptions.iter().map(|name| Type { kind: Kind::Ref, class: name.clone() }).collect();
    let exceptions = mirrors(m, &exceptions)?;
    m.set_ref(object, "exceptionTypes", exceptions);
    optional(m, object, "signature", method.generic.as_ref())?;
    annotations(m, object, method.annotations.as_ref())?;
    if let Some(bytes) = &method.parameter_annotations {
        let array = m.byte_array(bytes)?;
        m.set_ref(object, "parameterAnnotations", array);
    }
    if let Some(bytes) = &method.annotation_default {
        let array = m.byte_array(bytes)?;
        m.set_ref(object, "annotationDefault", array);
    }
    if method.name != "<init>" {
        let name = text(m, &method.name)?;
        m.set_ref(object, "name", name);
        let result = mirror_of(m, &method.signature.result)?;
        m.set_ref(object, "returnType", result);
    }
    Ok(object)
}

fn wanted(flags: u16, public_only: bool) -> bool {
    !public_only || flags & access::PUBLIC != 0
}

fn executables<D: Values>(m: &mut Machine<D>, a: &[D::Value], constructors: bool) -> NativeResult<D> {
    let class = m.mirrored(a0::<D>(a));
    let public_only = D::bits(a[1]) != 0;
    let name = if constructors { "java/lang/reflect/Constructor" } else { "java/lang/reflect/Method" };
    let mut all = Vec::new();
    for (slot, method) in class.methods().iter().enumerate() {
        let fits = if constructors { method.name == "<init>" } else { !method.name.starts_with('<') };
        if fits && wanted(method.flags, public_only) {
            all.push(executable(m, method, slot, name)?);
        }
    }
    m.array_of_refs(&format!("[L{name};"), &all).map(value::<D>)
}

/// What is thrown if an object does not fit where a reflective call takes it.
fn illegal(message: &str) -> Fault {
    Fault::New("java/lang/IllegalArgumentException", Some(message.to_string()))
}

/// The arguments of a reflective call, taken out of their boxes.
fn arguments<D: Values>(m: &mut Machine<D>, method: &Method, array: u32) -> Result<Vec<D::Value>, Fault> {
    let given = m.refs(array);
    if given.len() != method.signature.parameters.len() {
        return Err(illegal("wrong number of arguments"));
    }
    let mut args = Vec::new();
    for (ty, object) in method.signature.parameters.iter().zip(given) {
        let mismatch = || illegal("argument type mismatch");
        if ty.kind == Kind::Ref {
            let class = m.load(&ty.class)?;
            if object != 0 && !m.class_of(object).is_subtype_of(class) {
                return Err(mismatch());
            }
            args.push(D::constant(u64::from(object)));
            continue;
        }
        if object == 0 {
            return Err(Fault::New("java/lang/IllegalArgumentException", None));
        }
        let (from, element) = m.unboxed(object).ok_or_else(mismatch)?;
        args.push(m.widened(from, ty.kind, element).ok_or_else(mismatch)?);
        if ty.kind.slots() == 2 {
            args.push(D::constant(0));
        }
    }
    Ok(args)
}

pub(super) fn method_of<D: Values>(
    m: &mut Machine<D>,
    object: u32,
) -> Option<(&'static Class, &'static Method)> {
    let class = m.get_ref(object, "clazz");
    let class = m.mirrored(class);
    let slot = m.get_bits(object, "slot") as usize;
    class.methods().get(slot).map(|method| (class, *method))
}

/// Whether a class may use a member of another as if it were public. The JDK's modules keep from the program what they do not open.
fn may_open<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> NativeResult<D> {
    /// Packages of the JDK whose public classes are for everybody, and those that are open.
    const EXPORTED: [&str; 4] = ["java/", "javax/", "org/w3c/", "org/xml/"];
    const OPEN: [&str; 2] = ["sun/misc", "sun/reflect"];
    let (caller, declaring) = (m.mirrored(D::bits(a[1]) as u32), m.mirrored(D::bits(a[2]) as u32));
    let flags = m.get_bits(a0::<D>(a), "modifiers") as u16;
    let exported = EXPORTED.iter().any(|start| declaring.name.starts_with(start));
    let usable = exported
        && declaring.flags & access::PUBLIC != 0
        && (flags & access::PUBLIC != 0
            || flags & access::PROTECTED != 0
                && flags & access::STATIC != 0
                && caller.is_subtype_of(declaring));
    let made = declaring.name.contains("$Proxy") || declaring.name.contains("$$");
    if !caller.own || declaring.own || made || usable || OPEN.contains(&declaring.package()) {
        return Ok(value::<D>(1));
    }
    if m.plain(a[3]) == 0 {
        return Ok(value::<D>(0));
    }
    let kind = match m.class_of(a0::<D>(a)).name {
        "java/lang/reflect/Field" => "field",
        "java/lang/reflect/Method" => "method",
        _ => "constructor",
    };
    let package = declaring.package();
    let module = m.registry.path().image.module_of(package).ok().flatten();
    let module = module.unwrap_or_else(|| "java.base".to_string());
    let (word, to) = if exported { ("opens", "unnamed module") } else { ("exports", "unnamed module") };
    let message = format!(
        "Unable to make {kind} of {} accessible: module {module} does not \"{word} {}\" to {to}",
        declaring.name.replace('/', "."),
        package.replace('/', ".")
    );
    Err(Fault::New("java/lang/reflect/InaccessibleObjectException", Some(message)))
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        ("java/lang/Class.getDeclaredFields0(Z)[Ljava/lang/reflect/Field;", |m, a| {
            let class = m.mirrored(a0::<D>(a));
            let public_only = D::bits(a[1]) != 0;
            let field_class = m.load("java/lang/reflect/Field")?;
            let mut all = Vec::new();
            for (slot, field) in class.fields.iter().enumerate() {
                if !wanted(field.flags, public_only) {
                    continue;
                }
                let object = m.allocate(field_class)?;
                m.set_ref(object, "clazz", a0::<D>(a));
                m.set_bits(object, "slot", slot as u64);
                let name = text(m, &field.name)?;
                m.set_ref(object, "name", name);
                let ty = mirror_of(m, &field.ty)?;
                m.set_ref(object, "type", ty);
                m.set_bits(object, "modifiers", u64::from(field.flags));
                m.set_bits(
                    object,
                    "trustedFinal",
                    u64::from(field.flags & access::FINAL != 0 && field.is_static()),
                );
                optional(m, object, "signature", field.signature.as_ref())?;
                annotations(m, object, field.annotations.as_ref())?;
                all.push(object);
            }
            m.array_of_refs("[Ljava/lang/reflect/Field;", &all).map(value::<D>)
        }),
        ("java/lang/Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;", |m, a| {
            executables(m, a, false)
        }),
        ("java/lang/Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;", |m, a| {
            executables(m, a, true)
        }),
        ("java/lang/Class.getRecordComponents0()[Ljava/lang/reflect/RecordComponent;", |m, a| {
            let class = m.mirrored(a0::<D>(a));
            let component_class = m.load("java/lang/reflect/RecordComponent")?;
            let mut all = Vec::new();
            for component in class.details.record.iter().flatten() {
                let object = m.allocate(component_class)?;
                m.set_ref(object, "clazz", a0::<D>(a));
                let name = text(m, &component.name)?;
                m.set_ref(object, "name", name);
                if let Some(ty) = Type::parse(&component.descriptor) {
                    let ty = mirror_of(m, &ty)?;
                    m.set_ref(object, "type", ty);
                }
                let getter = format!("(){}", component.descriptor);
                let slot =
                    class.methods().iter().position(|m| m.name == component.name && m.descriptor == getter);
                if let Some(slot) = slot {
                    let accessor = executable(m, class.methods()[slot], slot, "java/lang/reflect/Method")?;
                    m.set_ref(object, "accessor", accessor);
                }
                optional(m, object, "signature", component.signature.as_ref())?;
                all.push(object);
            }
            m.array_of_refs("[Ljava/lang/reflect/RecordComponent;", &all).map(value::<D>)
        }),
        (
            "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            |m, a| {
                let Some((class, method)) = method_of(m, a0::<D>(a)) else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                let object = D::bits(a[1]) as u32;
                if method.is_static() {
                    if !m.initialise(class)? {
                        return Err(Fault::Again);
                    }
                } else if object == 0 {
                    return Err(Fault::New("java/lang/NullPointerException", None));
                } else if !m.class_of(object).is_subtype_of(class) {
                    return Err(illegal("object is not an instance of declaring class"));
                }
                let mut args = arguments(m, method, D::bits(a[2]) as u32)?;
                let target = if method.is_static() {
                    method
                } else {
                    args.insert(0, a[1]);
                    m.dispatch(object, method)?
                };
                if target.body.is_none() || target.native.is_some() {
                    // A native is called at once.
                    return match m.call_native(target, &args)? {
                        Done::Value(result) => m.boxed(target.signature.result.kind, result).map(value::<D>),
                        Done::Void => Ok(value::<D>(0)),
                        Done::Call(method, args, _) => Ok(Done::Call(method, args, Hook::Reflected)),
                    };
                }
                Ok(Done::Call(target, args, Hook::Reflected))
            },
        ),
        (
            "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
            |m, a| {
                let Some((class, method)) = method_of(m, a0::<D>(a)) else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                // A constructor made for deserialisation runs on an object of a subclass.
                let class = match m.heap.length(a0::<D>(a)) {
                    0 => class,
                    id => {
                        m.sync(id);
                        m.classes[id as usize]
                    }
                };
                if class.flags & access::ABSTRACT != 0 {
                    return Err(Fault::New(
                        "java/lang/InstantiationException",
                        Some(class.name.replace('/', ".")),
                    ));
                }
                if !m.initialise(class)? {
                    return Err(Fault::Again);
                }
                let mut args = arguments(m, method, D::bits(a[1]) as u32)?;
                let object = m.allocate(class)?;
                args.insert(0, D::constant(u64::from(object)));
                Ok(Done::Call(method, args, Hook::Constructed(object)))
            },
        ),
        (
            "jdk/internal/reflect/ReflectionFactory.generateConstructor(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)Ljava/lang/reflect/Constructor;",
            |m, a| {
                let class = m.mirrored(D::bits(a[1]) as u32);
                let Some((_, method)) = method_of(m, D::bits(a[2]) as u32) else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                let slot = m.get_bits(D::bits(a[2]) as u32, "slot") as usize;
                let made = executable(m, method, slot, "java/lang/reflect/Constructor")?;
                m.set_bits(made, "override", 1);
                m.heap.set_u32(made + 4, class.id);
                // Without it, reflection would refuse to construct an object by the constructor of an abstract class.
                let accessor = m.load("jdk/internal/reflect/NativeConstructorAccessorImpl")?;
                if !m.initialise(accessor)? {
                    return Err(Fault::Again);
                }
                let accessor = m.allocate(accessor)?;
                m.set_ref(accessor, "c", made);
                m.set_ref(made, "constructorAccessor", accessor);
                Ok(value::<D>(made))
            },
        ),
        ("java/io/ObjectStreamClass.hasStaticInitializer(Ljava/lang/Class;)Z", |m, a| {
            let class = m.mirrored(a0::<D>(a));
            Ok(value::<D>(u32::from(class.declared("<clinit>", "()V").is_some())))
        }),
        (
            "java/lang/reflect/Proxy.newProxyInstance(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;",
            |m, a| {
                if D::bits(a[1]) as u32 == 0 || D::bits(a[2]) as u32 == 0 {
                    return Err(Fault::New("java/lang/NullPointerException", None));
                }
                let mut interfaces = Vec::new();
                for mirror in m.refs(D::bits(a[1]) as u32) {
                    if mirror == 0 {
                        return Err(Fault::New("java/lang/NullPointerException", None));
                    }
                    let class = m.mirrored(mirror);
                    if !class.is_interface() {
                        let message = format!("{} is not an interface", class.name.replace('/', "."));
                        return Err(Fault::New("java/lang/IllegalArgumentException", Some(message)));
                    }
                    interfaces.push(class);
                }
                let registry = m.registry.clone();
                let class = crate::dynamic::proxy(&registry, &interfaces)
                    .map_err(|error| Fault::New(error.throwable(), Some(error.message())))?;
                m.sync(class.id);
                m.prepare(class)?;
                m.mark_ready(class);
                let object = m.allocate(class)?;
                m.set_ref(object, "h", D::bits(a[2]) as u32);
                Ok(value::<D>(object))
            },
        ),
        // A default method of an interface, on behalf of the handler of a proxy.
        (
            "java/lang/reflect/Proxy.invokeDefault(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;Ljava/lang/Class;)Ljava/lang/Object;",
            |m, a| {
                let Some((class, method)) = method_of(m, D::bits(a[1]) as u32) else {
                    return Err(Fault::New("java/lang/InternalError", None));
                };
                if !class.is_interface() || method.flags & (access::ABSTRACT | access::STATIC) != 0 {
                    let message = Some(format!("{} is not a default method", method.qualified()));
                    return Err(Fault::New("java/lang/IllegalArgumentException", message));
                }
                let given = match D::bits(a[2]) as u32 {
                    0 => Vec::new(),
                    array => m.refs(array),
                };
                let (method, args) = m.direct_call(method, D::bits(a[0]) as u32, &given)?;
                Ok(Done::Call(method, args, Hook::Plain))
            },
        ),
        (
            "java/lang/reflect/AccessibleObject.checkCanSetAccessible(Ljava/lang/Class;Ljava/lang/Class;Z)Z",
            |m, a| may_open(m, a),
        ),
        ("java/lang/reflect/Proxy.isProxyClass(Ljava/lang/Class;)Z", |m, a| {
            let class = m.mirrored(a0::<D>(a));
            let is_proxy = class.superclass.is_some_and(|class| class.name == "java/lang/reflect/Proxy");
            Ok(value::<D>(u32::from(is_proxy && class.name.contains("$Proxy"))))
        }),
        // What the methods of a proxy's class ask for: the method that was called, by number.
        ("soundline/Machine.method(I)Ljava/lang/reflect/Method;", |m, a| {
            let method = m.registry.method(D::bits(a[0]) as u32);
            let slot = method.class.methods().iter().position(|known| known.id == method.id).unwrap_or(0);
            executable(m, method, slot, "java/lang/reflect/Method").map(value::<D>)
        }),
        // Calls that are made often would be compiled to classes by the JDK: they stay with the natives above.
        ("jdk/internal/reflect/ReflectionFactory.inflationThreshold()I", |_, _| {
            Ok(value::<D>(i32::MAX as u32))
        }),
        ("java/lang/reflect/Executable.getTypeAnnotationBytes0()[B", |_, _| Ok(value::<D>(0))),
        ("java/lang/reflect/Field.getTypeAnnotationBytes0()[B", |_, _| Ok(value::<D>(0))),
        ("java/lang/reflect/Executable.getParameters0()[Ljava/lang/reflect/Parameter;", |_, _| {
            Ok(value::<D>(0))
        }),
    ]
}
