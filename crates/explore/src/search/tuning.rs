//! Every number that steers the search, in one table: its default, its unit and the reason for it.
//!
//! Benches change a row with `--tune NAME=VALUE`. What is not here is no matter of tuning: it bounds memory or follows from
//! something else. Costs are counted in ticks of the engines (roughly a hundred machine instructions each), never in time, so that the
//! same seed gives the same tests.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name after `--tune`.
    pub name: &'static str,
    /// What an exploration works with unless `--tune` says otherwise.
    pub default: u64,
    /// What it counts.
    pub unit: &'static str,
    /// Why there is such a number, and what a larger one does.
    pub reason: &'static str,
}

macro_rules! tunables {
    ($($name:ident = $default:literal, $unit:literal, $reason:literal;)*) => {
        /// The numbers that an exploration works with.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Tuning { $(#[doc = $reason] pub $name: u64,)* }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($name: $default,)* }
            }
        }

        impl Tuning {
            /// Changes the number of a name; false if there is none of that name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }

        /// All of them.
        pub static TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name), default: $default, unit: $unit, reason: $reason,
        },)*];
    };
}

tunables! {
    first_ticks = 400_000, "ticks", "what a query gets at its first full try: about what it takes to see that it is not easy";
    first_millis = 100, "ms", "the clock beside it, which only ends what takes much longer";
    growth = 5, "times", "how much more a query gets each further time, so that all tries before cost a fraction of the last";
    short_tries = 2, "tries", "how often a query is given up early while other sources of inputs lead somewhere at less cost";
    retry_ticks = 1500, "ticks", "what any try costs before it begins";
    step_ticks = 4, "ticks", "what each decision before the one that is tried costs: all of them are looked at and copied";
    promise = 8, "times", "how much more may be spent at a place beside code that is not covered";
    failure_ticks = 20_000, "ticks", "what a try that led to nothing counts besides: the next one there is less likely to lead to something";
    urgent = 8, "times", "how much more goes to solving at promising places for the first time, or when nothing else leads to anything new";
    moment_ticks = 5_000_000, "ticks", "how long nothing new must be found, about a second, before the search counts as stalled";
    alone = 8, "times", "how much more is spent on what a run opened that reached new code, where solutions are the only source";
    fresh = 32, "times", "the same where there are other sources, which are cheaper";
    max_runs = 8192, "runs", "how many unusual runs are remembered: more cost memory, and old ones have had their share";
    graft_symbols = 16, "symbols", "larger groups are not taken over: what is said about so many fits nowhere else";
    graft_donors = 32, "inputs", "how many different values of a group are known: the newest";
    graft_takers = 32, "inputs", "how many inputs that reached new code get to see a new value of a group";
    graft_batch = 64, "runs", "grafts in one job: enough that choosing the next one costs little beside them";
    sweep_bytes = 4, "bytes", "larger symbols are not swept: their bytes mean too little each";
    variant_ticks = 10, "ticks", "what it costs to make a variant and to see whether it was run before";
    mutate_batch = 128, "runs", "mutations in one job: enough that choosing the next input costs little beside them";
    mutate_donors = 64, "inputs", "how many inputs, the newest, others take parts from";
    unusual_kept = 8, "inputs", "partial solutions of one query that are unusual only and are run on terms: those of one query are alike";
    patience = 64, "inputs", "partial solutions without news after which an engine that led to new code is stopped";
    repeats = 64, "runs", "partial solutions of an engine that took known ways in a row after which the others of the query are not run";
    leash = 4, "times", "the fuel of a partial solution's run, by what the run that it varies took: what takes longer rarely pays";
    leash_slack = 10_000, "jumps", "what it gets beside, for short runs";
    leash_most = 200_000, "jumps", "the most that it gets, however long that run was";
    short_leash = 2, "times", "the same for variants that no engine delivered: there are many of them";
    short_slack = 1000, "jumps", "what these get beside";
    run_ticks = 100, "ticks", "what a run costs before its first jump";
    jumps_per_tick = 8, "jumps", "how many jumps of a run on values cost a tick";
    on_terms = 25, "times", "how much more a run on terms costs than one on values";
    free_ticks = 1_000_000, "ticks", "what a source may cost before it has to find something";
    idle = 8, "times", "how much less a source gets while it finds less new code for its cost than solving does";
    unusual_share = 2, "parts", "runs on terms of what is only unusual may cost one part of so many of what solutions cost";
    unusual_free = 4, "parts", "and before anything is known one part of so many of what is free";
    window_ticks = 2_000_000, "ticks", "whenever both sides cost so much, what was before counts half";
    part_terms = 256, "terms", "how many terms a question in parts begins with beside those of its last condition";
    max_ways = 8, "ways", "how many ways out of a decision without a natural end, such as an address, are tried";
    length_ways = 8, "times", "how many times more ways are tried where the length of an input decides: unlike addresses, lengths have an end that is worth coming to";
    mutate_step = 35, "units", "how much a mutation adds to a number or takes from it at most, as in AFL";
    mutate_block = 32, "bytes", "the longest block that a mutation puts in, takes out or copies: most fields are shorter";
    splice_block = 64, "bytes", "the longest block that is taken from another input: a record with its fields";
    operand_places = 4, "places", "how many places of an object are tried for one side of a comparison: the same text may stand there by chance";
    recent_find = 4, "parts", "what is left of a single find, one part of so many, still counts as found of late";
    tree_least = 4, "parts", "the tree may take one part of so many of the memory that is allowed, whatever tests take: with less it would be forgotten at once";
    regrown = 256, "inputs", "how many inputs that covered something a new tree is grown from when one was forgotten: the newest";
    regrown_recent = 16, "inputs", "the same of all inputs, so that the new tree goes on where the old one ended";
    queue_ahead = 8, "jobs", "how many jobs each of several workers has in hand: with fewer it waits for the explorer, with more it knows less of what others found";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_changed_and_says_what_it_is() {
        let mut tuning = Tuning::default();
        for row in TUNABLES {
            assert!(tuning.set(row.name, row.default + 1), "{}", row.name);
            assert!(!row.unit.is_empty() && row.reason.len() > 10, "{}", row.name);
        }
        assert_ne!(tuning, Tuning::default());
        for row in TUNABLES {
            tuning.set(row.name, row.default);
        }
        assert_eq!(tuning, Tuning::default());
        assert!(!tuning.set("nothing", 1));
    }

    #[test]
    fn the_documentation_has_the_same_table() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/explore.md");
        let page = std::fs::read_to_string(page).expect("the page");
        let number = |cell: &str| cell.replace(',', "").parse::<u64>().ok();
        let mut rows = page.lines().filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ").collect();
            let &[name, default, unit, reason] = &cells[..] else { return None };
            Some((name.trim_end_matches('`'), number(default)?, unit, reason))
        });
        for row in TUNABLES {
            assert_eq!(rows.next(), Some((row.name, row.default, row.unit, row.reason)));
        }
        assert_eq!(rows.next(), None, "a row of what is gone");
    }
}
