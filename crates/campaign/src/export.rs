//! Findings of a store as folders, laid out as `soundline fuzz` lays them out: `findings/CLASS-FINGERPRINT/` with their files,
//! and `observations/` for the quieter classes. Writes to a new or empty folder only.

use crate::error::Error;
use crate::store::Store;
use std::path::Path;

/// Writes all findings, or one; how many.
pub fn export(store: &Store, out: &Path, fingerprint: Option<&str>) -> Result<usize, Error> {
    let failed = |error| Error::file(out, error);
    if out.exists() && std::fs::read_dir(out).map_err(failed)?.next().is_some() {
        return Err(Error::Usage(format!("{}: the folder is not empty; name a new one", out.display())));
    }
    let rows: Vec<_> = store
        .findings()?
        .into_iter()
        .filter(|row| fingerprint.is_none_or(|wanted| wanted == row.fingerprint))
        .collect();
    if let (Some(wanted), true) = (fingerprint, rows.is_empty()) {
        return Err(Error::Usage(format!("there is no finding {wanted}")));
    }
    for row in &rows {
        let group = if row.loud { "findings" } else { "observations" };
        let folder = out.join(group).join(format!("{}-{}", row.class, row.fingerprint));
        std::fs::create_dir_all(&folder).map_err(|error| Error::file(&folder, error))?;
        for (name, text) in store.files(row.id)? {
            let path = folder.join(&name);
            std::fs::write(&path, text).map_err(|error| Error::file(&path, error))?;
            if name == "repro.sh" {
                use std::os::unix::fs::PermissionsExt;
                let mode = std::fs::Permissions::from_mode(0o755);
                std::fs::set_permissions(&path, mode).map_err(|error| Error::file(&path, error))?;
            }
        }
    }
    Ok(rows.len())
}
