//! Findings of a store as folders, laid out as `soundline fuzz` lays them out: `findings/CLASS-FINGERPRINT/` with their files,
//! and `observations/` for the quieter classes. The folder is new, or one that an earlier export wrote.

use crate::error::Error;
use crate::store::Store;
use output::Folder;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes all findings, or one; how many.
pub fn export(store: &Store, out: &Path, fingerprint: Option<&str>) -> Result<usize, Error> {
    let rows: Vec<_> = store
        .findings()?
        .into_iter()
        .filter(|row| fingerprint.is_none_or(|wanted| wanted == row.fingerprint))
        .collect();
    if let (Some(wanted), true) = (fingerprint, rows.is_empty()) {
        return Err(Error::Usage(format!("there is no finding {wanted}")));
    }
    let (folder, _) = Folder::open(out, "campaign export", true)?;
    for row in &rows {
        let group = if row.loud { "findings" } else { "observations" };
        let files = store.files(row.id)?;
        let files: Vec<(&str, String)> =
            files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        let path = folder.write_group(&format!("{group}/{}-{}", row.class, row.fingerprint), &files)?;
        let script = path.join("repro.sh");
        if script.exists() {
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&script, mode).map_err(|error| Error::file(&script, error))?;
        }
    }
    Ok(rows.len())
}
