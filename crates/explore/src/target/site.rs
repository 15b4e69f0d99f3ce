//! Places in a program, and where they are in its source.

use std::path::Path;

/// An instruction's place in a program: dense over all functions, so that side tables can be indexed by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub(crate) u32);

impl Site {
    /// The site at a position in tables over all sites of a program.
    pub fn new(position: u32) -> Site {
        Site(position)
    }

    /// The position in tables over all sites of a program.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

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

impl std::fmt::Display for StackFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.line {
            Some(line) => write!(f, "{} at {line}", self.function),
            None => f.write_str(&self.function),
        }
    }
}

/// All sites of a program: which of them branch, and the source lines that they belong to.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    count: usize,
    branches: Vec<(Site, u32)>,
    lines: Vec<Line>,
    /// For each site one more than the position of its line; 0 if it has none.
    of_site: Vec<u32>,
    /// Below this folder lie libraries, whose code is compiled with the program.
    libraries: Option<&'static str>,
}

impl Sites {
    /// So many sites. `branches` are those where a run takes one of several ways, ascending, each with the number of ways;
    /// `lines` are all lines that have code, and `placed` the line of each site that has one of them.
    pub fn new<'a>(
        count: usize,
        branches: Vec<(Site, u32)>,
        mut lines: Vec<Line>,
        placed: impl IntoIterator<Item = (Site, &'a Line)>,
    ) -> Sites {
        lines.sort();
        lines.dedup();
        let mut of_site = vec![0; count];
        for (site, line) in placed {
            if let Ok(position) = lines.binary_search(line) {
                of_site[site.index()] = position as u32 + 1;
            }
        }
        Sites { count, branches, lines, of_site, libraries: None }
    }

    /// The same, where files below a folder are those of libraries.
    pub(crate) fn with_libraries(self, folder: &'static str) -> Sites {
        Sites { libraries: Some(folder), ..self }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sites that branch, ascending, with the number of their ways.
    pub(crate) fn branches(&self) -> &[(Site, u32)] {
        &self.branches
    }

    /// All lines that have code, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether code of this file is under test: a template of a library is not, though it has lines.
    pub(crate) fn has_file(&self, file: &str) -> bool {
        if self.libraries.is_some_and(|folder| Path::new(file).starts_with(folder)) {
            return false;
        }
        let before = self.lines.partition_point(|line| line.file.as_str() < file);
        self.lines.get(before).is_some_and(|line| line.file == file)
    }

    /// A stack from its innermost call on that is under test: what lies within, such as calls of a library, is left out. A stack
    /// without such a call stays as it is.
    pub(crate) fn own<'a>(&self, stack: &'a [Site]) -> &'a [Site] {
        let within = stack.iter().position(|site| self.line_of(*site).is_some());
        within.map_or(stack, |within| &stack[within..])
    }

    /// Whether any line is known.
    pub(crate) fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The position of a site's line in [`Sites::lines`].
    pub(crate) fn line_of(&self, site: Site) -> Option<usize> {
        (*self.of_site.get(site.index())?).checked_sub(1).map(|line| line as usize)
    }
}
