//! `soundline fmt`: prints a script in a uniform layout or in another dialect.

use crate::input::{print_exactly, read_clean};
use crate::{Failure, Outcome};
use smt::lexer::comments;
use smt::print::{Style, layout, write_command};
use smt::{Dialect, Terms};
use std::path::PathBuf;

/// Print a script in a uniform layout or in another dialect.
///
/// The output reads back as the same terms. Common subterms are shared with let, so that the output is linear in the DAG.
/// Comments are kept; one inside a command moves in front of it.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The script, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The dialect to print: 2.6 (also for 2.7), or 2.5 for the string names that older Z3 and CVC4 know
    #[arg(long, value_name = "VERSION", default_value = "2.6", value_parser = super::dialect)]
    dialect: Dialect,
    /// The dialect to read; by default as :smt-lib-version says
    #[arg(long, value_name = "VERSION", value_parser = super::dialect)]
    from: Option<Dialect>,
    /// Write every subterm out instead of sharing with let; the text of a DAG can be exponentially long
    #[arg(long)]
    no_let: bool,
    /// Break lines at this column; 0 keeps each command on one line
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    width: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let mut terms = Terms::new();
    let input = read_clean(&mut terms, &arguments.file, arguments.from)?;
    let style = Style { dialect: arguments.dialect, share: !arguments.no_let };
    let mut out = String::new();
    let mut end = 0;
    for (command, span) in input.script.commands.iter().zip(&input.script.spans) {
        write_comments(&mut out, &input.source[end..span.end]);
        end = span.end;
        let mut text = String::new();
        write_command(&mut text, &terms, command, style);
        out.push_str(&if arguments.width > 0 { layout(&text, arguments.width) } else { text });
        out.push('\n');
    }
    write_comments(&mut out, &input.source[end..]);
    print_exactly(&out);
    Ok(Outcome::Clean)
}

fn write_comments(out: &mut String, source: &str) {
    for comment in comments(source) {
        out.push_str(comment);
        out.push('\n');
    }
}
