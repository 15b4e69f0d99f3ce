//! The commands that ask: models, values, cores, assertions, information, options.

use super::check::Last;
use super::{Response, Session};
use crate::defaults::complete;
use crate::engine::Engine;
use crate::tuning::session_answers::LARGEST_TREE;
use smt::print::{Style, value_to_string, write_term};
use smt::walk::sizes;
use smt::{Evaluator, FunId, Model, Symbol, TermId};
use std::collections::BTreeMap;
use std::fmt::Write;

impl Session {
    pub(super) fn get_model(&mut self) -> Response {
        match self.model() {
            Ok(_) => Response::Text(self.model_text()),
            Err(message) => Response::Error(message),
        }
    }

    /// The model of the last check, if there is one to be shown.
    fn model(&self) -> Result<&Model, String> {
        if !self.options.produce_models {
            return Err("models are not produced: (set-option :produce-models true) comes first".into());
        }
        match &self.last {
            Last::Sat(model) => Ok(model),
            Last::None => Err("there is no model: the last command that matters was no check-sat".into()),
            Last::Unsat { .. } => Err("there is no model: the answer was unsat".into()),
            Last::Unknown(_) => Err("there is no model: the answer was unknown".into()),
        }
    }

    /// The model for the functions that are declared, whatever else an engine put into it.
    pub(super) fn model_text(&mut self) -> String {
        let Last::Sat(model) = &mut self.last else { return "()".into() };
        complete(&mut self.terms, model, &self.declared);
        let mut shown = Model::default();
        // After `reset-assertions` a name may be declared anew.
        let name = |fun: &FunId| self.terms.fun(*fun).name;
        let last: BTreeMap<Symbol, FunId> = self.declared.iter().map(|fun| (name(fun), *fun)).collect();
        for &fun in self.declared.iter().filter(|fun| last[&name(fun)] == **fun) {
            if let Some(interpretation) = model.interpretation(fun) {
                shown.insert(fun, interpretation.clone());
            }
        }
        if let Some(signs) = model.zero_signs() {
            shown.set_zero_signs(signs);
        }
        for fun in model.conversions().map(|(_, fun)| fun).chain(model.zero_divisions()) {
            if let Some(interpretation) = model.interpretation(fun) {
                shown.insert(fun, interpretation.clone());
            }
        }
        shown.to_smtlib(&self.terms).trim_end().into()
    }

    pub(super) fn get_value(&mut self, list: &[TermId]) -> Response {
        if let Err(message) = self.model() {
            return Response::Error(message);
        }
        if let Last::Sat(model) = &mut self.last {
            complete(&mut self.terms, model, &self.declared);
        }
        let Last::Sat(model) = &self.last else { unreachable!("there is a model") };
        let mut evaluator = Evaluator::new(&self.terms, model);
        let mut text = String::from("(");
        for (i, &term) in list.iter().enumerate() {
            text.push_str(if i > 0 { "\n (" } else { "(" });
            let echoed = self.echoed(term);
            match evaluator.eval(term) {
                Ok(value) => write!(text, "{echoed} {})", value_to_string(&self.terms, &value))
                    .expect("writing to a string"),
                Err(reason) => return Response::Error(format!("{echoed} has no value: {reason}")),
            }
        }
        text.push(')');
        Response::Text(text)
    }

    /// A term as the client wrote it, as far as that can be told.
    fn echoed(&self, term: TermId) -> String {
        let mut text = String::new();
        let share = sizes(&self.terms, &[term]).1 > LARGEST_TREE;
        write_term(&mut text, &self.terms, term, Style { share, ..Style::default() });
        text
    }

    pub(super) fn get_unsat_core(&self) -> Response {
        if !self.options.produce_unsat_cores {
            return Response::Error(
                "cores are not produced: (set-option :produce-unsat-cores true) comes first".into(),
            );
        }
        let Last::Unsat { core, .. } = &self.last else {
            return Response::Error("there is no core: the last answer was not unsat".into());
        };
        let names = core.iter().filter_map(|&i| self.assertions[i].name);
        // A name is kept as it was written, with its bars.
        Response::Text(format!("({})", names.map(|n| self.terms.name(n)).collect::<Vec<_>>().join(" ")))
    }

    pub(super) fn get_unsat_assumptions(&self) -> Response {
        if !self.options.produce_unsat_assumptions {
            return Response::Error(
                "failed assumptions are not produced: (set-option :produce-unsat-assumptions true) comes first"
                    .into(),
            );
        }
        let Last::Unsat { assumptions, .. } = &self.last else {
            return Response::Error("there are no failed assumptions: the last answer was not unsat".into());
        };
        Response::Text(self.list(assumptions))
    }

    /// The truth of every Boolean that was given a name by an annotation in an assertion in force.
    pub(super) fn get_assignment(&mut self) -> Response {
        if !self.options.produce_assignments {
            return Response::Error(
                "assignments are not produced: (set-option :produce-assignments true) comes first".into(),
            );
        }
        if let Last::Sat(model) = &mut self.last {
            complete(&mut self.terms, model, &self.declared);
        }
        let Last::Sat(model) = &self.last else {
            return Response::Error("there is no assignment: the last answer was not sat".into());
        };
        let roots: Vec<TermId> = self.assertions.iter().map(|a| a.term).collect();
        let mut evaluator = Evaluator::new(&self.terms, model);
        let mut shown = Vec::new();
        for term in smt::walk::reachable(&self.terms, &roots) {
            let Some(name) = self.label(term).filter(|_| self.terms.sort(term) == smt::SortId::BOOL) else {
                continue;
            };
            // A label inside a binder, or one whose value the model leaves open, has no truth to show.
            if let Ok(truth) = evaluator.truth(term) {
                shown.push(format!("({} {truth})", self.terms.name(name)));
            }
        }
        Response::Text(format!("({})", shown.join(" ")))
    }

    /// The name that an annotation gives a term.
    pub(super) fn label(&self, term: TermId) -> Option<Symbol> {
        let attributes = self.terms.attributes(term)?;
        let named = attributes.iter().find(|a| self.terms.name(a.keyword) == ":named")?;
        if let smt::AttributeValue::Text(name) = named.value { Some(name) } else { None }
    }

    pub(super) fn get_assertions(&self) -> Response {
        if !self.options.produce_assertions {
            return Response::Error(
                "assertions are not kept for asking: (set-option :produce-assertions true) comes first"
                    .into(),
            );
        }
        let all: Vec<TermId> = self.assertions.iter().map(|a| a.term).collect();
        Response::Text(self.list(&all))
    }

    fn list(&self, terms: &[TermId]) -> String {
        let shown: Vec<String> = terms.iter().map(|&t| self.echoed(t)).collect();
        format!("({})", shown.join("\n "))
    }

    pub(super) fn get_info(&self, keyword: Symbol) -> Response {
        let keyword = self.terms.name(keyword);
        let value = match keyword {
            ":name" => "\"soundline\"".into(),
            ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            ":authors" => "\"the Soundline authors\"".into(),
            ":error-behavior" => "continued-execution".into(),
            ":assertion-stack-levels" => self.levels.len().to_string(),
            ":reason-unknown" => match &self.last {
                Last::Unknown(reason) => reason.word().into(),
                _ => return Response::Error("the last answer was not unknown".into()),
            },
            ":all-statistics" => {
                let counters: Vec<String> = self
                    .statistics()
                    .into_iter()
                    .map(|(name, n)| format!(":{} {n}", name.replace(' ', "-")))
                    .collect();
                return Response::Text(format!("({})", counters.join("\n ")));
            }
            _ => match self.infos.get(keyword) {
                Some(value) => value.clone(),
                None => return Response::Unsupported,
            },
        };
        Response::Text(format!("({keyword} {value})"))
    }

    /// All counters of the session, in a fixed order.
    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![
            ("checks", self.checks as u64),
            ("models-rejected", self.rejected),
            ("partials-delivered", self.delivered),
            ("terms", self.terms.len() as u64),
        ];
        add(&mut all, &self.statistics_of_engines());
        all
    }

    /// What the engines counted, those that were given up included.
    pub(super) fn statistics_of_engines(&self) -> Vec<(&'static str, u64)> {
        let mut all = Vec::new();
        add(&mut all, &self.engine.counters());
        add(&mut all, &self.retired);
        all
    }

    pub(super) fn get_option(&self, keyword: Symbol) -> Response {
        match self.options.get(self.terms.name(keyword)) {
            Some(value) => Response::Text(value),
            None => Response::Unsupported,
        }
    }
}

/// Adds counters to those of the same name.
fn add(all: &mut Vec<(&'static str, u64)>, more: &[(&'static str, u64)]) {
    for &(name, count) in more {
        match all.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => all.push((name, count)),
        }
    }
}
