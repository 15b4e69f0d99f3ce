//! The tests in the exchange format of the software testing competition (Test-Comp): one file of metadata, one file a test with
//! the values in the order in which the program asks for them.

use super::{Subject, escape};
use crate::search::Test;
use crate::target::{Object, ObjectKind, Scalar};
use output::{Error, Folder};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

pub(super) fn write_metadata(folder: &Folder, subject: Subject<'_>) -> Result<(), Error> {
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
    folder.write("test-suite/metadata.xml", metadata)
}

pub(super) fn write_test(folder: &Folder, number: usize, test: &Test) -> Result<(), Error> {
    let mut text = format!(
        "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
    );
    for value in test.run.objects.iter().flat_map(values) {
        text.push_str(&format!("  <input>{}</input>\n", escape(&value)));
    }
    text.push_str("</testcase>\n");
    folder.write(&format!("test-suite/testcase-{number:06}.xml"), text)
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
        | ObjectKind::Environment
        | ObjectKind::Size { .. }
        | ObjectKind::Choice
        | ObjectKind::Pointee => {
            return object.bytes.iter().map(u8::to_string).collect();
        }
    };
    vec![scalar.literal(&object.bytes)]
}
