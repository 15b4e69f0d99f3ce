//! A printer for many terms of one arena: the same text as [`super::write_term`], from marks in reused tables instead of hash
//! maps made for each term. Terms with variables or annotations, whose text depends on scopes, go the general way.

use super::share::{SMALL, write_head};
use super::{Style, put, write_term};
use crate::read::Dialect;
use crate::term::{Flags, TermId, Terms};

/// Where a term of the current text is in the list of its terms.
#[derive(Clone, Copy, Default)]
struct Mark {
    text: u32,
    at: u32,
}

/// A term of the current text that has arguments.
#[derive(Clone, Copy)]
struct Entry {
    term: TermId,
    occurrences: u32,
    /// How many symbols it is written with.
    size: u32,
    /// Behind how many groups of `let`s it must stand.
    level: u32,
    /// The number of its `let` variable; 0 if it has none.
    name: u32,
}

/// A step of the walk over a text's terms.
#[derive(Clone, Copy)]
enum Step {
    Enter(TermId),
    /// The entry whose arguments were all seen.
    Leave(u32),
}

/// A printer with its tables. One serves any number of terms; it should stay with one arena, whose size its tables have.
#[derive(Clone, Default)]
pub struct Printer {
    marks: Vec<Mark>,
    text: u32,
    entries: Vec<Entry>,
    /// The entries, arguments before the applications that they stand in, in the order of the text.
    order: Vec<u32>,
    stack: Vec<Step>,
    /// The terms with names, by the group of `let`s they stand in.
    groups: Vec<Vec<TermId>>,
    /// Applications being written, and how many of their arguments were.
    open: Vec<(TermId, u32)>,
    prefix: String,
}

impl Printer {
    /// Writes a term as [`super::write_term`] does.
    pub fn write_term(&mut self, out: &mut String, terms: &Terms, term: TermId, style: Style) {
        let flags = terms.flags(term);
        let scoped = [Flags::BINDER, Flags::BOUND, Flags::ANNOTATION].into_iter().any(|flag| flags.has(flag));
        if scoped || !style.share || matches!(style.dialect, Dialect::V25 | Dialect::V26FiniteSets) {
            return write_term(out, terms, term, style);
        }
        self.count(terms, term);
        self.choose_names(terms);
        for group in 0..self.groups.len() {
            out.push_str("(let (");
            for i in 0..self.groups[group].len() {
                let shared = self.groups[group][i];
                out.push_str(if i > 0 { " (" } else { "(" });
                self.write_name(out, self.entry(shared).map_or(0, |e| e.name));
                out.push(' ');
                self.write_whole(out, terms, shared);
                out.push(')');
            }
            out.push_str(") ");
        }
        self.write_whole(out, terms, term);
        out.extend(std::iter::repeat_n(')', self.groups.len()));
    }

    /// The entry of a term that has arguments.
    fn entry(&self, term: TermId) -> Option<&Entry> {
        let mark = self.marks[term.index()];
        if mark.text == self.text { self.entries.get(mark.at as usize) } else { None }
    }

    fn write_name(&self, out: &mut String, name: u32) {
        put(out, format_args!("{}{name}", self.prefix));
    }

    /// Lists the terms with arguments, counts their occurrences and finds a prefix that no name starts with.
    fn count(&mut self, terms: &Terms, root: TermId) {
        if self.marks.len() < terms.len() {
            self.marks.resize(terms.len(), Mark::default());
        }
        if self.text == u32::MAX {
            self.marks.fill(Mark::default());
            self.text = 0;
        }
        self.text += 1;
        self.entries.clear();
        self.order.clear();
        self.stack.clear();
        self.stack.push(Step::Enter(root));
        let mut dollars = 0;
        while let Some(step) = self.stack.pop() {
            let term = match step {
                Step::Enter(term) => term,
                Step::Leave(entry) => {
                    self.order.push(entry);
                    continue;
                }
            };
            let args = terms.args(term);
            if !args.is_empty() {
                let mark = &mut self.marks[term.index()];
                if mark.text == self.text {
                    self.entries[mark.at as usize].occurrences += 1;
                    continue;
                }
                let at = self.entries.len() as u32;
                *mark = Mark { text: self.text, at };
                self.entries.push(Entry { term, occurrences: 1, size: 1, level: 0, name: 0 });
                self.stack.push(Step::Leave(at));
                self.stack.extend(args.iter().rev().map(|&arg| Step::Enter(arg)));
            }
            if let Some(fun) = terms.as_fun(term) {
                let name = terms.fun_name(fun);
                dollars = dollars.max(name.bytes().take_while(|b| *b == b'$').count());
            }
        }
        self.prefix.clear();
        self.prefix.extend(std::iter::repeat_n('$', dollars + 1));
    }

    /// Decides which terms get a name, and in which group of `let`s.
    fn choose_names(&mut self, terms: &Terms) {
        for group in &mut self.groups {
            group.clear();
        }
        let mut used = 0;
        for &i in &self.order {
            let i = i as usize;
            let Entry { term, occurrences, .. } = self.entries[i];
            let (mut size, mut level) = (1u32, 0);
            for &arg in terms.args(term) {
                let (s, l) = if terms.args(arg).is_empty() {
                    (1, 0)
                } else {
                    let entry = &self.entries[self.marks[arg.index()].at as usize];
                    (entry.size, entry.level)
                };
                size = size.saturating_add(s);
                level = level.max(l);
            }
            let entry = &mut self.entries[i];
            (entry.size, entry.level) = (size, level);
            if occurrences > 1 && size > SMALL {
                (entry.size, entry.level) = (1, level + 1);
                used = used.max(level as usize + 1);
                if self.groups.len() < used {
                    self.groups.resize_with(used, Vec::new);
                }
                self.groups[level as usize].push(term);
            }
        }
        self.groups.truncate(used);
        for (shared, name) in self.groups.iter().flatten().zip(1..) {
            self.entries[self.marks[shared.index()].at as usize].name = name;
        }
    }

    /// Writes a term itself, even if it has a name.
    fn write_whole(&mut self, out: &mut String, terms: &Terms, term: TermId) {
        debug_assert!(self.open.is_empty());
        self.begin(out, terms, term);
        while let Some((top, written)) = self.open.last_mut() {
            let Some(&arg) = terms.args(*top).get(*written as usize) else {
                out.push(')');
                self.open.pop();
                continue;
            };
            *written += 1;
            out.push(' ');
            let name = if terms.args(arg).is_empty() { 0 } else { self.entry(arg).map_or(0, |e| e.name) };
            if name > 0 { self.write_name(out, name) } else { self.begin(out, terms, arg) }
        }
    }

    /// Writes a term up to its arguments.
    fn begin(&mut self, out: &mut String, terms: &Terms, term: TermId) {
        if !terms.args(term).is_empty() {
            out.push('(');
            self.open.push((term, 0));
        }
        write_head(out, terms, term, Dialect::V26);
    }
}
