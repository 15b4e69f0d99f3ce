//! Tests as files: everything that is needed to run one again and to see whether it goes where it went.

use crate::search::{Test, TestOrigin};
use crate::target::{Input, Target};
use serde_json::{Value as Json, json};

/// A test that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTest {
    /// The bytes of the test's symbolic objects.
    pub input: Input,
    /// How the run ended.
    pub ending: String,
    /// The decisions: the address of its site, and whether its condition was true.
    pub path: Vec<(u64, bool)>,
}

/// A test as a document.
pub fn to_json(target: &dyn Target, test: &Test) -> Json {
    let lines = target.sites().lines();
    let objects: Vec<Json> = test
        .run
        .objects
        .iter()
        .map(|object| json!({ "name": object.name, "kind": object.kind.word(), "bytes": hex(&object.bytes) }))
        .collect();
    let engine = match test.origin {
        TestOrigin::Partial(_, engine) => Some(engine),
        TestOrigin::Seed | TestOrigin::Solution => None,
    };
    let lines: Vec<String> = test.fresh.lines.iter().map(|&line| lines[line].to_string()).collect();
    json!({
        "origin": test.origin.word(),
        "source": test.origin.source().name(),
        "engine": engine,
        "seconds": seconds(test.time),
        "objects": objects,
        "ending": test.run.ending.to_string(),
        "crash": test.crash.map(|crash| crash + 1),
        "stdout": String::from_utf8_lossy(&test.run.stdout),
        "stderr": String::from_utf8_lossy(&test.run.stderr),
        "new_branches": test.fresh.branches,
        "new_lines": lines,
        "path": path(target, test).into_iter().map(|(offset, taken)| json!([offset, taken])).collect::<Vec<_>>(),
    })
}

/// The decisions of a test, by their addresses.
fn path(target: &dyn Target, test: &Test) -> Vec<(u64, bool)> {
    test.path.iter().map(|&(site, taken)| (target.address(site), taken)).collect()
}

/// Reads a test; none if the document is not one.
pub fn from_json(document: &Json) -> Option<StoredTest> {
    let mut input = Input::new();
    for object in document.get("objects")?.as_array()? {
        input.insert(object.get("name")?.as_str()?.to_string(), unhex(object.get("bytes")?.as_str()?)?);
    }
    let decision = |entry: &Json| Some((entry.get(0)?.as_u64()?, entry.get(1)?.as_bool()?));
    Some(StoredTest {
        input,
        ending: document.get("ending")?.as_str()?.to_string(),
        path: document.get("path")?.as_array()?.iter().map(decision).collect::<Option<_>>()?,
    })
}

pub(super) fn seconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}
