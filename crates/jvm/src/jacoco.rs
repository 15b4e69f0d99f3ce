//! Coverage in the XML of JaCoCo, which build servers and editors of Java read.
//!
//! Lines and branches are what was observed. Instructions are counted by line: all of a covered line count as covered.

use crate::classfile::{ClassFile, CodeAttribute};
use crate::decode::{SiteKind, instructions, sites_of};
use crate::program::Program;
use explore::coverage::Coverage;
use explore::target::{Site, Target};
use output::quote::html as escape;
use std::collections::BTreeMap;

/// Missed and covered.
#[derive(Clone, Copy, Default)]
struct Count {
    missed: u32,
    covered: u32,
}

impl Count {
    fn add(&mut self, covered: bool, by: u32) {
        *if covered { &mut self.covered } else { &mut self.missed } += by;
    }

    fn join(&mut self, other: Count) {
        self.missed += other.missed;
        self.covered += other.covered;
    }
}

/// The counters of a method, class, file, package or report.
#[derive(Clone, Copy, Default)]
struct Counters {
    instructions: Count,
    branches: Count,
    lines: Count,
    methods: Count,
    classes: Count,
}

impl Counters {
    fn join(&mut self, other: &Counters) {
        self.instructions.join(other.instructions);
        self.branches.join(other.branches);
        self.lines.join(other.lines);
        self.methods.join(other.methods);
        self.classes.join(other.classes);
    }

    fn text(&self) -> String {
        let rows = [
            ("INSTRUCTION", self.instructions),
            ("BRANCH", self.branches),
            ("LINE", self.lines),
            ("METHOD", self.methods),
            ("CLASS", self.classes),
        ];
        let any = rows.iter().filter(|(_, count)| count.missed + count.covered > 0);
        any.map(|(name, count)| {
            format!("<counter type=\"{name}\" missed=\"{}\" covered=\"{}\"/>", count.missed, count.covered)
        })
        .collect()
    }
}

/// A line of a source file: its instructions and branches.
type Lines = BTreeMap<u16, (Count, Count)>;

/// What was covered, in the format of JaCoCo's XML report.
pub(crate) fn report(program: &Program, coverage: &Coverage) -> String {
    let ways: BTreeMap<Site, Vec<bool>> = coverage.ways().collect();
    let sites = program.sites();
    let covered = |file: &str, line: u16| {
        let file = program.display(file);
        let position =
            sites.lines().iter().position(|known| known.line == u32::from(line) && known.file == file);
        position.is_some_and(|position| coverage.lines().contains(&position))
    };
    let mut packages: BTreeMap<String, (String, BTreeMap<String, Lines>, Counters)> = BTreeMap::new();
    let registry = program.registry();
    for name in registry.own_classes() {
        let Ok(Some((bytes, false))) = registry.path().class(&name) else { continue };
        let Ok(file) = ClassFile::read(&bytes) else { continue };
        let (package, _) = name.rsplit_once('/').unwrap_or(("", &name));
        let source = file.source.clone().unwrap_or_default();
        let path = if package.is_empty() { source.clone() } else { format!("{package}/{source}") };
        let (classes, files, total) = packages.entry(package.to_string()).or_default();
        let all = files.entry(source.clone()).or_default();
        let mut counters = Counters::default();
        let mut methods = String::new();
        for method in &file.methods {
            let Some(body) = &method.code else { continue };
            let key = format!("{name}.{}{}", method.name, method.descriptor);
            let Some(first) = program.own().first(&key) else { continue };
            let lines = lines_of(body, first, &ways, &|line| covered(&path, line));
            let mut own = Counters::default();
            for (&line, &(instructions, branches)) in &lines {
                own.instructions.join(instructions);
                own.branches.join(branches);
                own.lines.add(instructions.covered > 0, 1);
                let entry = all.entry(line).or_default();
                entry.0.join(instructions);
                entry.1.join(branches);
            }
            own.methods.add(own.lines.covered > 0, 1);
            let line = lines.keys().next().map_or(String::new(), |line| format!(" line=\"{line}\""));
            methods.push_str(&format!(
                "<method name=\"{}\" desc=\"{}\"{line}>{}</method>",
                escape(&method.name),
                escape(&method.descriptor),
                own.text()
            ));
            counters.join(&own);
        }
        counters.classes.add(counters.methods.covered > 0, 1);
        classes.push_str(&format!(
            "<class name=\"{}\" sourcefilename=\"{}\">{methods}{}</class>",
            escape(&name),
            escape(&source),
            counters.text()
        ));
        total.join(&counters);
    }
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">",
    );
    out.push_str(&format!("<report name=\"{}\">", escape(&program.entry().class.name.replace('/', "."))));
    let mut total = Counters::default();
    for (name, (classes, files, counters)) in &packages {
        out.push_str(&format!("<package name=\"{}\">{classes}", escape(name)));
        for (file, lines) in files {
            out.push_str(&format!("<sourcefile name=\"{}\">", escape(file)));
            let mut own = Counters::default();
            for (line, (instructions, branches)) in lines {
                out.push_str(&format!(
                    "<line nr=\"{line}\" mi=\"{}\" ci=\"{}\" mb=\"{}\" cb=\"{}\"/>",
                    instructions.missed, instructions.covered, branches.missed, branches.covered
                ));
                own.instructions.join(*instructions);
                own.branches.join(*branches);
                own.lines.add(instructions.covered > 0, 1);
            }
            out.push_str(&format!("{}</sourcefile>", own.text()));
        }
        out.push_str(&format!("{}</package>", counters.text()));
        total.join(counters);
    }
    out.push_str(&format!("{}</report>\n", total.text()));
    out
}

/// The instructions and branches of a method, by line.
fn lines_of(
    body: &CodeAttribute,
    first: u32,
    ways: &BTreeMap<Site, Vec<bool>>,
    covered: &dyn Fn(u16) -> bool,
) -> Lines {
    let mut lines = Lines::new();
    let line_at = |offset: usize| {
        let before = body.lines.iter().filter(|(start, _)| usize::from(*start) <= offset);
        before.max_by_key(|(start, _)| *start).map(|(_, line)| *line)
    };
    for raw in instructions(&body.bytecode).unwrap_or_default() {
        if let Some(line) = line_at(raw.at) {
            lines.entry(line).or_default().0.add(covered(line), 1);
        }
    }
    for (site, (offset, kind)) in (first..).zip(sites_of(body, true).unwrap_or_default()) {
        let Some(line) = line_at(usize::from(offset)) else { continue };
        if let SiteKind::Branch | SiteKind::Switch(_) = kind
            && let Some(taken) = ways.get(&Site::new(site))
        {
            for &way in taken {
                lines.entry(line).or_default().1.add(way, 1);
            }
        }
    }
    lines
}
