//! An exploration in words for people: the progress line, the summary, and the tables of `--stats`.

use crate::progress::brief;
use explore::Target;
use explore::report;
use explore::search::{Counters, Exploration, Moment, SearchSettings, Tally};
use explore::target::Ending;
use std::collections::BTreeSet;
use std::time::Duration;

/// What people read at the end.
pub(super) fn summary(target: &dyn Target, settings: &SearchSettings, found: &Exploration) -> String {
    let counters = &found.counters;
    let partials = counters.sources.partials();
    let (covered, branches) = found.coverage.branches();
    // Verdicts always, what else became of a query only if it happened: together they are all queries.
    let answers = counters.answers().into_iter().enumerate();
    let answers = answers.filter(|(place, (_, count))| *place < 3 || *count > 0);
    let answers: Vec<String> = answers.map(|(_, (word, count))| format!("{count} {word}")).collect();
    let answers = answers.join(", ");
    let mut text = format!(
        "{}: {} paths, {} tests, {} crashes in {:.2} s (seed {})\ncovered {covered} of {branches} branch directions, {} of {} lines\n\
         {} queries in {:.2} s: {answers}; {} of {} partial solutions became paths\n",
        found.stop_reason.word(),
        counters.paths,
        found.tests.len(),
        found.crashes.len(),
        found.time.as_secs_f64(),
        settings.seed,
        found.coverage.lines().len(),
        target.sites().lines().len(),
        counters.queries,
        counters.solver_time.as_secs_f64(),
        partials.paths,
        partials.delivered,
    );
    if counters.backup_asked > 0 {
        let (answered, asked) = (counters.backup_answered, counters.backup_asked);
        text.push_str(&format!("the backup answered {answered} of {asked} queries\n"));
    }
    if counters.forgotten > 0 {
        let times = counters.forgotten;
        text.push_str(&format!("the tree of paths was forgotten {times} times, to stay within --memory\n"));
    }
    let unsupported = found.tests.iter().filter(|test| matches!(test.run.ending, Ending::Unsupported(_)));
    let unsupported: BTreeSet<String> = unsupported.map(|test| test.run.ending.to_string()).collect();
    for what in unsupported {
        text.push_str(&format!("some runs ended early: {what}\n"));
    }
    if counters.divergences > 0 {
        text.push_str(&format!("{} runs did not follow their predicted path\n", counters.divergences));
    }
    for crash in &found.crashes {
        text.push_str(&format!("crash: {} (test {}, {} such)\n", crash.ending, crash.test + 1, crash.count));
        for line in report::details(target, crash) {
            text.push_str(&format!("    {line}\n"));
        }
        for line in report::folded(&target.frames(&crash.stack)) {
            text.push_str(&format!("    {line}\n"));
        }
        if crash.ending == Ending::Hang {
            text.push_str(&format!(
                "    cut off after {} jumps and calls; --fuel allows more\n",
                settings.fuel
            ));
        }
    }
    text
}

/// What became of the inputs of each source, and where queries went.
pub(super) fn stats(found: &Exploration) -> String {
    let counters = &found.counters;
    let seconds = found.time.as_secs_f64().max(1e-6);
    let mut text = format!("\n{:<10}{:<14}", "source", "engine");
    for (name, _) in Tally::default().columns() {
        text.push_str(&format!("{name:>11}"));
    }
    for (source, engine, tally) in counters.sources.rows() {
        text.push_str(&format!("\n{:<10}{engine:<14}", source.name()));
        for (_, count) in tally.columns() {
            text.push_str(&format!("{count:>11}"));
        }
    }
    let answers = counters.answers();
    let answers: Vec<String> = answers.iter().map(|(name, count)| format!("{count} {name}")).collect();
    text.push_str(&format!(
        "\n\n{} queries: {}\n{:.0} queries, {:.0} runs on values and {:.0} runs on terms per second\n",
        counters.queries,
        answers.join(", "),
        counters.queries as f64 / seconds,
        counters.runs[0] as f64 / seconds,
        counters.runs[1] as f64 / seconds,
    ));
    text
}

/// How far an exploration is, in a line.
pub(super) fn told(moment: &Moment, counters: &Counters, limit: Duration) -> String {
    format!(
        "exploring, {} left: {} paths, {} tests, {} branches, {} lines, solver {:.1} s, {} partial solutions used",
        brief(limit.saturating_sub(moment.time)),
        counters.paths,
        moment.tests,
        moment.branches,
        moment.lines,
        counters.solver_time.as_secs_f64(),
        counters.partials_used(),
    )
}
