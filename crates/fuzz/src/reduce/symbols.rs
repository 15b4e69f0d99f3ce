//! Passes over symbols: definitions inlined, variables eliminated by equalities or merged, parameters
//! left out, names made short.

use super::commands::without;
use super::search::Search;
use super::translate::{Built, Edits, Renaming, Translator, replace, rewrite};
use super::weight::{declarations, definitions};
use smt::{Command, FunId, Op, Script, TermId, TermMap, Terms};
use std::collections::{HashMap, HashSet};

/// Replaces applications of defined functions by their bodies and leaves the definitions out.
pub(super) fn inline(search: &mut Search<'_>) {
    let defined = |command: &Command| matches!(command, Command::DefineFun(_) | Command::DefineConst(_));
    let places: Vec<usize> =
        (0..search.script.commands.len()).filter(|&i| defined(&search.script.commands[i])).collect();
    search.maximize(&places, &|terms, script, chosen| {
        // Later definitions use earlier ones, so going backwards leaves what is still to be inlined as it was.
        let mut script = script.clone();
        for &&i in chosen.iter().rev() {
            let (Command::DefineFun(fun) | Command::DefineConst(fun)) = script.commands[i] else {
                return None;
            };
            script = rewrite(terms, &without(&script, &HashSet::from([i])), &|terms, term, args| {
                if terms.as_fun(term) != Some(fun) {
                    Built::Default
                } else {
                    body_for(terms, fun, term, args)
                }
            })?;
        }
        Some(script)
    });
}

fn body_for(terms: &mut Terms, fun: FunId, term: TermId, args: &[TermId]) -> Built {
    let Some(definition) = terms.fun(fun).definition.clone() else { return Built::Fail };
    if terms.op(term) != Op::Apply || definition.vars.len() != args.len() {
        return Built::Fail;
    }
    let map: TermMap = definition.vars.iter().copied().zip(args.iter().copied()).collect();
    Built::Term(terms.substitute(&[definition.body], &map)[0])
}

/// Replaces variables by what an asserted equality says they are, and leaves the equality out.
pub(super) fn eliminate(search: &mut Search<'_>) {
    let edits = equalities(&mut search.terms, &search.script);
    search.maximize(&edits, &|terms, script, chosen| {
        let drop: HashSet<usize> = chosen.iter().map(|edit| edit.0).collect();
        let mut edits = Edits::default();
        edits.redirect.extend(chosen.iter().map(|edit| (edit.1, edit.2)));
        replace(terms, &without(script, &drop), &edits)
    });
}

/// Asserted equalities between a declared constant and a term without it, as (command, constant, term), such that no
/// constant of the list occurs in a term of the list: all of them can be used together.
fn equalities(terms: &mut Terms, script: &Script) -> Vec<(usize, TermId, TermId)> {
    let constants = constants(terms, script);
    let mut list: Vec<(usize, TermId, TermId)> = Vec::new();
    let (mut eliminated, mut mentioned) = (HashSet::new(), HashSet::new());
    for (i, command) in script.commands.iter().enumerate() {
        let Command::Assert(term) = command else { continue };
        let (Op::Eq, &[a, b]) = (terms.op(*term), terms.args(*term)) else { continue };
        for (variable, other) in [(a, b), (b, a)] {
            if !constants.contains(&variable)
                || mentioned.contains(&variable)
                || eliminated.contains(&variable)
            {
                continue;
            }
            let inside = smt::walk::reachable(terms, &[other]);
            if inside.iter().all(|t| *t != variable && !eliminated.contains(t)) {
                eliminated.insert(variable);
                mentioned.extend(inside.into_iter().filter(|t| constants.contains(t)));
                list.push((i, variable, other));
                break;
            }
        }
    }
    list
}

/// The declared constants of a script, as terms in the order of their declarations.
fn constants(terms: &mut Terms, script: &Script) -> Vec<TermId> {
    let nullary: Vec<FunId> = declarations(script).filter(|&f| terms.fun(f).params.is_empty()).collect();
    nullary.into_iter().filter_map(|fun| terms.apply(fun, &[]).ok()).collect()
}

/// Makes one variable of all that have the same sort: each becomes the first, or else the one before it.
pub(super) fn merge(search: &mut Search<'_>) {
    for pick in [|earlier: &[TermId]| earlier.first().copied(), |earlier: &[TermId]| earlier.last().copied()]
    {
        let mut of_sort: HashMap<smt::SortId, Vec<TermId>> = HashMap::new();
        let mut edits: Vec<(TermId, TermId)> = Vec::new();
        for variable in constants(&mut search.terms, &search.script) {
            let earlier = of_sort.entry(search.terms.sort(variable)).or_default();
            if earlier.contains(&variable) {
                continue;
            }
            edits.extend(pick(earlier).map(|other| (variable, other)));
            earlier.push(variable);
        }
        search.maximize(&edits, &|terms, script, chosen| {
            let mut edits = Edits::default();
            edits.redirect.extend(chosen.iter().map(|&&edit| edit));
            replace(terms, script, &edits)
        });
    }
}

/// Leaves out parameters of declared functions, with the arguments that are given for them.
pub(super) fn parameters(search: &mut Search<'_>) {
    let mut edits: Vec<(FunId, usize)> = Vec::new();
    for fun in declarations(&search.script) {
        edits.extend((0..search.terms.fun(fun).params.len()).map(|i| (fun, i)));
    }
    edits.sort_unstable();
    edits.dedup();
    search.maximize(&edits, &|terms, script, chosen| {
        let kept = |fun: FunId, i: usize| !chosen.contains(&&(fun, i));
        let mut shorter: HashMap<FunId, FunId> = HashMap::new();
        for &&(fun, _) in chosen {
            let decl = terms.fun(fun).clone();
            let params = (0..decl.params.len()).filter(|&i| kept(fun, i)).map(|i| decl.params[i]);
            let new = terms.declare(decl.name, &params.collect::<Vec<_>>(), decl.result);
            shorter.insert(fun, new);
        }
        let rule = |terms: &mut Terms, term: TermId, args: &[TermId]| {
            let Some((old, &new)) = terms.as_fun(term).and_then(|fun| shorter.get_key_value(&fun)) else {
                return Built::Default;
            };
            if terms.op(term) != Op::Apply || terms.is_function_symbol(term) {
                return Built::Fail;
            }
            let args: Vec<TermId> = (0..args.len()).filter(|&i| kept(*old, i)).map(|i| args[i]).collect();
            terms.apply(new, &args).map_or(Built::Fail, Built::Term)
        };
        let mut script = rewrite(terms, script, &rule)?;
        for command in &mut script.commands {
            if let Command::DeclareFun(fun) = command {
                *fun = shorter.get(fun).copied().unwrap_or(*fun);
            }
        }
        Some(script)
    });
}

/// Gives declared and defined functions short names.
pub(super) fn names(search: &mut Search<'_>) {
    let funs: Vec<FunId> = declarations(&search.script).chain(definitions(&search.script)).collect();
    let mut short = ShortNames::default();
    let mut edits: Vec<(FunId, String)> = Vec::new();
    for fun in funs {
        let old = search.terms.fun_name(fun).len();
        if old > 1 && edits.iter().all(|(known, _)| *known != fun) {
            let name = short.next(&search.terms);
            if name.len() < old {
                edits.push((fun, name));
            }
        }
    }
    search.maximize(&edits, &|terms, script, chosen| {
        let names = chosen.iter().map(|(fun, name)| (*fun, terms.symbol(name))).collect();
        let renaming = Renaming { names, ..Renaming::default() };
        Translator::new(&Edits::default(), &renaming, None).script(terms, script)
    });
}

/// Names that an arena does not know yet: letters, then letters with numbers.
#[derive(Default)]
struct ShortNames(usize);

impl ShortNames {
    fn next(&mut self, terms: &Terms) -> String {
        loop {
            let (letter, number) = (b'a' + (self.0 % 26) as u8, self.0 / 26);
            self.0 += 1;
            let suffix = if number == 0 { String::new() } else { number.to_string() };
            let name = format!("{}{suffix}", char::from(letter));
            if terms.find_symbol(&name).is_none() {
                return name;
            }
        }
    }
}
