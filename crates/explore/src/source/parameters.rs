//! The parameters of a function as its source declares them, by DWARF: which are pointers, and to what.
//!
//! A pointer leads to an object, and the pointers in it lead to further objects, a few levels deep (under-constrained symbolic
//! execution, as in Zhang et al. 2020, Section 4.1): enough for vectors and matrices, and for short lists and small trees.

use super::Slice;
use crate::world::Scalar;
use addr2line::gimli::{self, AttributeValue, UnitOffset};

type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
type Unit<'a> = gimli::Unit<Slice<'a>>;
type Entry<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// How many pointers are followed from a parameter.
const DEPTH: u32 = 3;
/// How many pointers of one structure are known; arrays of pointers have many.
const MAX_POINTERS: usize = 16;
/// How many pointers lie where a pointer to pointers leads, before the null pointer that ends them.
const LISTED: usize = 3;
/// The size of a pointer.
const WORD: usize = 4;

/// A declared parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    /// As the source has it; inputs go by it.
    pub name: String,
    /// What it is.
    pub ty: Declaration,
}

/// What a parameter is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Declaration {
    /// A number.
    Scalar(Scalar),
    /// A pointer to objects of this layout.
    Pointer(Layout),
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Layout {
    /// The type, by its place in the debug information; 0 if that is not known. Pointers to the same type may lead to the same object.
    pub ty: u64,
    /// The size of one object; 0 if that is not known.
    pub size: usize,
    /// Whether there is one object, such as a structure, and not the first of several elements.
    pub structure: bool,
    /// Whether it is text, which a zero byte ends.
    pub text: bool,
    /// Whether no object is made for it: it is too far from a parameter, or a function.
    pub end: bool,
    /// Whether it is never null, as a reference of C++.
    pub solid: bool,
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
        let result = |entry: &Entry<'_>| {
            let ty = entry_at(&unit, type_of(entry)?)?;
            let passed = passed(dwarf, &unit, &ty)?;
            let result = Declared { name: "result".into(), ty: passed };
            matches!(result.ty, Declaration::Pointer(_)).then_some(Some(result))
        };
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
                    // A structure is returned where a first, hidden parameter points to.
                    found = Some((entry.depth(), result(entry).into_iter().collect()));
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
        gimli::DW_TAG_pointer_type => {
            // What the compiler adds, such as `this`, is never null.
            let solid = entry.attr_value(gimli::DW_AT_artificial).is_some();
            Declaration::Pointer(Layout { solid, ..pointee(dwarf, unit, &ty, DEPTH) })
        }
        gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
            Declaration::Pointer(Layout { solid: true, ..pointee(dwarf, unit, &ty, DEPTH) })
        }
        gimli::DW_TAG_enumeration_type => Declaration::Scalar(Scalar::Int { bits: 32, signed: true }),
        gimli::DW_TAG_base_type => Declaration::Scalar(scalar(&ty)?),
        _ => passed(dwarf, unit, &ty)?,
    };
    Some(Declared { name, ty })
}

/// How a structure is passed by value: by its only member if it has no other, else by a pointer to a copy that is nobody else's.
fn passed<'a>(dwarf: &Dwarf<'_>, unit: &Unit<'a>, structure: &Entry<'a>) -> Option<Declaration> {
    let mut ty = structure.clone();
    // Each step goes into a smaller type.
    for _ in 0..DEPTH {
        match ty.tag() {
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {}
            gimli::DW_TAG_base_type => return Some(Declaration::Scalar(scalar(&ty)?)),
            gimli::DW_TAG_pointer_type => {
                return Some(Declaration::Pointer(pointee(dwarf, unit, &ty, DEPTH)));
            }
            _ => return None,
        }
        let by_reference = AttributeValue::CallingConvention(gimli::DW_CC_pass_by_reference);
        let alone = only_member(unit, &ty);
        match alone {
            Some(member) if ty.attr_value(gimli::DW_AT_calling_convention) != Some(by_reference) => {
                ty = member
            }
            _ => break,
        }
    }
    let layout = layout(dwarf, unit, structure, DEPTH);
    Some(Declaration::Pointer(Layout { solid: true, ty: 0, ..layout }))
}

/// The type of a structure's only member, if that is a number, a pointer or a structure, as large as the whole.
fn only_member<'a>(unit: &Unit<'a>, structure: &Entry<'a>) -> Option<Entry<'a>> {
    let mut tree = unit.entries_tree(Some(structure.offset())).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut only = None;
    while let Ok(Some(child)) = children.next() {
        let child = child.entry();
        if matches!(child.tag(), gimli::DW_TAG_member | gimli::DW_TAG_inheritance) && only.is_some() {
            return None;
        }
        if child.tag() == gimli::DW_TAG_member && child.attr_value(gimli::DW_AT_external).is_none() {
            only = Some(entry_at(unit, type_of(child)?)?);
        } else if child.tag() == gimli::DW_TAG_inheritance {
            return None;
        }
    }
    let only = only?;
    let own = if only.tag() == gimli::DW_TAG_pointer_type { Some(WORD) } else { size(&only) };
    (own == size(structure) && only.tag() != gimli::DW_TAG_array_type).then_some(only)
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

/// What a pointer type points to. Below `depth` pointers no objects are made.
fn pointee(dwarf: &Dwarf<'_>, unit: &Unit<'_>, pointer: &Entry<'_>, depth: u32) -> Layout {
    let Some(target) = type_of(pointer).and_then(|at| entry_at(unit, at)) else {
        return Layout { end: depth == 0, ..Layout::default() };
    };
    layout(dwarf, unit, &target, depth)
}

/// What an object of a type looks like.
fn layout(dwarf: &Dwarf<'_>, unit: &Unit<'_>, target: &Entry<'_>, depth: u32) -> Layout {
    let ty = target.offset().to_unit_section_offset(unit).0 as u64;
    let mut layout = Layout { ty, size: size(target).unwrap_or(0), end: depth == 0, ..Layout::default() };
    match target.tag() {
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
            layout.structure = true;
        }
        gimli::DW_TAG_subroutine_type => layout.end = true,
        gimli::DW_TAG_base_type => layout.text = name(dwarf, unit, target).as_deref() == Some("char"),
        gimli::DW_TAG_pointer_type if depth > 0 => {
            (layout.structure, layout.size) = (true, (LISTED + 1) * WORD);
            let inner = pointee(dwarf, unit, target, depth - 1);
            layout.pointers = (0..LISTED).map(|i| (i * WORD, format!("[{i}]"), inner.clone())).collect();
            let last = Layout { end: true, ..Layout::default() };
            layout.pointers.push((LISTED * WORD, format!("[{LISTED}]"), last));
        }
        _ => {}
    }
    if depth > 0 && layout.structure && target.tag() != gimli::DW_TAG_pointer_type {
        // Members of members are found without recursion on what the input says: each step goes into a smaller type.
        let mut open = vec![(target.offset(), 0, String::new())];
        while let Some((at, base, prefix)) = open.pop() {
            members(dwarf, unit, at, |offset, name, ty| {
                let (offset, name) = (base + offset, format!("{prefix}{name}"));
                if layout.pointers.len() >= MAX_POINTERS || open.len() >= MAX_POINTERS {
                    return;
                }
                match ty.tag() {
                    gimli::DW_TAG_pointer_type => {
                        layout.pointers.push((offset, name, pointee(dwarf, unit, ty, depth - 1)));
                    }
                    gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                        open.push((ty.offset(), offset, format!("{name}.")));
                    }
                    _ => {}
                }
            });
        }
        layout.pointers.sort_by_key(|pointer| pointer.0);
    }
    layout
}

/// The members of a structure, and the elements of its arrays: offset, name, type. A union has none that are known.
fn members(
    dwarf: &Dwarf<'_>,
    unit: &Unit<'_>,
    structure: UnitOffset,
    mut each: impl FnMut(usize, &str, &Entry<'_>),
) {
    let Ok(mut tree) = unit.entries_tree(Some(structure)) else { return };
    let Ok(root) = tree.root() else { return };
    if root.entry().tag() == gimli::DW_TAG_union_type {
        return;
    }
    let mut children = root.children();
    while let Ok(Some(member)) = children.next() {
        let member = member.entry();
        let offset = member.attr(gimli::DW_AT_data_member_location).and_then(|attr| attr.udata_value());
        let ty = type_of(member).and_then(|at| entry_at(unit, at));
        let (Some(offset), Some(ty)) = (offset, ty) else { continue };
        let name = name(dwarf, unit, member).unwrap_or_default();
        if ty.tag() == gimli::DW_TAG_array_type {
            let element = type_of(&ty).and_then(|at| entry_at(unit, at));
            let Some(element) = element else { continue };
            let step =
                if element.tag() == gimli::DW_TAG_pointer_type { WORD } else { size(&element).unwrap_or(0) };
            for i in 0..count(unit, &ty).min(MAX_POINTERS) {
                each(offset as usize + i * step, &format!("{name}[{i}]"), &element);
            }
        } else {
            each(offset as usize, &name, &ty);
        }
    }
}

/// How many elements an array has, of all its dimensions together.
fn count(unit: &Unit<'_>, array: &Entry<'_>) -> usize {
    let Ok(mut tree) = unit.entries_tree(Some(array.offset())) else { return 0 };
    let Ok(root) = tree.root() else { return 0 };
    let mut children = root.children();
    let mut all = 1;
    while let Ok(Some(range)) = children.next() {
        let range = range.entry();
        let number = |name| range.attr(name).and_then(|attr| attr.udata_value());
        let own =
            number(gimli::DW_AT_count).or_else(|| number(gimli::DW_AT_upper_bound).map(|last| last + 1));
        all *= own.unwrap_or(0) as usize;
    }
    all
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
