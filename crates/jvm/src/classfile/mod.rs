//! Class files: the binary format of one class, read into plain data (Java Virtual Machine Specification 17, chapter 4).
//!
//! Reading checks the shape (lengths, tags, indices into the constant pool) and nothing else: whether bytecode type-checks is
//! the `verify` module's question. Every index that a later stage follows was in range here or is checked there.

mod attributes;
mod bytes;
mod constants;

pub use attributes::{Bootstrap, CodeAttribute, Handler, InnerClass, RecordComponent};
pub use constants::{Constant, Handle, Pool};

use attributes::Attributes;
use bytes::Bytes;

/// The newest class file version that is read: Java 17.
pub(crate) const NEWEST_VERSION: u16 = 61;

/// Why bytes are no class.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClassFormat {
    /// It does not begin with `CAFEBABE`.
    #[error("it is not a class file")]
    Magic,
    /// It ends in the middle of something.
    #[error("it is truncated at byte {0}")]
    Truncated(usize),
    /// It is of a Java that is newer than the machine.
    #[error("its version {0} is newer than {NEWEST_VERSION} (Java 17)")]
    Version(u16),
    /// Something in it is not as it must be.
    #[error("{0}")]
    Malformed(String),
}

pub(crate) type Result<T> = std::result::Result<T, ClassFormat>;

/// Access flags that the machine looks at.
pub mod access {
    pub(crate) const PUBLIC: u16 = 0x1;
    pub(crate) const PRIVATE: u16 = 0x2;
    pub(crate) const PROTECTED: u16 = 0x4;
    pub(crate) const STATIC: u16 = 0x8;
    pub(crate) const FINAL: u16 = 0x10;
    pub(crate) const SYNCHRONIZED: u16 = 0x20;
    pub(crate) const VARARGS: u16 = 0x80;
    pub(crate) const NATIVE: u16 = 0x100;
    pub(crate) const INTERFACE: u16 = 0x200;
    pub(crate) const ABSTRACT: u16 = 0x400;
}

/// A class as it stands in its file.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// The constant pool.
    pub pool: Pool,
    /// Access flags.
    pub flags: u16,
    /// The internal name: `java/lang/Object`.
    pub name: String,
    /// The superclass; none for `Object`.
    pub superclass: Option<String>,
    /// Direct superinterfaces.
    pub interfaces: Vec<String>,
    /// Declared fields.
    pub fields: Vec<FieldInfo>,
    /// Declared methods.
    pub methods: Vec<MethodInfo>,
    /// The source file.
    pub source: Option<String>,
    /// The generic signature.
    pub signature: Option<String>,
    /// Bootstrap methods of `invokedynamic`.
    pub bootstraps: Vec<Bootstrap>,
    /// Member classes and what they are members of.
    pub inner_classes: Vec<InnerClass>,
    /// The class, and method if any, that a local class lies in.
    pub enclosing: Option<(String, Option<(String, String)>)>,
    /// The host of its nest.
    pub nest_host: Option<String>,
    /// The nest's other members.
    pub nest_members: Vec<String>,
    /// The components, if it is a record.
    pub record: Option<Vec<RecordComponent>>,
    /// The bytes of `RuntimeVisibleAnnotations`.
    pub annotations: Option<Vec<u8>>,
    /// The classes that may extend a sealed one.
    pub permitted: Vec<String>,
}

/// A field as it stands in its class.
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Access flags.
    pub flags: u16,
    /// The simple name.
    pub name: String,
    /// The field's type (JVMS 4.3.2).
    pub descriptor: String,
    /// The pool's index of its initial value.
    pub constant: Option<u16>,
    /// The generic signature.
    pub signature: Option<String>,
    /// The bytes of `RuntimeVisibleAnnotations`.
    pub annotations: Option<Vec<u8>>,
}

/// A method as it stands in its class.
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// Access flags.
    pub flags: u16,
    /// The simple name, `<init>` for constructors.
    pub name: String,
    /// The types of parameters and result (JVMS 4.3.3).
    pub descriptor: String,
    /// What it does; none if it is native or abstract.
    pub code: Option<CodeAttribute>,
    /// Exceptions that it declares.
    pub exceptions: Vec<String>,
    /// The generic signature.
    pub signature: Option<String>,
    /// The bytes of `RuntimeVisibleAnnotations`.
    pub annotations: Option<Vec<u8>>,
    /// The default of an annotation's element, as bytes.
    pub annotation_default: Option<Vec<u8>>,
    /// The bytes of `RuntimeVisibleParameterAnnotations`.
    pub parameter_annotations: Option<Vec<u8>>,
}

impl ClassFile {
    /// Reads the bytes of a `.class` file (JVMS 4); fails where they are cut off or contradict themselves.
    pub fn read(bytes: &[u8]) -> Result<ClassFile> {
        let mut input = Bytes::new(bytes);
        if input.u32()? != 0xCAFE_BABE {
            return Err(ClassFormat::Magic);
        }
        let (_minor, major) = (input.u16()?, input.u16()?);
        if major > NEWEST_VERSION {
            return Err(ClassFormat::Version(major));
        }
        let pool = Pool::read(&mut input)?;
        let flags = input.u16()?;
        let name = pool.class_name(input.u16()?)?.to_string();
        let superclass = match input.u16()? {
            0 => None,
            index => Some(pool.class_name(index)?.to_string()),
        };
        let mut interfaces = Vec::new();
        for _ in 0..input.u16()? {
            interfaces.push(pool.class_name(input.u16()?)?.to_string());
        }
        let mut fields = Vec::new();
        for _ in 0..input.u16()? {
            let (flags, name, descriptor) = member(&mut input, &pool)?;
            let attributes = Attributes::read(&mut input, &pool)?;
            fields.push(FieldInfo {
                flags,
                name,
                descriptor,
                constant: attributes.constant,
                signature: attributes.signature,
                annotations: attributes.annotations,
            });
        }
        let mut methods = Vec::new();
        for _ in 0..input.u16()? {
            let (flags, name, descriptor) = member(&mut input, &pool)?;
            let attributes = Attributes::read(&mut input, &pool)?;
            let is_bodiless = flags & (access::NATIVE | access::ABSTRACT) != 0;
            if is_bodiless == attributes.code.is_some() {
                let wrong = if is_bodiless { "has code it must not have" } else { "has no code" };
                return Err(ClassFormat::Malformed(format!("method {name}{descriptor} {wrong}")));
            }
            methods.push(MethodInfo {
                flags,
                name,
                descriptor,
                code: attributes.code,
                exceptions: attributes.exceptions,
                signature: attributes.signature,
                annotations: attributes.annotations,
                annotation_default: attributes.annotation_default,
                parameter_annotations: attributes.parameter_annotations,
            });
        }
        let attributes = Attributes::read(&mut input, &pool)?;
        Ok(ClassFile {
            flags,
            name,
            superclass,
            interfaces,
            fields,
            methods,
            source: attributes.source,
            signature: attributes.signature,
            bootstraps: attributes.bootstraps,
            inner_classes: attributes.inner_classes,
            enclosing: attributes.enclosing,
            nest_host: attributes.nest_host,
            nest_members: attributes.nest_members,
            record: attributes.record,
            annotations: attributes.annotations,
            permitted: attributes.permitted,
            pool,
        })
    }
}

/// Flags, name and descriptor of a field or method.
fn member(input: &mut Bytes<'_>, pool: &Pool) -> Result<(u16, String, String)> {
    let flags = input.u16()?;
    let name = pool.utf8(input.u16()?)?.to_string();
    let descriptor = pool.utf8(input.u16()?)?.to_string();
    Ok((flags, name, descriptor))
}
