//! Tells the world which exceptions of C++ may be caught.
//!
//! The C++ library for WebAssembly catches nothing, and the code generator drops what a program has for it. So in the compiler's
//! intermediate language, where it is still there, calls within a `try` are put between two notices. An exception that is thrown
//! outside of all of them ends the program, which is a crash; any other ends the run as unsupported.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The notice. Its argument is added to the number of `try` blocks that the run is in.
const NOTICE: &str = "__soundline_try";

/// The module with its `try` blocks marked.
pub(super) fn mark(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut function: Vec<&str> = Vec::new();
    let mut marked = false;
    for line in text.lines() {
        if line.starts_with("define ") || !function.is_empty() {
            function.push(line);
            if line == "}" {
                marked |= mark_function(&function, &mut out);
                function.clear();
            }
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    for line in function {
        out.push_str(line);
        out.push('\n');
    }
    if marked {
        let _ = writeln!(out, "declare void @{NOTICE}(i32) nounwind");
    }
    out
}

/// The label of a line that begins a block.
fn label(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let plain = !name.is_empty() && !name.starts_with([' ', '\t']);
    (plain && (rest.is_empty() || rest.trim_start().starts_with(';'))).then_some(name)
}

/// Where the line after an `invoke` leads: normally, and after an exception.
fn ways(line: &str) -> Option<(&str, &str)> {
    let (normal, unwind) = line.trim_start().strip_prefix("to label %")?.split_once(" unwind label %")?;
    Some((normal, unwind.split(',').next().unwrap_or(unwind).trim_end()))
}

/// The blocks that catch an exception. To end the program at once, as a function does that promised to throw nothing, is not to catch.
fn catching<'a>(function: &[&'a str]) -> BTreeSet<&'a str> {
    let mut blocks = BTreeSet::new();
    let mut block = None;
    for line in function {
        if let Some(name) = label(line) {
            block = Some(name);
        }
        let code = line.trim_start();
        if let Some(name) = block {
            if code.starts_with("catch ") || code.starts_with("filter ") {
                blocks.insert(name);
            } else if code.contains("@__clang_call_terminate(") {
                blocks.remove(name);
            }
        }
    }
    blocks
}

/// Whether something was marked.
fn mark_function(function: &[&str], out: &mut String) -> bool {
    let catching = catching(function);
    let target = |at: usize| function.get(at + 1).and_then(|next| ways(next));
    let is_invoke = |line: &str| {
        let code = line.trim_start();
        code.starts_with("invoke ")
            || code.split_once(" = ").is_some_and(|(_, rest)| rest.starts_with("invoke "))
    };
    // A block that is also reached otherwise cannot say that a call has ended.
    let reached = |name: &str| {
        let target = format!("label %{name}");
        let ends =
            |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || "._-$".contains(next));
        let times = |line: &&str| {
            line.match_indices(&target).filter(|(at, _)| ends(&line[at + target.len()..])).count()
        };
        function.iter().map(times).sum::<usize>()
    };
    let mut begins = BTreeSet::new();
    let mut ends = BTreeSet::new();
    for (at, line) in function.iter().enumerate() {
        if is_invoke(line)
            && let Some((normal, unwind)) = target(at)
            && catching.contains(unwind)
            && (reached(normal) == 1 || line.contains("@__cxa_throw("))
        {
            begins.insert(at);
            ends.insert(normal);
        }
    }
    let mut due = false;
    for (at, line) in function.iter().enumerate() {
        if due && !line.contains(" = phi ") {
            let _ = writeln!(out, "  call void @{NOTICE}(i32 -1)");
            due = false;
        }
        if begins.contains(&at) {
            let _ = writeln!(out, "  call void @{NOTICE}(i32 1)");
        }
        out.push_str(line);
        out.push('\n');
        due = due || label(line).is_some_and(|name| ends.contains(name) && reached(name) == 1);
    }
    !begins.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_within_a_try_are_marked() {
        let text = "\
define i32 @f() personality i8* null {
  invoke void @g()
          to label %1 unwind label %2, !dbg !3

1:                                                ; preds = %0
  %x = phi i32 [ 0, %0 ]
  ret i32 %x

2:                                                ; preds = %0
  %3 = landingpad { i8*, i32 }
          catch i8* null
  ret i32 1
}
";
        let marked = mark(text);
        let lines: Vec<&str> = marked.lines().collect();
        assert_eq!(lines[1], "  call void @__soundline_try(i32 1)");
        assert_eq!(lines[6..8], ["  %x = phi i32 [ 0, %0 ]", "  call void @__soundline_try(i32 -1)"]);
        assert_eq!(lines.last(), Some(&"declare void @__soundline_try(i32) nounwind"));
        for same in [
            text.replace("catch i8* null", "cleanup"),
            text.replace("ret i32 1", "call void @__clang_call_terminate(i8* null)"),
            text.replace("invoke", "call"),
        ] {
            assert_eq!(mark(&same), same);
        }
    }
}
