//! Coverage in the trace format of lcov, which editors and reports of others read.

use crate::coverage::Coverage;
use crate::target::Sites;
use smt::text::put;
use std::collections::BTreeMap;

/// The trace: for every file its branches (`BRDA`) and lines (`DA`).
pub(super) fn text(sites: &Sites, coverage: &Coverage) -> String {
    let mut branches: BTreeMap<usize, Vec<Vec<bool>>> = BTreeMap::new();
    for (site, ways) in coverage.ways() {
        if let Some(line) = sites.line_of(site) {
            branches.entry(line).or_default().push(ways);
        }
    }
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (position, line) in sites.lines().iter().enumerate() {
        files.entry(&line.file).or_default().push(position);
    }
    let mut out = String::from("TN:\n");
    for (file, lines) in files {
        let (mut found, mut hit) = (0, 0);
        let mut part = format!("SF:{file}\n");
        for &line in &lines {
            for (block, ways) in branches.get(&line).into_iter().flatten().enumerate() {
                for (way, taken) in ways.iter().enumerate() {
                    (found, hit) = (found + 1, hit + usize::from(*taken));
                    put(
                        &mut part,
                        format_args!(
                            "BRDA:{},{block},{way},{}\n",
                            sites.lines()[line].line,
                            u8::from(*taken)
                        ),
                    );
                }
            }
        }
        put(&mut part, format_args!("BRF:{found}\nBRH:{hit}\n"));
        let covered = |line: &&usize| coverage.lines().contains(line);
        for line in &lines {
            put(&mut part, format_args!("DA:{},{}\n", sites.lines()[*line].line, u8::from(covered(&line))));
        }
        put(
            &mut part,
            format_args!("LF:{}\nLH:{}\nend_of_record\n", lines.len(), lines.iter().filter(covered).count()),
        );
        out.push_str(&part);
    }
    out
}
