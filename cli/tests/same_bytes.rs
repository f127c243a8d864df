//! The same replay gives the same bytes, however often and on however many threads it is run.

mod common;

use common::*;

fn same(lab: &Lab, a: &str, b: &str) {
    assert_eq!(lab.names(a), lab.names(b));
    for name in lab.names(a) {
        let (a, b) = (lab.bytes(&format!("{a}/{name}")), lab.bytes(&format!("{b}/{name}")));
        assert!(a == b, "{name} differs ({} and {} bytes)", a.len(), b.len());
    }
}

#[test]
fn one_thread_two_threads_and_once_more() {
    let lab = Lab::new();
    let text = SMALL.replace("[\"post-4485\"]", "[\"pre-4485\", \"post-4485\", \"kafka-2.5\"]");
    lab.write("small.toml", text);
    let args = ["replay", "small.toml", "--seeds", "4"];
    let run = |more: &[&str]| lab.run(&[&args[..], more].concat()).code(0).out;
    let one = run(&["--threads", "1", "--out", "one"]);
    let two = run(&["--threads", "2", "--out", "two"]);
    let many = run(&["--threads", "9999", "--out", "many"]);
    assert_eq!(one.replace("in one", "in two"), two);
    assert_eq!(one.replace("in one", "in many"), many);
    same(&lab, "one", "two");
    same(&lab, "one", "many");
    let again = run(&["--threads", "1", "--out", "one"]);
    assert_eq!(again, one.replace("in one", "in one (those of an earlier replay were replaced)"));
    same(&lab, "one", "two");
}
