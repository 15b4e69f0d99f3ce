//! Passes over commands: assertions, queries, scopes, lists of terms, declarations that nothing uses, options.

use super::search::Search;
use super::weight::roots;
use smt::{Command, CommandClass, FunId, Op, Script, TermId, Terms};
use std::collections::HashSet;

/// Leaves out assertions.
pub(super) fn assertions(search: &mut Search<'_>) {
    drop_each(search, |command| matches!(command, Command::Assert(_)));
}

/// Leaves out queries and everything that only asks for output.
pub(super) fn queries(search: &mut Search<'_>) {
    drop_each(search, |command| {
        // A reset ends a scope that nothing opened; what follows it may stand by itself.
        matches!(command, Command::Reset | Command::ResetAssertions)
            || matches!(
                command.class(),
                CommandClass::Query | CommandClass::Output | CommandClass::Exit | CommandClass::Unknown
            )
    });
}

/// Leaves out whole scopes from `push` to `pop`, then the two commands around what must stay; those that stay open one
/// level.
pub(super) fn scopes(search: &mut Search<'_>) {
    let whole: Vec<Vec<usize>> =
        pairs(&search.script).iter().map(|&(from, to)| (from..=to).collect()).collect();
    drop_groups(search, &whole);
    let ends: Vec<Vec<usize>> = pairs(&search.script).iter().map(|&(from, to)| vec![from, to]).collect();
    drop_groups(search, &ends);
    drop_each(search, |command| matches!(command, Command::Push(_) | Command::Pop(_)));
    search.maximize(&pairs(&search.script), &|_, script, chosen| {
        let mut script = script.clone();
        for &&(from, to) in chosen {
            (script.commands[from], script.commands[to]) = (Command::Push(1), Command::Pop(1));
        }
        Some(script)
    });
}

/// The places of each `push` and the `pop` of as many levels that ends it, outer ones first.
fn pairs(script: &Script) -> Vec<(usize, usize)> {
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut pairs = Vec::new();
    for (i, command) in script.commands.iter().enumerate() {
        match command {
            Command::Push(n) => open.push((i, *n)),
            Command::Pop(n) => match open.pop() {
                Some((from, pushed)) if pushed == *n => pairs.push((from, i)),
                _ => open.clear(),
            },
            _ => {}
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Leaves out assumptions of queries and terms whose values are asked for.
pub(super) fn lists(search: &mut Search<'_>) {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (i, command) in search.script.commands.iter().enumerate() {
        if let Command::CheckSatAssuming(list) | Command::GetValue(list) = command {
            places.extend((0..list.len()).map(|j| (i, j)));
        }
    }
    search.maximize(&places, &|_, script, chosen| {
        let drop: HashSet<(usize, usize)> = chosen.iter().map(|&&place| place).collect();
        let kept = |i: usize, list: &[TermId]| -> Box<[TermId]> {
            (0..list.len()).filter(|&j| !drop.contains(&(i, j))).map(|j| list[j]).collect()
        };
        let mut script = script.clone();
        for (i, command) in script.commands.iter_mut().enumerate() {
            match command {
                Command::CheckSatAssuming(list) => {
                    let list = kept(i, list);
                    *command =
                        if list.is_empty() { Command::CheckSat } else { Command::CheckSatAssuming(list) };
                }
                Command::GetValue(list) => *list = kept(i, list),
                _ => {}
            }
        }
        // Nothing can be asked for the values of no terms.
        script
            .commands
            .iter()
            .all(|c| !matches!(c, Command::GetValue(list) if list.is_empty()))
            .then_some(script)
    });
}

/// Leaves out declarations and definitions that nothing uses. What is only used by one of them is next.
pub(super) fn unused(search: &mut Search<'_>) {
    loop {
        let used = used_functions(&search.terms, &search.script);
        let droppable = |command: &Command| match command {
            // Whether a sort is in use shows when the text is read back.
            Command::DeclareSort(..) | Command::DefineSort(..) | Command::DeclareDatatypes(_) => true,
            command => {
                command.class() == CommandClass::Declaration
                    && command.functions().iter().all(|fun| !used.contains(fun))
            }
        };
        if !drop_each(search, droppable) {
            return;
        }
    }
}

/// The functions that occur in the terms of a script. A recursive function does not use itself.
fn used_functions(terms: &Terms, script: &Script) -> HashSet<FunId> {
    let mut used: HashSet<FunId> = HashSet::new();
    for command in &script.commands {
        if let Command::DefineFunsRec(funs) = command {
            for &fun in funs {
                let body = terms.fun(fun).definition.as_ref().map(|definition| definition.body);
                let inner = smt::walk::reachable(terms, body.as_slice());
                used.extend(inner.iter().filter_map(|&t| terms.as_fun(t)).filter(|f| !funs.contains(f)));
            }
        }
    }
    let recursive: HashSet<TermId> = script
        .commands
        .iter()
        .filter_map(|c| if let Command::DefineFunsRec(funs) = c { Some(funs.iter()) } else { None })
        .flatten()
        .filter_map(|&fun| Some(terms.fun(fun).definition.as_ref()?.body))
        .collect();
    let others: Vec<TermId> = roots(terms, script).into_iter().filter(|t| !recursive.contains(t)).collect();
    used.extend(smt::walk::reachable(terms, &others).iter().filter_map(|&t| terms.as_fun(t)));
    used
}

/// Makes one assertion of each part of an asserted conjunction.
pub(super) fn split(search: &mut Search<'_>) {
    let is_conjunction = |c: &Command| matches!(c, Command::Assert(t) if search.terms.op(*t) == Op::And);
    let places: Vec<usize> = places(&search.script, is_conjunction);
    search.maximize(&places, &|terms, script, chosen| {
        let chosen: HashSet<usize> = chosen.iter().map(|&&i| i).collect();
        let mut result = Script::default();
        for (i, command) in script.commands.iter().enumerate() {
            match command {
                Command::Assert(term) if chosen.contains(&i) => {
                    conjuncts(terms, *term).into_iter().for_each(|part| result.push(Command::Assert(part)));
                }
                _ => result.push(command.clone()),
            }
        }
        Some(result)
    });
}

/// The parts of a conjunction of conjunctions, each once, in order.
fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut parts, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![term]);
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::And => stack.extend(terms.args(term).iter().rev()),
            _ => parts.push(term),
        }
    }
    parts
}

/// Leaves out options and remarks, and the logic; a logic that must be there becomes the one that holds everything.
pub(super) fn options(search: &mut Search<'_>) {
    drop_each(search, |command| matches!(command, Command::SetInfo(..) | Command::SetOption(..)));
    drop_each(search, |command| matches!(command, Command::SetLogic(_)));
    let places = places(&search.script, |command| matches!(command, Command::SetLogic(_)));
    search.maximize(&places, &|terms, script, chosen| {
        let all = terms.symbol("ALL");
        let mut script = script.clone();
        for &&i in chosen {
            script.commands[i] = Command::SetLogic(all);
        }
        Some(script)
    });
}

fn places(script: &Script, wanted: impl Fn(&Command) -> bool) -> Vec<usize> {
    (0..script.commands.len()).filter(|&i| wanted(&script.commands[i])).collect()
}

fn drop_each(search: &mut Search<'_>, wanted: impl Fn(&Command) -> bool) -> bool {
    let groups: Vec<Vec<usize>> = places(&search.script, wanted).into_iter().map(|i| vec![i]).collect();
    drop_groups(search, &groups)
}

fn drop_groups(search: &mut Search<'_>, groups: &[Vec<usize>]) -> bool {
    search.maximize(groups, &|_, script, chosen| {
        let drop: HashSet<usize> = chosen.iter().flat_map(|group| group.iter().copied()).collect();
        Some(without(script, &drop))
    })
}

/// The script without some of its commands.
pub(super) fn without(script: &Script, drop: &HashSet<usize>) -> Script {
    let mut result = Script::default();
    for (i, command) in script.commands.iter().enumerate() {
        if !drop.contains(&i) {
            result.push(command.clone());
        }
    }
    result
}
