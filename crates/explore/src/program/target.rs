//! A WebAssembly program as a [`Target`]: what the search and the reports see of it.

use super::Program;
use crate::concolic::{AddressPolicy, Concolic};
use crate::coverage::Trail;
use crate::domain::Concrete;
use crate::report::{Subject, c_regression};
use crate::search::{Crash, Test};
use crate::target::{Input, PathEntry, Run, RunLimits, Site, Sites, StackFrame, Symbols, Target};
use serde_json::{Map, Value as Json};
use smt::Terms;
use std::io;

impl Target for Program {
    fn run_concrete(&self, input: &Input, limits: &RunLimits) -> (Run, Trail) {
        let domain = Concrete { observer: Trail::new(self.machine.site_count()) };
        let (run, domain, _) = self.run(domain, &self.concrete, input, Symbols::default(), limits, |_| false);
        (self.with_provenance(run, input, limits), domain.observer)
    }

    fn run_concolic(
        &self,
        input: &Input,
        terms: &mut Terms,
        symbols: &mut Symbols,
        limits: &RunLimits,
    ) -> (Run, Vec<PathEntry>) {
        let domain = Concolic::new(std::mem::take(terms), self.options);
        let too_long = |domain: &Concolic| domain.path.len() > limits.path;
        let (run, domain, known) =
            self.run(domain, &self.concolic, input, std::mem::take(symbols), limits, too_long);
        *terms = domain.terms;
        *symbols = known;
        (self.with_provenance(run, input, limits), domain.path)
    }

    fn sites(&self) -> &Sites {
        self.source.sites()
    }

    fn words(&self) -> Vec<Vec<u8>> {
        self.words.clone()
    }

    /// The instruction's offset in the code section.
    fn address(&self, site: Site) -> u64 {
        self.machine.locate(site).map_or(u64::MAX, |location| u64::from(location.offset))
    }

    fn frames(&self, stack: &[Site]) -> Vec<StackFrame> {
        let locations: Vec<_> = stack.iter().filter_map(|&site| self.machine.locate(site)).collect();
        let mut frames = self.source.frames(&locations);
        // What starts the program is the C library's, and tells nothing.
        let own = |frame: &StackFrame| {
            frame.line.as_ref().is_some_and(|line| self.source.sites().has_file(&line.file))
        };
        if let Some(outermost) = frames.iter().rposition(own) {
            frames.truncate(outermost + 1);
        }
        frames
    }

    fn function(&self, site: Site) -> String {
        match self.machine.locate(site) {
            Some(location) => self.source.function_name(location.function),
            None => "the host".to_string(),
        }
    }

    fn language(&self) -> (&'static str, String) {
        ("C", self.setup.entry.clone().unwrap_or_else(|| "main".to_string()))
    }

    fn describe(&self) -> Map<String, Json> {
        let region = match self.options.loads {
            AddressPolicy::Region(bytes) => bytes,
            AddressPolicy::Concretise => 0,
        };
        let sources: Vec<String> = self.files().iter().map(|file| file.display().to_string()).collect();
        Map::from_iter([
            ("setup".to_string(), self.setup.document()),
            ("region".to_string(), region.into()),
            ("files".to_string(), sources.into()),
        ])
    }

    fn regression(
        &self,
        subject: Subject<'_>,
        crash: &Crash,
        test: &Test,
    ) -> io::Result<Vec<(&'static str, String)>> {
        c_regression(self, subject, crash, test)
    }
}
