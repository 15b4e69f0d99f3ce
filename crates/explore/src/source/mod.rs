//! From instructions to source lines and function names, by DWARF and the name section.

mod parameters;
mod symbol;

pub(crate) use parameters::{Declaration, Declared, Layout};
pub(crate) use symbol::readable_type;

use crate::clang::HEADERS_OF_WASI;
use crate::domain::Domain;
use crate::machine::{CodeLocation, Machine};
use crate::module::Module;
use crate::target::Sites;
pub use crate::target::{Line, StackFrame};
use addr2line::{Context, gimli};
use std::collections::BTreeMap;

/// The source of a program.
#[derive(Clone, Debug)]
pub struct DebugInfo {
    module: Module,
    sites: Sites,
    names: BTreeMap<u32, String>,
}

type Slice<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;

impl DebugInfo {
    /// What the sections of a module say about a machine's sites. Broken debug information counts as none.
    pub fn new<D: Domain>(module: &Module, machine: &Machine<D>) -> DebugInfo {
        let mut source =
            DebugInfo { module: module.clone(), sites: Sites::default(), names: function_names(module) };
        let mut ranges = source.context().and_then(|context| ranges(&context)).unwrap_or_default();
        keep_own(&mut ranges);
        let placed = machine.sites().filter_map(|(site, offset)| {
            let after = ranges.partition_point(|range| range.0 <= u64::from(offset));
            let (_, end, line) = &ranges[after.checked_sub(1)?];
            (u64::from(offset) < *end).then_some((site, line))
        });
        let lines = ranges.iter().map(|range| range.2.clone()).collect();
        source.sites = Sites::new(
            machine.site_count(),
            machine.branches(crate::world::functions::reports),
            lines,
            placed,
        )
        .with_libraries(HEADERS_OF_WASI);
        source
    }

    /// The sites of the machine, with their lines.
    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
    }

    /// The name of a function by its index in the module.
    pub(crate) fn function_name(&self, index: u32) -> String {
        self.names.get(&index).map_or_else(|| format!("function {index}"), |name| symbol::readable(name))
    }

    /// A stack with the calls that the compiler inlined, innermost first.
    pub(crate) fn frames(&self, stack: &[CodeLocation]) -> Vec<StackFrame> {
        let context = self.context();
        let mut frames = Vec::new();
        for location in stack {
            let before = frames.len();
            if let Some(context) = &context {
                inlined(context, *location, &mut frames);
                if let Some(inner) = frames.get_mut(before).filter(|frame| frame.line.is_none()) {
                    inner.line = line_before(context, *location, &inner.function);
                }
            }
            if frames.len() == before {
                frames.push(StackFrame { function: self.function_name(location.function), line: None });
            }
        }
        frames
    }

    /// The parameters of a function as its source declares them; none if that is not known.
    pub(crate) fn parameters(&self, function: &str) -> Option<Vec<Declared>> {
        parameters::parameters(&self.dwarf()?, function)
    }

    fn context(&self) -> Option<Context<Slice<'_>>> {
        Context::from_dwarf(self.dwarf()?).ok()
    }

    fn dwarf(&self) -> Option<gimli::Dwarf<Slice<'_>>> {
        let section = |id: gimli::SectionId| -> Result<Slice<'_>, gimli::Error> {
            let found = self.module.custom_sections().find(|(name, _)| *name == id.name());
            Ok(Slice::new(found.map_or(&[], |(_, bytes)| bytes), gimli::LittleEndian))
        };
        gimli::Dwarf::load(section).ok()
    }
}

/// Code and its line: from, to, line.
type LineRange = (u64, u64, Line);

/// Ranges of code with their lines, in order and without overlap. Code without a line of its own belongs to the line before.
fn ranges(context: &Context<Slice<'_>>) -> Option<Vec<LineRange>> {
    let mut ranges: Vec<LineRange> = Vec::new();
    for (start, size, location) in context.find_location_range(0, u64::from(u32::MAX)).ok()? {
        let line = match (location.file, location.line) {
            (Some(file), Some(line @ 1..)) => Some(Line { file: file.to_string(), line }),
            _ => ranges.last().filter(|last| last.1 == start).map(|last| last.2.clone()),
        };
        ranges.extend(line.map(|line| (start, start + size, line)));
    }
    ranges.sort_by_key(|range| range.0);
    Some(ranges)
}

/// Drops the lines of files that are not here, such as those of a C library, unless none is here.
fn keep_own(ranges: &mut Vec<LineRange>) {
    let mut here: BTreeMap<String, bool> = BTreeMap::new();
    for range in ranges.iter() {
        let file = &range.2.file;
        if !here.contains_key(file) {
            here.insert(file.clone(), std::path::Path::new(file).is_file());
        }
    }
    if here.values().any(|here| *here) {
        ranges.retain(|range| here[&range.2.file]);
    }
}

fn inlined(context: &Context<Slice<'_>>, location: CodeLocation, frames: &mut Vec<StackFrame>) {
    let addr2line::LookupResult::Output(Ok(mut found)) = context.find_frames(u64::from(location.offset))
    else {
        return;
    };
    while let Ok(Some(frame)) = found.next() {
        let Some(name) = frame.function.as_ref().and_then(|function| function.raw_name().ok()) else {
            continue;
        };
        let line =
            frame.location.and_then(|at| Some((at.file?.to_string(), at.line.filter(|&line| line > 0)?)));
        let line = line.map(|(file, line)| Line { file, line });
        frames.push(StackFrame { function: symbol::readable(&name), line });
    }
}

/// The line of an instruction that the optimiser made of several, and so has none: that of the last one before it in the same function.
fn line_before(context: &Context<Slice<'_>>, location: CodeLocation, function: &str) -> Option<Line> {
    const REACH: u32 = 128;
    (1..REACH.min(location.offset)).find_map(|back| {
        let mut frames = Vec::new();
        inlined(context, CodeLocation { offset: location.offset - back, ..location }, &mut frames);
        frames.into_iter().next().filter(|frame| frame.function == function)?.line
    })
}

fn function_names(module: &Module) -> BTreeMap<u32, String> {
    let mut names = BTreeMap::new();
    let Some((_, section)) = module.custom_sections().find(|(name, _)| *name == "name") else { return names };
    let reader = wasmparser::BinaryReader::new(section, 0);
    for part in wasmparser::NameSectionReader::new(reader).flatten() {
        if let wasmparser::Name::Function(map) = part {
            names.extend(map.into_iter().flatten().map(|naming| (naming.index, naming.name.to_string())));
        }
    }
    names
}
