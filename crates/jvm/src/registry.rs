//! All classes of a program: loaded and linked when they are first used, shared by all machines.
//!
//! Loading a class loads its superclasses and superinterfaces first, lays out its fields and builds its table of methods. Numbers
//! of classes, methods and sites are given in the order of loading and decoding.

use crate::archive::{ClassPath, ClassSource};
use crate::class::{Answers, Class, Details, Field, Method, Resolved, Shape};
use crate::classfile::{ClassFile, ClassFormat, Constant, access};
use crate::decode;
use crate::dynamic;
use crate::heap::HEADER;
use crate::kind::{Kind, PRIMITIVES, Signature, Type};
use crate::op::Code;
use crate::sites::OwnSites;
use crate::typecheck;
use crate::verify;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// Why a class is not there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// No source has it.
    #[error("class {} is missing", dotted(.0))]
    NotFound(String),
    /// Its file is not what it should be.
    #[error("class {}: {}", dotted(.0), .1)]
    Format(String, ClassFormat),
    /// Its code does not type-check.
    #[error("{0}")]
    Verify(String),
    /// It does not fit what it refers to, or a member is missing.
    #[error("{0}")]
    Link(String),
    /// A source could not be read.
    #[error("{0}")]
    Unreadable(String),
}

/// A class as people write it.
fn dotted(name: &str) -> String {
    name.replace('/', ".")
}

impl LoadError {
    /// The error that Java throws for it.
    pub(crate) fn throwable(&self) -> &'static str {
        match self {
            LoadError::NotFound(_) | LoadError::Unreadable(_) => "java/lang/NoClassDefFoundError",
            LoadError::Format(_, ClassFormat::Version(_)) => "java/lang/UnsupportedClassVersionError",
            LoadError::Format(..) => "java/lang/ClassFormatError",
            LoadError::Verify(_) => "java/lang/VerifyError",
            LoadError::Link(message) if message.starts_with("field ") => "java/lang/NoSuchFieldError",
            LoadError::Link(message) if message.starts_with("method ") => "java/lang/NoSuchMethodError",
            LoadError::Link(_) => "java/lang/IncompatibleClassChangeError",
        }
    }

    /// The message that Java gives it.
    pub(crate) fn message(&self) -> String {
        match self {
            LoadError::NotFound(name) => name.clone(),
            other => other.to_string(),
        }
    }
}

/// The places that the JDK's code shares.
const SHARED_SITES: u32 = 1 << 12;

/// Superclasses and superinterfaces may be this deep.
const MAX_DEPTH: usize = 500;

/// All classes.
#[derive(Debug)]
pub(crate) struct Registry {
    path: Arc<ClassPath>,
    inner: RwLock<Inner>,
    loading: Mutex<()>,
    own: OnceLock<OwnSites>,
    natives: FxHashMap<String, u16>,
}

#[derive(Debug, Default)]
struct Inner {
    by_name: FxHashMap<String, Result<&'static Class, LoadError>>,
    classes: Vec<&'static Class>,
    methods: Vec<&'static Method>,
    selectors: FxHashMap<String, u32>,
    literals: FxHashMap<Box<[u16]>, u32>,
    texts: Vec<Arc<[u16]>>,
}

fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// No classes but the primitive ones. `natives` numbers the methods that the machine has in Rust.
    pub(crate) fn new(path: ClassPath, natives: FxHashMap<String, u16>) -> Registry {
        let inner = Inner::default();
        let registry = Registry {
            path: Arc::new(path),
            inner: RwLock::new(inner),
            loading: Mutex::default(),
            own: OnceLock::new(),
            natives,
        };
        for (kind, _, name, _) in PRIMITIVES {
            registry.insert(name, Shape::Primitive(kind), None, Vec::new());
        }
        registry
    }

    /// Where classes come from.
    pub(crate) fn path(&self) -> &Arc<ClassPath> {
        &self.path
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Inner> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A class that was loaded before.
    pub(crate) fn loaded(&self, name: &str) -> Option<&'static Class> {
        self.read().by_name.get(name).and_then(|known| known.as_ref().ok().copied())
    }

    /// A class by number.
    pub(crate) fn class(&self, id: u32) -> &'static Class {
        self.read().classes[id as usize]
    }

    /// The classes from a number on.
    pub(crate) fn classes_from(&self, first: usize) -> Vec<&'static Class> {
        self.read().classes[first..].to_vec()
    }

    /// A method by number.
    pub(crate) fn method(&self, id: u32) -> &'static Method {
        self.read().methods[id as usize]
    }

    /// A class by internal name or array descriptor, loaded if need be.
    pub(crate) fn load(&self, name: &str) -> Result<&'static Class, LoadError> {
        if let Some(known) = self.read().by_name.get(name) {
            return known.clone();
        }
        let _guard = hold(&self.loading);
        self.load_deep(name, 0)
    }

    /// The class of arrays of a class.
    pub(crate) fn array_of(&self, element: &'static Class) -> Result<&'static Class, LoadError> {
        self.load(&array_name(element))
    }

    fn load_deep(&self, name: &str, depth: usize) -> Result<&'static Class, LoadError> {
        if let Some(known) = self.read().by_name.get(name) {
            return known.clone();
        }
        if depth > MAX_DEPTH {
            return Err(LoadError::Link(format!("class {name} has too many superclasses, or is its own")));
        }
        let loaded =
            if name.starts_with('[') { self.load_array(name, depth) } else { self.load_file(name, depth) };
        if let Err(error) = &loaded {
            self.write().by_name.insert(name.to_string(), Err(error.clone()));
        }
        loaded
    }

    fn load_array(&self, name: &str, depth: usize) -> Result<&'static Class, LoadError> {
        let ty = Type::parse(&name[1..]).ok_or_else(|| LoadError::NotFound(name.to_string()))?;
        let element = self.load_deep(&ty.class, depth + 1)?;
        let object = self.load_deep("java/lang/Object", depth + 1)?;
        let interfaces = vec![
            self.load_deep("java/lang/Cloneable", depth + 1)?,
            self.load_deep("java/io/Serializable", depth + 1)?,
        ];
        Ok(self.insert(name, Shape::Array(element), Some(object), interfaces))
    }

    /// A class without a file.
    fn insert(
        &self,
        name: &str,
        shape: Shape,
        superclass: Option<&'static Class>,
        interfaces: Vec<&'static Class>,
    ) -> &'static Class {
        let mut inner = self.write();
        let id = inner.classes.len() as u32;
        let mut supers = vec![id];
        supers.extend(superclass.iter().chain(&interfaces).map(|class| class.id));
        supers.sort_unstable();
        let element_flags = match shape {
            Shape::Array(element) => element.flags & (access::PUBLIC | access::PRIVATE | access::PROTECTED),
            _ => access::PUBLIC,
        };
        let class: &'static Class = Box::leak(Box::new(Class {
            id,
            name: Box::leak(name.to_string().into_boxed_str()),
            flags: element_flags | access::FINAL | access::ABSTRACT,
            shape,
            superclass,
            interfaces,
            supers,
            size: HEADER,
            static_size: HEADER,
            fields: Vec::new(),
            own: false,
            details: Details::default(),
            pool: crate::classfile::Pool::default(),
            resolved: Box::default(),
            answers: Answers::default(),
            methods: OnceLock::new(),
            vtable: OnceLock::from(Box::from(superclass.map_or(&[][..], |object| object.vtable()))),
        }));
        inner.classes.push(class);
        inner.by_name.insert(name.to_string(), Ok(class));
        class
    }

    fn load_file(&self, name: &str, depth: usize) -> Result<&'static Class, LoadError> {
        let found = self.path.class(name).map_err(LoadError::Unreadable)?;
        let (bytes, is_jdk) = found.ok_or_else(|| LoadError::NotFound(name.to_string()))?;
        let mut file =
            ClassFile::read(&bytes).map_err(|error| LoadError::Format(name.replace('/', "."), error))?;
        if file.name != name {
            return Err(LoadError::NotFound(format!("{name} (wrong name: {})", file.name)));
        }
        let superclass =
            file.superclass.as_deref().map(|name| self.load_deep(name, depth + 1)).transpose()?;
        if superclass.is_none() && name != "java/lang/Object" {
            return Err(LoadError::Link(format!("class {name} has no superclass")));
        }
        if let Some(superclass) = superclass
            && (superclass.is_interface() || superclass.flags & access::FINAL != 0)
        {
            return Err(LoadError::Link(format!("class {name} cannot extend {}", superclass.name)));
        }
        let interfaces = file
            .interfaces
            .iter()
            .map(|name| self.load_deep(name, depth + 1))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(wrong) = interfaces.iter().find(|interface| !interface.is_interface()) {
            return Err(LoadError::Link(format!("class {name} cannot implement {}", wrong.name)));
        }
        self.link(&mut file, superclass, interfaces, !is_jdk)
    }

    /// Adds a class whose supertypes are there.
    fn link(
        &self,
        file: &mut ClassFile,
        superclass: Option<&'static Class>,
        interfaces: Vec<&'static Class>,
        own: bool,
    ) -> Result<&'static Class, LoadError> {
        let (fields, size, static_size) = lay_out(file, superclass)?;
        let mut inner = self.write();
        let id = inner.classes.len() as u32;
        let mut supers = vec![id];
        for class in superclass.iter().chain(&interfaces) {
            supers.extend(&class.supers);
        }
        supers.sort_unstable();
        supers.dedup();
        let class: &'static Class = Box::leak(Box::new(Class {
            id,
            name: Box::leak(file.name.clone().into_boxed_str()),
            flags: file.flags,
            shape: Shape::Plain,
            superclass,
            interfaces,
            supers,
            size,
            static_size,
            fields,
            own,
            details: Details::of(file),
            resolved: (0..file.pool.len()).map(|_| OnceLock::new()).collect(),
            pool: std::mem::take(&mut file.pool),
            answers: Answers::default(),
            methods: OnceLock::new(),
            vtable: OnceLock::new(),
        }));
        let mut vtable: Vec<&'static Method> =
            superclass.map_or_else(Vec::new, |class| class.vtable().to_vec());
        let mut methods: Vec<&'static Method> = Vec::with_capacity(file.methods.len());
        for info in std::mem::take(&mut file.methods) {
            let signature = Signature::parse(&info.descriptor);
            let signature = signature.ok_or_else(|| {
                let message = format!("method {} has the bad descriptor {}", info.name, info.descriptor);
                LoadError::Format(class.name.to_string(), ClassFormat::Malformed(message))
            })?;
            let receiver = usize::from(info.flags & access::STATIC == 0);
            let key = format!("{}{}", info.name, info.descriptor);
            let next = inner.selectors.len() as u32;
            let selector = *inner.selectors.entry(key).or_insert(next);
            let is_virtual =
                info.flags & (access::STATIC | access::PRIVATE) == 0 && !info.name.starts_with('<');
            let index = (is_virtual && !class.is_interface()).then(|| {
                let same = |m: &&'static Method| {
                    m.selector == selector
                        && (m.flags & (access::PUBLIC | access::PROTECTED) != 0
                            || m.class.package() == class.package())
                };
                vtable.iter().rposition(same).unwrap_or(vtable.len()) as u32
            });
            let full = format!("{}.{}{}", class.name, info.name, info.descriptor);
            let method: &'static Method = Box::leak(Box::new(Method {
                id: inner.methods.len() as u32,
                class,
                selector,
                arguments: (receiver + signature.slots()) as u16,
                signature,
                flags: info.flags,
                index,
                native: self.natives.get(&full).copied(),
                exceptions: info.exceptions,
                generic: info.signature,
                annotations: info.annotations,
                annotation_default: info.annotation_default,
                parameter_annotations: info.parameter_annotations,
                body: info.code,
                name: info.name,
                descriptor: info.descriptor,
                sites: OnceLock::new(),
                code: OnceLock::new(),
            }));
            inner.methods.push(method);
            methods.push(method);
            if let Some(index) = index {
                match vtable.get_mut(index as usize) {
                    Some(entry) => *entry = method,
                    None => vtable.push(method),
                }
            }
        }
        class.methods.get_or_init(|| methods.into());
        class.vtable.get_or_init(|| vtable.into());
        inner.classes.push(class);
        inner.by_name.insert(class.name.to_string(), Ok(class));
        Ok(class)
    }

    /// Adds a class that the machine made itself, such as that of a lambda.
    pub(crate) fn define(
        &self,
        mut file: ClassFile,
        superclass: &'static Class,
        interfaces: Vec<&'static Class>,
    ) -> Result<&'static Class, LoadError> {
        let _guard = hold(&self.loading);
        if let Some(known) = self.loaded(&file.name) {
            return Ok(known);
        }
        self.link(&mut file, Some(superclass), interfaces, false)
    }

    /// The number of a string literal.
    pub(crate) fn literal(&self, text: &[u16]) -> u32 {
        if let Some(&known) = self.read().literals.get(text) {
            return known;
        }
        let mut inner = self.write();
        let next = inner.texts.len() as u32;
        let number = *inner.literals.entry(text.into()).or_insert(next);
        if number == next {
            inner.texts.push(text.into());
        }
        number
    }

    /// A literal by number.
    pub(crate) fn text(&self, literal: u32) -> Arc<[u16]> {
        self.read().texts[literal as usize].clone()
    }

    /// The code of a method, decoded the first time. The program's classes are verified before.
    pub(crate) fn code(&self, method: &'static Method) -> Result<&'static Code, &'static str> {
        let code = method.code.get_or_init(|| {
            if method.class.own {
                verify::method(self, method)?;
                typecheck::method(self, method)?;
            }
            decode::decode(self, method, self.first_site(method))
        });
        code.as_ref().map_err(String::as_str)
    }

    /// Gives a method code that the machine made.
    pub(crate) fn set_code(&self, method: &'static Method, code: Code) {
        method.code.get_or_init(|| Ok(code));
    }

    /// The number of a method's first site. The program's are numbered when it is loaded; the JDK's, of which a run sees few, share
    /// a fixed number of places by name, so that numbers do not depend on what was run before.
    pub(crate) fn first_site(&self, method: &'static Method) -> u32 {
        *method.sites.get_or_init(|| {
            let key = format!("{}.{}{}", method.class.name, method.name, method.descriptor);
            match self.own.get().and_then(|own| own.first(&key)) {
                Some(first) => first,
                None => self.shared_site(&key, decode::sites(method).map_or(0, |sites| sites.len() as u32)),
            }
        })
    }

    /// So many places in a row among those that the JDK's code shares.
    pub(crate) fn shared_site(&self, key: &str, count: u32) -> u32 {
        let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let room = SHARED_SITES.saturating_sub(count).max(1);
        self.own_site_count() + (hash % u64::from(room)) as u32
    }

    fn own_site_count(&self) -> u32 {
        self.own.get().map_or(1, OwnSites::count)
    }

    /// How many sites there are.
    pub(crate) fn site_count(&self) -> usize {
        (self.own_site_count() + 2 * SHARED_SITES) as usize
    }

    /// Numbers the sites of the program's classes.
    pub(crate) fn number_own_sites(&self) -> &OwnSites {
        self.own.get_or_init(|| OwnSites::of(self))
    }

    /// Resolves an entry of a class's constant pool.
    pub(crate) fn resolve(&self, class: &'static Class, index: u16) -> Result<&'static Resolved, LoadError> {
        let malformed = || {
            LoadError::Format(
                class.name.to_string(),
                ClassFormat::Malformed(format!("there is no constant {index}")),
            )
        };
        let cell = class.resolved.get(usize::from(index)).ok_or_else(malformed)?;
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let resolved = self.resolve_anew(class, index)?;
        Ok(cell.get_or_init(|| resolved))
    }

    fn resolve_anew(&self, class: &'static Class, index: u16) -> Result<Resolved, LoadError> {
        let constant =
            class.pool.get(index).map_err(|error| LoadError::Format(class.name.to_string(), error))?;
        Ok(match constant {
            Constant::Class(name) => Resolved::Class(self.load(name)?),
            Constant::Field(owner, name, descriptor) => {
                let owner = self.load(owner)?;
                let (class, field) = owner.find_field(name, Some(descriptor)).ok_or_else(|| {
                    LoadError::Link(format!("field {}.{name} of type {descriptor} is missing", owner.name))
                })?;
                Resolved::Field(class, field)
            }
            Constant::Method(owner, name, descriptor, _) => {
                let owner = self.load(owner)?;
                let method = owner.find_method(name, descriptor).ok_or_else(|| {
                    LoadError::Link(format!("method {}.{name}{descriptor} is missing", owner.name))
                })?;
                Resolved::Method(method)
            }
            Constant::Str(text) => Resolved::Literal(self.literal(text)),
            Constant::Dynamic(..) => Resolved::Site(dynamic::link(self, class, index)?),
            _ => {
                return Err(LoadError::Link(format!(
                    "constant {index} of {} cannot be resolved",
                    class.name
                )));
            }
        })
    }

    /// The names of the program's own classes, in order.
    pub(crate) fn own_classes(&self) -> Vec<String> {
        let classes = self.path.sources.iter().flat_map(ClassSource::classes);
        classes.filter(|class| !self.is_replaced(class)).collect()
    }

    /// Whether natives stand for the methods of a class: what asks for inputs is no code of the program.
    fn is_replaced(&self, class: &str) -> bool {
        let belongs = |row: &String| row.strip_prefix(class).is_some_and(|rest| rest.starts_with('.'));
        self.natives.keys().any(belongs)
    }
}

/// The descriptor of arrays of a class.
pub(crate) fn array_name(element: &Class) -> String {
    match element.shape {
        Shape::Array(_) => format!("[{}", element.name),
        Shape::Primitive(kind) => format!("[{}", kind.primitive().map_or('I', |row| char::from(row.1))),
        Shape::Plain => format!("[L{};", element.name),
    }
}

/// Places fields: what is larger first, so that everything is aligned.
fn lay_out(
    file: &mut ClassFile,
    superclass: Option<&'static Class>,
) -> Result<(Vec<Field>, u32, u32), LoadError> {
    let mut fields = Vec::with_capacity(file.fields.len());
    for info in std::mem::take(&mut file.fields) {
        let ty = Type::parse(&info.descriptor).filter(|ty| ty.kind != Kind::Void).ok_or_else(|| {
            let message = format!("field {} has the bad descriptor {}", info.name, info.descriptor);
            LoadError::Format(file.name.clone(), ClassFormat::Malformed(message))
        })?;
        fields.push(Field {
            name: info.name,
            ty,
            flags: info.flags,
            offset: 0,
            constant: info.constant,
            signature: info.signature,
            annotations: info.annotations,
        });
    }
    let mut size = superclass.map_or(HEADER, |class| class.size);
    let mut static_size = HEADER;
    for bytes in [8, 4, 2, 1] {
        for field in fields.iter_mut().filter(|field| field.ty.kind.bytes() == bytes) {
            let end = if field.is_static() { &mut static_size } else { &mut size };
            field.offset = end.next_multiple_of(bytes);
            *end = field.offset + bytes;
        }
    }
    Ok((fields, size.next_multiple_of(4), static_size))
}
