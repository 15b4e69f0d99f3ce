//! Findings for machines and trackers: JUnit XML and SARIF for continuous integration, and Markdown drafts of reports, the gravest
//! first and not more a week than a tracker's people can be expected to read.

use crate::error::Error;
use crate::store::Store;
use crate::store::read::FindingRow;
use crate::store::record::{Answered, FindingState};
use fuzz::evidence::Class;
use output::quote::html as escape;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all that is written");
}

/// Crashes of explorations: program, place, kind, stack.
fn crashes(store: &Store) -> Result<Vec<(String, Json)>, Error> {
    let mut list = Vec::new();
    for row in store.explorations()? {
        let summary: Json =
            row.summary.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        for crash in summary["crash_list"].as_array().into_iter().flatten() {
            list.push((row.program.clone(), crash.clone()));
        }
    }
    Ok(list)
}

/// JUnit XML: a suite a lane, with one case for its tests and one for each finding, which fails.
pub fn junit(store: &Store) -> Result<String, Error> {
    let findings: Vec<FindingRow> = store.findings()?.into_iter().filter(|row| row.loud).collect();
    let crashes = crashes(store)?;
    let lanes = store.lanes()?;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failures = findings.len() + crashes.len();
    put(
        &mut out,
        format_args!(
            "<testsuites name=\"soundline\" tests=\"{}\" failures=\"{failures}\">\n",
            lanes.len() + failures
        ),
    );
    for lane in &lanes {
        let name = escape(&format!("{} on {}", lane.strategy, lane.subject));
        let own: Vec<&FindingRow> = findings
            .iter()
            .filter(|row| row.target == lane.subject && row.strategy == lane.strategy)
            .collect();
        let exploring = lane.strategy == "explore";
        let fell: Vec<&(String, Json)> = crashes
            .iter()
            .filter(|(program, _)| {
                exploring && lane.subject.starts_with(program.rsplit('/').next().unwrap_or(program))
            })
            .collect();
        put(
            &mut out,
            format_args!(
                "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" time=\"{:.3}\">\n    <testcase classname=\"{name}\" name=\"{} tests\"/>\n",
                1 + own.len() + fell.len(),
                own.len() + fell.len(),
                lane.micros as f64 / 1e6,
                lane.tests
            ),
        );
        for row in own {
            let files = store.files(row.id)?;
            put(
                &mut out,
                format_args!(
                    "    <testcase classname=\"{name}\" name=\"{}\">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                    escape(&format!("{} {}", row.class, row.fingerprint)),
                    escape(&row.class),
                    escape(&format!("{} {}: {}", row.target, row.title, row.about)),
                    escape(files.get("report.md").map_or("", String::as_str))
                ),
            );
        }
        for (program, crash) in fell {
            let kind = crash["kind"].as_str().unwrap_or("crash");
            let stack: Vec<&str> =
                crash["stack"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            put(
                &mut out,
                format_args!(
                    "    <testcase classname=\"{name}\" name=\"{}\">\n      <failure type=\"crash\" message=\"{}\">{}</failure>\n    </testcase>\n",
                    escape(&format!("{program}: {kind}")),
                    escape(kind),
                    escape(&stack.join("\n"))
                ),
            );
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    Ok(out)
}

/// SARIF 2.1.0: a rule a class, a result a finding or crash.
pub fn sarif(store: &Store) -> Result<String, Error> {
    let mut words: Vec<Class> = Vec::new();
    for class in Class::all() {
        if words.iter().all(|known| known.word() != class.word()) {
            words.push(class);
        }
    }
    let rules: Vec<Json> = words
        .iter()
        .map(|class| {
            json!({ "id": class.word(), "shortDescription": { "text": format!("The solver {}", class.title()) },
                "defaultConfiguration": { "level": if class.is_loud() { "error" } else { "note" } } })
        })
        .collect();
    let mut results = Vec::new();
    for row in store.findings()? {
        let place = format!(
            "{}/{}-{}/reduced.smt2",
            if row.loud { "findings" } else { "observations" },
            row.class,
            row.fingerprint
        );
        results.push(json!({
            "ruleId": row.class,
            "level": if row.loud { "error" } else { "note" },
            "message": { "text": format!("{} {} {}: {}", row.target, row.version, row.title, row.about) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": place }, "region": { "startLine": 1 } } }],
            "partialFingerprints": { "soundline/v1": row.fingerprint },
            "occurrenceCount": row.count.max(1),
        }));
    }
    for (program, crash) in crashes(store)? {
        let file = crash["file"].as_str().unwrap_or(&program);
        let kind = crash["kind"].as_str().unwrap_or("crash");
        results.push(json!({
            "ruleId": "crash",
            "level": "error",
            "message": { "text": kind },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": file },
                "region": { "startLine": crash["line"].as_u64().unwrap_or(1).max(1) } } }],
        }));
    }
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "soundline", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    });
    Ok(format!("{document:#}\n"))
}

/// A report ready for a tracker: the finding's own report and what other releases answer.
pub fn draft(row: &FindingRow, report: &str, answers: &[Answered]) -> String {
    let mut out = report.trim_end().to_string();
    if out.is_empty() {
        out = format!("# {} {} {}", row.target, row.version, row.title);
    }
    if !answers.is_empty() {
        out.push_str("\n\n**Other releases:**\n\n| release | options | answer | |\n|---|---|---|---|\n");
        for answer in answers {
            let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
            put(
                &mut out,
                format_args!(
                    "| {} | {} | {} | {} |\n",
                    cell(&answer.solver),
                    cell(&answer.options),
                    cell(&answer.answer),
                    answer.judgement
                ),
            );
        }
    }
    out.push('\n');
    out
}

/// Who is told of a finding, one tracker a solver: `z3` of `z3@4.8.10 options` and of `/opt/z3/bin/z3`.
pub fn tracker(target: &str) -> String {
    let program = target.split(' ').next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or(program);
    name.split('@').next().unwrap_or(name).to_string()
}

const WEEK: i64 = 7 * 86_400;

/// The findings that should be reported now: new ones, the gravest first, for each tracker as many as the week has left.
pub fn due(store: &Store, now: i64) -> Result<Vec<FindingRow>, Error> {
    let cap = store.campaign()?.map_or(5, |campaign| campaign.reports_a_week);
    let mut sent: BTreeMap<String, u64> = BTreeMap::new();
    for (fingerprint, changed) in store.reported()? {
        if changed > now - WEEK
            && let Some(row) = store.findings()?.iter().find(|row| row.fingerprint == fingerprint)
        {
            *sent.entry(tracker(&row.target)).or_default() += 1;
        }
    }
    let mut due = Vec::new();
    for row in store.findings()? {
        let count = sent.entry(tracker(&row.target)).or_default();
        if row.loud && row.state == FindingState::New && *count < cap {
            *count += 1;
            due.push(row);
        }
    }
    Ok(due)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Campaign;
    use crate::plan::Plan;
    use crate::store::queue::Next;
    use crate::work::{Found, ItemResult};

    fn store() -> Store {
        let source = "[campaign]\nname = \"n\"\n[limits]\nreports-a-week = 2\n[[target]]\nsolver = \"z3@1\"\n[[target]]\nsolver = \"cvc5\"\n[[strategy]]\nname = \"truth\"\n";
        let campaign = Campaign::read(source, std::path::Path::new("/")).expect("a campaign");
        let mut store = Store::in_memory().expect("a store");
        store.begin(&campaign, source, &Plan::of(&campaign)).expect("begun");
        for number in 0..8u32 {
            let Next::Item(item) = store.take("w", false).expect("taken") else { panic!("an item") };
            let class = if number.is_multiple_of(2) { "crash" } else { "soundness" };
            let title =
                if number.is_multiple_of(2) { "crashes" } else { "answers unsat to a satisfiable formula" };
            let found = Found {
                class: class.into(),
                title: title.into(),
                fingerprint: format!("{number:08x}"),
                about: "<&\u{1}\">".into(),
                count: 1,
                ..Found::default()
            };
            store
                .record(&item, "w", &ItemResult { findings: vec![found], ..ItemResult::default() })
                .expect("recorded");
        }
        store
    }

    #[test]
    fn the_week_has_a_cap_for_each_tracker_and_the_gravest_come_first() {
        let mut store = store();
        let rows = due(&store, crate::store::now()).expect("read");
        assert!(rows.len() <= 4 && rows.is_sorted_by_key(|row| row.severity), "{rows:?}");
        let first = rows[0].clone();
        store.set_state(&first.fingerprint, FindingState::Reported, None, None).expect("set");
        let again = due(&store, crate::store::now()).expect("read");
        let of = |rows: &[FindingRow]| {
            rows.iter().filter(|row| tracker(&row.target) == tracker(&first.target)).count()
        };
        assert_eq!((of(&rows), of(&again)), (2, 1));
        // A week later there is room again.
        assert_eq!(of(&due(&store, crate::store::now() + WEEK + 1).expect("read")), 2);
    }

    #[test]
    fn documents_are_well_formed_whatever_solvers_print() {
        let store = store();
        let sarif: Json = serde_json::from_str(&sarif(&store).expect("made")).expect("JSON");
        assert_eq!(sarif["version"], "2.1.0");
        assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(8));
        let xml = junit(&store).expect("made");
        assert!(xml.contains("failures=\"8\"") && !xml.contains('\u{1}'), "{xml}");
        // Tags that open are closed, in their order.
        let mut open = Vec::new();
        for tag in xml.split('<').skip(2).map(|part| part.split('>').next().unwrap_or("")) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap_or("")),
            }
        }
        assert!(open.is_empty());
    }
}
