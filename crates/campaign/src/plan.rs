//! The plan of a campaign: lanes, each a strategy on a target or one exploration, with its share of the CPU time. A lane's key
//! follows from everything its tests depend on, so that a changed campaign file goes on with what did not change.

use crate::file::{Campaign, Exploring, SolverTarget, StrategySettings};
use fuzz::finding::Fingerprint;
use std::collections::BTreeSet;

/// What is to be done, as it is also sent to workers.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The campaign's name.
    pub name: String,
    /// Every random choice flows from it.
    pub seed: u64,
    /// CPU seconds of one test.
    pub test_time: f64,
    /// Megabytes of a solver.
    pub memory: u64,
    /// Whether findings are shrunk.
    pub reduce: bool,
    /// Solvers that are asked for the truth.
    pub references: Vec<String>,
    /// One for each strategy on each target and each seed of a program.
    pub lanes: Vec<Lane>,
}

/// A part of the plan whose batches are numbered.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// What it is known by: eight hexadecimal digits.
    pub key: String,
    /// Its part of the CPU time.
    pub share: f64,
    /// What is done.
    pub work: Work,
}

/// What a lane does.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Work {
    /// Tests a solver.
    Fuzz {
        /// How the solver is called on the page.
        target: String,
        /// The SPEC that starts it.
        spec: String,
        /// How tests are made.
        settings: StrategySettings,
    },
    /// Explores a program once.
    Explore {
        /// What and how.
        exploring: Exploring,
        /// The seed of the exploration's search.
        seed: u64,
    },
}

impl Work {
    /// `truth`, `approx`, ..., or `explore`.
    pub fn strategy(&self) -> &'static str {
        match self {
            Work::Fuzz { settings, .. } => settings.name(),
            Work::Explore { .. } => "explore",
        }
    }

    /// The SPEC of the target, if it is a solver.
    pub fn spec(&self) -> Option<&str> {
        match self {
            Work::Fuzz { spec, .. } => Some(spec),
            Work::Explore { .. } => None,
        }
    }

    /// What is tested: a solver or a program.
    pub fn subject(&self) -> String {
        match self {
            Work::Fuzz { target, .. } => target.clone(),
            Work::Explore { exploring, seed } => {
                let name = exploring.program.file_name().unwrap_or_default().to_string_lossy();
                format!("{name} seed {seed}")
            }
        }
    }
}

impl Plan {
    /// The plan of a campaign.
    pub fn of(campaign: &Campaign) -> Plan {
        let mut plan = Plan {
            name: campaign.name.clone(),
            seed: campaign.seed,
            test_time: campaign.limits.test_time.as_secs_f64(),
            memory: campaign.limits.memory,
            reduce: campaign.limits.reduce,
            references: campaign.references.clone(),
            lanes: Vec::new(),
        };
        for strategy in &campaign.strategies {
            let share = strategy.share / campaign.targets.len() as f64;
            for SolverTarget { name, spec } in &campaign.targets {
                let settings = strategy.settings.clone();
                plan.add(share, Work::Fuzz { target: name.clone(), spec: spec.clone(), settings });
            }
        }
        for program in &campaign.programs {
            let share = program.share / program.seeds.len() as f64;
            for &seed in &program.seeds {
                plan.add(share, Work::Explore { exploring: program.exploring.clone(), seed });
            }
        }
        plan
    }

    fn add(&mut self, share: f64, work: Work) {
        let definition = serde_json::json!([self.seed, self.test_time, self.memory, self.references, work]);
        let key = Fingerprint::new(definition.to_string()).short;
        match self.lanes.iter_mut().find(|lane| lane.key == key) {
            Some(same) => same.share += share,
            None => self.lanes.push(Lane { key, share, work }),
        }
    }

    /// The SPECs of all targets.
    pub(crate) fn specs(&self) -> BTreeSet<&str> {
        self.lanes.iter().filter_map(|lane| lane.work.spec()).collect()
    }

    /// A lane by its key.
    pub fn lane(&self, key: &str) -> Option<&Lane> {
        self.lanes.iter().find(|lane| lane.key == key)
    }
}
