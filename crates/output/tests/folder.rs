//! Output folders from outside: whose files are whose.

use output::{Error, Folder, MARKER, Standing};
use std::fs;
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            } else {
                all.push(path.strip_prefix(folder).unwrap().display().to_string());
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_folder_with_anything_else_is_refused_and_untouched() {
    let dir = tempfile::tempdir().unwrap();
    for foreign in ["tests/mine.c", "state.json", ".git/config"] {
        let path = dir.path().join(foreign.replace('/', "-"));
        fs::create_dir_all(path.join(foreign).parent().unwrap()).unwrap();
        fs::write(path.join(foreign), "mine").unwrap();
        for fresh in [false, true] {
            let error = Folder::open(&path, "explore", fresh).unwrap_err();
            assert!(matches!(&error, Error::NotOurs(_)), "{error}");
            assert_eq!(names(&path), [foreign], "fresh {fresh}");
        }
    }
    let marked = dir.path().join("marked");
    fs::create_dir(&marked).unwrap();
    for (text, message) in [
        ("{\"tool\": \"another\"}", "no marker"),
        ("{", "not JSON"),
        ("{\"tool\": \"soundline\", \"command\": \"fuzz truth\"}", "by `soundline fuzz truth`"),
    ] {
        fs::write(marked.join(MARKER), text).unwrap();
        let error = Folder::open(&marked, "explore", true).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(fs::read_to_string(marked.join(MARKER)).unwrap(), text);
    }
}

#[test]
fn fresh_removes_what_was_written_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new/out");
    let (folder, standing) = Folder::open(&path, "explore", false).unwrap();
    assert_eq!(standing, Standing::New);
    folder.write("tests/1.json", "1").unwrap();
    folder.write("tests/deep/2.json", "2").unwrap();
    folder.write("summary.json", "{}").unwrap();
    folder.write_group("crashes/001", &[("report.txt", "boom".into())]).unwrap();
    fs::write(path.join("crashes/001/notes.txt"), "mine").unwrap();
    fs::write(path.join("mine.txt"), "mine").unwrap();
    assert!(matches!(Folder::open(&path, "explore", false), Err(Error::Busy(_))));
    drop(folder);

    let (folder, standing) = Folder::open(&path, "explore", false).unwrap();
    assert_eq!(standing, Standing::Ours);
    assert!(folder.names().contains(&"tests/deep/2.json".to_string()));
    drop(folder);
    let (folder, standing) = Folder::open(&path, "explore", true).unwrap();
    assert_eq!(standing, Standing::New);
    assert_eq!(names(&path), ["crashes/001/notes.txt", "mine.txt", "soundline.files", MARKER]);
    assert!(!path.join("tests").exists());
    // A group is replaced around what others put there, and loses what it no longer has.
    folder.write_group("crashes/001", &[("a", "1".into()), ("b", "1".into())]).unwrap();
    folder.write_group("crashes/001", &[("b", "2".into())]).unwrap();
    assert_eq!(names(&path.join("crashes")), ["001/b", "001/notes.txt"]);
    assert_eq!(fs::read_to_string(path.join("crashes/001/b")).unwrap(), "2");
}

/// The list is a file like others: what it says is not believed where it leads elsewhere.
#[test]
fn a_list_that_leads_out_of_the_folder_removes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    drop(Folder::open(&path, "explore", false).unwrap());
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("precious"), "mine").unwrap();
    std::os::unix::fs::symlink(&outside, path.join("link")).unwrap();
    let absolute = outside.join("precious").display().to_string();
    fs::write(path.join("soundline.files"), format!("../outside/precious\n{absolute}\nlink/precious\nhalf"))
        .unwrap();
    drop(Folder::open(&path, "explore", true).unwrap());
    assert!(outside.join("precious").exists());
}

#[test]
fn what_a_killed_run_left_unfinished_goes_with_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::open(dir.path(), "fuzz truth", false).unwrap();
    let half = folder.claim("tests/1.json").unwrap().with_file_name(".1.json.new");
    fs::write(half, "half").unwrap();
    folder.claim("findings/a/bug.smt2").unwrap();
    fs::remove_dir(dir.path().join("findings/a")).unwrap();
    fs::create_dir_all(dir.path().join("findings/.a.new")).unwrap();
    fs::write(dir.path().join("findings/.a.new/bug.smt2"), "half").unwrap();
    drop(folder);
    drop(Folder::open(dir.path(), "fuzz truth", true).unwrap());
    assert_eq!(names(dir.path()), ["soundline.files", MARKER]);
    assert!(!dir.path().join("findings").exists());
}

#[test]
fn errors_name_the_path() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let error = Folder::open(&dir.path().join("file"), "explore", false).unwrap_err().to_string();
    assert!(error.contains("/file: "), "{error}");
    let error = output::write_whole(&dir.path().join("none/a"), "").unwrap_err().to_string();
    assert!(error.contains("/none/a: "), "{error}");
    assert!(output::probe(&dir.path().join("none/a")).is_err() && output::probe(dir.path()).is_err());
    assert!(
        output::probe(&dir.path().join("file")).is_ok() && output::probe(&dir.path().join("new")).is_ok()
    );
    assert_eq!(names(dir.path()), ["file"]);
}

#[test]
fn a_file_takes_the_place_of_a_file_and_of_nothing_else() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("file"), "old").unwrap();
    symlink(at("file"), at("link")).unwrap();
    symlink(at("nothing"), at("dangling")).unwrap();
    symlink("/dev/null", at("null")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    output::probe(&at("link")).unwrap();
    output::write_whole(&at("link"), "new").unwrap();
    assert_eq!((fs::read_to_string(at("file")).unwrap().as_str(), at("link").is_symlink()), ("new", true));
    assert!(output::probe(&at("dangling")).is_err() && output::write_whole(&at("dangling"), "").is_err());
    assert!(at("dangling").is_symlink() && !at("nothing").exists());
    output::probe(&at("null")).unwrap();
    output::write_whole(&at("null"), "lost").unwrap();
    assert!(at("null").is_symlink() && fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    output::probe(&at("pipe")).unwrap();
    let reader = std::thread::spawn({
        let pipe = at("pipe");
        move || fs::read_to_string(pipe).unwrap()
    });
    output::write_whole(&at("pipe"), "through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert!(fs::metadata(at("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(names(dir.path()), ["dangling", "file", "link", "null", "pipe"]);
}

#[test]
fn a_name_may_be_as_long_as_names_are() {
    let dir = tempfile::tempdir().unwrap();
    let name = "n".repeat(255);
    output::probe(&dir.path().join(&name)).unwrap();
    output::write_whole(&dir.path().join(&name), "x").unwrap();
    assert_eq!(names(dir.path()), [name]);
}
