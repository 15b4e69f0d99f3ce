//! The engine `auto`: the engines that can take a query take turns, with growing slices of the budget; the first verdict
//! wins. A cheap guess comes first, and where the query is about bit-vectors the engines for integers get a view of it
//! as integers, whose candidates the evaluator judges: they answer `sat` sometimes, and they deliver partial solutions
//! always.

use crate::anneal::Anneal;
use crate::defaults::complete;
use crate::divisions::Opened;
use crate::engine::{Budget, Engine, Look, NoPartials, Partial, Partials, Query, Reason, Verdict};
use crate::engines::{AUTO, TABLE};
use crate::guess::Guess;
use crate::profile::Profile;
use crate::tuning::portfolio::{
    FIRST_SLICE, GROWTH, GUESS_TICKS, LOOK_TICKS, MAX_NEAR, NEAR_TICKS, TICKS_PER_TERM, VIEW_SHARE,
};
use crate::verify::satisfies;
use crate::view::{Back, IntegerView};
use smt::{FunId, Model, Terms, Value};

/// Who searches so. It is for floats, but takes bit-vectors as well.
const NEAR: &str = "anneal";

/// Engines that see a query over bit-vectors as one over integers, and what their partial solutions are signed with.
static VIEWERS: &[(&str, &str)] = &[("simplex", "simplex:int"), ("ils", "ils:int")];

/// The engine `auto`.
pub struct Portfolio {
    seed: u64,
    /// The row of the only engine that plays.
    only: Option<usize>,
    guess: Guess,
    /// Searches near a given assignment.
    near: Anneal,
    /// One for each row of the table, made when it is first needed.
    engines: Vec<Option<Box<dyn Engine>>>,
    /// Where an engine that only searches came nearest to satisfying the present query.
    nearest: Vec<(FunId, Value)>,
    turns: u64,
    /// Candidates of views that the evaluator accepted and rejected.
    accepted: u64,
    rejected: u64,
    /// Who gave the last verdict.
    winner: &'static str,
}

/// An engine in the rotation.
struct Player {
    row: usize,
    /// What its partial solutions are signed with if it plays on the view.
    view: Option<&'static str>,
}

impl Portfolio {
    /// All engines of the table, seeded.
    pub fn new(seed: u64) -> Portfolio {
        Portfolio {
            seed,
            only: None,
            guess: Guess::default(),
            near: Anneal::with_seed(seed),
            engines: TABLE.iter().map(|_| None).collect(),
            nearest: Vec::new(),
            turns: 0,
            accepted: 0,
            rejected: 0,
            winner: "none",
        }
    }

    /// Only one engine of the table, or all if there is none of that name.
    pub fn only(name: &str, seed: u64) -> Portfolio {
        Portfolio { only: TABLE.iter().position(|row| row.name == name), ..Portfolio::new(seed) }
    }

    /// Cheap candidates, tried first.
    fn guess(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        self.winner = self.guess.name();
        if self.only.is_some() {
            return Verdict::Unknown(Reason::Unsupported);
        }
        self.guess.solve(terms, query, &mut budget.slice(GUESS_TICKS), partials)
    }

    /// A short search from the assignment that the asker knows, once for a query.
    fn search_near(
        &mut self,
        terms: &mut Terms,
        game: &Game<'_>,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let row = TABLE.iter().find(|row| row.name == NEAR);
        let plays = self.only.is_none_or(|only| TABLE[only].name == NEAR);
        let takes = plays && row.is_some_and(|row| row.takes.has(game.profile.features));
        if !takes || game.profile.size > MAX_NEAR {
            return Verdict::Unknown(Reason::Unsupported);
        }
        self.winner = NEAR;
        budget.spend(TICKS_PER_TERM * game.profile.size as u32);
        let mut slice = budget.slice(NEAR_TICKS);
        let before = slice.ticks_left();
        let verdict = self.near.solve(terms, game.asked, &mut slice, partials);
        budget.spend(u32::try_from(before - slice.ticks_left()).unwrap_or(u32::MAX));
        verdict
    }

    /// Who can play on the query itself, in the order of the table.
    fn direct_players(&self, profile: &Profile) -> Vec<Player> {
        let fits = |row: &usize| match self.only {
            None => TABLE[*row].plays && TABLE[*row].fits(profile.features),
            Some(only) => *row == only && TABLE[*row].takes.has(profile.features),
        };
        (0..TABLE.len()).filter(fits).map(|row| Player { row, view: None }).collect()
    }

    /// Who can play on the view.
    fn view_players(&self, terms: &Terms, view: &IntegerView) -> Vec<Player> {
        let features = Profile::of(terms, &view.query.assertions).features;
        let player = |(name, signature): &(&str, &'static str)| {
            let row = TABLE.iter().position(|row| row.name == *name && row.takes.has(features))?;
            let row = Some(row).filter(|row| self.only.is_none_or(|only| only == *row))?;
            Some(Player { row, view: Some(signature) })
        };
        VIEWERS.iter().filter_map(player).collect()
    }

    /// One turn of one player.
    fn turn(
        &mut self,
        terms: &mut Terms,
        game: &Game<'_>,
        player: &Player,
        slice: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        self.turns += 1;
        let row = &TABLE[player.row];
        let engine = self.engines[player.row].get_or_insert_with(|| (row.make)(self.seed));
        let (Some(signature), Some(view)) = (player.view, &game.view) else {
            self.winner = row.name;
            if let Some(opened) = game.opened.as_ref().filter(|_| row.opened) {
                return solve_opened(&mut **engine, terms, game, opened, slice, partials);
            }
            // Who decides begins with the best of those who search.
            let begins = row.decides.is_some() && !self.nearest.is_empty();
            let near = begins.then(|| game.query.clone().near(&self.nearest));
            let verdict = engine.solve(terms, near.as_ref().unwrap_or(game.query), slice, partials);
            if row.decides.is_none() {
                self.nearest = engine.nearest();
            }
            return verdict;
        };
        self.winner = signature;
        let mut back = Back { view, engine: signature, partials };
        match engine.solve(terms, &view.query, slice, &mut back) {
            Verdict::Sat(found) => {
                let mut model = view.model_back(&found);
                complete(terms, &mut model, &game.profile.symbols);
                if satisfies(terms, &model, &game.query.assertions) {
                    self.accepted += 1;
                    return Verdict::Sat(model);
                }
                self.rejected += 1;
                partials.take(as_partial(terms, &game.profile, &model, signature, self.rejected));
                Verdict::Unknown(Reason::Incomplete)
            }
            // That the view has no solution says nothing about the query.
            Verdict::Unsat(_) => Verdict::Unknown(Reason::Incomplete),
            unknown => unknown,
        }
    }

    /// Rounds of turns until an engine answers, none is left, or the budget is used up.
    fn play(
        &mut self,
        terms: &mut Terms,
        mut game: Game<'_>,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        let mut players = self.direct_players(&game.profile);
        self.nearest.clear();
        let mut viewable = true;
        let mut unknown = Reason::Unsupported;
        for round in 0.. {
            // The view is worth its price if the caller collects candidates, or if the query turned out to be hard.
            if viewable && (round > 0 || players.is_empty() || game.early_view) {
                // A view may cost as much as a turn on it. One that costs more waits for longer turns.
                let ticks = if players.is_empty() { u64::MAX } else { turn_ticks(round) / VIEW_SHARE };
                let made =
                    charged(budget, ticks, |slice| IntegerView::of(terms, game.query, &game.profile, slice));
                match made {
                    Ok(view) => (game.view, viewable) = (view, false),
                    Err(reason) if players.is_empty() => return Verdict::Unknown(reason),
                    Err(_) => {}
                }
                let viewers = game.view.as_ref().map_or_else(Vec::new, |v| self.view_players(terms, v));
                // In round zero the viewers go first, for their partial solutions.
                players.splice(0..0, viewers);
            }
            let alone = players.len() == 1 && !viewable;
            let mut at = 0;
            while at < players.len() {
                if let Some(reason) = budget.exhausted() {
                    return Verdict::Unknown(reason);
                }
                if budget.ticks_left() == 0 {
                    return Verdict::Unknown(Reason::Time);
                }
                if game.is_near && players[at].view.is_none() {
                    game.is_near = false;
                    let verdict = self.search_near(terms, &game, budget, partials);
                    if !matches!(verdict, Verdict::Unknown(reason) if reason != Reason::Interrupted) {
                        return verdict;
                    }
                }
                let share = if players[at].view.is_some() { VIEW_SHARE } else { 1 };
                let ticks = if alone { u64::MAX } else { turn_ticks(round) / share };
                let mut slice = budget.slice(ticks);
                let before = slice.ticks_left();
                let verdict = self.turn(terms, &game, &players[at], &mut slice, partials);
                let spent = before - slice.ticks_left();
                tracing::trace!(
                    round,
                    player = at,
                    spent,
                    decided = !matches!(verdict, Verdict::Unknown(_)),
                    "an engine had its turn"
                );
                budget.spend(u32::try_from(spent).unwrap_or(u32::MAX));
                match verdict {
                    Verdict::Unknown(Reason::Interrupted) => return Verdict::Unknown(Reason::Interrupted),
                    // Its slice is used up: it plays again in the next round, unless there is none.
                    Verdict::Unknown(Reason::Time) => {
                        unknown = Reason::Time;
                        at += 1;
                    }
                    Verdict::Unknown(reason) => {
                        unknown = if unknown == Reason::Unsupported { reason } else { unknown };
                        players.remove(at);
                    }
                    verdict => return verdict,
                }
            }
            if players.is_empty() && !viewable {
                break;
            }
        }
        Verdict::Unknown(unknown)
    }
}

/// What a turn takes in a round.
fn turn_ticks(round: u32) -> u64 {
    FIRST_SLICE.saturating_mul(1 << (GROWTH * round).min(40))
}

/// Work on a slice of a budget, which then is charged for it.
fn charged<T>(budget: &mut Budget, ticks: u64, work: impl FnOnce(&mut Budget) -> T) -> T {
    let mut slice = budget.slice(ticks);
    let before = slice.ticks_left();
    let result = work(&mut slice);
    budget.spend(u32::try_from(before - slice.ticks_left()).unwrap_or(u32::MAX));
    result
}

/// A query with what is known about it.
struct Game<'a> {
    /// The query without the assignment nearby, from which one search begins and the others do not.
    query: &'a Query,
    asked: &'a Query,
    /// Whether that search is still to come.
    is_near: bool,
    profile: Profile,
    /// The query with choices for divisions by zero, if it has such divisions.
    opened: Option<Opened>,
    view: Option<IntegerView>,
    /// Whether the view is wanted from the first round on, for its partial solutions.
    early_view: bool,
}

/// A turn on the query with choices for divisions by zero.
fn solve_opened(
    engine: &mut dyn Engine,
    terms: &mut Terms,
    game: &Game<'_>,
    opened: &Opened,
    slice: &mut Budget,
    partials: &mut dyn Partials,
) -> Verdict {
    let mut back = opened.back(terms, partials);
    match engine.solve(terms, &opened.query, slice, &mut back) {
        Verdict::Sat(mut found) => {
            let symbols = Profile::of(terms, &opened.query.assertions).symbols;
            complete(terms, &mut found, &symbols);
            // Dividends may be about symbols that occur nowhere else.
            complete(terms, &mut found, &game.profile.symbols);
            let model = opened.model_back(terms, found);
            if satisfies(terms, &model, &game.query.assertions) {
                Verdict::Sat(model)
            } else {
                Verdict::Unknown(Reason::Incomplete)
            }
        }
        Verdict::Unsat(core) => Verdict::Unsat(opened.core_back(core)),
        unknown => unknown,
    }
}

fn as_partial(terms: &Terms, profile: &Profile, model: &Model, engine: &'static str, step: u64) -> Partial {
    let values = profile.constants(terms).filter_map(|c| Some((c, model.value(c)?.clone()))).collect();
    Partial { values, engine, step }
}

impl Engine for Portfolio {
    fn name(&self) -> &'static str {
        AUTO
    }

    fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        // Who collects partial solutions wants the way, which a lucky guess would cut short: then it is only the last resort.
        let collecting = !query.hurried && partials.wanted();
        let mut verdict = Verdict::Unknown(Reason::Unsupported);
        if !collecting {
            verdict = self.guess(terms, query, budget, partials);
        } else if self.only.is_none() {
            // To try all values of a byte costs less than what any other engine does before it begins.
            self.winner = self.guess.name();
            verdict = self.guess.exhaust(terms, query, &mut budget.slice(GUESS_TICKS), partials);
        }
        if matches!(verdict, Verdict::Unknown(reason) if reason != Reason::Interrupted) {
            let profile = Profile::of(terms, &query.assertions);
            let plain = Query::new(query.assertions.clone());
            let (asked, is_near) = (query, query.near.is_some());
            let opened = Opened::of(terms, &plain);
            let early_view = collecting;
            let game = Game { query: &plain, asked, is_near, profile, opened, view: None, early_view };
            verdict = self.play(terms, game, budget, partials);
            if collecting && matches!(verdict, Verdict::Unknown(Reason::Unsupported | Reason::Incomplete)) {
                verdict = self.guess(terms, query, budget, partials);
            }
        }
        if matches!(verdict, Verdict::Unknown(_)) {
            self.winner = "none";
        }
        verdict
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = vec![
            ("auto-turns", self.turns),
            ("view-candidates-accepted", self.accepted),
            ("view-candidates-rejected", self.rejected),
        ];
        all.extend(self.guess.counters());
        for engine in self.engines.iter().flatten() {
            all.extend(engine.counters());
        }
        all
    }

    fn answered_by(&self) -> &'static str {
        self.winner
    }
}

impl Look for Portfolio {
    fn look(
        &mut self,
        terms: &mut Terms,
        query: &Query,
        budget: &mut Budget,
        partials: &mut dyn Partials,
    ) -> Verdict {
        if query.near.is_none() || self.only.is_some_and(|only| TABLE[only].name != NEAR) {
            return Verdict::Unknown(Reason::Unsupported);
        }
        self.winner = NEAR;
        let mut slice = budget.slice(LOOK_TICKS);
        let before = slice.ticks_left();
        let verdict = match Profile::of(terms, &query.assertions).size {
            size @ 0..=MAX_NEAR => {
                budget.spend(TICKS_PER_TERM * size as u32);
                self.near.look(terms, query, &mut slice, partials)
            }
            _ => Verdict::Unknown(Reason::Unsupported),
        };
        budget.spend(u32::try_from(before - slice.ticks_left()).unwrap_or(u32::MAX));
        match verdict {
            Verdict::Unknown(reason) if reason != Reason::Interrupted && self.only.is_none() => {
                self.winner = self.guess.name();
                self.guess.exhaust(terms, query, budget, &mut NoPartials)
            }
            known => known,
        }
    }
}
