//! Campaign files through text: what is read, and which mistakes are named with line and column.

use super::*;

fn mistakes(source: &str) -> Vec<String> {
    match Campaign::read(source, Path::new("/here")) {
        Ok(_) => Vec::new(),
        Err(list) => list
            .iter()
            .map(|mistake| {
                let (line, column) = mistake.place(source);
                format!("{line}:{column}: {}", mistake.message)
            })
            .collect(),
    }
}

#[test]
fn the_template_is_a_campaign_and_names_every_key() {
    let text = template("z3@4.8.10");
    let campaign = Campaign::read(&text, Path::new("/here")).expect("the template is right");
    assert_eq!((campaign.name.as_str(), campaign.targets[0].spec.as_str()), ("nightly", "z3@4.8.10"));
    assert_eq!(campaign.store, Path::new("/here/campaign"));
    assert_eq!(campaign.limits.time, Some(Duration::from_secs(8 * 3600)));
    for section in keys::SECTIONS {
        for key in section.keys {
            assert!(text.contains(&format!("{} = ", key.name)), "{} of {}", key.name, section.name);
        }
    }
    // A name with quotes must not end the string that it stands in.
    assert!(Campaign::read(&template("a\"b"), Path::new("/")).is_ok());
}

#[test]
fn every_shown_value_is_one_that_its_key_takes() {
    for section in keys::SECTIONS {
        for key in section.keys {
            let header =
                if section.many { format!("[[{}]]", section.name) } else { format!("[{}]", section.name) };
            let source = format!("{header}\n{} = {}\n", key.name, key.shown);
            let about =
                |m: &String| m.contains(&format!("`{}`: expected", key.name)) || m.contains("is not known");
            assert!(!mistakes(&source).iter().any(about), "{source}: {:?}", mistakes(&source));
        }
    }
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let head = "[campaign]\nname = \"n\"\n";
    let run = "[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"truth\"\n";
    for (source, expected) in [
        (format!("{head}{run}"), vec![]),
        (
            format!("{head}sede = 3\n{run}"),
            vec!["3:1: unknown key `sede` in [campaign]; did you mean `seed`?"],
        ),
        (format!("{head}seed = \"x\"\n{run}"), vec!["3:8: `seed`: expected a whole number, found string"]),
        (format!("{head}seed = -1\n{run}"), vec!["3:8: `seed`: expected a whole number, found integer"]),
        (
            format!("{head}[limits]\ntime = \"8 hours\"\njobs = 0.5\n{run}"),
            vec![
                "4:8: `time`: expected seconds, or a string like \"90m\", found string",
                "5:8: `jobs`: expected a whole number, found float",
            ],
        ),
        (
            format!("{head}[limits]\njobs = 0\n{run}"),
            vec!["4:8: jobs must be 1 to 4096; without the key there is one a core"],
        ),
        (format!("{head}[[targets]]\n{run}"), vec!["3:3: unknown section `targets`; did you mean `target`?"]),
        (format!("{head}[target]\nsolver = \"z3\"\n"), vec!["3:2: this section is written [[target]]"]),
        (
            format!("{head}[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"thruth\"\n"),
            vec![
                "6:8: `name`: `thruth` is not known; expected one of truth, approx, evolve, mutate, fusion, enumerate, all; did you mean `truth`?",
            ],
        ),
        (
            format!(
                "{head}[[target]]\nsolver = \"z3\"\n[[strategy]]\nname = \"approx\"\nbeyond = [\"all\"]\n"
            ),
            vec!["5:1: `approx` needs `seeds`", "7:10: `beyond` is for truth, not for approx"],
        ),
        (
            format!("{head}[[explore]]\nprogram = \"a.py\"\n"),
            vec!["4:11: not a .c, .cc, .cpp, .cxx, .wasm, .wat, .java, .class, .jar file"],
        ),
        (head.to_string(), vec!["1:1: there is nothing to do: no [[strategy]] and no [[explore]]"]),
        (
            format!("{head}[[strategy]]\nname = \"truth\"\n"),
            vec!["1:1: the strategies have nothing to test: no [[target]]"],
        ),
        (run.to_string(), vec!["1:1: a [campaign] section with a name is needed"]),
        (
            format!("{head}[[target]]\noptions = []\n{run}"),
            vec!["3:1: a [[target]] needs `solver` or `path`"],
        ),
    ] {
        assert_eq!(mistakes(&source), expected, "{source}");
    }
    // A syntax error, whatever its words are, has its line.
    assert!(mistakes("[campaign]\nname = \n").iter().any(|m| m.starts_with("2:")));
}

#[test]
fn options_make_targets_and_paths_are_absolute() {
    let source = "[campaign]\nname = \"n\"\n[[target]]\nsolver = \"z3@4.8.10\"\noptions = [\"\", \"smt.string_solver=z3str3\"]\n\
        [[target]]\npath = \"b in/z3\"\nname = \"nightly\"\n[[strategy]]\nname = \"approx\"\nseeds = [\"s\"]\n";
    let campaign = Campaign::read(source, Path::new("/here")).expect("right");
    let targets: Vec<(&str, &str)> =
        campaign.targets.iter().map(|target| (target.name.as_str(), target.spec.as_str())).collect();
    assert_eq!(
        targets,
        [
            ("z3@4.8.10", "z3@4.8.10"),
            ("z3@4.8.10 smt.string_solver=z3str3", "z3@4.8.10 smt.string_solver=z3str3"),
            ("nightly", "'/here/b in/z3'"),
        ]
    );
    let StrategySettings::Approx { seeds, .. } = &campaign.strategies[0].settings else { panic!("approx") };
    assert_eq!(seeds, &[PathBuf::from("/here/s")]);
}

#[test]
fn what_is_named_and_not_there_is_a_mistake_for_those_who_run_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), "").expect("written");
    let source = "[campaign]\nname = \"n\"\n[[target]]\npath = \"z3\"\n[[strategy]]\nname = \"mutate\"\nseeds = [\".\", \"none\"]\n\
        [[explore]]\nprogram = \"a.c\"\n[[explore]]\nprogram = \"b.c\"\n";
    assert!(Campaign::read(source, folder.path()).is_ok());
    let mistakes = Campaign::read_to_run(source, folder.path()).expect_err("two are not there");
    let places: Vec<(usize, bool)> =
        mistakes.iter().map(|m| (m.place(source).0, m.message.contains("there is no such"))).collect();
    assert_eq!(places, [(7, true), (11, true)]);
}
