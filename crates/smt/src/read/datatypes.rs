//! `declare-datatype(s)`, in the syntax of SMT-LIB 2.6 and in the older one, `(declare-datatypes (T) ((List ...)))`.

use super::{Binding, Reader, Result, SortBinding, expected, other};
use crate::error::{Error, ErrorKind, Span};
use crate::lexer::{Lexer, Token};
use crate::script::Command;
use crate::sort::{DatatypeId, Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{FieldId, Terms};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// A declaration as it was read: constructors with their fields.
type Ctors = Vec<(Symbol, Vec<(Symbol, SortId)>)>;

struct Body {
    params: Vec<Symbol>,
    ctors: Ctors,
}

/// The most parameters of a datatype: a number of the text must not become that much memory.
const MAX_PARAMS: u32 = 1_000;

impl Reader {
    pub(super) fn declare_datatype(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let (name, span) = self.symbol(terms, lexer, "the name of a datatype")?;
        let mut ahead = *lexer;
        self.open(&mut ahead)?;
        let arity = if ahead.next()? == Token::Symbol("par", false) {
            self.symbol_list(terms, &mut ahead)?.len()
        } else {
            0
        };
        self.datatypes(terms, lexer, &[(name, span, arity)], |reader, terms, lexer| {
            Ok(vec![reader.datatype_body(terms, lexer, None)?])
        })
    }

    pub(super) fn declare_datatypes(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let mut ahead = *lexer;
        ahead.next()?;
        if ahead.peek()? != Token::Open {
            return self.declare_datatypes_older(terms, lexer);
        }
        self.open(lexer)?;
        let mut names = Vec::new();
        while lexer.peek()? != Token::Close {
            self.open(lexer)?;
            let (name, span) = self.symbol(terms, lexer, "the name of a datatype")?;
            let arity = self.numeral(lexer, "the number of parameters")?;
            if arity > MAX_PARAMS {
                return Err(other(lexer, format!("a datatype has at most {MAX_PARAMS} parameters")));
            }
            names.push((name, span, arity as usize));
            self.close(lexer)?;
        }
        self.close(lexer)?;
        let count = names.len();
        self.datatypes(terms, lexer, &names, |reader, terms, lexer| {
            reader.open(lexer)?;
            let bodies =
                (0..count).map(|_| reader.datatype_body(terms, lexer, None)).collect::<Result<Vec<_>>>()?;
            reader.close(lexer)?;
            Ok(bodies)
        })
    }

    /// `(declare-datatypes (params) ((name (ctor (field sort)...)...)...))`
    fn declare_datatypes_older(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Command> {
        let params = self.symbol_list(terms, lexer)?;
        let mut ahead = *lexer;
        self.open(&mut ahead)?;
        let mut names = Vec::new();
        while ahead.peek()? == Token::Open {
            self.open(&mut ahead)?;
            let open = ahead.token_start;
            let (name, span) = self.symbol(terms, &mut ahead, "the name of a datatype")?;
            names.push((name, span, params.len()));
            if !ahead.skip_expression(open) {
                return Err(expected(&ahead, "`)`", Token::End));
            }
        }
        self.datatypes(terms, lexer, &names.clone(), |reader, terms, lexer| {
            reader.open(lexer)?;
            let mut bodies = Vec::new();
            for _ in &names {
                reader.open(lexer)?;
                reader.symbol(terms, lexer, "the name of a datatype")?;
                bodies.push(reader.datatype_body(terms, lexer, Some(&params))?);
            }
            reader.close(lexer)?;
            Ok(bodies)
        })
    }

    /// Declares a group. Datatypes that an earlier text declared in the same words are the same datatypes, which
    /// shows only once their bodies are read: hence a second reading where they are not.
    fn datatypes(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        names: &[(Symbol, Span, usize)],
        bodies: impl Fn(&mut Reader, &mut Terms, &mut Lexer<'_>) -> Result<Vec<Body>>,
    ) -> Result<Command> {
        let start = *lexer;
        let known: Option<Vec<DatatypeId>> =
            names.iter().map(|&(name, ..)| terms.find_datatype(name)).collect();
        if let Some(ids) = known.filter(|ids| !ids.is_empty()) {
            let hidden = self.preview(names, &ids);
            let read = bodies(self, terms, lexer);
            self.end_preview(names, hidden);
            if let Ok(read) = read
                && read.iter().zip(&ids).all(|(body, &id)| body.is(terms, id))
            {
                self.bind_datatypes(terms, names, &ids)?;
                return Ok(Command::DeclareDatatypes(ids.into()));
            }
            *lexer = start;
        }
        // Until the bodies are read only the number of parameters is known.
        let ids: Vec<DatatypeId> =
            names.iter().map(|&(name, _, arity)| terms.new_datatype(name, &vec![name; arity])).collect();
        let hidden = self.preview(names, &ids);
        let read = bodies(self, terms, lexer);
        self.end_preview(names, hidden);
        for (body, &id) in read?.into_iter().zip(&ids) {
            if body.params.len() != terms.datatype(id).params.len() {
                return Err(other(
                    lexer,
                    format!(
                        "`{}` is declared with another number of parameters",
                        terms.name(terms.datatype(id).name)
                    ),
                ));
            }
            terms.set_datatype_params(id, body.params.into());
            for (ctor, fields) in body.ctors {
                terms.new_ctor(id, ctor, &fields);
            }
        }
        self.bind_datatypes(terms, names, &ids)?;
        Ok(Command::DeclareDatatypes(ids.into()))
    }

    /// While the bodies are read, the names mean the datatypes.
    fn preview(&mut self, names: &[(Symbol, Span, usize)], ids: &[DatatypeId]) -> Vec<Option<SortBinding>> {
        names
            .iter()
            .zip(ids)
            .map(|(&(name, ..), &id)| self.sorts.insert(name, SortBinding::Datatype(id)))
            .collect()
    }

    fn end_preview(&mut self, names: &[(Symbol, Span, usize)], hidden: Vec<Option<SortBinding>>) {
        let names: Vec<Symbol> = names.iter().map(|&(name, ..)| name).collect();
        self.unbind_sort_params(&names, hidden);
    }

    fn bind_datatypes(
        &mut self,
        terms: &mut Terms,
        names: &[(Symbol, Span, usize)],
        ids: &[DatatypeId],
    ) -> Result<()> {
        let empty = without_values(terms, ids);
        if let Some(&(name, span, _)) =
            names.iter().zip(ids).find(|(_, id)| empty.contains(*id)).map(|(name, _)| name)
        {
            let message = format!(
                "`{}` has no values: each of its constructors takes one to begin with",
                terms.name(name)
            );
            return Err(Error { kind: ErrorKind::Other(message), span });
        }
        for (&(name, span, _), &id) in names.iter().zip(ids) {
            self.bind_sort(terms, name, span, SortBinding::Datatype(id))?;
        }
        for &id in ids {
            for ctor in terms.datatype(id).ctors.clone() {
                let decl = terms.ctor(ctor).clone();
                self.bind_declared(terms, decl.name, Binding::Ctor(ctor));
                let tester = format!("is-{}", terms.name(decl.name));
                let tester = terms.symbol(&tester);
                if matches!(self.resolve(terms, tester), Binding::Unbound) {
                    self.bind_declared(terms, tester, Binding::Tester(ctor));
                }
                for field in decl.fields {
                    let name = terms.field(field).name;
                    self.bind_declared(terms, name, Binding::Field(field));
                }
            }
        }
        Ok(())
    }

    /// The constructors of one datatype, with `(par (...) ...)` around them or older parameters given; up to and
    /// including the closing parenthesis.
    fn datatype_body(
        &mut self,
        terms: &mut Terms,
        lexer: &mut Lexer<'_>,
        older: Option<&[Symbol]>,
    ) -> Result<Body> {
        let mut params = older.unwrap_or_default().to_vec();
        let mut par = false;
        if older.is_none() {
            self.open(lexer)?;
            if lexer.peek()? == Token::Symbol("par", false) {
                lexer.next()?;
                params = self.symbol_list(terms, lexer)?;
                self.open(lexer)?;
                par = true;
            }
        }
        let hidden = self.bind_sort_params(&params);
        let ctors = self.ctors(terms, lexer);
        self.unbind_sort_params(&params, hidden);
        if par {
            self.close(lexer)?;
        }
        Ok(Body { params, ctors: ctors? })
    }

    fn ctors(&mut self, terms: &mut Terms, lexer: &mut Lexer<'_>) -> Result<Ctors> {
        let mut ctors: Ctors = Vec::new();
        loop {
            match lexer.next()? {
                Token::Close if ctors.is_empty() => {
                    return Err(other(lexer, "a datatype needs a constructor".into()));
                }
                Token::Close => return Ok(ctors),
                // The older syntax lets a constructor without fields stand without parentheses.
                Token::Symbol(name, _) => ctors.push((terms.symbol(name), Vec::new())),
                Token::Open => {
                    let (name, _) = self.symbol(terms, lexer, "the name of a constructor")?;
                    let mut fields = Vec::new();
                    while lexer.peek()? != Token::Close {
                        self.open(lexer)?;
                        let (field, _) = self.symbol(terms, lexer, "the name of a field")?;
                        fields.push((field, self.sort(terms, lexer)?));
                        self.close(lexer)?;
                    }
                    self.close(lexer)?;
                    ctors.push((name, fields));
                }
                token => return Err(expected(lexer, "a constructor", token)),
            }
        }
    }
}

impl Body {
    /// Whether a datatype of the arena says the same.
    fn is(&self, terms: &Terms, id: DatatypeId) -> bool {
        let known = terms.datatype(id);
        *known.params == *self.params
            && known.ctors.len() == self.ctors.len()
            && known.ctors.iter().zip(&self.ctors).all(|(&ctor, (name, fields))| {
                let ctor = terms.ctor(ctor);
                ctor.name == *name
                    && ctor.fields.len() == fields.len()
                    && ctor
                        .fields
                        .iter()
                        .zip(fields)
                        .all(|(&f, &(name, sort))| terms.field(f).name == name && terms.field(f).sort == sort)
            })
    }
}

/// Which datatypes of a group have no value, since each constructor takes one of another that has none. What parameters stand for
/// counts as having values.
fn without_values(terms: &Terms, group: &[DatatypeId]) -> HashSet<DatatypeId, FxBuildHasher> {
    let mut empty: HashSet<DatatypeId, FxBuildHasher> = group.iter().copied().collect();
    // A value can come from a datatype further back as well as from one further on.
    let mut order = group.to_vec();
    loop {
        let before = empty.len();
        for &id in &order {
            let is_possible = |&field: &FieldId| {
                needed(terms, terms.field(field).sort).is_none_or(|id| !empty.contains(&id))
            };
            let mut ctors = terms.datatype(id).ctors.iter();
            if ctors.any(|&ctor| terms.ctor(ctor).fields.iter().all(is_possible)) {
                empty.remove(&id);
            }
        }
        if empty.len() == before {
            return empty;
        }
        order.reverse();
    }
}

/// The datatype that every value of a sort has a value of.
fn needed(terms: &Terms, mut sort: SortId) -> Option<DatatypeId> {
    loop {
        sort = match terms.sort_of(sort) {
            Sort::Datatype(id, _) => return Some(*id),
            Sort::Array(_, element) => *element,
            Sort::Function(_, result) => *result,
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::RoundingMode
            | Sort::String
            | Sort::RegLan
            | Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::Collection(..)
            | Sort::FiniteField(_)
            | Sort::Uninterpreted(..)
            | Sort::Parameter(_) => return None,
        }
    }
}
