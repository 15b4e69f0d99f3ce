//! Two or three examples for the end of every command's help, in one table.

use clap::Command;

/// A command by its words, and lines that can be typed.
static EXAMPLES: &[(&str, &[&str])] = &[
    ("check", &["soundline check a.smt2", "soundline check --json scripts/ > checked.json"]),
    ("fmt", &["soundline fmt a.smt2 > b.smt2", "soundline fmt --dialect 2.5 a.smt2 | cvc4 --lang smt2 -"]),
    (
        "eval",
        &[
            "z3 -model a.smt2 | soundline eval a.smt2 --model -",
            "soundline eval a.smt2 --model model.txt --time-limit 5",
        ],
    ),
    (
        "solve",
        &[
            "soundline solve a.smt2 --model",
            "soundline solve scripts/ --time-limit 10 --json",
            "soundline solve a.smt2 --partials partials.jsonl",
        ],
    ),
    (
        "race",
        &[
            "soundline race scripts/ --solver z3 --solver cvc5",
            "soundline race scripts/ --solver z3 --solver \"cvc5 {file}\" --csv race.csv --plot race.svg",
        ],
    ),
    (
        "bisect",
        &[
            "soundline bisect bug.smt2 --solver z3",
            "soundline bisect bug.smt2 --solver \"z3 smt.string_solver=z3str3\" --expect unsat",
        ],
    ),
    (
        "solver",
        &["soundline solver add z3@4.8.10 cvc5", "soundline solver list", "soundline solver releases z3"],
    ),
    (
        "fuzz",
        &[
            "soundline fuzz truth --solver z3@4.8.10 --time-limit 60 --out run",
            "soundline fuzz approx --solver cvc5 --seeds scripts/ --tests 1000",
        ],
    ),
    (
        "fuzz truth",
        &[
            "soundline fuzz truth --solver z3@4.8.0 --time-limit 60 --out run",
            "soundline fuzz truth --solver \"./my-solver {file}\" --tests 500 --json",
        ],
    ),
    (
        "fuzz approx",
        &[
            "soundline fuzz approx --solver z3@4.8.10 --seeds scripts/ --time-limit 60",
            "soundline fuzz approx --solver z3 --seeds scripts/ --trust references --reference cvc5",
        ],
    ),
    (
        "fuzz evolve",
        &[
            "soundline fuzz evolve --solver z3@4.8.10 --reference cvc5 --time-limit 300",
            "soundline fuzz evolve --solver z3 --confirm 60 --out run",
        ],
    ),
    (
        "reduce",
        &[
            "soundline reduce bug.smt2 --solver z3@4.8.10",
            "soundline reduce slow.smt2 --solver z3 --slow --out small.smt2",
        ],
    ),
    (
        "coverage",
        &[
            "soundline coverage build-help",
            "soundline fuzz evolve --coverage sancov --solver ./z3-with-counters",
        ],
    ),
    (
        "explore",
        &[
            "soundline explore examples/triangle.c --out run",
            "soundline explore parser.c --stdin 16 --time-limit 60 --jobs 2",
            "soundline explore library.wasm --entry decode --pointee 64",
        ],
    ),
    ("replay", &["soundline replay run", "soundline replay run --native"]),
    ("campaign", &["soundline campaign init > campaign.toml", "soundline campaign run campaign.toml"]),
    ("worker", &["soundline worker --broker nats://coordinator:4222"]),
    ("serve", &["soundline serve run", "soundline serve run --listen 127.0.0.1:8080"]),
    ("report", &["soundline report run --out site"]),
    (
        "completions",
        &[
            "soundline completions bash > ~/.local/share/bash-completion/completions/soundline",
            "soundline completions zsh > _soundline",
        ],
    ),
    ("explain", &["soundline explain E302", "soundline explain"]),
    ("man", &["soundline man man1/", "soundline man man1/ && man man1/soundline-explore.1"]),
];

/// The command with examples at the end of each help.
pub(crate) fn with_examples(command: Command) -> Command {
    decorate(command, "")
}

fn decorate(mut command: Command, above: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    for name in names {
        let words = if above.is_empty() { name.clone() } else { format!("{above} {name}") };
        command = command.mut_subcommand(&name, |sub| decorate(add(sub, &words), &words));
    }
    command
}

fn add(command: Command, words: &str) -> Command {
    let Some((_, lines)) = EXAMPLES.iter().find(|(name, _)| *name == words) else { return command };
    let examples = lines.iter().fold(String::from("Examples:"), |text, line| text + "\n  " + line);
    let long = match command.get_after_long_help() {
        Some(before) => format!("{before}\n\n{examples}"),
        None => examples.clone(),
    };
    command.after_help(examples).after_long_help(long)
}
