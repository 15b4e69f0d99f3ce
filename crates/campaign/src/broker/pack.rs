//! Files that a plan needs, as objects: seeds and programs go to workers under a name that follows from their content. A pack that
//! comes from the broker is hostile: names are checked, sizes are limited, and it is unpacked into a new folder only.

use super::Lines;
use crate::error::Error;
use crate::guard;
use crate::plan::{Plan, Work};
use fuzz::approx::Seed;
use fuzz::finding::Fingerprint;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a path of a plan looks like when it stands for a pack.
const PACK: &str = "pack:";
/// The most bytes of a pack.
const LARGEST: usize = 48 << 20;

/// A plan whose files are packs: the plan, and the packs by name.
pub(super) fn pack(plan: &Plan) -> Result<(Plan, BTreeMap<String, Vec<u8>>), Error> {
    let mut packs = BTreeMap::new();
    let mut packed = plan.clone();
    for lane in &mut packed.lanes {
        match &mut lane.work {
            Work::Fuzz { settings, .. } => {
                if let Some(seeds) = settings.seeds_mut().filter(|seeds| !seeds.is_empty()) {
                    let files = seed_files(seeds)?;
                    *seeds = vec![add(&mut packs, &files)?.into()];
                }
            }
            Work::Explore { exploring, .. } => {
                let files = program_files(&exploring.program)?;
                let name = exploring.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
                exploring.program = format!("{}/{name}", add(&mut packs, &files)?).into();
            }
        }
    }
    Ok((packed, packs))
}

fn add(packs: &mut BTreeMap<String, Vec<u8>>, files: &BTreeMap<String, String>) -> Result<String, Error> {
    let bytes = serde_json::to_vec(files).expect("texts are plain data");
    if bytes.len() > LARGEST {
        return Err(Error::Usage(format!(
            "the seeds have {} MB; a pack has at most {}",
            bytes.len() >> 20,
            LARGEST >> 20
        )));
    }
    // Of the content and of its length before it: the name is not a secret, but two packs should not share it.
    let text = String::from_utf8_lossy(&bytes);
    let one = Fingerprint::new(text.to_string()).short;
    let other = Fingerprint::new(format!("{} {text}", bytes.len())).short;
    let name = format!("{PACK}{one}{other}");
    packs.insert(name.clone(), bytes);
    Ok(name)
}

fn seed_files(paths: &[PathBuf]) -> Result<BTreeMap<String, String>, Error> {
    let mut files = BTreeMap::new();
    let seeds = Seed::find(paths).map_err(|rejected| Error::Usage(rejected.0))?;
    for (number, seed) in seeds.iter().enumerate() {
        let (Seed::File(path), name) = (seed, seed.name()) else { continue };
        let text = std::fs::read(path).map_err(|error| Error::file(path, error))?;
        let last = name.rsplit('/').next().unwrap_or("seed");
        // The number keeps the order, on which batches depend.
        files.insert(format!("{number:06}-{last}"), String::from_utf8_lossy(&text).into_owned());
    }
    Ok(files)
}

/// A program and the headers and sources beside it.
fn program_files(program: &Path) -> Result<BTreeMap<String, String>, Error> {
    let mut files = BTreeMap::new();
    let folder = program.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).map_err(|error| Error::file(folder, error))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let beside = path.extension().is_some_and(|extension| extension == "h" || extension == "inc");
        if path.is_file() && (beside || path.file_name() == program.file_name()) {
            let bytes = std::fs::read(&path).map_err(|error| Error::file(&path, error))?;
            let Ok(text) = String::from_utf8(bytes) else {
                return Err(Error::Usage(format!(
                    "{}: only text can be explored through a broker; give the source",
                    path.display()
                )));
            };
            files.insert(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text);
        }
    }
    Ok(files)
}

/// A plan from the broker with its packs unpacked below a folder.
pub(super) async fn unpack(lines: &Lines, mut plan: Plan, folder: &Path) -> Result<Plan, Error> {
    for lane in &mut plan.lanes {
        match &mut lane.work {
            Work::Fuzz { settings, .. } => {
                for seed in settings.seeds_mut().into_iter().flatten() {
                    *seed = fetch(lines, &seed.display().to_string(), folder).await?;
                }
            }
            Work::Explore { exploring, .. } => {
                let path = exploring.program.display().to_string();
                let (pack, name) = path.split_once('/').unwrap_or((&path, ""));
                if !guard::is_relative(name) || name.contains('/') {
                    return Err(Error::Usage(format!("the broker's plan names the program {path:?}")));
                }
                exploring.program = fetch(lines, pack, folder).await?.join(name);
            }
        }
    }
    Ok(plan)
}

async fn fetch(lines: &Lines, pack: &str, folder: &Path) -> Result<PathBuf, Error> {
    let digits = pack
        .strip_prefix(PACK)
        .filter(|digits| digits.len() == 16 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let Some(digits) = digits else {
        return Err(Error::Usage(format!("the broker's plan names the files {pack:?}")));
    };
    let place = folder.join(digits);
    if place.exists() {
        return Ok(place);
    }
    let bytes = lines.get(pack).await?;
    let files: BTreeMap<String, String> = serde_json::from_slice(&bytes)
        .map_err(|error| Error::Usage(format!("{pack} is no pack: {error}")))?;
    write(&files, &place).map(|()| place)
}

/// Writes a pack's files to a new folder, which appears whole.
fn write(files: &BTreeMap<String, String>, place: &Path) -> Result<(), Error> {
    if let Some(name) = files.keys().find(|name| !guard::is_relative(name) || name.contains('/')) {
        return Err(Error::Usage(format!("a pack has a file {name:?}")));
    }
    let folder = place.parent().expect("packs lie in a folder");
    let new = tempfile::tempdir_in(folder).map_err(|error| Error::file(folder, error))?;
    for (name, text) in files {
        let path = new.path().join(name);
        std::fs::write(&path, text).map_err(|error| Error::file(path, error))?;
    }
    std::fs::rename(new.keep(), place).map_err(|error| Error::file(place, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_keep_the_order_and_hostile_ones_write_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let seeds = folder.path().join("seeds");
        std::fs::create_dir_all(seeds.join("b")).expect("made");
        std::fs::write(seeds.join("z.smt2"), "(check-sat)").expect("written");
        std::fs::write(seeds.join("b/a.smt2"), "(exit)").expect("written");
        let files = seed_files(&[seeds]).expect("read");
        assert_eq!(files.keys().collect::<Vec<_>>(), ["000000-a.smt2", "000001-z.smt2"]);
        let place = folder.path().join("0123456789abcdef");
        write(&files, &place).expect("written");
        assert_eq!(std::fs::read_to_string(place.join("000001-z.smt2")).expect("there"), "(check-sat)");
        for name in ["../x", "/etc/x", "a/b", ".."] {
            let bad = BTreeMap::from([(name.to_string(), String::new())]);
            assert!(write(&bad, &folder.path().join("other")).is_err(), "{name}");
        }
        assert!(!folder.path().join("other").exists() && !folder.path().join("x").exists());
    }
}
