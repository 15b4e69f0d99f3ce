//! Scripts on the disk.

use std::path::{Path, PathBuf};

/// All scripts at or below a path, sorted; none if there is no such path.
pub fn scripts(root: &Path) -> Vec<PathBuf> {
    let mut open = vec![root.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.filter_map(|entry| Some(entry.ok()?.path()))),
            Err(_) if path.extension().is_some_and(|e| e == "smt2") => found.push(path),
            Err(_) => {}
        }
    }
    found.sort();
    found
}
