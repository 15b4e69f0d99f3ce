//! The tests in the exchange format of the software testing competition (Test-Comp): one file of metadata, one file a test with
//! the values in the order in which the program asks for them.

use super::{Subject, escape};
use crate::search::Exploration;
use crate::target::{Object, ObjectKind, Scalar};
use std::fs;
use std::io;
use std::path::Path;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

pub(super) fn write(folder: &Path, subject: Subject<'_>, found: &Exploration) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (language, entry) = subject.target.language();
    let metadata = format!(
        "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n\
         <test-metadata>\n  <sourcecodelang>{}</sourcecodelang>\n  <producer>soundline {}</producer>\n  \
         <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>\n  \
         <programfile>{}</programfile>\n  <entryfunction>{}</entryfunction>\n  <architecture>32bit</architecture>\n\
         </test-metadata>\n",
        language,
        env!("CARGO_PKG_VERSION"),
        escape(&subject.file.display().to_string()),
        escape(&entry),
    );
    fs::write(folder.join("metadata.xml"), metadata)?;
    for (i, test) in found.tests.iter().enumerate() {
        let mut text = format!(
            "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
             \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
        );
        for value in test.run.objects.iter().flat_map(values) {
            text.push_str(&format!("  <input>{}</input>\n", escape(&value)));
        }
        text.push_str("</testcase>\n");
        fs::write(folder.join(format!("testcase-{:06}.xml", i + 1)), text)?;
    }
    Ok(())
}

/// The values of an object: a scalar is one, memory as large as a word is an integer, anything else is bytes.
fn values(object: &Object) -> Vec<String> {
    let scalar = match object.kind {
        ObjectKind::Scalar(scalar) | ObjectKind::Parameter(scalar) => scalar,
        ObjectKind::Memory if matches!(object.bytes.len(), 2 | 4 | 8) => {
            Scalar::Int { bits: 8 * object.bytes.len() as u32, signed: true }
        }
        ObjectKind::Memory
        | ObjectKind::Stdin
        | ObjectKind::Argument
        | ObjectKind::File
        | ObjectKind::Pointee => {
            return object.bytes.iter().map(u8::to_string).collect();
        }
    };
    vec![scalar.literal(&object.bytes)]
}
