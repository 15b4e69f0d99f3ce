//! A script rewritten as a whole: every term that its commands and definitions hold, bottom-up and once, with what
//! [`Edits`] and a [`Rule`] say. Declarations follow their sorts and names, applications follow their functions. Whatever
//! would be ill-sorted makes the whole rewriting fail: a candidate is well-sorted or it does not exist.

use smt::{AttributeValue, Command, Definition, FunId, Op, Script, SortId, TermId, TermMap, Terms};
use std::collections::HashMap;

/// Replacements of terms, all of the same sorts as what they replace.
#[derive(Clone, Default)]
pub(super) struct Edits {
    /// Terms that become others wherever they stand. Following them never leads back to where one started.
    pub(super) redirect: TermMap,
    /// Arguments that become others in one application only; `None` leaves the argument out.
    pub(super) arguments: HashMap<(TermId, usize), Option<TermId>>,
}

/// What a rule makes of a node.
pub(super) enum Built {
    /// What it was, over the new arguments.
    Default,
    /// Another term.
    Term(TermId),
    /// Nothing: the rewriting fails.
    Fail,
}

/// Called for each node with its old id and its new arguments.
pub(super) type Rule<'r> = &'r dyn Fn(&mut Terms, TermId, &[TermId]) -> Built;

/// What becomes of the names and sorts of a script.
#[derive(Default)]
pub(super) struct Renaming {
    /// Sorts that become others, within other sorts too.
    pub(super) sorts: HashMap<SortId, SortId>,
    /// Declared functions that get another name.
    pub(super) names: HashMap<FunId, smt::Symbol>,
}

/// The rewriting of one script.
pub(super) struct Translator<'r> {
    edits: &'r Edits,
    renaming: &'r Renaming,
    rule: Option<Rule<'r>>,
    funs: HashMap<FunId, FunId>,
    done: TermMap,
}

/// The script with some terms replaced.
pub(super) fn replace(terms: &mut Terms, script: &Script, edits: &Edits) -> Option<Script> {
    Translator::new(edits, &Renaming::default(), None).script(terms, script)
}

/// The script with a rule applied to every node.
pub(super) fn rewrite(terms: &mut Terms, script: &Script, rule: Rule<'_>) -> Option<Script> {
    Translator::new(&Edits::default(), &Renaming::default(), Some(rule)).script(terms, script)
}

impl<'r> Translator<'r> {
    pub(super) fn new(edits: &'r Edits, renaming: &'r Renaming, rule: Option<Rule<'r>>) -> Translator<'r> {
        Translator { edits, renaming, rule, funs: HashMap::new(), done: TermMap::default() }
    }

    /// The whole script.
    pub(super) fn script(mut self, terms: &mut Terms, script: &Script) -> Option<Script> {
        let mut result = Script { commands: Vec::with_capacity(script.commands.len()), ..script.clone() };
        for command in &script.commands {
            let command = self.command(terms, command)?;
            result.commands.push(command);
        }
        Some(result)
    }

    fn command(&mut self, terms: &mut Terms, command: &Command) -> Option<Command> {
        Some(match command {
            Command::Assert(term) => Command::Assert(self.term(terms, *term)?),
            Command::CheckSatAssuming(list) => Command::CheckSatAssuming(self.list(terms, list)?),
            Command::GetValue(list) => Command::GetValue(self.list(terms, list)?),
            Command::DeclareFun(fun) => Command::DeclareFun(self.declared(terms, *fun)),
            Command::DeclareConst(fun) => Command::DeclareConst(self.declared(terms, *fun)),
            Command::DefineFun(fun) => Command::DefineFun(self.defined(terms, *fun)?),
            Command::DefineConst(fun) => Command::DefineConst(self.defined(terms, *fun)?),
            Command::DefineFunsRec(funs) => {
                for &fun in funs {
                    self.declare_recursive(terms, fun);
                }
                let mut new = Vec::with_capacity(funs.len());
                for &fun in funs {
                    let Definition { vars, body, .. } = terms.fun(fun).definition.clone()?;
                    let (vars, body) = (self.list(terms, &vars)?, self.term(terms, body)?);
                    terms.set_definition(self.funs[&fun], &vars, body);
                    new.push(self.funs[&fun]);
                }
                Command::DefineFunsRec(new.into())
            }
            Command::DefineSort(name, params, sort) => {
                let sort = self.sort(terms, *sort);
                Command::DefineSort(*name, params.clone(), sort)
            }
            other => other.clone(),
        })
    }

    fn declared(&mut self, terms: &mut Terms, fun: FunId) -> FunId {
        let (name, params, result) = self.signature(terms, fun);
        let new = terms.declare(name, &params, result);
        self.funs.insert(fun, new);
        new
    }

    fn declare_recursive(&mut self, terms: &mut Terms, fun: FunId) {
        let (name, params, result) = self.signature(terms, fun);
        let new = terms.declare_recursive(name, &params, result);
        self.funs.insert(fun, new);
    }

    fn signature(&self, terms: &mut Terms, fun: FunId) -> (smt::Symbol, Vec<SortId>, SortId) {
        let decl = terms.fun(fun).clone();
        let name = self.renaming.names.get(&fun).copied().unwrap_or(decl.name);
        let params = decl.params.iter().map(|&sort| self.sort(terms, sort)).collect();
        (name, params, self.sort(terms, decl.result))
    }

    fn defined(&mut self, terms: &mut Terms, fun: FunId) -> Option<FunId> {
        let name = self.renaming.names.get(&fun).copied().unwrap_or(terms.fun(fun).name);
        let Definition { vars, body, .. } = terms.fun(fun).definition.clone()?;
        let (vars, body) = (self.list(terms, &vars)?, self.term(terms, body)?);
        let new = terms.define(name, &vars, body);
        self.funs.insert(fun, new);
        Some(new)
    }

    fn sort(&self, terms: &mut Terms, sort: SortId) -> SortId {
        map_sort(terms, &self.renaming.sorts, sort)
    }

    fn list(&mut self, terms: &mut Terms, list: &[TermId]) -> Option<Box<[TermId]>> {
        list.iter().map(|&term| self.term(terms, term)).collect()
    }

    /// One term, on an explicit stack.
    fn term(&mut self, terms: &mut Terms, root: TermId) -> Option<TermId> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(&other) = self.edits.redirect.get(&term) {
                match self.done.get(&other) {
                    Some(&new) => {
                        self.done.insert(term, new);
                    }
                    None => stack.push(other),
                }
                continue;
            }
            let args = self.arguments(terms, term);
            let before = stack.len();
            stack.extend(args.iter().copied().filter(|arg| !self.done.contains_key(arg)));
            if stack.len() == before {
                let args: Vec<TermId> = args.iter().map(|arg| self.done[arg]).collect();
                let new = self.node(terms, term, &args)?;
                self.done.insert(term, new);
            }
        }
        self.done.get(&root).copied()
    }

    /// The arguments of a node as the edits want them; as few are left out as its operator allows.
    fn arguments(&self, terms: &Terms, term: TermId) -> Vec<TermId> {
        let old = terms.args(term);
        if self.edits.arguments.is_empty() {
            return old.to_vec();
        }
        let edit = |i: usize| self.edits.arguments.get(&(term, i)).copied();
        let mut left = (0..old.len()).filter(|&i| edit(i) != Some(None)).count();
        let least = least_arguments(terms, term);
        let mut args = Vec::with_capacity(old.len());
        for (i, &arg) in old.iter().enumerate() {
            match edit(i) {
                None => args.push(arg),
                Some(Some(other)) => args.push(other),
                Some(None) if left < least => {
                    args.push(arg);
                    left += 1;
                }
                Some(None) => {}
            }
        }
        args
    }

    fn node(&mut self, terms: &mut Terms, term: TermId, args: &[TermId]) -> Option<TermId> {
        if let Some(rule) = self.rule {
            match rule(terms, term, args) {
                Built::Default => {}
                Built::Term(new) => return Some(new),
                Built::Fail => return None,
            }
        }
        self.rebuilt(terms, term, args)
    }

    /// The node over new arguments, which may be fewer and of other sorts.
    fn rebuilt(&self, terms: &mut Terms, term: TermId, args: &[TermId]) -> Option<TermId> {
        let (op, indices, sort) = (terms.op(term), terms.indices(term), terms.sort(term));
        let fun = |old: FunId| self.funs.get(&old).copied().unwrap_or(old);
        if op == Op::Apply {
            let old = terms.as_fun(term)?;
            let args = if terms.is_function_symbol(term) { &[] } else { args };
            return terms.apply(fun(old), args).ok();
        }
        if op == Op::AsArray {
            let old = terms.as_fun(term)?;
            return terms.as_array(fun(old)).ok();
        }
        let same_sorts = args.len() == terms.args(term).len()
            && args.iter().zip(terms.args(term)).all(|(&a, &b)| terms.sort(a) == terms.sort(b));
        let new_sort = self.sort(terms, sort);
        if same_sorts && new_sort == sort {
            return Some(terms.rebuild(term, args));
        }
        match op {
            Op::Bound => {
                let name = terms.bound_name(term)?;
                // The second index holds what tells apart variables that hide each other above the sort.
                Some(terms.bound(name, new_sort, indices[1] >> 24))
            }
            Op::Forall | Op::Exists => {
                let (&body, vars) = args.split_last()?;
                terms.quantifier(op, vars, body).ok()
            }
            Op::Lambda => {
                let (&body, vars) = args.split_last()?;
                terms.lambda(vars, body, indices[0] == 1).ok()
            }
            Op::Annot => {
                let attributes = terms.attributes(term)?.to_vec();
                let (&body, rest) = args.split_first()?;
                let wanted: usize = attributes.iter().map(|a| term_count(&a.value)).sum();
                (wanted == rest.len()).then(|| terms.annotate(body, &attributes, rest))
            }
            Op::MapApply => terms.map_apply(*args.first()?, &args[1..]).ok(),
            Op::ConstArray => terms.const_array(new_sort, *args.first()?).ok(),
            Op::Construct => terms.construct(terms.as_ctor(term)?, args, Some(new_sort)).ok(),
            Op::Tester => terms.test_ctor(terms.as_ctor(term)?, *args.first()?).ok(),
            Op::Field => terms.select_field(terms.as_field(term)?, *args.first()?).ok(),
            Op::UpdateField => match *args {
                [of, value] => terms.update_field(terms.as_field(term)?, of, value).ok(),
                _ => None,
            },
            Op::Const | Op::Match => None,
            _ => match *args {
                // What is left of `(and a b)` without `b`.
                [only] if terms.args(term).len() > 1 && terms.sort(only) == new_sort => Some(only),
                _ => terms.app_indexed(op, indices, args).ok(),
            },
        }
    }
}

/// How many of the arguments of a node must stay; the number it has, if none can be left out.
pub(super) fn least_arguments(terms: &Terms, term: TermId) -> usize {
    let args = terms.args(term);
    let row = terms.op(term).info();
    let smt::op::Arity::AtLeast(least) = row.arity else { return args.len() };
    let collapses = args.first().is_some_and(|&a| terms.sort(a) == terms.sort(term));
    let least = if collapses { 1 } else { (least as usize).max(2) };
    least.min(args.len())
}

/// How many of an annotation's arguments belong to an attribute.
fn term_count(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::Terms(n) => *n as usize,
        AttributeValue::None | AttributeValue::Text(_) => 0,
    }
}

/// A sort with some sorts in it replaced. Recursion is bounded by the size of sorts, which the reader bounds.
pub(super) fn map_sort(terms: &mut Terms, map: &HashMap<SortId, SortId>, sort: SortId) -> SortId {
    use smt::Sort;
    if let Some(&new) = map.get(&sort) {
        return new;
    }
    if map.is_empty() {
        return sort;
    }
    let all = |terms: &mut Terms, list: &[SortId]| -> Box<[SortId]> {
        list.iter().map(|&s| map_sort(terms, map, s)).collect()
    };
    match terms.sort_of(sort).clone() {
        Sort::Array(index, element) => {
            let new = all(terms, &[index, element]);
            terms.array_sort(new[0], new[1])
        }
        Sort::Collection(kind, item) => {
            let item = map_sort(terms, map, item);
            terms.make_sort(Sort::Collection(kind, item))
        }
        Sort::Uninterpreted(name, list) if !list.is_empty() => {
            let list = all(terms, &list);
            terms.make_sort(Sort::Uninterpreted(name, list))
        }
        Sort::Datatype(id, list) if !list.is_empty() => {
            let list = all(terms, &list);
            terms.make_sort(Sort::Datatype(id, list))
        }
        Sort::Function(list, result) => {
            let (list, result) = (all(terms, &list), map_sort(terms, map, result));
            terms.make_sort(Sort::Function(list, result))
        }
        _ => sort,
    }
}
