//! Every night: releases that are new on the package index are installed, every open finding and trophy is asked of them, and the
//! rest of the night's share goes into fuzzing, the new releases among the targets. Owns the order of the night and its summary.

use crate::ci;
use crate::error::Error;
use crate::file::{Campaign, SolverTarget};
use crate::local::{self, Event, Summary};
use crate::matrix;
use crate::plan::Plan;
use crate::store::record::FindingState;
use crate::store::{Store, now};
use crate::work::Runner;
use fuzz::solver::Store as Releases;
use output::quote::{code, markdown};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Where releases come from. The package index, or a list of a test's.
pub trait Index {
    /// The releases of a solver, oldest first.
    fn releases(&self, name: &str) -> Result<Vec<String>, String>;
    /// Installs one, unless it is there.
    fn install(&self, name: &str, version: &str) -> Result<(), String>;
}

/// The releases of solvers in the package index, with the store to install them into.
pub struct PackageIndex<'a> {
    /// Set by Ctrl-C.
    pub stop: &'a AtomicBool,
}

impl Index for PackageIndex<'_> {
    fn releases(&self, name: &str) -> Result<Vec<String>, String> {
        Releases::open().releases(name, self.stop).map_err(|error| error.to_string())
    }

    fn install(&self, name: &str, version: &str) -> Result<(), String> {
        Releases::open()
            .add_version(name, version, self.stop, &mut |_| {})
            .map(drop)
            .map_err(|error| error.to_string())
    }
}

/// What a night led to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Night {
    /// Releases that were not known before: `z3@4.9.0`.
    pub releases: Vec<String>,
    /// Findings that a new release answers rightly: name and release.
    pub fixed: Vec<(String, String)>,
    /// Trophies that a new release shows again: name and release.
    pub regressed: Vec<(String, String)>,
    /// What could not be done, and why.
    pub trouble: Vec<String>,
    /// The fuzzing.
    pub run: Option<Summary>,
    /// The names of findings to report, the gravest first.
    pub due: Vec<String>,
}

/// Spends a night on a campaign. `share` of `night` is for fuzzing.
pub fn watch(
    campaign: &Campaign,
    source: &str,
    runner: &dyn Runner,
    index: &dyn Index,
    fuzzing: Duration,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event),
) -> Result<Night, Error> {
    let mut night = Night::default();
    let mut campaign = campaign.clone();
    let mut fresh: Vec<(String, String)> = Vec::new();
    for (family, options) in families(&campaign) {
        match newest(index, &family) {
            Ok(Some(version)) => {
                let spec = format!("{family}@{version}");
                tell(Event::Note(format!("new release {spec}")));
                for options in options {
                    let name = format!("{spec} {options}").trim_end().to_string();
                    if campaign.targets.iter().all(|target| target.name != name) {
                        campaign.targets.push(SolverTarget { name: name.clone(), spec: name });
                    }
                    fresh.push((spec.clone(), options));
                }
                night.releases.push(spec);
            }
            Ok(None) => {}
            Err(reason) => night.trouble.push(format!("{family}: {reason}")),
        }
    }
    ask_again(&campaign, &fresh, &mut night, stop)?;
    if !fuzzing.is_zero() && !stop.load(Ordering::Relaxed) {
        campaign.limits.time = Some(fuzzing);
        night.run = Some(local::run(&campaign, source, runner, stop, tell)?);
    }
    let store = Store::create(&campaign.store)?;
    night.due =
        ci::due(&store, now())?.iter().map(|row| format!("{}-{}", row.class, row.fingerprint)).collect();
    Ok(night)
}

/// The solvers with releases among the targets, and the options that each is tested with.
fn families(campaign: &Campaign) -> BTreeMap<String, BTreeSet<String>> {
    let mut families: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for target in &campaign.targets {
        let (program, options) = target.spec.split_once(' ').unwrap_or((&target.spec, ""));
        if let Some((family, _)) = program.split_once('@').filter(|_| !program.contains('/')) {
            families.entry(family.into()).or_default().insert(options.into());
        }
    }
    families
}

/// The newest release of a solver, installed, if it was not here before.
fn newest(index: &dyn Index, family: &str) -> Result<Option<String>, String> {
    let versions = index.releases(family)?;
    let Some(version) = versions.last() else { return Ok(None) };
    if Releases::open().list().iter().any(|release| release.name == family && release.version == *version) {
        return Ok(None);
    }
    index.install(family, version)?;
    Ok(Some(version.clone()))
}

/// Asks new releases about every finding that is open or was fixed, and writes down what they say.
pub(crate) fn ask_again(
    campaign: &Campaign,
    fresh: &[(String, String)],
    night: &mut Night,
    stop: &AtomicBool,
) -> Result<(), Error> {
    if fresh.is_empty() {
        return Ok(());
    }
    let plan = Plan::of(campaign);
    let mut store = Store::create(&campaign.store)?;
    let releases = Releases::open();
    for row in store.findings()?.into_iter().filter(|row| row.loud && row.state != FindingState::Wontfix) {
        let files = store.files(row.id)?;
        let Some(script) = files.get("reduced.smt2") else { continue };
        let own: Vec<(String, String)> = fresh
            .iter()
            .filter(|(spec, options)| {
                let wanted = row.target.split_once(' ').map_or("", |(_, options)| options);
                ci::tracker(spec) == ci::tracker(&row.target) && options == wanted
            })
            .cloned()
            .collect();
        let answers = matrix::ask(&plan, &releases, [&row.class, &row.title, script], &own, stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        store.answered(row.id, &answers)?;
        let name = format!("{}-{}", row.class, row.fingerprint);
        for answer in &answers {
            match (answer.judgement.as_str(), row.state) {
                ("right", FindingState::New | FindingState::Reported) => {
                    store.set_state(&row.fingerprint, FindingState::Fixed, None, Some(&answer.solver))?;
                    night.fixed.push((name.clone(), answer.solver.clone()));
                }
                ("wrong", FindingState::Fixed) => {
                    store.set_state(&row.fingerprint, FindingState::New, None, None)?;
                    store.note(&format!("{name} regressed in {}", answer.solver))?;
                    night.regressed.push((name.clone(), answer.solver.clone()));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The night in Markdown.
pub fn summary(campaign: &Campaign, night: &Night) -> Result<String, Error> {
    let store = Store::create(&campaign.store)?;
    let mut out = format!("# {}\n", markdown(&campaign.name));
    let mut put = |text: std::fmt::Arguments<'_>| writeln!(out, "{text}").expect("a string grows");
    let list = |names: &[(String, String)]| {
        names
            .iter()
            .map(|(name, release)| format!("- {} in {}", code(name), markdown(release)))
            .collect::<Vec<_>>()
            .join("\n")
    };
    if let Some(run) = &night.run {
        let crashes = match run.program_crashes {
            0 => String::new(),
            n => format!(", {n} crashes of explored programs"),
        };
        let (tests, new, why) = (run.tests, run.new_findings, run.stop.word());
        put(format_args!("\n{tests} tests, {new} new findings{crashes} ({why})."));
    }
    for (title, text) in [
        (
            "New releases",
            night.releases.iter().map(|spec| format!("- {}", markdown(spec))).collect::<Vec<_>>().join("\n"),
        ),
        ("Regressed", list(&night.regressed)),
        ("Fixed", list(&night.fixed)),
        (
            "Not done",
            night.trouble.iter().map(|text| format!("- {}", markdown(text))).collect::<Vec<_>>().join("\n"),
        ),
    ] {
        if !text.is_empty() {
            put(format_args!("\n## {title}\n\n{text}"));
        }
    }
    put(format_args!("\n## To report, the gravest first\n"));
    if night.due.is_empty() {
        put(format_args!("Nothing: no new findings, or the week's reports are sent."));
    }
    for name in &night.due {
        if let Some(row) = store.finding_named(name)? {
            put(format_args!(
                "- {}: {} {} {} ({}), seen {} times",
                code(name),
                markdown(&row.target),
                markdown(&row.version),
                row.title,
                markdown(&row.about),
                row.count
            ));
        }
    }
    Ok(out)
}
