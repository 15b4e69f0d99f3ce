//! Terms as text that is linear in the DAG: a subterm that occurs several times is named once with `let`, in the
//! outermost scope in which its variables mean what they mean. Nothing here recurses on a term's depth.

use super::{Style, op_name, put, write_sort_in, write_symbol, write_value};
use crate::binders::FreeVars;
use crate::op::Op;
use crate::read::Dialect;
use crate::symbol::Symbol;
use crate::term::{AttributeValue, Flags, TermId, Terms};

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// A subterm that is written with this many symbols or fewer is repeated rather than named.
pub(super) const SMALL: u32 = 4;

/// A scope: the whole text, or the body of a binder or of one case of a `match`.
struct Region {
    parent: usize,
    vars: Vec<TermId>,
    /// Occurrences of the terms that belong here.
    counts: Map<TermId, u32>,
    /// These terms, arguments before the applications that they stand in. The order is that of the text, not of the ids, which
    /// tell in which order an arena came to know its terms: the same term is always written in the same words.
    order: Vec<TermId>,
    /// The names of shared terms.
    names: Map<TermId, u32>,
    /// The `let`s of this region from the outermost in; those in one group do not use each other.
    groups: Vec<Vec<TermId>>,
}

struct Sharer<'t> {
    terms: &'t Terms,
    style: Style,
    regions: Vec<Region>,
    /// The region of each binder body, by the region the binder belongs to, the binder, and the case.
    bodies: Map<(usize, TermId, usize), usize>,
    free: FreeVars,
    renamed: Map<(usize, TermId), String>,
    /// The names of all functions and constants that occur.
    fun_names: HashSet<Symbol, FxBuildHasher>,
    /// What the names of `let` variables start with.
    prefix: String,
}

pub(super) fn write(out: &mut String, terms: &Terms, term: TermId, style: Style) {
    if terms.args(term).is_empty() {
        return leaf(out, terms, term, style);
    }
    let mut sharer = Sharer::new(terms, style);
    sharer.collect_names(term);
    if style.share || terms.flags(term).has(Flags::BINDER) {
        sharer.count(term);
        if style.share {
            sharer.choose_names();
        }
    }
    sharer.emit(out, term);
}

fn leaf(out: &mut String, terms: &Terms, term: TermId, style: Style) {
    Sharer::new(terms, style).emit(out, term);
}

/// One thing still to be written.
enum Item {
    /// A term as seen from a region: its name if it has one, otherwise itself.
    Term(TermId, usize),
    /// A term itself, even if it has a name.
    Whole(TermId, usize),
    /// A region's `let`s from a group on, and then its body.
    Body(usize, usize, TermId),
    LetName(u32),
    Text(&'static str),
    Owned(String),
}

impl<'t> Sharer<'t> {
    fn new(terms: &'t Terms, style: Style) -> Self {
        let root = Region {
            parent: 0,
            vars: Vec::new(),
            counts: Map::default(),
            order: Vec::new(),
            names: Map::default(),
            groups: Vec::new(),
        };
        Sharer {
            terms,
            style,
            regions: vec![root],
            bodies: Map::default(),
            free: FreeVars::default(),
            renamed: Map::default(),
            fun_names: HashSet::default(),
            prefix: "$".into(),
        }
    }

    /// The outermost region, at or above `from`, in which the term means the same.
    fn home(&mut self, term: TermId, from: usize) -> usize {
        if from == 0 {
            return 0;
        }
        let free = self.free.of(self.terms, term);
        let mut region = from;
        while region != 0 && !self.regions[region].vars.iter().any(|v| free.contains(v)) {
            region = self.regions[region].parent;
        }
        region
    }

    /// Walks the DAG region by region, counting occurrences.
    fn count(&mut self, root: TermId) {
        enum Step {
            Enter(TermId, usize),
            Leave(TermId, usize),
        }
        let mut stack = vec![Step::Enter(root, 0)];
        while let Some(step) = stack.pop() {
            let (term, from) = match step {
                Step::Enter(term, from) => (term, from),
                Step::Leave(term, home) => {
                    self.regions[home].order.push(term);
                    continue;
                }
            };
            if self.terms.args(term).is_empty() {
                continue;
            }
            let home = self.home(term, from);
            let count = self.regions[home].counts.entry(term).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            stack.push(Step::Leave(term, home));
            let children = self.children(term, home).into_iter().rev();
            stack.extend(children.map(|(child, region)| Step::Enter(child, region)));
        }
    }

    /// The parts of a term that are terms, each with the region it is seen from.
    fn children(&mut self, term: TermId, home: usize) -> Vec<(TermId, usize)> {
        if let Some((vars, body)) = self.terms.binder(term) {
            let vars = vars.to_vec();
            return vec![(body, self.body_region(home, term, 0, vars, body))];
        }
        if let Some(cases) = self.terms.match_cases(term) {
            let cases: Vec<(Vec<TermId>, TermId)> =
                cases.into_iter().map(|(_, vars, body)| (vars.to_vec(), body)).collect();
            let mut parts = vec![(self.terms.args(term)[0], home)];
            for (i, (vars, body)) in cases.into_iter().enumerate() {
                parts.push((body, self.body_region(home, term, i, vars, body)));
            }
            return parts;
        }
        self.terms.args(term).iter().map(|&a| (a, home)).collect()
    }

    fn body_region(
        &mut self,
        parent: usize,
        binder: TermId,
        case: usize,
        vars: Vec<TermId>,
        body: TermId,
    ) -> usize {
        if let Some(&region) = self.bodies.get(&(parent, binder, case)) {
            return region;
        }
        let region = self.regions.len();
        self.rename_captured(region, &vars, body);
        self.regions.push(Region {
            parent,
            vars,
            counts: Map::default(),
            order: Vec::new(),
            names: Map::default(),
            groups: Vec::new(),
        });
        self.bodies.insert((parent, binder, case), region);
        region
    }

    /// A variable whose name means something else in its own scope gets another name.
    fn rename_captured(&mut self, region: usize, vars: &[TermId], body: TermId) {
        let free = self.free.of(self.terms, body);
        for (i, &var) in vars.iter().enumerate() {
            let name = self.terms.bound_name(var).expect("a bound variable");
            let twin = |v: &TermId| *v != var && self.terms.bound_name(*v) == Some(name);
            if free.iter().any(twin) || vars[..i].iter().any(twin) || self.constant_named(body, name) {
                let fresh = (1..).map(|n| format!("{}!{n}", self.terms.name(name))).find(|n| {
                    let taken = |v: &TermId| self.renamed.get(&(region, *v)) == Some(n);
                    self.terms.find_symbol(n).is_none() && !vars[..i].iter().any(taken)
                });
                self.renamed.insert((region, var), fresh.expect("numbers do not end"));
            }
        }
    }

    /// Whether a function or constant of this name occurs in a term.
    fn constant_named(&self, term: TermId, name: Symbol) -> bool {
        if !self.fun_names.contains(&name) {
            return false;
        }
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if self.terms.as_fun(t).is_some_and(|f| self.terms.fun(f).name == name) {
                return true;
            }
            stack.extend_from_slice(self.terms.args(t));
        }
        false
    }

    /// Decides which terms get a name, and in which group of `let`s.
    fn choose_names(&mut self) {
        // How many symbols a term is written with, and behind how many groups of its region it must stand.
        let mut written: Map<(usize, TermId), (u32, usize)> = Map::default();
        // Outer regions come before inner ones, and the order within one is bottom-up: arguments are measured first.
        for region in 0..self.regions.len() {
            let members = self.regions[region].order.clone();
            let exposed = self.exposed(region);
            for term in members {
                let (mut size, mut level) = (1u32, 0);
                for (child, from) in self.children(term, region) {
                    let (s, l) = if from != region {
                        // The body of a binder uses what it likes of this region: it stands behind all named so far.
                        (SMALL, self.regions[region].groups.len())
                    } else {
                        let home = self.home(child, region);
                        let (s, l) = written.get(&(home, child)).copied().unwrap_or((1, 0));
                        (s, if home == region { l } else { 0 })
                    };
                    size = size.saturating_add(s);
                    level = level.max(l);
                }
                if self.regions[region].counts[&term] > 1 && size > SMALL && !exposed.contains(&term) {
                    let scope = &mut self.regions[region];
                    if scope.groups.len() <= level {
                        scope.groups.resize_with(level + 1, Vec::new);
                    }
                    scope.groups[level].push(term);
                    written.insert((region, term), (1, level + 1));
                } else {
                    written.insert((region, term), (size, level));
                }
            }
        }
        // Numbers ascend in the text.
        let mut next = 1..;
        for region in &mut self.regions {
            let members = region.groups.iter().flatten().copied();
            region.names = members.zip(next.by_ref()).collect();
        }
    }

    /// What occurs in the patterns of the quantifier whose body a region is. It gets no name there: solvers want patterns
    /// directly below their quantifier, outside the `let`s of its body.
    fn exposed(&self, region: usize) -> HashSet<TermId, FxBuildHasher> {
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = Vec::new();
        for &term in self.regions[region].counts.keys() {
            if self.has_patterns(term) {
                stack.extend_from_slice(&self.terms.args(term)[1..]);
            }
        }
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                stack.extend_from_slice(self.terms.args(term));
            }
        }
        seen
    }

    /// Whether a term is annotated with terms.
    fn has_patterns(&self, term: TermId) -> bool {
        self.terms.op(term) == Op::Annot && self.terms.args(term).len() > 1
    }

    /// Collects the names that occur. Names of `let` variables start with `$`, doubled until none of them does.
    fn collect_names(&mut self, root: TermId) {
        let mut seen: HashSet<TermId, FxBuildHasher> = HashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            let fun = self.terms.as_fun(t).map(|f| self.terms.fun(f).name);
            self.fun_names.extend(fun);
            while fun
                .or_else(|| self.terms.bound_name(t))
                .is_some_and(|n| self.terms.name(n).starts_with(&self.prefix))
            {
                self.prefix.push('$');
            }
            stack.extend_from_slice(self.terms.args(t));
        }
    }

    /// The name of a shared term as seen from a region.
    ///
    /// Only its home counts: a region further out may have named the same term, but with another meaning of a variable
    /// that is bound again in between.
    fn name_of(&mut self, term: TermId, from: usize) -> Option<u32> {
        let home = self.home(term, from);
        self.regions[home].names.get(&term).copied()
    }

    /// The text of a bound variable as seen from a region.
    fn var_name(&self, var: TermId, from: usize) -> &str {
        let mut region = from;
        while region != 0 && !self.regions[region].vars.contains(&var) {
            region = self.regions[region].parent;
        }
        match self.renamed.get(&(region, var)) {
            Some(name) => name,
            None => self.terms.name(self.terms.bound_name(var).expect("a bound variable")),
        }
    }

    fn emit(&mut self, out: &mut String, root: TermId) {
        let mut stack = vec![Item::Body(0, 0, root)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Owned(text) => out.push_str(&text),
                Item::LetName(n) => put(out, format_args!("{}{n}", self.prefix)),
                Item::Term(term, from) => match self.name_of(term, from) {
                    Some(name) => put(out, format_args!("{}{name}", self.prefix)),
                    None => self.emit_whole(out, &mut stack, term, from),
                },
                Item::Whole(term, from) => self.emit_whole(out, &mut stack, term, from),
                Item::Body(region, group, body) => {
                    let Some(members) = self.regions[region].groups.get(group) else {
                        stack.push(Item::Term(body, region));
                        continue;
                    };
                    if group == 0 && self.has_patterns(body) {
                        let inner = Item::Body(region, 0, self.terms.args(body)[0]);
                        self.emit_annotation(out, &mut stack, body, region, inner);
                        continue;
                    }
                    stack.push(Item::Text(")"));
                    stack.push(Item::Body(region, group + 1, body));
                    out.push_str("(let (");
                    stack.push(Item::Text(") "));
                    for (i, &term) in members.iter().enumerate().rev() {
                        stack.push(Item::Text(")"));
                        stack.push(Item::Whole(term, region));
                        stack.push(Item::Text(" "));
                        stack.push(Item::LetName(self.regions[region].names[&term]));
                        stack.push(Item::Text(if i > 0 { " (" } else { "(" }));
                    }
                }
            }
        }
    }

    fn emit_whole(&mut self, out: &mut String, stack: &mut Vec<Item>, term: TermId, from: usize) {
        let terms = self.terms;
        let [i, j] = terms.indices(term);
        let args = terms.args(term);
        let op = terms.op(term);
        match op {
            Op::Bound => write_symbol(out, self.var_name(term, from)),
            Op::Forall | Op::Exists | Op::Lambda => self.emit_binder(out, stack, term, from),
            Op::Match => self.emit_match(out, stack, term, from),
            Op::Annot => self.emit_annotation(out, stack, term, from, Item::Term(args[0], from)),
            Op::ReLoop | Op::RePower if self.style.dialect == Dialect::V25 => {
                let high = if op == Op::ReLoop { j } else { i };
                out.push_str("(re.loop ");
                stack.push(Item::Owned(format!(" {i} {high})")));
                stack.push(Item::Term(args[0], from));
            }
            _ => {
                open(out, stack, args, from);
                write_head(out, terms, term, self.style.dialect);
            }
        }
    }

    fn body_of(&self, term: TermId, case: usize, from: usize) -> usize {
        let mut region = from;
        loop {
            if let Some(&body) = self.bodies.get(&(region, term, case)) {
                return body;
            }
            assert!(region != 0, "every binder was counted");
            region = self.regions[region].parent;
        }
    }

    fn emit_binder(&self, out: &mut String, stack: &mut Vec<Item>, term: TermId, from: usize) {
        let (vars, body) = self.terms.binder(term).expect("a binder");
        let region = self.body_of(term, 0, from);
        put(out, format_args!("({} (", self.terms.op(term).name()));
        for (i, &var) in vars.iter().enumerate() {
            out.push_str(if i > 0 { " (" } else { "(" });
            write_symbol(out, self.var_name(var, region));
            out.push(' ');
            write_sort_in(out, self.terms, self.terms.sort(var), self.style.dialect);
            out.push(')');
        }
        out.push_str(") ");
        stack.push(Item::Text(")"));
        stack.push(Item::Body(region, 0, body));
    }

    fn emit_match(&self, out: &mut String, stack: &mut Vec<Item>, term: TermId, from: usize) {
        let cases = self.terms.match_cases(term).expect("a match");
        out.push_str("(match ");
        stack.push(Item::Text("))"));
        for (i, (case, vars, body)) in cases.into_iter().enumerate().rev() {
            let region = self.body_of(term, i, from);
            let mut pattern = String::from(if i > 0 { " (" } else { " ((" });
            match case.ctor {
                Some(ctor) if vars.is_empty() => {
                    write_symbol(&mut pattern, self.terms.name(self.terms.ctor(ctor).name))
                }
                Some(ctor) => {
                    pattern.push('(');
                    write_symbol(&mut pattern, self.terms.name(self.terms.ctor(ctor).name));
                    for &var in vars {
                        pattern.push(' ');
                        self.pattern_var(&mut pattern, var, region);
                    }
                    pattern.push(')');
                }
                None => self.pattern_var(&mut pattern, vars[0], region),
            }
            pattern.push(' ');
            stack.push(Item::Text(")"));
            stack.push(Item::Body(region, 0, body));
            stack.push(Item::Owned(pattern));
        }
        stack.push(Item::Term(self.terms.args(term)[0], from));
    }

    fn pattern_var(&self, out: &mut String, var: TermId, region: usize) {
        match self.var_name(var, region) {
            "_" => out.push('_'),
            name => write_symbol(out, name),
        }
    }

    /// An annotation around `inner`, which is how the annotated term is to be written.
    fn emit_annotation(
        &self,
        out: &mut String,
        stack: &mut Vec<Item>,
        term: TermId,
        from: usize,
        inner: Item,
    ) {
        let attributes = self.terms.attributes(term).expect("an annotation");
        let mut rest = &self.terms.args(term)[1..];
        out.push_str("(! ");
        let mut items = vec![inner];
        for attribute in attributes {
            let keyword = self.terms.name(attribute.keyword);
            match attribute.value {
                AttributeValue::None => items.push(Item::Owned(format!(" {keyword}"))),
                AttributeValue::Text(text) => {
                    items.push(Item::Owned(format!(" {keyword} {}", self.terms.name(text))))
                }
                AttributeValue::Terms(count) => {
                    items.push(Item::Owned(format!(" {keyword} (")));
                    let (here, later) = rest.split_at(count as usize);
                    for (i, &t) in here.iter().enumerate() {
                        items.push(Item::Text(if i > 0 { " " } else { "" }));
                        items.push(Item::Term(t, from));
                    }
                    items.push(Item::Text(")"));
                    rest = later;
                }
            }
        }
        items.push(Item::Text(")"));
        stack.extend(items.into_iter().rev());
    }
}

/// What stands in front of the arguments of a term that is no variable and binds none; the term itself if it has none.
pub(super) fn write_head(out: &mut String, terms: &Terms, term: TermId, dialect: Dialect) {
    let [i, j] = terms.indices(term);
    let op = terms.op(term);
    match op {
        Op::Const => write_value(out, terms, terms.as_value(term).expect("a constant"), dialect),
        Op::Apply => write_symbol(out, terms.fun_name(terms.as_fun(term).expect("an application"))),
        Op::MapApply => out.push('@'),
        Op::ConstArray => {
            out.push_str("(as const ");
            write_sort_in(out, terms, terms.sort(term), dialect);
            out.push(')');
        }
        Op::AsArray => {
            out.push_str("(_ as-array ");
            write_symbol(out, terms.fun_name(terms.as_fun(term).expect("a function")));
            out.push(')');
        }
        Op::Construct => write_ctor(out, terms, term, dialect),
        Op::Field => write_symbol(out, terms.name(terms.field(terms.as_field(term).expect("a field")).name)),
        Op::UpdateField => {
            out.push_str("(_ update ");
            write_symbol(out, terms.name(terms.field(terms.as_field(term).expect("a field")).name));
            out.push(')');
        }
        Op::Tester => {
            out.push_str("(_ is ");
            write_symbol(out, terms.name(terms.ctor(terms.as_ctor(term).expect("a constructor")).name));
            out.push(')');
        }
        _ => {
            let name = op_name(op, dialect);
            match op.info().indices {
                0 => out.push_str(name),
                1 => put(out, format_args!("(_ {name} {i})")),
                _ => put(out, format_args!("(_ {name} {i} {j})")),
            }
        }
    }
}

/// A constructor, qualified with its sort where that does not follow from its arguments.
fn write_ctor(out: &mut String, terms: &Terms, term: TermId, dialect: Dialect) {
    let ctor = terms.ctor(terms.as_ctor(term).expect("a constructor"));
    let name = terms.name(ctor.name);
    if terms.datatype(ctor.datatype).params.is_empty() {
        return write_symbol(out, name);
    }
    out.push_str("(as ");
    write_symbol(out, name);
    out.push(' ');
    write_sort_in(out, terms, terms.sort(term), dialect);
    out.push(')');
}

/// `(`, and the arguments with `)` behind them; the head is written next. Nothing around a head without arguments.
fn open(out: &mut String, stack: &mut Vec<Item>, args: &[TermId], from: usize) {
    if args.is_empty() {
        return;
    }
    out.push('(');
    stack.push(Item::Text(")"));
    for &arg in args.iter().rev() {
        stack.push(Item::Term(arg, from));
        stack.push(Item::Text(" "));
    }
}
