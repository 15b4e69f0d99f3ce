//! What is counted, in one place: what inputs of each source came to, and what queries were answered with.

use super::source::Source;
use crate::target::Site;
use std::collections::BTreeMap;
use std::time::Duration;

/// What became of the inputs of one source, or of one engine of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Inputs that it delivered (#PS of Zhang et al. 2020 for engines).
    pub delivered: usize,
    /// Those that no source had delivered before.
    pub distinct: usize,
    /// Those that were run.
    pub run: usize,
    /// Those that became paths (#T).
    pub paths: usize,
    /// Those that covered something new (#NI counts what).
    pub fresh: usize,
}

impl Tally {
    /// The columns, with their names.
    pub fn columns(&self) -> [(&'static str, usize); 5] {
        [
            ("delivered", self.delivered),
            ("distinct", self.distinct),
            ("run", self.run),
            ("paths", self.paths),
            ("new", self.fresh),
        ]
    }

    fn add(&mut self, other: &Tally) {
        self.delivered += other.delivered;
        self.distinct += other.distinct;
        self.run += other.run;
        self.paths += other.paths;
        self.fresh += other.fresh;
    }
}

/// The tallies of all sources and engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tallies(BTreeMap<(Source, &'static str), Tally>);

impl Tallies {
    /// The tally of an engine of a source.
    pub(super) fn of(&mut self, source: Source, engine: &'static str) -> &mut Tally {
        self.0.entry((source, engine)).or_default()
    }

    pub(super) fn add(&mut self, other: &Tallies) {
        for (&(source, engine), tally) in &other.0 {
            self.of(source, engine).add(tally);
        }
    }

    /// All of them, in the order of sources.
    pub fn rows(&self) -> impl Iterator<Item = (Source, &'static str, &Tally)> {
        self.0.iter().map(|(&(source, engine), tally)| (source, engine, tally))
    }

    /// What became of all partial solutions together.
    pub fn partials(&self) -> Tally {
        let mut sum = Tally::default();
        for (source, _, tally) in self.rows() {
            if !matches!(source, Source::Seed | Source::Solve) {
                sum.add(tally);
            }
        }
        sum
    }
}

/// What queries about the decisions of one instruction came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Queries asked, with looks around.
    pub queries: usize,
    /// Those that found another way.
    pub sat: usize,
    /// Those that showed that there is none.
    pub unsat: usize,
    /// The time that they took.
    pub time: Duration,
}

impl Place {
    /// Adds what another place came to.
    pub fn add(&mut self, other: &Place) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.time += other.time;
    }
}

/// What is counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Different paths that were run on terms.
    pub paths: usize,
    /// Paths whose inputs violate an assumption.
    pub discarded: usize,
    /// Runs that reached a limit.
    pub unfinished: usize,
    /// Queries asked, with looks around. The next six add up to it.
    pub queries: usize,
    /// Queries answered by `sat`.
    pub sat: usize,
    /// Queries answered by `unsat`.
    pub unsat: usize,
    /// Queries without an answer that are not asked again.
    pub unknown: usize,
    /// Queries without an answer that are asked again with more time.
    pub postponed: usize,
    /// Looks around that found no other way.
    pub not_nearby: usize,
    /// Queries that were left before there was an answer, since their partial solutions led to new code.
    pub halted: usize,
    /// Queries that the backup was asked, since the engines had no answer.
    pub backup_asked: usize,
    /// Those of them that it answered.
    pub backup_answered: usize,
    /// Decisions that needed no solver since a partial solution had shown another way.
    pub queries_saved: usize,
    /// Runs that did not follow their predicted path.
    pub divergences: usize,
    /// How often the tree of paths was forgotten, since it took too much memory.
    pub forgotten: usize,
    /// Runs on values, and on terms.
    pub runs: [usize; 2],
    /// The time that queries took.
    pub solver_time: Duration,
    /// What became of the inputs of each source.
    pub sources: Tallies,
    /// Where queries went: what they came to by the instruction of their decision.
    pub places: BTreeMap<Site, Place>,
}

impl Counters {
    /// Queries by answer, with the words of reports; they add up to all of them.
    pub fn answers(&self) -> [(&'static str, usize); 6] {
        [
            ("sat", self.sat),
            ("unsat", self.unsat),
            ("unknown", self.unknown),
            ("postponed", self.postponed),
            ("not nearby", self.not_nearby),
            ("halted", self.halted),
        ]
    }

    /// Partial solutions that became paths.
    pub fn partials_used(&self) -> usize {
        self.sources.partials().paths
    }
}
