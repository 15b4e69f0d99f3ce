//! Every row of the tables by the evaluator: laws hold wherever their side conditions do, parts imply their claim.

use super::super::chain;
use super::super::formula::model_of;
use super::{EQUIVALENCES, LAWS, SPARES, Tables};
use random::Rng;
use smt::{Evaluator, Op, SmtString, SortId, TermId, Terms, Value};

/// Short strings over few letters, so that conditions are met by chance.
fn small(terms: &Terms, var: TermId, rng: &mut Rng) -> Value {
    match terms.sort(var) {
        SortId::STRING => {
            let digit = rng.below(10).to_string();
            let text = rng.pick(&["", "", "a", "b", "ab", "aa", "ba", digit.as_str()]);
            Value::String(SmtString::from_latin1(text.as_bytes()))
        }
        SortId::INT => {
            let most = rng.pick(&[2, 2, 9]);
            Value::Int(rng.between(-1, most).into())
        }
        sort => chain::value(sort, rng),
    }
}

/// How often the premises held among so many random assignments; the conclusion then held, too.
fn implied(
    terms: &Terms,
    vars: &[TermId],
    premises: &[TermId],
    conclusion: TermId,
    tries: usize,
    rng: &mut Rng,
) -> Result<usize, String> {
    let mut met = 0;
    for i in 0..tries {
        let wild = i % 4 == 0;
        let choose = |var: &TermId, rng: &mut Rng| {
            if wild { chain::value(terms.sort(*var), rng) } else { small(terms, *var, rng) }
        };
        let values: Vec<(TermId, Value)> = vars.iter().map(|var| (*var, choose(var, rng))).collect();
        let model = model_of(terms, &values);
        let mut evaluator = Evaluator::new(terms, &model);
        if premises.iter().all(|&premise| evaluator.truth(premise) == Ok(true)) {
            met += 1;
            if evaluator.truth(conclusion) != Ok(true) {
                return Err(format!("refuted by {values:?}"));
            }
        }
    }
    Ok(met)
}

#[test]
fn laws_hold_where_their_side_conditions_do() {
    let mut terms = Terms::new();
    let tables = Tables::read(&mut terms);
    let mut rng = Rng::new(1);
    for (row, law) in LAWS.iter().zip(&tables.laws) {
        let equation = terms.mk(Op::Eq, &[law.left, law.right]);
        let met = implied(&terms, &law.vars, &law.side, equation, 1000, &mut rng);
        let met = met.unwrap_or_else(|why| panic!("{}: {why}", row.id));
        assert!(met > 0, "the side condition of {} was never met", row.id);
    }
}

#[test]
fn parts_imply_their_claim() {
    let mut terms = Terms::new();
    let tables = Tables::read(&mut terms);
    let mut rng = Rng::new(2);
    let mut rows_met = 0;
    for (row, equivalence) in EQUIVALENCES.iter().zip(&tables.equivalences) {
        let vars = [&equivalence.vars[..], &equivalence.inner[..]].concat();
        let met = implied(&terms, &vars, &equivalence.parts, equivalence.claim, 4000, &mut rng);
        rows_met += usize::from(met.unwrap_or_else(|why| panic!("{}: {why}", row.id)) > 0);
    }
    // Rows with universal quantifiers over strings have no value; the others are met by chance.
    assert!(rows_met >= 25, "{rows_met}");
}

/// All strings of up to so many letters.
fn words(letters: &str, most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    for _ in 0..most {
        let longer: Vec<String> =
            all.iter().flat_map(|word| letters.chars().map(move |c| format!("{word}{c}"))).collect();
        all.extend(longer);
        all.sort();
        all.dedup();
    }
    all
}

/// The rows with quantifiers, on all short strings. In these rows a bound string is a part of one that is free and a bound number
/// a position in it, so that the instances with short strings and small numbers are all that matter.
#[test]
fn quantified_rows_hold_on_all_short_strings() {
    let mut terms = Terms::new();
    let tables = Tables::read(&mut terms);
    let mut rng = Rng::new(4);
    let mut rows = 0;
    for (row, equivalence) in EQUIVALENCES.iter().zip(&tables.equivalences) {
        if !row.parts.iter().any(|part| part.contains("forall")) {
            continue;
        }
        rows += 1;
        let strings = if row.id == "E6" { words("1a", 2) } else { words("ab", 2) };
        let domain = |sort: SortId| match sort {
            SortId::STRING => strings.iter().map(|s| string(s)).collect(),
            SortId::INT => (-1..=3).map(|i: i32| Value::Int(i.into())).collect(),
            _ => unreachable!("the rows bind strings and integers"),
        };
        let parts: Vec<TermId> =
            equivalence.parts.iter().map(|&part| testkit::expanded(&mut terms, part, &domain)).collect();
        let vars = [&equivalence.vars[..], &equivalence.inner[..]].concat();
        let choose = |terms: &Terms, var: TermId, rng: &mut Rng| match terms.sort(var) {
            SortId::STRING => string(&rng.pick(&strings)),
            _ => Value::Int(rng.between(-1, 3).into()),
        };
        let (mut met, mut denied) = (0, 0);
        for _ in 0..3000 {
            let values: Vec<(TermId, Value)> =
                vars.iter().map(|&var| (var, choose(&terms, var, &mut rng))).collect();
            let model = model_of(&terms, &values);
            let mut evaluator = Evaluator::new(&terms, &model);
            let claim = evaluator.truth(equivalence.claim) == Ok(true);
            match parts.iter().all(|&part| evaluator.truth(part) == Ok(true)) {
                true => {
                    assert!(claim, "{}: refuted by {values:?}", row.id);
                    met += 1;
                }
                // If parts that mean less were enough, the check would have nothing to refute.
                false => denied += usize::from(!claim),
            }
        }
        assert!(met > 0 && denied > 0, "{}: {met} met, {denied} denied", row.id);
    }
    assert_eq!(rows, 5);
}

fn string(text: &str) -> Value {
    Value::String(SmtString::from_latin1(text.as_bytes()))
}

/// A row that is wrong is refuted by the same check.
#[test]
fn a_wrong_law_is_refuted() {
    let mut terms = Terms::new();
    let tables = Tables::read(&mut terms);
    let without_side = &tables.laws[0];
    let equation = terms.mk(Op::Eq, &[without_side.left, without_side.right]);
    assert!(implied(&terms, &without_side.vars, &[], equation, 1000, &mut Rng::new(3)).is_err());
}

#[test]
fn spares_name_rows_that_exist() {
    for spare in SPARES {
        let row = EQUIVALENCES.iter().find(|row| row.id == spare.equivalence).expect("a row of Table 2");
        let law = LAWS.iter().find(|law| law.id == spare.law).expect("a row of Table 3");
        let of_variable = row.vars.iter().any(|(name, _)| *name == spare.replaced);
        assert!(of_variable || law.right == spare.replaced, "{spare:?}");
    }
}
