//! The table of everything that a campaign file can say. Reading, checking, the commented file of `campaign init` and the
//! documentation take their keys, kinds and defaults from here; a key that is not in the table is an error.

use fuzz::truth::BEYOND;

/// What a key's value looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A whole number from 0.
    Number,
    /// A list of whole numbers.
    Numbers,
    /// A positive number of seconds, or a string such as `"90m"` or `"8h"`.
    Duration,
    /// A positive number: a share.
    Share,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of these words.
    Choices(&'static [&'static str]),
}

impl Kind {
    /// What is expected, in words.
    pub(crate) fn words(self) -> String {
        match self {
            Kind::Text => "a string".into(),
            Kind::Texts => "a list of strings".into(),
            Kind::Number => "a whole number".into(),
            Kind::Numbers => "a list of whole numbers".into(),
            Kind::Duration => "seconds, or a string like \"90m\"".into(),
            Kind::Share => "a positive number".into(),
            Kind::Flag => "true or false".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Choices(words) => format!("a list of {}", words.join(", ")),
        }
    }
}

/// A row: one key of a section.
#[derive(Debug)]
pub(crate) struct Key {
    /// The key as it stands in the file.
    pub name: &'static str,
    /// What its value looks like.
    pub kind: Kind,
    /// Whether the section is nothing without it.
    pub required: bool,
    /// The strategies that know it; all if empty.
    pub of: &'static [&'static str],
    /// An example or the default, as it is written.
    pub shown: &'static str,
    /// What the key means, for `campaign init` and messages.
    pub about: &'static str,
}

/// A section of the file.
#[derive(Debug)]
pub(crate) struct Section {
    /// The section's name, without brackets.
    pub name: &'static str,
    /// Whether it may stand several times (`[[name]]`).
    pub many: bool,
    /// What it is for.
    pub about: &'static str,
    /// The keys that may stand in it, in the order of `campaign init`.
    pub keys: &'static [Key],
}

const fn key(name: &'static str, kind: Kind, shown: &'static str, about: &'static str) -> Key {
    Key { name, kind, required: false, of: &[], shown, about }
}

/// The theories that `truth` can go on with.
pub(crate) const THEORIES: &[&str] = &{
    let mut names = ["all"; BEYOND.len() + 1];
    let mut at = 0;
    while at < BEYOND.len() {
        names[at + 1] = BEYOND[at].0;
        at += 1;
    }
    names
};

/// The strategies that `[[strategy]]` can name.
pub(crate) const STRATEGIES: &[&str] = &["truth", "approx", "evolve", "mutate", "fusion", "enumerate", "all"];

/// The strategies whose tests can be put into contexts.
const FRAMED: &[&str] = &["truth", "approx", "mutate", "fusion", "enumerate", "all"];

/// The files that can be explored, by how their names end.
pub(crate) const PROGRAMS: &[&str] = &["c", "cc", "cpp", "cxx", "wasm", "wat", "java", "class", "jar"];

/// The table of keys: every section of a campaign file, with the keys that it may have.
pub(crate) static SECTIONS: &[Section] = &[
    Section {
        name: "campaign",
        many: false,
        about: "What this campaign is called, and where everything random comes from.",
        keys: &[
            Key { required: true, ..key("name", Kind::Text, "\"nightly\"", "The name on the page") },
            key("seed", Kind::Number, "1", "Every random choice flows from it"),
            key("store", Kind::Text, "\"campaign\"", "The folder of the store, relative to this file"),
        ],
    },
    Section {
        name: "limits",
        many: false,
        about: "What ends work.",
        keys: &[
            key("time", Kind::Duration, "\"8h\"", "The campaign ends after this time; without it, at Ctrl-C"),
            key("tests", Kind::Number, "1000000", "The campaign ends after this many tests"),
            key("jobs", Kind::Number, "2", "Work at the same time on this machine; without it, one a core"),
            key("test-time", Kind::Duration, "5", "CPU seconds that one test may take"),
            key("memory", Kind::Number, "4096", "Megabytes that a solver may take"),
            key("reduce", Kind::Flag, "true", "Shrink what is found"),
            key("reports-a-week", Kind::Number, "5", "How many reports a tracker is to get in a week"),
        ],
    },
    Section {
        name: "target",
        many: true,
        about: "A solver under test: a release (solver = \"z3@4.8.10\", see `soundline solver`), a program on the search path, or a\npath to your own build.",
        keys: &[
            key("solver", Kind::Text, "\"z3@4.8.10\"", "A release or a program on the search path"),
            key(
                "path",
                Kind::Text,
                "\"/opt/z3-nightly/bin/z3\"",
                "A program by its path, instead of `solver`",
            ),
            key("name", Kind::Text, "\"nightly\"", "What a target with a path is called on the page"),
            key(
                "options",
                Kind::Texts,
                "[\"\", \"smt.string_solver=z3str3\"]",
                "Each is a target of its own; \"\" stands for none",
            ),
        ],
    },
    Section {
        name: "references",
        many: false,
        about: "Solvers that are asked for the truth before anything is reported. Without this, z3, cvc5 and soundline itself, as far\nas they are installed.",
        keys: &[key("solvers", Kind::Texts, "[\"cvc5\", \"z3\"]", "Releases or programs")],
    },
    Section {
        name: "strategy",
        many: true,
        about: "A way to make tests, and its share of the CPU time.",
        keys: &[
            Key { required: true, ..key("name", Kind::Choice(STRATEGIES), "\"truth\"", "Which one") },
            key("share", Kind::Share, "1", "Its part of the CPU time, beside the other strategies' parts"),
            Key {
                of: &["truth"],
                ..key(
                    "beyond",
                    Kind::Choices(THEORIES),
                    "[\"strings\", \"arithmetic\"]",
                    "truth: go on after the enumeration with these theories, without end",
                )
            },
            Key {
                of: &["truth"],
                ..key(
                    "depth",
                    Kind::Number,
                    "2",
                    "truth: transformations that are chained beyond the enumeration",
                )
            },
            Key {
                of: &["approx", "evolve", "mutate", "fusion", "all"],
                ..key(
                    "seeds",
                    Kind::Texts,
                    "[\"seeds\"]",
                    "all but truth and enumerate: files or folders with .smt2 files, relative to this file",
                )
            },
            Key {
                of: FRAMED,
                ..key(
                    "contexts",
                    Kind::Texts,
                    "[\"pushed\", \"exists\"]",
                    "put tests into these contexts (see `soundline fuzz --help`), or [\"all\"]",
                )
            },
            Key {
                of: FRAMED,
                ..key(
                    "options",
                    Kind::Choice(&["none", "safe", "experimental"]),
                    "\"none\"",
                    "set options of the solver away from their defaults; `all` sets safe ones unless told otherwise",
                )
            },
            Key {
                of: &["approx", "mutate", "fusion"],
                ..key("mutants", Kind::Number, "300", "approx, mutate, fusion: mutants of one seed or pair")
            },
            Key {
                of: &["approx"],
                ..key("literals", Kind::Number, "5", "approx: the most literals that are mutated at once")
            },
            Key { of: &["approx"], ..key("rounds", Kind::Number, "1", "approx: rounds of mutation") },
            Key {
                of: &["approx"],
                ..key(
                    "trust",
                    Kind::Choice(&["target", "status", "references"]),
                    "\"target\"",
                    "approx: who settles the verdict of a seed",
                )
            },
            Key {
                of: &["evolve"],
                ..key("reference", Kind::Text, "\"cvc5\"", "evolve: the solver that is not slow")
            },
            Key {
                of: &["evolve"],
                ..key("logic", Kind::Text, "\"QF_S\"", "evolve: what formulas are made of")
            },
            Key {
                of: &["evolve"],
                ..key("tests", Kind::Number, "200", "evolve: formulas that one batch measures")
            },
            Key {
                of: &["evolve"],
                ..key(
                    "confirm",
                    Kind::Duration,
                    "20",
                    "evolve: the long limit under which a slow formula is confirmed",
                )
            },
        ],
    },
    Section {
        name: "explore",
        many: true,
        about: "A program to write tests for, by concolic execution.",
        keys: &[
            Key {
                required: true,
                ..key(
                    "program",
                    Kind::Text,
                    "\"parser.c\"",
                    "A .c, .cc, .cpp, .wasm, .wat, .java, .class or .jar file, relative to this file",
                )
            },
            key("seeds", Kind::Numbers, "[1, 2, 3]", "One exploration each"),
            key("share", Kind::Share, "1", "Its part of the CPU time"),
            key("time", Kind::Duration, "60", "How long one exploration lasts"),
            key("search", Kind::Text, "\"cover\"", "What is tried first (see `soundline explore --help`)"),
            key("stdin", Kind::Number, "16", "Standard input is this many symbolic bytes"),
            key("args", Kind::Numbers, "[4]", "The longest length of each symbolic argument"),
            key("entry", Kind::Text, "\"parse\"", "Explore this function instead of the whole program"),
            key("flags", Kind::Texts, "[\"-O1\"]", "Options for the compiler"),
            key(
                "main",
                Kind::Text,
                "\"Parser\"",
                "The class of a Java program whose main is run, where the file does not say",
            ),
        ],
    },
];

/// A section by its name.
pub(crate) fn section(name: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.name == name)
}
