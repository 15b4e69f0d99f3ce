//! The text of a script's commands, made once: a mutant differs from its seed in a few commands, and the others are copied.

use smt::print::{Printer, Style, write_command};
use smt::{Command, Script, Terms};

/// Printed commands, one a line.
pub(super) struct Printed {
    style: Style,
    text: String,
    /// Where each command's line ends.
    ends: Vec<usize>,
    printer: Printer,
}

impl Printed {
    /// Prints a script.
    pub(super) fn new(terms: &Terms, script: &Script, style: Style) -> Printed {
        let mut printed = Printed {
            style,
            text: String::new(),
            ends: Vec::with_capacity(script.commands.len()),
            printer: Printer::default(),
        };
        for command in &script.commands {
            write_command(&mut printed.text, terms, command, style);
            printed.text.push('\n');
            printed.ends.push(printed.text.len());
        }
        printed
    }

    /// Whether this is the style it was printed in.
    pub(super) fn is_in(&self, style: Style) -> bool {
        self.style == style
    }

    /// Writes a script of which the commands at `changed`, ascending, differ from the printed one.
    pub(super) fn write(&mut self, terms: &Terms, script: &Script, changed: &[usize], out: &mut String) {
        let mut from = 0;
        for &command in changed {
            let start = if command == 0 { 0 } else { self.ends[command - 1] };
            out.push_str(&self.text[from..start]);
            match &script.commands[command] {
                Command::Assert(formula) => {
                    out.push_str("(assert ");
                    self.printer.write_term(out, terms, *formula, self.style);
                    out.push(')');
                }
                other => write_command(out, terms, other, self.style),
            }
            out.push('\n');
            from = self.ends[command];
        }
        out.push_str(&self.text[from..]);
    }
}
