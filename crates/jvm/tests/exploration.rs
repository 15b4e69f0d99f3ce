//! Java programs explored end to end: the crashes that are there are found, and their tests replay.

use explore::Target;
use explore::search::{self, SearchSettings};
use explore::target::{Ending, RunLimits};
use explore::world::Setup;
use std::time::Duration;

const TRIANGLE: &str = r#"
import soundline.Symbolic;
public class Triangle {
    static int[] table = {3, 1, 4, 1, 5, 9, 2, 6};
    static String kind(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) return "bad";
        if (a == b && b == c) return "equilateral";
        return "other";
    }
    public static void main(String[] args) throws Exception {
        int a = Symbolic.intInput("a");
        System.out.println(kind(a, 3, 3));
        int i = System.in.read();
        if (table[i] == 9) throw new IllegalStateException("nine");
        String s = Symbolic.stringInput("s", 3);
        if (s.equals("ab")) System.out.println(1 / (a - 77));
        assert a != 12345 : "not this";
    }
}
"#;

#[test]
fn crashes_are_found_and_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Triangle.java");
    std::fs::write(&file, TRIANGLE).expect("written");
    let setup = Setup { stdin: 1, ..Setup::default() };
    let opened = jvm::front::open(&file, None, setup, &[]).unwrap_or_else(|error| panic!("{error}"));
    let settings = SearchSettings { time_limit: Some(Duration::from_secs(100)), ..SearchSettings::default() };
    let found = search::explore(&opened.program, &settings, &mut |_| {});
    let mut endings: Vec<String> = found.crashes.iter().map(|crash| crash.ending.to_string()).collect();
    endings.sort();
    endings.dedup();
    let expected = [
        "assertion failed",
        "java.lang.ArithmeticException",
        "java.lang.ArrayIndexOutOfBoundsException",
        "java.lang.IllegalStateException",
    ];
    assert_eq!(endings, expected, "{:?} {:?}", found.stop_reason, found.counters);
    assert_eq!(found.counters.divergences, 0);
    for crash in &found.crashes {
        let frames = opened.program.frames(&crash.stack);
        assert!(
            frames.iter().any(|frame| frame.function == "Triangle.main" && frame.line.is_some()),
            "{frames:?}"
        );
    }
    let failed = found.crashes.iter().find(|crash| crash.ending == Ending::Assertion).expect("one failed");
    let notes: Vec<&str> = failed.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(notes, ["Exception in thread \"main\" java.lang.AssertionError: not this"]);
    for test in &found.tests {
        let input =
            test.run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
        let (run, _) = opened.program.run_concrete(&input, &RunLimits::default());
        assert_eq!(run.ending, test.run.ending);
    }
}

/// Output, a thread, static fields and a table before the first byte is read, and more of each after it.
const LATE: &str = r#"
public class Late {
    static int turns = 3;
    static final int[] squares = new int[1000];
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < squares.length; i++) squares[i] = i * i;
        Thread other = new Thread(() -> { while (turns < 9) { turns++; Thread.yield(); } });
        other.start();
        System.out.println("ready " + squares[7]);
        int c = System.in.read();
        other.join();
        System.out.println(c + turns);
        if (c == 'x') throw new IllegalStateException("x");
    }
}
"#;

#[test]
fn a_run_that_begins_at_the_input_is_the_run_from_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Late.java");
    std::fs::write(&file, LATE).expect("written");
    let setup = Setup { stdin: 1, ..Setup::default() };
    let opened = jvm::front::open(&file, None, setup, &[]).unwrap_or_else(|error| panic!("{error}"));
    let program = &opened.program;
    let mut terms = smt::Terms::default();
    for (byte, ending) in [(b'a', "returned"), (b'x', "java.lang.IllegalStateException")] {
        let input = [("stdin".to_string(), vec![byte])].into_iter().collect();
        let (_, world) = program.run_plain(&input, 1_000_000);
        let mut symbols = explore::target::Symbols::default();
        let (run, trail) = program.run_concrete(&input, &RunLimits::default());
        let (on_terms, path) = program.run_concolic(&input, &mut terms, &mut symbols, &RunLimits::default());
        for run in [&run, &on_terms] {
            assert_eq!(String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&world.stdout));
            assert_eq!(run.ending.to_string(), ending);
        }
        // The route ends where the path says, though neither knows the way up to the input.
        let last = path.last().expect("a decision");
        assert!(trail.routes().contains(&last.route) || trail.routes().len() == 1, "{:?}", last.route);
        assert!(trail.routes().len() < 1000, "the table was filled before: {}", trail.routes().len());
        let mut coverage = explore::coverage::Coverage::new(program.sites());
        let fresh = coverage.add(&trail, program.sites());
        assert!(fresh.lines.len() >= 8, "what comes before the input is covered too: {:?}", fresh.lines);
    }
}
