//! Laws of reading, printing and rewriting on random terms of all theories: what is printed is read back as the same
//! term, and rewriting keeps the value. `SOUNDLINE_RANDOM_TERMS` sets how many terms each law is tried on.

use smt::model::{Interpretation, Table};
use smt::print::{Printer, Style, script_to_string, term_to_string, write_term};
use smt::{
    Dialect, Evaluator, Flags, Model, Op, Reader, Sort, SortId, TermId, TermMap, Terms, Value, read_script,
    walk,
};
use testkit::{Ground, Rng, Scope, TermGen, World};

/// Terms with more symbols than this as a tree are not printed without sharing.
const LARGEST_TREE: u64 = 20_000;

fn print(terms: &Terms, term: TermId, style: Style) -> String {
    let mut text = String::new();
    write_term(&mut text, terms, term, style);
    text
}

/// Random formulas, each in a world of its own.
fn formulas(scope: Scope, reader: Reader, steps: usize) -> impl Iterator<Item = (Terms, World, TermId)> {
    let count = std::env::var("SOUNDLINE_RANDOM_TERMS").map_or(300, |text| text.parse().expect("a number"));
    (0..count).map(move |seed| {
        let mut terms = Terms::new();
        let world = World::new(&mut terms, reader.clone());
        let mut rng = Rng::new(seed);
        let formula = TermGen::new(&terms, &world, &mut rng, scope).formula(&mut terms, steps);
        (terms, world, formula)
    })
}

fn assert_reads_back(terms: &mut Terms, reader: &Reader, term: TermId, style: Style) {
    let text = print(terms, term, style);
    match reader.clone().read_term(terms, &text) {
        Ok(again) => assert_eq!(again, term, "{text}\nis read as\n{}", print(terms, again, style)),
        Err(error) => panic!("{}", error.render("printed", &text)),
    }
}

#[test]
fn printed_terms_are_read_back() {
    let mut unshared = 0;
    for (mut terms, world, formula) in formulas(Scope::All, Reader::new(), 60) {
        assert_reads_back(&mut terms, &world.reader, formula, Style::default());
        if walk::sizes(&terms, &[formula]).1 < LARGEST_TREE {
            unshared += 1;
            let style = Style { share: false, ..Style::default() };
            assert_reads_back(&mut terms, &world.reader, formula, style);
        }
    }
    assert!(unshared > 100, "only {unshared} formulas are small enough");
}

/// One printer for many terms writes what a printer made for each would.
#[test]
fn a_reused_printer_writes_the_same() {
    for (terms, _, formula) in formulas(Scope::All, Reader::new(), 60) {
        let mut printer = Printer::default();
        for term in walk::reachable(&terms, &[formula]) {
            let mut text = String::new();
            printer.write_term(&mut text, &terms, term, Style::default());
            assert_eq!(text, print(&terms, term, Style::default()));
        }
    }
    let mut terms = Terms::new();
    let dollars = "(declare-fun $$ () Int)(assert (let ((s (+ $$ $$ 1 2))) (= s s)))";
    let formula = read_script(&mut terms, dollars).script.assertions().next().unwrap();
    let mut text = String::new();
    Printer::default().write_term(&mut text, &terms, formula, Style::default());
    assert_eq!(text, "(let (($$$1 (+ $$ $$ 1 2))) (= $$$1 $$$1))");
    assert_eq!(text, print(&terms, formula, Style::default()));
}

/// The generator reaches every operator and every kind of node, or the law above says little.
#[test]
fn random_terms_cover_the_table() {
    let mut seen = vec![false; smt::op::TABLE.len()];
    for (terms, _, formula) in formulas(Scope::All, Reader::new(), 60) {
        for term in walk::reachable(&terms, &[formula]) {
            seen[terms.op(term) as usize] = true;
        }
    }
    // Only models write arrays as functions, and only higher-order logics have maps.
    let rare = [Op::AsArray, Op::Lambda, Op::MapApply];
    for row in smt::op::TABLE {
        assert!(seen[row.op as usize] || rare.contains(&row.op), "no {:?} in any term", row.op);
    }
}

#[test]
fn the_older_dialect_is_read_back() {
    let style = Style { dialect: Dialect::V25, share: true };
    let reader = Reader::with_dialect(Dialect::V25);
    for (mut terms, world, formula) in formulas(Scope::Strings, reader, 40) {
        assert_reads_back(&mut terms, &world.reader, formula, style);
    }
}

/// A term that is 2^100 symbols as a tree is printed with a few symbols a level.
#[test]
fn printing_is_linear_in_the_dag() {
    for depth in [100, 10_000] {
        let mut terms = Terms::new();
        let mut reader = Reader::new();
        let mut sum = terms.symbol_constant("x", SortId::INT);
        let x = terms.as_fun(sum).unwrap();
        reader.declare(&mut terms, x);
        let three = terms.int(3);
        for _ in 0..depth {
            let product = terms.mk(Op::Mul, &[three, sum]);
            sum = terms.mk(Op::Add, &[product, sum, product]);
        }
        let text = term_to_string(&terms, sum);
        assert!(text.len() < 60 * depth, "{} characters for a depth of {depth}", text.len());
        assert_eq!(reader.read_term(&mut terms, &text).unwrap(), sum);
    }
}

/// The name that a `let` gave a term does not stand for it where one of its variables is bound again.
#[test]
fn shared_terms_keep_the_meaning_of_their_variables() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    reader.read(&mut terms, "(declare-const a Bool) (declare-const b Bool)");
    let inner = "(or x a (not x) b (not a))";
    let text = format!("(forall ((x Bool)) (and {inner} (not {inner}) (exists ((x Bool)) {inner})))");
    let term = reader.read_term(&mut terms, &text).unwrap();
    assert_reads_back(&mut terms, &reader, term, Style::default());
}

/// Solvers accept patterns only directly below their quantifier: the `let`s of its body stand inside the annotation.
#[test]
fn patterns_stand_directly_below_their_quantifier() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    reader.read(&mut terms, "(declare-fun f (Int Int) Int)");
    let (named, exposed) = ("(+ x (f x 2) (* 2 x))", "(f (f x x) (f x 1))");
    let text = format!(
        "(forall ((x Int)) (! (=> (< {named} {exposed}) (> {named} {exposed})) :pattern ({exposed})))"
    );
    let term = reader.read_term(&mut terms, &text).unwrap();
    assert_reads_back(&mut terms, &reader, term, Style::default());
    let printed = term_to_string(&terms, term);
    assert!(printed.starts_with("(forall ((x Int)) (! (let (($1 "), "{printed}");
    assert!(printed.ends_with(&format!(":pattern ({exposed})))")), "{printed}");
}

/// A variable that would be captured is printed under another name: not the same term, but one that stays.
#[test]
fn captured_variables_are_renamed_once() {
    let mut terms = Terms::new();
    let mut reader = Reader::new();
    let text = "(forall ((x Int)) (let ((y x)) (exists ((x Int)) (= (+ x 1) y))))";
    let term = reader.read_term(&mut terms, text).unwrap();
    let printed = term_to_string(&terms, term);
    let again = reader.read_term(&mut terms, &printed).unwrap();
    assert_eq!(term_to_string(&terms, again), printed);
    assert_eq!(reader.read_term(&mut terms, &printed).unwrap(), again);
    let (vars, body) = terms.binder(again).unwrap();
    let (inner, equation) = terms.binder(body).unwrap();
    assert_eq!(terms.args(equation)[1], vars[0]);
    assert_eq!(terms.args(terms.args(equation)[0])[0], inner[0]);
}

/// Replacing under many binders takes one walk over each, though all of them need care.
#[test]
fn substitution_under_nested_binders_is_linear() {
    let mut terms = Terms::new();
    let names = [terms.symbol("x"), terms.symbol("y")];
    let [x, y] = names.map(|name| terms.bound(name, SortId::INT, 0));
    let mut body = terms.mk(Op::Lt, &[x, y]);
    for _ in 0..200 {
        let again = terms.mk(Op::Le, &[x, y]);
        let both = terms.mk(Op::And, &[body, again]);
        body = terms.quantifier(Op::Forall, &[x], both).unwrap();
    }
    let map: TermMap = [(y, x)].into_iter().collect();
    let replaced = terms.substitute(&[body], &map)[0];
    let variables = walk::reachable(&terms, &[replaced]).into_iter().filter(|&t| terms.op(t) == Op::Bound);
    assert!(variables.clone().any(|v| v == x), "the replacement is free");
    assert_eq!(variables.count(), 201, "every binder got a variable of its own");
}

fn value(terms: &mut Terms, rng: &mut Rng, sort: SortId) -> Value {
    match Ground::new(rng).term(terms, sort) {
        Some(ground) => Evaluator::new(terms, &Model::default()).eval(ground).unwrap(),
        None => {
            let name = terms.symbol(&format!("element!{}", rng.below(3)));
            Value::Element(sort, name)
        }
    }
}

/// Values for all constants, and tables for all functions, of a world.
fn random_model(terms: &mut Terms, rng: &mut Rng) -> Model {
    let mut model = Model::default();
    for i in 0..terms.fun_count() {
        let fun = terms.fun_at(i);
        let decl = terms.fun(fun).clone();
        if decl.definition.is_some() {
            continue;
        }
        if decl.params.is_empty() {
            let constant = value(terms, rng, decl.result);
            model.set(fun, constant);
            continue;
        }
        let mut table = Table { default: Some(value(terms, rng, decl.result)), ..Table::default() };
        for _ in 0..3 {
            let args = decl.params.iter().map(|&s| value(terms, rng, s)).collect();
            let result = value(terms, rng, decl.result);
            table.entries.insert(args, result);
        }
        model.insert(fun, Interpretation::Table(table));
    }
    model
}

/// A constant replaced by a value is a constant that has the value.
#[test]
fn substitution_keeps_the_value() {
    let (mut defined, mut changed) = (0, 0);
    for (mut terms, world, formula) in formulas(Scope::Plain, Reader::new(), 40) {
        let mut rng = Rng::new(formula.index() as u64);
        let model = random_model(&mut terms, &mut rng);
        let before = Evaluator::new(&terms, &model).eval(formula);
        let mut map = TermMap::default();
        for &constant in &world.constants {
            // Values that are not constants of the arena stay in the model.
            let known = model.value(terms.as_fun(constant).unwrap()).cloned().unwrap();
            let is_literal =
                !matches!(terms.sort_of(terms.sort(constant)), Sort::Array(..) | Sort::Datatype(..));
            if is_literal && rng.one_in(2) {
                let literal = terms.constant(known);
                map.insert(constant, literal);
            }
        }
        let replaced = terms.substitute(&[formula], &map)[0];
        let gone = walk::reachable(&terms, &[replaced]);
        assert!(gone.iter().all(|t| !map.contains_key(t)), "a replaced constant is still there");
        let after = Evaluator::new(&terms, &model).eval(replaced);
        assert_eq!(after, before, "{}", term_to_string(&terms, formula));
        defined += usize::from(before.is_ok());
        changed += usize::from(replaced != formula);
    }
    assert!(defined > 150 && changed > 200, "{defined} formulas have values, {changed} changed");
}

/// Annotations and definitions can be removed without changing the value.
#[test]
fn unfolding_keeps_the_value() {
    let mut compared = 0;
    for (mut terms, _, formula) in formulas(Scope::All, Reader::new(), 60) {
        let mut rng = Rng::new(formula.index() as u64);
        let model = random_model(&mut terms, &mut rng);
        let bare = terms.strip_annotations(&[formula])[0];
        assert!(!terms.flags(bare).has(Flags::ANNOTATION));
        let unfolded = terms.unfold(&[bare])[0];
        let values =
            [formula, bare, unfolded].map(|t| Evaluator::new(&terms, &model).with_steps(200_000).eval(t));
        let known: Vec<&Value> = values.iter().flatten().collect();
        assert!(known.windows(2).all(|w| w[0] == w[1]), "{values:?}: {}", term_to_string(&terms, formula));
        compared += usize::from(known.len() == 3);
    }
    assert!(compared > 100, "only {compared} formulas have values");
}

/// Z3's names of finite sets: the same terms, read back from them.
#[test]
fn finite_sets_by_the_names_of_z3() {
    let source = "(declare-const s (Set Int))(declare-fun f ((Set Int)) (Array Int (Set Int)))\
                  (assert (set.member 1 (set.inter s (set.minus s (as set.empty (Set Int))))))\
                  (assert (= (set.card s) (set.card (select (f s) 0))))";
    let mut terms = Terms::new();
    let script = read_script(&mut terms, source).script;
    let style = Style { dialect: Dialect::V26FiniteSets, share: true };
    let text = script_to_string(&terms, &script, style);
    for name in ["(FiniteSet Int)", "set.in ", "set.intersect", "set.difference", "set.size"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert!(!text.contains("(Set "), "{text}");
    let again = read_script(&mut terms, &text);
    assert!(again.errors.is_empty(), "{text}: {:?}", again.errors);
    let plain = script_to_string(&terms, &again.script, Style::default());
    assert_eq!(plain, script_to_string(&terms, &script, Style::default()));
}
