//! First inputs that a user gives: files whose bytes are standard input, and tests of earlier explorations.

use crate::replay::{self, test_files};
use crate::report::test::StoredTest;
use crate::target::Input;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The most symbolic bytes of one input. Each byte is a symbol of its own, and all of them are in every query that reads them.
pub const MAX_SIZE: usize = 1 << 20;

/// Why there are no first inputs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// What cannot be read.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is longer than [`MAX_SIZE`].
    #[error("{} is longer than {MAX_SIZE} bytes", .0.display())]
    TooLong(PathBuf),
    /// There is no file.
    #[error("there is no seed: the folder of --seeds is empty")]
    Empty,
}

/// The bytes of all files; a folder stands for the files in it and in the folders below, in the order of their names. Also gives how many
/// files of folders were too long and are left out.
pub fn contents(paths: &[PathBuf]) -> Result<(Vec<Vec<u8>>, usize), Error> {
    let (mut seeds, mut too_long) = (Vec::new(), Vec::new());
    for path in paths {
        let whole = path.is_dir();
        for file in if whole { files_below(path)? } else { vec![path.clone()] } {
            let cannot = |error| unreadable(&file, error);
            if std::fs::metadata(&file).map_err(cannot)?.len() <= MAX_SIZE as u64 {
                seeds.push(std::fs::read(&file).map_err(cannot)?);
            } else if whole {
                too_long.push(file);
            } else {
                return Err(Error::TooLong(file));
            }
        }
    }
    match too_long.first() {
        Some(file) if seeds.is_empty() => Err(Error::TooLong(file.clone())),
        None if seeds.is_empty() && !paths.is_empty() => Err(Error::Empty),
        _ => Ok((seeds, too_long.len())),
    }
}

/// Folders whose names begin with a dot hold what a fuzzer notes down for itself, and links may lead round in a circle: neither is entered.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        let cannot = |error| unreadable(&folder, error);
        for entry in std::fs::read_dir(&folder).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let path = entry.path();
            if entry.file_type().map_err(cannot)?.is_dir() {
                folders.extend((!entry.file_name().as_encoded_bytes().starts_with(b".")).then_some(path));
            } else if path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn unreadable(path: &Path, error: io::Error) -> Error {
    Error::Unreadable { path: path.to_path_buf(), error }
}

/// Bytes as an input: standard input with its length.
pub fn stdin(bytes: &[u8]) -> Input {
    let size = (bytes.len() as u32).to_le_bytes().to_vec();
    Input::from([("stdin".to_string(), bytes.to_vec()), ("stdin.size".to_string(), size)])
}

/// The input of a test, or of all tests of an output folder.
pub fn of_tests(path: &Path) -> Result<Vec<Input>, replay::Error> {
    let files = if path.is_dir() { test_files(path)? } else { vec![path.to_path_buf()] };
    files.iter().map(|file| Ok(StoredTest::open(file)?.input())).collect()
}

/// How large the parts of an input are at most whose names begin so, in the order of their first names; the rest of the name stands for it.
pub fn sizes(inputs: &[Input], prefix: &str) -> Vec<(String, usize)> {
    let mut sizes = BTreeMap::new();
    for (name, bytes) in inputs.iter().flatten() {
        if let Some(rest) = name.strip_prefix(prefix) {
            let size: &mut usize = sizes.entry(rest.to_string()).or_default();
            *size = bytes.len().max(*size);
        }
    }
    sizes.into_iter().collect()
}

/// The same for arguments, by their numbers from 1; those that no input has are empty.
pub fn sizes_of_arguments(inputs: &[Input]) -> Vec<usize> {
    let mut args = Vec::new();
    for (number, size) in sizes(inputs, "arg") {
        let Some(at) = number
            .parse::<usize>()
            .ok()
            .filter(|&number| number < MAX_SIZE)
            .and_then(|number| number.checked_sub(1))
        else {
            continue;
        };
        args.resize(args.len().max(at + 1), 0);
        args[at] = size;
    }
    args
}

/// Completes first inputs by what is the same in all of them: the contents that arguments, files and variables begin with, and the length
/// of standard input where it is a part of the input. The first of the inputs stands apart from the others: it is run before any other.
/// Where there is none, that is the given contents alone.
pub fn completed(mut seeds: Vec<Input>, given: Input, size: Option<u32>) -> (Input, Vec<Input>) {
    for seed in &mut seeds {
        for (name, bytes) in &given {
            seed.entry(name.clone()).or_insert_with(|| bytes.clone());
        }
        if let Some(size) = size {
            seed.entry("stdin.size".into()).or_insert_with(|| size.to_le_bytes().to_vec());
        }
    }
    // The first comes before an input of zeros, which is of little use where there is a better one.
    let first = if seeds.is_empty() { given } else { seeds.remove(0) };
    (first, seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_completes_seeds_and_replaces_nothing() {
        let given = Input::from([("arg1".to_string(), b"a".to_vec()), ("stdin".to_string(), b"x".to_vec())]);
        let (first, rest) = completed(Vec::new(), given.clone(), Some(4));
        assert_eq!((first, rest.len()), (given.clone(), 0));
        let (first, rest) = completed(vec![stdin(b"yz"), Input::new()], given, Some(4));
        assert_eq!(first["stdin"], b"yz");
        assert_eq!(first["stdin.size"], [2, 0, 0, 0]);
        assert_eq!(rest[0]["stdin.size"], [4, 0, 0, 0]);
        assert_eq!((&rest[0]["arg1"][..], &rest[0]["stdin"][..]), (&b"a"[..], &b"x"[..]));
    }

    #[test]
    fn inputs_say_what_there_was() {
        let inputs = [
            Input::from([("arg2".to_string(), b"ab".to_vec()), ("file:x/y".to_string(), b"abc".to_vec())]),
            Input::from([("arg2".to_string(), b"a".to_vec()), ("argument".to_string(), Vec::new())]),
        ];
        assert_eq!(sizes_of_arguments(&inputs), [0, 2]);
        assert_eq!(sizes(&inputs, "file:"), [("x/y".to_string(), 3)]);
    }

    #[test]
    fn folders_give_their_files_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(contents(&[folder.path().to_path_buf()]), Err(Error::Empty)));
        std::fs::write(folder.path().join("b"), "2").expect("written");
        std::fs::write(folder.path().join("a"), "1").expect("written");
        let below = folder.path().join("c/d");
        std::fs::create_dir_all(&below).expect("made");
        std::fs::create_dir_all(folder.path().join(".state")).expect("made");
        std::fs::write(below.join("e"), "3").expect("written");
        std::fs::write(folder.path().join(".state/f"), "4").expect("written");
        let (seeds, left_out) = contents(&[folder.path().to_path_buf()]).expect("three seeds");
        assert_eq!((seeds, left_out), (vec![b"1".to_vec(), b"2".to_vec(), b"3".to_vec()], 0));
        let long = folder.path().join("long");
        std::fs::write(&long, vec![0; MAX_SIZE + 1]).expect("written");
        assert!(matches!(contents(&[folder.path().to_path_buf()]), Ok((seeds, 1)) if seeds.len() == 3));
        assert!(matches!(contents(&[long]), Err(Error::TooLong(_))));
        assert!(matches!(contents(&[folder.path().join("none")]), Err(Error::Unreadable { .. })));
    }
}
