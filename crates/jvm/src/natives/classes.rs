//! `java.lang.Class` and what loads classes.

use super::NativeRow;
use super::lang::{a0, value, value64};
use crate::class::{Class, Shape};
use crate::classfile::{Constant, access};
use crate::domain::Values;
use crate::machine::{Done, Fault, Hook, Machine, NativeResult};
use crate::registry::LoadError;

fn class_of<D: Values>(m: &mut Machine<D>, a: &[D::Value]) -> &'static Class {
    m.mirrored(a0::<D>(a))
}

fn flag<D: Values>(truth: bool) -> NativeResult<D> {
    Ok(value::<D>(u32::from(truth)))
}

fn null<D: Values>() -> NativeResult<D> {
    Ok(value::<D>(0))
}

/// The class of a name, initialised if wanted.
fn find<D: Values>(m: &mut Machine<D>, name: &str, initialise: bool) -> NativeResult<D> {
    let internal = name.replace('.', "/");
    let wrong = name.contains('/') || crate::kind::PRIMITIVES.iter().any(|row| row.2 == name);
    let found = if wrong { None } else { m.registry.load(&internal).ok() };
    let Some(class) = found else {
        return Err(Fault::New("java/lang/ClassNotFoundException", Some(name.to_string())));
    };
    if initialise && !m.initialise(class)? {
        return Err(Fault::Again);
    }
    m.mirror(class).map(value::<D>)
}

/// The class of a name, or null. A loader that is not the program's finds the JDK's classes only.
fn load<D: Values>(m: &mut Machine<D>, name: &str, of_program: bool) -> NativeResult<D> {
    let internal = name.replace('.', "/");
    if name.contains('/') || name.starts_with('[') {
        return null::<D>();
    }
    match m.registry.load(&internal) {
        Ok(class) if class.own && !of_program => null::<D>(),
        Ok(class) if matches!(class.shape, Shape::Primitive(_)) => null::<D>(),
        Ok(class) => m.mirror(class).map(value::<D>),
        Err(LoadError::NotFound(missing)) if missing == internal => null::<D>(),
        Err(error) => Err(Fault::New(error.throwable(), Some(error.message()))),
    }
}

/// Whether a class is the program's, or was made for one of its classes.
fn is_of_program(class: &Class) -> bool {
    class.own || class.name.contains("$$Lambda") || class.name.contains("$Proxy")
}

/// The loader of the program's classes; none while the JDK starts.
fn program_loader<D: Values>(m: &mut Machine<D>) -> NativeResult<D> {
    const BOOTED: u64 = 4;
    let machine = m.load("jdk/internal/misc/VM")?;
    let (level, kind) = m.static_field(machine, "initLevel")?;
    if m.heap.bits(level, kind) < BOOTED {
        return null::<D>();
    }
    let class = m.load("jdk/internal/loader/ClassLoaders")?;
    if !m.initialise(class)? {
        return Err(Fault::Again);
    }
    let (at, _) = m.static_field(class, "APP_LOADER")?;
    Ok(value::<D>(m.heap.u32(at)))
}

/// The flags of a class as the source has them: those of a member class are with its outer class.
fn modifiers(class: &Class) -> u16 {
    let inner = class.details.inner_classes.iter().find(|inner| inner.inner == class.name);
    inner.map_or(class.flags, |inner| inner.flags) & !access::SYNCHRONIZED
}

fn mirrors<D: Values>(m: &mut Machine<D>, classes: &[&'static Class]) -> NativeResult<D> {
    let mut all = Vec::new();
    for class in classes {
        all.push(m.mirror(class)?);
    }
    m.array_of_refs("[Ljava/lang/Class;", &all).map(value::<D>)
}

pub(super) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    vec![
        (
            "java/lang/Class.forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
            |m, a| {
                let (name, loader) = (m.text(a0::<D>(a)), D::bits(a[2]) as u32);
                // A loader that the program made is asked; the JDK's own are the machine.
                if loader != 0 && m.class_of(loader).own && !name.starts_with('[') {
                    let class = m.load("java/lang/ClassLoader")?;
                    let asked = class.declared("loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
                    let asked = asked.ok_or(Fault::New("java/lang/InternalError", None))?;
                    let method = m.dispatch(loader, asked)?;
                    return Ok(Done::Call(method, vec![a[2], a[0]], Hook::Plain));
                }
                find(m, &name, D::bits(a[1]) != 0)
            },
        ),
        ("java/lang/ClassLoader.findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;", |m, a| {
            let name = m.text(a0::<D>(a));
            load(m, &name, false)
        }),
        (
            "jdk/internal/loader/BuiltinClassLoader.loadClassOrNull(Ljava/lang/String;Z)Ljava/lang/Class;",
            |m, a| {
                if D::bits(a[1]) as u32 == 0 {
                    return Err(Fault::New("java/lang/NullPointerException", None));
                }
                let name = m.text(D::bits(a[1]) as u32);
                let of_program = m.class_of(a0::<D>(a)).name.ends_with("$AppClassLoader");
                load(m, &name, of_program)
            },
        ),
        ("java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;", |_, _| null::<D>()),
        ("jdk/internal/loader/BootLoader.loadClassOrNull(Ljava/lang/String;)Ljava/lang/Class;", |m, a| {
            let name = m.text(a0::<D>(a));
            load(m, &name, false)
        }),
        ("java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", |m, a| {
            let name = m.text(a0::<D>(a));
            let class = m.load(&name)?;
            m.mirror(class).map(value::<D>)
        }),
        ("java/lang/Class.desiredAssertionStatus0(Ljava/lang/Class;)Z", |m, a| {
            let class = class_of(m, a);
            flag::<D>(class.own)
        }),
        ("java/lang/Class.desiredAssertionStatus()Z", |m, a| {
            let class = class_of(m, a);
            flag::<D>(class.own)
        }),
        ("java/lang/Class.isInstance(Ljava/lang/Object;)Z", |m, a| {
            let (class, object) = (class_of(m, a), D::bits(a[1]) as u32);
            flag::<D>(object != 0 && m.class_of(object).is_subtype_of(class))
        }),
        ("java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z", |m, a| {
            if D::bits(a[1]) as u32 == 0 {
                return Err(Fault::New("java/lang/NullPointerException", None));
            }
            let (class, other) = (class_of(m, a), m.mirrored(D::bits(a[1]) as u32));
            flag::<D>(other.is_subtype_of(class))
        }),
        ("java/lang/Class.isInterface()Z", |m, a| flag::<D>(class_of(m, a).is_interface())),
        ("java/lang/Class.isArray()Z", |m, a| flag::<D>(matches!(class_of(m, a).shape, Shape::Array(_)))),
        ("java/lang/Class.isPrimitive()Z", |m, a| {
            flag::<D>(matches!(class_of(m, a).shape, Shape::Primitive(_)))
        }),
        ("java/lang/Class.isHidden()Z", |m, a| flag::<D>(class_of(m, a).name.contains("$$Lambda"))),
        ("java/lang/Class.isRecord0()Z", |m, a| flag::<D>(class_of(m, a).details.record.is_some())),
        ("java/lang/Class.initClassName()Ljava/lang/String;", |m, a| {
            let mirror = a0::<D>(a);
            let class = class_of(m, a);
            let name = class.name.replace('/', ".");
            let units: Vec<u16> = name.encode_utf16().collect();
            let string = m.intern(&units)?;
            m.set_ref(mirror, "name", string);
            Ok(value::<D>(string))
        }),
        ("java/lang/Class.getSuperclass()Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            match class.superclass.filter(|_| !class.is_interface()) {
                Some(superclass) => m.mirror(superclass).map(value::<D>),
                None => null::<D>(),
            }
        }),
        ("java/lang/Class.getInterfaces0()[Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            mirrors(m, &class.interfaces)
        }),
        ("java/lang/Class.getModifiers()I", |m, a| Ok(value::<D>(u32::from(modifiers(class_of(m, a)))))),
        ("jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I", |m, a| {
            Ok(value::<D>(u32::from(class_of(m, a).flags & !access::SYNCHRONIZED)))
        }),
        ("jdk/internal/reflect/Reflection.areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z", |m, a| {
            let host = |class: &'static Class| {
                class.details.nest_host.clone().unwrap_or_else(|| class.name.to_string())
            };
            let (x, y) = (class_of(m, a), m.mirrored(D::bits(a[1]) as u32));
            flag::<D>(host(x) == host(y))
        }),
        ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", |m, _| {
            // The caller of the method that asks; the frames of reflection itself do not count.
            let mut callers = m.frames.iter().rev().skip(1).filter(|frame| {
                !frame.method.class.name.starts_with("java/lang/reflect/Method")
                    && !frame.method.class.name.starts_with("jdk/internal/reflect/")
            });
            let class = callers.next().map_or(m.known().object, |frame| frame.method.class);
            m.mirror(class).map(value::<D>)
        }),
        ("java/lang/Class.getSigners()[Ljava/lang/Object;", |_, _| null::<D>()),
        ("java/lang/Class.getProtectionDomain0()Ljava/security/ProtectionDomain;", |_, _| null::<D>()),
        ("java/lang/Class.getGenericSignature0()Ljava/lang/String;", |m, a| {
            match &class_of(m, a).details.signature {
                Some(signature) => m.string(signature).map(value::<D>),
                None => null::<D>(),
            }
        }),
        ("java/lang/Class.getRawAnnotations()[B", |m, a| match &class_of(m, a).details.annotations {
            Some(bytes) => m.byte_array(bytes).map(value::<D>),
            None => null::<D>(),
        }),
        ("java/lang/Class.getRawTypeAnnotations()[B", |_, _| null::<D>()),
        ("java/lang/Class.getConstantPool()Ljdk/internal/reflect/ConstantPool;", |m, a| {
            let class = m.load("jdk/internal/reflect/ConstantPool")?;
            let pool = m.allocate(class)?;
            m.set_ref(pool, "constantPoolOop", a0::<D>(a));
            Ok(value::<D>(pool))
        }),
        ("jdk/internal/reflect/ConstantPool.getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;", |m, a| {
            let class = m.mirrored(D::bits(a[1]) as u32);
            let index = D::bits(a[2]) as u16;
            match class.pool.utf8(index) {
                Ok(text) => m.string(text).map(value::<D>),
                Err(_) => Err(Fault::New("java/lang/IllegalArgumentException", None)),
            }
        }),
        ("jdk/internal/reflect/ConstantPool.getIntAt0(Ljava/lang/Object;I)I", |m, a| {
            pool_number(m, a, |constant| match constant {
                Constant::Int(number) => Some(u64::from(*number as u32)),
                _ => None,
            })
        }),
        ("jdk/internal/reflect/ConstantPool.getLongAt0(Ljava/lang/Object;I)J", |m, a| {
            pool_number(m, a, |constant| match constant {
                Constant::Long(number) => Some(*number as u64),
                _ => None,
            })
        }),
        ("jdk/internal/reflect/ConstantPool.getFloatAt0(Ljava/lang/Object;I)F", |m, a| {
            pool_number(m, a, |constant| match constant {
                Constant::Float(bits) => Some(u64::from(*bits)),
                _ => None,
            })
        }),
        ("jdk/internal/reflect/ConstantPool.getDoubleAt0(Ljava/lang/Object;I)D", |m, a| {
            pool_number(m, a, |constant| match constant {
                Constant::Double(bits) => Some(*bits),
                _ => None,
            })
        }),
        ("java/lang/Class.getEnclosingMethod0()[Ljava/lang/Object;", |m, a| {
            let Some((class, method)) = &class_of(m, a).details.enclosing else { return null::<D>() };
            let class = m.load(class)?;
            let mut all = vec![m.mirror(class)?, 0, 0];
            if let Some((name, descriptor)) = method {
                all[1] = m.string(name)?;
                all[2] = m.string(descriptor)?;
            }
            m.array_of_refs("[Ljava/lang/Object;", &all).map(value::<D>)
        }),
        ("java/lang/Class.getDeclaringClass0()Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            let inner = class.details.inner_classes.iter().find(|inner| inner.inner == class.name);
            match inner.and_then(|inner| inner.outer.clone()) {
                Some(outer) => {
                    let outer = m.load(&outer)?;
                    m.mirror(outer).map(value::<D>)
                }
                None => null::<D>(),
            }
        }),
        ("java/lang/Class.getSimpleBinaryName0()Ljava/lang/String;", |m, a| {
            let class = class_of(m, a);
            let inner = class.details.inner_classes.iter().find(|inner| inner.inner == class.name);
            match inner.and_then(|inner| inner.name.clone()) {
                Some(name) => m.string(&name).map(value::<D>),
                None => null::<D>(),
            }
        }),
        ("java/lang/Class.getDeclaredClasses0()[Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            let mut members = Vec::new();
            for inner in &class.details.inner_classes {
                if inner.outer.as_deref() == Some(class.name) {
                    members.push(m.load(&inner.inner)?);
                }
            }
            mirrors(m, &members)
        }),
        ("java/lang/Class.getNestHost0()Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            let host = match &class.details.nest_host {
                Some(host) => m.load(host)?,
                None => class,
            };
            m.mirror(host).map(value::<D>)
        }),
        ("java/lang/Class.getPermittedSubclasses0()[Ljava/lang/Class;", |m, a| {
            let class = class_of(m, a);
            if class.details.permitted.is_empty() {
                return null::<D>();
            }
            let mut all = Vec::new();
            for name in &class.details.permitted {
                all.push(m.load(name)?);
            }
            mirrors(m, &all)
        }),
        // There is one module. The JDK's classes are the machine's, the program's those of the JDK's loader for a class path.
        ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", |m, a| {
            let mut class = class_of(m, a);
            while let Shape::Array(element) = class.shape {
                class = element;
            }
            if is_of_program(class) { program_loader(m) } else { null::<D>() }
        }),
        ("java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;", |m, _| program_loader(m)),
        ("java/lang/Thread.getContextClassLoader()Ljava/lang/ClassLoader;", |m, a| {
            match m.get_ref(a0::<D>(a), "contextClassLoader") {
                0 => program_loader(m),
                loader => Ok(value::<D>(loader)),
            }
        }),
        ("java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", |m, a| {
            let class = class_of(m, a);
            let name = m.text(D::bits(a[1]) as u32);
            let path = match name.strip_prefix('/') {
                Some(rest) => rest.to_string(),
                None if class.package().is_empty() => name,
                None => format!("{}/{name}", class.package()),
            };
            resource(m, &path)
        }),
        (
            "java/lang/ClassLoader.getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;",
            |m, a| {
                let name = m.text(a0::<D>(a));
                resource(m, &name)
            },
        ),
        ("java/lang/Module.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;", |m, a| {
            let name = m.text(D::bits(a[1]) as u32);
            resource(m, name.trim_start_matches('/'))
        }),
        ("java/lang/Class.checkMemberAccess(Ljava/lang/SecurityManager;ILjava/lang/Class;Z)V", |_, _| {
            Ok(Done::Void)
        }),
    ]
}

/// A number of a class's constant pool.
fn pool_number<D: Values>(
    m: &mut Machine<D>,
    a: &[D::Value],
    of: fn(&Constant) -> Option<u64>,
) -> NativeResult<D> {
    let class = m.mirrored(D::bits(a[1]) as u32);
    match class.pool.get(D::bits(a[2]) as u16).ok().and_then(of) {
        Some(bits) => Ok(value64::<D>(bits)),
        None => Err(Fault::New("java/lang/IllegalArgumentException", None)),
    }
}

/// A stream over a resource of the class path.
fn resource<D: Values>(m: &mut Machine<D>, path: &str) -> NativeResult<D> {
    let registry = m.registry.clone();
    let Ok(Some(bytes)) = registry.path().resource(path) else { return null::<D>() };
    let class = m.load("java/io/ByteArrayInputStream")?;
    if !m.initialise(class)? {
        return Err(Fault::Again);
    }
    let stream = m.allocate(class)?;
    let array = m.byte_array(&bytes)?;
    m.set_ref(stream, "buf", array);
    m.set_bits(stream, "count", bytes.len() as u64);
    Ok(value::<D>(stream))
}
