//! The commented file that `campaign init` writes, made from the table of keys: what can be said, each with its default or an
//! example, and only as much of it uncommented as gives a campaign that runs.

use super::keys::{SECTIONS, Section};
use smt::text::put;

/// What stands uncommented: section, key, value. `{solver}` is what init was told.
const SET: &[(&str, &str, &str)] = &[
    ("campaign", "name", "\"nightly\""),
    ("campaign", "seed", "1"),
    ("limits", "time", "\"8h\""),
    ("target", "solver", "\"{solver}\""),
    ("strategy", "name", "\"truth\""),
    ("strategy", "share", "1"),
    ("strategy", "beyond", "[\"strings\", \"arithmetic\", \"bitvectors\"]"),
];

/// The file, with this solver as its first target.
pub fn template(solver: &str) -> String {
    let solver: String = solver.chars().flat_map(char::escape_default).collect();
    let mut out = String::from(
        "# A campaign of Soundline. `soundline campaign check FILE` says what is wrong with it,\n# `soundline campaign run FILE` runs it and goes on where it stopped.\n",
    );
    for section in SECTIONS {
        out.push('\n');
        for line in section.about.lines() {
            put(&mut out, format_args!("# {line}\n"));
        }
        let used = SET.iter().any(|row| row.0 == section.name);
        let header =
            if section.many { format!("[[{}]]", section.name) } else { format!("[{}]", section.name) };
        put(&mut out, format_args!("{}{header}\n", if used { "" } else { "# " }));
        keys(&mut out, section, &solver);
    }
    out
}

fn keys(out: &mut String, section: &Section, solver: &str) {
    for key in section.keys {
        let set = SET.iter().find(|row| row.0 == section.name && row.1 == key.name);
        let assignment = match set {
            Some(row) => format!("{} = {}", key.name, row.2.replace("{solver}", solver)),
            None => format!("# {} = {}", key.name, key.shown),
        };
        put(out, format_args!("{assignment:<44} # {}\n", key.about));
    }
}
