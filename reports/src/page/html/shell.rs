//! What is around every page: head, style, scripts, the verdict.

use super::parts::mark_sign;
use super::policy::policy;
use super::script_json;
use crate::VERSION;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("../../../assets/page.css");
const CHART_STYLE: &str = include_str!("../../../assets/uPlot.min.css");
const CHARTS: &str = include_str!("../../../assets/uPlot.iife.min.js");
const CORE: &str = include_str!("../../../assets/core.js");

/// How a verdict is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictMark {
    /// All is as it should be.
    Good,
    /// Something is not.
    Bad,
    /// It cannot be told.
    Unsure,
}

/// The answer, in the first screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How it is to be taken.
    pub mark: VerdictMark,
    /// The answer in a few words.
    pub headline: String,
    /// What it rests on, a sentence each.
    pub findings: Vec<String>,
}

/// What makes up a page.
pub struct PageParts {
    /// What the page is of: `replay`, `sweep` or `check`.
    pub kind: &'static str,
    /// The name in the heading.
    pub name: String,
    /// A line below it.
    pub subtitle: String,
    /// The answer.
    pub verdict: Verdict,
    /// The sections: id, heading, content.
    pub sections: Vec<(&'static str, String, Markup)>,
    /// The data of the charts, as JSON; empty: there are none.
    pub data: String,
    /// The script that draws them.
    pub script: &'static str,
}

/// The whole page.
pub fn shell(parts: &PageParts) -> String {
    let charts = if parts.data.is_empty() { "" } else { CHARTS };
    let scripts: Vec<&str> =
        [charts, CORE, parts.script].into_iter().filter(|script| !script.is_empty()).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&scripts));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "isrlab " (VERSION) };
                title { (parts.name) " – isrlab " (parts.kind) }
                link rel="icon" href="data:,";
                style { (PreEscaped(CHART_STYLE)) (PreEscaped(STYLE)) }
            }
            body data-kind=(parts.kind) {
                a.skip href="#main" { "To the answer" }
                header.top {
                    p.brand { "isrlab " (parts.kind) }
                    nav aria-label="Sections" { @for (id, heading, _) in &parts.sections {
                        a href={ "#" (id) } { (heading) }
                    } }
                    button #theme type="button" aria-label="Light or dark" title="Light or dark" { "◐" }
                }
                main #main {
                    h1 { (parts.name) }
                    p.subtitle { (parts.subtitle) }
                    (verdict(&parts.verdict))
                    @for (id, heading, content) in &parts.sections {
                        section id=(id) aria-labelledby={ (id) "-heading" } {
                            h2 id={ (id) "-heading" } { (heading) }
                            (content)
                        }
                    }
                }
                footer { "Made by isrlab " (VERSION) ". This file holds everything it shows and asks nothing of a network." }
                noscript { p.noscript { "Without JavaScript the tables and texts are all here; the charts are not." } }
                @if !parts.data.is_empty() {
                    script #data type="application/json" { (PreEscaped(script_json(&parts.data))) }
                }
                @for script in &scripts { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

fn verdict(verdict: &Verdict) -> Markup {
    let class = match verdict.mark {
        VerdictMark::Good => "good",
        VerdictMark::Bad => "bad",
        VerdictMark::Unsure => "unsure",
    };
    html! {
        div class={ "verdict " (class) } {
            p.headline { (mark_sign(verdict.mark)) " " span { (verdict.headline) } }
            @if !verdict.findings.is_empty() {
                ul { @for finding in &verdict.findings { li { (finding) } } }
            }
        }
    }
}
