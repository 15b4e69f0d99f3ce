//! Keeps the accesses that the source makes: the optimiser removes a load whose result is unused and a store that is never read,
//! and with them the error that they are.
//!
//! Works on the text of the compiler's intermediate language, before any pass ran. Accesses to scalar locals and whole globals cannot
//! leave their object and stay as they are, so that locals still become registers; all others become `volatile`.
//!
//! The pass that lays red zones lays them behind globals. So a global of ours comes first in each kind of section, and the first one of
//! the program has a red zone before it too.

use std::collections::BTreeSet;

/// What goes before the first global. The checks know these by the start of their names, and close them as a whole.
const FENCES: &str = "\
@soundline_fence_data = internal global { i8, [511 x i8] } { i8 1, [511 x i8] zeroinitializer }, align 16
@soundline_fence_constants = internal constant { i8, [511 x i8] } { i8 1, [511 x i8] zeroinitializer }, align 16
@soundline_fence_zeros = internal global [512 x i8] zeroinitializer, align 16
";

/// The module with its accesses kept.
pub(super) fn keep_accesses(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut safe: BTreeSet<&str> = BTreeSet::new();
    let mut fenced = false;
    let mut asked = false;
    for line in text.lines() {
        if !fenced && line.starts_with('@') {
            out.push_str(FENCES);
            fenced = true;
        }
        if line.starts_with("define ") {
            safe.clear();
        }
        let code = line.trim_start();
        if let Some((name, rest)) = defined(code)
            && (rest.starts_with("alloca ") || member_of_safe(rest, &safe))
        {
            safe.insert(name);
        }
        if let Some(check) = nonzero(code) {
            out.push_str(&check);
            asked = true;
        }
        match kept(code, &safe) {
            Some((before, after)) => {
                out.push_str(&line[..line.len() - code.len()]);
                out.push_str(before);
                out.push_str("volatile ");
                out.push_str(after);
            }
            None if code.contains("@llvm.mem") && code.contains(", i1 false)") => {
                out.push_str(&line.replace(", i1 false)", ", i1 true)"));
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    if asked {
        out.push_str("declare void @__soundline_nonzero32(i32)\ndeclare void @__soundline_nonzero64(i64)\n");
    }
    out
}

/// The check before zeros are counted: how many a number has that is zero itself is undefined in C. The compiler leaves it out for
/// WebAssembly, whose instructions have an answer.
fn nonzero(code: &str) -> Option<String> {
    let (_, rest) = defined(code)?;
    let counted = rest.strip_prefix("call ")?;
    let (_, call) = counted.split_once("@llvm.ctlz.").or_else(|| counted.split_once("@llvm.cttz."))?;
    let (ty, rest) = call.split_once('(')?;
    let (argument, rest) = rest.split_once(", i1 false)")?;
    let bits = ty.strip_prefix('i').filter(|bits| ["32", "64"].contains(bits))?;
    let notes = rest.find(", !").map_or("", |at| &rest[at..]);
    Some(format!("  call void @__soundline_nonzero{bits}({argument}){notes}\n"))
}

/// `%name = rest`.
fn defined(code: &str) -> Option<(&str, &str)> {
    let (name, rest) = code.split_once(" = ")?;
    name.starts_with('%').then_some((name, rest))
}

/// Whether this is the address of a member of a structure that is a safe local: its indices are constants.
fn member_of_safe(rest: &str, safe: &BTreeSet<&str>) -> bool {
    let Some(rest) = rest.strip_prefix("getelementptr inbounds ") else { return false };
    let structure =
        rest.starts_with("%struct.") || rest.starts_with("%union.") || rest.starts_with("%class.");
    let rest = rest.split(", !").next().unwrap_or(rest);
    let mut operands = rest.split(", ").skip(1);
    let base = operands.next().and_then(|operand| operand.rsplit(' ').next());
    structure
        && base.is_some_and(|base| safe.contains(base))
        && operands.all(|index| index.rsplit(' ').next().is_some_and(|index| index.parse::<u32>().is_ok()))
}

/// An access that is to be kept, split where `volatile` belongs.
fn kept<'a>(code: &'a str, safe: &BTreeSet<&str>) -> Option<(&'a str, &'a str)> {
    let at = if code.starts_with("store ") {
        "store ".len()
    } else {
        let (_, rest) = defined(code)?;
        rest.starts_with("load ").then(|| code.len() - rest.len() + "load ".len())?
    };
    let (before, after) = code.split_at(at);
    if after.starts_with("atomic ") || after.starts_with("volatile ") {
        return None;
    }
    let operands = after.split(", align ").next().unwrap_or(after);
    let pointer = operands.rsplit(' ').next().unwrap_or_default();
    let stays = safe.contains(pointer) || pointer.starts_with('@');
    (!stays).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses() {
        let rows = [
            ("%0 = load i32, i32* %x, align 4, !dbg !1", false),
            ("%0 = load i32, i32* @g, align 4", false),
            ("%0 = load i8, i8* %arrayidx, align 1, !dbg !71, !tbaa !73", true),
            ("%0 = load i8, ptr %arrayidx, align 1", true),
            ("store i8 3, i8* %arrayidx, align 1, !dbg !98", true),
            ("store i32* %z, i32** %q, align 4", true),
            ("store i32 %z, i32* %x, align 4", false),
            ("store i32 1, i32* %field, align 4", false),
            ("store atomic i32 1, i32* %p seq_cst, align 4", false),
            ("%1 = load volatile i32, i32* %p, align 4", false),
            (
                "%1 = load i8, i8* getelementptr inbounds ([10 x i8], [10 x i8]* @a, i32 0, i32 11), align 1",
                true,
            ),
        ];
        for (line, kept) in rows {
            let text = format!(
                "define i32 @f() {{\n  %x = alloca i32, align 4\n  %s = alloca %struct.S, align 4\n  \
                 %field = getelementptr inbounds %struct.S, %struct.S* %s, i32 0, i32 1, !dbg !1\n  {line}\n}}\n"
            );
            let changed = keep_accesses(&text) != text;
            assert_eq!(changed, kept, "{line}");
        }
        let other = "define i32 @g() {\n  %0 = load i32, i32* %x, align 4\n}\n";
        assert!(keep_accesses(other).contains("load volatile i32"), "a local of another function");
        let globals = "target triple = \"wasm32\"\n@a = global i32 0\n@b = global i32 0\n";
        let kept = keep_accesses(globals);
        let names: Vec<&str> = kept.lines().filter_map(|line| line.split(" = ").next()).collect();
        assert!(names[1].starts_with("@soundline_fence_") && names[4..] == ["@a", "@b"], "{names:?}");
        let count = "  %3 = call i32 @llvm.ctlz.i32(i32 %2, i1 false), !dbg !15";
        let kept = keep_accesses(count);
        assert!(kept.starts_with("  call void @__soundline_nonzero32(i32 %2), !dbg !15\n  %3 = "), "{kept}");
        let copy = "  call void @llvm.memcpy.p0i8.p0i8.i32(i8* %a, i8* %b, i32 4, i1 false), !dbg !3\n";
        assert!(keep_accesses(copy).contains("i1 true)"));
    }
}
