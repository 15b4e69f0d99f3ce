//! First inputs that a user gives: files whose bytes are standard input, and tests of earlier explorations.

use crate::replay::{self, test_files};
use crate::report::test::StoredTest;
use crate::target::Input;
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

/// The bytes of all files; a folder stands for the files in it, in the order of their names.
pub fn contents(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, Error> {
    let mut seeds = Vec::new();
    for path in paths {
        for file in if path.is_dir() { files_of(path)? } else { vec![path.clone()] } {
            let bytes = std::fs::read(&file).map_err(|error| unreadable(&file, error))?;
            if bytes.len() > MAX_SIZE {
                return Err(Error::TooLong(file));
            }
            seeds.push(bytes);
        }
    }
    if !paths.is_empty() && seeds.is_empty() { Err(Error::Empty) } else { Ok(seeds) }
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let cannot = |error| unreadable(folder, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_file() {
            files.push(path);
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
    fn folders_give_their_files_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(contents(&[folder.path().to_path_buf()]), Err(Error::Empty)));
        std::fs::write(folder.path().join("b"), "2").expect("written");
        std::fs::write(folder.path().join("a"), "1").expect("written");
        let seeds = contents(&[folder.path().to_path_buf()]).expect("two seeds");
        assert_eq!(seeds, [b"1".to_vec(), b"2".to_vec()]);
        assert!(matches!(contents(&[folder.path().join("none")]), Err(Error::Unreadable { .. })));
    }
}
