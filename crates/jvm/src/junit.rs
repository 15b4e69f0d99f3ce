//! JUnit 5 tests of inputs: each runs `main` on a real JVM with the input of a test and expects what happened.

use crate::program::Program;
use explore::target::{Ending, Input, Run};

/// The test of a run as a class of this name; none where the entry has parameters that a test cannot write down.
pub(crate) fn test(program: &Program, name: &str, run: &Run) -> Option<String> {
    if program.setup().entry.is_some() {
        return None;
    }
    let input: Input = run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
    let class = program.entry().class.name.replace(['/', '$'], ".");
    let mut arguments = Vec::new();
    for number in 1..=program.setup().args.len() {
        let bytes = input.get(&format!("arg{number}")).cloned().unwrap_or_default();
        let text: String = bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| literal(byte)).collect();
        arguments.push(format!("\"{text}\""));
    }
    let mut stdin = input.get("stdin").cloned().unwrap_or_default();
    stdin.resize(program.setup().stdin, 0);
    if let Some(size) = input.get("stdin.size").and_then(|bytes| bytes.first_chunk()) {
        stdin.truncate(u32::from_le_bytes(*size) as usize);
    }
    let mut before =
        format!("        System.setIn(new ByteArrayInputStream(new byte[] {{{}}}));\n", bytes(&stdin));
    // Inputs are numbered by how often their name was asked for, which is static.
    let symbolic = program.registry().loaded("soundline/Symbolic");
    if symbolic.is_some_and(|class| class.declared("restart", "()V").is_some()) {
        before.push_str("        soundline.Symbolic.restart();\n");
    }
    for (object, content) in &input {
        if let Some(file) = object.strip_prefix("file:") {
            let file: String = file.bytes().map(literal).collect();
            before.push_str(&format!(
                "        Files.write(Path.of(\"{file}\"), new byte[] {{{}}});\n",
                bytes(content)
            ));
        } else if object != "stdin" && object != "stdin.size" && !is_argument(object) {
            let object: String = object.bytes().map(literal).collect();
            let hex: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
            before.push_str(&format!("        System.setProperty(\"soundline.{object}\", \"{hex}\");\n"));
        }
    }
    let call = format!("{class}.main(new String[] {{{}}})", arguments.join(", "));
    let after = match run.ending {
        Ending::Assertion => throws("AssertionError", &call),
        Ending::Fault(fault) if fault.name().contains('.') => throws(&fault.name().replace('$', "."), &call),
        Ending::Returned if run.stdout.is_ascii() && run.stdout.len() < 4096 => {
            let expected: String = run.stdout.iter().map(|&byte| literal(byte)).collect();
            format!(
                "        PrintStream console = System.out;\n        \
                 ByteArrayOutputStream output = new ByteArrayOutputStream();\n        \
                 System.setOut(new PrintStream(output, true));\n        \
                 try {{\n            {call};\n            System.out.flush();\n        \
                 }} finally {{\n            System.setOut(console);\n        }}\n        \
                 assertEquals(\"{expected}\", output.toString());\n"
            )
        }
        Ending::Returned => format!("        {call};\n"),
        // What exits, hangs or deadlocks would take the runner of the tests along.
        _ => return None,
    };
    Some(format!(
        "import static org.junit.jupiter.api.Assertions.assertEquals;\n\
         import static org.junit.jupiter.api.Assertions.assertThrows;\n\n\
         import java.io.ByteArrayInputStream;\nimport java.io.ByteArrayOutputStream;\nimport java.io.PrintStream;\n\
         import java.nio.file.Files;\nimport java.nio.file.Path;\nimport org.junit.jupiter.api.Test;\n\n\
         /** Written by soundline explore: {}. Run with assertions enabled (-ea). */\n\
         class {name} {{\n    @Test\n    void run() throws Exception {{\n{before}{after}    }}\n}}\n",
        run.ending
    ))
}

fn throws(class: &str, call: &str) -> String {
    format!("        assertThrows({class}.class, () -> {call});\n")
}

fn is_argument(object: &str) -> bool {
    object
        .strip_prefix("arg")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

fn bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| (byte as i8).to_string()).collect::<Vec<_>>().join(", ")
}

/// A character of a Java string.
fn literal(byte: u8) -> String {
    match byte {
        b'"' => "\\\"".to_string(),
        b'\\' => "\\\\".to_string(),
        b'\n' => "\\n".to_string(),
        b'\r' => "\\r".to_string(),
        0x20..=0x7e => char::from(byte).to_string(),
        // An octal escape: a Unicode one of a line feed would end the literal.
        _ => format!("\\{byte:03o}"),
    }
}
