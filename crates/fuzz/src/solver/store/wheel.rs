//! Wheels, which are zip archives, unpacked by our own hands: what a package says about paths, links and sizes is not believed.
//! Nothing is written outside of the folder, no link is made, and what comes out is bounded.

use crate::tuning::solver_store_wheel::{MAX_BYTES, MAX_FILES};
use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path};

/// One file of an archive.
struct Entry<'a> {
    name: &'a str,
    method: u16,
    mode: u32,
    packed: u64,
    size: u64,
    crc: u32,
    header: u64,
}

/// Unpacks an archive into a folder, which is made.
pub(super) fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let named = |path: &Path, error: Error| Error::new(error.kind(), format!("{}: {error}", path.display()));
    let bytes = fs::read(archive).map_err(|error| named(archive, error))?;
    fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
    let mut total = 0u64;
    for entry in entries(&bytes)? {
        let path = folder.join(safe(entry.name)?);
        if entry.name.ends_with('/') {
            fs::create_dir_all(&path).map_err(|error| named(&path, error))?;
            continue;
        }
        // The file type in the upper bits of a mode, as the format of archives took it from Unix.
        const KIND: u32 = 0o170_000;
        const LINK: u32 = 0o120_000;
        if entry.mode & KIND == LINK {
            return Err(wrong(&format!("{} is a link", entry.name)));
        }
        total = total.saturating_add(entry.size);
        if total > MAX_BYTES {
            return Err(wrong("it unpacks to more than it may"));
        }
        let content = content(&bytes, &entry)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| named(parent, error))?;
        }
        fs::write(&path, content).map_err(|error| named(&path, error))?;
    }
    Ok(())
}

fn wrong(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the wheel is not one: {what}"))
}

/// A name that stays below the folder.
fn safe(name: &str) -> Result<&Path> {
    let path = Path::new(name);
    let inner = path.components().all(|part| matches!(part, Component::Normal(_)));
    if inner && !name.is_empty() && !name.contains(['\\', '\0']) {
        Ok(path)
    } else {
        Err(wrong(&format!("it would write to {name:?}")))
    }
}

/// A little-endian number of some bytes, if they are there.
fn number(bytes: &[u8], at: u64, length: usize) -> Result<u64> {
    let at = usize::try_from(at).map_err(|_| wrong("it is cut off"))?;
    let part =
        at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(|| wrong("it is cut off"))?;
    Ok(part.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

/// The files that the directory at the archive's end lists.
fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>> {
    const END: &[u8] = b"PK\x05\x06";
    // What stands before every line of the directory.
    const LISTED: u64 = 0x0201_4b50;
    // The end has 22 bytes and a comment of at most 64 KiB behind it.
    let from = bytes.len().saturating_sub(22 + 0xffff);
    let end = bytes[from..]
        .windows(4)
        .rposition(|window| window == END)
        .ok_or_else(|| wrong("it has no directory"))?;
    let end = (from + end) as u64;
    number(bytes, end + 20, 2)?;
    let count = number(bytes, end + 10, 2)? as usize;
    let mut at = number(bytes, end + 16, 4)?;
    if at == 0xffff_ffff || count == 0xffff || count > MAX_FILES {
        return Err(wrong("it is too large"));
    }
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        if number(bytes, at, 4)? != LISTED {
            return Err(wrong("its directory is damaged"));
        }
        let field = |offset: u64, length: usize| number(bytes, at + offset, length);
        let (name, extra, comment) = (field(28, 2)?, field(30, 2)?, field(32, 2)?);
        let start = usize::try_from(at + 46).map_err(|_| wrong("it is cut off"))?;
        let text = bytes.get(start..start + name as usize).ok_or_else(|| wrong("it is cut off"))?;
        entries.push(Entry {
            name: std::str::from_utf8(text).map_err(|_| wrong("a name is not UTF-8"))?,
            method: field(10, 2)? as u16,
            crc: field(16, 4)? as u32,
            packed: field(20, 4)?,
            size: field(24, 4)?,
            mode: (field(38, 4)? >> 16) as u32,
            header: field(42, 4)?,
        });
        at += 46 + name + extra + comment;
    }
    Ok(entries)
}

/// What a file holds.
fn content(bytes: &[u8], entry: &Entry<'_>) -> Result<Vec<u8>> {
    // What stands before every file.
    const LOCAL: u64 = 0x0403_4b50;
    let (stored, deflated) = (0, 8);
    if number(bytes, entry.header, 4)? != LOCAL {
        return Err(wrong("its directory is damaged"));
    }
    let skip = 30 + number(bytes, entry.header + 26, 2)? + number(bytes, entry.header + 28, 2)?;
    let start = usize::try_from(entry.header + skip).map_err(|_| wrong("it is cut off"))?;
    let end = start.checked_add(entry.packed as usize).ok_or_else(|| wrong("it is cut off"))?;
    let packed = bytes.get(start..end).ok_or_else(|| wrong("it is cut off"))?;
    let content = match entry.method {
        method if method == stored => packed.to_vec(),
        // The limit is what the directory promised: a bomb does not come to its second byte too many.
        method if method == deflated => {
            miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.size as usize)
                .map_err(|error| wrong(&format!("{}: {error}", entry.name)))?
        }
        _ => return Err(wrong(&format!("{} is packed in another way", entry.name))),
    };
    if content.len() as u64 != entry.size || crc32(&content) != entry.crc {
        return Err(wrong(&format!("{} is damaged", entry.name)));
    }
    Ok(content)
}

/// The checksum of zip archives, a byte at a time by a table of 256.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let (mut value, mut bit) = (at as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[at] = value;
            at += 1;
        }
        table
    };
    !bytes.iter().fold(u32::MAX, |sum, &byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive by Python, which knows how to make good and bad ones.
    fn archive(folder: &Path, code: &str) -> std::path::PathBuf {
        let path = folder.join("a.whl");
        let code = format!(
            "import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n{code}\nz.close()"
        );
        let status = std::process::Command::new("python3").args(["-c", &code]).arg(&path).status().unwrap();
        assert!(status.success());
        path
    }

    #[test]
    fn good_wheels_are_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let path = archive(
            folder.path(),
            "z.writestr('a/b.txt','x'*100000)\nz.writestr('empty','')\nz.writestr('d/','')\n\
             z.writestr(zipfile.ZipInfo('stored'),'plain')",
        );
        let out = folder.path().join("out");
        unpack(&path, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("a/b.txt")).unwrap(), "x".repeat(100_000));
        assert_eq!(fs::read_to_string(out.join("stored")).unwrap(), "plain");
        assert!(out.join("d").is_dir() && out.join("empty").exists());
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn wheels_that_reach_out_are_refused() {
        let rows = [
            ("z.writestr('../out.txt','x')", "write to"),
            ("z.writestr('/tmp/soundline-out.txt','x')", "write to"),
            ("z.writestr('a/../../out.txt','x')", "write to"),
            (
                "i=zipfile.ZipInfo('link')\ni.external_attr=0o120777<<16\nz.writestr(i,'/etc/passwd')",
                "is a link",
            ),
        ];
        for (code, message) in rows {
            let folder = tempfile::tempdir().unwrap();
            let path = archive(folder.path(), code);
            let error = unpack(&path, &folder.path().join("in/out")).unwrap_err().to_string();
            assert!(error.contains(message), "{code}: {error}");
            assert!(!folder.path().join("in/out.txt").exists() && !folder.path().join("out.txt").exists());
        }
    }

    #[test]
    fn damaged_and_lying_wheels_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = archive(folder.path(), "z.writestr('a','x'*100000)");
        let whole = fs::read(&path).unwrap();
        // Every byte changed, one at a time, and every beginning: an error, the old content, or another name; no panic.
        for at in (0..whole.len()).step_by(3) {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            fs::write(&path, &changed).unwrap();
            let _ = unpack(&path, &folder.path().join("out"));
            fs::write(&path, &whole[..at]).unwrap();
            assert!(unpack(&path, &folder.path().join("out")).is_err(), "{at}");
        }
        // The directory says ten bytes, and the file has a hundred thousand.
        let mut lying = whole.clone();
        let listed = whole.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
        lying[listed + 24..listed + 28].copy_from_slice(&10u32.to_le_bytes());
        fs::write(&path, &lying).unwrap();
        assert!(unpack(&path, &folder.path().join("out")).is_err());
    }
}
