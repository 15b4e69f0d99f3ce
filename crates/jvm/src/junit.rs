//! A JUnit 5 test of an input: it runs the entry on a real JVM and expects what happened.

use crate::program::Program;
use explore::target::{Input, Object};

/// The test for a crash; none where the entry has parameters that a test cannot write down.
pub(crate) fn test(program: &Program, ending: &str, objects: &[Object]) -> Option<(&'static str, String)> {
    if program.setup().entry.is_some() {
        return None;
    }
    let input: Input = objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
    let class = program.entry().class.name.replace('/', ".");
    let mut arguments = Vec::new();
    for number in 1..=program.setup().args.len() {
        let bytes = input.get(&format!("arg{number}")).cloned().unwrap_or_default();
        let text: String = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| literal(byte)).collect();
        arguments.push(format!("\"{text}\""));
    }
    let mut stdin = input.get("stdin").cloned().unwrap_or_default();
    stdin.resize(program.setup().stdin, 0);
    let bytes: Vec<String> = stdin.iter().map(|&byte| (byte as i8).to_string()).collect();
    let values: Vec<String> = input
        .iter()
        .filter(|(name, _)| *name != "stdin" && !name.starts_with("arg"))
        .map(|(name, bytes)| {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!(
                "        System.setProperty(\"soundline.{}\", \"{hex}\");\n",
                name.replace(['\\', '"'], "_")
            )
        })
        .collect();
    let expectation = match ending {
        "assertion failed" => "AssertionError.class".to_string(),
        other if other.contains('.') => format!("{}.class", other.replace('$', ".")),
        _ => "Throwable.class".to_string(),
    };
    let text = format!(
        "import static org.junit.jupiter.api.Assertions.assertThrows;\n\n\
         import java.io.ByteArrayInputStream;\nimport org.junit.jupiter.api.Test;\n\n\
         /** {ending}. Run with assertions enabled (-ea). */\nclass RegressionTest {{\n    @Test\n    void crash() {{\n        \
         System.setIn(new ByteArrayInputStream(new byte[] {{{}}}));\n{}        \
         assertThrows({expectation}, () -> {class}.main(new String[] {{{}}}));\n    }}\n}}\n",
        bytes.join(", "),
        values.concat(),
        arguments.join(", "),
    );
    Some(("RegressionTest.java", text))
}

/// A character of a Java string.
fn literal(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".to_string(),
        b'\\' => "\\\\".to_string(),
        0x20..=0x7e => char::from(byte).to_string(),
        _ => format!("\\u{byte:04x}"),
    }
}
