//! From instructions to source lines and function names, by DWARF and the name section.

mod parameters;

pub use parameters::{Declaration, Declared, Layout};

use crate::code::Site;
use crate::domain::Domain;
use crate::machine::{CodeLocation, Machine};
use crate::module::Module;
use addr2line::{Context, gimli};
use std::collections::BTreeMap;

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    /// The file, as the compiler was given it, below its working directory.
    pub file: String,
    /// The line, from one.
    pub line: u32,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A call on a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// The function's name, or its number.
    pub function: String,
    /// Where it was, if that is known.
    pub line: Option<Line>,
}

/// The source of a program.
#[derive(Clone, Debug)]
pub struct Source {
    module: Module,
    lines: Vec<Line>,
    /// For each site one more than the position of its line; 0 if it has none.
    of_site: Vec<u32>,
    names: BTreeMap<u32, String>,
}

type Slice<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;

impl Source {
    /// What the sections of a module say about a machine's sites. Broken debug information counts as none.
    pub fn new<D: Domain>(module: &Module, machine: &Machine<D>) -> Source {
        let mut source = Source {
            module: module.clone(),
            lines: Vec::new(),
            of_site: vec![0; machine.site_count()],
            names: function_names(module),
        };
        let mut ranges = source.context().and_then(|context| ranges(&context)).unwrap_or_default();
        keep_own(&mut ranges);
        let mut all: Vec<Line> = ranges.iter().map(|range| range.2.clone()).collect();
        all.sort();
        all.dedup();
        for (site, offset) in machine.sites() {
            let after = ranges.partition_point(|range| range.0 <= u64::from(offset));
            let Some((_, end, line)) = after.checked_sub(1).map(|at| &ranges[at]) else { continue };
            if u64::from(offset) < *end
                && let Ok(position) = all.binary_search(line)
            {
                source.of_site[site.index()] = position as u32 + 1;
            }
        }
        source.lines = all;
        source
    }

    /// All lines that have code, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether there is any debug information.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The position of a site's line in [`Source::lines`].
    pub fn line_of(&self, site: Site) -> Option<usize> {
        (*self.of_site.get(site.index())?).checked_sub(1).map(|line| line as usize)
    }

    /// The name of a function by its index in the module.
    pub fn function_name(&self, index: u32) -> String {
        self.names.get(&index).cloned().unwrap_or_else(|| format!("function {index}"))
    }

    /// A stack with the calls that the compiler inlined, innermost first.
    pub fn frames(&self, stack: &[CodeLocation]) -> Vec<StackFrame> {
        let context = self.context();
        let mut frames = Vec::new();
        for location in stack {
            let before = frames.len();
            if let Some(context) = &context {
                inlined(context, *location, &mut frames);
            }
            if frames.len() == before {
                frames.push(StackFrame { function: self.function_name(location.function), line: None });
            }
        }
        frames
    }

    /// The parameters of a function as its source declares them; none if that is not known.
    pub fn parameters(&self, function: &str) -> Option<Vec<Declared>> {
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
        let line = frame.location.and_then(|at| Some(Line { file: at.file?.to_string(), line: at.line? }));
        frames.push(StackFrame { function: name.into_owned(), line });
    }
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
