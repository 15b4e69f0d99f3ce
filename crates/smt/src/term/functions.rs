//! Functions, constants and binders of the arena: declaring, defining, applying, quantifying, annotating.

use super::{
    Attribute, Definition, Flags, Fun, FunId, MAX_BINDERS, MAX_HIDING, MAX_SORTS, MatchCase, TermId, Terms,
    hash_node, hash_of,
};
use crate::op::Op;
use crate::sort::{Sort, SortId};
use crate::sortcheck::SortError;
use crate::symbol::Symbol;

/// Functions and binders.
impl Terms {
    /// The declared function with this name and signature.
    pub fn declare(&mut self, name: Symbol, params: &[SortId], result: SortId) -> FunId {
        self.intern_fun(Fun { name, params: params.into(), result, definition: None })
    }

    /// The defined function with this name, these parameters and this body.
    pub fn define(&mut self, name: Symbol, vars: &[TermId], body: TermId) -> FunId {
        let params = vars.iter().map(|&v| self.sort(v)).collect();
        let result = self.sort(body);
        let definition = Some(Definition { vars: vars.into(), body, recursive: false });
        self.intern_fun(Fun { name, params, result, definition })
    }

    /// A new recursive function, whose definition follows by [`Terms::set_definition`].
    pub fn declare_recursive(&mut self, name: Symbol, params: &[SortId], result: SortId) -> FunId {
        let id = FunId(u32::try_from(self.funs.len()).expect("fewer than 2^32 functions"));
        self.funs.push(Fun { name, params: params.into(), result, definition: None });
        self.recursive.insert(name, id);
        id
    }

    /// The recursive function that was last declared with this name, if its signature is this one.
    pub(crate) fn find_recursive(&self, name: Symbol, params: &[SortId], result: SortId) -> Option<FunId> {
        let &fun = self.recursive.get(&name)?;
        let decl = self.fun(fun);
        (*decl.params == *params && decl.result == result).then_some(fun)
    }

    /// Gives a recursive function its body.
    pub fn set_definition(&mut self, fun: FunId, vars: &[TermId], body: TermId) {
        self.funs[fun.index()].definition = Some(Definition { vars: vars.into(), body, recursive: true });
    }

    fn intern_fun(&mut self, fun: Fun) -> FunId {
        let key = |f: &Fun| hash_of(&(f.name, &f.params, f.result, f.definition.as_ref().map(|d| d.body)));
        let hash = key(&fun);
        let funs = &self.funs;
        if let Some(&found) = self.fun_index.find(hash, |&i| funs[i as usize] == fun) {
            return FunId(found);
        }
        let id = u32::try_from(funs.len()).expect("fewer than 2^32 functions");
        self.funs.push(fun);
        let funs = &self.funs;
        self.fun_index.insert_unique(hash, id, |&i| key(&funs[i as usize]));
        FunId(id)
    }

    /// A function's declaration.
    pub fn fun(&self, fun: FunId) -> &Fun {
        &self.funs[fun.index()]
    }

    /// How many functions the arena has; their ids count from zero.
    pub fn fun_count(&self) -> usize {
        self.funs.len()
    }

    /// A function's name.
    pub fn fun_name(&self, fun: FunId) -> &str {
        self.name(self.fun(fun).name)
    }

    /// A function applied to arguments, sort-checked; integers become reals where the signature says so.
    pub fn apply(&mut self, fun: FunId, args: &[TermId]) -> Result<TermId, SortError> {
        let hash = hash_node(Op::Apply, [fun.0, 0], args);
        if let Some(found) = self.find_node(hash, Op::Apply, [fun.0, 0], args) {
            return Ok(found);
        }
        let decl = &self.funs[fun.index()];
        if decl.params.len() != args.len() {
            return self.apply_partially(fun, args);
        }
        let result = decl.result;
        if let Some(wrong) = (0..args.len()).find(|&i| self.sort(args[i]) != decl.params[i]) {
            return self.apply_coerced(fun, args, wrong);
        }
        let own = if decl.definition.is_some() { Flags::DEFINED } else { Flags::SYMBOL };
        Ok(self.insert_node(hash, Op::Apply, [fun.0, 0], args, result, own))
    }

    #[cold]
    fn apply_coerced(&mut self, fun: FunId, args: &[TermId], wrong: usize) -> Result<TermId, SortError> {
        let params = self.funs[fun.index()].params.clone();
        let coerced: Vec<TermId> = args
            .iter()
            .zip(params.iter())
            .map(|(&a, &p)| if p == SortId::REAL { self.to_real(a) } else { a })
            .collect();
        if let Some(still) = (0..args.len()).find(|&i| self.sort(coerced[i]) != params[i]) {
            debug_assert!(still >= wrong || coerced[wrong] != args[wrong]);
            return Err(SortError::parameter(self, fun, still, self.sort(args[still])));
        }
        self.apply(fun, &coerced)
    }

    /// Too few arguments give a map (SMT-LIB 2.7); too many are applied to a map that the function returns.
    #[cold]
    fn apply_partially(&mut self, fun: FunId, args: &[TermId]) -> Result<TermId, SortError> {
        let decl = self.fun(fun).clone();
        if args.is_empty() {
            // A function symbol by itself is a map.
            let sort = self.make_sort(Sort::Function(decl.params, decl.result));
            return Ok(self.intern(Op::Apply, [fun.0, 1], &[], sort, Flags::SYMBOL));
        }
        let n = decl.params.len();
        if n > args.len() || (n == 0 && !matches!(self.sort_of(decl.result), Sort::Function(..))) {
            if n == 0 || args.iter().zip(decl.params.iter()).any(|(&a, &p)| self.sort(a) != p) {
                return Err(SortError::fun_arity(self, fun, args.len()));
            }
            let head = self.apply_partially(fun, &[])?;
            return self.map_apply(head, args);
        }
        if n == args.len() || !matches!(self.sort_of(decl.result), Sort::Function(..)) {
            return Err(SortError::fun_arity(self, fun, args.len()));
        }
        let head = self.apply(fun, &args[..n])?;
        self.map_apply(head, &args[n..])
    }

    /// A map applied to arguments, possibly fewer than it takes.
    pub fn map_apply(&mut self, map: TermId, args: &[TermId]) -> Result<TermId, SortError> {
        let Sort::Function(params, result) = self.sort_of(self.sort(map)).clone() else {
            return Err(SortError::not_a_map(self, self.sort(map)));
        };
        let n = args.len().min(params.len());
        for i in 0..n {
            if self.sort(args[i]) != params[i] {
                return Err(SortError::map_argument(self, i, params[i], self.sort(args[i])));
            }
        }
        let sort = if n == params.len() {
            result
        } else {
            self.make_sort(Sort::Function(params[n..].into(), result))
        };
        let mut all = vec![map];
        all.extend_from_slice(&args[..n]);
        let term = self.intern(Op::MapApply, [0; 2], &all, sort, Flags::default());
        if n < args.len() { self.map_apply(term, &args[n..]) } else { Ok(term) }
    }

    /// The constant of this name and sort.
    pub fn symbol_constant(&mut self, name: &str, sort: SortId) -> TermId {
        let name = self.symbol(name);
        let fun = self.declare(name, &[], sort);
        self.apply(fun, &[]).expect("a constant takes no arguments")
    }

    /// The bound variable of this name and sort. `level` tells apart variables that hide each other.
    pub fn bound(&mut self, name: Symbol, sort: SortId, level: u32) -> TermId {
        assert!(level <= MAX_HIDING && sort.index() < MAX_SORTS, "the reader keeps to these limits");
        self.intern(Op::Bound, [name.index() as u32, level << 24 | sort.0], &[], sort, Flags::BOUND)
    }

    /// `forall` or `exists` over bound variables, or the body itself if there are none.
    pub fn quantifier(&mut self, op: Op, vars: &[TermId], body: TermId) -> Result<TermId, SortError> {
        if self.sort(body) != SortId::BOOL {
            return Err(SortError::body(self, op, self.sort(body)));
        }
        if vars.is_empty() {
            return Ok(body);
        }
        self.check_nesting(body)?;
        let args: Vec<TermId> = vars.iter().copied().chain([body]).collect();
        Ok(self.intern(op, [0; 2], &args, SortId::BOOL, Flags::BINDER))
    }

    /// `(lambda (vars) body)`, a map; with `array`, the array that it describes.
    pub fn lambda(&mut self, vars: &[TermId], body: TermId, array: bool) -> Result<TermId, SortError> {
        self.check_nesting(body)?;
        let result = self.sort(body);
        let params: Box<[SortId]> = vars.iter().map(|&v| self.sort(v)).collect();
        let sort = match (&*params, array) {
            (&[index], true) => self.array_sort(index, result),
            _ => self.make_sort(Sort::Function(params, result)),
        };
        let args: Vec<TermId> = vars.iter().copied().chain([body]).collect();
        Ok(self.intern(Op::Lambda, [u32::from(array), 0], &args, sort, Flags::BINDER))
    }

    fn check_nesting(&self, body: TermId) -> Result<(), SortError> {
        if self.nodes[body.index()].binders >= MAX_BINDERS {
            return Err(SortError::Other(format!("binders are nested more than {MAX_BINDERS} deep")));
        }
        Ok(())
    }

    /// `((as const sort) element)`
    pub fn const_array(&mut self, sort: SortId, element: TermId) -> Result<TermId, SortError> {
        match *self.sort_of(sort) {
            Sort::Array(_, wanted) => {
                let element = if wanted == SortId::REAL { self.to_real(element) } else { element };
                if self.sort(element) != wanted {
                    return Err(SortError::element(self, wanted, self.sort(element)));
                }
                Ok(self.intern(Op::ConstArray, [sort.0, 0], &[element], sort, Flags::default()))
            }
            _ => Err(SortError::not_an_array(self, sort)),
        }
    }

    /// `(_ as-array f)`: the array that a unary function describes, as Z3's models write it.
    pub fn as_array(&mut self, fun: FunId) -> Result<TermId, SortError> {
        let decl = self.fun(fun).clone();
        match *decl.params {
            [index] => {
                let sort = self.array_sort(index, decl.result);
                Ok(self.intern(Op::AsArray, [fun.0, 0], &[], sort, Flags::SYMBOL))
            }
            _ => Err(SortError::fun_arity(self, fun, 1)),
        }
    }

    /// A term with attributes; `terms` are the arguments of its term-valued attributes in order.
    pub fn annotate(&mut self, term: TermId, attributes: &[Attribute], terms: &[TermId]) -> TermId {
        let next = u32::try_from(self.attributes.len()).expect("fewer than 2^32 annotations");
        let id = match self.attribute_index.get(attributes) {
            Some(&id) => id,
            None => {
                self.attributes.push(attributes.into());
                self.attribute_index.insert(attributes.into(), next);
                next
            }
        };
        let mut args = vec![term];
        args.extend_from_slice(terms);
        let sort = self.sort(term);
        self.intern(Op::Annot, [id, 0], &args, sort, Flags::ANNOTATION)
    }

    /// `match`: the scrutinee, then for each case its variables and its body.
    pub(crate) fn match_node(
        &mut self,
        cases: &[MatchCase],
        args: &[TermId],
        sort: SortId,
    ) -> Result<TermId, SortError> {
        for &arg in args {
            self.check_nesting(arg)?;
        }
        let next = u32::try_from(self.cases.len()).expect("fewer than 2^32 matches");
        let id = match self.case_index.get(cases) {
            Some(&id) => id,
            None => {
                self.cases.push(cases.into());
                self.case_index.insert(cases.into(), next);
                next
            }
        };
        Ok(self.intern(Op::Match, [id, 0], args, sort, Flags::BINDER))
    }
}
