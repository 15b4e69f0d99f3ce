//! `soundline campaign`: one file says what is tested every night. This owns arguments and words; the work is the crate
//! `campaign`'s.

use super::stop_on_interrupt;
use super::worker::{BrokerArguments, runtime};
use crate::codes::Code;
use crate::documents::{
    CampaignChecked, CampaignRan, CampaignStatus, FindingList, LaneStatus, ListedFinding, Mistake,
    WorkerStatus,
};
use crate::failure::TextMistake;
use crate::input::{print, print_json, say};
use crate::progress::ProgressLine;
use crate::{Failure, Outcome};
use ::campaign::broker::{Coordinating, coordinate};
use ::campaign::ci;
use ::campaign::file::{Campaign, template};
use ::campaign::local::{self, Event};
use ::campaign::runner::Libraries;
use ::campaign::store::Store;
use ::campaign::store::read::FindingRow;
use ::campaign::store::record::FindingState;
use ::campaign::watch::PackageIndex;
use clap::Subcommand;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Test solvers and explore programs every night: one file, one store, one page.
///
/// campaign.toml names targets, references, strategies with their shares, and programs to explore. `run` works on it until
/// Ctrl-C or its limit and goes on where it stopped; everything is in one SQLite file in the store's folder, which
/// `status`, `findings`, `export`, `soundline serve` and `soundline report` look at, also while it runs.
///
/// Exit codes: 0 done and nothing new found, 1 new findings or crashes of explored programs, 2 wrong usage or a mistake in the file, 3 internal failure.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Write a commented campaign file
    Init {
        /// The file; one that is there is not touched
        #[arg(default_value = "campaign.toml")]
        file: PathBuf,
        /// The first target
        #[arg(long, value_name = "SPEC", default_value = "z3")]
        solver: String,
    },
    /// Say what is wrong with a campaign file, with line and column
    Check {
        /// The file
        #[arg(default_value = "campaign.toml")]
        file: PathBuf,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Run a campaign, or go on with it
    Run(RunArguments),
    /// Say how far a campaign is
    Status {
        /// The campaign's file, its store's folder, or the store
        #[arg(default_value = "campaign.toml")]
        campaign: PathBuf,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List findings, or set what is known of one
    Findings(FindingsArguments),
    /// Write findings as folders, as `soundline fuzz` does, or for continuous integration and trackers
    Export(ExportArguments),
    /// Spend a night: install new releases, ask them about all findings, fuzz, and sum up
    Watch(WatchArguments),
}

#[derive(clap::Args, Debug)]
struct ExportArguments {
    /// The campaign's file, its store's folder, the store, or an output folder
    #[arg(default_value = "campaign.toml")]
    campaign: PathBuf,
    /// Write folders below this one: new, empty, or one that an earlier export wrote
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only this finding's folder
    #[arg(long, value_name = "FINGERPRINT", requires = "out")]
    fingerprint: Option<String>,
    /// Write JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write SARIF to this file
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Write drafts of reports as Markdown to this folder: new findings, the gravest first, as many as the week has left
    #[arg(long, value_name = "DIR")]
    drafts: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct WatchArguments {
    /// The campaign file
    #[arg(default_value = "campaign.toml")]
    file: PathBuf,
    /// How long a night is, in seconds
    #[arg(long, value_name = "S", default_value = "28800", value_parser = super::seconds)]
    night: Duration,
    /// The part of the night that is for fuzzing, from 0 to 1
    #[arg(long, value_name = "P", default_value_t = 0.8, value_parser = share)]
    share: f64,
    /// Write the summary to this file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "a number from 0 to 1".into())
}

#[derive(clap::Args, Debug)]
struct RunArguments {
    /// The campaign file
    #[arg(default_value = "campaign.toml")]
    file: PathBuf,
    /// End after this time, in seconds, whatever the file says
    #[arg(long, value_name = "S", value_parser = super::seconds)]
    time_limit: Option<Duration>,
    /// End after this many tests, whatever the file says
    #[arg(long, value_name = "N")]
    tests: Option<u64>,
    /// Work at the same time on this machine
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Hand the work to workers through this broker: nats://host:4222, or tls://host:4222
    #[arg(long, value_name = "URL")]
    broker: Option<String>,
    #[command(flatten)]
    access: BrokerArguments,
    /// Items that wait on the broker at any time, at least
    #[arg(long, value_name = "N", default_value_t = 16, requires = "broker")]
    window: usize,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args, Debug)]
struct FindingsArguments {
    /// The campaign's file, its store's folder, or the store
    #[arg(default_value = "campaign.toml")]
    campaign: PathBuf,
    /// Only those of this class
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    /// Only those in this state: new, reported, fixed, wontfix
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<FindingState>,
    /// Also the quieter observations
    #[arg(long)]
    all: bool,
    /// Set the state of this finding
    #[arg(long, value_name = "FINGERPRINT", requires = "to")]
    set: Option<String>,
    /// To this state
    #[arg(long, value_name = "STATE", value_parser = state, requires = "set")]
    to: Option<FindingState>,
    /// Where it was reported
    #[arg(long, value_name = "URL", requires = "set")]
    url: Option<String>,
    /// In which release it was fixed
    #[arg(long, value_name = "RELEASE", requires = "set")]
    release: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn state(word: &str) -> Result<FindingState, String> {
    FindingState::from_word(word)
        .ok_or_else(|| format!("the states are {}", FindingState::ALL.map(FindingState::word).join(", ")))
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match &arguments.action {
        Action::Init { file, solver } => init(file, solver),
        Action::Check { file, json } => check(file, *json),
        Action::Run(arguments) => run_campaign(arguments),
        Action::Status { campaign, json } => status(campaign, *json),
        Action::Findings(arguments) => findings(arguments),
        Action::Export(arguments) => export(arguments),
        Action::Watch(arguments) => watch(arguments),
    }
}

fn init(file: &Path, solver: &str) -> Result<Outcome, Failure> {
    use std::io::Write as _;
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure(format!("{}: it is there already; nothing was changed", file.display()))
        }
        _ => Failure(format!("{}: {error}", file.display())),
    };
    let mut new = std::fs::File::options().write(true).create_new(true).open(file).map_err(failed)?;
    new.write_all(template(solver).as_bytes()).map_err(failed)?;
    say!("wrote {}; `soundline campaign run {}` runs it", file.display(), file.display());
    Ok(Outcome::Clean)
}

/// How a campaign file is read: [`Campaign::read`] or [`Campaign::read_to_run`].
type Read = fn(&str, &Path) -> Result<Campaign, Vec<::campaign::file::Mistake>>;

/// A campaign file and its text.
fn read(file: &Path, how: Read) -> Result<(Campaign, String), Failure> {
    let source = std::fs::read_to_string(file)
        .map_err(|error| Failure::coded(Code::UNREADABLE, format!("{}: {error}", file.display())))?;
    let folder = std::path::absolute(file)
        .ok()
        .and_then(|path| path.parent().map(Path::to_path_buf))
        .unwrap_or_default();
    let name = file.display().to_string();
    match how(&source, &folder) {
        Ok(campaign) => Ok((campaign, source)),
        Err(mistakes) => Err(Failure::Text(
            mistakes
                .iter()
                .map(|mistake| {
                    let (line, column) = mistake.place(&source);
                    let (message, rendered) = (mistake.message.clone(), mistake.render(&name, &source));
                    TextMistake { file: name.clone(), line, column, message, code: None, rendered }
                })
                .collect(),
        )),
    }
}

fn check(file: &Path, json: bool) -> Result<Outcome, Failure> {
    let (campaign, _) = match read(file, Campaign::read_to_run) {
        Err(failure) if json && !failure.mistakes().is_empty() => {
            let place = |m: &TextMistake| Mistake {
                line: m.line,
                column: m.column,
                code: None,
                message: m.message.clone(),
            };
            let errors = failure.mistakes().iter().map(place).collect();
            print_json(&CampaignChecked { file, errors, lanes: None, store: None });
            return Ok(Outcome::BadInput);
        }
        read => read?,
    };
    let plan = ::campaign::plan::Plan::of(&campaign);
    if json {
        print_json(&CampaignChecked {
            file,
            errors: Vec::new(),
            lanes: Some(plan.lanes.len()),
            store: Some(&campaign.store),
        });
    } else {
        let mut text =
            format!("{}: {} lanes, store in {}\n", campaign.name, plan.lanes.len(), campaign.store.display());
        for lane in &plan.lanes {
            writeln!(
                text,
                "  {:<8} {:<40} share {:.2}",
                lane.work.strategy(),
                lane.work.subject(),
                lane.share
            )
            .expect("a string grows");
        }
        print(&text);
    }
    Ok(Outcome::Clean)
}

fn run_campaign(arguments: &RunArguments) -> Result<Outcome, Failure> {
    let (mut campaign, source) = read(&arguments.file, Campaign::read_to_run)?;
    campaign.limits.time = arguments.time_limit.or(campaign.limits.time);
    campaign.limits.tests = arguments.tests.or(campaign.limits.tests);
    campaign.limits.jobs = arguments.jobs.map(Into::into).or(campaign.limits.jobs);
    let stop = stop_on_interrupt()?;
    say!("campaign {}: seed {}, store in {}", campaign.name, campaign.seed, campaign.store.display());
    let mut line = ProgressLine::new();
    let start = Instant::now();
    let runner = Libraries::default();
    let mut watch = |event| show(&mut line, &start, event);
    let summary = match &arguments.broker {
        None => local::run(&campaign, &source, &runner, &stop, &mut watch)?,
        Some(url) => {
            let asked = Coordinating {
                campaign: &campaign,
                source: &source,
                runner: &runner,
                window: arguments.window,
                patience: arguments.access.patience(),
            };
            runtime()?.block_on(coordinate(&arguments.access.access(url), asked, stop, &mut watch))?
        }
    };
    line.clear();
    if arguments.json {
        print_json(&CampaignRan {
            campaign: &campaign.name,
            seed: campaign.seed,
            store: &campaign.store,
            stop_reason: summary.stop.word(),
            items: summary.items,
            tests: summary.tests,
            new_findings: summary.new_findings,
            program_crashes: summary.program_crashes,
            broken: &summary.broken,
            seconds: start.elapsed().as_secs_f64(),
        });
    } else {
        let crashes = match summary.program_crashes {
            0 => String::new(),
            n => format!(", {n} crashes of explored programs"),
        };
        print(&format!(
            "{} tests in {} items in {:.1} s ({}): {} new findings{crashes}; `soundline serve {}` shows them\n",
            summary.tests,
            summary.items,
            start.elapsed().as_secs_f64(),
            summary.stop.word(),
            summary.new_findings,
            campaign.store.display()
        ));
    }
    Ok(if summary.new_findings + summary.program_crashes > 0 { Outcome::Found } else { Outcome::Clean })
}

fn show(line: &mut ProgressLine, start: &Instant, event: Event) {
    match event {
        Event::Found(row) if row.loud => {
            line.say(&format!("found {}: {} on {} ({})", row.class, row.about, row.target, row.fingerprint));
        }
        Event::Found(_) => {}
        Event::Note(text) => line.say(&format!("note: {text}")),
        Event::Progress { items, tests } => {
            let seconds = start.elapsed().as_secs_f64();
            line.show(&format!(
                "{seconds:.0} s  {tests} tests ({:.0}/s)  {items} items",
                tests as f64 / seconds.max(0.001)
            ));
        }
    }
}

/// The store that a path means: a campaign file's, a folder's, or the file itself.
pub(crate) fn store_of(path: &Path) -> Result<Store, Failure> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return Ok(Store::open(&read(path, Campaign::read)?.0.store)?);
    }
    Ok(Store::open(path)?)
}

fn status(path: &Path, as_json: bool) -> Result<Outcome, Failure> {
    let store = store_of(path)?;
    let campaign = store.campaign()?;
    let lanes = store.lanes()?;
    let counters = store.counters()?;
    let findings = store.findings()?;
    let loud = findings.iter().filter(|row| row.loud).count();
    let workers = store.workers()?;
    if as_json {
        let lanes = lanes.iter().map(|lane| LaneStatus {
            strategy: &lane.strategy,
            subject: &lane.subject,
            active: lane.active,
            share: lane.share,
            batches: lane.batches,
            batches_done: lane.done,
            tests: lane.tests,
            seconds: lane.micros as f64 / 1e6,
        });
        let workers = workers.iter().map(|worker| WorkerStatus {
            name: &worker.name,
            seen: worker.seen,
            items: worker.items,
            tests: worker.tests,
        });
        print_json(&CampaignStatus {
            campaign: campaign.as_ref().map(|campaign| campaign.name.as_str()),
            seed: campaign.as_ref().map(|campaign| campaign.seed),
            stop_reason: campaign.as_ref().and_then(|campaign| campaign.stop_reason.as_deref()),
            counters: &counters,
            findings: loud,
            observations: findings.len() - loud,
            lanes: lanes.collect(),
            workers: workers.collect(),
            store: store.path(),
        });
        return Ok(Outcome::Clean);
    }
    let mut text = String::new();
    let mut put = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("a string grows");
    if let Some(campaign) = &campaign {
        let how =
            campaign.stop_reason.as_deref().map_or("not ended".into(), |reason| format!("ended: {reason}"));
        put(format_args!("{} (seed {}), {how}", campaign.name, campaign.seed));
    }
    put(format_args!(
        "{} tests, {} findings, {} observations",
        counters.get("tests").copied().unwrap_or(0),
        loud,
        findings.len() - loud
    ));
    for lane in &lanes {
        let of = lane.batches.map_or(String::new(), |batches| format!(" of {batches}"));
        put(format_args!(
            "  {:<8} {:<40} {:>9} tests  {:>6}{of} batches  {:>8.1} s{}",
            lane.strategy,
            lane.subject,
            lane.tests,
            lane.done,
            lane.micros as f64 / 1e6,
            if lane.active { "" } else { "  (rests)" }
        ));
    }
    for worker in &workers {
        put(format_args!(
            "  worker {:<24} {:>6} items  {:>9} tests",
            worker.name, worker.items, worker.tests
        ));
    }
    print(&text);
    Ok(Outcome::Clean)
}

fn listed(row: &FindingRow) -> ListedFinding<'_> {
    ListedFinding {
        class: &row.class,
        title: &row.title,
        fingerprint: &row.fingerprint,
        about: &row.about,
        count: row.count,
        path: format!("findings/{}-{}", row.class, row.fingerprint),
        target: &row.target,
        version: &row.version,
        logic: &row.logic,
        assertions: row.assertions,
        first_seen: row.first_seen,
        last_seen: row.last_seen,
        state: row.state.word(),
        url: row.url.as_deref(),
        release: row.release.as_deref(),
        newest_release: row.newest.as_deref(),
        strategy: &row.strategy,
        finding: row.loud,
    }
}

fn findings(arguments: &FindingsArguments) -> Result<Outcome, Failure> {
    let mut store = store_of(&arguments.campaign)?;
    if let (Some(fingerprint), Some(to)) = (&arguments.set, arguments.to) {
        let there =
            store.set_state(fingerprint, to, arguments.url.as_deref(), arguments.release.as_deref())?;
        if !there {
            return Err(Failure(format!("there is no finding {fingerprint}")));
        }
    }
    let rows: Vec<FindingRow> = store
        .findings()?
        .into_iter()
        .filter(|row| arguments.all || row.loud)
        .filter(|row| arguments.class.as_ref().is_none_or(|class| *class == row.class))
        .filter(|row| arguments.state.is_none_or(|state| state == row.state))
        .collect();
    if arguments.json {
        print_json(&FindingList { findings: rows.iter().map(listed).collect() });
    } else if rows.is_empty() {
        print("no findings\n");
    } else {
        let mut text = String::new();
        for row in &rows {
            writeln!(
                text,
                "{}  {:<18} {:>6}x  {:<9} {}  {}",
                row.fingerprint,
                row.class,
                row.count,
                row.state.word(),
                row.target,
                row.about
            )
            .expect("a string grows");
        }
        print(&text);
    }
    Ok(if rows.iter().any(|row| row.loud) { Outcome::Found } else { Outcome::Clean })
}

fn export(arguments: &ExportArguments) -> Result<Outcome, Failure> {
    let store = super::report::open(&arguments.campaign)?;
    let written = |path: &Path, text: String| output::write_whole(path, text).map_err(Failure::from);
    let ExportArguments { out, junit, sarif, drafts, .. } = arguments;
    if [out, junit, sarif, drafts].iter().all(|path| path.is_none()) {
        return Err(Failure::Usage("say what to write: --out, --junit, --sarif or --drafts".into()));
    }
    if let Some(out) = out {
        let folders = ::campaign::export::export(&store, out, arguments.fingerprint.as_deref())?;
        say!("wrote {folders} folders below {}", out.display());
    }
    if let Some(path) = junit {
        written(path, ci::junit(&store)?)?;
    }
    if let Some(path) = sarif {
        written(path, ci::sarif(&store)?)?;
    }
    if let Some(folder) = drafts {
        let (folder, _) = output::Folder::open(folder, "campaign drafts", true)?;
        let due = ci::due(&store, ::campaign::store::now())?;
        for (number, row) in due.iter().enumerate() {
            let files = store.files(row.id)?;
            let report = files.get("report.md").map_or("", String::as_str);
            let name = format!(
                "{:02}-{}-{}-{}.md",
                number + 1,
                ci::tracker(&row.target),
                row.class,
                row.fingerprint
            );
            folder.write(&name, ci::draft(row, report, &store.answers(row.id)?))?;
        }
        say!("wrote {} drafts to {}", due.len(), folder.path().display());
    }
    Ok(Outcome::Clean)
}

fn watch(arguments: &WatchArguments) -> Result<Outcome, Failure> {
    let (campaign, source) = read(&arguments.file, Campaign::read_to_run)?;
    // A night is too long to learn afterwards that its summary cannot be written.
    arguments.out.as_deref().map_or(Ok(()), output::probe)?;
    let stop = stop_on_interrupt()?;
    let mut line = ProgressLine::new();
    let start = Instant::now();
    let fuzzing = arguments.night.mul_f64(arguments.share);
    let night = ::campaign::watch::watch(
        &campaign,
        &source,
        &Libraries::default(),
        &PackageIndex { stop: &stop },
        fuzzing,
        &stop,
        &mut |event| show(&mut line, &start, event),
    )?;
    line.clear();
    let text = ::campaign::watch::summary(&campaign, &night)?;
    print(&text);
    if let Some(path) = &arguments.out {
        output::write_whole(path, &text)?;
    }
    let news = night.run.as_ref().is_some_and(|run| run.new_findings + run.program_crashes > 0)
        || !night.regressed.is_empty();
    Ok(if news { Outcome::Found } else { Outcome::Clean })
}
