//! A solver for SMT-LIB in a few lines: what `solve::session` does for a program that speaks the language already.
//!
//! `cargo run --release -p solve --example session -- FILE` answers a script; without a file it answers standard input, command by
//! command.

use solve::session::{Session, SessionSettings};
use std::io::{BufRead, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(mut session) = Session::new(SessionSettings::default()) else {
        eprintln!("the default engine does not exist");
        return ExitCode::from(2);
    };
    match std::env::args_os().nth(1) {
        Some(path) => match std::fs::read(&path) {
            Ok(script) => {
                print!("{}", session.submit_bytes(&script).text);
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{}: {error}", path.to_string_lossy());
                ExitCode::from(2)
            }
        },
        None => converse(&mut session),
    }
}

/// Answers commands as soon as they are complete: when as many parentheses are closed as were opened, outside of strings, quoted
/// symbols and comments.
fn converse(session: &mut Session) -> ExitCode {
    let (mut command, mut depth, mut quote) = (String::new(), 0usize, None);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        for c in line.chars() {
            match (quote, c) {
                (Some(end), c) if c == end => quote = None,
                (Some(_), _) => {}
                (None, '"' | '|') => quote = Some(c),
                (None, ';') => break,
                (None, '(') => depth += 1,
                (None, ')') => depth = depth.saturating_sub(1),
                (None, _) => {}
            }
        }
        command.push_str(&line);
        command.push('\n');
        if depth == 0 && quote.is_none() {
            let reply = session.submit(&std::mem::take(&mut command));
            print!("{}", reply.text);
            if std::io::stdout().flush().is_err() || reply.exit {
                return ExitCode::SUCCESS;
            }
        }
    }
    ExitCode::SUCCESS
}
