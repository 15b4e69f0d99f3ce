//! Attributes that the machine reads; all others are skipped by their length.

use super::bytes::Bytes;
use super::constants::Pool;
use super::{ClassFormat, Result};

/// The body of a method.
#[derive(Clone, Debug)]
pub struct CodeAttribute {
    /// The deepest operand stack, in slots.
    pub max_stack: u16,
    /// Slots of parameters and locals.
    pub max_locals: u16,
    /// The instructions.
    pub bytecode: Vec<u8>,
    /// Exception handlers, in order.
    pub handlers: Vec<Handler>,
    /// Where lines begin: offset and number, in the file's order.
    pub lines: Vec<(u16, u16)>,
    /// Names of locals, where the compiler kept them.
    pub locals: Vec<LocalVariable>,
}

/// A local variable that has a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalVariable {
    /// Where it lies in a frame.
    pub slot: u16,
    /// Its name in the source.
    pub name: String,
    /// Where in the bytecode it begins to have its value.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// An exception handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The first offset that it covers.
    pub start: u16,
    /// The first after that it does not.
    pub end: u16,
    /// Where it begins.
    pub target: u16,
    /// The class that it catches, as an index into the pool; 0 catches all.
    pub catch: u16,
}

/// A bootstrap method: a handle and its arguments, as indices into the pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bootstrap {
    /// The pool's index of the method handle.
    pub handle: u16,
    /// The pool's indices of the static arguments.
    pub arguments: Vec<u16>,
}

/// A member class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InnerClass {
    /// The class.
    pub inner: String,
    /// The class that it is a member of.
    pub outer: Option<String>,
    /// Its simple name; none if it is anonymous.
    pub name: Option<String>,
    /// Its flags in the source.
    pub flags: u16,
}

/// A component of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordComponent {
    /// The component's name in the source.
    pub name: String,
    /// The component's type (JVMS 4.3.2).
    pub descriptor: String,
    /// The generic signature.
    pub signature: Option<String>,
}

/// All attributes of a class, field, method or code.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) code: Option<CodeAttribute>,
    pub(super) constant: Option<u16>,
    pub(super) exceptions: Vec<String>,
    pub(super) signature: Option<String>,
    pub(super) source: Option<String>,
    pub(super) bootstraps: Vec<Bootstrap>,
    pub(super) inner_classes: Vec<InnerClass>,
    pub(super) enclosing: Option<(String, Option<(String, String)>)>,
    pub(super) nest_host: Option<String>,
    pub(super) nest_members: Vec<String>,
    pub(super) record: Option<Vec<RecordComponent>>,
    pub(super) annotations: Option<Vec<u8>>,
    pub(super) permitted: Vec<String>,
    pub(super) annotation_default: Option<Vec<u8>>,
    pub(super) parameter_annotations: Option<Vec<u8>>,
    lines: Vec<(u16, u16)>,
    locals: Vec<LocalVariable>,
}

/// Attributes lie in code and in record components, and these in methods and classes: no deeper.
const MAX_DEPTH: u32 = 3;

impl Attributes {
    pub(super) fn read(input: &mut Bytes<'_>, pool: &Pool) -> Result<Attributes> {
        Attributes::nested(input, pool, MAX_DEPTH)
    }

    fn nested(input: &mut Bytes<'_>, pool: &Pool, depth: u32) -> Result<Attributes> {
        let mut all = Attributes::default();
        for _ in 0..input.u16()? {
            let name = pool.utf8(input.u16()?)?;
            let length = input.u32()? as usize;
            let mut body = Bytes::new(input.take(length)?);
            all.attribute(name, &mut body, length, pool, depth)?;
        }
        Ok(all)
    }

    fn attribute(
        &mut self,
        name: &str,
        body: &mut Bytes<'_>,
        length: usize,
        pool: &Pool,
        depth: u32,
    ) -> Result<()> {
        let classes = |body: &mut Bytes<'_>| -> Result<Vec<String>> {
            (0..body.u16()?).map(|_| Ok(pool.class_name(body.u16()?)?.to_string())).collect()
        };
        match name {
            "Code" if depth > 0 => self.code = Some(code(body, pool, depth)?),
            "ConstantValue" => self.constant = Some(body.u16()?),
            "Exceptions" => self.exceptions = classes(body)?,
            "Signature" => self.signature = Some(pool.utf8(body.u16()?)?.to_string()),
            "SourceFile" => self.source = Some(pool.utf8(body.u16()?)?.to_string()),
            "LineNumberTable" => {
                for _ in 0..body.u16()? {
                    self.lines.push((body.u16()?, body.u16()?));
                }
            }
            "LocalVariableTable" => {
                for _ in 0..body.u16()? {
                    let (start, length, name) = (body.u16()?, body.u16()?, body.u16()?);
                    let (_, slot) = (body.u16()?, body.u16()?);
                    self.locals.push(LocalVariable {
                        slot,
                        name: pool.utf8(name)?.to_string(),
                        start: u32::from(start),
                        end: u32::from(start) + u32::from(length),
                    });
                }
            }
            "BootstrapMethods" => {
                for _ in 0..body.u16()? {
                    let handle = body.u16()?;
                    let arguments = (0..body.u16()?).map(|_| body.u16()).collect::<Result<_>>()?;
                    self.bootstraps.push(Bootstrap { handle, arguments });
                }
            }
            "InnerClasses" => {
                for _ in 0..body.u16()? {
                    let inner = pool.class_name(body.u16()?)?.to_string();
                    let outer = match body.u16()? {
                        0 => None,
                        index => Some(pool.class_name(index)?.to_string()),
                    };
                    let name = match body.u16()? {
                        0 => None,
                        index => Some(pool.utf8(index)?.to_string()),
                    };
                    self.inner_classes.push(InnerClass { inner, outer, name, flags: body.u16()? });
                }
            }
            "EnclosingMethod" => {
                let class = pool.class_name(body.u16()?)?.to_string();
                let method = match body.u16()? {
                    0 => None,
                    index => match pool.get(index)? {
                        super::Constant::NameAndType(name, ty) => Some((name.to_string(), ty.to_string())),
                        _ => {
                            return Err(ClassFormat::Malformed(format!(
                                "constant {index} is no name and type"
                            )));
                        }
                    },
                };
                self.enclosing = Some((class, method));
            }
            "NestHost" => self.nest_host = Some(pool.class_name(body.u16()?)?.to_string()),
            "NestMembers" => self.nest_members = classes(body)?,
            "PermittedSubclasses" => self.permitted = classes(body)?,
            "AnnotationDefault" => self.annotation_default = Some(body.take(length)?.to_vec()),
            "RuntimeVisibleParameterAnnotations" => {
                self.parameter_annotations = Some(body.take(length)?.to_vec());
            }
            "RuntimeVisibleAnnotations" => self.annotations = Some(body.take(length)?.to_vec()),
            "Record" if depth > 0 => {
                let mut components = Vec::new();
                for _ in 0..body.u16()? {
                    let name = pool.utf8(body.u16()?)?.to_string();
                    let descriptor = pool.utf8(body.u16()?)?.to_string();
                    let signature = Attributes::nested(body, pool, depth - 1)?.signature;
                    components.push(RecordComponent { name, descriptor, signature });
                }
                self.record = Some(components);
            }
            _ => {}
        }
        Ok(())
    }
}

fn code(body: &mut Bytes<'_>, pool: &Pool, depth: u32) -> Result<CodeAttribute> {
    let (max_stack, max_locals) = (body.u16()?, body.u16()?);
    let length = body.u32()? as usize;
    if length == 0 || length > usize::from(u16::MAX) {
        return Err(ClassFormat::Malformed(format!("a method's code has {length} bytes")));
    }
    let bytecode = body.take(length)?.to_vec();
    let mut handlers = Vec::new();
    for _ in 0..body.u16()? {
        let handler =
            Handler { start: body.u16()?, end: body.u16()?, target: body.u16()?, catch: body.u16()? };
        if handler.catch != 0 {
            pool.class_name(handler.catch)?;
        }
        handlers.push(handler);
    }
    let inner = Attributes::nested(body, pool, depth - 1)?;
    Ok(CodeAttribute { max_stack, max_locals, bytecode, handlers, lines: inner.lines, locals: inner.locals })
}
