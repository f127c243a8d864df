//! The report in a browser: it must draw, answer to mouse and keys, and never complain.

mod browser;
mod common;

use browser::*;
use common::*;

/// A replay or check in a folder, and its report.
#[track_caller]
fn report(lab: &Lab, args: &[&str]) -> std::path::PathBuf {
    let mut args = args.to_vec();
    args.extend(["--out", "out", "--quiet"]);
    let got = lab.run(&args);
    assert!(got.code < 2, "{}", got.shown());
    lab.run(&["report", "out", "--quiet"]).code(0).out_is("");
    lab.path("out/report.html")
}

/// What must be so on every page in every window.
#[track_caller]
fn is_sound(browser: &mut Browser, view: View) {
    browser.has_no_complaints();
    let wide = browser.number("document.documentElement.scrollWidth");
    assert!(wide <= f64::from(view.width), "{}: the page is {wide} wide", view.name);
    let dark = browser.text("getComputedStyle(document.body).backgroundColor");
    assert_eq!(dark == "rgb(20, 23, 26)", view.is_dark, "{}: the paper is {dark}", view.name);
    let bottom =
        browser.number("document.querySelector('.verdict .headline').getBoundingClientRect().bottom");
    assert!(bottom < f64::from(view.height), "{}: the verdict ends at {bottom}", view.name);
    let small = browser.value(
        "[...document.querySelectorAll('button')].filter((b) => b.offsetParent && !b.textContent.trim()).length",
    );
    assert_eq!(small, 0, "{}: buttons without a word", view.name);
}

/// Each canvas has been drawn on.
#[track_caller]
fn is_drawn(browser: &mut Browser, charts: usize) {
    let colours = browser.value(
        "[...document.querySelectorAll('canvas')].map((canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const seen = new Set();
            for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 24 | data[i + 1] << 16 | data[i + 2] << 8 | data[i + 3]);
            return seen.size;
        })",
    );
    let colours = colours.as_array().expect("a list").clone();
    assert!(colours.len() >= charts, "{} canvases, wanted are {charts}", colours.len());
    assert!(colours.iter().all(|seen| seen.as_u64() > Some(1)), "a canvas is blank: {colours:?}");
}

#[test]
fn a_replay_is_drawn_in_every_window_and_light() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let page = report(&lab, &["replay", "kafka-4485"]);
    for view in VIEWS {
        browser.open(&page, view);
        is_sound(&mut browser, view);
        // Three runs are distinct; each has three charts, and there is the overview.
        is_drawn(&mut browser, 10);
        assert_eq!(browser.value("document.querySelectorAll('#timeline .panel').length"), 3);
    }
    assert_eq!(
        browser.text("document.querySelector('#timeline .panel h3').lastChild.textContent"),
        "pre-4485, kafka-0.10.1"
    );
    let headline = browser.text("document.querySelector('.headline').textContent");
    assert!(headline.contains("all 4 expectations held"), "{headline}");
}

#[test]
fn one_can_go_from_the_whole_run_to_a_single_fetch() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let page = report(&lab, &["replay", "kafka-4485"]);
    browser.open(&page, DESKTOP);
    let host = "document.querySelector('[data-chart=timeline]')";
    let width = |browser: &mut Browser| browser.number(&format!("{host}.dataset.to - {host}.dataset.from"));
    assert_eq!(width(&mut browser), 70.0);
    // A drag over a chart zooms in.
    browser.value("document.documentElement.style.scrollBehavior = 'auto'; document.querySelector('[data-plot=lag]').scrollIntoView({ block: 'center' })");
    let place = browser.value("(() => { const { left, top, width, height } = document.querySelector('[data-plot=lag] .u-over').getBoundingClientRect(); return [left, top + height / 2, width]; })()");
    let (left, middle, wide) =
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap(), place[2].as_f64().unwrap());
    browser.drag((left + wide * 0.25, middle), (left + wide * 0.5, middle));
    let zoomed = width(&mut browser);
    assert!((zoomed - 17.5).abs() < 0.5, "{zoomed} s are seen");
    // So do keys; Home shows all.
    browser.value(&format!("{host}.focus({{ preventScroll: true }})"));
    browser.press("+");
    let closer = width(&mut browser);
    assert!((closer * 2.0 - zoomed).abs() < 0.01, "{closer} s are seen");
    browser.press("Home");
    assert_eq!(width(&mut browser), 70.0);
    // The next ISR change is shown step by step.
    browser.value("document.activeElement.blur?.(); document.querySelector('[data-chart=timeline]').focus({ preventScroll: true })");
    browser.press("n");
    assert_eq!(browser.text(&format!("{host}.dataset.exact")), "true");
    assert!(width(&mut browser) < 1.0);
    let read = browser.text("document.querySelector('.readout').textContent");
    assert!(read.contains("20.000000 s: ISR check") && read.contains("ISR 1, 3"), "{read}");
    let steps = "document.querySelector('.panel details')";
    browser.value(&format!("{steps}.open = true"));
    browser.settle();
    let rows = browser.text(&format!("{steps}.textContent"));
    assert!(rows.contains("fetch of broker 2 from 1,998") && rows.contains("ISR check"), "{rows}");
    // The arrow keys go from step to step.
    browser.press("ArrowRight");
    let next = browser.text("document.querySelector('.readout').textContent");
    assert!(next.contains("20.005000 s"), "{next}");
    // Pointing tells values.
    browser.press("Home");
    browser.value("document.querySelector('[data-plot=lag]').scrollIntoView({ block: 'center' })");
    let middle = browser.number("(() => { const { top, height } = document.querySelector('[data-plot=lag] .u-over').getBoundingClientRect(); return top + height / 2; })()");
    browser.point_at((left + wide / 2.0, middle));
    let read = browser.text("document.querySelector('.readout').textContent");
    assert!(read.contains("LEO") && read.contains("broker 2:") && read.starts_with("3"), "{read}");
    browser.has_no_complaints();
}

#[test]
fn tables_sort_and_the_theme_turns() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let page = report(&lab, &["replay", "kafka-4485"]);
    browser.open(&page, PHONE);
    let first = "document.querySelector('#numbers tbody tr').cells[0].textContent";
    assert_eq!(browser.text(first), "pre-4485");
    let click = "document.querySelectorAll('#numbers th button')[0].click()";
    browser.value(click);
    assert_eq!(browser.text(first), "equal-leo");
    assert_eq!(browser.text("document.querySelector('#numbers th').ariaSort"), "ascending");
    browser.value(click);
    assert_eq!(browser.text(first), "proposed-4485");
    // Numbers begin with the largest, and what has none is last.
    browser.value("document.querySelectorAll('#numbers th button')[4].click()");
    assert_eq!(browser.text(first), "proposed-4485".replace("proposed", "pre"));
    assert_eq!(
        browser.text("[...document.querySelectorAll('#numbers tbody tr')].pop().cells[4].textContent"),
        "–"
    );
    // A click on a change shows it.
    browser.value("document.querySelector('#changes tbody button').click()");
    browser.settle();
    assert_eq!(browser.text("document.querySelector('[data-chart=timeline]').dataset.exact"), "true");
    // The button turns the light, and charts with it.
    let paper = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)");
    browser.value("document.getElementById('theme').click()");
    browser.settle();
    assert_eq!(browser.text(paper), "rgb(20, 23, 26)");
    is_drawn(&mut browser, 10);
    browser.has_no_complaints();
}

#[test]
fn lags_timestamps_seeds_and_failures_have_their_page() {
    let Some(mut browser) = browser() else { return };
    let asked: [(&[&str], usize, &str); 5] = [
        (&["replay", "mirror-lag"], 2, "#lag .panel"),
        (&["replay", "share-lag"], 2, "#lag .panel"),
        (&["replay", "timestamps"], 5, "#timestamps .panel"),
        (&["replay", "kafka-4485", "--seeds", "3"], 1, "#timeline select"),
        (&["replay", "kafka-4485", "--set", "replica.lag.time.max.ms=30s"], 10, ".verdict.bad"),
    ];
    for (args, charts, what) in asked {
        let lab = Lab::new();
        let page = report(&lab, args);
        for view in [DESKTOP, PHONE_DARK] {
            browser.open(&page, view);
            is_sound(&mut browser, view);
            is_drawn(&mut browser, charts);
            assert!(browser.number(&format!("document.querySelectorAll('{what}').length")) > 0.0, "{args:?}");
        }
    }
}

#[test]
fn a_check_leads_from_its_table_to_the_counterexample() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let page = report(&lab, &["check", "replication", "--replicas", "2", "--variant", "kip-101"]);
    for view in VIEWS {
        browser.open(&page, view);
        is_sound(&mut browser, view);
    }
    browser.value(
        "document.documentElement.style.scrollBehavior = 'auto'; document.querySelector('#claims a').click()",
    );
    browser.settle();
    let opened = browser.text("document.querySelector('details.trace[open]').textContent");
    assert!(opened.contains("the initial state") && opened.contains("what it changes"), "{opened}");
    let steps = browser.number("document.querySelectorAll('details.trace[open] .sequence tbody tr').length");
    let told = browser.text("document.querySelector('#claims a').textContent");
    assert_eq!(told, format!("in {steps} states"));
    // The arrow keys walk through it.
    browser.value("document.querySelector('details.trace[open] .scroll').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assert_eq!(browser.text("document.querySelector('.sequence tr.now td').textContent"), "1");
    browser.has_no_complaints();
    let page = report(&lab, &["check", "isr", "--criterion", "post-4485", "--question", "g2"]);
    for view in [DESKTOP_DARK, PHONE] {
        browser.open(&page, view);
        is_sound(&mut browser, view);
        assert!(browser.number("document.querySelectorAll('#answers details').length") > 0.0);
    }
}

/// Whatever a scenario is called and says, it is text.
#[test]
fn a_hostile_scenario_is_harmless() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let attack = "</script><img src=x onerror=globalThis.broken=1>";
    let title = format!("title = '{attack}'\nabout = '''{attack}\n<!-- <script>'''");
    let name = "<img src=x onerror=globalThis.broken=1>.toml";
    lab.write(name, SMALL.replace("title = \"small\"", &title));
    lab.run(&["replay", &format!("./{name}"), "--out", "out", "--quiet"]).code(0);
    // Names within a scenario are plain words; those in files that somebody sends need not be.
    let hostile = lab.read("out/timeline.csv").replace(",orders,", &format!(",{attack},"));
    lab.write("out/timeline.csv", hostile);
    lab.run(&["report", "out"]).code(0);
    browser.open(&lab.path("out/report.html"), DESKTOP);
    browser.has_no_complaints();
    is_drawn(&mut browser, 4);
    assert_eq!(browser.number("document.images.length"), 0.0);
    assert_eq!(browser.text("typeof globalThis.broken"), "undefined");
    // Even what found its way into the page would not run.
    browser.value("document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.broken = 1' }))");
    assert_eq!(browser.text("typeof globalThis.broken"), "undefined");
    assert!(browser.text("document.querySelector('h1').textContent").contains("<img src=x"));
    assert!(browser.text("document.querySelector('.subtitle').textContent").contains("</script><img"));
}

#[test]
fn a_sweep_is_a_map_that_tells_of_each_cell() {
    let Some(mut browser) = browser() else { return };
    let lab = Lab::new();
    let args = [
        "sweep",
        "kafka-4485",
        "--vary",
        "replica.lag.time.max.ms=5s,10s,30s",
        "--vary",
        "link.follower.latency=1ms..50ms/4",
        "--vary",
        "producer.p.record.bytes=100,200",
    ];
    let page = report(&lab, &args);
    for view in VIEWS {
        browser.open(&page, view);
        is_sound(&mut browser, view);
        is_drawn(&mut browser, 1);
        assert!(browser.number("document.querySelectorAll('#map td.heat').length") >= 8.0);
    }
    // Two keys span the map; the third is chosen.
    browser.open(&page, DESKTOP);
    assert_eq!(browser.number("document.querySelectorAll('#map select').length"), 4.0);
    let read = "document.querySelector('.cell-readout').textContent";
    browser.value("document.querySelector('#map td.heat').focus()");
    let told = browser.text(read);
    assert!(told.contains("pre-4485, kafka-0.10.1") && told.contains("isr_flaps 12"), "{told}");
    let command = browser.text("document.querySelector('.cell-readout code').textContent");
    let wanted = "isrlab replay kafka-4485 --criterion pre-4485 --set replica.lag.time.max.ms=5s --set \
                  link.follower.latency=1ms --set producer.p.record.bytes=100 --seed 1";
    assert_eq!(command, wanted);
    browser.press("ArrowDown");
    assert_ne!(browser.text(read), told, "the arrows go from cell to cell");
    // Another metric is another map, and other lines.
    let shrinks = "(() => { const select = document.querySelector('#map select'); select.value = [...select.options].findIndex(({ text }) => text === 'isr_shrinks'); select.dispatchEvent(new Event('change')); })()";
    browser.value(shrinks);
    browser.settle();
    assert_eq!(browser.text("document.querySelector('[data-chart=map]').dataset.metric"), "isr_shrinks");
    assert_eq!(browser.text("document.querySelector('#map td.heat').textContent"), "13");
    is_drawn(&mut browser, 1);
    browser.has_no_complaints();
}
