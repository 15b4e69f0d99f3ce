//! What lengths alone say: every string becomes its length, every condition on strings an unknown truth value with the facts about
//! lengths that follow from it. All of them hold in every model, so a conflict is one of the query.

use rustc_hash::FxHashMap;
use smt::{IBig, Op, SortId, TermId, Terms, Value, walk};

/// A query about lengths.
pub(crate) struct Lengths {
    /// One for each conjunct of the query.
    pub(crate) assertions: Vec<TermId>,
    /// What holds besides.
    pub(crate) facts: Vec<TermId>,
    done: FxHashMap<TermId, TermId>,
}

/// The shortest and the longest member of a language; no longest one if there is no bound. The empty language has a shortest
/// member that is longer than its longest.
#[derive(Clone, Copy)]
struct Span {
    min: u64,
    max: Option<u64>,
}

impl Lengths {
    /// The abstraction of some conjuncts.
    pub(crate) fn of(terms: &mut Terms, assertions: &[TermId]) -> Lengths {
        let mut lengths = Lengths { assertions: Vec::new(), facts: Vec::new(), done: FxHashMap::default() };
        let mut spans: FxHashMap<TermId, Span> = FxHashMap::default();
        for term in walk::reachable(terms, assertions) {
            if terms.sort(term) == SortId::REG_LAN {
                let span = span(terms, term, &spans);
                spans.insert(term, span);
            } else {
                let new = lengths.translate(terms, term, &spans);
                lengths.done.insert(term, new);
            }
        }
        lengths.assertions = assertions.iter().map(|a| lengths.done[a]).collect();
        lengths
    }

    /// The length of a string of the query.
    pub(crate) fn length(&self, text: TermId) -> Option<TermId> {
        self.done.get(&text).copied()
    }

    fn unknown(&mut self, terms: &mut Terms, prefix: &str, sort: SortId) -> TermId {
        let name = terms.fresh_symbol(prefix);
        let fun = terms.declare(name, &[], sort);
        terms.apply(fun, &[]).expect("a constant takes no arguments")
    }

    /// A length that nothing is known of but that it is one.
    fn some_length(&mut self, terms: &mut Terms) -> TermId {
        let (length, zero) = (self.unknown(terms, "length!", SortId::INT), terms.int(0));
        let fact = terms.mk(Op::Ge, &[length, zero]);
        self.facts.push(fact);
        length
    }

    fn implies(&mut self, terms: &mut Terms, premise: TermId, conclusion: TermId) {
        let fact = terms.mk(Op::Implies, &[premise, conclusion]);
        self.facts.push(fact);
    }

    fn translate(&mut self, terms: &mut Terms, term: TermId, spans: &FxHashMap<TermId, Span>) -> TermId {
        let op = terms.op(term);
        let old = terms.args(term).to_vec();
        let args: Vec<TermId> = old.iter().filter_map(|a| self.done.get(a).copied()).collect();
        let is_text = terms.sort(term) == SortId::STRING;
        let (zero, one) = (terms.int(0), terms.int(1));
        match op {
            Op::Const => match terms.as_value(term) {
                Some(Value::String(text)) => {
                    let length = IBig::from(text.len());
                    terms.int(length)
                }
                _ => term,
            },
            Op::Apply if is_text && old.is_empty() => self.some_length(terms),
            Op::Apply if old.is_empty() => term,
            Op::StrConcat if args.len() == 1 => args[0],
            Op::StrConcat => terms.mk(Op::Add, &args),
            Op::StrRev | Op::StrToLower | Op::StrToUpper | Op::StrLen => args[0],
            Op::StrAt => {
                let inside = [terms.mk(Op::Le, &[zero, args[1]]), terms.mk(Op::Lt, &[args[1], args[0]])];
                let inside = terms.mk(Op::And, &inside);
                terms.mk(Op::Ite, &[inside, one, zero])
            }
            Op::StrSubstr => {
                let inside = [
                    terms.mk(Op::Le, &[zero, args[1]]),
                    terms.mk(Op::Lt, &[args[1], args[0]]),
                    terms.mk(Op::Lt, &[zero, args[2]]),
                ];
                let inside = terms.mk(Op::And, &inside);
                let left = terms.mk(Op::Sub, &[args[0], args[1]]);
                let short = terms.mk(Op::Le, &[args[2], left]);
                let count = terms.mk(Op::Ite, &[short, args[2], left]);
                terms.mk(Op::Ite, &[inside, count, zero])
            }
            Op::StrReplace => {
                let length = self.some_length(terms);
                let changed = terms.mk(Op::Sub, &[args[0], args[1]]);
                let changed = terms.mk(Op::Add, &[changed, args[2]]);
                let cases = [terms.mk(Op::Eq, &[length, args[0]]), terms.mk(Op::Eq, &[length, changed])];
                let either = terms.mk(Op::Or, &cases);
                self.facts.push(either);
                let longer = terms.mk(Op::Gt, &[args[1], args[0]]);
                self.implies(terms, longer, cases[0]);
                length
            }
            Op::StrFromInt => {
                let length = self.some_length(terms);
                let (negative, is_empty) =
                    (terms.mk(Op::Lt, &[args[0], zero]), terms.mk(Op::Eq, &[length, zero]));
                let fact = terms.mk(Op::Eq, &[negative, is_empty]);
                self.facts.push(fact);
                let mut power = IBig::from(10u8);
                for digits in 1..=18 {
                    let (bound, digits) = (terms.int(power.clone()), terms.int(digits));
                    let (small, short) =
                        (terms.mk(Op::Lt, &[args[0], bound]), terms.mk(Op::Le, &[length, digits]));
                    let fact = terms.mk(Op::Eq, &[small, short]);
                    self.facts.push(fact);
                    power *= IBig::from(10u8);
                }
                length
            }
            Op::StrFromCode => {
                let most = terms.int(IBig::from(smt::string::MAX_CHAR));
                let inside = [terms.mk(Op::Le, &[zero, args[0]]), terms.mk(Op::Le, &[args[0], most])];
                let inside = terms.mk(Op::And, &inside);
                terms.mk(Op::Ite, &[inside, one, zero])
            }
            Op::Ite if is_text => terms.mk(Op::Ite, &args),
            _ if is_text => self.some_length(terms),
            Op::StrIndexOf => {
                let place = self.unknown(terms, "place!", SortId::INT);
                let minus = terms.int(-1);
                let fact = terms.mk(Op::Ge, &[place, minus]);
                self.facts.push(fact);
                let found = terms.mk(Op::Ge, &[place, zero]);
                let end = terms.mk(Op::Add, &[place, args[1]]);
                let conclusions = [
                    terms.mk(Op::Le, &[end, args[0]]),
                    terms.mk(Op::Ge, &[place, args[2]]),
                    terms.mk(Op::Ge, &[args[2], zero]),
                ];
                let conclusion = terms.mk(Op::And, &conclusions);
                self.implies(terms, found, conclusion);
                place
            }
            Op::StrToCode | Op::StrToInt => {
                let number = self.unknown(terms, "number!", SortId::INT);
                let minus = terms.int(-1);
                let fact = terms.mk(Op::Ge, &[number, minus]);
                self.facts.push(fact);
                let found = terms.mk(Op::Ge, &[number, zero]);
                if op == Op::StrToCode {
                    let single = terms.mk(Op::Eq, &[args[0], one]);
                    let fact = terms.mk(Op::Eq, &[found, single]);
                    self.facts.push(fact);
                    let most = terms.int(IBig::from(smt::string::MAX_CHAR));
                    let fact = terms.mk(Op::Le, &[number, most]);
                    self.facts.push(fact);
                } else {
                    let some = terms.mk(Op::Ge, &[args[0], one]);
                    self.implies(terms, found, some);
                    let mut power = IBig::from(10u8);
                    for digits in 1..=18 {
                        let (bound, digits) = (terms.int(power.clone()), terms.int(digits));
                        let (short, small) =
                            (terms.mk(Op::Le, &[args[0], digits]), terms.mk(Op::Lt, &[number, bound]));
                        self.implies(terms, short, small);
                        power *= IBig::from(10u8);
                    }
                }
                number
            }
            Op::Eq | Op::Distinct if terms.sort(old[0]) == SortId::STRING => {
                let truth = self.unknown(terms, "same!", SortId::BOOL);
                if op == Op::Eq {
                    let lengths = terms.mk(Op::Eq, &args);
                    self.implies(terms, truth, lengths);
                }
                truth
            }
            Op::StrPrefixOf | Op::StrSuffixOf => self.within(terms, args[0], args[1]),
            Op::StrContains => self.within(terms, args[1], args[0]),
            Op::StrLt | Op::StrLe => {
                let truth = self.unknown(terms, "less!", SortId::BOOL);
                if op == Op::StrLt {
                    let last = terms.mk(Op::Ge, &[args[args.len() - 1], one]);
                    self.implies(terms, truth, last);
                } else if args.len() == 2 {
                    let nothing = terms.mk(Op::Eq, &[args[0], zero]);
                    self.implies(terms, nothing, truth);
                }
                truth
            }
            Op::StrIsDigit => {
                let truth = self.unknown(terms, "digit!", SortId::BOOL);
                let single = terms.mk(Op::Eq, &[args[0], one]);
                self.implies(terms, truth, single);
                truth
            }
            Op::StrInRe => {
                let truth = self.unknown(terms, "member!", SortId::BOOL);
                let span = spans[&old[1]];
                let min = terms.int(IBig::from(span.min));
                let shortest = terms.mk(Op::Ge, &[args[0], min]);
                self.implies(terms, truth, shortest);
                if let Some(max) = span.max {
                    let max = terms.int(IBig::from(max));
                    let longest = terms.mk(Op::Le, &[args[0], max]);
                    self.implies(terms, truth, longest);
                }
                truth
            }
            _ if args == old => term,
            _ if args.len() == old.len() => terms.rebuild(term, &args),
            _ => {
                let sort = terms.sort(term);
                self.unknown(terms, "open!", sort)
            }
        }
    }

    /// A truth value that says that one string is somewhere in another.
    fn within(&mut self, terms: &mut Terms, part: TermId, whole: TermId) -> TermId {
        let (truth, zero) = (self.unknown(terms, "within!", SortId::BOOL), terms.int(0));
        let fits = terms.mk(Op::Le, &[part, whole]);
        self.implies(terms, truth, fits);
        let nothing = terms.mk(Op::Eq, &[part, zero]);
        self.implies(terms, nothing, truth);
        truth
    }
}

/// The lengths of the members of a language.
fn span(terms: &Terms, language: TermId, spans: &FxHashMap<TermId, Span>) -> Span {
    let parts: Vec<Span> = terms.args(language).iter().filter_map(|a| spans.get(a).copied()).collect();
    let any = Span { min: 0, max: None };
    let times = |span: Span, low: u32, high: Option<u32>| Span {
        min: span.min.saturating_mul(u64::from(low)),
        max: match (span.max, high) {
            (Some(0), _) => Some(0),
            (Some(max), Some(high)) => Some(max.saturating_mul(u64::from(high))),
            _ => None,
        },
    };
    match terms.op(language) {
        Op::ReAllChar | Op::ReRange => Span { min: 1, max: Some(1) },
        Op::StrToRe => match terms.as_value(terms.args(language)[0]) {
            Some(Value::String(text)) => Span { min: text.len() as u64, max: Some(text.len() as u64) },
            _ => any,
        },
        Op::ReConcat => parts.iter().fold(Span { min: 0, max: Some(0) }, |sum, part| Span {
            min: sum.min.saturating_add(part.min),
            max: sum.max.zip(part.max).map(|(a, b)| a.saturating_add(b)),
        }),
        Op::ReUnion => Span {
            min: parts.iter().map(|p| p.min).min().unwrap_or(0),
            max: parts.iter().map(|p| p.max).try_fold(0, |most, max| Some(most.max(max?))),
        },
        Op::ReInter => Span {
            min: parts.iter().map(|p| p.min).max().unwrap_or(0),
            max: parts.iter().filter_map(|p| p.max).min(),
        },
        Op::ReDiff => parts.first().copied().unwrap_or(any),
        Op::ReOpt => Span { min: 0, ..parts[0] },
        Op::ReStar => times(Span { min: 0, ..parts[0] }, 0, None),
        Op::RePlus => Span { min: parts[0].min, ..times(parts[0], 1, None) },
        Op::RePower => {
            let [n, _] = terms.indices(language);
            times(parts[0], n, Some(n))
        }
        Op::ReLoop => match terms.indices(language) {
            [low, high] if low <= high => times(parts[0], low, Some(high)),
            _ => any,
        },
        _ => any,
    }
}
