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
        "solver add",
        &[
            "soundline solver add z3",
            "soundline solver add z3@4.8.10 z3@4.13 cvc5",
            "soundline solver add bitwuzla",
        ],
    ),
    ("solver list", &["soundline solver list", "soundline solver list --json"]),
    ("solver remove", &["soundline solver remove z3@4.8.10", "soundline solver remove z3@4.8.10 cvc5@1.0.3"]),
    ("solver releases", &["soundline solver releases z3", "soundline solver releases cvc5 | tail -3"]),
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
        "fuzz mutate",
        &[
            "soundline fuzz mutate --solver z3 --seeds old-bugs/ --reference cvc5 --time-limit 300",
            "soundline fuzz mutate --solver cvc5 --seeds a.smt2 --tests 500 --contexts all",
        ],
    ),
    (
        "fuzz fusion",
        &[
            "soundline fuzz fusion --solver z3 --seeds scripts/ --time-limit 300",
            "soundline fuzz fusion --solver \"cvc5 --strings-exp\" --seeds scripts/ --out run",
        ],
    ),
    (
        "fuzz enumerate",
        &[
            "soundline fuzz enumerate --solver z3 --time-limit 60",
            "soundline fuzz enumerate --solver cvc5 --tests 2000 --json",
        ],
    ),
    (
        "fuzz all",
        &[
            "soundline fuzz all --solver z3 --reference cvc5 --time-limit 3600 --out run",
            "soundline fuzz all --solver z3 --seeds old-bugs/ --options experimental",
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
        "coverage build",
        &["soundline coverage build z3", "soundline coverage build z3 --out z3-with-counters --jobs 4"],
    ),
    ("coverage build-help", &["soundline coverage build-help", "soundline coverage build-help | less"]),
    (
        "coverage runtime",
        &[
            "soundline coverage runtime > runtime.c",
            "soundline coverage runtime | clang -c -x c - -o runtime.o",
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
    ("campaign", &["soundline campaign init", "soundline campaign run campaign.toml"]),
    (
        "campaign init",
        &["soundline campaign init", "soundline campaign init nightly.toml --solver z3@4.13.0"],
    ),
    ("campaign check", &["soundline campaign check", "soundline campaign check nightly.toml --json"]),
    (
        "campaign run",
        &[
            "soundline campaign run",
            "soundline campaign run nightly.toml --time-limit 28800 --jobs 8",
            "soundline campaign run nightly.toml --broker tls://broker.example:4222 --credentials me.creds",
        ],
    ),
    ("campaign status", &["soundline campaign status", "soundline campaign status campaign --json"]),
    (
        "campaign findings",
        &[
            "soundline campaign findings --state new",
            "soundline campaign findings --set 1a2b3c4d --to reported --url https://example.org/issues/1",
        ],
    ),
    (
        "campaign export",
        &[
            "soundline campaign export --out folders",
            "soundline campaign export --junit junit.xml --sarif results.sarif",
            "soundline campaign export --drafts drafts",
        ],
    ),
    (
        "campaign watch",
        &[
            "soundline campaign watch",
            "soundline campaign watch nightly.toml --night 3600 --share 0.5 --out night.md",
        ],
    ),
    (
        "worker",
        &[
            "soundline worker --broker nats://127.0.0.1:4222",
            "soundline worker --broker tls://broker.example:4222 --nkey-file worker.nk --jobs 8 --install",
        ],
    ),
    ("serve", &["soundline serve run", "soundline serve run --listen 127.0.0.1:8080"]),
    ("report", &["soundline report run --out site", "soundline report campaign.toml --out site --json"]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// The words of a line as a shell has them, up to where it goes on to something else.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                '|' | '>' | '&' if !quoted => break,
                _ => words.last_mut().expect("a word").push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    fn walk(command: &Command, above: &str, seen: &mut Vec<String>) {
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let words = format!("{above} {}", sub.get_name()).trim_start().to_string();
            let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines = help.lines().filter(|line| line.starts_with("  ")).count();
            assert!(help.starts_with("Examples:\n") && (2..=3).contains(&lines), "{words}: {help}");
            walk(sub, &words, seen);
            seen.push(words);
        }
    }

    #[test]
    fn every_command_has_examples_that_the_command_line_takes() {
        let command = with_examples(crate::Arguments::command());
        let mut seen = Vec::new();
        walk(&command, "", &mut seen);
        for (name, lines) in EXAMPLES {
            assert!(seen.iter().any(|seen| seen == name), "there is no command {name}");
            for line in *lines {
                let start = line.find("soundline").expect(line);
                let parsed = command.clone().try_get_matches_from(words(&line[start..]));
                assert!(parsed.is_ok(), "{line}: {}", parsed.expect_err("an error"));
            }
        }
    }
}
