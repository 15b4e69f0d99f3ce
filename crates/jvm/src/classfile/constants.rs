//! The constant pool. Names are decoded once, from the modified UTF-8 of class files.

use super::bytes::Bytes;
use super::{ClassFormat, Result};
use std::sync::Arc;

/// An entry of the pool. Entries that only serve others (`Utf8`, `NameAndType`) are followed when the pool is read.
#[derive(Clone, Debug)]
pub enum Constant {
    /// Index 0, and the second index of a `long` or `double`.
    Unusable,
    /// Text that is valid Unicode.
    Utf8(Arc<str>),
    /// An `int`.
    Int(i32),
    /// A `float`, as bits.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// A `double`, as bits.
    Double(u64),
    /// A class, by internal name or array descriptor.
    Class(Arc<str>),
    /// A string, as UTF-16.
    Str(Arc<[u16]>),
    /// A field: class, name, descriptor.
    Field(Arc<str>, Arc<str>, Arc<str>),
    /// A method: class, name, descriptor, and whether the class is an interface.
    Method(Arc<str>, Arc<str>, Arc<str>, bool),
    /// Name and type.
    NameAndType(Arc<str>, Arc<str>),
    /// A method handle.
    Handle(Handle),
    /// A method type.
    MethodType(Arc<str>),
    /// `invokedynamic` (or a dynamic constant, if `false`): bootstrap method, name, descriptor.
    Dynamic(u16, Arc<str>, Arc<str>, bool),
    /// A module or package.
    Other,
}

/// A method handle: what it does (JVMS 4.4.8) and to what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handle {
    /// 1 to 9: get and put fields and static ones, invoke virtual, static, special, new, interface.
    pub kind: u8,
    /// The class that has the member.
    pub class: Arc<str>,
    /// The member.
    pub name: Arc<str>,
    /// The member's type (JVMS 4.3).
    pub descriptor: Arc<str>,
    /// Whether the class is an interface.
    pub interface: bool,
}

/// The constant pool of a class.
#[derive(Clone, Debug, Default)]
pub struct Pool(Vec<Constant>);

/// Entries as they are in the file.
#[derive(Clone, Copy)]
enum Raw<'a> {
    None,
    Utf8(&'a [u8]),
    Done,
    One(u8, u16),
    Two(u8, u16, u16),
}

impl Pool {
    pub(super) fn read(input: &mut Bytes<'_>) -> Result<Pool> {
        let count = usize::from(input.u16()?);
        let mut raw = vec![Raw::None; count];
        let mut pool = vec![Constant::Unusable; count];
        let mut index = 1;
        while index < count {
            let tag = input.u8()?;
            let mut width = 1;
            raw[index] = match tag {
                1 => {
                    let length = usize::from(input.u16()?);
                    Raw::Utf8(input.take(length)?)
                }
                3 | 4 => {
                    let bits = input.u32()?;
                    pool[index] = if tag == 3 { Constant::Int(bits as i32) } else { Constant::Float(bits) };
                    Raw::Done
                }
                5 | 6 => {
                    let bits = input.u64()?;
                    pool[index] = if tag == 5 { Constant::Long(bits as i64) } else { Constant::Double(bits) };
                    width = 2;
                    Raw::Done
                }
                7 | 8 | 16 | 19 | 20 => Raw::One(tag, input.u16()?),
                9..=12 | 17 | 18 => Raw::Two(tag, input.u16()?, input.u16()?),
                15 => Raw::Two(tag, u16::from(input.u8()?), input.u16()?),
                _ => {
                    return Err(ClassFormat::Malformed(format!(
                        "constant {index} has the unknown tag {tag}"
                    )));
                }
            };
            index += width;
        }
        Pool::link(&raw, pool)
    }

    /// Follows references, those that others refer to first.
    fn link(raw: &[Raw<'_>], mut pool: Vec<Constant>) -> Result<Pool> {
        let bytes = |index: u16| match raw.get(usize::from(index)) {
            Some(Raw::Utf8(bytes)) => Ok(*bytes),
            _ => Err(ClassFormat::Malformed(format!("constant {index} is not text"))),
        };
        for (entry, raw) in pool.iter_mut().zip(raw) {
            if let Raw::Utf8(bytes) = raw {
                *entry = Constant::Utf8(String::from_utf16_lossy(&decode(bytes)?).into());
            }
        }
        let text = |pool: &[Constant], index: u16| match pool.get(usize::from(index)) {
            Some(Constant::Utf8(text)) => Ok(text.clone()),
            _ => Err(ClassFormat::Malformed(format!("constant {index} is not text"))),
        };
        for index in 0..pool.len() {
            pool[index] = match raw[index] {
                Raw::One(7, name) => Constant::Class(text(&pool, name)?),
                Raw::One(8, string) => Constant::Str(decode(bytes(string)?)?.into()),
                Raw::One(16, descriptor) => Constant::MethodType(text(&pool, descriptor)?),
                Raw::One(..) => Constant::Other,
                Raw::Two(12, name, ty) => Constant::NameAndType(text(&pool, name)?, text(&pool, ty)?),
                _ => continue,
            };
        }
        for index in 0..pool.len() {
            let Raw::Two(tag, first, second) = raw[index] else { continue };
            let named = |pool: &[Constant]| match pool.get(usize::from(second)) {
                Some(Constant::NameAndType(name, ty)) => Ok((name.clone(), ty.clone())),
                _ => Err(ClassFormat::Malformed(format!("constant {second} is no name and type"))),
            };
            let class = |pool: &[Constant]| match pool.get(usize::from(first)) {
                Some(Constant::Class(name)) => Ok(name.clone()),
                _ => Err(ClassFormat::Malformed(format!("constant {first} is no class"))),
            };
            pool[index] = match tag {
                9 => {
                    let (name, ty) = named(&pool)?;
                    Constant::Field(class(&pool)?, name, ty)
                }
                10 | 11 => {
                    let (name, ty) = named(&pool)?;
                    Constant::Method(class(&pool)?, name, ty, tag == 11)
                }
                17 | 18 => {
                    let (name, ty) = named(&pool)?;
                    Constant::Dynamic(first, name, ty, tag == 18)
                }
                _ => continue,
            };
        }
        for index in 0..pool.len() {
            if let Raw::Two(15, kind, reference) = raw[index] {
                pool[index] = match pool.get(usize::from(reference)) {
                    Some(Constant::Field(class, name, ty)) => Constant::Handle(Handle {
                        kind: kind as u8,
                        class: class.clone(),
                        name: name.clone(),
                        descriptor: ty.clone(),
                        interface: false,
                    }),
                    Some(Constant::Method(class, name, ty, interface)) => Constant::Handle(Handle {
                        kind: kind as u8,
                        class: class.clone(),
                        name: name.clone(),
                        descriptor: ty.clone(),
                        interface: *interface,
                    }),
                    _ => return Err(ClassFormat::Malformed(format!("constant {reference} is no member"))),
                };
            }
        }
        Ok(Pool(pool))
    }

    /// An entry.
    pub(crate) fn get(&self, index: u16) -> Result<&Constant> {
        let entry = self.0.get(usize::from(index));
        entry.ok_or_else(|| ClassFormat::Malformed(format!("there is no constant {index}")))
    }

    /// How many indices there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The name of a class.
    pub(crate) fn class_name(&self, index: u16) -> Result<&Arc<str>> {
        match self.get(index)? {
            Constant::Class(name) => Ok(name),
            _ => Err(ClassFormat::Malformed(format!("constant {index} is no class"))),
        }
    }

    /// Text.
    pub(crate) fn utf8(&self, index: u16) -> Result<&Arc<str>> {
        match self.get(index)? {
            Constant::Utf8(text) => Ok(text),
            _ => Err(ClassFormat::Malformed(format!("constant {index} is not text"))),
        }
    }
}

/// UTF-16 of modified UTF-8: surrogates are encoded one by one, and zero takes two bytes.
fn decode(bytes: &[u8]) -> Result<Vec<u16>> {
    if bytes.is_ascii() {
        return Ok(bytes.iter().map(|&byte| u16::from(byte)).collect());
    }
    let malformed = || ClassFormat::Malformed("text is not modified UTF-8".to_string());
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, ..] = *rest {
        let length = match first {
            0x00..=0x7f => 1,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => return Err(malformed()),
        };
        let tail = rest.get(1..length).ok_or_else(malformed)?;
        if tail.iter().any(|byte| byte & 0xc0 != 0x80) {
            return Err(malformed());
        }
        let head = match length {
            1 => u32::from(first),
            2 => u32::from(first & 0x1f),
            _ => u32::from(first & 0x0f),
        };
        units.push(tail.iter().fold(head, |unit, byte| unit << 6 | u32::from(byte & 0x3f)) as u16);
        rest = &rest[length..];
    }
    Ok(units)
}
