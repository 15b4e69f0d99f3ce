//! Exceptions of C++ without help of the code generator.
//!
//! The C++ library for WebAssembly was compiled without exceptions, and the code generator drops what a program has for them. So they are
//! taken out before, in the compiler's intermediate language: a call that an exception may leave (`invoke`) becomes a call between two notices
//! to the world. The first returns twice, as `setjmp` does: once before the call, and once if an exception came; then it is another block
//! that is gone to. `exceptions.c` throws, and decides what is caught by the lists of types that are written here.
//!
//! Refused: exceptions through objects and archives that were compiled elsewhere. They drop what they have for them, so an exception passes
//! their calls without cleaning up.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Notes a call that an exception may leave, with the list of what is caught there; not zero if one came.
const TRY: &str = "__soundline_try";
/// The declaration of [`TRY`]. That it returns twice is kept back from the pass that lays red zones: it would lay none around locals then.
const PLAIN: &str = "declare i32 @__soundline_try(i8**) \"wasm-import-module\"=\"soundline\" \"wasm-import-name\"=\"__soundline_try\"";

/// What the names of lists begin with. The pass that lays red zones takes them for its own and leaves them alone.
const LIST: &str = "___asan_gen_soundline.";

/// What the lowered code calls.
const DECLARED: &[&str] = &[
    PLAIN,
    "declare void @__soundline_tried() nounwind",
    "declare void @__soundline_land() nounwind",
    "declare i8* @__soundline_landed() nounwind",
    "declare i32 @__soundline_selector() nounwind",
    "declare void @__soundline_resume(i8*) noreturn",
];

/// In place of a type in a list: what catches everything, what ends the program, and what lets only some types pass. `exceptions.c` reads them.
const EVERYTHING: &str = "i8* inttoptr (i32 1 to i8*)";
const TERMINATE: &str = "i8* inttoptr (i32 2 to i8*)";
const FILTER: &str = "i8* inttoptr (i32 3 to i8*)";

/// The module with its exceptions lowered, and whether there were any.
pub(super) fn lower(text: &str) -> (String, bool) {
    let mut lowering = Lowering { out: String::with_capacity(text.len()), lists: BTreeMap::new(), count: 0 };
    let mut function: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("define ") || !function.is_empty() {
            function.push(line);
            if line == "}" {
                lowering.function(&function);
                function.clear();
            }
        } else {
            lowering.line(line);
        }
    }
    for line in function {
        lowering.line(line);
    }
    let any = lowering.count > 0;
    if any {
        for (list, number) in std::mem::take(&mut lowering.lists) {
            lowering.line(&format!(
                "@{LIST}{number} = private unnamed_addr constant [{} x i8*] [{list}]",
                entries(&list)
            ));
        }
        DECLARED.iter().for_each(|line| lowering.line(line));
    }
    (lowering.out, any)
}

/// Says in a module with red zones that [`TRY`] returns twice, so that the optimiser keeps apart what is alive at both returns.
pub(super) fn twice(text: &str) -> String {
    let start = format!("declare i32 @{TRY}(");
    let line = |line: &str| match line.strip_prefix(&start).and_then(|rest| rest.split_once(')')) {
        Some((parameters, rest)) => format!("{start}{parameters}) returns_twice{rest}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The label of a line that begins a block.
fn label(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let plain = !name.is_empty() && !name.starts_with([' ', '\t']);
    (plain && (rest.is_empty() || rest.trim_start().starts_with(';'))).then_some(name)
}

/// The line after an `invoke`: where it leads to normally and after an exception, and what is noted behind that.
fn ways(line: &str) -> Option<(&str, &str, &str)> {
    let (normal, unwind) = line.trim_start().strip_prefix("to label %")?.split_once(" unwind label %")?;
    let end = unwind.find(", !").unwrap_or(unwind.len());
    Some((normal, unwind[..end].trim_end(), &unwind[end..]))
}

/// `%name = ` and the instruction behind it, or an instruction alone.
fn parts(line: &str) -> (&str, &str) {
    let code = line.trim_start();
    match code.split_once(" = ") {
        Some((name, _)) if name.starts_with('%') => code.split_at(name.len() + 3),
        _ => ("", code),
    }
}

/// A clause of a landing pad, as it goes into a list.
fn clause(line: &str) -> Option<String> {
    let code = line.trim_start();
    let code = &code[..code.find(", !").unwrap_or(code.len())];
    if let Some(ty) = code.strip_prefix("catch ") {
        return Some(if ty == "i8* null" || ty == "ptr null" { EVERYTHING.into() } else { ty.into() });
    }
    let (count, _) = code.strip_prefix("filter [")?.split_once(" x ")?;
    let types = code.split_once("] [").and_then(|(_, rest)| rest.strip_suffix(']'));
    // An empty filter lets nothing pass. Others follow in the list itself.
    Some(match types {
        Some(types) => format!("{FILTER}, i8* inttoptr (i32 {count} to i8*), {types}"),
        None => format!("{FILTER}, i8* null"),
    })
}

struct Lowering {
    out: String,
    /// Lists of what is caught, by their text, with their numbers.
    lists: BTreeMap<String, usize>,
    count: usize,
}

/// A call that became two blocks.
struct Split {
    /// The block that it was in, and the two that its ways lead from.
    from: String,
    number: usize,
}

impl Lowering {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn function(&mut self, function: &[&str]) {
        if !function[0].contains(" personality ") {
            function.iter().for_each(|line| self.line(line));
            return;
        }
        let lists = landing_pads(function);
        let splits = self.splits(function);
        self.line(&without_personality(function[0]));
        let mut block = "";
        let mut clauses = false;
        for (at, line) in function.iter().enumerate().skip(1) {
            let code = line.trim_start();
            if clauses {
                if code == "cleanup" || code.starts_with("cleanup,") || clause(line).is_some() {
                    continue;
                }
                clauses = false;
            }
            if let Some(name) = label(line) {
                block = name;
            }
            if ways(line).is_some() {
                continue;
            }
            let (name, instruction) = parts(line);
            if let Some(call) = instruction.strip_prefix("invoke ")
                && let Some((normal, unwind, notes)) = function.get(at + 1).and_then(|next| ways(next))
            {
                let number = splits[&at].number;
                let list = self.list(lists.get(unwind).map_or(&[][..], Vec::as_slice));
                let _ = write!(
                    self.out,
                    "  %soundline.came.{number} = call i32 @{TRY}(i8** {list}){notes}\n  \
                     %soundline.first.{number} = icmp eq i32 %soundline.came.{number}, 0\n  \
                     br i1 %soundline.first.{number}, label %soundline.call.{number}, label %soundline.land.{number}\n\
                     soundline.land.{number}:\n  \
                     call void @__soundline_land()\n  \
                     br label %{unwind}\n\
                     soundline.call.{number}:\n  \
                     {name}call {call}{notes}\n  \
                     call void @__soundline_tried()\n  \
                     br label %{normal}\n"
                );
            } else if instruction.starts_with("landingpad ") {
                let n = self.fresh();
                let _ = write!(
                    self.out,
                    "  %soundline.object.{n} = call i8* @__soundline_landed()\n  \
                     %soundline.selector.{n} = call i32 @__soundline_selector()\n  \
                     %soundline.half.{n} = insertvalue {{ i8*, i32 }} undef, i8* %soundline.object.{n}, 0\n  \
                     {name}insertvalue {{ i8*, i32 }} %soundline.half.{n}, i32 %soundline.selector.{n}, 1\n"
                );
                clauses = true;
            } else if let Some(value) = instruction.strip_prefix("resume { i8*, i32 } ") {
                let n = self.fresh();
                let (value, notes) = value.split_at(value.find(", !").unwrap_or(value.len()));
                let _ = write!(
                    self.out,
                    "  %soundline.resumed.{n} = extractvalue {{ i8*, i32 }} {value}, 0\n  \
                     call void @__soundline_resume(i8* %soundline.resumed.{n}){notes}\n  \
                     unreachable\n"
                );
            } else if let Some((_, ty)) = instruction.split_once("@llvm.eh.typeid.for(") {
                // The address of a type is as good a number as any.
                let ty = &ty[..ty.rfind(')').unwrap_or(ty.len())];
                let _ = writeln!(self.out, "  {name}ptrtoint {ty} to i32");
            } else if instruction.starts_with("phi ") {
                let from = splits.values().filter(|split| line.contains(&format!("%{} ]", split.from)));
                let mut changed = line.to_string();
                for split in from {
                    // It is one of the two ways: which one, the block says that the value is for.
                    let way = if lists.contains_key(block) { "land" } else { "call" };
                    let (old, number) = (&split.from, split.number);
                    changed = changed.replace(&format!("%{old} ]"), &format!("%soundline.{way}.{number} ]"));
                }
                self.line(&changed);
            } else {
                self.line(line);
            }
        }
    }

    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// The calls that are split, by line.
    fn splits(&mut self, function: &[&str]) -> BTreeMap<usize, Split> {
        // The first block has no label: its number is that of the parameters.
        let parameters = function[0].split('(').skip(1).collect::<String>();
        let unnamed =
            parameters.split('%').skip(1).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let mut block = unnamed.count().to_string();
        let mut splits = BTreeMap::new();
        for (at, line) in function.iter().enumerate() {
            if let Some(name) = label(line) {
                block = name.to_string();
            }
            if parts(line).1.starts_with("invoke ") {
                let number = self.fresh();
                splits.insert(at, Split { from: block.clone(), number });
            }
        }
        splits
    }

    /// The list of what is caught at a call.
    fn list(&mut self, clauses: &[String]) -> String {
        let list = clauses.iter().map(String::as_str).chain(["i8* null"]).collect::<Vec<_>>().join(", ");
        let count = entries(&list);
        let next = self.lists.len();
        let number = *self.lists.entry(list).or_insert(next);
        format!("getelementptr inbounds ([{count} x i8*], [{count} x i8*]* @{LIST}{number}, i32 0, i32 0)")
    }
}

/// How many entries a list has: commas outside of all brackets, and one.
fn entries(list: &str) -> usize {
    let mut depth = 0;
    let mut count = 1;
    for byte in list.bytes() {
        match byte {
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth -= 1,
            b',' if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}

/// What the landing pads of a function catch, by block. One that ends the program at once, as in a function that promised to throw
/// nothing, catches nothing.
fn landing_pads<'a>(function: &[&'a str]) -> BTreeMap<&'a str, Vec<String>> {
    let mut pads: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut block = "";
    let mut handled = false;
    for line in function {
        if let Some(name) = label(line) {
            block = name;
        }
        if parts(line).1.starts_with("landingpad ") {
            pads.insert(block, Vec::new());
            handled = false;
        } else if let Some(clauses) = pads.get_mut(block) {
            clauses.extend(clause(line));
            handled |= line.contains("@__cxa_begin_catch(");
            let ends = line.contains("@__clang_call_terminate(") || line.contains("@_ZSt9terminatev(");
            if ends && !handled {
                *clauses = vec![TERMINATE.to_string()];
            }
        }
    }
    pads
}

/// The first line of a function without its routine for exceptions.
fn without_personality(line: &str) -> String {
    let Some((before, after)) = line.split_once(" personality ") else { return line.to_string() };
    let end = after.find(" !dbg").or_else(|| after.rfind(" {")).unwrap_or(after.len());
    format!("{before}{}", &after[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
define i32 @f(i32 %0) personality i8* bitcast (i32 (...)* @p to i8*) !dbg !1 {
  %2 = invoke i32 @g(i32 %0) #3
          to label %3 unwind label %4, !dbg !3

3:                                                ; preds = %1
  %x = phi i32 [ 0, %1 ]
  ret i32 %2

4:                                                ; preds = %1
  %5 = landingpad { i8*, i32 }
          cleanup
          catch i8* bitcast (i8** @T to i8*)
          filter [1 x i8*] [i8* bitcast (i8** @U to i8*)]
          catch i8* null, !dbg !4
  %6 = call i32 @llvm.eh.typeid.for(i8* bitcast (i8** @T to i8*)) #4, !dbg !5
  resume { i8*, i32 } %5, !dbg !6
}
";

    #[test]
    fn a_call_that_may_be_left_becomes_two_ways() {
        let (lowered, any) = lower(TEXT);
        assert!(any);
        let has =
            |line: &str| assert!(lowered.lines().any(|known| known.trim() == line), "{line}\n{lowered}");
        has("define i32 @f(i32 %0) !dbg !1 {");
        has("%2 = call i32 @g(i32 %0) #3, !dbg !3");
        has("%x = phi i32 [ 0, %soundline.call.1 ]");
        has("br label %4");
        has("%5 = insertvalue { i8*, i32 } %soundline.half.2, i32 %soundline.selector.2, 1");
        has("%6 = ptrtoint i8* bitcast (i8** @T to i8*) to i32");
        has("call void @__soundline_resume(i8* %soundline.resumed.3), !dbg !6");
        has(
            "@___asan_gen_soundline.0 = private unnamed_addr constant [6 x i8*] [i8* bitcast (i8** @T to i8*), \
             i8* inttoptr (i32 3 to i8*), i8* inttoptr (i32 1 to i8*), i8* bitcast (i8** @U to i8*), \
             i8* inttoptr (i32 1 to i8*), i8* null]",
        );
        assert!(
            !lowered.contains("invoke") && !lowered.contains("landingpad") && !lowered.contains("cleanup")
        );
        assert!(twice(&lowered).contains("@__soundline_try(i8**) returns_twice \"wasm-import"), "{lowered}");
    }

    #[test]
    fn to_end_the_program_is_not_to_catch() {
        let ended = "constant [2 x i8*] [i8* inttoptr (i32 2 to i8*), i8* null]";
        for (call, ends) in [
            ("call void @__clang_call_terminate(i8* null)", true),
            ("call void @_ZSt9terminatev() #2", true),
            ("%7 = call i8* @__cxa_begin_catch(i8* null)\n  call void @_ZSt9terminatev() #2", false),
        ] {
            let (lowered, _) = lower(&TEXT.replace("resume { i8*, i32 } %5, !dbg !6", call));
            assert_eq!(lowered.contains(ended), ends, "{lowered}");
        }
        let plain = "define i32 @f() {\n  ret i32 0\n}\n";
        assert_eq!(lower(plain), (plain.to_string(), false));
    }
}
