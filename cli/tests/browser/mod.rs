//! A headless Chromium, driven over its DevTools protocol through two pipes: no port, no crate.
#![allow(dead_code, reason = "each test file uses its part")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// If this is set a missing browser is a failure: CI must not skip in silence.
const REQUIRED: &str = "ISRLAB_REQUIRE_CHROMIUM";
/// The program, if it is not on the path under one of the usual names.
const PROGRAM: &str = "ISRLAB_CHROMIUM";
/// A folder in which each page that is opened leaves a picture.
const PICTURES: &str = "ISRLAB_SCREENSHOTS";

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PATIENCE: Duration = Duration::from_secs(90);

/// A window of some size in some light.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub is_dark: bool,
}

pub const DESKTOP: View = View { name: "desktop-light", width: 1280, height: 900, is_dark: false };
pub const DESKTOP_DARK: View = View { name: "desktop-dark", width: 1280, height: 900, is_dark: true };
pub const PHONE: View = View { name: "phone-light", width: 390, height: 844, is_dark: false };
pub const PHONE_DARK: View = View { name: "phone-dark", width: 390, height: 844, is_dark: true };
pub const VIEWS: [View; 4] = [DESKTOP, DESKTOP_DARK, PHONE, PHONE_DARK];

pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    next: u64,
    /// What the page complained of, and what it asked of a network.
    complaints: Vec<String>,
    loaded: bool,
    _profile: TempDir,
}

/// The browser; none, and a line that says so, where there is none and none is required.
pub fn browser() -> Option<Browser> {
    match program() {
        Some(program) => Some(Browser::start(&program)),
        None => {
            assert!(
                std::env::var_os(REQUIRED).is_none(),
                "{REQUIRED} is set, but there is no Chromium: looked for {} on the path, and in {PROGRAM}",
                NAMES.join(", ")
            );
            // Not by a macro: the test harness would swallow it.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: the page was not opened, for want of Chromium ({} on the path, or {PROGRAM})",
                NAMES.join(", ")
            );
            None
        }
    }
}

fn program() -> Option<PathBuf> {
    if cfg!(not(unix)) {
        return None;
    }
    if let Some(program) = std::env::var_os(PROGRAM) {
        return Some(PathBuf::from(program));
    }
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

impl Browser {
    fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut child = Command::new("sh")
            // The browser reads commands from descriptor 3 and answers on 4.
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>&2"#])
            .arg(program)
            .args([
                "--remote-debugging-pipe",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let to = child.stdin.take().expect("it was asked for");
        let mut out = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let value = serde_json::from_slice(&message).expect("the browser answers in JSON");
                message.clear();
                if send.send(value).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser {
            child,
            to,
            from,
            session: String::new(),
            next: 0,
            complaints: Vec::new(),
            loaded: false,
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", target);
        browser.session = session["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for its answer.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut command = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            command["sessionId"] = self.session.as_str().into();
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).and_then(|()| self.to.flush()).expect("the browser listens");
        loop {
            let message = self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{method}: no answer"));
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown") => self.complaints.push(format!("exception: {params}")),
            Some("Log.entryAdded") => self.complaints.push(format!("log: {}", params["entry"])),
            Some("Runtime.consoleAPICalled") => self.complaints.push(format!("console: {params}")),
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                let is_page = params["type"] == "Document" && url.starts_with("file:");
                if !is_page && !url.starts_with("data:") {
                    self.complaints.push(format!("request: {url}"));
                }
            }
            _ => {}
        }
    }

    /// Opens a page, and waits until it is drawn.
    #[track_caller]
    pub fn open(&mut self, file: &Path, view: View) {
        let View { width, height, is_dark, name } = view;
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.ask("Emulation.setDeviceMetricsOverride", size);
        let scheme = if is_dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.ask("Emulation.setEmulatedMedia", media);
        self.complaints.clear();
        self.loaded = false;
        let file = file.canonicalize().expect("the page is there");
        let url = format!("file://{}", encoded(&file.display().to_string()));
        let answer = self.ask("Page.navigate", json!({ "url": url }));
        assert!(answer.get("errorText").is_none(), "{answer}");
        let started = Instant::now();
        while !self.loaded {
            assert!(started.elapsed() < PATIENCE, "{url}: the page does not load");
            self.ask("Runtime.evaluate", json!({ "expression": "0" }));
            std::thread::sleep(Duration::from_millis(20));
        }
        self.settle();
        if let Some(folder) = std::env::var_os(PICTURES) {
            let stem =
                file.parent().and_then(Path::file_name).map_or("page".into(), |name| name.to_string_lossy());
            self.picture(&Path::new(&folder).join(format!("{stem}-{name}.png")));
        }
    }

    /// Waits for two frames: until what was asked for is drawn.
    pub fn settle(&mut self) {
        self.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
        );
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer:#}");
        answer["result"]["value"].clone()
    }

    /// A number in the page.
    #[track_caller]
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.value(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}, not a number"))
    }

    /// A text in the page.
    #[track_caller]
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}, not a text")).to_owned()
    }

    /// Presses a key, as a person does.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { json!(key) } else { Value::Null };
        let down = if text.is_null() {
            json!({ "type": "keyDown", "key": key })
        } else {
            json!({ "type": "keyDown", "key": key, "text": text })
        };
        self.ask("Input.dispatchKeyEvent", down);
        self.ask("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        self.settle();
    }

    /// Drags from one place of the window to another.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mouseMoved", from, 0);
        self.mouse("mousePressed", from, 1);
        for step in 1..=4 {
            let part = f64::from(step) / 4.0;
            self.mouse("mouseMoved", (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part), 1);
        }
        self.mouse("mouseReleased", to, 1);
        self.settle();
    }

    /// Moves the mouse.
    pub fn point_at(&mut self, (x, y): (f64, f64)) {
        self.mouse("mouseMoved", (x - 1.0, y), 0);
        self.mouse("mouseMoved", (x, y), 0);
        self.settle();
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), buttons: u32) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event =
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Fails if the page complained of anything, or asked anything of a network.
    #[track_caller]
    pub fn has_no_complaints(&mut self) {
        self.settle();
        assert!(self.complaints.is_empty(), "the page complains:\n{}", self.complaints.join("\n"));
    }

    fn picture(&mut self, file: &Path) {
        let answer = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        let data = answer["data"].as_str().expect("a picture");
        std::fs::write(file, from_base64(data)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A path as part of a URL.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn from_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text.bytes().filter_map(|byte| ALPHABET.iter().position(|known| *known == byte)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
