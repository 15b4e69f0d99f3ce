//! One worker of a run: it sends a batch's cases to the solver under test, keeps what is known of the batch's seed, and
//! follows up what looks wrong. Owns the session with the solver; decides nothing about what counts as a defect.

use super::ledger::{Ledger, Worth, kind};
use super::schedule::Turn;
use super::{Event, Options, RunError, Solvers, Trust};
use crate::approx;
use crate::ask::{self, Questions};
use crate::case::{Batch, Expectation, Origin, Rejected, Strategy, TestCase, Verdict};
use crate::confirm::{Certainty, Confirmed, Evidence, Outcome, confirm, confirm_core, crash_key};
use crate::court::Court;
use crate::exhibit::{Exhibit, ModelCheck};
use crate::finding::{Finding, Fingerprint, SolverInfo, operators};
use crate::judge::{Class, OpenCore, Suspicion, heard, judge};
use crate::reduce;
use crate::shrink::{self, Defect};
use crate::solver::answer::{self, Answer, Trouble};
use crate::solver::{Limits, Run, Session};
use random::Rng;
use smt::print::term_to_string;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// A batch is given up when its tests have cost this many times the limit of one: time is better spent on other seeds than on
/// one whose mutants all reach the limit.
const SEED_BUDGET: u32 = 10;
/// A mutant is slow if it takes this many times its seed's CPU time ...
const SLOWER: u32 = 20;
/// ... and at least this long.
const SLOW: Duration = Duration::from_millis(500);

/// What is known of the seed of the batch at hand.
#[derive(Debug, Default)]
pub(super) struct SeedFacts {
    text: Option<String>,
    verdicts: Vec<Verdict>,
    /// A model that the evaluator accepted, for each query that has one.
    witnesses: Vec<Option<String>>,
    cpu: Duration,
    /// What the batch's tests have cost.
    spent: Duration,
}

/// Whether a seed is asked for its model at once. Where a query may be unsatisfiable the question is an error, after which
/// some solvers end: nothing must follow it.
fn wants_model(case: &TestCase) -> bool {
    case.script.commands.last().is_some_and(ask::is_query)
        && matches!(case.expected[..], [Expectation::Open | Expectation::Sat])
}

/// A text as it was sent to a fresh process.
struct Sent {
    text: String,
    /// Whether it stands inside a `push`, as in a session.
    pushed: bool,
}

pub(super) struct Worker<'a> {
    strategy: &'a dyn Strategy,
    solvers: &'a Solvers,
    options: &'a Options,
    ledger: &'a Ledger,
    ended: &'a AtomicBool,
    events: Sender<Event>,
    session: Option<Session>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        strategy: &'a dyn Strategy,
        solvers: &'a Solvers,
        options: &'a Options,
        ledger: &'a Ledger,
        ended: &'a AtomicBool,
        events: Sender<Event>,
    ) -> Worker<'a> {
        let session = (!options.fresh).then(|| Session::new(solvers.target.clone(), options.limits));
        Worker { strategy, solvers, options, ledger, ended, events, session }
    }

    /// Runs a batch until it ends, the run ends, or its share is spent; in the last case the turn that is left. Only a whole
    /// batch counts as done.
    pub(super) fn turn(&mut self, mut turn: Turn) -> Result<Option<Turn>, RunError> {
        let number = turn.number;
        let is_new = turn.round == 0;
        self.ledger.count(|c| c.batches += u64::from(is_new));
        let mut batch = match self.strategy.batch(number, Rng::numbered(self.options.seed, number)) {
            Ok(batch) => batch,
            Err(Rejected(reason)) => {
                self.ledger.count(|c| c.batches_rejected += 1);
                self.ledger.note_error(&reason);
                self.tell(Event::Note(reason));
                self.ledger.finish(number)?;
                return Ok(None);
            }
        };
        let turn_share = turn.share();
        // The seed itself is not counted: a turn tests at least one mutant.
        let mut share = turn.facts.spent + turn_share;
        let mut place = 0;
        while let Some(case) = batch.next() {
            if self.ended.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let (Some(only), Origin::Built(recipe)) = (&self.options.only, &case.origin)
                && !recipe.contains(only.as_str())
            {
                continue;
            }
            place += 1;
            if place <= turn.tested && self.is_known(&mut *batch, &case, &turn.facts) {
                continue;
            }
            if turn.facts.spent > self.options.limits.cpu * SEED_BUDGET {
                self.ledger.count(|c| c.batches_cut += 1);
                break;
            }
            if turn.facts.spent > share {
                return self.postpone(turn, place - 1);
            }
            if !self.ledger.admit(self.options.tests) {
                return Ok(None);
            }
            let before = turn.facts.spent;
            if !self.test(&mut *batch, &case, &mut turn.facts, turn_share)? {
                self.ledger.withdraw();
                return self.postpone(turn, place - 1);
            }
            if matches!(case.origin, Origin::Seed(_)) {
                share += turn.facts.spent - before;
            }
        }
        self.ledger.finish(number)?;
        Ok(None)
    }

    /// The turn that is left when so many of a batch's tests are done.
    fn postpone(&self, turn: Turn, tested: u64) -> Result<Option<Turn>, RunError> {
        let tested = turn.tested.max(tested);
        self.ledger.postpone(turn.number, tested)?;
        Ok(Some(Turn { tested, round: turn.round + 1, ..turn }))
    }

    /// Whether nothing is left to do for a case of an earlier turn. A seed must be settled before its mutants come; one of an
    /// earlier run is asked again.
    fn is_known(&self, batch: &mut dyn Batch, case: &TestCase, facts: &SeedFacts) -> bool {
        if matches!(case.origin, Origin::Seed(_)) {
            if facts.text.is_none() {
                return false;
            }
            batch.settle(&facts.verdicts);
        }
        true
    }

    /// The one who watches may have gone; the run goes on to save what it has.
    fn tell(&self, event: Event) {
        self.events.send(event).unwrap_or_default();
    }

    fn court(&self) -> Court<'a> {
        Court {
            target: &self.solvers.target,
            referees: &self.solvers.referees,
            limits: self.options.limits,
            stop: self.ended,
        }
    }

    fn send(&mut self, text: &str, cpu: Duration) -> Result<Run, RunError> {
        Ok(match &mut self.session {
            Some(session) => {
                session.limit_cpu(cpu);
                session.ask(text, self.ended)?
            }
            None => {
                let limits = Limits { cpu, ..self.options.limits };
                self.solvers.target.run(text, &limits, self.ended)?
            }
        })
    }

    /// One test: send, count, judge, follow up, settle. Whether the time was enough, where it is less than the run's limit.
    fn test(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &mut SeedFacts,
        share: Duration,
    ) -> Result<bool, RunError> {
        let dialect = self.solvers.target.dialect;
        let text = match case.origin {
            Origin::Seed(_) if wants_model(case) => {
                ask::text(batch.terms(), &case.script, &case.expected, dialect, Questions::Models)
            }
            _ => ask::case_text(batch, case, dialect),
        };
        let limit = self.options.limits.cpu.min(share);
        let run = self.send(&text, limit)?;
        let answer = answer::read(&run);
        match answer.trouble {
            Some(Trouble::Stopped) => return Ok(true),
            Some(Trouble::Timeout) if limit < self.options.limits.cpu => return Ok(false),
            _ => self.tally(&run, &answer),
        }
        facts.spent += run.cpu;
        let judgement = judge(&case.expected, &answer, &mut || Exhibit::read(&text, dialect).ok());
        for suspicion in &judgement.suspicions {
            self.follow_up(batch, case, facts, &text, suspicion, &answer)?;
        }
        for core in &judgement.open_cores {
            self.follow_core(case, &text, core)?;
        }
        match case.origin {
            Origin::Seed(_) => self.settle(batch, case, facts, text, &run, &answer)?,
            Origin::Mutant { .. } => self.observe(batch, case, facts, &text, run, answer)?,
            Origin::Built(_) => {}
        }
        Ok(true)
    }

    fn tally(&self, run: &Run, answer: &Answer) {
        self.ledger.count(|c| {
            c.solver_micros += run.cpu.as_micros() as u64;
            for reply in &answer.replies {
                *match reply.verdict {
                    Verdict::Sat => &mut c.sat,
                    Verdict::Unsat => &mut c.unsat,
                    Verdict::Unknown => &mut c.unknown,
                } += 1;
            }
            match &answer.trouble {
                None | Some(Trouble::Stopped) => {}
                Some(Trouble::Timeout) => c.timeouts += 1,
                Some(Trouble::OutOfMemory | Trouble::Flood) => c.exhausted += 1,
                Some(Trouble::Unsupported(_)) => c.unsupported += 1,
                Some(Trouble::Parse(_) | Trouble::Error(_)) => c.rejected += 1,
                Some(Trouble::Silent) => c.silent += 1,
                Some(Trouble::Assertion(_) | Trouble::Sanitizer(_) | Trouble::Signal(_)) => c.crashes += 1,
            }
        });
        if let Some(Trouble::Unsupported(text) | Trouble::Parse(text) | Trouble::Error(text)) =
            &answer.trouble
        {
            self.ledger.note_error(text);
        }
    }

    /// Confirms a suspicion and makes a finding of it.
    fn follow_up(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        suspicion: &Suspicion,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let Ok(exhibit) = Exhibit::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let crash = if suspicion.class == Class::Crash { crash_key(answer) } else { None };
        let kind = kind(suspicion.class, &operators(&exhibit), crash.as_deref());
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        let certainty = match case.origin {
            Origin::Built(_) => Certainty::Construction,
            Origin::Mutant { .. } => Certainty::Metamorphic,
            Origin::Seed(_) => Certainty::Claim,
        };
        let witness = facts.witnesses.get(suspicion.query).and_then(Option::as_deref);
        let court = self.court();
        let mut sent = Sent { text: text.to_string(), pushed: false };
        let mut outcome = confirm(&court, &sent.text, &case.expected, suspicion, certainty, witness)?;
        if matches!(outcome, Outcome::NotReproduced) && self.session.is_some() {
            // Solvers take other ways between push and pop, and those can be wrong too.
            sent = Sent { text: exhibit.within_push(self.solvers.target.dialect), pushed: true };
            outcome = confirm(&court, &sent.text, &case.expected, suspicion, certainty, witness)?;
        }
        let Some(confirmed) = self.accept(outcome, suspicion, &sent.text)? else { return Ok(()) };
        let (small, mutations) = self.undo(batch, case, &sent, confirmed.class)?;
        self.report(&kind, case, facts, [&sent.text, &small], mutations, confirmed)
    }

    fn follow_core(&mut self, case: &TestCase, text: &str, core: &OpenCore) -> Result<(), RunError> {
        let Ok(exhibit) = Exhibit::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let kind = kind(Class::WrongCore, &operators(&exhibit), None);
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        if let Outcome::Confirmed(confirmed) = confirm_core(&self.court(), text, core)? {
            self.report(&kind, case, &SeedFacts::default(), [text, text], Vec::new(), *confirmed)?;
        }
        Ok(())
    }

    /// Counts what did not hold; the rest goes on. Nothing that the end of the run cut short is held against anyone.
    fn accept(
        &self,
        outcome: Outcome,
        suspicion: &Suspicion,
        text: &str,
    ) -> Result<Option<Confirmed>, RunError> {
        if self.ended.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match outcome {
            Outcome::Confirmed(confirmed) => return Ok(Some(*confirmed)),
            Outcome::NotReproduced => self.ledger.count(|c| c.unconfirmed += 1),
            Outcome::Refuted(reason) => {
                self.ledger.count(|c| c.refuted += 1);
                self.keep("refuted", text)?;
                self.tell(Event::Note(format!(
                    "not reported: {} looked wrong ({}), but {reason}",
                    suspicion.class.word(),
                    suspicion.detail
                )));
            }
            Outcome::Disputed => {
                self.ledger.count(|c| c.disputed += 1);
                self.keep("disputed", text)?;
            }
        }
        Ok(None)
    }

    /// Keeps a script that is not reported, for those who want to look.
    fn keep(&self, group: &str, text: &str) -> Result<(), RunError> {
        let folder = self.options.out.join(group);
        std::fs::create_dir_all(&folder)?;
        let name = Fingerprint::new(text.to_string()).short;
        Ok(std::fs::write(folder.join(format!("{name}.smt2")), text)?)
    }

    /// Undoes as many mutations as possible: what remains is the minimal difference to the seed.
    fn undo(
        &self,
        batch: &mut dyn Batch,
        case: &TestCase,
        sent: &Sent,
        class: Class,
    ) -> Result<(String, Vec<[String; 3]>), RunError> {
        let Origin::Mutant { seed, mutations, .. } = &case.origin else {
            return Ok((sent.text.clone(), Vec::new()));
        };
        let dialect = self.solvers.target.dialect;
        let court = self.court();
        let mut trouble = None;
        let mut best = sent.text.clone();
        let needed = reduce::minimize(mutations, &mut |subset| {
            let script = approx::apply(batch.terms_mut(), seed, subset);
            let mut text = ask::text(batch.terms(), &script, &case.expected, dialect, Questions::AsExpected);
            if let (true, Ok(exhibit)) = (sent.pushed, Exhibit::read(&text, dialect)) {
                text = exhibit.within_push(dialect);
            }
            match court.fresh(&text) {
                Ok((_, answer)) => {
                    let again = judge(&case.expected, &answer, &mut || Exhibit::read(&text, dialect).ok());
                    let shows = again.suspicions.iter().any(|s| s.class == class);
                    if shows {
                        best = text;
                    }
                    shows
                }
                Err(error) => {
                    trouble = Some(error);
                    false
                }
            }
        });
        if let Some(error) = trouble {
            return Err(error.into());
        }
        let terms = batch.terms();
        let words = needed
            .iter()
            .map(|m| [m.rule.to_string(), term_to_string(terms, m.before), term_to_string(terms, m.after)])
            .collect();
        Ok((best, words))
    }

    /// Reduces a confirmed defect, tries it on the newest release, and writes it down. The texts are what was sent, and what
    /// is left of it without the mutations that are not needed.
    fn report(
        &mut self,
        kind: &str,
        case: &TestCase,
        facts: &SeedFacts,
        [sent, text]: [&str; 2],
        mutations: Vec<[String; 3]>,
        confirmed: Confirmed,
    ) -> Result<(), RunError> {
        let target = &self.solvers.target;
        let small = if self.options.reduce && confirmed.class.is_loud() {
            shrink::shrink(&self.court(), text, &confirmed, 1, &mut |_| {})?
        } else {
            None
        };
        let (reduced, confirmed, tests) = match small {
            Some(small) => (small.text, small.confirmed, small.tests),
            None => (text.to_string(), confirmed, 0),
        };
        let Ok(exhibit) = Exhibit::read(&reduced, target.dialect) else { return Ok(()) };
        let newest = match &self.solvers.newest {
            Some(newest) if confirmed.class.is_loud() => {
                Some(shrink::on_release(&self.court(), newest, &reduced, &Defect::of(&confirmed))?)
            }
            _ => None,
        };
        let finding = Finding {
            fingerprint: Fingerprint::of(&confirmed, &exhibit),
            assertions: exhibit.script().assertions().count(),
            confirmed,
            bug: sent.to_string(),
            reduced,
            origin: match &case.origin {
                Origin::Built(recipe) => format!("soundline fuzz {}: {recipe}", self.strategy.name()),
                Origin::Seed(name) | Origin::Mutant { name, .. } => {
                    format!("soundline fuzz {}: {name}", self.strategy.name())
                }
            },
            seed: facts.text.clone(),
            mutations,
            solver: SolverInfo {
                name: target.name.clone(),
                version: target.version.clone(),
                command: target.command_line(),
            },
            newest,
            reduction_tests: tests,
        };
        if let Some(entry) = self.ledger.record(kind, &finding)? {
            self.tell(Event::Found(entry));
        }
        Ok(())
    }

    /// Settles a seed: its verdicts by whoever is trusted, and a witness for each satisfiable query.
    fn settle(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &mut SeedFacts,
        text: String,
        run: &Run,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let queries = case.expected.len();
        let mut verdicts: Vec<Verdict> = (0..queries)
            .map(|query| {
                let said = heard(answer).get(query).map_or(Verdict::Unknown, |reply| reply.verdict);
                case.expected[query].verdict().unwrap_or(said)
            })
            .collect();
        if self.options.trust == Trust::References && case.expected.contains(&Expectation::Open) {
            verdicts = self.ask_references(batch, case)?;
        }
        facts.witnesses = vec![None; queries];
        if verdicts.contains(&Verdict::Sat) {
            let dialect = self.solvers.target.dialect;
            let (asking, answer) = if wants_model(case) {
                (text.clone(), answer.clone())
            } else {
                let asking =
                    ask::text(batch.terms(), &case.script, &case.expected, dialect, Questions::Models);
                let (_, answer) = self.court().fresh(&asking)?;
                (asking, answer)
            };
            if let Ok(mut exhibit) = Exhibit::read(&asking, dialect) {
                for (query, reply) in heard(&answer).iter().enumerate().take(queries) {
                    let Some(model) = reply.model.as_ref().filter(|_| reply.verdict == Verdict::Sat) else {
                        continue;
                    };
                    match exhibit.check(query, model) {
                        ModelCheck::Satisfies => facts.witnesses[query] = Some(model.clone()),
                        ModelCheck::Violates { because, .. } => {
                            let suspicion = Suspicion { class: Class::InvalidModel, query, detail: because };
                            self.follow_up(batch, case, facts, &asking, &suspicion, &answer)?;
                        }
                        ModelCheck::Open(_) | ModelCheck::Unreadable(_) => {}
                    }
                }
            }
        }
        if verdicts.contains(&Verdict::Unknown) {
            self.ledger.count(|c| c.seeds_undecided += 1);
        }
        batch.settle(&verdicts);
        facts.cpu = run.cpu;
        facts.text = Some(text);
        facts.verdicts = verdicts;
        Ok(())
    }

    /// The verdicts on which all references agree that decide; at least one must.
    fn ask_references(&self, batch: &dyn Batch, case: &TestCase) -> Result<Vec<Verdict>, RunError> {
        let mut agreed: Vec<Option<Verdict>> = vec![None; case.expected.len()];
        let mut contradicted = vec![false; case.expected.len()];
        for reference in &self.solvers.references {
            let text = ask::text(
                batch.terms(),
                &case.script,
                &case.expected,
                reference.dialect,
                Questions::Verdicts,
            );
            let answer = answer::read(&reference.run(&text, &self.options.limits, self.ended)?);
            for (query, reply) in heard(&answer).iter().enumerate().take(agreed.len()) {
                if reply.verdict == Verdict::Unknown {
                    continue;
                }
                contradicted[query] |= agreed[query].is_some_and(|before| before != reply.verdict);
                agreed[query] = Some(reply.verdict);
            }
        }
        Ok(agreed
            .into_iter()
            .zip(contradicted)
            .map(|(verdict, contradicted)| verdict.filter(|_| !contradicted).unwrap_or(Verdict::Unknown))
            .collect())
    }

    /// The quieter classes: a mutant that its solver does not decide, or takes far longer for, though it decided the seed.
    fn observe(
        &mut self,
        batch: &mut dyn Batch,
        case: &TestCase,
        facts: &SeedFacts,
        text: &str,
        run: Run,
        answer: Answer,
    ) -> Result<(), RunError> {
        let undecided = heard(&answer).iter().position(|reply| reply.verdict == Verdict::Unknown);
        let timed_out = answer.trouble == Some(Trouble::Timeout);
        let slow = run.cpu > SLOW && run.cpu > facts.cpu * SLOWER;
        let (class, query, detail) = match undecided {
            Some(query) => {
                (Class::UnknownRegression, query, "unknown, though the seed is decided".to_string())
            }
            None if slow || (timed_out && facts.cpu * SLOWER < self.options.limits.cpu) => {
                let (before, now) = (facts.cpu.as_secs_f64(), run.cpu.as_secs_f64());
                (Class::Slowdown, 0, format!("{now:.2} s of CPU where the seed takes {before:.3} s"))
            }
            None => return Ok(()),
        };
        let Ok(exhibit) = Exhibit::read(text, self.solvers.target.dialect) else { return Ok(()) };
        let kind = kind(class, &operators(&exhibit), None);
        if self.ledger.weigh(&kind) == Worth::Counted {
            return Ok(());
        }
        let Origin::Mutant { mutations, .. } = &case.origin else { return Ok(()) };
        let terms = batch.terms();
        let words = mutations
            .iter()
            .map(|m| [m.rule.to_string(), term_to_string(terms, m.before), term_to_string(terms, m.after)])
            .collect();
        let confirmed = Confirmed {
            class,
            query,
            detail: detail.clone(),
            evidence: Evidence::Process(detail),
            run,
            answer,
            testimonies: Vec::new(),
        };
        self.report(&kind, case, facts, [text, text], words, confirmed)
    }
}
