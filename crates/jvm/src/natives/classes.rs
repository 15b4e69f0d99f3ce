//! `java.lang.Class` and what loads classes.

use super::NativeRow;
use super::lang::{a0, value};
use crate::class::{Class, Shape};
use crate::classfile::access;
use crate::domain::Values;
use crate::machine::{Done, Fault, Machine, NativeResult};

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
                let name = m.text(a0::<D>(a));
                find(m, &name, D::bits(a[1]) != 0)
            },
        ),
        ("java/lang/ClassLoader.findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;", |m, a| {
            let name = m.text(a0::<D>(a));
            match m.registry.load(&name.replace('.', "/")) {
                Ok(class) => m.mirror(class).map(value::<D>),
                Err(_) => null::<D>(),
            }
        }),
        ("java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;", |_, _| null::<D>()),
        ("jdk/internal/loader/BootLoader.loadClassOrNull(Ljava/lang/String;)Ljava/lang/Class;", |m, a| {
            let name = m.text(a0::<D>(a));
            match m.registry.load(&name.replace('.', "/")) {
                Ok(class) => m.mirror(class).map(value::<D>),
                Err(_) => null::<D>(),
            }
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
            let class = m.mirrored(D::bits(a[1]) as u32);
            match class.pool.get(D::bits(a[2]) as u16) {
                Ok(crate::classfile::Constant::Int(number)) => Ok(value::<D>(*number as u32)),
                _ => Err(Fault::New("java/lang/IllegalArgumentException", None)),
            }
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
        // There is one module and no class loader but the machine.
        ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", |_, _| null::<D>()),
        ("java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;", |_, _| null::<D>()),
        ("java/lang/ClassLoader.getPlatformClassLoader()Ljava/lang/ClassLoader;", |_, _| null::<D>()),
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
