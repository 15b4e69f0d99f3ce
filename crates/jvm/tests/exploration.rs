//! Java programs explored end to end: the crashes that are there are found, and their tests replay.

use explore::search::{self, SearchSettings};
use explore::world::Setup;
use explore::{Target, target::RunLimits};
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
        assert a != 12345;
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
    for test in &found.tests {
        let input =
            test.run.objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
        let (run, _) = opened.program.run_concrete(&input, &RunLimits::default());
        assert_eq!(run.ending, test.run.ending);
    }
}
