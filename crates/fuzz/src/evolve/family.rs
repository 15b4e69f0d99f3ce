//! What is known of solver families beyond SMT-LIB: which options make one print messages and statistics, write a log of
//! its steps, or take another random seed. One table; a solver that is not in it is judged by what it prints anyway.

/// A family of solvers.
#[derive(Debug)]
pub struct Family {
    /// The file name of the program, without its folder.
    pub program: &'static str,
    /// Options for messages and statistics.
    pub talk: &'static [&'static str],
    /// Options for a log of all steps; `{}` stands for the file.
    pub log: Option<&'static [&'static str]>,
    /// The option that sets the random seed; `{}` stands for the number.
    pub seed: Option<&'static str>,
}

/// One row a family of solvers.
pub(crate) static FAMILIES: &[Family] = &[
    Family {
        program: "z3",
        talk: &["-v:10", "-st"],
        log: Some(&["trace=true", "trace_file_name={}"]),
        seed: Some("smt.random_seed={}"),
    },
    Family { program: "cvc5", talk: &["--verbosity=1", "--stats"], log: None, seed: Some("--seed={}") },
    Family { program: "cvc4", talk: &["--verbose", "--stats"], log: None, seed: Some("--seed={}") },
    Family { program: "bitwuzla", talk: &["-v", "3"], log: None, seed: Some("--seed={}") },
    Family { program: "yices-smt2", talk: &["--verbosity=3", "--stats"], log: None, seed: None },
];

/// The family of a SPEC, by the name of its program or release.
pub fn of(spec: &str) -> Option<&'static Family> {
    let first = spec.split_whitespace().next()?;
    let program = first.rsplit('/').next().unwrap_or(first);
    let name = program.split('@').next().unwrap_or(program);
    FAMILIES.iter().find(|family| family.program == name)
}

/// A SPEC with more options, `{}` in them replaced.
pub(crate) fn with_options(spec: &str, options: &[&str], argument: &str) -> String {
    let mut longer = spec.to_string();
    for option in options {
        longer.push(' ');
        longer.push_str(&quoted(&option.replace("{}", argument)));
    }
    longer
}

/// A SPEC that runs a command with more variables in its environment.
pub(crate) fn with_environment(command_line: &[String], variables: &[(String, String)]) -> String {
    let assignments = variables.iter().map(|(name, value)| format!("{name}={value}"));
    let words = std::iter::once("env".to_string()).chain(assignments).chain(command_line.iter().cloned());
    words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
}

/// A word in quotes where it needs them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:@+,{}%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_known_by_program_or_release() {
        assert_eq!(of("z3@4.8.10 smt.string_solver=z3str3").unwrap().program, "z3");
        assert_eq!(of("/opt/bin/cvc5 --strings-exp").unwrap().program, "cvc5");
        assert!(of("mysolver").is_none() && of("").is_none());
    }

    #[test]
    fn options_and_variables_are_quoted() {
        assert_eq!(with_options("z3", &["a={}", "-st"], "/x y"), "z3 'a=/x y' -st");
        let words = ["/bin/z3".to_string(), "-in".to_string()];
        let spec = with_environment(&words, &[("A".into(), "it's".into())]);
        assert_eq!(spec, "env 'A=it'\\''s' /bin/z3 -in");
    }
}
