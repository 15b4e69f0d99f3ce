//! Classes as the machine has them: linked, with the layout of their objects and their tables of methods.
//!
//! Classes are shared by all machines of a program and are never unloaded, so they live as long as the process and are passed
//! around as plain references. What changes during a run (whether a class is initialised, its static fields) is in the machine.

use crate::classfile::{Bootstrap, ClassFile, CodeAttribute, InnerClass, Pool, RecordComponent, access};
use crate::kind::{Kind, Signature, Type};
use crate::op::Code;
use std::sync::OnceLock;

/// A class, an interface, an array type or a primitive type.
#[derive(Debug)]
pub struct Class {
    /// The class's place in the registry.
    pub id: u32,
    /// The internal name: `java/lang/String`, `[I`, `int`.
    pub name: &'static str,
    /// Access flags.
    pub flags: u16,
    /// What it is.
    pub shape: Shape,
    /// The direct superclass; none for `Object`, interfaces and primitive types.
    pub superclass: Option<&'static Class>,
    /// Direct superinterfaces.
    pub interfaces: Vec<&'static Class>,
    /// The numbers of all classes and interfaces that it is a subtype of, itself included, in order. Arrays of references
    /// are subtypes of more.
    pub supers: Vec<u32>,
    /// The bytes of an instance.
    pub size: u32,
    /// The bytes of its static fields.
    pub static_size: u32,
    /// Declared fields.
    pub fields: Vec<Field>,
    /// Whether it is the program's and not the JDK's.
    pub own: bool,
    /// What only reflection, bootstrap methods and messages ask for.
    pub details: Details,
    /// The constant pool as it stands in the file.
    pub pool: Pool,
    /// The constant pool's entries, resolved when they are first used.
    pub resolved: Box<[OnceLock<Resolved>]>,
    /// What its objects answered to selectors of interfaces.
    pub(crate) answers: Answers,
    pub(crate) methods: OnceLock<Box<[&'static Method]>>,
    pub(crate) vtable: OnceLock<Box<[&'static Method]>>,
}

/// A small table of answers; where two selectors meet, the first stays and the other is looked for each time.
#[derive(Debug, Default)]
pub(crate) struct Answers(OnceLock<Box<[Answer]>>);

/// A selector and the method that answers it.
type Answer = OnceLock<(u32, &'static Method)>;

impl Answers {
    const SIZE: usize = 64;
    const PROBES: usize = 4;

    #[inline]
    pub(crate) fn get(&self, selector: u32) -> Option<&'static Method> {
        let table = self.0.get()?;
        (0..Self::PROBES).find_map(|probe| {
            let (known, method) = table[(selector as usize + probe) % Self::SIZE].get()?;
            (*known == selector).then_some(*method)
        })
    }

    pub(crate) fn put(&self, selector: u32, method: &'static Method) {
        let table = self.0.get_or_init(|| (0..Self::SIZE).map(|_| OnceLock::new()).collect());
        for probe in 0..Self::PROBES {
            if table[(selector as usize + probe) % Self::SIZE].set((selector, method)).is_ok() {
                return;
            }
        }
    }
}

/// What a class is.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A class or an interface.
    Plain,
    /// An array of these.
    Array(&'static Class),
    /// A primitive type.
    Primitive(Kind),
}

/// Attributes of a class that execution does not need.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The source file.
    pub source: Option<String>,
    /// The generic signature.
    pub signature: Option<String>,
    /// Bootstrap methods.
    pub bootstraps: Vec<Bootstrap>,
    /// Member classes.
    pub inner_classes: Vec<InnerClass>,
    /// The class and method that a local class lies in.
    pub enclosing: Option<(String, Option<(String, String)>)>,
    /// The host of its nest.
    pub nest_host: Option<String>,
    /// The components of a record.
    pub record: Option<Vec<RecordComponent>>,
    /// Annotations, as bytes.
    pub annotations: Option<Vec<u8>>,
    /// The subclasses of a sealed class.
    pub permitted: Vec<String>,
}

impl Details {
    pub(crate) fn of(file: &mut ClassFile) -> Details {
        Details {
            source: file.source.take(),
            signature: file.signature.take(),
            bootstraps: std::mem::take(&mut file.bootstraps),
            inner_classes: std::mem::take(&mut file.inner_classes),
            enclosing: file.enclosing.take(),
            nest_host: file.nest_host.take(),
            record: file.record.take(),
            annotations: file.annotations.take(),
            permitted: std::mem::take(&mut file.permitted),
        }
    }
}

/// A field with its place in memory.
#[derive(Clone, Debug)]
pub struct Field {
    /// The simple name.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// Access flags.
    pub flags: u16,
    /// Where it lies in an instance, or among the static fields of its class.
    pub offset: u32,
    /// The pool's index of its initial value.
    pub constant: Option<u16>,
    /// The generic signature.
    pub signature: Option<String>,
    /// Annotations, as bytes.
    pub annotations: Option<Vec<u8>>,
}

impl Field {
    /// Whether it is static.
    pub(crate) fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }
}

/// A method with what is needed to call it.
#[derive(Debug)]
pub struct Method {
    /// Its number among all methods.
    pub id: u32,
    /// The class that declares it.
    pub class: &'static Class,
    /// The simple name, `<init>` for constructors.
    pub name: String,
    /// The types of parameters and result (JVMS 4.3.3).
    pub descriptor: String,
    /// The number of name and descriptor: methods that may override each other have the same.
    pub selector: u32,
    /// What the descriptor says.
    pub signature: Signature,
    /// Access flags.
    pub flags: u16,
    /// Slots of the receiver and the parameters.
    pub arguments: u16,
    /// Its place in the tables of its class and subclasses, if it can be overridden.
    pub index: Option<u32>,
    /// Its body in the file.
    pub body: Option<CodeAttribute>,
    /// The row of the table of natives that stands for it.
    pub native: Option<u16>,
    /// Exceptions that it declares.
    pub exceptions: Vec<String>,
    /// The generic signature.
    pub generic: Option<String>,
    /// Annotations, as bytes.
    pub annotations: Option<Vec<u8>>,
    /// The default of an annotation's element, as bytes.
    pub annotation_default: Option<Vec<u8>>,
    /// The bytes of the annotations of its parameters.
    pub parameter_annotations: Option<Vec<u8>>,
    /// The first of its sites, once it was decoded or counted.
    pub sites: OnceLock<u32>,
    pub(crate) code: OnceLock<Result<Code, String>>,
}

impl Method {
    /// Whether it is static.
    pub(crate) fn is_static(&self) -> bool {
        self.flags & access::STATIC != 0
    }

    /// Whether it has no body.
    pub(crate) fn is_abstract(&self) -> bool {
        self.flags & access::ABSTRACT != 0
    }

    /// The line of an offset in its bytecode.
    pub(crate) fn line(&self, offset: u16) -> Option<u16> {
        let lines = &self.body.as_ref()?.lines;
        lines
            .iter()
            .filter(|(start, _)| *start <= offset)
            .max_by_key(|(start, _)| *start)
            .map(|(_, line)| *line)
    }

    /// `Class.method`, as stack traces show it.
    pub(crate) fn qualified(&self) -> String {
        format!("{}.{}", self.class.name.replace('/', "."), self.name)
    }
}

/// An entry of a constant pool, resolved.
#[derive(Debug)]
pub enum Resolved {
    /// A class.
    Class(&'static Class),
    /// A field and the class that declares it.
    Field(&'static Class, &'static Field),
    /// A method.
    Method(&'static Method),
    /// A string literal, by number.
    Literal(u32),
    /// What an `invokedynamic` does.
    Site(crate::dynamic::CallSite),
}

impl Class {
    /// Whether it is an interface.
    pub(crate) fn is_interface(&self) -> bool {
        self.flags & access::INTERFACE != 0
    }

    /// Its name in the source: without packages, the classes around it and the number of a local class.
    pub fn simple_name(&self) -> &str {
        let inner = self.details.inner_classes.iter().find(|inner| inner.inner == self.name);
        match inner.and_then(|inner| inner.name.as_deref()) {
            Some(name) => name,
            None => self.name.rsplit('/').next().unwrap_or(self.name),
        }
    }

    /// Declared methods, constructors and the initialiser.
    pub(crate) fn methods(&self) -> &[&'static Method] {
        self.methods.get().map_or(&[], |methods| methods)
    }

    /// What `invokevirtual` looks into.
    pub(crate) fn vtable(&self) -> &[&'static Method] {
        self.vtable.get().map_or(&[], |table| table)
    }

    /// The kind of an array's elements.
    pub(crate) fn element_kind(&self) -> Option<Kind> {
        match self.shape {
            Shape::Array(element) => Some(element.kind()),
            _ => None,
        }
    }

    /// The kind of its values.
    pub(crate) fn kind(&self) -> Kind {
        match self.shape {
            Shape::Primitive(kind) => kind,
            _ => Kind::Ref,
        }
    }

    /// Whether its values are also values of the other.
    pub(crate) fn is_subtype_of(&self, other: &Class) -> bool {
        if self.id == other.id || self.supers.binary_search(&other.id).is_ok() {
            return true;
        }
        let (mut a, mut b) = (self.shape, other.shape);
        while let (Shape::Array(x), Shape::Array(y)) = (a, b) {
            if x.id == y.id
                || !matches!(x.shape, Shape::Primitive(_)) && x.supers.binary_search(&y.id).is_ok()
            {
                return true;
            }
            (a, b) = (x.shape, y.shape);
        }
        false
    }

    /// A method that it declares.
    pub(crate) fn declared(&self, name: &str, descriptor: &str) -> Option<&'static Method> {
        self.methods().iter().find(|m| m.name == name && m.descriptor == descriptor).copied()
    }

    /// A method of it or of what it inherits from, as resolution finds it: superclasses, then superinterfaces.
    pub(crate) fn find_method(&'static self, name: &str, descriptor: &str) -> Option<&'static Method> {
        let mut class = Some(self);
        while let Some(at) = class {
            if let Some(method) = at.declared(name, descriptor) {
                return Some(method);
            }
            class = at.superclass;
        }
        let mut all = Vec::new();
        self.all_interfaces(&mut all);
        let mut found: Vec<&'static Method> =
            all.iter().filter_map(|interface| interface.declared(name, descriptor)).collect();
        found.retain(|m| !m.is_static());
        most_specific(&found)
    }

    /// The method that an object of this class answers a selector with.
    pub(crate) fn select(&'static self, selector: u32) -> Option<&'static Method> {
        let mut class = Some(self);
        let answers = |m: &&&'static Method| {
            m.selector == selector && m.flags & (access::STATIC | access::PRIVATE) == 0
        };
        while let Some(at) = class {
            if let Some(method) = at.methods().iter().find(answers) {
                return Some(method);
            }
            class = at.superclass;
        }
        let mut all = Vec::new();
        self.all_interfaces(&mut all);
        let found: Vec<&'static Method> =
            all.iter().filter_map(|interface| interface.methods().iter().find(answers).copied()).collect();
        most_specific(&found)
    }

    fn all_interfaces(&'static self, all: &mut Vec<&'static Class>) {
        let mut open = vec![self];
        while let Some(class) = open.pop() {
            for &interface in &class.interfaces {
                if !all.iter().any(|known| known.id == interface.id) {
                    all.push(interface);
                    open.push(interface);
                }
            }
            open.extend(class.superclass);
        }
    }

    /// A field of it or of what it inherits from, with the class that declares it.
    pub(crate) fn find_field(
        &'static self,
        name: &str,
        descriptor: Option<&str>,
    ) -> Option<(&'static Class, &'static Field)> {
        let mut open = vec![self];
        while let Some(class) = open.pop() {
            let fits = |f: &&Field| f.name == name && descriptor.is_none_or(|d| f.ty.descriptor() == d);
            if let Some(field) = class.fields.iter().find(fits) {
                return Some((class, field));
            }
            open.extend(class.superclass);
            open.extend(class.interfaces.iter().rev());
        }
        None
    }

    /// The package, with slashes; empty for the unnamed one.
    pub(crate) fn package(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(package, _)| package)
    }
}

/// The method whose class no other candidate's class extends; one with a body before one without.
fn most_specific(found: &[&'static Method]) -> Option<&'static Method> {
    let is_hidden = |m: &&'static Method| {
        found.iter().any(|other| other.class.id != m.class.id && other.class.is_subtype_of(m.class))
    };
    let visible = || found.iter().copied().filter(|m| !is_hidden(m));
    visible().find(|m| !m.is_abstract()).or_else(|| visible().next())
}
