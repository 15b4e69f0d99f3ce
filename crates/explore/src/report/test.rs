//! Tests as files: everything that is needed to run one again and to see whether it goes where it went.

use crate::search::{Test, TestOrigin};
use crate::target::{Input, Object, Target};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A test that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct StoredTest {
    /// The objects that the program asked for, in the order in which it did.
    pub objects: Vec<StoredObject>,
    /// How the run ended.
    pub ending: String,
    /// The decisions: the address of its site, and whether its condition was true.
    pub path: Vec<(u64, bool)>,
}

impl StoredTest {
    /// Reads a test; the message says why the text is none.
    pub fn read(text: &[u8]) -> Result<StoredTest, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    /// The bytes of the test's objects by their names, as a run takes them.
    pub fn input(&self) -> Input {
        self.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect()
    }
}

/// A part of a test's input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredObject {
    /// The name by which the program asked for it: `stdin`, `arg1`, `file:NAME`, or one of the program's own.
    pub name: String,
    /// The word of its [`ObjectKind`](crate::target::ObjectKind).
    pub kind: String,
    /// What it contains; in the file, two hexadecimal digits a byte.
    #[serde(serialize_with = "to_hex", deserialize_with = "from_hex")]
    pub bytes: Vec<u8>,
}

impl From<&Object> for StoredObject {
    fn from(object: &Object) -> StoredObject {
        let Object { name, kind, bytes } = object;
        StoredObject { name: name.clone(), kind: kind.word().to_string(), bytes: bytes.clone() }
    }
}

/// A test as a file has it. A replay reads a part of this as [`StoredTest`].
#[derive(Serialize)]
struct TestDocument {
    origin: &'static str,
    source: &'static str,
    engine: Option<&'static str>,
    seconds: f64,
    objects: Vec<StoredObject>,
    ending: String,
    crash: Option<usize>,
    stdout: String,
    stderr: String,
    new_branches: usize,
    new_lines: Vec<String>,
    path: Vec<(u64, bool)>,
}

/// The text of a test's file.
pub(super) fn to_text(target: &dyn Target, test: &Test) -> String {
    let lines = target.sites().lines();
    let document = TestDocument {
        origin: test.origin.word(),
        source: test.origin.source().name(),
        engine: match test.origin {
            TestOrigin::Partial(_, engine) => Some(engine),
            TestOrigin::Seed | TestOrigin::Solution => None,
        },
        seconds: seconds(test.time),
        objects: test.run.objects.iter().map(StoredObject::from).collect(),
        ending: test.run.ending.to_string(),
        crash: test.crash.map(|crash| crash + 1),
        stdout: String::from_utf8_lossy(&test.run.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&test.run.stderr).into_owned(),
        new_branches: test.fresh.branches,
        new_lines: test.fresh.lines.iter().map(|&line| lines[line].to_string()).collect(),
        path: test.path.iter().map(|&(site, taken)| (target.address(site), taken)).collect(),
    };
    super::to_text(&document)
}

pub(super) fn seconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn to_hex<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn from_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] if pair.iter().all(u8::is_ascii_hexdigit) => {
            let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or_default() as u8;
            Some(digit(*high) << 4 | digit(*low))
        }
        _ => None,
    });
    let bytes: Option<Vec<u8>> = pairs.collect();
    bytes
        .ok_or_else(|| serde::de::Error::custom("the bytes of an object are not pairs of hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_and_read_back() {
        let object =
            StoredObject { name: "arg1".into(), kind: "argument".into(), bytes: vec![0, 0x7f, 0xff] };
        let text = serde_json::to_string(&object).expect("text");
        assert_eq!(text, r#"{"name":"arg1","kind":"argument","bytes":"007fff"}"#);
        assert_eq!(serde_json::from_str::<StoredObject>(&text).expect("an object"), object);
        for bytes in ["0", "0g", "+1", "é1", "00 0"] {
            let text = format!(r#"{{"name":"a","kind":"memory","bytes":"{bytes}"}}"#);
            assert!(serde_json::from_str::<StoredObject>(&text).is_err(), "{bytes}");
        }
    }
}
