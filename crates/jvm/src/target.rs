//! The program as what the search explores: runs in both domains, sites with source lines, stacks in words.

use crate::decode::SiteKind;
use crate::machine::{Stop, Thrown};
use crate::program::Program;
use explore::coverage::Trail;
use explore::target::{
    Ending, Fault, Input, Line, PathEntry, Run, RunLimits, Site, Sites, StackFrame, Symbols,
};
use explore::{Concolic, Concrete, Target};
use serde_json::{Map, Value as Json, json};
use smt::Terms;
use std::sync::PoisonError;

impl Target for Program {
    fn run_concrete(&self, input: &Input, limits: &RunLimits) -> (Run, Trail) {
        let domain = Concrete { observer: self.trail() };
        let (run, domain, _) =
            self.run_in(domain, &self.concrete, input, Symbols::default(), limits, |_| false);
        (run, domain.observer)
    }

    fn run_concolic(
        &self,
        input: &Input,
        terms: &mut Terms,
        symbols: &mut Symbols,
        limits: &RunLimits,
    ) -> (Run, Vec<PathEntry>) {
        let domain = Concolic::new(std::mem::take(terms), explore::concolic::ConcolicSettings::default());
        let too_long = |domain: &Concolic| domain.path.len() > limits.path;
        let (run, domain, known) =
            self.run_in(domain, &self.concolic, input, std::mem::take(symbols), limits, too_long);
        *terms = domain.terms;
        *symbols = known;
        (run, domain.path)
    }

    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn address(&self, site: Site) -> u64 {
        site.index() as u64
    }

    fn frames(&self, stack: &[Site]) -> Vec<StackFrame> {
        stack
            .iter()
            .map(|&site| match self.own().locate(site.index() as u32) {
                Some((method, _, kind)) => StackFrame {
                    function: format!("{}.{}", method.class.replace('/', "."), method.name),
                    line: match (kind, &method.file) {
                        (SiteKind::Line(line), Some(file)) => {
                            Some(Line { file: self.display(file), line: u32::from(line) })
                        }
                        _ => None,
                    },
                },
                None => {
                    let known = self.foreign.lock().unwrap_or_else(PoisonError::into_inner);
                    let function = known.get(&(site.index() as u32)).cloned();
                    StackFrame { function: function.unwrap_or_else(|| "the JDK".to_string()), line: None }
                }
            })
            .collect()
    }

    fn function(&self, site: Site) -> String {
        match self.own().locate(site.index() as u32) {
            Some((method, ..)) => format!("{}.{}", method.class.replace('/', "."), method.name),
            None => "the JDK".to_string(),
        }
    }

    fn language(&self) -> (&'static str, String) {
        ("Java", self.entry.qualified())
    }

    fn describe(&self) -> Map<String, Json> {
        let setup = &self.setup;
        let files: Vec<Json> =
            setup.files.iter().map(|(name, size)| json!({ "name": name, "size": size })).collect();
        let mut all = Map::new();
        all.insert("language".into(), json!("Java"));
        all.insert("main".into(), json!(self.entry.class.name.replace('/', ".")));
        all.insert(
            "setup".into(),
            json!({
                "stdin": setup.stdin,
                "args": setup.args,
                "files": files,
                "entry": setup.entry,
                "pointee": setup.pointee,
                "sized": setup.sized,
            }),
        );
        all
    }

    fn regression(
        &self,
        _: explore::report::Subject<'_>,
        _: &explore::search::Crash,
        test: &explore::search::Test,
    ) -> std::io::Result<Vec<(&'static str, String)>> {
        let text = crate::junit::test(self, "RegressionTest", &test.run);
        Ok(text.map(|text| ("RegressionTest.java", text)).into_iter().collect())
    }

    fn test_files(&self, number: usize, test: &explore::search::Test) -> Vec<(String, String)> {
        if !self.junit {
            return Vec::new();
        }
        let name = format!("Test{number:06}");
        let text = crate::junit::test(self, &name, &test.run);
        text.map(|text| (format!("junit/{name}.java"), text)).into_iter().collect()
    }

    fn coverage_files(&self, coverage: &explore::coverage::Coverage) -> Vec<(&'static str, String)> {
        vec![("jacoco.xml", crate::jacoco::report(self, coverage))]
    }
}

/// The ending where all threads wait for each other.
pub(crate) const DEADLOCK: &str = "deadlock";

/// How a run ended, as the search knows it, and the exception if there was one.
pub(crate) fn ending(stop: &Stop) -> (Ending, Option<&Thrown>) {
    match stop {
        Stop::Returned(_) | Stop::Exited(0) => (Ending::Returned, None),
        Stop::Exited(code) => (Ending::Exited(*code as u32), None),
        Stop::Uncaught(thrown) if thrown.class == "java.lang.AssertionError" => {
            (Ending::Assertion, Some(thrown))
        }
        Stop::Uncaught(thrown) => (Ending::Fault(Fault::named(&thrown.class)), Some(thrown)),
        Stop::Unsupported(what) => (Ending::Unsupported(Fault::named(what)), None),
        Stop::OutOfMemory => (Ending::Unsupported(Fault::new("more heap than the limit")), None),
        Stop::Deadlock => (Ending::Fault(Fault::new(DEADLOCK)), None),
        Stop::Assumption => (Ending::Discarded, None),
        Stop::Error => (Ending::Error, None),
        Stop::OutOfFuel => (Ending::Unfinished, None),
    }
}

/// The branches and lines of the program's own classes.
pub(crate) fn sites_of(
    program: &crate::sites::OwnSites,
    count: usize,
    display: impl Fn(&str) -> String,
) -> Sites {
    let mut branches = Vec::new();
    let mut placed: Vec<(Site, Line)> = Vec::new();
    for method in program.methods() {
        let mut line = None;
        for (i, (_, kind)) in method.sites.iter().enumerate() {
            let site = Site::new(method.first + i as u32);
            match kind {
                SiteKind::Line(number) => {
                    line = method
                        .file
                        .as_ref()
                        .map(|file| Line { file: display(file), line: u32::from(*number) });
                }
                SiteKind::Branch => branches.push((site, 2)),
                SiteKind::Switch(ways) => branches.push((site, *ways)),
                SiteKind::Start | SiteKind::Check => {}
            }
            // Only what begins a line counts as having executed it; a branch is shown at its line.
            if let Some(line) = line.clone().filter(|_| !matches!(kind, SiteKind::Check)) {
                placed.push((site, line));
            }
        }
    }
    let lines = placed.iter().map(|(_, line)| line.clone()).collect();
    Sites::new(count, branches, lines, placed.iter().map(|(site, line)| (*site, line)))
}
