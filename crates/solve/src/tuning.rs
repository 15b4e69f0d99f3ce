//! Every number that was chosen in this crate, in one table: its unit and the reason for it.
//!
//! A group has the name of the file that uses it. What is not here is no matter of choice: it encodes something (a flag, a mark, a word of
//! the float format) or follows from something else. Costs are counted in ticks, never in time, so that the same query gives the same
//! answer on every machine. `scripts/tunables` prints the table; a test of `testkit` reads it.

/// Makes the constants of the table.
macro_rules! tunables {
    ($($group:ident { $($name:ident: $kind:ty = $value:expr, $unit:literal, $reason:literal;)* })*) => {
        $(pub(crate) mod $group {
            $(#[doc = $reason] pub(crate) const $name: $kind = $value;)*
        })*
    };
}

tunables! {
    anneal_arrays {
        MAX_PASSES: usize = 64, "levels", "How deeply `ite`s over arrays may nest: each level is one pass over the query.";
        MAX_GROWTH: usize = 2_000_000, "terms", "How many terms the expansion of reads may add.";
    }
    anneal_compile {
        MAX_INSTRUCTIONS: usize = 4_000_000, "instructions", "Longer programs are refused: one evaluation would take longer than the search may.";
    }
    anneal_distance {
        FAR: f64 = 1.25, "distance", "From where no step leads: a NaN in a comparison.";
        STEP: f64 = 1.0 / 64.0, "distance", "What one step between neighbouring values counts; 2^64 steps count 1.";
        TINY: f64 = 1e-200, "distance", "Products of positive distances stay above this.";
    }
    anneal_layout {
        MAX_CONES: usize = 1 << 25, "instructions", "Programs whose cones are larger than this altogether run as a whole after every change.";
    }
    anneal_lower {
        MAX_PAIRWISE: usize = 40, "arguments", "Comparisons of this many arguments, pair by pair, are left to the operator table.";
    }
    anneal {
        EVALUATIONS_PER_PARTIAL: u64 = 64, "evaluations", "At most one partial solution for so many evaluations, once the first are out.";
        FIRST_PARTIALS: u64 = 32, "partial solutions", "Partial solutions that come out as they are found, before they are thinned out.";
        EVALUATIONS_PER_NEAR_PARTIAL: u64 = 8, "evaluations", "The same of a search that begins near: all that it passes through is of interest.";
    }
    anneal_moves {
        NARROW: u32 = 8, "bits", "Cells of at most so many bits are swept whole.";
        SWEEP_STEPS: i64 = 8, "steps", "How far a sweep of others goes from what they hold, and how many constants it looks at.";
        SWEEP_CONSTANTS: usize = 16, "constants", "How far a sweep of others goes from what they hold, and how many constants it looks at.";
        MAX_CONSTANTS: usize = 4096, "constants", "How many constants of the query a palette takes.";
    }
    anneal_search {
        HOT: f64 = 0.1, "cost", "Temperatures at the start and the end of a basin. A conjunct that is as far from true as can be costs 1.";
        COLD: f64 = 0.0005, "cost", "Temperatures at the start and the end of a basin. A conjunct that is as far from true as can be costs 1.";
        PATIENCE: u32 = 12, "basins", "Basins without a better minimum before a restart.";
        HEAVIER: f64 = 0.6, "weight", "What a failing conjunct's weight grows by at a local minimum.";
        MAX_SWEPT: usize = 4, "cells", "Cells that are swept: a sweep of a narrow one takes up to 256 evaluations.";
        MAX_ALIKE: u32 = 16, "values", "How many values that make the same conjuncts true are shown in a row; of further ones fewer and fewer.";
        MAX_CHAIN: usize = 4, "cells", "Cells that move together: the combinations multiply with each.";
    }
    anneal_tables {
        MAX_SPAN: u64 = 1 << 16, "places", "Places of a table farther apart than this do not become one: the table would be mostly empty.";
    }
    blast {
        BYTES_PER_NODE: usize = 256, "bytes", "What a node of the graph takes with its share of clauses, roughly.";
        MAX_CIRCUITS: usize = 4, "circuits", "Circuits of wrong results that are added before the SAT core tries again.";
        STALE_VARIABLES: usize = 20_000, "variables", "A smaller encoding is always kept for the next query.";
        STALE_SHARE: usize = 8, "times", "A larger encoding is given up if it is this many times as large as the last query.";
    }
    blast_axioms {
        MAX_LEMMAS: usize = 64, "violations", "Most violations that one round reports; more models, fewer clauses each, are better than the reverse.";
    }
    blast_cnf {
        MAX_WIDE: usize = 64, "operands", "Conjunctions are merged up to this many operands.";
    }
    blast_lower {
        REMAINDER_STEPS: [i64; 2] = [8, 96], "exponents", "How far apart the exponents of a remainder's arguments may be in the parts of its circuit that come before the whole.";
        SMALL_FORMAT: u32 = 12, "bits", "Formats of so many bits get their circuits at once: they cost less than to find out that they are needed.";
    }
    blast_minimize {
        TICKS: u64 = 20_000, "ticks", "What minimising a core may take in any case.";
        SHARE: u64 = 10, "parts", "Minimising a core may take one part of so many of the refutation's own effort.";
        MAX_DELETIONS: usize = 64, "conjuncts", "Larger cores are only reduced by solving them again: trying each conjunct would take too long.";
    }
    blast_partial {
        RARITY: u64 = 20, "times", "Search ticks that must pass for each tick that showing an assignment takes.";
        FREE: u64 = 4, "assignments", "Assignments that are shown whatever they cost.";
    }
    blast_prepare {
        MAX_ROUNDS: usize = 64, "rounds", "Rounds of solving for variables and replacing them: each is a pass over the query.";
        MAX_INVERSIONS: usize = 4, "operations", "How many operations are undone to get at a variable.";
    }
    blast_reals {
        MAX_LEAVES: usize = 64, "reals", "Choices between more reals than this are refused.";
    }
    blast_rewrite_arith {
        MAX_FACTORS: usize = 8, "factors", "Products are merged as long as they stay this short.";
    }
    blast_rewrite_bitwise {
        MAX_FLAT: usize = 16, "operands", "Nested applications are flattened as long as they stay this short.";
    }
    blast_rewrite_boolean {
        MAX_FLAT: usize = 32, "operands", "Nested conjunctions are flattened as long as they stay this short, lest shared ones be copied over and over.";
    }
    blast_rewrite_desugar {
        MAX_PAIRWISE: usize = 500, "arguments", "How many arguments of `distinct` are taken apart here.";
        MAX_REPEAT: u32 = 64, "repetitions", "Longer repetitions stay: they are one node, and their bits are shared anyway.";
    }
    blast_rewrite_linear {
        MAX_SUMMANDS: usize = 12, "summands", "Sums are merged as long as they stay this short, lest shared ones be copied over and over.";
    }
    blast_rewrite {
        FUEL_PER_TERM: u64 = 100, "rules", "Rules that one call may apply for each term it visits. No input is known to come near it.";
    }
    blast_rewrite_polynomial {
        MAX_MONOMIALS: usize = 48, "monomials", "Larger polynomials are not looked at: products of them are quadratic in size.";
        MAX_DEPTH: u32 = 6, "levels", "How deep sums and products are expanded: the size can double with each level.";
    }
    blast_rewrite_slice {
        MAX_FLAT: usize = 64, "operands", "Nested concatenations are flattened as long as they stay this short.";
    }
    bounded_encode {
        WIDEST: u32 = 2048, "bits or characters", "No number is wider than this, no string longer: beyond it the circuits are too large to be worth anything.";
        MOST_BITS: u64 = 1 << 22, "bits", "The most bits that all terms together may have.";
        MAX_POWER: u32 = 16, "exponent", "Powers up to this one are products.";
        MOST_SHIFTED: u32 = 256, "exponent", "Powers of two are encoded below this exponent: each takes as many bits.";
    }
    bounded {
        LINEAR_TICKS: u64 = 400_000, "ticks", "Ticks for the question whether the query keeps its unknowns within bounds, and for the one about lengths.";
    }
    cache {
        MAX_ENTRIES: usize = 4096, "sets", "How many satisfied sets and how many cores are kept.";
        MAX_CONJUNCTS: usize = 1 << 20, "conjuncts", "How many conjuncts all kept sets together may have.";
        MAX_TRIES: usize = 4, "models", "How many models of related sets are tried on a query.";
    }
    divisions {
        MAX_DIVISIONS: usize = 200, "divisions", "Divisions by what may be zero that get a choice for zero: any two choices have to agree on equal dividends.";
    }
    engine {
        LOOK_EVERY: u32 = 4096, "ticks", "How many ticks pass between two looks at the clock, which cost more than a tick.";
    }
    euf_arrays {
        MAX_INSTANCES: usize = 20_000, "instances", "Instances that one final check adds, so that the SAT core gets to use them before there are more.";
    }
    euf_combine {
        WORK_PER_TICK: u64 = 8, "visits", "Work on the graph that makes a tick.";
    }
    euf_datatypes {
        MAX_MISSING: usize = 500, "values", "Values that get a constructor in one final check.";
    }
    euf_interface {
        MAX_CLASHES: usize = 400, "clashes", "Clashes that one final check asks about: each may become a decision.";
    }
    euf_record {
        FREE: u64 = 64, "assignments", "Partial solutions that are shown before the share counts.";
        TICKS_PER_NODE: u64 = 4, "ticks", "What showing a node of the graph costs.";
        SHARE: u64 = 20, "times", "The search has to spend this many times what the recorder does.";
        FILTER_CAPACITY: usize = 1 << 16, "assignments", "Shown assignments that are remembered before the filter starts afresh, to bound memory.";
    }
    guess {
        MAX_ASSIGNMENTS: u64 = 4096, "assignments", "All assignments are tried if there are at most this many.";
        MAX_VISITS: u64 = 200_000, "terms", "and evaluating them visits at most about this many terms.";
        TICKS_PER_VISIT: u32 = 1, "ticks", "What a visit of a term by the evaluator counts.";
        MAX_TABLES: usize = 1 << 16, "conjuncts", "Conjuncts on one symbol whose outcomes are remembered: beyond it all are forgotten.";
        MAX_VALUES: usize = 256, "values", "Values of a symbol whose outcomes are remembered: a byte's. More take more memory than they save.";
    }
    ils_batch {
        WIDTH: usize = 8, "values", "Values that are computed at once: finding out which instruction is next is paid once for all of them.";
    }
    ils_classic {
        ITERATIONS: i64 = 10, "steps", "How often a strategy repeats its step (Section IV-B: \"10 is the best threshold\").";
        BIG_DELTA: i64 = 100, "distance", "The big step (Section IV-B: \"100 is the best threshold for the big delta value\").";
        RANDOM_POINTS: u64 = 1 << 14, "points", "Points that the Randomisation phase tries, counted rather than timed so that a run repeats.";
        TABU_POINTS: usize = 1 << 16, "points", "Points that one path condition's tabu list remembers.";
        DRAWS: usize = 64, "draws", "Draws of a point that is not tabu before the bounds grow.";
        PARTIALS: u64 = 1024, "partial solutions", "So many partial solutions are given for one path condition.";
    }
    ils_compile {
        BYTES: usize = 128, "bytes", "Bytes that one instruction takes with all its tables, roughly.";
    }
    ils_divisors {
        LIMIT: u64 = 1 << 16, "divisor", "Trial division goes this far; what is left then counts as prime.";
        MOST: usize = 4096, "divisors", "Divisors that a number gets, to bound memory and the number of proposals.";
        REMEMBERED: usize = 256, "numbers", "Numbers whose divisors are remembered, to bound memory.";
    }
    ils_eliminate {
        GROWTH: usize = 4, "times", "Eliminated variables must not make the program grow by more than this factor.";
        SLACK: usize = 1024, "instructions", "What a small program may grow by beside the factor.";
    }
    ils_exact {
        MAX_BITS: usize = 4096, "bits", "Numbers with more bits than this count as undefined: a search has no use for them, and products of products must not eat the memory.";
    }
    ils_guided {
        TURN: u64 = 256, "moves", "How many steps a query searches before it is the next one's turn.";
        FREELY: u64 = 1024, "assignments", "So many partial solutions are given as they come; after that one in so many moves.";
    }
    ils_line {
        REACH: u32 = 62, "power of two", "How far from the start a search along a variable goes, as a power of two.";
    }
    ils_machine {
        POOL_SIZE: usize = 1 << 20, "integers", "Big integers that the pool may hold, to bound memory.";
        POOL_FULL: usize = POOL_SIZE / 2, "integers", "Once the pool is this full it is worth collecting.";
    }
    ils_search_chain {
        CHAINS: usize = 24, "chains", "Chains of changes that are tried from one point before it counts as a local minimum.";
        LINKS: usize = 5, "links", "Links of the longest chain: each repairs what the one before broke.";
        PROPOSALS: usize = 4, "proposals", "Proposals for a link before the chain ends, so that one link does not eat the time of all chains.";
    }
    ils_search_lines {
        LINES: usize = 4, "variables", "Variables along which a line is searched when no proposal is better.";
    }
    ils_search {
        TABU_POINTS: usize = 1 << 14, "points", "Points that are remembered and not visited twice, to bound memory.";
        AIMED: usize = 12, "proposals", "Proposals that inverting a comparison makes in one step.";
        NUDGED: usize = 6, "variables", "Variables that get small and random changes in one step.";
        PATIENCE: u64 = 48, "steps", "Steps without improvement before the first restart.";
        HEAVIEST: u32 = 1 << 12, "weight", "The heaviest that a conjunct gets, so that sums of weighted costs do not overflow.";
    }
    ils_state {
        FEW: usize = 3, "values", "So few values are computed one by one: a batch costs as much as a full one.";
    }
    linear_encode {
        BYTES_PER_PAIR: usize = 1_000, "bytes", "What a pair of `distinct` takes in gates, bounds and clauses, roughly (measured: 3,000 integers took 3.3 GB).";
        POLL_EVERY: usize = 1 << 10, "pairs", "How many pairs pass between two looks at the clock.";
        TICKS_PER_OPERAND: u32 = 2, "ticks", "What translating one operand costs.";
    }
    linear_encode_arith {
        MAX_BITS: usize = 1 << 22, "bits", "The longest product of constants that is computed, in bits: as long as a value of the evaluator's may be.";
    }
    linear_encode_equations {
        LONGEST: usize = 16, "unknowns", "Unknowns that a value may mention: longer ones make later rows dense.";
        MAX_OPERATORS: usize = 64, "operators", "Operators that one side of an equation may have before it is left as it is.";
    }
    linear_encode_functions {
        MAX_PAIRS: usize = 20_000, "pairs", "Pairs of applications beyond which the expansion of functions is refused.";
        TICKS_PER_PAIR: u32 = 20, "ticks", "What relating two applications costs.";
    }
    linear_gates {
        FLATTENED: usize = 8, "operands", "Operands of an operand that are taken over into a conjunction: few, so that long chains stay linear.";
    }
    linear_record {
        TICKS_PER_VALUE: u64 = 4, "ticks", "What showing one value counts.";
        SHARE: u64 = 40, "times", "The search has to spend this many times what the recorder does.";
        FREE_VALUES: u64 = 4096, "values", "Values that may be shown before the share counts.";
        FILTER_CAPACITY: usize = 1 << 18, "assignments", "Remembered assignments before the filter starts afresh, to bound memory.";
    }
    linear_skeleton {
        BYTES_PER_LITERAL: usize = 16, "bytes", "What a literal in a clause takes with its watches, roughly.";
        CORE_TICKS: (u64, u64) = (20_000, 2_000_000), "ticks", "What looking for a core may take beyond what the refutation took, and at most.";
    }
    nonlinear_fix {
        TICKS: u64 = 20_000, "ticks", "What one attempt may take: there are many, and each pays only if it succeeds at once.";
    }
    nonlinear {
        MOST_COMPARED: usize = 8, "products", "So many products are compared with each other.";
        MAX_LEMMAS: usize = 40, "lemmas", "Lemmas that one round adds, so that simplex gets to use them before there are more.";
    }
    nonlinear_powers {
        MAX_EXPONENT: usize = 4096, "exponent", "Powers of two up to this exponent are written out in lemmas.";
    }
    nonlinear_products {
        MAX_POWER: i64 = 16, "exponent", "Powers up to this one are products.";
    }
    portfolio {
        FIRST_SLICE: u64 = 50_000, "ticks", "What an engine's turn takes in the first round.";
        GROWTH: u32 = 2, "doublings", "How often a turn doubles from round to round.";
        VIEW_SHARE: u64 = 8, "parts", "Views get one part of so many of a turn: they can only help by luck.";
        GUESS_TICKS: u64 = 4_000_000, "ticks", "What guessing may take before the engines begin.";
        NEAR_TICKS: u64 = 10_000, "ticks", "What a search near an assignment that the asker knows may take, before anything else.";
        LOOK_TICKS: u64 = 1500, "ticks", "What a look around such an assignment may take.";
        TICKS_PER_TERM: u32 = 4, "ticks", "What compiling a term for such a search costs.";
        MAX_NEAR: usize = 20_000, "terms", "Larger queries are not searched so: to compile them takes longer than it is worth.";
    }
    record {
        MAX_RECORDS: usize = 10_000, "partial solutions", "How many partial solutions of one query are kept; later ones are counted only.";
    }
    sat_analyze {
        TIER1_GLUE: u32 = 2, "levels", "Clauses of at most this glue are kept for ever.";
        TIER2_GLUE: u32 = 6, "levels", "Clauses of at most this glue survive one reduction more without being used.";
    }
    sat_decide {
        GROWTH: f64 = 1.0 / 0.95, "times", "Decay of EVSIDS: each conflict's bumps weigh this much more than the last one's.";
        SCORE_LIMIT: f64 = 1e150, "score", "Scores are scaled down when one passes this, before they overflow.";
    }
    sat_eliminate {
        OCCURRENCE_LIMIT: usize = 100, "clauses", "A variable whose literal occurs in more clauses is not eliminated: there are too many pairs to resolve.";
        RESOLVENT_LIMIT: usize = 100, "literals", "A variable with a longer resolvent is not eliminated: long clauses propagate rarely.";
        GROWTH_LIMIT: usize = 16, "clauses", "Most clauses by which an elimination may grow the formula, reached in steps.";
        ROUND_LIMIT: usize = 8, "passes", "Most passes over the variables that eliminations have changed.";
    }
    sat_gates {
        XOR_SIZE_LIMIT: usize = 4, "literals", "Longest clause of an exclusive-or definition: such a definition has twice as many clauses with each literal.";
    }
    sat_inprocess {
        PROBE_EFFORT: u64 = 3, "percent", "The share of the search's effort that probing gets.";
        VIVIFY_EFFORT: u64 = 15, "percent", "The share of the search's effort that vivification gets.";
        SUBSUME_EFFORT: u64 = 10, "percent", "The share of the search's effort that subsumption gets.";
        ELIMINATE_EFFORT: u64 = 15, "percent", "The share of the search's effort that elimination of variables gets.";
        MINIMUM_EFFORT: u64 = 20_000, "ticks", "What every technique gets in any case, so that small formulas are simplified to the end.";
    }
    sat_minimize {
        BINARY_SIZE_LIMIT: usize = 30, "literals", "Longest clause that binary strengthening looks at.";
    }
    sat_reduce {
        TARGET: usize = 75, "percent", "How many of the candidates a reduction removes.";
    }
    sat_restart {
        MARGIN: f64 = 1.10, "times", "Recent glue must be this much worse than average for a focused restart.";
    }
    sat_search {
        BUDGET_STRIDE: u64 = 4096, "ticks", "How many ticks pass between two questions to the budget.";
    }
    sat_subsume {
        SIZE_LIMIT: usize = 100, "literals", "Longer clauses are neither tried nor used: they rarely subsume anything.";
    }
    sat_watch {
        WATCHES_PER_LINE: usize = 16, "watches", "Watches per cache line, for the tick estimate.";
    }
    session_answers {
        LARGEST_TREE: u64 = 10_000, "nodes", "A term is echoed as a tree if that has at most this many nodes, with `let` otherwise.";
    }
    session {
        RECLAIMED_AT_ONCE: usize = 20_000, "terms", "Terms that a pop must leave behind before they are given back: what engines learnt is lost with them.";
    }
    simplex_budget {
        STEPS_PER_POLL: u32 = 256, "steps", "The stop closure is asked once in so many steps or ticks, whichever comes first.";
        TICKS_PER_POLL: u64 = 200_000, "ticks", "The stop closure is asked once in so many steps or ticks, whichever comes first.";
    }
    simplex_check {
        BLAND_THRESHOLD: u32 = 1000, "pivots", "Pivots of one check before Bland's rule takes over, which ends but is slow.";
    }
    simplex_conjunction {
        MAX_DEPTH: usize = 200, "decisions", "Nested decisions before a case is given up; unbounded systems can branch without end.";
    }
    simplex_differences {
        LEAST_ROWS: usize = 256, "rows", "Few rows pivot quickly, and each pivot shows a partial solution; shortest ways show one a check.";
    }
    simplex_final_check {
        MAX_TIGHTENINGS: u32 = 4, "times", "How often one final check may tighten integer bounds; on unbounded systems it could go on forever.";
    }
    simplex_integer_cube {
        CUBE_TICKS: u64 = 200_000, "ticks", "Share of a budget that one cube test may take, in ticks.";
    }
    simplex_integer_diophantine {
        MAX_STEPS: usize = 200_000, "terms", "Steps (terms touched) before elimination gives up.";
    }
    simplex_integer_equations {
        MAX_VERTEX: usize = 60, "equations", "Vertices with more equations than this are left to branching.";
        MAX_COEFFICIENT: i64 = 1 << 20, "size", "Coefficients of a useful split form are smaller than this.";
    }
    simplex_integer_gomory {
        MAX_COEFFICIENT: i64 = 1 << 24, "size", "Coefficients of a usable cut are smaller than this; larger ones slow down every later pivot.";
        MAX_ROWS_TRIED: usize = 8, "rows", "Rows tried for a cut in one visit, so that looking for cuts stays cheap.";
    }
    simplex_integer {
        DEFAULT_REQUEST_LIMIT: u64 = 20_000, "requests", "Requests for splits and cuts before the core gives up, unless the caller says otherwise.";
        EQUATIONS_PERIOD: u64 = 4, "visits", "Each of these techniques is tried once in so many visits.";
        LUCK_PERIOD: u64 = 8, "visits", "Each of these techniques is tried once in so many visits.";
        PROOF_SPLIT_PERIOD: u64 = 6, "visits", "Each of these techniques is tried once in so many visits.";
        GOMORY_PERIOD: u64 = 3, "visits", "Each of these techniques is tried once in so many visits.";
        MAX_REQUESTED_ROWS: usize = 10, "rows", "Rows of cuts and proof splits in the tableau at one time. They are dense, and every node pays for them.";
    }
    simplex_partial {
        FILTER_CAPACITY: usize = 1 << 18, "hashes", "Remembered hashes before the filter starts afresh, to bound memory.";
        FREE_LOOKS: u64 = 64, "assignments", "So many assignments are looked at as they come; every further so many, one more pivot passes between two looks.";
    }
    simplex_propagate {
        MAX_ROW: usize = 200, "entries", "Rows longer than this are not used: their explanations would be poor and their sums costly.";
        EFFORT: usize = 20_000, "entries", "Entries of rows looked at in one call, so that propagation stays a small part of the work.";
        TIGHTENING_ROUNDS: usize = 5, "rounds", "Rounds of integer tightening in one call; chains such as `x < y < x` never end by themselves.";
        MAX_TIGHTENED: i64 = 1 << 40, "size", "Derived integer bounds beyond this are dropped: they are on the way to infinity, not to a conflict.";
    }
    simplex_sleep {
        TOLERATED: usize = 8, "rows", "Unbounded rows that are tolerated before they are removed together.";
    }
    strings_regex {
        DEPTH: u32 = 64, "levels", "Nested deeper than this, a language is beyond this engine.";
        MOST_GATES: u64 = 400_000, "gates", "Gates that one membership in a regular language may take, to bound memory.";
    }
    strings_shapes {
        WINDOW: usize = 3, "characters", "Characters at each end of a string that are looked at: cases of a concatenation grow with the square.";
        MAX_LETTERS: usize = 6, "letters", "Letters that are counted.";
        MAX_TEXTS: usize = 60, "strings", "Queries with more strings than this are asked about lengths alone.";
    }
    view {
        TICKS_PER_TERM: u32 = 25, "ticks", "What a term of a view costs: to make it, and to encode it for the engines that get the view.";
        MAX_SIZE: usize = 50_000, "terms", "Larger queries are not translated: views must not cost more than the query.";
        MAX_BITS: u32 = 1 << 12, "bits", "How many bits of operands that are both unknown are conjoined one by one; an operation beyond that is an unknown.";
    }
}
