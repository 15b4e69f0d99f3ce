//! The text of a script's commands, made once: a mutant differs from its seed in a few commands, and the others are copied.

use smt::print::{Style, write_command};
use smt::{Script, Terms};

/// Printed commands, one a line.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    style: Style,
    text: String,
    /// Where each command's line ends.
    ends: Vec<usize>,
}

impl Printed {
    /// Prints a script.
    pub(super) fn new(terms: &Terms, script: &Script, style: Style) -> Printed {
        let mut printed =
            Printed { style, text: String::new(), ends: Vec::with_capacity(script.commands.len()) };
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
    pub(super) fn write(&self, terms: &Terms, script: &Script, changed: &[usize], out: &mut String) {
        let mut from = 0;
        for &command in changed {
            let start = if command == 0 { 0 } else { self.ends[command - 1] };
            out.push_str(&self.text[from..start]);
            write_command(out, terms, &script.commands[command], self.style);
            out.push('\n');
            from = self.ends[command];
        }
        out.push_str(&self.text[from..]);
    }
}
