//! Every number that was chosen in this crate, in one table: its unit and the reason for it.
//!
//! A group has the name of the file that uses it. What is not here is no matter of choice: it encodes something (the head of a file
//! format, a mode of the file system) or follows from something else. What one evaluation may cost is counted in steps of the evaluator,
//! so that the same seed gives the same tests on every machine. `scripts/tunables` prints the table; a test of `testkit` reads it.

/// Makes the constants of the table.
macro_rules! tunables {
    ($($group:ident { $($name:ident: $kind:ty = $value:expr, $unit:literal, $reason:literal;)* })*) => {
        $(pub(crate) mod $group {
            #[allow(unused_imports, reason = "not every group has a time")]
            use std::time::Duration;

            $(#[doc = $reason] pub(crate) const $name: $kind = $value;)*
        })*
    };
}

tunables! {
    all {
        MUTANTS: usize = 12, "mutants", "How many mutants of a seed one batch has. A batch is one choice of a theme, a context and a setting: many small batches try more of these than few large ones.";
        TAKEN: usize = 12, "cases", "How many cases of another strategy's batch are taken, after a part of it that is left out by chance.";
        PASSED: usize = 48, "cases", "So many cases of a batch of the enumeration are passed over, at most, so that two batches do not begin with the same ones.";
        SEEDS: usize = 8, "seeds", "How many seeds are looked at for one of a logic that the solver has, before a formula grows instead.";
    }
    all_bandit {
        ROUND: u64 = 16, "batches", "Batches of one round choose from what earlier rounds have seen, so that their order does not depend on the workers.";
        MENU: usize = 12, "contexts", "How many contexts a batch has; its tests take turns.";
        KEPT: usize = 64, "formulas", "How many formulas that showed something new are kept as seeds; the latest replaces the oldest, since what is new gets rarer and better.";
        AGAIN: usize = 3, "batches", "One batch in so many that need a seed takes one that was kept: the user's seeds keep the larger share.";
        DEFAULTS: usize = 2, "batches", "One batch in so many has the solver's defaults, which is what most users run.";
    }
    all_framed {
        COMBINED: usize = 2, "tests", "One test in so many has two contexts: one that changes the formula, and one that changes how it is asked.";
        LATER: usize = 3, "tests", "One test in so many that are asked plainly comes after the one before it, in the same script.";
        STATISTICS: usize = 8, "tests", "Every so many tests statistics are asked for: they cost little and some solvers fail at them.";
    }
    all_logics {
        CPU: Duration = Duration::from_secs(3), "CPU time", "What an empty query may take: a solver of Python needs a second to start on a loaded machine.";
        OUTPUT: usize = 64 << 10, "bytes", "How much a solver may say to an empty query.";
    }
    approx_batch {
        TRIES: usize = 4, "places", "How many places are tried for one mutation before the mutant does without it.";
    }
    approx_live {
        KEPT: usize = 128, "terms", "More terms of one sort than this are not kept: choices among them would not differ in kind.";
    }
    approx_seed {
        HEAD: usize = 16 << 10, "bytes", "How much of a seed is looked at before its turn comes.";
    }
    approx_skeleton {
        WALKED: usize = 4096, "nodes", "After this many nodes a subformula that was entered already is not entered again: a formula whose tree is much larger than its DAG has places enough.";
    }
    enumerate {
        BATCH: u64 = 64, "formulas", "How many formulas make a batch, before repetitions are left out.";
    }
    enumerate_universe {
        VARIABLES: usize = 2, "variables", "Variables that each sort has: with more, formulas of a size differ mostly in names.";
    }
    evidence_confirm {
        FASTER: u32 = 10, "times", "A performance defect needs a referee that is this many times faster than the limit.";
    }
    evidence_sent {
        QUANTIFIED_STEPS: u64 = 1_000_000, "steps", "Evaluation steps for a model of a formula with quantifiers: about a second.";
        SHOWN: usize = 300, "characters", "Longest piece of a term that a report shows: a few lines.";
    }
    evidence_shrink {
        RELEASES: usize = 3, "releases", "Other releases that a reduced script must be right or wrong in as the original is: each is a run for every candidate.";
        MAX_TESTS: u64 = 3_000, "runs", "Candidates that one reduction may run, and how long all of them may take.";
        MAX_TIME: Duration = Duration::from_secs(120), "time", "Candidates that one reduction may run, and how long all of them may take.";
    }
    evolve_confirm {
        QUICK: u32 = 10, "parts", "The reference must answer within this part of the limit that the target reaches.";
        SAME: f64 = 0.9, "share", "Traces at least this alike are of the same defect.";
        TRACED: Duration = Duration::from_secs(2), "time", "A run whose trace is compared lasts at most this long.";
    }
    evolve_confirm_trial {
        SEEDS: u32 = 5, "seeds", "How many random seeds of the target are tried.";
        SEEDS_OF_A_STEP: usize = 2, "seeds", "How many of them are tried on every step of a reduction.";
        SLOW_ENOUGH: Duration = Duration::from_millis(1500), "time", "While reducing, a run is slow that lasts this long; the result must be slow by the full limit.";
        TRIES: usize = 5, "tries", "How many of the formulas that a reduction went through are tried before the formula as it was found.";
    }
    evolve_evaluate {
        SHORTEST: Duration = Duration::from_millis(200), "time", "The reference is given at least this long, so that its verdict can be compared.";
    }
    evolve_grow {
        MAX_DEPTH: u32 = 8, "levels", "The largest depth that growing accepts: the size doubles with each level.";
    }
    evolve_individual {
        MAX_NODES: u64 = 2_000, "nodes", "Seeds and children with more nodes than this, counted as trees, are refused.";
    }
    evolve_run {
        REDUCTION_TESTS: u64 = 300, "tests", "How many tests one reduction may use: each that stays slow costs seconds.";
        USUAL_TIME: Duration = Duration::from_secs(600), "time", "How long a search lasts if nothing limits it, and how long confirming goes on where the search has no time limit.";
    }
    evolve_search_breed {
        ATTEMPTS: usize = 12, "tries", "How often a child that was there before mutates again, and then how often a new individual is grown.";
    }
    evolve_search {
        KEPT_CONTRADICTIONS: usize = 20, "texts", "Texts on which the two solvers contradict each other that are kept, to bound the output.";
        MOST_TERMS: usize = 1 << 20, "terms", "The arena is made anew when it has more terms than this.";
    }
    evolve_trace {
        CAPACITY: usize = 1 << 14, "lines", "Different lines that a trace keeps; of more, a uniform sample (docs/evolve.md).";
    }
    finding_contrast {
        NAMED: usize = 8, "counters", "Counters that a report names: more are not read.";
    }
    finding_diagnosis {
        OPTIONS: usize = 40, "options", "How many options of the solver are tried on a finding: each is a run.";
        RELEASES: usize = 8, "releases", "How many releases are tried on a finding: each is a run.";
    }
    finding_report {
        SHOWN: usize = 4_000, "characters", "Longest model or output that is shown in full.";
    }
    fusion {
        STEPS: u64 = 200_000, "steps", "What one evaluation of a formula may cost; one that costs more is thrown away.";
    }
    mutate_change {
        TRIES: usize = 12, "tries", "How often each way of changing a term is tried before another one is chosen.";
    }
    instrument {
        TOLD: Duration = Duration::from_secs(10), "time", "How often a build tells how far it is.";
        SHOWN: usize = 20, "lines", "How much of what a failed step said is shown: compilers end with what matters.";
    }
    mutate {
        STEPS: u64 = 200_000, "steps", "What one evaluation of a mutant may cost; beyond it the mutant's truth is open.";
    }
    reduce_binders {
        INSTANCES: usize = 4, "instances", "Instances of a bound variable that are tried: each is a run of the solver.";
    }
    reduce_search {
        COARSE_LEVELS: usize = 2, "halvings", "How often the first round halves a list; each round after it twice as often.";
        GROWTH: usize = 8, "times", "A text may grow this much where a step is worth it (a definition inlined, a conjunction split): sharing between commands cannot be written.";
        MODEST: usize = 10_000, "bytes", "Texts up to this length may grow to [`GROWTH`] times it.";
        REPORT_EVERY: u64 = 16, "tests", "ReduceProgress is told after each step and every so many tests.";
    }
    reduce_subterms {
        DESCENDANTS: usize = 8, "terms", "How many terms of its sort inside a term are tried in its place.";
        LOOK_AT: usize = 64, "nodes", "Nodes that are looked at to find such terms.";
        SIMPLER: usize = 8, "constants", "How many simpler constants are tried for each constant.";
    }
    run_ledger {
        ENOUGH: u64 = 10, "tests", "How many tests are needed before a run is called unhealthy.";
        ATTEMPTS: u64 = 2, "suspicions", "How often the same kind of suspicion is confirmed and reduced: two chances to be a different defect.";
    }
    run {
        GRACE: Duration = Duration::from_secs(10), "time", "How long what is being confirmed or reduced at the end of a run's time may go on, at most: a script that was not reduced is half a report.";
        GRACE_PART: u32 = 6, "parts", "And no longer than this part of the run's time.";
        BEAT: Duration = Duration::from_millis(200), "time", "How often progress is reported: often enough that a user sees it move.";
    }
    run_schedule {
        SHARE: u64 = 16, "tests", "The new tests of a first turn, where the number of batches is known.";
        LIMIT: Duration = Duration::from_millis(100), "time", "The CPU time that a test of a first turn may take.";
        GROWTH: u32 = 4, "times", "How much larger share and limit are in each further turn.";
        INTERLEAVE: u64 = 16, "batches", "Where batches never end, one that waits has its turn after this many new ones.";
        MOST_WAITING: usize = 512, "batches", "Batches that wait for a second turn, to bound memory.";
    }
    run_worker {
        SEED_BUDGET: u32 = 10, "tests", "A batch is given up when this many of its tests have reached the run's limit: time is better spent on other seeds than on one whose mutants all reach it.";
        STARTS: u32 = 2, "starts", "How many times the cost of an empty query is added to what a test of a turn may take: a start costs more when the machine is busy.";
        MOST_REFUSED: u32 = 4, "tests", "A seed of whose first tests so many bring no answer is left alone: the solver does not know its words, and will know those of its mutants no better.";
        MOST_AGAIN: usize = 8, "tests", "So many tests of a batch are done again with more time; the others that were not answered in time are left at that.";
        FRESH: usize = 8, "tests", "One test in so many has a process of its own: about a quarter of the CPU time, since starting one is most of an easy test's cost.";
    }
    run_worker_compare {
        COMPARED: usize = 3, "answers", "One in so many answers that nothing contradicts is given to a referee.";
        LIMIT: Duration = Duration::from_secs(2), "time", "What a referee gets for such an answer.";
    }
    run_worker_follow {
        REPLAY_TIME: Duration = Duration::from_secs(40), "time", "How long the replays of one session may take before the suspicion is left as it is.";
    }
    run_worker_observe {
        SLOWER: u32 = 20, "times", "A mutant is slow if it takes this many times its seed's CPU time.";
        SLOW: Duration = Duration::from_millis(500), "time", "A mutant that takes less is not called slow, however quick its seed is.";
    }
    solver_answer_trouble {
        MOST: usize = 400, "characters", "Longest message of a solver that is kept: a few lines of a report.";
    }
    solver_session {
        MOST_SCRIPTS: u32 = 400, "scripts", "How many scripts a process may serve: what it keeps from earlier ones makes later ones slower.";
        MOST_MEMORY: u64 = 512 << 20, "bytes", "How much resident memory a process may keep between scripts.";
    }
    solver_spec {
        SAID: usize = 200, "characters", "Longest last word of a solver that dies at once, as a message shows it.";
    }
    solver_stack {
        FRAMES: usize = 4, "functions", "How many of the innermost functions tell one crash from another.";
        ASKED: usize = 40, "frames", "How many frames the debugger is asked for: the innermost ones may be the library's.";
        READING: Duration = Duration::from_secs(20), "time", "What the debugger may take to read a solver's symbols, beside the run itself.";
    }
    solver_store_wheel {
        MAX_BYTES: u64 = 4 << 30, "bytes", "The most bytes that a wheel may unpack to, and the most files.";
        MAX_FILES: usize = 100_000, "files", "The most bytes that a wheel may unpack to, and the most files.";
    }
    truth {
        BATCH: usize = 64, "tests", "How many tests of the enumeration make a batch: enough that setting up its arena costs little beside them.";
    }
    truth_formula {
        ATTEMPTS: usize = 24, "assignments", "How many assignments of a law's other variables are tried before a step is refused.";
    }
    truth_grow {
        BATCH: usize = 32, "formulas", "Formulas of a batch: enough that setting up its arena costs little beside them.";
        TRIES: usize = 50, "formulas", "How many formulas may be thrown away for one that is used.";
    }
    truth_grow_assemble {
        ASSIGNMENTS: u64 = 1 << 10, "assignments", "Assignments that are tried for one formula, at most: all of ten bits.";
        LAYERS: usize = 4, "quantifiers", "Quantifiers that are put around each other, at most: two changes from all to some and back, and one to spare.";
        STEPS: u64 = 20_000, "steps", "What one evaluation may cost: formulas that need more are thrown away.";
    }
    truth_grow_members {
        LONGEST: usize = 8, "characters", "A number up to this one may be written as the length of a constant: a longer one says nothing more.";
    }
    truth_grow_plot {
        ATTEMPTS: usize = 60, "tries", "How often growth is tried before what there is has to do.";
        STEPS: u64 = 40_000, "steps", "What one evaluation may cost: plots that need more are thrown away.";
        DOMAIN: u64 = 32, "values", "Quantifiers range over sorts with at most so many values, since the evaluator visits all of them.";
    }
    truth_grow_roots {
        ENDS: i64 = 3, "units", "How far from zero the ends of an interval and the numbers of a polynomial are: larger ones change nothing but the solver's time.";
        MONOMIALS: usize = 3, "products", "Products of a polynomial beside its number.";
        TRIES: usize = 8, "systems", "How many systems are tried for one whose polynomial changes its sign: about one in five does.";
        DEGREE: usize = 3, "factors", "The degree of a polynomial: cubes have roots that no formula of a solver writes down.";
    }
    truth_operators {
        ATTEMPTS: usize = 40, "tries", "How often growth is tried before what there is has to do.";
        LONGEST: usize = 64, "characters or bits", "Longer strings and numbers of more bits are not worth their solver's time.";
    }
}
