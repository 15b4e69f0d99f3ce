//! The guard: a shell process that ends what we started if we are ended ourselves. A signal such as `SIGKILL` gives us no chance
//! to do so, and a solver that waits for something would wait for ever.
//!
//! The guard reads from a pipe whose other end only we hold. The kernel closes that end when we are gone, for whatever reason.
//! The guard then ends every process that carries our tag, and exits. It starts with the first program, costs nothing
//! meanwhile, and does its work within milliseconds.

use crate::family;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// `$1` is our identity. Ending a process may show others that it was about to start, so the search is repeated until it finds
/// none; the bound is for processes that cannot be ended.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
cat >/dev/null
round=0
while [ $round -lt 50 ]; do
    found=$(grep -lsazE "^SOUNDLINE_RUN=(.*/)?$1[.]" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||')
    [ -n "$found" ] || break
    kill -9 $found
    round=$((round + 1))
    [ $round -lt 5 ] || sleep 0.1
done
"#;

/// Starts the guard. Without a shell there is none; everything else works as before.
pub(crate) fn start() -> Option<Child> {
    Command::new("/bin/sh")
        .args(["-c", SCRIPT, "soundline-guard", family::id()])
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A Ctrl-C at the terminal goes to our group, and must not end the guard before us.
        .process_group(0)
        .spawn()
        .ok()
}
