//! The parameters of a function as its source declares them, by DWARF: which are pointers, and to what.
//!
//! A pointer leads to a buffer, and the pointers in a structure lead to further buffers, a few levels deep (under-constrained
//! symbolic execution, as in MuSE, Section 4.1): enough for the vectors and matrices of a numerical library.

use super::Slice;
use crate::world::Scalar;
use addr2line::gimli::{self, AttributeValue, UnitOffset};

type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
type Unit<'a> = gimli::Unit<Slice<'a>>;
type Entry<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// How many pointers are followed from a parameter.
const DEPTH: u32 = 3;

/// A declared parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The name in the source, which the symbolic object gets.
    pub name: String,
    /// What it is.
    pub ty: Declaration,
}

/// What a parameter is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// A number.
    Scalar(Scalar),
    /// A pointer to objects of this layout.
    Pointer(Layout),
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The size of one object; 0 if that is not known.
    pub size: usize,
    /// Whether it is a structure, of which there is one, and not the first of several elements.
    pub structure: bool,
    /// The pointers in it: where, under which name, and to what.
    pub pointers: Vec<(usize, String, Layout)>,
}

/// The parameters of a function; none if the debug information does not tell them all.
pub(super) fn parameters(dwarf: &Dwarf<'_>, function: &str) -> Option<Vec<Declared>> {
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let unit = dwarf.unit(header).ok()?;
        let mut entries = unit.entries();
        let mut found: Option<(isize, Vec<Option<Declared>>)> = None;
        while let Ok(Some(entry)) = entries.next_dfs() {
            match &mut found {
                Some((depth, _)) if entry.depth() <= *depth => break,
                Some((depth, parameters))
                    if entry.tag() == gimli::DW_TAG_formal_parameter && entry.depth() == *depth + 1 =>
                {
                    parameters.push(declared(dwarf, &unit, entry));
                }
                Some(_) => {}
                None if entry.tag() == gimli::DW_TAG_subprogram
                    && entry.attr_value(gimli::DW_AT_low_pc).is_some()
                    && name(dwarf, &unit, entry).as_deref() == Some(function) =>
                {
                    found = Some((entry.depth(), Vec::new()));
                }
                None => {}
            }
        }
        if let Some((_, parameters)) = found {
            return parameters.into_iter().collect();
        }
    }
    None
}

fn name(dwarf: &Dwarf<'_>, unit: &Unit<'_>, entry: &Entry<'_>) -> Option<String> {
    let name = dwarf.attr_string(unit, entry.attr_value(gimli::DW_AT_name)?).ok()?;
    Some(String::from_utf8_lossy(name.slice()).into_owned())
}

fn declared(dwarf: &Dwarf<'_>, unit: &Unit<'_>, entry: &Entry<'_>) -> Option<Declared> {
    let name = name(dwarf, unit, entry)?;
    let ty = entry_at(unit, type_of(entry)?)?;
    let ty = match ty.tag() {
        gimli::DW_TAG_pointer_type => Declaration::Pointer(pointee(dwarf, unit, &ty, DEPTH)),
        gimli::DW_TAG_enumeration_type => Declaration::Scalar(Scalar::Int { bits: 32, signed: true }),
        gimli::DW_TAG_base_type => Declaration::Scalar(scalar(&ty)?),
        _ => return None,
    };
    Some(Declared { name, ty })
}

fn scalar(ty: &Entry<'_>) -> Option<Scalar> {
    let bits = 8 * size(ty)? as u32;
    let AttributeValue::Encoding(encoding) = ty.attr_value(gimli::DW_AT_encoding)? else { return None };
    match (encoding, bits) {
        (gimli::DW_ATE_boolean, _) => Some(Scalar::Bool),
        (gimli::DW_ATE_float, 32 | 64) => Some(Scalar::Float { bits }),
        (gimli::DW_ATE_signed | gimli::DW_ATE_signed_char, 8 | 16 | 32 | 64) => {
            Some(Scalar::Int { bits, signed: true })
        }
        (gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char, 8 | 16 | 32 | 64) => {
            Some(Scalar::Int { bits, signed: false })
        }
        _ => None,
    }
}

/// What a pointer type points to.
fn pointee(dwarf: &Dwarf<'_>, unit: &Unit<'_>, pointer: &Entry<'_>, depth: u32) -> Layout {
    let Some(target) = type_of(pointer).and_then(|at| entry_at(unit, at)) else { return Layout::default() };
    let structure = target.tag() == gimli::DW_TAG_structure_type;
    let mut layout = Layout { size: size(&target).unwrap_or(0), structure, pointers: Vec::new() };
    if !structure || depth <= 1 {
        return layout;
    }
    let Ok(mut tree) = unit.entries_tree(Some(target.offset())) else { return layout };
    let Ok(root) = tree.root() else { return layout };
    let mut members = root.children();
    while let Ok(Some(member)) = members.next() {
        let member = member.entry();
        let offset = member.attr(gimli::DW_AT_data_member_location).and_then(|attr| attr.udata_value());
        let ty = type_of(member).and_then(|at| entry_at(unit, at));
        if let (Some(offset), Some(ty), Some(name)) = (offset, ty, name(dwarf, unit, member))
            && ty.tag() == gimli::DW_TAG_pointer_type
        {
            layout.pointers.push((offset as usize, name, pointee(dwarf, unit, &ty, depth - 1)));
        }
    }
    layout
}

fn size(ty: &Entry<'_>) -> Option<usize> {
    ty.attr(gimli::DW_AT_byte_size)?.udata_value().and_then(|size| usize::try_from(size).ok())
}

fn type_of(entry: &Entry<'_>) -> Option<UnitOffset> {
    match entry.attr_value(gimli::DW_AT_type)? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// The type at an offset, without the names and qualifiers around it.
fn entry_at<'a>(unit: &Unit<'a>, at: UnitOffset) -> Option<Entry<'a>> {
    let mut entry = unit.entry(at).ok()?;
    // A chain of typedefs longer than this is a circle.
    for _ in 0..64 {
        match entry.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type => entry = unit.entry(type_of(&entry)?).ok()?,
            _ => return Some(entry),
        }
    }
    None
}
