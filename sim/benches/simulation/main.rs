//! What an event of the whole simulation costs: beside bare loops, and by the size of the cluster
//! and the length of the run.
//!
//! `cargo bench -p isrlab-sim --bench simulation`, or with `-- SECTION…` for some sections only.
//! Each section says what its columns are; docs/performance.md tells how to read them.

mod bare;
mod measure;
mod sections;
mod workload;

use sections::SECTIONS;

fn main() {
    // Cargo itself passes `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [word, name, seconds] = &wanted[..]
        && word == "once"
    {
        return sections::once(name, seconds.parse().expect("a number of virtual seconds"));
    }
    let unknown = |name: &&String| !SECTIONS.iter().any(|section| section.name == name.as_str());
    if let Some(name) = wanted.iter().find(unknown) {
        let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
        eprintln!("there is no section {name:?}; there are {}, and once (a|b|c|d) SECONDS", names.join(", "));
        std::process::exit(2);
    }
    for section in
        SECTIONS.iter().filter(|section| wanted.is_empty() || wanted.iter().any(|name| name == section.name))
    {
        println!("## {}\n\n{}\n", section.name, section.explanation);
        (section.run)();
        println!();
    }
}
