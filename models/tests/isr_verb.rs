//! `check isr` as a user meets it.

use clap::Parser;
use isrlab_models::isr::verb::IsrArgs;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    isr: IsrArgs,
}

/// Runs the verb with these arguments: exit code, standard output, standard error.
fn run(arguments: &[&str]) -> (u8, String, String) {
    let line = Line::try_parse_from(std::iter::once("isr").chain(arguments.iter().copied()))
        .unwrap_or_else(|error| panic!("{error}"));
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let code = line.isr.run(None, &mut out, &mut progress, None);
    (code, String::from_utf8(out).expect("UTF-8"), String::from_utf8(progress).expect("UTF-8"))
}

const SMALL: &[&str] = &["--followers", "1", "--lag", "2", "--gap", "1", "--start", "established"];

fn small(more: &[&'static str]) -> (u8, String, String) {
    run(&[SMALL, more].concat())
}

#[test]
fn the_old_rule_is_refuted_and_that_is_as_expected() {
    let (code, out, progress) = small(&["--criterion", "pre-4485", "--question", "removal", "--full"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("diligent-removed = 1"), "{out}");
    assert!(out.contains("tight:"), "{out}");
    assert!(progress.contains("states/s"), "{progress}");
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    let one = small(&["--threads", "1", "--format", "json"]);
    let three = small(&["--threads", "3", "--format", "json"]);
    assert_eq!((one.0, one.1), (three.0, three.1));
}

#[test]
fn json_holds_the_claims_and_each_cycle() {
    let (code, out, _) = small(&["--criterion", "proposed-4485", "--format", "json"]);
    assert_eq!(code, 0);
    let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let answers = document["answers"].as_array().expect("answers");
    let outside = answers
        .iter()
        .find(|answer| answer["measure"] == "g2-outside" && answer["setting"]["behaviour"] == "returning")
        .expect("asked");
    assert_eq!(outside["answer"], "unbounded");
    assert!(!outside["cycle"]["round"].as_array().expect("a round").is_empty());
    assert!(document["claims"].as_array().expect("claims").len() > 8);
}

#[test]
fn a_limit_makes_it_inconclusive() {
    let (code, out, _) = small(&["--max-states", "10"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("inconclusive"), "{out}");
}

#[test]
fn bad_numbers_are_refused_with_what_is_accepted() {
    let (code, _, progress) = run(&["--lag", "0"]);
    assert_eq!(code, 2);
    assert!(progress.contains("the lag time D is 0; it must be 1 to 50"), "{progress}");
    let (code, _, progress) = run(&["--grid", "--lag", "3"]);
    assert_eq!(code, 2);
    assert!(progress.contains("leave out --lag"), "{progress}");
}

#[test]
fn a_premise_that_is_never_true_makes_a_strict_run_inconclusive() {
    let never = &["--criterion", "proposed-4485", "--behaviour", "diligent", "--question", "g2"];
    assert_eq!(small(never).0, 0);
    let strict = [never.as_slice(), &["--strict"]].concat();
    let (code, _, progress) = small(&strict);
    assert_eq!(code, 3);
    assert!(progress.contains("the premise of g2-at-removal was never true"), "{progress}");
}

#[test]
fn an_action_that_is_never_taken_makes_a_strict_run_inconclusive() {
    // Of a steady producer the table says nothing, so only what is not exercised can matter.
    let idle = &["--criterion", "equal-leo", "--behaviour", "any", "--writes", "0", "--steady"];
    let idle = [idle.as_slice(), &["--question", "invariants"]].concat();
    let (code, out, _) = small(&idle);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("never taken: append"), "{out}");
    let (code, _, progress) = small(&[idle.as_slice(), &["--strict"]].concat());
    assert_eq!(code, 3, "{progress}");
    assert!(progress.contains("the action append was never taken"), "{progress}");
    let busy = &["--criterion", "equal-leo", "--behaviour", "any", "--question", "invariants", "--strict"];
    assert_eq!(small(busy).0, 0);
}

#[test]
fn a_limit_of_memory_makes_it_inconclusive_and_the_quiet_hear_nothing() {
    let (code, out, progress) = small(&["--max-memory", "1MB", "--quiet"]);
    assert_eq!((code, progress.as_str()), (3, ""), "{out}");
    assert!(out.contains("stopped by the memory limit"), "{out}");
}

#[test]
fn counterexamples_and_junit_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("isr.xml");
    let traces = folder.path().join("traces");
    let arguments = [
        SMALL,
        &["--criterion", "pre-4485", "--question", "removal", "--behaviour", "diligent", "--junit"],
        &[junit.to_str().expect("a path"), "--traces", traces.to_str().expect("a path")],
    ]
    .concat();
    assert_eq!(run(&arguments).0, 0);
    let xml = std::fs::read_to_string(&junit).expect("written");
    assert!(xml.contains(r#"name="diligent-removed""#) && !xml.contains("<failure"), "{xml}");
    let mut names: Vec<String> = std::fs::read_dir(&traces)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    let wanted = ["itf.json", "json", "mmd", "schedule.txt", "toml", "txt"]
        .map(|extension| format!("00000-pre-4485-diligent-removed.{extension}"));
    assert_eq!(names, wanted);
    let text = std::fs::read_to_string(traces.join(&names[5])).expect("written");
    assert!(text.contains("the check runs") && text.contains("VIOLATED"), "{text}");
}

/// Sends each line that is written to it to a channel.
struct Lines(std::sync::mpsc::Sender<String>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The body of a page, once the server listens.
fn get(address: &str, path: &str) -> String {
    use std::io::{Read, Write};
    let mut tries = 0;
    let mut stream = loop {
        match std::net::TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) if tries == 100 => panic!("{address}: {error}"),
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
        tries += 1;
    };
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer.split_once("\r\n\r\n").expect("a head and a body").1.to_owned()
}

#[test]
fn a_counterexample_can_be_followed_in_the_explorer() {
    use isrlab_models::checker::{Checkable, Options, check};
    use isrlab_models::isr::measure::Measure;
    use isrlab_models::isr::model::Watch;
    use isrlab_models::isr::setting::Setting;
    use stateright::Model;

    let setting = Setting::of(isrlab_sim::protocol::IsrCriterion::Pre4485);
    let watch = Watch { setting, measure: Measure::DiligentRemoved, bound: 0 };
    let report = check(&watch, &Options::default(), &mut |_| ());
    let trace = report.claims[0].counterexample.as_ref().expect("a diligent follower is removed");

    let (sender, receiver) = std::sync::mpsc::channel();
    let served = watch.clone();
    std::thread::spawn(move || isrlab_models::isr::verb::explore_isr(served, 0, &mut Lines(sender)));
    let mut said = String::new();
    while !said.contains("/ (end") {
        said += &receiver.recv_timeout(std::time::Duration::from_secs(20)).expect("it says where");
    }
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");

    let starts = watch.init_states();
    let start = starts.iter().position(|state| watch.variables(state) == trace.steps[0].state);
    let mut path = format!("/.states/{}", start.expect("an initial state"));
    for step in &trace.steps[1..] {
        let views: serde_json::Value = serde_json::from_str(&get(address, &path)).expect("JSON");
        let taken =
            views.as_array().expect("views").iter().find(|view| view["action"] == step.action.as_str());
        let taken = taken.unwrap_or_else(|| panic!("no \"{}\" at {path}: {views}", step.action));
        let shown = taken["state"].as_str().expect("a state");
        assert!(shown.contains("high watermark = "), "{shown}");
        path = format!("{path}/{}", taken["actionIndex"]);
    }
}

#[test]
fn explore_takes_the_isr_model_and_its_numbers() {
    use isrlab_models::isr::setting::{Behaviour, Start};
    use isrlab_models::verb::args::{ExploreArgs, Explored};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        explore: ExploreArgs,
    }
    let parse = |arguments: &str| Line::try_parse_from(format!("explore {arguments}").split_whitespace());
    let args =
        parse("isr --criterion equal-leo --lag 3 --gap 4 --behaviour any --start election --measure g1-held")
            .unwrap_or_else(|error| panic!("{error}"))
            .explore;
    assert_eq!(args.model, Explored::Isr);
    let setting = args.isr.watch().setting;
    assert_eq!((setting.lag, setting.period, setting.gap), (3, 1, 4));
    assert_eq!((setting.behaviour, setting.start), (Behaviour::Any, Start::Election));
    let refused = |arguments: &str| parse(arguments).err().expect("refused").to_string();
    assert!(refused("isr --measure g3").contains("g2-outside"));
    assert!(refused("isrr").contains("kip-497-shrink-at-once, and isr"));
    // A number out of range is refused with what is accepted, before anything is served.
    let mut progress = Vec::new();
    let bad = parse("isr --lag 0").unwrap_or_else(|error| panic!("{error}")).explore;
    assert_eq!(bad.run(&mut progress), 2);
    assert!(String::from_utf8_lossy(&progress).contains("it must be 1 to 50"));
}
