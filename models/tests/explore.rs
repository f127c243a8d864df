//! The Explorer, end to end: its page, its status, and a path followed by its own labels.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use isrlab_models::checker::{Options, check, explore};
use isrlab_models::replication::{Constants, Replication, Variant};
use isrlab_models::verb::{Explore, ModelName, exit};
use serde_json::Value;

const BOUND: Constants = Constants::new(2, 2, 2, 2);

fn model() -> Replication<u64> {
    Replication::new(Variant::Kip101, BOUND, false).expect("fits")
}

/// Serves the model for as long as the test process lives.
fn serve() -> SocketAddr {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || explore(model(), 0, |address| sender.send(address).expect("awaited")));
    receiver.recv_timeout(Duration::from_secs(10)).expect("an address")
}

fn get(address: SocketAddr, path: &str) -> (String, String) {
    // The address is known a moment before the server listens on it.
    let mut tries = 0;
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) if tries == 100 => panic!("{address}: {error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
        tries += 1;
    };
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    (head.lines().next().expect("a status line").to_owned(), body.to_owned())
}

#[test]
fn a_counterexample_can_be_followed_page_by_page() {
    let address = serve();
    assert!(address.ip().is_loopback());
    let (status, page) = get(address, "/");
    assert!(status.contains("200") && page.contains("<html"), "{status}");
    let (_, status) = get(address, "/.status");
    let status: Value = serde_json::from_str(&status).expect("JSON");
    let properties = status["properties"].as_array().expect("properties");
    let names: Vec<_> = properties.iter().map(|property| property[1].as_str().expect("a name")).collect();
    assert_eq!(names, ["weak-isr", "strong-isr", "no-divergence"]);

    let report = check(&model(), &Options::default(), &mut |_| ());
    let trace = report.claims[0].counterexample.as_ref().expect("violated");
    let mut path = "/.states/0".to_owned();
    for step in &trace.steps[1..] {
        let (_, views) = get(address, &path);
        let views: Value = serde_json::from_str(&views).expect("JSON");
        let taken =
            views.as_array().expect("views").iter().find(|view| view["action"] == step.action.as_str());
        let taken = taken.unwrap_or_else(|| panic!("no \"{}\" at {path}", step.action));
        let shown = taken["state"].as_str().expect("a state");
        for variable in &step.state {
            assert!(shown.contains(&format!("{} = {}", variable.name, variable.value)), "{shown}");
        }
        path = format!("{path}/{}", taken["actionIndex"]);
    }
    let (status, _) = get(address, "/.states/77");
    assert!(status.contains("404"), "{status}");
}

#[test]
fn a_port_that_is_taken_is_an_error_in_words() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let args = Explore {
        model: ModelName::from_name("kip-497").expect("a model"),
        constants: BOUND,
        history: false,
        async_isr_constants: isrlab_models::async_isr::AsyncIsrConstants::new(2, 2, 2),
        port: taken.local_addr().expect("bound").port(),
    };
    let mut progress = Vec::new();
    assert_eq!(isrlab_models::verb::explore(&args, &mut progress), exit::USAGE);
    let text = String::from_utf8(progress).expect("UTF-8");
    assert!(text.contains("cannot listen on 127.0.0.1:") && text.contains("--port"), "{text}");
}
