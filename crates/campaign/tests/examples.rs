//! The examples for continuous integration are read as what they are: the workflow as YAML with the keys that it needs, the
//! Containerfile instruction by instruction, and every `soundline` command in them has options that exist.

use std::path::PathBuf;
use std::process::Command;

fn example(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci").join(name);
    let text = std::fs::read_to_string(&path).expect("the example is there");
    (path, text)
}

#[test]
fn the_workflow_is_yaml_with_jobs_and_steps() {
    let (path, text) = example("workflow.yml");
    let program = "import sys, yaml\nw = yaml.safe_load(open(sys.argv[1]))\nassert w['name'] and (w.get('on') or w[True])\n\
        for job in w['jobs'].values():\n  assert job['runs-on']\n  for step in job['steps']:\n    assert ('run' in step) != ('uses' in step), step\nprint(len(w['jobs']))";
    let out = Command::new("python3").args(["-c", program]).arg(path).output().expect("python3 is installed");
    assert!(
        out.status.success(),
        "python3 with yaml (apt-get install python3-yaml): {}",
        String::from_utf8_lossy(&out.stderr)
    );
    assert!(text.contains("--ci"));
}

#[test]
fn the_containerfile_has_known_instructions_in_order() {
    let (_, text) = example("Containerfile");
    let mut instructions = Vec::new();
    let mut continued = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty()) {
        if !continued {
            instructions.push(line.split_whitespace().next().unwrap_or_default());
        }
        continued = line.ends_with('\\');
    }
    assert!(!continued, "the last line goes on");
    let known = ["FROM", "WORKDIR", "COPY", "RUN", "ENV", "CMD"];
    assert!(instructions.iter().all(|word| known.contains(word)), "{instructions:?}");
    assert_eq!((instructions[0], instructions.last()), ("FROM", Some(&"CMD")));
    assert!(text.contains("COPY --from=build"));
}
